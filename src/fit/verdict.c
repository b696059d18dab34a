/* SPDX-License-Identifier: Apache-2.0
 * verdict.c - what the residual of a fit looks like: after reversals, with position, with speed, by
 * direction. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "fit.h"

/* Residual behind reversals over that elsewhere from which a gap is looked for. */
static const double TURN = 2;

/* Part of the variance of r that a line in x explains. */
static double explained(const double *r, const double *x, size_t n)
{
  double mr = 0, mx = 0, rr = 0, xx = 0, rx = 0;
  for (size_t k = 0; k < n; k++) mr += r[k], mx += x[k];
  mr /= (double)n, mx /= (double)n;
  for (size_t k = 0; k < n; k++) {
    const double a = r[k] - mr, b = x[k] - mx;
    rr += a * a, xx += b * b, rx += a * b;
  }
  return rr > 0 && xx > 0 ? rx * rx / (rr * xx) : 0;
}

/* Root mean square of r within a short way behind a reversal, over that elsewhere. */
static double after_reversals(const bri_fit_data *d, const double *r, size_t from, size_t to)
{
  double way = INFINITY, direction = 0, near = 0, far = 0, nn = 0, nf = 0;
  for (size_t k = from; k + 1 < to; k++) {
    const double step = d->v[k] * d->h[k];
    if (step * direction < 0) way = 0;
    if (step != 0) direction = step;
    way += fabs(step);
    const double e = r[k + 1 - from] * r[k + 1 - from];
    if (way < 0.1 * d->stroke) near += e, nn++;
    else far += e, nf++;
  }
  return nn > 20 && nf > 20 && far > 0 ? sqrt(near / nn / (far / nf)) : 1;
}

/* What is left of the spread of the force on the test part: as the loss weighs it, so outliers do not count
 * where theirs is bounded. */
static double unexplained(const bri_fit_one *f, const bri_fit_data *d, double *x)
{
  const size_t n = d->test[1] - d->test[0];
  if (!f->seen) return f->out.rel_test;
  memcpy(x, d->F + d->test[0], n * sizeof *x);
  const double middle = bri_fit_place(x, n, n / 2);
  for (size_t k = 0; k < n; k++) x[k] = fabs(x[k] - middle);
  const double all = bri_fit_place(x, n, n / 2);
  for (size_t k = 0; k < n; k++) x[k] = fabs(d->F[d->test[0] + k] - f->fitted[d->test[0] + k]);
  const double rel = bri_fit_place(x, n, n / 2) / all;
  return isfinite(rel) ? rel : f->out.rel_test;
}

/* Single samples far outside, and levels that differ by direction. */
static void look_closer(bri_fit_one *f, const bri_fit_data *d, const double *r, size_t from, size_t n,
                        double *x)
{
  double offset = 0;
  const char *name = f->space.m->name;
  char terms[96];
  size_t far = 0, row = 0;
  for (size_t k = 0; k < n; k++) x[k] = fabs(r[k]);
  const double scale = 1.4826 * bri_fit_place(x, n, n / 2);
  for (size_t k = 0; k < n; k++) { /* a row of them is no chance but something that the model does not have */
    const int beyond = fabs(r[k]) > 6 * scale;
    far += beyond, row += beyond && k && fabs(r[k - 1]) > 6 * scale;
  }
  if (scale > 0 && far && far < n / 20 && row < far / 2)
    bri_fit_warn(f, "%s: %zu samples lie more than six deviations away: outliers%s", name, far,
                 f->seen ? ", which count little here" : "; try --loss huber or cauchy");
  for (size_t i = 0; i < f->q; i++)
    if (strcmp(f->extra[i], "offset") == 0) offset = f->c[i];
  for (size_t k = 0; k < n; k++) x[k] = fabs(f->fitted[from + k] - offset);
  const double side = explained(r, x, n);
  if (side > 0.1)
    bri_fit_warn(f,
                 "%s: %.0f %% of the residual follows the size of the force: levels differ by direction; try "
                 "--extras %s",
                 name, 100 * side, bri_terms_with(f, d, "asymmetry", sizeof terms, terms));
}

/* Levels that drift, and a viscous term that gives energy; x: room. */
static void look_at_terms(bri_fit_one *f, const bri_fit_data *d, const double *r, size_t from, size_t n,
                          double *x)
{
  const double middle = 0.5 * (d->t[from] + d->t[from + n - 1]);
  double offset = 0;
  for (size_t i = 0; i < f->q; i++)
    if (strcmp(f->extra[i], "offset") == 0) offset = f->c[i];
  for (size_t i = 0; i < f->out.nvalues; i++)
    if (strcmp(f->values[i].name, "viscous") == 0 && f->values[i].high < 0)
      bri_fit_warn(
          f, "%s: the viscous term is negative, %.3g: it stands for something that the model does not have",
          f->space.m->name, f->values[i].value);
  for (size_t k = 0; k < n; k++) x[k] = (d->t[from + k] - middle) * (f->fitted[from + k] - offset);
  const double drift = explained(r, x, n);
  if (drift > 0.1)
    bri_fit_warn(
        f,
        "%s: %.0f %% of the residual follows the force times the %s: its levels drift, as with temperature "
        "or wear; fit shorter parts (--train) and compare",
        f->space.m->name, 100 * drift, d->timed ? "time" : "place in the record");
}

/* A residual behind reversals: does a gap explain it? */
static void look_for_gap(bri_fit_one *f, bri_fit_data *d, const br_fit_options *o, double turn)
{
  char terms[96];
  const int fitted = d->gap > 0;
  const double left = fitted ? 1 : sqrt(bri_gap_choose(d, o)), gap = d->gap;
  if (!fitted) { /* as it was */
    d->gap = 0, d->clear = 0;
    bri_fit_smooth(d, d->window, d->work);
  }
  if (left < 0.7)
    bri_fit_warn(
        f,
        "%s: the residual is %.1f times as large behind reversals as elsewhere: backlash; with a gap of "
        "%.3g m %s leaves %.2g of what is left without: try --extras %s",
        f->space.m->name, turn, gap, d->judge, left, bri_terms_with(f, d, "backlash", sizeof terms, terms));
  else if (turn > TURN)
    bri_fit_warn(
        f,
        "%s: the residual is %.1f times as large behind reversals as elsewhere: a transition that the "
        "model does not have%s",
        f->space.m->name, turn, fitted ? "" : "; a gap (backlash) does not explain it");
}

/* What the residual r of the train part follows; x: room for a number a sample. */
static void look(bri_fit_one *f, bri_fit_data *d, const br_fit_options *o, double *r, double *x)
{
  static const struct {
    const char *what, *term;
  } FOLLOWS[] = {{"position", "stiffness"},
                 {"velocity: a rate effect that the model does not have", "viscous"},
                 {"acceleration", "mass"},
                 {"time", "drift"}};
  const size_t from = d->train[0], n = d->train[1] - from;
  const char *name = f->space.m->name;
  char terms[96];
  for (size_t k = 0; k < n; k++) r[k] = d->F[from + k] - f->fitted[from + k];
  const double rel = unexplained(f, d, x), tau = (double)n / f->out.effective;
  if (rel > 0.25)
    bri_fit_warn(f,
                 "%s leaves %.0f %% of the spread of the force unexplained on unseen data: no model here "
                 "fits this record well",
                 name, 100 * rel);
  if (tau > 3)
    bri_fit_warn(f,
                 "%s: the residual is no white noise: %zu samples count as %.0f independent ones, and the "
                 "intervals are as wide as that asks for",
                 name, n, f->out.effective);
  if (rel < 1e-3) return; /* a motion known by its samples leaves as much: no hint at a missing term */
  if (d->axes == 1) look_closer(f, d, r, from, n, x);
  const double *const columns[] = {d->u, d->speed, d->accel, d->t};
  for (size_t i = 0; i < sizeof FOLLOWS / sizeof FOLLOWS[0]; i++) {
    const double part = i == 0 || d->timed ? explained(r, columns[i] + from, n) : 0;
    if (part > 0.1)
      bri_fit_warn(f, "%s: %.0f %% of the residual follows the %s; try --extras %s", name, 100 * part,
                   FOLLOWS[i].what, bri_terms_with(f, d, FOLLOWS[i].term, sizeof terms, terms));
  }
  if (d->axes == 1) look_at_terms(f, d, r, from, n, x);
  const double turn =
      d->axes == 1 ? after_reversals(d, r, from, from + n) : 1; /* a path in the plane has none */
  if (turn > TURN || (d->axes == 1 && tau > 10 && rel > 0.05))
    look_for_gap(f, d, o, turn); /* last: it needs the room */
}

br_status bri_fit_verdict(bri_fit_one *f, bri_fit_data *d, const br_fit_options *o, br_err *err)
{
  double *x = bri_malloc_array(d->n, sizeof *x);
  if (x) look(f, d, o, d->work, x); /* that room is free by now */
  bri_free(x);
  return x && !d->failed ? BR_OK : bri_no_memory(err, "fit");
}
