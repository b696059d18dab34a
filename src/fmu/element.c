/* SPDX-License-Identifier: Apache-2.0
 * element.c - a contact alone, whose velocity is the input: what a friction element in an FMU is. */
#include "layout.h"

static const br_system_input ONE[] = {{"v", "m/s", "sliding velocity", 0}};
static const br_system_input TWO[] = {{"vx", "m/s", "sliding velocity along x", 0},
                                      {"vy", "m/s", "sliding velocity along y", 0}};

static size_t none(const void *par)
{
  (void)par;
  return 0;
}

static size_t one(const void *par)
{
  (void)par;
  return 1;
}

static void motion(const void *par, const double *w, const double *dw, const double *q, double *u, double *v)
{
  (void)par, (void)dw, (void)q;
  u[0] = 0; /* integrated where a model asks for it */
  v[0] = w[0];
}

static void motion2(const void *par, const double *w, const double *dw, const double *q, double *u, double *v)
{
  motion(par, w, dw, q, u, v);
  u[1] = 0;
  v[1] = w[1];
}

static void rate(const void *par, const double *w, const double *dw, const double *q, const double *F,
                 double *dq)
{
  (void)par, (void)w, (void)dw, (void)q, (void)F, (void)dq; /* no states of its own */
}

#define ELEMENT(inputs_, axes_, motion_)                                                                    \
  {                                                                                                         \
    .name = "element", .title = "A friction element moved from outside",                                    \
    .flags = BR_SYSTEM_LINEAR | BR_SYSTEM_FREE, .axes = (axes_), .slots = 1, .inputs = (inputs_),           \
    .ninput = (axes_), .max_contact = 1, .nstate = none, .ncontact = one, .motion = (motion_), .rate = rate \
  }
static const br_system SINGLE = ELEMENT(ONE, 1, motion), DOUBLE = ELEMENT(TWO, 2, motion2);

const br_system *bri_fmu_element(int axes) { return axes == 2 ? &DOUBLE : &SINGLE; }
