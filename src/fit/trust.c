/* SPDX-License-Identifier: Apache-2.0
 * trust.c - intervals of what was fitted, combinations that the data cannot separate, the look of what is
 * left. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../core/elementary.h"
#include "base/alloc.h"
#include "fit.h"

/* Variance of what the data say nothing about. */
static const double UNKNOWN = 1e200;

double bri_fit_redundancy(const double *r, size_t n, double *unsure)
{
  if (unsure) *unsure = 0;
  double mean = 0, var = 0, sum = 1;
  for (size_t k = 0; k < n; k++) mean += r[k] / (double)n;
  for (size_t k = 0; k < n; k++) var += (r[k] - mean) * (r[k] - mean);
  if (!(var > 0)) return 1;
  for (size_t lag = 1; lag < n / 4;
       lag++) { /* the window ends where it is five times what it has found (Sokal) */
    double c = 0;
    for (size_t k = 0; k + lag < n; k++) c += (r[k] - mean) * (r[k + lag] - mean);
    sum += 2 * c / var;
    if (unsure) *unsure = sqrt(2 * (2 * (double)lag + 1) / (double)n);
    if ((double)lag >= 5 * sum || sum < 0.2) break;
  }
  return fmax(sum, 1);
}

/* Name of a fitted number as it is shown: k2 of a vector. */
static void name_of(const br_fit_value *v, size_t size, char *text)
{
  if (v->element >= 0) (void)snprintf(text, size, "%s%d", v->name, v->element + 1);
  else (void)snprintf(text, size, "%s", v->name);
}

const char *bri_fit_extra_unit(const char *name)
{
  static const char *const UNITS[][2] = {{"offset", "N"},      {"offset_x", "N"},    {"offset_y", "N"},
                                         {"viscous", "N s/m"}, {"stiffness", "N/m"}, {"mass", "kg"},
                                         {"load", "1"},        {"drift", "N/s"}};
  for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++)
    if (strcmp(UNITS[i][0], name) == 0) return UNITS[i][1];
  return "1";
}

void bri_fit_interval(br_fit_value *v, double sd, int positive, const br_param *row)
{
  const double z = 1.959963984540054;
  if (!(sd < 1e50)) v->low = v->high = NAN;
  else if (positive)
    v->low = v->value * bri_exp(-z * sd / v->value), v->high = v->value * bri_exp(z * sd / v->value);
  else v->low = v->value - z * sd, v->high = v->value + z * sd;
  if (row) v->low = fmax(v->low, row->lo), v->high = fmin(v->high, row->hi);
}

/* The values with their intervals from the covariance C of all unknowns. */
static void report(bri_fit_one *f, const double *C, size_t m, const double *G)
{
  const size_t n = f->space.n, slots = bri_space_width(&f->space);
  size_t count = 0;
  for (size_t j = 0; j < f->space.all && count < BRI_FIT_VALUES; j++) {
    const bri_coord *c = &f->space.c[j];
    br_fit_value *v = &f->values[count++];
    double var = 0;
    *v = (br_fit_value){c->row->name,         c->row->unit, c->row->max_len > 1 ? (int)c->element : -1,
                        f->block[c->slot],    NAN,          NAN,
                        bri_terms_own(c->row)};
    for (size_t a = 0; a < n; a++)
      for (size_t b = 0; b < n; b++) var += G[a * slots + c->slot] * C[a * m + b] * G[b * slots + c->slot];
    bri_fit_interval(v, sqrt(var), c->kind == BRI_COORD_LOG, c->row);
  }
  for (size_t i = 0; i < f->q && count < BRI_FIT_VALUES; i++) {
    br_fit_value *v = &f->values[count++];
    *v = (br_fit_value){f->extra[i], bri_fit_extra_unit(f->extra[i]), -1, f->c[i], NAN, NAN, 1};
    bri_fit_interval(v, sqrt(C[(n + i) * m + n + i]), 0, NULL);
  }
  f->out.nvalues = count;
}

/* The weakest direction of the scaled problem, named by what takes part in it. */
static void name_weakest(bri_fit_one *f, const double *vector, size_t n)
{
  char text[160] = "", name[40];
  size_t used = 0, parts = 0;
  for (size_t j = 0; j < n && used < sizeof text; j++) {
    const bri_coord *c = &f->space.c[j];
    const br_fit_value v = {.name = c->row->name, .element = c->row->max_len > 1 ? (int)c->element : -1};
    if (fabs(vector[j]) < 0.3) continue;
    name_of(&v, sizeof name, name);
    const int w = snprintf(text + used, sizeof text - used, "%s%s", parts++ ? ", " : "", name);
    used += w > 0 ? (size_t)w : 0;
  }
  if (parts > 1)
    bri_fit_warn(f, "%s: the data do not separate %s: only a combination of them is known", f->space.m->name,
                 text);
  else bri_fit_warn(f, "%s: the data say next to nothing about %s", f->space.m->name, text);
}

static void identifiable(bri_fit_one *f, const double *A, size_t n, size_t m)
{
  double a[BRI_FIT_MOST * BRI_FIT_MOST], values[BRI_FIT_MOST], vectors[BRI_FIT_MOST * BRI_FIT_MOST];
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      const double s = sqrt(A[i * m + i] * A[j * m + j]);
      a[i * n + j] = s > 0 ? A[i * m + j] / s : i == j;
    }
  bri_symmetric_eigen(n, a, values, vectors);
  f->out.condition = sqrt(fmax(values[n - 1], 0) / fmax(values[0], 1e-300));
  if (values[0] < 2e-4) name_weakest(f, vectors, n);
}

/* Parameters of the model whose interval spans more than a decade, or has no end. */
static void vague(bri_fit_one *f)
{
  char text[160] = "", name[40];
  size_t used = 0;
  for (size_t i = 0; i < f->out.nvalues && used < sizeof text; i++) {
    const br_fit_value *v = &f->values[i];
    if (v->extra || v->value == 0 || (v->low > 0 && v->high < 10 * v->low)) continue;
    if (v->low <= 0 && v->high - v->low < 10 * fabs(v->value)) continue;
    name_of(v, sizeof name, name);
    const int w = snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", name);
    used += w > 0 ? (size_t)w : 0;
  }
  if (used) bri_fit_warn(f, "%s: hardly known from this record: %s", f->space.m->name, text);
}

/* Inverse of a matrix of correlations; a direction that is all but lost gets the variance that rounding
 * leaves it, and what does not take part in it keeps its own. */
static void invert(size_t n, double *C)
{
  double values[BRI_FIT_MOST], vectors[BRI_FIT_MOST * BRI_FIT_MOST];
  bri_symmetric_eigen(n, C, values, vectors);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      double sum = 0;
      for (size_t k = 0; k < n; k++) sum += vectors[k * n + i] * vectors[k * n + j] / fmax(values[k], 1e-13);
      C[i * n + j] = sum;
    }
}

/* A parameter at the end of what the search allows is not known by the data. */
static void at_ends(bri_fit_one *f)
{
  for (size_t j = 0; j < f->space.n; j++) {
    const bri_coord *c = &f->space.c[j];
    const double near = 1e-6 * (c->hi - c->lo < 1 ? c->hi - c->lo : 1);
    if (c->kind == BRI_COORD_LIN || c->kind == BRI_COORD_ABOVE) continue; /* zero is a value like any other */
    if (f->x[j] - c->lo > near && c->hi - f->x[j] > near) continue;
    bri_fit_warn(f, "%s: %s went to the %s end of its range: the model is simpler here than its equations",
                 f->space.m->name, c->row->name, f->x[j] - c->lo > near ? "upper" : "lower");
  }
}

void bri_fit_trust(bri_fit_one *f, bri_search *w)
{
  const size_t n = f->space.n, m = n + f->q, rows = w->rows, slots = bri_space_width(&f->space);
  double A[BRI_FIT_MOST * BRI_FIT_MOST], C[BRI_FIT_MOST * BRI_FIT_MOST], scale[BRI_FIT_MOST];
  const double *column[BRI_FIT_MOST];
  double *G = bri_malloc_array(n * slots + rows, sizeof *G), *r = G ? G + n * slots : NULL;
  if (!G || m > BRI_FIT_MOST) {
    f->st = bri_fail(&f->err, G ? BR_E_SIZE : BR_E_NOMEM, "fit: out of memory");
    bri_free(G);
    return;
  }
  if (!w->fresh) bri_search_slopes(w, f->x);
  bri_search_whole(w);
  bri_space_block(&f->space, f->x, f->block, G);
  for (size_t k = 0; k < rows; k++) r[k] = w->d->F[w->from + k] - f->fitted[w->from + k];
  for (size_t j = 0; j < m; j++) column[j] = j < n ? w->J + j * rows : f->column[j - n] + w->from;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j <= i; j++) A[i * m + j] = A[j * m + i] = bri_dot(rows, column[i], column[j]);
  double unsure = 0;
  const double tau = bri_fit_redundancy(r, rows, &unsure),
               var = bri_dot(rows, r, r) / fmax((double)rows - (double)m, 1) * tau * (1 + unsure) *
                     (f->seen ? f->spread * f->spread : 1);
  f->out.effective = (double)rows / tau, f->var = var;
  for (size_t i = 0; i < m; i++) scale[i] = A[i * m + i] > 0 ? sqrt(A[i * m + i]) : 0;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++) {
      const double s = scale[i] * scale[j];
      C[i * m + j] = s > 0 ? A[i * m + j] / s : i == j;
    }
  invert(m, C);
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++)
      C[i * m + j] = scale[i] > 0 && scale[j] > 0 ? C[i * m + j] * var / (scale[i] * scale[j])
                     : i == j                     ? UNKNOWN
                                                  : 0;
  report(f, C, m, G);
  identifiable(f, A, n, m);
  vague(f);
  at_ends(f);
  bri_free(G);
}
