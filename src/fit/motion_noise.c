/* SPDX-License-Identifier: Apache-2.0
 * motion_noise.c - a record whose input is noisy, too: what is left of the motion then wanders, and its
 * samples tell less than their number promises, some parameters far less than others.  Along the run found so
 * far the motion is linearised from sample to sample; a Kalman filter says what of a residual was to be
 * expected from the samples before it, and least squares go on with what was not.  The noise of the input is
 * found from the likelihood of the residual. */
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "base/alloc.h"
#include "motion.h"
#include "text/fail.h"

static const double SURE = 16; /* by which twice the logarithm of the likelihood must rise */

/* One pass over all samples with this noise: gains, and roots of one over the variances. */
static void design(bri_motion_filter *f, const bri_motion_search *w, double noise)
{
  const size_t n = f->n, nch = w->d->nchannel, from = w->pieces.edge[0];
  double P[BRI_MOTION_TANGENTS * BRI_MOTION_TANGENTS] = {0}, A[BRI_MOTION_TANGENTS * BRI_MOTION_TANGENTS],
                                 PH[BRI_MOTION_TANGENTS];
  for (size_t i = 0; i < w->pieces.n; i++) {
    for (size_t a = 0; a < n; a++) /* start values are unknowns of their own; states of the model go on */
      for (size_t b = 0; b < n; b++)
        if (f->fresh[a] || f->fresh[b]) P[a * n + b] = 0;
    for (size_t s = w->pieces.edge[i]; s < w->pieces.edge[i + 1]; s++) {
      const size_t k = s - from;
      for (size_t c = 0; c < nch; c++) {
        const double *H = f->H + (k * nch + c) * n;
        double S = 1, *gain = f->gain + (k * nch + c) * n;
        for (size_t a = 0; a < n; a++) PH[a] = bri_dot(n, P + a * n, H);
        S += bri_dot(n, H, PH);
        for (size_t a = 0; a < n; a++) gain[a] = PH[a] / S;
        for (size_t a = 0; a < n; a++)
          for (size_t b = 0; b < n; b++) P[a * n + b] -= gain[a] * PH[b];
        f->root[k * nch + c] = 1 / sqrt(S);
      }
      const double *F = f->step + k * n * n, *B = f->push + k * n;
      for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
          A[a * n + b] = 0;
          for (size_t l = 0; l < n; l++) A[a * n + b] += F[a * n + l] * P[l * n + b];
        }
      for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) P[a * n + b] = noise * B[a] * B[b] + bri_dot(n, A + a * n, F + b * n);
    }
  }
}

void bri_motion_whiten(const bri_motion_filter *f, const bri_motion_search *w, size_t first, size_t last,
                       double *column)
{
  const size_t n = f->n, nch = w->d->nchannel, from = w->pieces.edge[0],
               rows = w->pieces.edge[w->pieces.n] - from;
  double x[BRI_MOTION_TANGENTS], y[BRI_MOTION_TANGENTS];
  for (size_t i = first; i < last; i++) {
    memset(x, 0, sizeof x);
    for (size_t s = w->pieces.edge[i]; s < w->pieces.edge[i + 1]; s++) {
      const size_t k = s - from;
      for (size_t c = 0; c < nch; c++) {
        const double *gain = f->gain + (k * nch + c) * n;
        double *at = &column[c * rows + k];
        const double news = *at - bri_dot(n, f->H + (k * nch + c) * n, x);
        for (size_t a = 0; a < n; a++) x[a] += gain[a] * news;
        *at = news * f->root[k * nch + c];
      }
      for (size_t a = 0; a < n; a++) y[a] = bri_dot(n, f->step + k * n * n + a * n, x);
      memcpy(x, y, n * sizeof *x);
    }
  }
}

/* Twice the logarithm of the likelihood of the residual, up to a constant. */
static double likelihood(bri_motion_filter *f, const bri_motion_search *w, const double *rest, double *room,
                         double noise)
{
  double sum = 0;
  design(f, w, noise);
  memcpy(room, rest, w->rows * sizeof *room);
  bri_motion_whiten(f, w, 0, w->pieces.n, room);
  for (size_t k = 0; k < w->rows; k++) sum += bri_log(f->root[k]);
  const double cost = bri_dot(w->rows, room, room) / (double)w->rows;
  return 2 * sum - (double)w->rows * bri_log(fmax(cost, 1e-300));
}

void bri_motion_filter_free(bri_motion_filter *f)
{
  bri_free(f->store);
  memset(f, 0, sizeof *f);
}

/* Noise of the input with which the residual is likeliest; 0 where none is likely enough. */
static double likeliest(bri_motion_filter *f, const bri_motion_search *w, double *room)
{
  const double none = likelihood(f, w, w->rest, room, 0);
  double best = none, noise = 0, unit = f->unit;
  for (int e = -20; e <= 8; e++) {
    const double at = unit * bri_pow(10, 0.5 * e), is = likelihood(f, w, w->rest, room, at);
    if (is > best) best = is, noise = at;
  }
  for (int e = -2; e <= 2 && noise > 0; e++) {
    const double at = noise * bri_pow(10, 0.1 * e);
    if (!e) continue;
    if (likelihood(f, w, w->rest, room, at) > best) best = likelihood(f, w, w->rest, room, at), noise = at;
  }
  return best > none + SURE ? noise : 0;
}

br_status bri_motion_filter_make(bri_motion_search *w, bri_motion_filter *f, double *sd, br_err *err)
{
  const size_t samples = w->pieces.edge[w->pieces.n] - w->pieces.edge[0], nch = w->d->nchannel;
  bri_motion_filter_free(f);
  *sd = 0;
  if (w->s->bias < 0 && !w->d->ninput) return BR_OK;
  f->n = bri_motion_tangent_states(w->s);
  if (!f->n) return BR_OK;
  const size_t n = f->n;
  double *room = bri_malloc_array(w->rows, sizeof *room);
  f->store = bri_calloc(samples * (n * n + n + nch * (2 * n + 1)), sizeof(double));
  if (!f->store || !room) {
    bri_free(room);
    return bri_no_memory(err, "fit");
  }
  f->step = f->store, f->push = f->step + samples * n * n, f->H = f->push + samples * n;
  f->gain = f->H + samples * nch * n, f->root = f->gain + samples * nch * n;
  br_status st = bri_motion_tangents(w->s, w->d, w->g, &w->pieces, w->locals, f, &w->stop, err);
  if (!st) {
    const double noise = likeliest(f, w, room);
    (void)likelihood(f, w, w->rest, room, noise);
    *sd = sqrt(noise * bri_dot(w->rows, room, room) / (double)w->rows);
  }
  bri_free(room);
  return st;
}
