/* SPDX-License-Identifier: Apache-2.0
 * sample.c - records with known parameters: a motion rich in strokes and speeds, the model's force, noise,
 * bias, steps. */
#include "../../core/elementary.h"
#include "sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/team.h"
#include "sense/walk.h"
#include "text/fail.h"

static const char HEAD[] = "sample:";

int bri_fit_is_sample(const char *text) { return strncmp(text, HEAD, sizeof HEAD - 1) == 0; }

/* Parameters for a table of machine size: forces of newtons, strokes of a millimetre. */
static const struct {
  const char *name;
  double value;
} MACHINE[] = {{"sigma0", 4e5}, {"sigma1", 60},   {"sigma2", 40}, {"Fc", 12},   {"Fs", 18},
               {"vs", 2e-3},    {"z_ba", 1.5e-5}, {"fp", 12},     {"uy", 4e-5}, {"f1", 24},
               {"f2", 10},      {"eps", 2e-4},    {"fc", 12},     {"g0", 3e4}};

void bri_fit_machine(const br_model *m, double *par)
{
  m->defaults(par);
  for (size_t i = 0; i < sizeof MACHINE / sizeof MACHINE[0]; i++) {
    const br_param *row = br_model_param(m, MACHINE[i].name);
    if (row && row->max_len == 1) par[row->slot] = MACHINE[i].value;
  }
  const br_param *k = br_model_param(m, "k"), *Delta = br_model_param(m, "Delta"),
                 *alpha = br_model_param(m, "alpha");
  for (int e = 0; e < 3 && k && k->max_len > 1; e++) {
    par[k->slot + (size_t)e] = 2e5 / (1 + 2 * e);
    if (Delta) par[Delta->slot + (size_t)e] = 2e-5 * bri_pow(4, e);
    if (alpha) par[alpha->slot + (size_t)e] = 1.0 / 3;
  }
  if (k && k->max_len > 1) par[k->len_slot] = 3;
  if (Delta) par[Delta->len_slot] = 3;
  if (alpha) par[alpha->len_slot] = 3;
  m->prepare(par);
}

/* A number with the spread of a normal one: the sum of twelve uniform ones. */
double bri_fit_normal(uint64_t *stream)
{
  double sum = -6;
  for (int i = 0; i < 12; i++) sum += bri_uniform(stream);
  return sum;
}

const br_model *bri_fit_sample_model(const char *text, unsigned long *seed)
{
  char name[48] = "";
  const char *from = text + sizeof HEAD - 1;
  const size_t n = strcspn(from, ",");
  if (n < sizeof name) memcpy(name, from, n);
  *seed = from[n] == ',' ? strtoul(from + n + 1, NULL, 10) : 1;
  return br_model_find(name);
}

br_status bri_fit_sample(const char *text, br_fit_record *r, double **store, br_err *err)
{
  enum { N = 2000 };
  const double dt = 2e-3, two_pi = 6.283185307179586;
  unsigned long seed = 1;
  const br_model *m = bri_fit_sample_model(text, &seed);
  if (!m) return bri_fail(err, BR_E_NAME, "'%.60s': a sample is made by a model: sample:lugre", text);
  double par[1024];
  if (m->slots > sizeof par / sizeof par[0])
    return bri_fail(err, BR_E_SIZE, "sample: %s is too large", m->name);
  const size_t s = (size_t)m->axes, rows = s * N;
  double *x = *store = bri_calloc(2 * N + 4 * rows, sizeof *x);
  if (!x) return bri_no_memory(err, "sample");
  double *t = x, *h = x + N, *u = x + 2 * N, *F = u + rows, *v = F + rows, *at = v + rows;
  bri_fit_machine(m, par);
  for (size_t k = 0; k < N; k++) { /* slow and fast, wide and narrow */
    const double w = two_pi * (double)k * dt, slow = 1e-3 * bri_sin(0.5 * w),
                 fast = 2e-4 * bri_sin(3.1 * w + 1);
    t[k] = (double)k * dt, h[k] = dt, u[s * k] = slow + fast + 3e-5 * bri_sin(0.17 * w);
    if (s > 1) u[s * k + 1] = 8e-4 * bri_sin(0.37 * w + 0.5) + 2e-4 * bri_sin(2.3 * w);
  }
  for (size_t k = 0; k + s < rows; k++) v[k] = (u[k + s] - u[k]) / dt;
  for (size_t k = rows - s; k < rows; k++) v[k] = v[k - s];
  for (size_t k = 0; k < rows; k++) at[k] = k < s ? v[k] : 0.5 * (v[k] + v[k - s]);
  const bri_motion path = {N, u, v, at, h, NULL};
  bri_walk(m, par, &path, NULL, F);
  double most = 0;
  uint64_t stream = bri_stream(seed, 0);
  for (size_t k = 0; k < rows; k++) most = fmax(most, fabs(F[k]));
  for (size_t k = 0; k < rows; k++) {
    F[k] += 0.01 * most * bri_fit_normal(&stream) + 0.5 * most;
    u[k] = 1e-7 * round(u[k] / 1e-7);
  }
  *r = (br_fit_record){N, t, u, F, NULL, NULL, s};
  return BR_OK;
}
