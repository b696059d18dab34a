/* SPDX-License-Identifier: Apache-2.0
 * kernel.c - the laws of control.inc over the run-time face of any model.  Freestanding: this object has no
 * undefined symbol; friction is reached through the controller's own pointers. */
#include "bristle/control.h"

#if defined(__GNUC__) && !defined(__clang__)
/* gcc turns loops that clear memory into calls of memset even in freestanding code */
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif
#define BR_NO_COMPLEX
#include "../../core/stamp.h"

#define BR_REAL double
#define BR_SFX _f64
#define CTL_T(x) br_control_##x
#define CTL_FN(x) BR_CAT3(bri_ctl_, x, BR_SFX)
#define CTL_PLAN br_controller
#define CTL_FRICTION br_controller
#define CTL_TINY 1e-100 /* no cancellation, so any tiny number will do */
#define CTL_RATE(f, n, u, v, z, dz) (f)->mod->rate((f)->mpar, n, u, v, z, dz)
#define CTL_FORCE(f, n, u, v, z, dz, F) (f)->mod->force((f)->mpar, n, u, v, z, dz, F)
#define CTL_STEP(f, n, u, v, h, z) (f)->mod->step((f)->mpar, n, u, v, h, z)
#define CTL_RATE_PAIR(f, n, u, v, z, dz) (f)->mod->rate_pair((f)->mpair, n, u, v, z, dz)
#define CTL_FORCE_PAIR(f, n, u, v, z, dz, F) (f)->mod->force_pair((f)->mpair, n, u, v, z, dz, F)
#include "../../core/control.inc"

size_t br_control_nstate(const br_controller *c) { return bri_ctl_nstate_f64(c); }

void br_control_reset(br_controller *c) { bri_ctl_reset_f64(&c->mem); }

double br_control_update(br_controller *c, const br_control_ref *ref, const br_control_meas *m, double h)
{
  return bri_ctl_update_f64(c, c, &c->mem, ref, m, h);
}

double br_control_output(const br_controller *c, const br_control_ref *ref, const br_control_meas *m,
                         const double *x)
{
  return bri_ctl_output_f64(c, c, ref, m, x, 0);
}

void br_control_rate(const br_controller *c, const br_control_ref *ref, const br_control_meas *m, double u,
                     const double *x, double *dx)
{
  bri_ctl_rate_f64(c, c, ref, m, u, x, dx);
}
