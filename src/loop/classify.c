/* SPDX-License-Identifier: Apache-2.0
 * classify.c - the columns of document 4's Table I, measured: homogeneity in the velocity, separability and
 * affinity of the state equation, the modulus of continuity at the worst point. */
#include "../../core/elementary.h"
#include "../base/worse.h"
#include "bristle/classify.h"

#include <math.h>
#include <string.h>

#include "../param/valid.h"
#include "../text/fail.h"
#include "loop_internal.h"

#define PROBES 33 /* states per line */
#define SPEEDS 7
#define LIPSCHITZ_OFF 3e-5 /* what rounding and curvature leave of an exponent of 1 */

/* The model at hand with a natural size for path and state. */
typedef struct {
  const br_model *m;
  const double *par;
  size_t ns, nz;
  double U;                       /* m */
  double size[BR_LOOP_MAX_STATE]; /* extent of each state on a large loop */
  double speed;                   /* m/s, of the order where rate effects show */
  const br_stop *stop;
} subject;

static void rates(const subject *s, double v, const double *z, double *dz)
{
  const double u = 0;
  s->m->rate(s->par, 1, &u, &v, z, dz);
}

static double force(const subject *s, double v, const double *z)
{
  double dz[2 * BR_LOOP_MAX_STATE], F[2];
  const double u = 0;
  s->m->rate(s->par, 1, &u, &v, z, dz);
  s->m->force(s->par, 1, &u, &v, z, dz, F);
  return F[0];
}

/* Force of a model whose states jump, after a straight way from rest to u. */
static double jumping_force(const br_model *m, const double *par, double u)
{
  double z[2 * BR_LOOP_MAX_STATE] = {0}, dz[2 * BR_LOOP_MAX_STATE], F[2];
  const double v = 1;
  m->step(par, 1, &u, &v, 0, z);
  m->rate(par, 1, &u, &v, z, dz);
  m->force(par, 1, &u, &v, z, dz, F);
  return F[0];
}

/* How far such a model is a spring: double a displacement until the force lags by a tenth. */
static double stiff_length(const br_model *m, const double *par)
{
  double U = 0x1p-100;
  while (U < 0x1p100 && jumping_force(m, par, 2 * U) > 1.9 * jumping_force(m, par, U)) U *= 2;
  return U;
}

/* Does its force jump on the way?  The place of steepest change is halved down to rounding. */
static int force_drops(const subject *s)
{
  enum { CELLS = 4096 };
  double lo = 0, hi = 0, steepest = 0, first;
  for (int k = 1; k <= CELLS; k++) {
    const double a = s->U * (k - 1) / CELLS, b = s->U * k / CELLS;
    const double change = fabs(jumping_force(s->m, s->par, b) - jumping_force(s->m, s->par, a));
    if (change > steepest) steepest = change, lo = a, hi = b;
  }
  first = steepest;
  for (int k = 0; k < 30; k++) {
    const double mid = 0.5 * (lo + hi), f = jumping_force(s->m, s->par, mid);
    const double left = fabs(f - jumping_force(s->m, s->par, lo)),
                 right = fabs(jumping_force(s->m, s->par, hi) - f);
    if (left > right) hi = mid;
    else lo = mid;
    steepest = fmax(left, right);
  }
  return steepest > 1e-3 * first;
}

/* Double a displacement until another doubling changes the force by less than a thousandth (or 2^80).  A map
 * without state has no length of its own: 1 m. */
static double natural_amplitude(const br_model *m, const double *par, const br_stop *stop)
{
  const bri_arc_model a = {m, par, NULL, 1, BRI_SLOW, 1e-9, m->nstate(par) + m->nmode(par), stop};
  double best = 1, before = 0;
  if (a.nz == 0) return 1;
  if (m->flags & BR_MODEL_JUMPS) return 16 * stiff_length(m, par);
  for (int k = -60; k <= 40; k++) {
    double z[2 * BR_LOOP_MAX_STATE] = {0};
    const double U = ldexp(1.0, k);
    if (bri_arc_move(&a, 0, 1, U, z, NULL, NULL) != BR_OK) return best;
    const double F = bri_arc_force(&a, U, 1, z);
    if (!(fabs(F) < 1e300)) return best;
    best = U;
    if (before != 0 && fabs(F - before) < 1e-3 * fabs(F)) return U;
    if (before != 0 && F > 1.99 * before && k > 20) return 1; /* grows without end: no level */
    before = F;
  }
  return 1;
}

double br_natural_amplitude(const br_model *m, const double *par) { return natural_amplitude(m, par, NULL); }

/* Extent of the states: the largest values along a large loop, run quickly and slowly. */
static void sizes(subject *s)
{
  for (int k = 0; k < 2; k++) {
    const bri_arc_model a = {s->m, s->par, NULL, 1, k ? s->speed : BRI_SLOW, 1e-8, s->nz, s->stop};
    double z[2 * BR_LOOP_MAX_STATE] = {0}, u = 0;
    for (int half = 0; half < 3; half++) {
      const double dir = half % 2 ? -1.0 : 1.0, L = half ? 2 * s->U : s->U;
      for (int i = 0; i < 16; i++) {
        if (bri_arc_move(&a, u, dir, L / 16, z, NULL, NULL) != BR_OK) return;
        u += dir * L / 16;
        for (size_t j = 0; j < s->ns; j++) s->size[j] = fmax(s->size[j], fabs(z[j]));
      }
    }
  }
}

#define DECADES 11 /* speeds from 1e-7 to 1e3 m/s */

/* A speed where a rate-dependent model shows it: the first of a list at which the settled force has changed
 * by a fifth from its slow value, or by half of the most it changes; 1 for models that do not care. */
static double telling_speed(const subject *s)
{
  double change[DECADES], slow = 0, most = 0;
  for (int k = -1; k < DECADES; k++) {
    double z[2 * BR_LOOP_MAX_STATE] = {0};
    bri_arc_model a = {s->m, s->par, NULL, 1, k < 0 ? BRI_SLOW : bri_pow(10, k - 7), 1e-8, s->nz, s->stop};
    if (k >= 0) change[k] = 0;
    if (bri_arc_move(&a, 0, 1, s->U, z, NULL, NULL) != BR_OK) continue;
    const double F = bri_arc_force(&a, s->U, 1, z);
    if (k < 0) slow = F;
    else change[k] = fabs(F - slow), most = fmax(most, change[k]);
  }
  for (int k = 0; k < DECADES && most > 1e-6 * fabs(slow); k++)
    if (change[k] > 0.2 * fabs(slow) || change[k] >= 0.5 * fmin(most, 0.4 * fabs(slow)))
      return bri_pow(10, k - 7);
  return 1;
}

/* ---- rate dependence ---- */

static void state_probe(const subject *s, int k, double *z)
{
  memset(z, 0, 2 * BR_LOOP_MAX_STATE * sizeof *z);
  for (size_t j = 0; j < s->ns; j++) z[j] = s->size[j] * bri_sin(1.7 * k + 2.3 * (double)j + 0.4) * 0.93;
}

/* A model whose rates say nothing: does its force jump, with sgn v, at the end of a stick band, or along the
 * path? */
static int force_jumps(const subject *s)
{
  const double z[1] = {0};
  if (s->m->flags & BR_MODEL_JUMPS) return force_drops(s);
  return (s->m->flags & BR_MODEL_TRUE_STICK) ||
         fabs(force(s, 1e-9 * s->speed, z)) > 1e-6 * fabs(force(s, s->speed, z));
}

static void measure_rate(const subject *s, br_class_report *r)
{
  static const double factor[] = {1e-3, 0.03, 1, 7, 1e3};
  for (int k = 0; k < PROBES; k++)
    for (int dir = -1; dir <= 1; dir += 2) {
      double z[2 * BR_LOOP_MAX_STATE], base[2 * BR_LOOP_MAX_STATE], dz[2 * BR_LOOP_MAX_STATE];
      state_probe(s, k, z);
      rates(s, dir * s->speed, z, base);
      const double F0 = force(s, dir * s->speed, z);
      for (size_t f = 0; f < sizeof factor / sizeof factor[0]; f++) {
        const double v = dir * s->speed * factor[f], F = force(s, v, z);
        rates(s, v, z, dz);
        for (size_t j = 0; j < s->ns; j++) {
          const double scale = s->speed * s->size[j] / s->U + fabs(base[j]);
          r->rate_change = bri_worse(r->rate_change, fabs(dz[j] / factor[f] - base[j]) / (scale + 1e-300));
        }
        r->force_change = bri_worse(r->force_change, fabs(F - F0) / (fabs(F0) + fabs(F) + 1e-300));
      }
    }
}

/* The same path at other speeds: largest change of the force on the way, relative to its largest value. */
static void measure_paths(const subject *s, br_class_report *r)
{
  enum { POINTS = 12 };
  double slow[POINTS], size = 0, change = 0;
  for (int k = -1; k < DECADES; k += 2) {
    const bri_arc_model a = {s->m, s->par, NULL,   1, k < 0 ? BRI_SLOW : bri_pow(10, k - 7),
                             1e-9, s->nz,  s->stop};
    double z[2 * BR_LOOP_MAX_STATE] = {0}, u = 0;
    for (int i = 0; i < POINTS; i++) {
      const double dir = i < POINTS / 3 ? 1.0 : -1.0, L = s->U / (POINTS / 3);
      if (bri_arc_move(&a, u, dir, L, z, NULL, NULL) != BR_OK) break;
      u += dir * L;
      const double F = bri_arc_force(&a, u, dir, z);
      size = fmax(size, fabs(F));
      if (k < 0) slow[i] = F;
      else change = bri_worse(change, fabs(F - slow[i]));
    }
  }
  r->path_change = size > 0 ? change / size : 0;
}

/* ---- Duhem form ---- */

/* Numerical rank of the n x c table by Gauss with full pivoting. */
static int rank_of(double A[PROBES][SPEEDS], int n, int c)
{
  double largest = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < c; j++) largest = fmax(largest, fabs(A[i][j]));
  for (int rank = 0; rank < c && rank < n; rank++) {
    int pi = rank, pj = rank;
    for (int i = rank; i < n; i++)
      for (int j = rank; j < c; j++)
        if (fabs(A[i][j]) > fabs(A[pi][pj])) pi = i, pj = j;
    if (!(fabs(A[pi][pj]) > 1e-10 * largest)) return rank;
    for (int j = 0; j < c; j++) {
      const double t = A[rank][j];
      A[rank][j] = A[pi][j];
      A[pi][j] = t;
    }
    for (int i = 0; i < n; i++) {
      const double t = A[i][rank];
      A[i][rank] = A[i][pj];
      A[i][pj] = t;
    }
    for (int i = rank + 1; i < n; i++) {
      const double f = A[i][rank] / A[rank][rank];
      for (int j = rank; j < c; j++) A[i][j] -= f * A[rank][j];
    }
  }
  return c < n ? c : n;
}

/* x' = f(x) g(u') means that the table x'[x][u'] (x over many states, u' over many speeds) has small rank. */
static void measure_form(const subject *s, br_class_report *r)
{
  static const double factor[SPEEDS] = {-9, -1.3, -0.21, 0.07, 0.6, 1.9, 13};
  r->rank = 0;
  for (size_t j = 0; j < s->ns; j++) {
    double table[PROBES][SPEEDS];
    for (int k = 0; k < PROBES; k++) {
      double z[2 * BR_LOOP_MAX_STATE], dz[2 * BR_LOOP_MAX_STATE];
      state_probe(s, k, z);
      for (int c = 0; c < SPEEDS; c++) {
        rates(s, factor[c] * s->speed, z, dz);
        table[k][c] = dz[j] / fabs(factor[c]); /* columns of one size */
      }
    }
    const int rank = rank_of(table, PROBES, SPEEDS);
    r->rank = rank > r->rank ? rank : r->rank;
  }
  /* affine in x for one direction: second differences along random lines vanish */
  for (int k = 0; k < PROBES; k++)
    for (int dir = -1; dir <= 1; dir += 2) {
      double a[2 * BR_LOOP_MAX_STATE], b[2 * BR_LOOP_MAX_STATE], c[2 * BR_LOOP_MAX_STATE];
      double fa[2 * BR_LOOP_MAX_STATE], fb[2 * BR_LOOP_MAX_STATE], fc[2 * BR_LOOP_MAX_STATE];
      state_probe(s, k, a);
      state_probe(s, k + 50, c);
      for (size_t j = 0; j < 2 * BR_LOOP_MAX_STATE; j++) b[j] = 0.5 * (a[j] + c[j]);
      rates(s, dir * s->speed, a, fa);
      rates(s, dir * s->speed, b, fb);
      rates(s, dir * s->speed, c, fc);
      for (size_t j = 0; j < s->ns; j++) {
        const double scale = fabs(fa[j]) + fabs(fb[j]) + fabs(fc[j]) + 1e-300;
        r->affine_error = bri_worse(r->affine_error, fabs(fa[j] - 2 * fb[j] + fc[j]) / scale);
      }
    }
}

/* ---- continuity ---- */

/* f(x) along state j, the others as in z. */
static double along_state(const subject *s, double dir, double *z, size_t j, double x)
{
  double dz[2 * BR_LOOP_MAX_STATE];
  z[j] = x;
  rates(s, dir * s->speed, z, dz);
  double sum = 0;
  for (size_t i = 0; i < s->ns; i++) sum += dz[i] / (s->size[i] > 0 ? s->size[i] : 1) / s->speed * s->U;
  return sum;
}

/* Exponent p of change ~ d^p from the changes at three widths, each 2^-8 of the one before: the larger of the
 * two slopes, so that a corner between the first two does not look like a root.  Changes that rounding in f
 * (of size `f`) could bend by 1e-6 do not count; 1 where nothing is left. */
static double exponent_of(const double *change, double f)
{
  const double first = change[1] > 1e-10 * f ? bri_log2(change[0] / change[1]) / 8 : 1;
  return change[2] > 1e-10 * f ? fmax(first, bri_log2(change[1] / change[2]) / 8) : first;
}

#define NARROW 10 /* the first width is 2^-10 of the cell; the last, 2^-26, still stands out of rounding */

/* Shrink onto the place of steepest change inside (lo, hi), two-sided. */
static double modulus(const subject *s, double dir, double *z, size_t j, double lo, double hi, double *at)
{
  double f_lo = along_state(s, dir, z, j, lo), f_hi = along_state(s, dir, z, j, hi), change[3] = {0};
  for (int k = 1; k <= NARROW + 16; k++) {
    const double mid = 0.5 * (lo + hi), f = along_state(s, dir, z, j, mid);
    if (fabs(f - f_lo) >= fabs(f_hi - f)) hi = mid, f_hi = f;
    else lo = mid, f_lo = f;
    if (k >= NARROW && (k - NARROW) % 8 == 0) change[(k - NARROW) / 8] = fabs(f_hi - f_lo);
  }
  *at = 0.5 * (lo + hi);
  return exponent_of(change, fabs(f_lo) + fabs(f_hi));
}

/* The same at a known place, one side: |z|^p beside a plain half is lost in halves. */
static double modulus_at(const subject *s, double dir, double *z, size_t j, double x, double width)
{
  const double f = along_state(s, dir, z, j, x);
  double change[3];
  for (int k = 0; k < 3; k++)
    change[k] = fabs(along_state(s, dir, z, j, x + ldexp(width, -NARROW - 8 * k)) - f);
  return exponent_of(change, fabs(f));
}

static void note_exponent(br_class_report *r, double p, double x, size_t j)
{
  if (p < r->exponent) r->exponent = p, r->worst_x = x, r->worst_state = j;
}

static void measure_continuity(const subject *s, br_class_report *r)
{
  const int cells = 400;
  r->exponent = 1;
  for (size_t j = 0; j < s->ns; j++)
    for (int dir = -1; dir <= 1; dir += 2) {
      double z[2 * BR_LOOP_MAX_STATE], best = -1, lo = 0, hi = 0, where, range = 1.7 * s->size[j];
      state_probe(s, 3, z);
      if (!(range > 0)) continue;
      for (int k = -cells; k < cells;
           k++) { /* cell of the largest change; zero stands inside a cell, not on an edge */
        const double a = range * (k - 0.37) / cells, b = range * (k + 0.63) / cells;
        const double change = fabs(along_state(s, dir, z, j, b) - along_state(s, dir, z, j, a));
        if (change > best) best = change, lo = a, hi = b;
      }
      /* candidates: the steepest cell, and the places where equations switch: zero and the settled values */
      const double place[][2] = {{lo, hi},
                                 {-0.41 * range / cells, 0.59 * range / cells},
                                 {0.97 * s->size[j], 1.0143 * s->size[j]},
                                 {-1.0143 * s->size[j], -0.97 * s->size[j]}};
      const double switches[] = {0, s->size[j], -s->size[j]};
      for (size_t c = 0; c < sizeof place / sizeof place[0]; c++) {
        const double p = modulus(s, dir, z, j, place[c][0], place[c][1], &where);
        note_exponent(r, p, where, j);
      }
      for (size_t c = 0; c < sizeof switches / sizeof switches[0]; c++)
        for (int side = -1; side <= 1; side += 2)
          note_exponent(r, modulus_at(s, dir, z, j, switches[c], side * range / cells), switches[c], j);
    }
}

/* ---- verdict ---- */

br_status br_classify(const br_model *m, const double *par, br_class_report *out, br_err *err)
{
  return br_classify_until(m, par, NULL, out, err);
}

br_status br_classify_until(const br_model *m, const double *par, const br_stop *stop, br_class_report *out,
                            br_err *err)
{
  subject s = {.m = m, .par = par, .stop = stop};
  memset(out, 0, sizeof *out);
  const br_status st = bri_model_ready(m, par, "classify", err);
  if (st != BR_OK) return st;
  if (m->axes != 1)
    return bri_fail(err, BR_E_UNSUPPORTED, "%s has two axes: classify its one-axis form", m->name);
  s.ns = m->nstate(par);
  s.nz = s.ns + m->nmode(par);
  if (s.ns > BR_LOOP_MAX_STATE) return bri_fail(err, BR_E_SIZE, "%s has too many states", m->name);
  s.U = natural_amplitude(m, par, stop);
  s.speed = telling_speed(&s);
  sizes(&s);
  measure_rate(&s, out);
  if (out->rate_change <= 1e-9 && out->force_change <= 1e-9) measure_paths(&s, out);
  out->exponent = 1;
  if (s.ns > 0) {
    measure_form(&s, out);
    measure_continuity(&s, out);
  }
  if (bri_stopped(stop)) return bri_stop_status(stop, m->name, err);
  out->output_uses_rate = out->force_change > 1e-9;
  out->measured.rate_dependent =
      out->rate_change > 1e-9 || out->force_change > 1e-9 || out->path_change > 1e-7;
  out->measured.continuity = out->exponent < 1e-4                ? BR_DISCONTINUOUS
                             : out->exponent < 1 - LIPSCHITZ_OFF ? BR_CONTINUOUS
                                                                 : BR_LIPSCHITZ;
  const int still = s.ns == 0 || (m->flags & BR_MODEL_JUMPS);
  if (still) out->measured.continuity = force_jumps(&s) ? BR_DISCONTINUOUS : BR_LIPSCHITZ;
  if (still || out->rank >= SPEEDS || out->measured.continuity == BR_DISCONTINUOUS || s.nz > s.ns)
    out->measured.duhem = BR_DUHEM_NONE;
  else if (out->affine_error < 1e-9 && !out->measured.rate_dependent)
    out->measured.duhem = BR_DUHEM_SEMILINEAR;
  else out->measured.duhem = BR_DUHEM_GENERALIZED;
  return BR_OK;
}

const br_table1_row *br_table1_printed(const br_model *m, const double *par)
{
  static const br_table1_row dahl_low = {"Dahl, 0 <= gamma < 1", "generalized", "rate independent",
                                         "continuous, but not Lipschitz", NULL};
  static const br_table1_row dahl_zero = {
      "Dahl, 0 <= gamma < 1", "generalized", "rate independent", "continuous, but not Lipschitz",
      "at gamma = 0 the right side is sgn(1 - F s/Fc): it jumps, and (1) asks for a continuous f"};
  static const br_table1_row dahl_one = {"Dahl, gamma = 1", "semilinear", "rate independent", "Lipschitz",
                                         NULL};
  static const br_table1_row dahl_high = {"Dahl, gamma > 1", "generalized", "rate independent", "Lipschitz",
                                          NULL};
  static const br_table1_row lugre = {
      "LuGre", "generalized", "rate dependent", "Lipschitz",
      "the class is that of the state equation: the output depends on x' and u', which (2) does not allow"};
  static const br_table1_row maxwell = {
      "Maxwell-slip", "generalized", "rate independent", "discontinuous",
      "f jumps at the edge of the dead band, and (1) asks for a continuous f"};
  if (strcmp(m->name, "lugre") == 0) return &lugre;
  if (strcmp(m->name, "maxwell_slip") == 0) return &maxwell;
  if (strcmp(m->name, "dahl") != 0) return NULL;
  const double gamma = par[br_model_param(m, "gamma")->slot];
  return gamma == 1 ? &dahl_one : gamma > 1 ? &dahl_high : gamma == 0 ? &dahl_zero : &dahl_low;
}
