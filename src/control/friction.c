/* SPDX-License-Identifier: Apache-2.0
 * friction.c - what a law needs of the friction model, taken from the model's face. */
#include <math.h>

#include "../text/fail.h"
#include "controller.h"

#define CS_STEP 1e-100 /* complex step: no cancellation, so any tiny number will do */

double bri_side_band(const br_model *m, const double *mpar)
{
  const br_param *vs = br_model_param(m, "vs");
  return 1e-9 * (vs && vs->max_len == 1 && mpar[vs->slot] > 0 ? mpar[vs->slot] : 1e-3);
}

/* Velocity whose derivatives count: near v = 0 those of the side the motion goes to. */
static double sided(const br_controller *c, double v, int side)
{
  const double band = bri_side_band(c->mod, c->mpar);
  if (fabs(v) >= band) return v;
  return side < 0 || (side == 0 && v < 0) ? -band : band;
}

void bri_friction_at(const br_controller *c, double pos, double v, const double *z, bri_friction *f)
{
  f->F = 0;
  c->mod->rate(c->mpar, c->load, &pos, &v, z, f->dz);
  c->mod->force(c->mpar, c->load, &pos, &v, z, f->dz, &f->F);
}

double bri_friction_rate(const br_controller *c, double pos, double v, double a, int side, const double *z,
                         const bri_friction *f)
{
  const double load[2] = {c->load, 0}, pu[2] = {pos, CS_STEP * v};
  const double pv[2] = {sided(c, v, side), CS_STEP * a};
  double pz[2 * BR_CONTROL_MAX_Z], pdz[2 * BR_CONTROL_MAX_Z], pF[2] = {0, 0};
  for (size_t i = 0; i < c->nz; i++) pz[2 * i] = z[i], pz[2 * i + 1] = CS_STEP * f->dz[i];
  c->mod->rate_pair(c->mpair, load, pu, pv, pz, pdz);
  c->mod->force_pair(c->mpair, load, pu, pv, pz, pdz, pF);
  return pF[1] / CS_STEP;
}

br_status bri_published_check(const br_model *m, const double *mpar, br_err *err)
{
  static const char *const need[] = {"sigma0", "sigma1", "vs", "delta"};
  static const char *const not [] = {"g_v",
                                     "vd"}; /* the printed law knows neither tables nor a falling sigma1 */
  for (size_t i = 0; i < 4; i++)
    if (!br_model_param(m, need[i]) || m->nz != 1)
      return bri_text_fail(err, BR_E_UNSUPPORTED, -1, "law published is written for model lugre, not for %s",
                           m->name);
  for (size_t i = 0; i < 2; i++) {
    const br_param *p = br_model_param(m, not [i]);
    if (p && mpar[p->max_len > 1 ? p->len_slot : p->slot] > 0)
      return bri_text_fail(err, BR_E_UNSUPPORTED, -1,
                           "law published needs the plain LuGre law: parameter %s must not be set", not [i]);
  }
  return BR_OK;
}

/* z' = v - P z with P = sigma0 A, A = |v|/g, and F = ... + sigma1 z'.  The document's last line for dA/dt
 * multiplies Fc by 1 + delta |v/vs|^delta as well, so its dP/dv is P/v (1 + delta |v/vs|^delta).  Through F'
 * = ... - sigma1 z P_v v' the law then believes in a friction rate that is off by the difference to the true
 * slope P_v of the model. */
double bri_published_excess(const br_controller *c, double v, double a, int side, const double *z)
{
  const double load[2] = {c->load, 0}, pos[2] = {0, 0}, vs0 = sided(c, v, side), at[2] = {vs0, CS_STEP};
  const double one = 1, none = 0, zero[2] = {0, 0}, unit[2] = {1, 0};
  double p0[2], p1[2], F0, F1;
  c->mod->rate_pair(c->mpair, load, pos, at, zero, p0);
  c->mod->rate_pair(c->mpair, load, pos, at, unit, p1);
  const double P = p0[0] - p1[0], P_v = (p0[1] - p1[1]) / CS_STEP; /* the rate is linear in z */
  c->mod->force(c->mpar, c->load, pos, &vs0, zero, &none, &F0);
  c->mod->force(c->mpar, c->load, pos, &vs0, zero, &one, &F1);
  const double sigma1 = F1 - F0, delta = c->mpar[br_model_param(c->mod, "delta")->slot];
  const double w = pow(fabs(vs0) / c->mpar[br_model_param(c->mod, "vs")->slot], delta);
  return -sigma1 * z[0] * (P / vs0 * (1 + delta * w) - P_v) * a;
}
