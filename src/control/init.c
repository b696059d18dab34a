/* SPDX-License-Identifier: Apache-2.0
 * init.c - names, defaults, and fitting a controller to a mechanism and a model. */
#include <math.h>
#include <string.h>

#include "../param/valid.h"
#include "../text/fail.h"
#include "../solve/plant.h"
#include "controller.h"

#define ROW(id, name, does, gains, doc) {name, does, gains},
static const struct {
  const char *name;
  unsigned does;
  const char *gains;
} LAWS[] = {BR_CONTROL_KINDS(ROW)};
#undef ROW
enum { KINDS = sizeof LAWS / sizeof LAWS[0] };

const char *br_control_name(size_t i) { return i < KINDS ? LAWS[i].name : NULL; }
int bri_law(br_control_kind k, unsigned does) { return (unsigned)k < KINDS && (LAWS[k].does & does) != 0; }
const char *bri_law_gains(br_control_kind k) { return (unsigned)k < KINDS ? LAWS[k].gains : ""; }

/* The gains of its row are those a search may move; what filters, pushes and bounds belongs to what the law
 * does. */
int br_control_uses(br_control_kind k, const char *gain)
{
  static const struct {
    const char *gain;
    unsigned does;
  } MORE[] = {{"tf", BR_DOES_DERIVATIVE}, {"injection", BR_DOES_PUSHES}, {"span", BR_DOES_LEARNS}};
  const size_t n = gain ? strlen(gain) : 0;
  for (const char *word = bri_law_gains(k); n && *word; word += strcspn(word, "|"), word += *word == '|')
    if (strcspn(word, "|") == n && memcmp(word, gain, n) == 0) return 1;
  for (size_t i = 0; n && i < sizeof MORE / sizeof MORE[0]; i++)
    if (strcmp(MORE[i].gain, gain) == 0) return bri_law(k, MORE[i].does);
  return 0;
}

int br_control_find(const char *name)
{
  for (int i = 0; name && i < (int)KINDS; i++)
    if (strcmp(LAWS[i].name, name) == 0) return i;
  return -1;
}

int br_control_places_poles(br_control_kind k) { return bri_law(k, BR_DOES_POLES); }
int br_control_needs_model(br_control_kind k) { return bri_law(k, BR_DOES_MODEL); }
int br_control_runs_continuous(br_control_kind k)
{
  return (unsigned)k < KINDS && !bri_law(k, BR_DOES_SAMPLED);
}

int br_control_gain(br_control_settings *s, size_t i, const char **name, double **value, const char **unit,
                    const char **doc)
{
#define ROW(name, positive, unit, doc) {#name, unit, doc, offsetof(br_control_settings, name)},
  static const struct {
    const char *name, *unit, *doc;
    size_t at;
  } rows[] = {BR_CONTROL_GAINS(ROW)};
#undef ROW
  if (i >= sizeof rows / sizeof rows[0]) return 0;
  if (name) *name = rows[i].name;
  if (value) *value = s ? (double *)(void *)((char *)s + rows[i].at) : NULL;
  if (unit) *unit = rows[i].unit;
  if (doc) *doc = rows[i].doc;
  return 1;
}

br_control_settings br_control_settings_default(br_control_kind kind)
{
  br_control_settings s;
  memset(&s, 0, sizeof s);
  s.kind = kind;
  s.poles[0] = -35, s.poles[1] = -30, s.poles[2] = -25;
  if (kind == BR_CONTROL_OBSERVER) s.poles[0] = s.poles[1] = s.poles[2] = -100;
  s.limit = INFINITY;
  s.kp = bri_law(kind, BR_DOES_CASCADE) ? 100 : 20;
  s.ki = bri_law(kind, BR_DOES_CASCADE) ? 1000 : 10;
  s.kd = 0.1;
  s.inner = 200;
  s.tf = 5e-3;
  s.lambda = 50;
  s.eta = 200, s.phi = 1;
  s.injection = NAN; /* chosen by br_control_init() */
  s.adapt = 5, s.span = 2;
  /* measured over limits from 2 to 50 % of what the law would ask for (docs/control.md) */
  s.antiwindup = br_control_places_poles(kind) ? BR_ANTIWINDUP_BACK_CALCULATION : BR_ANTIWINDUP_CONDITIONAL;
  return s;
}

static br_status bad(br_err *err, const char *name, double value, const char *range)
{
  return bri_fail(err, BR_E_RANGE, "controller setting %s = %.9g is out of range: must be %s", name, value,
                  range);
}

static br_status check(const br_control_settings *s, br_err *err)
{
  if ((unsigned)s->kind >= KINDS) return bad(err, "kind", (double)s->kind, "a br_control_kind");
  for (int i = 0; i < 3; i++)
    if (!(s->poles[i] < 0 && isfinite(s->poles[i]))) return bad(err, "poles", s->poles[i], "< 0");
  if (!(s->limit > 0)) return bad(err, "limit", s->limit, "> 0");
#define ROW(name, positive, unit, doc) {#name, s->name, positive},
  const struct {
    const char *name;
    double value;
    int positive;
  } rows[] = {BR_CONTROL_GAINS(ROW)};
#undef ROW
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (isnan(s->injection) && strcmp(rows[i].name, "injection") == 0) continue; /* by the rule */
    if (!(rows[i].value >= 0 && isfinite(rows[i].value)) || (rows[i].positive && rows[i].value == 0))
      return bad(err, rows[i].name, rows[i].value, rows[i].positive ? "> 0" : ">= 0");
  }
  return BR_OK;
}

/* The affine mechanism q' = r0 + A q + B F + E u by unit steps, exact for affine functions. */
static void take_matrices(br_controller *c)
{
  const size_t n = c->nq;
  double q[BR_CONTROL_MAX_Q] = {0}, d[BR_CONTROL_MAX_Q] = {0}, F = 0, w = 0, dw = 0;
  c->sys->rate(c->spar, &w, &dw, q, &F, c->r0);
  for (size_t j = 0; j < n; j++) {
    q[j] = 1;
    c->sys->rate(c->spar, &w, &dw, q, &F, d);
    q[j] = 0;
    for (size_t i = 0; i < n; i++) c->A[i * n + j] = d[i] - c->r0[i];
  }
  F = 1;
  c->sys->rate(c->spar, &w, &dw, q, &F, d);
  F = 0;
  for (size_t i = 0; i < n; i++) c->B[i] = d[i] - c->r0[i];
  w = 1;
  c->sys->rate(c->spar, &w, &dw, q, &F, d);
  for (size_t i = 0; i < n; i++) c->E[i] = d[i] - c->r0[i];
}

/* Position of the contact, p0 + P q. */
static void take_position(br_controller *c)
{
  double q[BR_CONTROL_MAX_Q] = {0}, v = 0, w = 0, dw = 0, at = 0;
  c->sys->motion(c->spar, &w, &dw, q, &c->p0, &v);
  for (size_t j = 0; j < c->nq; j++) {
    q[j] = 1;
    c->sys->motion(c->spar, &w, &dw, q, &at, &v);
    q[j] = 0;
    c->P[j] = at - c->p0;
  }
}

/* Which state is the contact's velocity?  nq: none. */
static size_t contact_velocity(const br_controller *c)
{
  double q[BR_CONTROL_MAX_Q] = {0}, u = 0, v = 0, w = 0, dw = 0;
  size_t found = c->nq;
  for (size_t j = 0; j < c->nq; j++) {
    q[j] = 1;
    c->sys->motion(c->spar, &w, &dw, q, &u, &v);
    q[j] = 0;
    if (v == 0) continue;
    if (v != 1 || found < c->nq) return c->nq;
    found = j;
  }
  return found;
}

static br_status fit_mechanism(br_controller *c, br_err *err)
{
  const br_system *s = c->sys;
  const size_t iy = c->iy, n = c->nq;
  take_matrices(c);
  take_position(c);
  c->iv = contact_velocity(c);
  if (c->iv == n)
    return bri_fail(err, BR_E_UNSUPPORTED, "system %s: the velocity of its contact is no state of its own",
                    s->name);
  c->degree = 0;
  c->through_force = 0;
  if (c->E[iy] != 0) {
    c->degree = 1;
    c->b = c->E[iy];
    return BR_OK;
  }
  double b = 0;
  for (size_t i = 0; i < n; i++) b += c->A[iy * n + i] * c->E[i];
  /* y'' contains F' only where y is the contact's velocity itself: its rate then is the acceleration F' is
   * taken along */
  if (b == 0 || (c->B[iy] != 0 && iy != c->iv))
    return bri_fail(err, BR_E_UNSUPPORTED,
                    "system %s: state %s has no relative degree of 1 or 2 from its input", s->name,
                    s->states[iy].name);
  c->degree = 2;
  c->through_force = c->B[iy] != 0;
  c->b = b;
  return BR_OK;
}

/* At the limit the integral forgets the excess of u at a rate of its own loop: that rate over d u / d
 * integral. */
static double unwinding(const br_controller *c)
{
  const br_control_settings *s = &c->set;
  const double slow = s->kp > 0 ? s->ki / s->kp : 1;
  if (bri_law(s->kind, BR_DOES_POLES))
    return s->integral ? -s->poles[c->degree == 1 ? 1 : 2] * c->b / c->ki : 0;
  if (bri_law(s->kind, BR_DOES_SLIDES) || !(s->ki > 0)) return 0;
  if (bri_law(s->kind, BR_DOES_CASCADE)) return slow * c->b / (s->ki * (c->through_force ? s->inner : 1));
  return slow / (c->b > 0 ? s->ki : -s->ki);
}

/* Does the reference say how the contact should move: is y its velocity or the integral of it? */
static int knows_motion(const br_controller *c)
{
  if (c->iy == c->iv) return 1;
  for (size_t i = 0; i < c->nq; i++)
    if (c->A[c->iy * c->nq + i] != (i == c->iv ? 1 : 0)) return 0;
  return c->r0[c->iy] == 0 && c->B[c->iy] == 0;
}

br_status br_control_init(br_controller *c, const br_control_settings *set, const br_system *sys,
                          const double *spar, const br_model *mod, const double *mpar, double *mpair,
                          size_t tracked, br_err *err)
{
  if (!c || !set || !mpair) return bri_fail(err, BR_E_ARG, "br_control_init: NULL argument");
  memset(c, 0, sizeof *c);
  br_status st = bri_system_ready(sys, spar, "br_control_init", err);
  if (!st) st = bri_model_ready(mod, mpar, "br_control_init", err);
  if (!st) st = bri_model_has_step(mod, "br_control_init", err);
  if (!st) st = check(set, err);
  if (st) return st;
  c->set = *set;
  c->sys = sys, c->spar = spar, c->mod = mod, c->mpar = mpar, c->mpair = mpair;
  const unsigned flags = sys->flags & (BR_SYSTEM_LINEAR | BR_SYSTEM_GIVEN);
  if (flags != BR_SYSTEM_LINEAR || sys->ninput != 1 || sys->axes != 1 || sys->ncontact(spar) != 1 ||
      sys->nstate(spar) > BR_CONTROL_MAX_Q || sys->nstate(spar) != sys->nrows)
    return bri_fail(err, BR_E_UNSUPPORTED,
                    "system %s cannot be controlled here: needed are one input, one contact of one "
                    "axis, at most %d states",
                    sys->name, (int)BR_CONTROL_MAX_Q);
  c->nq = sys->nstate(spar);
  c->nz = mod->nstate(mpar) + mod->nmode(mpar);
  c->iy = tracked;
  c->load = sys->load ? sys->load(spar, 0) : 1;
  if (mod->axes != 1 || c->nz > BR_CONTROL_MAX_Z)
    return bri_fail(err, BR_E_UNSUPPORTED, "model %s: needed are one axis and at most %d states", mod->name,
                    (int)BR_CONTROL_MAX_Z);
  if (tracked >= c->nq)
    return bri_fail(err, BR_E_ARG, "br_control_init: tracked state %zu of %zu", tracked, c->nq);
  st = fit_mechanism(c, err);
  if (st) return st;
  const int models = br_control_needs_model(set->kind);
  c->adrift = models && (sys->flags & BR_SYSTEM_FREE) && bri_model_uses_position(mod, mpar);
  if (bri_law(set->kind, BR_DOES_DERIVATIVE) && set->kd > 0 && set->tf == 0 &&
      (c->degree != 2 || c->through_force))
    return bri_fail(err, BR_E_RANGE,
                    "controller setting tf = 0 is out of range: must be > 0, since the rate of %s is "
                    "not a measured state of %s",
                    sys->states[tracked].name, sys->name);
  if (models && c->through_force && (!mod->rate_pair || !mod->force_pair))
    return bri_fail(err, BR_E_UNSUPPORTED, "model %s offers no derivatives, which this law needs", mod->name);
  if (bri_law(set->kind, BR_DOES_FOLLOWS) && !knows_motion(c))
    return bri_fail(err, BR_E_UNSUPPORTED,
                    "feedforward needs a reference for the contact: track its velocity or position, not %s",
                    sys->states[tracked].name);
  if (bri_law(set->kind, BR_DOES_CASCADE) && c->degree != 2)
    return bri_fail(err, BR_E_UNSUPPORTED,
                    "cascade_pi needs an inner quantity: %s follows the input of %s directly",
                    sys->states[tracked].name, sys->name);
  if (set->law == BR_LAW_PUBLISHED) {
    if (set->kind != BR_CONTROL_FEEDBACK_LINEARIZATION || !c->through_force)
      return bri_fail(err, BR_E_UNSUPPORTED,
                      "law published belongs to feedback_linearization of pulled_block's velocity");
    st = bri_published_check(mod, mpar, err);
    if (st) return st;
  }
  for (size_t i = 0; i < mod->slots; i++) mpair[2 * i] = mpar[i], mpair[2 * i + 1] = 0; /* prepared already */
  /* e^(degree) + ... = 0 with the given poles; the integral adds one */
  const double a = -set->poles[0], b = -set->poles[1], d = set->integral ? -set->poles[2] : 0;
  if (c->degree == 1) {
    c->k1 = set->integral ? a + b : a;
    c->ki = set->integral ? a * b : 0;
  } else {
    c->k2 = a + b + d;
    c->k1 = a * b + d * (a + b);
    c->ki = a * b * d;
  }
  bri_fit_friction(c);
  c->unwind = unwinding(c);
  return BR_OK;
}
