/* SPDX-License-Identifier: Apache-2.0
 * cvode.c - SUNDIALS CVODE(S) behind the same interface: BDF, exact Jacobian, its own root finding at the
 * events. It shares the field and the switching with the native solver, nothing of the integration. */
#include "solver.h"

#include <stdio.h>

#include "bri_config.h"

#if BR_WITH_SUNDIALS
#include <cvodes/cvodes.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_types.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

struct bri_cvode {
  SUNContext ctx;
  void *mem;
  N_Vector y, tol;
  SUNMatrix A;
  SUNLinearSolver ls;
  double *J;
  int *roots;
  int off; /* roots are not watched: just behind a reversal */
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
  if (c->ctx) SUNContext_Free(&c->ctx);
  free(c->J);
  free(c->roots);
  free(c);
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
  bri_cvode *c = (bri_cvode *)calloc(1, sizeof *c);
  s->cvode = c;
  if (!c) return BR_E_NOMEM;
  c->J = (double *)calloc(n * n, sizeof *c->J);
  c->roots = (int *)calloc(s->ne + 1, sizeof *c->roots);
  if (!c->J || !c->roots || SUNContext_Create(NULL, &c->ctx)) return BR_E_NOMEM;
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
  for (size_t i = 0; i < s->p->ny; i++) {
    if (fabs(s->y[i]) > s->top[i]) s->top[i] = fabs(s->y[i]);
    const double own = s->set.atols ? s->set.atols[i] : s->set.atol;
    NV_Ith_S(c->tol, (sunindextype)i) = fmax(own, 1e-3 * s->set.rtol * s->top[i]) + 1e-300;
  }
  if (CVodeReInit(c->mem, t, c->y) || CVodeSVtolerances(c->mem, s->set.rtol, c->tol))
    return bri_trouble(s, BR_E_CONVERGE, "cvode does not restart", t, s->y, err);
  return BR_OK;
}

br_status bri_cvode_start(br_solver *s, br_err *err) { return restart(s, s->t, err); }

/* Carry out the events that CVODE reports. */
static br_status root_found(br_solver *s, br_err *err)
{
  bri_cvode *c = s->cvode;
  const size_t nm = s->ne - s->set.nuser;
  if (CVodeGetRootInfo(c->mem, c->roots)) return BR_OK;
  int changed = 0;
  for (size_t e = 0; e < s->ne; e++) {
    if (!c->roots[e]) continue;
    if (e >= nm) {
      bri_report(s, s->t, BR_EVENT_USER, e - nm, c->roots[e] > 0 ? 1 : -1);
      continue;
    }
    if (c->roots[e] > 0) continue; /* leaves zero to the inside of the mode */
    br_event_type type;
    const int dir = bri_mode_switch(s->p, &s->k, &s->mode, e, s->t, s->y, s->f, &type);
    bri_report(s, s->t, type,
               e < s->p->nk            ? e
               : s->p->kind == BRI_ODE ? (e - s->p->nk) / s->p->nmode
                                       : e - s->p->nk,
               dir);
    changed = 1;
  }
  return changed ? restart(s, s->t, err) : BR_OK;
}

br_status bri_cvode_advance(br_solver *s, double t, br_err *err)
{
  bri_cvode *c = s->cvode;
  long before = 0, now = 0, fails = 0;
  while (s->t < t) {
    if (s->t >= s->t_seg) {
      bri_segment(s);
      const br_status st = restart(s, s->t, err);
      if (st != BR_OK) return st;
    }
    const double to = fmin(t, s->t_seg);
    realtype at = s->t;
    CVodeSetStopTime(c->mem, to);
    CVodeGetNumSteps(c->mem, &before);
    const int rc = CVode(c->mem, to, c->y, &at, CV_NORMAL);
    CVodeGetNumSteps(c->mem, &now);
    CVodeGetNumErrTestFails(c->mem, &fails);
    s->stats.steps += (size_t)(now > before ? now - before : 0);
    memcpy(s->y, N_VGetArrayPointer(c->y), s->p->ny * sizeof(double));
    if (rc < 0) {
      char text[64];
      snprintf(text, sizeof text, "cvode stops with code %d", rc);
      return bri_trouble(s, BR_E_CONVERGE, text, at, s->y, err);
    }
    s->t = s->t0 = at;
    bri_eval(s->p, &s->k, &s->mode, s->t, s->y, s->f);
    if (rc == CV_ROOT_RETURN) {
      const br_status st = root_found(s, err);
      if (st != BR_OK) return st;
    }
    if (s->stop) return BR_INTERRUPTED;
  }
  s->stats.rejected += (size_t)fails;
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
