/* SPDX-License-Identifier: Apache-2.0
 * duhem.h - users' own generalized Duhem models from three functions:
 *   dx/dt = f(x, u) g(v)        x: n states, f: n x r matrix, g: r numbers with g(0) = 0
 *   F     = n_load h(x, u)      n_load: normal-load factor, 1 = nominal
 * Where g(a v) = a g(v) for every a > 0 the model is rate independent; br_duhem_homogeneous() tries that.
 *
 * Fill a br_duhem, write BR_DUHEM_DEFINE(name) behind it, and name_model() fills a br_model that every
 * function taking one accepts.  Nothing is registered and nothing allocated; the br_duhem must
 * outlive the br_model.
 *   static const br_duhem mine = {.name = "mine", .n = 1, .r = 2, .f = my_f, .g = my_g, .h = my_h, ...};
 *   BR_DUHEM_DEFINE(mine)
 *   br_model m;  if (mine_model(&m, &err) == BR_OK) ...
 * Units: SI.  Threads: as for br_model; the user's functions must be pure. */
#ifndef BR_DUHEM_H
#define BR_DUHEM_H
#include "bristle/model.h"
BR_C_BEGIN

#define BR_DUHEM_MAX_N 16 /* states */
#define BR_DUHEM_MAX_R 8  /* columns of f */
#define BR_DUHEM_MAX_SUBSTEPS 10000

typedef struct {
  const char *name, *title; /* title may be NULL */
  size_t n, r;              /* 1..BR_DUHEM_MAX_N, 1..BR_DUHEM_MAX_R */
  /* par: parameter block as described by `params` (NULL block when slots == 0 is fine) */
  void (*f)(const double *par, const double *x, double u, double *f); /* f[i * r + k] */
  void (*g)(const double *par, double v, double *g);
  double (*h)(const double *par, const double *x, double u);      /* N */
  double (*energy)(const double *par, const double *x, double u); /* stored energy, J; NULL: none defined */
  int (*passive)(const double *par);                              /* NULL: not known, counts as no */
  const char *passive_text;                                       /* NULL: "not stated" */
  const br_param *params; /* rows with their slots; NULL when nparam == 0 */
  size_t nparam, slots;
  const br_state *states; /* n rows of one state each, or one row with max_len n; NULL: x1..xn, unit "1" */
  size_t nstates_rows;
  br_class cls; /* .duhem is set to generalized unless it says semilinear */
  int substeps; /* RK4 steps per step(), 1..BR_DUHEM_MAX_SUBSTEPS; 0 means 1 */
} br_duhem;

/* What br_model's function pointers need: one set per br_duhem, written by BR_DUHEM_DEFINE. */
typedef struct {
  void (*defaults)(void *par);
  br_status (*check)(const void *par, br_err *err);
  size_t (*nstate)(const void *par);
  void (*classify)(const void *par, br_class *c);
  int (*passive)(const void *par);
  br_rate_fn *rate;
  br_force_fn *force;
  br_step_fn *step;
  double (*energy)(const void *par, double n, const double *u, const double *z);
} br_duhem_hooks;

/* Fill *out.  Returns BR_OK or BR_E_ARG (err names what is missing or too large). */
BR_TRY br_status br_duhem_model(const br_duhem *d, const br_duhem_hooks *hooks, br_model *out, br_err *err);

/* Is g positively homogeneous at par?  Tries scales from 1e-6 to 1e6 in both directions to a relative 1e-12:
 * 0 disproves it, 1 is strong evidence. */
BR_API int br_duhem_homogeneous(const br_duhem *d, const double *par);

/* A face that describes this kind of model (name, states, class) for listings.  It has no equations: rate,
 * force and step are NULL. */
BR_API const br_model *br_duhem_info(void);

/* The bodies behind the hooks. */
BR_API void br_duhem_defaults(const br_duhem *d, void *par);
BR_TRY br_status br_duhem_check(const br_duhem *d, const void *par, br_err *err);
BR_API void br_duhem_classify(const br_duhem *d, br_class *c);
BR_API void br_duhem_rate(const br_duhem *d, const void *par, const double *u, const double *v,
                          const double *z, double *dz);
BR_API void br_duhem_step(const br_duhem *d, const void *par, const double *u, const double *v, double h,
                          double *z);

/* Wrappers that carry the address of `d` (a static br_duhem), and d_model() that fills a br_model from
 * them. */
#define BR_DUHEM_DEFINE(d)                                                                               \
  static void d##_defaults(void *par) { br_duhem_defaults(&d, par); }                                    \
  static br_status d##_check(const void *par, br_err *err) { return br_duhem_check(&d, par, err); }      \
  static size_t d##_nstate(const void *par) { return (void)par, d.n; }                                   \
  static void d##_classify(const void *par, br_class *c) { (void)par, br_duhem_classify(&d, c); }        \
  static int d##_passive(const void *par) { return d.passive ? d.passive((const double *)par) : 0; }     \
  static void d##_rate(const void *par, double n, const double *u, const double *v, const double *z,     \
                       double *dz)                                                                       \
  {                                                                                                      \
    (void)n, br_duhem_rate(&d, par, u, v, z, dz);                                                        \
  }                                                                                                      \
  static void d##_force(const void *par, double n, const double *u, const double *v, const double *z,    \
                        const double *dz, double *F)                                                     \
  {                                                                                                      \
    (void)v, (void)dz, *F = n * d.h((const double *)par, z, *u);                                         \
  }                                                                                                      \
  static void d##_step(const void *par, double n, const double *u, const double *v, double h, double *z) \
  {                                                                                                      \
    (void)n, br_duhem_step(&d, par, u, v, h, z);                                                         \
  }                                                                                                      \
  static double d##_energy(const void *par, double n, const double *u, const double *z)                  \
  {                                                                                                      \
    return d.energy ? n * d.energy((const double *)par, z, *u) : 0.0;                                    \
  }                                                                                                      \
  static br_status d##_model(br_model *out, br_err *err)                                                 \
  {                                                                                                      \
    static const br_duhem_hooks hooks = {d##_defaults, d##_check, d##_nstate, d##_classify, d##_passive, \
                                         d##_rate,     d##_force, d##_step,   d##_energy};               \
    return br_duhem_model(&d, &hooks, out, err);                                                         \
  }

BR_C_END
#endif
