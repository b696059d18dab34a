/* SPDX-License-Identifier: Apache-2.0
 * motion_trust.c - intervals of the unknowns of a motion, what the data cannot separate, what should be
 * known. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "motion.h"

void bri_motion_tell(char (*lines)[BRI_FIT_LINE], size_t *n, const char *fmt, ...)
{
  va_list args;
  if (*n >= BRI_MOTION_NOTES) return;
  va_start(args, fmt);
  (void)vsnprintf(lines[(*n)++], BRI_FIT_LINE, fmt, args);
  va_end(args);
}
/* Names what the weakest direction of the scaled problem moves. */
static void name_weakest(bri_motion_one *m, const double *vector, size_t p)
{
  char text[160] = "", name[40];
  size_t used = 0, n = 0;
  for (size_t j = 0; j < p && used < sizeof text; j++) {
    if (fabs(vector[j]) < 0.3) continue;
    const int w = snprintf(text + used, sizeof text - used, "%s%s", n++ ? ", " : "",
                           bri_motion_space_name(&m->space, j, sizeof name, name));
    used += w > 0 ? (size_t)w : 0;
  }
  if (n > 1)
    BRI_MOTION_WARN(m, "%s: the data do not separate %s: only a combination of them is known",
                    m->space.m->name, text);
  else BRI_MOTION_WARN(m, "%s: the data say next to nothing about %s", m->space.m->name, text);
}

/* Parameters whose interval spans more than a decade, or has no end. */
static void vague(bri_motion_one *m)
{
  char text[160] = "";
  size_t used = 0;
  for (size_t i = 0; i < m->out.nvalues && used < sizeof text; i++) {
    const br_fit_value *v = &m->values[i];
    if (v->extra || v->value == 0 || (v->low > 0 && v->high < 10 * v->low)) continue;
    if (v->high - v->low < 10 * fabs(v->value)) continue;
    const int w = snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", v->name);
    used += w > 0 ? (size_t)w : 0;
  }
  if (used) BRI_MOTION_WARN(m, "%s: hardly known from this record: %s", m->space.m->name, text);
}

/* Covariance of the unknowns: inverse of the normal matrix, scaled, times what is left for each independent
 * sample. */
void bri_motion_trust(bri_motion_one *m, const bri_motion_search *w)
{
  const size_t p = m->space.p;
  double a[BRI_FIT_MOST * BRI_FIT_MOST], C[BRI_FIT_MOST * BRI_FIT_MOST], values[BRI_FIT_MOST],
      vectors[BRI_FIT_MOST * BRI_FIT_MOST], scale[BRI_FIT_MOST];
  const size_t n = w->rows / w->d->nchannel;
  double tau = 1, unsure = 0;
  for (size_t c = 0; c < w->d->nchannel; c++) {
    double by = 0;
    tau = fmax(tau, bri_fit_redundancy(w->rest + c * n, n, &by)), unsure = fmax(unsure, by);
  }
  const double unknowns = (double)(p + w->pieces.n * m->space.locals),
               var = w->cost / fmax((double)w->rows - unknowns, 1) * tau * (1 + unsure);
  m->out.effective = (double)w->rows / tau;
  m->cost = w->cost, m->rows = (double)w->rows;
  if (!p) return;
  for (size_t j = 0; j < p; j++) scale[j] = w->A[j * p + j] > 0 ? sqrt(w->A[j * p + j]) : 0;
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) {
      const double s = scale[i] * scale[j];
      a[i * p + j] = s > 0 ? w->A[i * p + j] / s : i == j;
    }
  bri_symmetric_eigen(p, a, values, vectors);
  m->out.condition = sqrt(fmax(values[p - 1], 0) / fmax(values[0], 1e-300));
  if (values[0] < 1e-5) name_weakest(m, vectors, p);
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) {
      double sum = 0;
      for (size_t k = 0; k < p; k++) sum += vectors[k * p + i] * vectors[k * p + j] / fmax(values[k], 1e-13);
      C[i * p + j] = scale[i] > 0 && scale[j] > 0 ? sum * var / (scale[i] * scale[j]) : i == j ? INFINITY : 0;
    }
  m->out.nvalues = bri_motion_space_values(&m->space, w->g, C, m->values, BRI_FIT_VALUES);
  vague(m);
  if (tau > 3)
    BRI_MOTION_WARN(
        m,
        "%s: the residual is no white noise: %zu samples count as %.0f independent ones, and the intervals "
        "are as wide as that asks for",
        m->space.m->name, n, (double)n / tau);
  if (m->out.rel_test > 0.25)
    BRI_MOTION_WARN(m, "%s leaves %.0f %% of the spread of the motion unexplained on unseen data",
                    m->space.m->name, 100 * m->out.rel_test);
}
