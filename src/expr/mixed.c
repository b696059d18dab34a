/* SPDX-License-Identifier: Apache-2.0
 * mixed.c - contacts of one mechanism with models of their own.
 *
 * Only models without modes, jumps and elements stand here: their states obey an equation at all times, or
 * they have none and hold at rest. */
#include "mixed.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "../text/fail.h"
#include "laws.h"

enum { MODEL, STATES, OWN, MOST_ROWS = 64, MOST_STATES = 2, MOST_SLOTS = 1024 };

#define NAMES "coulomb|karnopp|viscous|dahl|lugre|lugre_elastoplastic|bliman_sorine|bouc_wen"
static const char *const PARTS[] = {
    "coulomb", "karnopp", "viscous", "dahl", "lugre", "lugre_elastoplastic", "bliman_sorine", "bouc_wen"};
enum { NPARTS = sizeof PARTS / sizeof PARTS[0] };
static const br_state STATE[] = {{"z", "1", "state of the model at this contact", MOST_STATES}};

static struct {
  br_param rows[MOST_ROWS];
  size_t nrows, inner; /* inner: where the block of the model at a contact begins */
  const br_model *part[NPARTS];
  br_model model;
} mix;

const char *bri_mixed_names(void) { return NAMES; }

const br_model *bri_mixed_find(const char *name)
{
  for (size_t i = 0; i < NPARTS; i++)
    if (strcmp(PARTS[i], name) == 0) return br_model_find(name);
  return NULL;
}

static const br_model *part_of(double which) { return mix.part[(size_t)which]; }
static const double *inner_of(const void *par) { return (const double *)par + mix.inner; }

const br_model *bri_mixed_part(const br_model *m, const double *par, const double **inner)
{
  const int own = strcmp(m->name, BRI_MIXED) == 0;
  *inner = own ? inner_of(par) : par;
  return own ? part_of(par[MODEL]) : m;
}

static void defaults(void *par)
{
  double *p = par;
  memset(p, 0, mix.model.slots * sizeof *p);
  for (size_t i = 0; i < mix.nrows; i++) p[mix.rows[i].slot] = mix.rows[i].def;
}

static void prepare(void *par)
{
  double *p = par;
  const br_model *m = part_of(p[MODEL]);
  memset(p + mix.inner, 0, (mix.model.slots - mix.inner) * sizeof *p);
  bri_law_fill(m, mix.rows, mix.nrows, p, p + mix.inner);
  m->prepare(p + mix.inner);
}

static br_status check(const void *par, br_err *err)
{
  const double *p = par;
  double inner[MOST_SLOTS];
  if (!(p[MODEL] >= 0 && p[MODEL] < NPARTS) || !(p[STATES] >= 0 && p[STATES] <= MOST_STATES))
    return bri_fail(err, BR_E_RANGE, BRI_MIXED ": law must be one of " NAMES ", states 0 to %d", MOST_STATES);
  const br_model *m = part_of(p[MODEL]);
  bri_law_fill(m, mix.rows, mix.nrows, p, inner);
  const br_status st = m->check(inner, err);
  if (!st && (double)m->nstate(inner) > p[STATES])
    return bri_fail(err, BR_E_RANGE, BRI_MIXED ": %s has %zu states, states is %g", m->name, m->nstate(inner),
                    p[STATES]);
  return st;
}

static size_t nstate(const void *par) { return (size_t)((const double *)par)[STATES]; }
static size_t nmode(const void *par) { return (void)par, 0; }
static const br_model *at(const void *par) { return part_of(((const double *)par)[MODEL]); }

static void classify(const void *par, br_class *c) { at(par)->classify(inner_of(par), c); }

static void rate(const void *par, double n, const double *u, const double *v, const double *z, double *dz)
{
  const br_model *m = at(par);
  const size_t own = m->nstate(inner_of(par));
  if (own) m->rate(inner_of(par), n, u, v, z, dz);
  for (size_t i = own; i < nstate(par); i++) dz[i] = 0;
}

static void force(const void *par, double n, const double *u, const double *v, const double *z,
                  const double *dz, double *F)
{
  at(par)->force(inner_of(par), n, u, v, z, dz, F);
}

static void step(const void *par, double n, const double *u, const double *v, double h, double *z)
{
  if (at(par)->nstate(inner_of(par))) at(par)->step(inner_of(par), n, u, v, h, z);
}

static double energy(const void *par, double n, const double *u, const double *z)
{
  return at(par)->energy ? at(par)->energy(inner_of(par), n, u, z) : 0;
}

static double breakaway(const void *par, double n)
{
  return at(par)->breakaway ? at(par)->breakaway(inner_of(par), n) : 0;
}

static double breakaway_at(const void *par, double n, const double *u, int side)
{
  const br_model *m = at(par);
  return m->breakaway_at ? m->breakaway_at(inner_of(par), n, u, side) : breakaway(par, n);
}

/* ---- complex numbers: pairs ---- */

/* Slopes by the parameters of a contact come in through the names. */
static void prepare_pair(double *par)
{
  double *inner = par + 2 * mix.inner;
  const br_model *m = part_of(par[2 * MODEL]);
  for (size_t i = 0; i < mix.nrows; i++) {
    const br_param *row = br_model_param(m, mix.rows[i].name);
    if (!row || row->max_len != 1) continue;
    memcpy(inner + 2 * row->slot, par + 2 * mix.rows[i].slot, 2 * sizeof *par);
  }
  m->prepare_pair(inner);
}

static void rate_pair(const double *par, const double *n, const double *u, const double *v, const double *z,
                      double *dz)
{
  const br_model *m = part_of(par[2 * MODEL]);
  const double *inner = par + 2 * mix.inner;
  const size_t all = (size_t)par[2 * STATES], own = m->nz < all ? m->nz : all;
  memset(dz, 0, 2 * all * sizeof *dz);
  if (own) m->rate_pair(inner, n, u, v, z, dz);
}

static void force_pair(const double *par, const double *n, const double *u, const double *v, const double *z,
                       const double *dz, double *F)
{
  part_of(par[2 * MODEL])->force_pair(par + 2 * mix.inner, n, u, v, z, dz, F);
}

static void step_pair(const double *par, const double *n, const double *u, const double *v, const double *h,
                      double *z)
{
  if (part_of(par[2 * MODEL])->nz) part_of(par[2 * MODEL])->step_pair(par + 2 * mix.inner, n, u, v, h, z);
}

/* ---- the table of names ---- */

static void add_row(const br_param *from)
{
  for (size_t i = 0; i < mix.nrows; i++)
    if (strcmp(mix.rows[i].name, from->name) == 0) { /* each model checks its own range */
      mix.rows[i].lo = fmin(mix.rows[i].lo, from->lo), mix.rows[i].hi = fmax(mix.rows[i].hi, from->hi);
      return;
    }
  if (from->max_len != 1 || from->choices || mix.nrows == MOST_ROWS) return;
  mix.rows[mix.nrows] = *from;
  mix.rows[mix.nrows].slot = mix.nrows;
  mix.nrows++;
}

static void build(void)
{
  static const br_param FIRST[] = {
      {"law", "1", "model at this contact", NAMES, 0, NULL, 0, 0, NPARTS - 1, 0, 0, MODEL, 1, 0},
      {"states", "1", "numbers that every contact keeps for states", NULL, 1, NULL, 0, 0, MOST_STATES, 0, 0,
       STATES, 1, 0}};
  size_t most = 0;
  memcpy(mix.rows, FIRST, sizeof FIRST);
  mix.nrows = OWN;
  for (size_t i = 0; i < NPARTS; i++) {
    const br_model *m = mix.part[i] = br_model_find(PARTS[i]);
    for (size_t k = 0; k < m->nparam; k++) add_row(&m->params[k]);
    if (m->slots > most) most = m->slots;
  }
  mix.inner = mix.nrows;
  mix.model = (br_model){.name = BRI_MIXED,
                         .title = "models of their own at the contacts of one mechanism",
                         .axes = 1,
                         .flags = BR_MODEL_ENERGY,
                         .params = mix.rows,
                         .nparam = mix.nrows,
                         .slots = mix.inner + most,
                         .states = STATE,
                         .nstates_rows = 1,
                         .nz = MOST_STATES,
                         .defaults = defaults,
                         .check = check,
                         .nstate = nstate,
                         .nmode = nmode,
                         BRI_FACE_FUNCTIONS,
                         .energy = energy,
                         .breakaway = breakaway,
                         BRI_FACE_PAIRS,
                         .breakaway_at = breakaway_at};
}

const br_model *bri_mixed(void)
{
  static atomic_int state; /* 0, 1 while one thread builds, 2 */
  int none = 0;
  if (atomic_compare_exchange_strong(&state, &none, 1)) {
    build();
    atomic_store(&state, 2);
  }
  while (atomic_load(&state) != 2) continue;
  return &mix.model;
}
