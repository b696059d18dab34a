/* SPDX-License-Identifier: Apache-2.0
 * rt.c - the real-time stepper through the models' faces, with the bits of models/rt.c: the self-test of
 * exported headers asks for it.  A page exports double precision alone. */
#include "bristle/rt.h"

#include <string.h>

#include "bristle/model.h"

br_status br_rt_init_f64(br_rt_f64 *rt, const char *name, const double *values, int *bad)
{
  const br_model *m = br_model_find(name);
  br_err err;
  memset(rt, 0, sizeof *rt);
  if (bad) *bad = -1;
  if (!m || m->slots > BR_RT_SLOTS || m->nz > BR_RT_STATES) return BR_E_NAME;
  const br_status st = m->check(values, &err);
  if (st) return st;
  memcpy(rt->par, values, m->slots * sizeof *values);
  m->prepare(rt->par);
  size_t n = 0;
  const br_model *const *all = br_models(&n);
  while (all[rt->model] != m) rt->model++;
  rt->model++;
  rt->nz = (int)(m->nstate(rt->par) + m->nmode(rt->par)), rt->axes = m->axes, rt->load = 1;
  return BR_OK;
}

static void advance(const br_rt_f64 *rt, double n, double *u, const double *v, double h, double *z, double *F)
{
  const br_model *m = br_models(NULL)[rt->model - 1];
  double dz[BR_RT_STATES];
  m->step(rt->par, n, u, v, h, z);
  for (int a = 0; a < rt->axes; a++) u[a] = u[a] + v[a] * h;
  m->rate(rt->par, n, u, v, z, dz);
  m->force(rt->par, n, u, v, z, dz, F);
}

#define BR_REAL double
#define BR_FN static
#define EL_FN(x) el_##x
#define EL_SOURCE br_rt_f64
#define EL_STATES BR_RT_STATES
#define EL_ADVANCE advance
#include "../../core/element.inc"

void br_rt_step2_f64(br_rt_f64 *rt, const double *u, const double *v, double h, double *F)
{
  rt->flags |= el_step(rt, rt->nz, rt->axes, rt->load, u, v, h, rt->z, rt->u, rt->F);
  for (int a = 0; a < rt->axes; a++) F[a] = rt->F[a];
}

br_status br_rt_init_f32(br_rt_f32 *rt, const char *name, const float *values, int *bad)
{
  (void)name, (void)values, (void)bad;
  rt->model = 0;
  return BR_E_UNSUPPORTED;
}

void br_rt_step2_f32(br_rt_f32 *rt, const float *u, const float *v, float h, float *F)
{
  (void)u, (void)v, (void)h;
  rt->flags |= BR_RT_UNREADY, F[0] = 0;
}
