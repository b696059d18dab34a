/* SPDX-License-Identifier: Apache-2.0
 * cvode.c - SUNDIALS CVODE(S) behind the same interface: BDF, exact Jacobian, its own root finding at the
 * events. It shares the field and the switching with the native solver, nothing of the integration. */
#include "solver.h"
#include "../base/alloc.h"

#include <stdio.h>

#include "bri_config.h"

#if BR_WITH_SUNDIALS
#include <cvodes/cvodes.h>
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sundials/sundials_types.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

struct bri_cvode {
  SUNContext ctx;
  void *mem;
  N_Vector y, tol;
  N_Vector quad;  /* work of the inputs, into the contacts, into dampers since the last restart */
  double base[3]; /* and up to it */
  SUNMatrix A;
  SUNLinearSolver ls;
  double *J;
  int *roots;
  double t_from, *y_from; /* where the last restart was */
  int fresh;              /* steps since then are checked: did a contact at rest go to the other side? */
};

static int rhs(realtype t, N_Vector y, N_Vector dy, void *user)
{
  br_solver *s = (br_solver *)user;
  bri_eval(s->p, &s->k, &s->mode, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
  for (size_t i = 0; i < s->p->ny; i++)
    if (!isfinite(NV_Ith_S(dy, (sunindextype)i))) return 1;
  return 0;
}

static int jac(realtype t, N_Vector y, N_Vector fy, SUNMatrix J, void *user, N_Vector a, N_Vector b,
               N_Vector c)
{
  br_solver *s = (br_solver *)user;
  const size_t n = s->p->ny;
  (void)fy, (void)a, (void)b, (void)c;
  bri_jac(s->p, &s->k, &s->mode, t, N_VGetArrayPointer(y), s->cvode->J);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) SM_ELEMENT_D(J, (sunindextype)i, (sunindextype)j) = s->cvode->J[i * n + j];
  return 0;
}

/* The powers of the energy book-keeping: CVODES integrates them beside the states. */
static int powers(realtype t, N_Vector y, N_Vector dq, void *user)
{
  br_solver *s = (br_solver *)user;
  bri_eval(s->p, &s->k, &s->mode, t, N_VGetArrayPointer(y), s->tmp);
  bri_power_flows(s, N_VGetArrayPointer(y), N_VGetArrayPointer(dq));
  return 0;
}

static int roots(realtype t, N_Vector y, realtype *g, void *user)
{
  br_solver *s = (br_solver *)user;
  bri_event_values(s, t, N_VGetArrayPointer(y), g);
  return 0;
}

void bri_cvode_destroy(br_solver *s)
{
  bri_cvode *c = s->cvode;
  if (!c) return;
  if (c->mem) CVodeFree(&c->mem);
  if (c->ls) SUNLinSolFree(c->ls);
  if (c->A) SUNMatDestroy(c->A);
  if (c->y) N_VDestroy(c->y);
  if (c->tol) N_VDestroy(c->tol);
  if (c->quad) N_VDestroy(c->quad);
  if (c->ctx) SUNContext_Free(&c->ctx);
  bri_free(c->y_from);
  bri_free(c->J);
  bri_free(c->roots);
  bri_free(c);
  s->cvode = NULL;
}

static void quiet(int code, const char *module, const char *function, char *msg, void *data)
{
  (void)code, (void)module, (void)function, (void)msg, (void)data; /* the library never prints */
}

br_status bri_cvode_create(br_solver *s, br_err *err)
{
  const size_t n = s->p->ny;
  if (n == 0)
    return bri_trouble(s, BR_E_UNSUPPORTED, "cvode needs at least one state to integrate", 0, s->y, err);
  bri_cvode *c = (bri_cvode *)bri_calloc(1, sizeof *c);
  s->cvode = c;
  if (!c) return BR_E_NOMEM;
  c->J = (double *)bri_calloc(n * n, sizeof *c->J);
  c->y_from = (double *)bri_calloc(n, sizeof *c->y_from);
  c->roots = (int *)bri_calloc(s->ne + 1, sizeof *c->roots);
  if (!c->J || !c->y_from || !c->roots || SUNContext_Create(NULL, &c->ctx)) return BR_E_NOMEM;
  c->y = N_VNew_Serial((sunindextype)n, c->ctx);
  c->tol = N_VNew_Serial((sunindextype)n, c->ctx);
  c->A = SUNDenseMatrix((sunindextype)n, (sunindextype)n, c->ctx);
  c->mem = CVodeCreate(CV_BDF, c->ctx);
  if (!c->y || !c->tol || !c->A || !c->mem) return BR_E_NOMEM;
  c->ls = SUNLinSol_Dense(c->y, c->A, c->ctx);
  CVodeSetErrHandlerFn(c->mem, quiet, NULL);
  memset(N_VGetArrayPointer(c->y), 0, n * sizeof(double));
  if (!c->ls || CVodeInit(c->mem, rhs, 0, c->y) || CVodeSetUserData(c->mem, s) ||
      CVodeSStolerances(c->mem, s->set.rtol, s->set.atol) || CVodeSetLinearSolver(c->mem, c->ls, c->A) ||
      CVodeSetJacFn(c->mem, jac))
    return bri_trouble(s, BR_E_NOMEM, "cvode cannot be set up", 0, s->y, err);
  if (s->set.energy) {
    c->quad = N_VNew_Serial(3, c->ctx);
    if (!c->quad) return BR_E_NOMEM;
    N_VConst(0, c->quad);
    if (CVodeQuadInit(c->mem, powers, c->quad) ||
        CVodeQuadSStolerances(c->mem, s->set.rtol, 1e-3 * s->set.rtol) || CVodeSetQuadErrCon(c->mem, 1))
      return bri_trouble(s, BR_E_NOMEM, "cvode cannot keep energies", 0, s->y, err);
  }
  CVodeSetMaxNumSteps(c->mem, 1000000);
  if (s->set.h_max > 0) CVodeSetMaxStep(c->mem, s->set.h_max);
  if (s->set.locate && s->ne) CVodeRootInit(c->mem, (int)s->ne, roots);
  CVodeSetNoInactiveRootWarn(c->mem);
  return BR_OK;
}

/* Tolerances: relative to each state's own size, as everybody runs CVODE, with a floor per state. */
static br_status restart(br_solver *s, double t, br_err *err)
{
  bri_cvode *c = s->cvode;
  memcpy(N_VGetArrayPointer(c->y), s->y, s->p->ny * sizeof(double));
  memcpy(c->y_from, s->y, s->p->ny * sizeof(double));
  c->t_from = t;
  c->fresh = 1;
  for (size_t i = 0; i < s->p->ny; i++) {
    if (fabs(s->y[i]) > s->top[i]) s->top[i] = fabs(s->y[i]);
    const double own = s->set.atols ? s->set.atols[i] : s->set.atol;
    NV_Ith_S(c->tol, (sunindextype)i) = fmax(own, 1e-3 * s->set.rtol * s->top[i]) + 1e-300;
  }
  int bad = CVodeReInit(c->mem, t, c->y) || CVodeSVtolerances(c->mem, s->set.rtol, c->tol);
  if (c->quad) {
    memcpy(c->base, s->quad, sizeof c->base);
    N_VConst(0, c->quad);
    bad = bad || CVodeQuadReInit(c->mem, c->quad);
  }
  return bad ? bri_trouble(s, BR_E_CONVERGE, "cvode does not restart", t, s->y, err) : BR_OK;
}

/* Works at the time that CVode() has just returned. */
static void take_works(br_solver *s)
{
  bri_cvode *c = s->cvode;
  realtype t;
  if (!c->quad || CVodeGetQuad(c->mem, &t, c->quad)) return;
  for (int a = 0; a < 3; a++) s->quad[a] = c->base[a] + NV_Ith_S(c->quad, a);
}

br_status bri_cvode_start(br_solver *s, br_err *err) { return restart(s, s->t, err); }

static void count(br_solver *s, long sign)
{
  long steps = 0, fails = 0;
  CVodeGetNumSteps(s->cvode->mem, &steps);
  CVodeGetNumErrTestFails(s->cvode->mem, &fails);
  s->stats.steps += (size_t)(sign * steps); /* wraps round and back */
  s->stats.rejected += (size_t)(sign * fails);
}

/* Carry out the events that CVODE reports. */
static br_status root_found(br_solver *s, br_err *err)
{
  bri_cvode *c = s->cvode;
  const size_t nm = s->ne - s->set.nuser;
  if (CVodeGetRootInfo(c->mem, c->roots)) return BR_OK;
  int changed = 0;
  for (size_t e = 0; e < s->ne; e++) {
    if (!c->roots[e]) continue;
    if (e >= nm) { /* CVODE sees users' functions positive at the start */
      bri_report(s, s->t, BR_EVENT_USER, e - nm, (c->roots[e] > 0) == (s->gsign[e] > 0) ? 1 : -1);
      continue;
    }
    if (c->roots[e] > 0) continue; /* leaves zero to the inside of the mode */
    br_event_type type;
    const int dir = bri_mode_switch(s->p, &s->k, &s->mode, e, s->t, s->y, s->f, &type);
    bri_report(s, s->t, type, bri_event_contact(s->p, e), dir);
    changed = 1;
  }
  return changed ? restart(s, s->t, err) : BR_OK;
}

/* CVODE sees no root in a function that starts at zero.  A contact at rest whose acceleration vanishes may
 * thus slip away to the side that was not assumed: then go back to the restart and turn it.  A true-stick
 * contact that is pushed back from both sides rests.  Returns 1 when turned. */
static int turn_at_rest(br_solver *s, br_err *err)
{
  const br_plant *p = s->p;
  bri_cvode *c = s->cvode;
  int turned = 0;
  if (p->sys->flags & BR_SYSTEM_GIVEN) return 0;
  bri_event_values(s, s->t, s->y, s->g);
  for (size_t j = 0; j < p->nk; j++) {
    if (s->mode.c[j].stuck || !(s->g[j] < 0) || s->flips >= 2 * (int)p->nk) continue;
    if (!turned) {
      s->t = s->t0 = c->t_from;
      memcpy(s->y, c->y_from, p->ny * sizeof *s->y);
    }
    bri_event_values(s, s->t, s->y, s->g0); /* leaves the motion of the restart in the scratch */
    if (bri_holds(p, j / p->ax) && s->flips > 0) s->mode.c[j].stuck = 1;
    else {
      bri_mode_direct(p, &s->k, &s->mode, j, p->free ? s->y[p->nq + j] : s->k.u[j], -s->mode.c[j].sign);
      bri_mode_update(p, &s->k, &s->mode, j, s->y);
    }
    s->flips++;
    turned = 1;
  }
  return turned && restart(s, s->t, err) == BR_OK;
}

br_status bri_cvode_advance(br_solver *s, double t, br_err *err)
{
  bri_cvode *c = s->cvode;
  while (s->t < t) {
    if (s->t >= s->t_seg) {
      br_status st = bri_segment(s, err);
      if (st == BR_OK) st = restart(s, s->t, err);
      if (st != BR_OK) return st;
    }
    const double to = fmin(t, s->t_seg);
    realtype at = s->t;
    if (to - s->t <=
        8 * DBL_EPSILON * fmax(fabs(to), fabs(s->t))) { /* rounding apart: CVODE refuses to start */
      s->t = s->t0 = to;
      continue;
    }
    CVodeSetStopTime(c->mem, to);
    count(s, -1);
    const int fresh = c->fresh && s->set.locate,
              rc = CVode(c->mem, to, c->y, &at, fresh ? CV_ONE_STEP : CV_NORMAL);
    count(s, 1);
    memcpy(s->y, N_VGetArrayPointer(c->y), s->p->ny * sizeof(double));
    if (rc < 0) {
      char text[64];
      snprintf(text, sizeof text, "cvode stops with code %d", rc);
      return bri_trouble(s, BR_E_CONVERGE, text, at, s->y, err);
    }
    s->t = s->t0 = at;
    bri_mode_sides(s->p, &s->mode, s->y);
    if (fresh && rc != CV_ROOT_RETURN && turn_at_rest(s, err)) continue;
    c->fresh = 0;
    s->flips = 0;
    take_works(s);
    bri_eval(s->p, &s->k, &s->mode, s->t, s->y, s->f);
    if (rc == CV_ROOT_RETURN) {
      const br_status st = root_found(s, err);
      if (st != BR_OK) return st;
    }
    if (s->set.on_step && s->set.on_step(s->set.ctx, s->t)) s->stop = 1;
    if (s->stop) return BR_INTERRUPTED;
  }
  return BR_OK;
}

#else

br_status bri_cvode_create(br_solver *s, br_err *err)
{
  (void)s;
  if (err) {
    err->code = BR_E_UNSUPPORTED, err->index = -1;
    snprintf(err->msg, sizeof err->msg, "solver cvode: this build has no SUNDIALS; use solver native");
  }
  return BR_E_UNSUPPORTED;
}
void bri_cvode_destroy(br_solver *s) { (void)s; }
br_status bri_cvode_start(br_solver *s, br_err *err) { return bri_cvode_create(s, err); }
br_status bri_cvode_advance(br_solver *s, double t, br_err *err)
{
  (void)t;
  return bri_cvode_create(s, err);
}
#endif
