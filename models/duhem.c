/* SPDX-License-Identifier: Apache-2.0
 * duhem.c - users' own generalized Duhem models: dx/dt = f(x, u) g(v), integrated by RK4 with sub-steps. */
#include "bristle/duhem.h"

#include <stdio.h>
#include <string.h>

#include "face.h"

static br_status complain(br_err *err, const char *model, const char *what)
{
  if (err) {
    err->code = BR_E_ARG;
    err->index = -1;
    snprintf(err->msg, sizeof err->msg, "duhem model %s: %s", model ? model : "without a name", what);
  }
  return BR_E_ARG;
}

/* The rows of `states` must add up to n. */
static int states_fit(const br_duhem *d)
{
  size_t sum = 0;
  if (!d->states) return d->nstates_rows == 0;
  for (size_t i = 0; i < d->nstates_rows; i++) sum += d->states[i].max_len;
  return sum == d->n;
}

static const char *find_fault(const br_duhem *d)
{
  if (!d->name || !d->name[0]) return "name is missing";
  if (d->n < 1 || d->n > BR_DUHEM_MAX_N) return "n must be from 1 to 16";
  if (d->r < 1 || d->r > BR_DUHEM_MAX_R) return "r must be from 1 to 8";
  if (!d->f || !d->g || !d->h) return "f, g and h are all needed";
  if (d->nparam > 0 && !d->params) return "params is NULL but nparam is not 0";
  for (size_t i = 0; i < d->nparam; i++) {
    const br_param *p = &d->params[i];
    if (!p->name || !p->unit || !p->doc) return "a parameter row lacks name, unit or doc";
    if (p->max_len < 1 || p->slot + p->max_len > d->slots) return "a parameter row reaches beyond slots";
    if (p->max_len > 1 && p->len_slot >= d->slots) return "a parameter row reaches beyond slots";
  }
  if (!states_fit(d)) return "the rows of states do not add up to n";
  if (d->substeps < 0 || d->substeps > BR_DUHEM_MAX_SUBSTEPS) return "substeps must be from 0 to 10000";
  return NULL;
}

static void no_prepare(void *par) { (void)par; }
static size_t no_modes(const void *par) { return (void)par, (size_t)0; }

/* Names of the states where the user gives none: x, or x1..xn; one row for each n. */
#define ROW(n)                    \
  {                               \
    "x", "1", "internal state", n \
  }
static const br_state plain_states[BR_DUHEM_MAX_N] = {ROW(1),  ROW(2),  ROW(3),  ROW(4),  ROW(5),  ROW(6),
                                                      ROW(7),  ROW(8),  ROW(9),  ROW(10), ROW(11), ROW(12),
                                                      ROW(13), ROW(14), ROW(15), ROW(16)};
#undef ROW

br_status br_duhem_model(const br_duhem *d, const br_duhem_hooks *hooks, br_model *out, br_err *err)
{
  if (!d || !hooks || !out) return complain(err, d ? d->name : NULL, "NULL argument");
  const char *fault = find_fault(d);
  if (fault) return complain(err, d->name, fault);
  const br_model m = {
      .name = d->name,
      .title = d->title ? d->title : d->name,
      .passive_text = d->passive_text ? d->passive_text : "not stated",
      .axes = 1,
      /* functions of unknown shape: they may well have |z| or sgn z in them */
      .flags = (d->energy ? (unsigned)BR_MODEL_ENERGY : 0u) | (unsigned)BR_MODEL_KINKS,
      .params = d->params,
      .nparam = d->nparam,
      .slots = d->slots,
      .states = d->states ? d->states : &plain_states[d->n - 1],
      .nstates_rows = d->states ? d->nstates_rows : 1,
      .nz = d->n,
      .defaults = hooks->defaults,
      .check = hooks->check,
      .prepare = no_prepare,
      .nstate = hooks->nstate,
      .nmode = no_modes,
      .classify = hooks->classify,
      .passive = hooks->passive,
      .rate = hooks->rate,
      .force = hooks->force,
      .step = hooks->step,
      .energy = d->energy ? hooks->energy : NULL,
  };
  *out = m;
  return BR_OK;
}

void br_duhem_defaults(const br_duhem *d, void *par)
{
  bri_defaults(d->params, d->nparam, d->slots, (double *)par);
}

br_status br_duhem_check(const br_duhem *d, const void *par, br_err *err)
{
  return bri_check_ranges(d->name, d->params, d->nparam, (const double *)par, err);
}

void br_duhem_classify(const br_duhem *d, br_class *c)
{
  *c = d->cls;
  if (c->duhem != BR_DUHEM_SEMILINEAR) c->duhem = BR_DUHEM_GENERALIZED;
}

#define DU_FN(name) name
#define DU_ARGS const br_duhem *d, const double *par
#define DU_PASS d, par
#define DU_F(x, u, out) d->f(par, x, u, out)
#define DU_G(v, out) d->g(par, v, out)
#define DU_N d->n
#define DU_R d->r
#define DU_MAX_N BR_DUHEM_MAX_N
#define DU_MAX_R BR_DUHEM_MAX_R
#include "common/duhem.inc"

void br_duhem_rate(const br_duhem *d, const void *par, const double *u, const double *v, const double *z,
                   double *dz)
{
  double gv[BR_DUHEM_MAX_R];
  d->g((const double *)par, *v, gv);
  rate_at(d, (const double *)par, *u, gv, z, dz);
}

void br_duhem_step(const br_duhem *d, const void *par, const double *u, const double *v, double h, double *z)
{
  steps(d, (const double *)par, d->substeps > 0 ? d->substeps : 1, *u, *v, h, z);
}

int br_duhem_homogeneous(const br_duhem *d, const double *par)
{
  static const double scales[] = {1e-6, 1e-3, 0.37, 2.385, 1e3, 1e6};
  double g0[BR_DUHEM_MAX_R], g1[BR_DUHEM_MAX_R];
  for (int side = -1; side <= 1; side += 2) {
    d->g(par, side, g0);
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
      d->g(par, side * scales[s], g1);
      for (size_t k = 0; k < d->r; k++) {
        const double want = scales[s] * g0[k], gap = g1[k] > want ? g1[k] - want : want - g1[k];
        if (!(gap <= 1e-12 * (want < 0 ? -want : want))) return 0;
      }
    }
  }
  return 1;
}

/* ---- the description for listings ---- */
static void info_defaults(void *par) { (void)par; }
static br_status info_check(const void *par, br_err *err) { return (void)par, (void)err, BR_OK; }
static size_t info_nstate(const void *par) { return (void)par, (size_t)BR_DUHEM_MAX_N; }
static int info_passive(const void *par) { return (void)par, 0; }
static void info_classify(const void *par, br_class *c)
{
  (void)par;
  c->duhem = BR_DUHEM_GENERALIZED;
  c->rate_dependent = 1; /* unless g is positively homogeneous */
  c->continuity = BR_CONTINUOUS;
}

static const br_model info = {
    .name = "duhem",
    .title = "Duhem: dx/dt = f(x, u) g(v), F = h(x, u) with your own functions (C API, bristle/duhem.h)",
    .passive_text = "as the user states",
    .axes = 1,
    .states = &plain_states[BR_DUHEM_MAX_N - 1],
    .nstates_rows = 1,
    .nz = BR_DUHEM_MAX_N,
    .defaults = info_defaults,
    .check = info_check,
    .prepare = no_prepare,
    .nstate = info_nstate,
    .nmode = no_modes,
    .classify = info_classify,
    .passive = info_passive,
};

const br_model *br_duhem_info(void) { return &info; }
