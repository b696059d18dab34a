/* SPDX-License-Identifier: Apache-2.0
 * kit.h - what the tests of the phase room share: a block with LuGre friction, by the model's own functions.
 * */
#ifndef TEST_PHASE_KIT_H
#define TEST_PHASE_KIT_H
#include <string.h>

#include "bristle/model.h"
#include "bristle/phase.h"
#include "phase/branch.h"
#include "support/json.h"

enum { KIT_SLOTS = 1024 };
typedef struct {
  const br_model *model;
  double par[KIT_SLOTS], pair[2 * KIT_SLOTS];
  double m, F;
} kit;

static inline void kit_set(kit *k, const char *name, double x)
{
  if (strcmp(name, "m") == 0) k->m = x;
  else if (strcmp(name, "F") == 0) k->F = x;
  else k->par[br_model_param(k->model, name)->slot] = x;
}

static inline void kit_ready(kit *k)
{
  k->model->prepare(k->par);
  for (size_t i = 0; i < k->model->slots; i++) k->pair[2 * i] = k->par[i], k->pair[2 * i + 1] = 0;
  k->model->prepare_pair(k->pair);
}

static inline void kit_init(kit *k)
{
  k->model = br_model_find("lugre");
  k->model->defaults(k->par);
  k->m = 1;
  k->F = 0;
}

/* All members of an object of numbers are parameters; "C" and the like never occur. */
static inline void kit_from_json(kit *k, const json *params)
{
  kit_init(k);
  for (const json *p = params->child; p; p = p->next) kit_set(k, p->key, p->number);
  kit_ready(k);
}

static inline void kit_figure5(kit *k)
{
  static const struct {
    const char *name;
    double x;
  } P[] = {{"sigma0", 5}, {"sigma1", 8.25}, {"sigma2", 1.6}, {"Fc", 1},
           {"Fs", 5},     {"vs", 2},        {"delta", 2},    {"F", 5.704}};
  kit_init(k);
  for (size_t i = 0; i < sizeof P / sizeof P[0]; i++) kit_set(k, P[i].name, P[i].x);
  kit_ready(k);
}

/* Document 1's friction, with a viscous part that makes steady sliding possible. */
static inline void kit_document1(kit *k)
{
  static const struct {
    const char *name;
    double x;
  } P[] = {{"sigma0", 2900}, {"sigma1", 107}, {"sigma2", 0.4}, {"Fc", 2.94},
           {"Fs", 5.88},     {"vs", 0.1},     {"delta", 1}};
  for (size_t i = 0; i < sizeof P / sizeof P[0]; i++) kit_set(k, P[i].name, P[i].x);
  kit_ready(k);
}

static inline br_phase_problem kit_problem(const kit *k)
{
  const br_phase_problem p = {k->model, k->par, k->m, k->F, {NULL, NULL}};
  return p;
}

/* (z', v') by the model's rate and force. */
static inline void kit_rhs(const kit *k, double z, double v, double *out)
{
  double u = 0, dz, F;
  k->model->rate(k->par, 1, &u, &v, &z, &dz);
  k->model->force(k->par, 1, &u, &v, &z, &dz, &F);
  out[0] = dz;
  out[1] = (k->F - F) / k->m;
}

/* Jacobian in (z, v) by complex step on the same functions. */
static inline void kit_jacobian(void *ctx, const double *x, double *J)
{
  const kit *k = (const kit *)ctx;
  const double h = 1e-30, n[2] = {1, 0}, u[2] = {0, 0};
  for (int j = 0; j < 2; j++) {
    const double z[2] = {x[0], j == 0 ? h : 0}, v[2] = {x[1], j == 1 ? h : 0};
    double dz[2], F[2];
    k->model->rate_pair(k->pair, n, u, v, z, dz);
    k->model->force_pair(k->pair, n, u, v, z, dz, F);
    J[j] = dz[1] / h;
    J[2 + j] = -F[1] / h / k->m;
  }
}

#endif
