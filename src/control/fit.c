/* SPDX-License-Identifier: Apache-2.0
 * fit.c - the numbers of a plan that come from the friction model, taken through its face: size of the
 * bristles, level of friction, and the default gains of observer and learning. */
#include <math.h>
#include <string.h>

#include "../text/fail.h"
#include "controller.h"

/* Velocity on which the friction curve changes, m/s. */
static double velocity_scale(const br_controller *c)
{
  const br_param *vs = br_model_param(c->mod, "vs");
  return vs && vs->max_len == 1 && c->mpar[vs->slot] > 0 ? c->mpar[vs->slot] : 1e-3;
}

static double force(const br_controller *c, double v, const double *z, const double *dz)
{
  double F = 0, pos = 0;
  c->mod->force(c->mpar, c->load, &pos, &v, z, dz, &F);
  return F;
}

/* Bristles and their force after a long slow slide from rest.  A model with an exact step takes it at once;
 * others in steps that grow with the path, until the force stops growing. */
static double slide(const br_controller *c, double *z)
{
  const double v = 1e-3 * velocity_scale(c), none[BR_CONTROL_MAX_Z] = {0};
  double path = 0, top = 0, next[BR_CONTROL_MAX_Z], dz[BR_CONTROL_MAX_Z];
  memset(z, 0, BR_CONTROL_MAX_Z * sizeof *z);
  for (double du = 1e-12; du < 1e3; du *= 1.05) {
    const int exact = (c->mod->flags & BR_MODEL_EXACT_STEP) != 0;
    const double far = exact ? 1e6 : du / v;
    memcpy(next, z, sizeof next);
    memset(dz, 0, sizeof dz);
    c->mod->step(c->mpar, c->load, &path, &v, far, next);
    path += v * far;
    c->mod->rate(c->mpar, c->load, &path, &v, next, dz);
    const double F = force(c, v, next, dz) - (c->nz > 0 ? force(c, v, none, none) : 0);
    if (!isfinite(F) || F < top) break; /* beyond the top, or the step has become too long */
    top = F;
    memcpy(z, next, sizeof next);
    if (exact) break;
  }
  return top;
}

/* e^(degree) answers to a force error as b_F; at rest e = b_F dc F. */
static void force_to_error(const br_controller *c, double *b_F, double *dc)
{
  *b_F = c->B[c->iy];
  *dc = 1 / c->k1;
  if (c->degree == 1) return;
  if (c->through_force) {
    *dc = c->k2 / c->k1;
    return;
  }
  *b_F = 0;
  for (size_t i = 0; i < c->nq; i++) *b_F += c->A[c->iy * c->nq + i] * c->B[i];
}

/* Stiffness and damping of a single bristle, F = s0 z + s1 z' + ... with z' linear in z, as the error of an
 * estimate must be; 0 where there is no such thing. */
static int bristle(const br_controller *c, double *s0, double *s1)
{
  const double none[BR_CONTROL_MAX_Z] = {0};
  double z[BR_CONTROL_MAX_Z], one[BR_CONTROL_MAX_Z] = {1};
  if (c->nz != 1 || !(slide(c, z) > 0) || !(z[0] > 0)) return 0;
  const double v = velocity_scale(c), half[BR_CONTROL_MAX_Z] = {0.5 * z[0]};
  double pos = 0, d0 = 0, d1 = 0, d2 = 0;
  c->mod->rate(c->mpar, c->load, &pos, &v, none, &d0);
  c->mod->rate(c->mpar, c->load, &pos, &v, half, &d1);
  c->mod->rate(c->mpar, c->load, &pos, &v, z, &d2);
  if (!(fabs(d0 - 2 * d1 + d2) <= 1e-9 * (fabs(d0) + fabs(d2)))) return 0;
  *s0 = (force(c, 0, z, none) - force(c, 0, none, none)) / z[0];
  *s1 = force(c, 0, none, one) - force(c, 0, none, none);
  return isfinite(*s0) && *s0 > 0 && *s1 >= 0;
}

/* dF/dv of a contact that sticks, z held: what a wrong acceleration does to the friction rate the law
 * takes. */
static double slope_at_rest(const br_controller *c)
{
  const double v = 1e-6 * velocity_scale(c), none[BR_CONTROL_MAX_Z] = {0};
  double dz[BR_CONTROL_MAX_Z] = {0}, pos = 0;
  c->mod->rate(c->mpar, c->load, &pos, &v, none, dz);
  return (force(c, v, none, dz) - force(c, 0, none, none)) / v;
}

/* Re G(i w) >= 0 for all w, G from the bristles' error to e.  Up to positive factors Re G is a polynomial in
 * w^2 whose coefficients are:
 *   degree 1        s0 k1 [- s1 ki],  s1
 *   a position      s0 k1 [- s1 ki],  s1 k2 - s0
 *   through F'      s0 zero k1 [- (s0 + s1 zero) ki],  (s0 + s1 zero) k2 - s0 zero - s1 k1,  s1
 * with the terms in brackets under integral action.  zero = k2 - |b_F| dF/dv: without an accelerometer F' is
 * taken along an acceleration that is itself wrong by the force error. */
int br_control_passive(const br_controller *c)
{
  double s0 = 0, s1 = 0, b_F = 0, dc = 0;
  if (!c || !bristle(c, &s0, &s1)) return 0;
  if (c->degree == 1) return s0 * c->k1 >= s1 * c->ki;
  if (!c->through_force) return s0 * c->k1 >= s1 * c->ki && s1 * c->k2 >= s0;
  force_to_error(c, &b_F, &dc);
  const double zero = c->k2 - fabs(b_F) * slope_at_rest(c), both = s0 + s1 * zero;
  return zero >= 0 && s0 * zero * c->k1 >= both * c->ki && both * c->k2 >= s0 * zero + s1 * c->k1;
}

/* Default gain of the observer: at rest the bristles' error decays like exp(-k |b_F| s0 dc t); k makes that
 * at most a quarter of the slowest pole.  Where the loop is not passive, none; nor where the law
 * differentiates the friction: wrong levels then come back through F', and document 1's worst corner is
 * better with an open copy (0.0343 against 0.0401).  Two limits are for sampled loops with h up to 1/(5 |p|),
 * twice what br_control_pace() allows: - stuck bristles hold a velocity by |b_F| s1, 1/s.  Where that is more
 * than 1/h, a held u moves the contact
 *   less than the poles assume, and k shrinks alike;
 * - the push also acts at once, by s1 k |b_F|: at most half of what the poles ask for. */
static double default_injection(const br_controller *c)
{
  const br_control_settings *s = &c->set;
  double s0 = 0, s1 = 0, b_F = 0, dc = 0;
  if (s->kind != BR_CONTROL_OBSERVER || c->through_force) return 0;
  if (!bristle(c, &s0, &s1) || !br_control_passive(c)) return 0;
  const int poles = c->degree == 1 ? 1 + s->integral : 2 + s->integral;
  double slow = -s->poles[0], fast = slow;
  for (int i = 1; i < poles; i++) slow = fmin(slow, -s->poles[i]), fast = fmax(fast, -s->poles[i]);
  force_to_error(c, &b_F, &dc);
  const double hold = fabs(b_F) * s1;
  double k = 0.25 * slow / (fabs(b_F) * s0 * dc);
  if (hold > 5 * fast) k *= 5 * fast / hold;
  if (hold * k > 0.5 * c->k1) k = 0.5 * c->k1 / hold;
  return isfinite(k) ? k : 0;
}

void bri_fit_friction(br_controller *c)
{
  double z[BR_CONTROL_MAX_Z], b_F = 0, dc = 0;
  const br_param *vs = br_model_param(c->mod, "vs"), *delta = br_model_param(c->mod, "delta");
  const double level = slide(c, z);
  c->band = 1e-9 * velocity_scale(c);
  c->vs = vs && vs->max_len == 1 ? c->mpar[vs->slot] : 1;
  c->delta = delta && delta->max_len == 1 ? c->mpar[delta->slot] : 1;
  c->z_bound = c->nz > 0 && isfinite(z[0]) && z[0] != 0 ? 2 * fabs(z[0]) : INFINITY;
  if (isnan(c->set.injection)) c->set.injection = default_injection(c);
  c->mix = c->degree == 2 ? c->k1 / c->k2 : 0;
  force_to_error(c, &b_F, &dc);
  if (c->degree == 2 && !c->through_force) dc *= c->mix;
  c->learn = level > 0 && b_F != 0 ? -c->set.adapt / (b_F * level * level * dc) : 0;
}

br_status bri_published_check(const br_model *m, const double *mpar, br_err *err)
{
  static const char *const need[] = {"sigma0", "sigma1", "vs", "delta"};
  /* the printed law knows neither tables nor a falling sigma1 */
  static const char *const not_set[] = {"g_v", "vd"};
  for (size_t i = 0; i < 4; i++)
    if (!br_model_param(m, need[i]) || m->nz != 1)
      return bri_fail(err, BR_E_UNSUPPORTED, "law published is written for model lugre, not for %s", m->name);
  for (size_t i = 0; i < 2; i++) {
    const br_param *p = br_model_param(m, not_set[i]);
    if (p && mpar[p->max_len > 1 ? p->len_slot : p->slot] > 0)
      return bri_fail(err, BR_E_UNSUPPORTED,
                      "law published needs the plain LuGre law: parameter %s must not be set", not_set[i]);
  }
  return BR_OK;
}
