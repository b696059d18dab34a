/* SPDX-License-Identifier: Apache-2.0
 * terms.c - what is fitted beside the parameters of a model: terms that add to its force and are solved
 * inside the search, and two coordinates of the search itself, which stand behind the block of the model: the
 * way gone before the record began (`start`), and how much the level of one direction is above the other's
 * (`asymmetry`: F + a |F|). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fit.h"

enum { START, ASYMMETRY };
static const br_param ROWS[BRI_FIT_OWN] = {
    {.name = "start", .unit = "m", .lo = -INFINITY, .hi = INFINITY, .max_len = 1},
    {.name = "asymmetry", .unit = "1", .lo = -1, .hi = 1, .max_len = 1},
};

int bri_fit_listed(const char *list, const char *name)
{
  const size_t n = strlen(name);
  for (const char *s = list ? list : ""; *s; s += strcspn(s, ","), s += *s == ',')
    if (strcspn(s, ",=") == n && memcmp(s, name, n) == 0) return 1;
  return 0;
}

int bri_fit_wants(const br_fit_options *o, const char *name, int usual)
{
  return o->extras ? bri_fit_listed(o->extras, name) : usual;
}

int bri_terms_own(const br_param *row) { return row == &ROWS[START] || row == &ROWS[ASYMMETRY]; }

size_t bri_space_width(const bri_space *s) { return s->m->slots + BRI_FIT_OWN; }

br_status bri_terms_add(bri_space *s, const bri_fit_data *d, const br_fit_options *o, br_err *err)
{
  const int wanted[BRI_FIT_OWN] = {bri_fit_wants(o, "start", !d->timed && d->train[0] == 0 && d->axes == 1),
                                   bri_fit_wants(o, "asymmetry", 0)};
  const double scale[BRI_FIT_OWN] = {d->stroke / 30, 1}, end[BRI_FIT_OWN] = {30, 0.95};
  for (size_t i = 0; i < BRI_FIT_OWN; i++) {
    s->base[s->m->slots + i] = 0;
    if (!wanted[i]) continue;
    if (s->all >= BRI_FIT_MOST)
      return bri_fail(err, BR_E_SIZE, "%s: more than %d numbers to fit", s->m->name, BRI_FIT_MOST);
    s->c[s->all++] = (bri_coord){.kind = BRI_COORD_LIN,
                                 .slot = s->m->slots + i,
                                 .ref = SIZE_MAX,
                                 .over = SIZE_MAX,
                                 .scale = scale[i],
                                 .lo = -end[i],
                                 .hi = end[i],
                                 .row = &ROWS[i]};
  }
  return BR_OK;
}

double bri_terms_start(const bri_space *s, const double *x)
{
  for (size_t j = 0; j < s->n; j++)
    if (s->c[j].row == &ROWS[START]) return s->c[j].scale * x[j];
  return 0;
}

static bri_motion motion(const bri_space *s, const bri_fit_data *d, size_t to, const double *block)
{
  return (bri_motion){
      to / d->axes,   d->u, d->v, d->speed, d->h, d->load, .before = block[s->m->slots + START],
      .pace = d->fast};
}

void bri_terms_force(const bri_space *s, const bri_fit_data *d, size_t to, const double *block, double *F,
                     double *plain, double *states)
{
  const bri_motion path = motion(s, d, to, block);
  const double more = block[s->m->slots + ASYMMETRY];
  bri_walk_states(s->m, block, &path, plain, states);
  for (size_t k = 0; k < to && F; k++) F[k] = plain[k] + more * fabs(plain[k]);
}

void bri_terms_slopes(const bri_space *s, const bri_fit_data *d, size_t to, const double *block,
                      const double *G, const double *plain, const double *states, double *D)
{
  const bri_motion path = motion(s, d, to, block);
  const size_t width = bri_space_width(s), own = s->m->slots;
  const double more = block[own + ASYMMETRY];
  double before[BRI_FIT_MOST];
  for (size_t j = 0; j < s->n; j++) before[j] = G[j * width + own + START];
  if (!bri_walk_slopes(s->m, block, s->n, G, width, before, &path, states, D, to))
    memset(D, 0, s->n * to * sizeof *D);
  for (size_t j = 0; j < s->n; j++) {
    const double by_more = G[j * width + own + ASYMMETRY];
    double *column = D + j * to;
    for (size_t k = 0; k < to && (more != 0 || by_more != 0); k++)
      column[k] += (plain[k] < 0 ? -more : more) * column[k] + by_more * fabs(plain[k]);
  }
}

/* ---- terms that add ---- */

static void extra(bri_fit_one *f, const char *name, const double *column)
{
  f->extra[f->q] = name, f->column[f->q++] = column;
}

void bri_terms_choose(bri_fit_one *f, const bri_fit_data *d, const br_fit_options *o)
{
  const br_model *m = f->space.m;
  const int viscous = br_model_param(m, "sigma2") != NULL;
  f->q = 0;
  static const char *const OFFSET[] = {"offset_x", "offset_y"};
  for (size_t a = 0; a < d->axes; a++) {
    double *ones = f->ones + a * d->n;
    for (size_t k = 0; k < d->n; k++) ones[k] = bri_fit_axis(k, d->axes) == a;
    if (bri_fit_wants(o, "offset", 1)) extra(f, d->axes > 1 ? OFFSET[a] : "offset", ones);
  }
  if (d->timed && !viscous && bri_fit_wants(o, "viscous", 1)) extra(f, "viscous", d->speed);
  if (bri_fit_wants(o, "stiffness", !d->timed && !br_model_param(m, "kappa"))) extra(f, "stiffness", d->u);
  if (d->timed && bri_fit_wants(o, "mass", 0)) extra(f, "mass", d->accel);
  if (d->raw && bri_fit_wants(o, "load", 1)) extra(f, "load", d->raw);
  if (d->timed && bri_fit_wants(o, "drift", 0)) extra(f, "drift", d->t);
}

const char *bri_terms_with(const bri_fit_one *f, const bri_fit_data *d, const char *name, size_t size,
                           char *text)
{
  size_t used = 0;
  for (size_t i = 0; i < f->q && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s,", f->extra[i]);
  for (size_t j = 0; j < f->space.n && used < size; j++)
    if (bri_terms_own(f->space.c[j].row))
      used += (size_t)snprintf(text + used, size - used, "%s,", f->space.c[j].row->name);
  if (used < size) (void)snprintf(text + used, size - used, "%s%s", d->gap > 0 ? "backlash," : "", name);
  return text;
}

/* Their best values beside the fitted force of the model. */
void bri_terms_solve(bri_fit_one *f, const bri_fit_data *d)
{
  double A[BRI_FIT_EXTRAS * BRI_FIT_EXTRAS], scale[BRI_FIT_EXTRAS];
  const size_t a = d->train[0], rows = d->train[1] - a;
  for (size_t i = 0; i < f->q; i++) {
    double s = 0;
    for (size_t k = 0; k < rows; k++) s += f->column[i][a + k] * (d->F[a + k] - f->fitted[a + k]);
    f->c[i] = s;
    for (size_t j = 0; j <= i; j++)
      A[i * f->q + j] = A[j * f->q + i] = bri_dot(rows, f->column[i] + a, f->column[j] + a);
  }
  for (size_t i = 0; i < f->q; i++) scale[i] = A[i * f->q + i] > 0 ? sqrt(A[i * f->q + i]) : 1;
  for (size_t i = 0; i < f->q; i++)
    for (size_t j = 0; j < f->q; j++)
      A[i * f->q + j] = A[i * f->q + j] / (scale[i] * scale[j]) + (i == j ? 1e-13 : 0);
  for (size_t i = 0; i < f->q; i++) f->c[i] /= scale[i];
  if (f->q && bri_cholesky(f->q, A)) bri_cholesky_solve(f->q, A, f->c);
  for (size_t i = 0; i < f->q; i++) f->c[i] /= scale[i];
}
