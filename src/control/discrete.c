/* SPDX-License-Identifier: Apache-2.0
 * discrete.c - poles of a sampled loop in the z plane: the mechanism over one sample with its input held and
 * delayed, and the controller's own update, differentiated. */
#include <math.h>
#include <string.h>

#include "../base/alloc.h"
#include "../solve/eigen.h"
#include "../text/fail.h"
#include "controller.h"

enum { PLANT = BR_CONTROL_MAX_Q + BR_CONTROL_MAX_Z, SIDE = PLANT + 1, MAX = BR_CONTROL_DISCRETE_MAX };

/* exp(a) by halving until a Taylor series converges at once; a is overwritten. */
static void exponential(size_t n, double *a)
{
  double sum[SIDE * SIDE], term[SIDE * SIDE], next[SIDE * SIDE], norm = 0;
  int halvings = 0;
  for (size_t i = 0; i < n; i++) {
    double row = 0;
    for (size_t k = 0; k < n; k++) row += fabs(a[i * n + k]);
    norm = fmax(norm, row);
  }
  for (; norm > 0.25 && halvings < 1000; halvings++) norm *= 0.5;
  for (size_t i = 0; i < n * n; i++) a[i] = ldexp(a[i], -halvings), sum[i] = term[i] = i % (n + 1) == 0;
  for (int order = 1; order <= 14; order++) {
    for (size_t i = 0; i < n * n; i++) {
      next[i] = 0;
      for (size_t k = 0; k < n; k++) next[i] += term[i / n * n + k] * a[k * n + i % n] / order;
    }
    memcpy(term, next, n * n * sizeof *term);
    for (size_t i = 0; i < n * n; i++) sum[i] += term[i];
  }
  for (; halvings > 0; halvings--) {
    for (size_t i = 0; i < n * n; i++) {
      next[i] = 0;
      for (size_t k = 0; k < n; k++) next[i] += sum[i / n * n + k] * sum[k * n + i % n];
    }
    memcpy(sum, next, n * n * sizeof *sum);
  }
  memcpy(a, sum, n * n * sizeof *a);
}

/* Mechanism and bristles over t seconds of a held input: x becomes Phi x + Gamma u. */
static void over(const br_control_linear *l, size_t np, double t, double *Phi, double *Gamma)
{
  double a[SIDE * SIDE] = {0};
  const size_t n = np + 1;
  for (size_t i = 0; i < np; i++) {
    for (size_t k = 0; k < np; k++) a[i * n + k] = t * l->A[i * l->n + k];
    a[i * n + np] = t * l->B[i];
  }
  exponential(n, a);
  for (size_t i = 0; i < np; i++) {
    memcpy(Phi + i * np, a + i * n, np * sizeof *Phi);
    Gamma[i] = a[i * n + np];
  }
}

/* What the controller makes of a sample: w holds mechanism, bristles, its own states, last velocity,
 * acceleration; out: its states, last velocity, the input it asks for. */
static void update(const br_control_case *job, const br_controller *c, const br_control_linear *l,
                   const double *w, double *out)
{
  const size_t np = l->nq + l->nz, nx = l->n - np;
  br_controller copy = *c;
  double z[BR_CONTROL_MAX_Z] = {0};
  for (size_t i = 0; i < l->nz; i++) z[i] = (job->z_scale != 0 ? job->z_scale : 1) * w[l->nq + i];
  copy.set.limit = INFINITY;
  memcpy(copy.mem.x, w + np, nx * sizeof *w);
  copy.mem.v_last = w[l->n];
  copy.mem.started = 1;
  const br_control_meas meas = {w, z, w[l->n + 1], 0};
  const double u = br_control_update(&copy, &l->ref, &meas, l->sample);
  memcpy(out, copy.mem.x, nx * sizeof *out);
  out[nx] = copy.mem.v_last;
  out[nx + 1] = u;
}

br_status br_control_discrete(const br_control_case *job, const br_controller *c, const br_control_linear *l,
                              size_t *npole, double *re, double *im, br_err *err)
{
  if (!job || !c || !l || !npole || !re || !im)
    return bri_fail(err, BR_E_ARG, "br_control_discrete: NULL argument");
  if (!(l->sample > 0) || l->delay > l->sample * (1 + 1e-12))
    return bri_fail(err, BR_E_UNSUPPORTED, "a delay of %.9g s beyond the sample of %.9g s", l->delay,
                    l->sample);
  const size_t np = l->nq + l->nz, nx = l->n - np, nw = l->n + 2,
               n = l->n + 2; /* last velocity, last input */
  double *room = bri_calloc((size_t)MAX * MAX + 2 * (size_t)PLANT * PLANT, sizeof *room);
  if (!room) return bri_no_memory(err, "control");
  double *M = room, *Phi = room + (size_t)MAX * MAX, *late = Phi + (size_t)PLANT * PLANT;
  double Gamma[PLANT], early[PLANT], w[MAX] = {0}, D[MAX][BR_CONTROL_MAX_X + 2];
  memcpy(w, l->x, l->n * sizeof *w);
  w[l->n] = l->x[c->iv];
  for (size_t k = 0; k < nw; k++) { /* slopes of the update */
    double up[BR_CONTROL_MAX_X + 2], down[BR_CONTROL_MAX_X + 2];
    const double h = k < l->n ? l->step[k] : k == l->n ? l->step[c->iv] : 1e-3, here = w[k];
    w[k] = here + h, update(job, c, l, w, up);
    w[k] = here - h, update(job, c, l, w, down);
    w[k] = here;
    for (size_t i = 0; i < nx + 2; i++) D[k][i] = (up[i] - down[i]) / (2 * h);
  }
  /* columns: mechanism and bristles, controller, last velocity, last input; the acceleration is made of both
   * */
  for (size_t i = 0; i < nx + 2; i++) {
    double *row = M + (np + i) * n;
    for (size_t k = 0; k < n; k++) {
      const double accel = k < np ? l->A[c->iv * l->n + k] : k == n - 1 ? l->B[c->iv] : 0;
      row[k] = (k < n - 1 ? D[k][i] : 0) + D[l->n + 1][i] * accel;
    }
  }
  over(l, np, l->delay, late, early);            /* the last input, ... */
  over(l, np, l->sample - l->delay, Phi, Gamma); /* ... then the new one */
  for (size_t i = 0; i < np; i++) {
    for (size_t k = 0; k < np; k++)
      for (size_t j = 0; j < np; j++) M[i * n + k] += Phi[i * np + j] * late[j * np + k];
    for (size_t j = 0; j < np; j++) M[i * n + n - 1] += Phi[i * np + j] * early[j];
    for (size_t k = 0; k < n; k++) M[i * n + k] += Gamma[i] * M[(n - 1) * n + k];
  }
  *npole = n;
  const int bad = bri_eigenvalues(n, M, re, im);
  bri_free(room);
  return bad ? bri_fail(err, BR_E_CONVERGE, "the poles of the sampled loop are not found") : BR_OK;
}
