/* SPDX-License-Identifier: Apache-2.0
 * longdraw.h - random elements of every model with one axis, parameters over decades, and their laws for
 * longref.h. */
#ifndef TEST_LONGDRAW_H
#define TEST_LONGDRAW_H
#include "bristle/expr.h"
#include "longref.h"
#include "loopkit.h"

enum { LD_TEXT = 512 };

/* What was drawn: the element, and of formulas the numbers in them. */
typedef struct {
  element e;
  double size;    /* path over which the model forgets, m */
  double vs;      /* telling speed, m/s; 0: only the path counts */
  law formula;    /* duhem: the law that the formulas spell */
  double knee, f; /* lugre_expr: f(v) = f tanh(v / knee) + sigma2 v */
} drawn;

static inline double decades(rng *r, double lo, double hi) { return pow(10, rng_range(r, lo, hi)); }

static inline void put(element *e, const char *name, double x)
{
  e->par[br_model_param(e->m, name)->slot] = x;
}

static inline void put_list(element *e, const char *name, size_t n, const double *x)
{
  const br_param *row = br_model_param(e->m, name);
  memcpy(e->par + row->slot, x, n * sizeof *x);
  e->par[row->len_slot] = (double)n;
}

static inline void put_formula(element *e, const char *name, const char *text)
{
  const br_param *row = br_model_param(e->m, name);
  size_t n = 0;
  br_err err;
  if (br_expr_compile(text, strlen(text), row->choices + 1, row->max_len, e->par + row->slot, &n, &err))
    fail_msg("%s = %s: %s", name, text, err.msg);
  e->par[row->len_slot] = (double)n;
}

static inline ld get(const drawn *d, const char *name) { return element_get(&d->e, name); }
static inline ld get_at(const drawn *d, const char *name, size_t i)
{
  return d->e.par[br_model_param(d->e.m, name)->slot + i];
}

/* ---- draws ---- */

static inline double draw_stribeck(rng *r, element *e)
{
  const double Fc = decades(r, -1, 1);
  put(e, "Fc", Fc);
  put(e, "Fs", Fc * rng_range(r, 1, 2.5));
  put(e, "vs", decades(r, -4, 0));
  put(e, "delta", decades(r, -2, 1));
  put(e, "sigma2", rng_range(r, 0, 1));
  return element_get(e, "Fs");
}

static inline double draw_elements(rng *r, element *e)
{
  double k[8], x[8], sum = 0;
  const int gms = strcmp(e->m->name, "gms") == 0;
  const size_t n = 1 + (size_t)rng_range(r, 0, 8);
  const double Fs = gms ? draw_stribeck(r, e) : 1, size = decades(r, -4, 0);
  for (size_t i = 0; i < n; i++) k[i] = decades(r, -1, 1), x[i] = rng_range(r, 0.05, 1), sum += x[i];
  for (size_t i = 0; i < n; i++) {
    if (gms) x[i] /= sum, k[i] *= Fs / size;
    else x[i] *= size;
  }
  put_list(e, "k", n, k);
  put_list(e, gms ? "alpha" : "Delta", n, x);
  return size;
}

/* n x n with eigenvalues of negative real part: a diagonal, or blocks that turn; then mixed a little. */
static inline void draw_matrix(rng *r, size_t n, double size, double *A)
{
  const int turns = rng_unit(r) < 0.5;
  for (size_t i = 0; i < n * n; i++) A[i] = 0;
  for (size_t i = 0; i < n; i++) {
    A[i * n + i] = -rng_range(r, 0.5, 3) / size;
    for (size_t j = 0; j < i; j++) A[i * n + j] = rng_range(r, -0.3, 0.3) / size;
    if (turns && i % 2 == 1) {
      A[i * n + i] = A[(i - 1) * n + i - 1];
      A[(i - 1) * n + i] = rng_range(r, 1, 10) / size;
      A[i * n + i - 1] = -A[(i - 1) * n + i];
    }
  }
}

static inline double draw_semilinear(rng *r, element *e)
{
  double A[25], v[5];
  const size_t n = 1 + (size_t)rng_range(r, 0, 5);
  const double size = decades(r, -2, 0);
  static const char *const lists[] = {"Bp", "Bm", "Ep", "Em", "C"};
  for (int back = 0; back < 2; back++) {
    draw_matrix(r, n, size, A);
    for (size_t i = 0; back && i < n * n; i++) A[i] = -A[i];
    put_list(e, back ? "Am" : "Ap", n * n, A);
  }
  for (size_t l = 0; l < 5; l++) {
    for (size_t i = 0; i < n; i++) v[i] = rng_range(r, 0.3, 1) / (l < 2 ? 3 * size * size : l < 4 ? size : 1);
    put_list(e, lists[l], n, v);
  }
  put(e, "n", (double)n);
  return size;
}

static inline double draw_bristle(rng *r, element *e)
{
  const double Fs = draw_stribeck(r, e), s0 = Fs * decades(r, 0, 4);
  put(e, "sigma0", s0);
  put(e, "sigma1", s0 * element_get(e, "vs") * decades(r, -6, -4));
  if (br_model_param(e->m, "z_ba")) put(e, "z_ba", element_get(e, "Fc") / s0 * rng_range(r, 0.1, 0.95));
  return Fs / s0;
}

static inline double draw_exponent(rng *r)
{
  return rng_unit(r) < 0.3 ? 1 + floor(rng_range(r, 0, 3)) : decades(r, -0.5, 1);
}

static inline double draw_bouc_wen(rng *r, element *e)
{
  const double beta = decades(r, -1.5, 1), eta = draw_exponent(r);
  put(e, "eta", eta);
  put(e, "beta", beta);
  put(e, "gamma", beta * (rng_unit(r) < 0.3 ? 1 : rng_range(r, -0.95, 3)));
  if (br_model_param(e->m, "vs")) {
    put(e, "vs", decades(r, -4, 0));
    put(e, "g0", decades(r, -1, 1));
    put(e, "Ts", decades(r, -4, -1));
    return 1;
  }
  if (br_model_param(e->m, "phi")) put(e, "phi", 0); /* its law is then that of bouc_wen */
  put(e, "A", decades(r, -1, 1));
  put(e, "uy", decades(r, -4, 0));
  put(e, "kappa", rng_unit(r) < 0.5 ? 0 : rng_range(r, 0, 0.5));
  return element_get(e, "uy");
}

/* ---- formulas ---- */

static inline double spell_linear(rng *r, drawn *d)
{
  static const char *const f[2][2] = {{"f11", "f12"}, {"f21", "f22"}};
  lr_linear *k = &d->formula.lin;
  const size_t n = k->n = d->formula.n = 1 + (size_t)rng_range(r, 0, 2);
  const double size = decades(r, -2, 0);
  d->formula.kind = LR_BY_MATRIX;
  for (int back = 0; back < 2; back++)
    for (size_t i = 0; i < n; i++) {
      double a[2] = {0, 0};
      const double b = rng_range(r, 0.1, 0.3) / size / size, c = rng_range(r, 0.3, 1) / size;
      char text[LD_TEXT];
      for (size_t j = 0; j <= i; j++) {
        a[j] = (back ? 1 : -1) * (i == j ? rng_range(r, 0.5, 3) : rng_range(r, -0.3, 0.3)) / size;
        k->A[back][i * n + j] = a[j];
      }
      k->B[back][i] = b, k->E[back][i] = c;
      (void)snprintf(text, sizeof text,
                     n > 1 ? "(%.17g)*x1+(%.17g)*u+%.17g+(%.17g)*x2" : "(%.17g)*x+(%.17g)*u+%.17g", a[0], b,
                     c, a[1]);
      put_formula(&d->e, f[i][back], text);
    }
  for (size_t i = 0; i < n; i++) k->C[i] = 1;
  put_formula(&d->e, "h", n > 1 ? "x1+x2" : "x");
  return size;
}

static inline void spell_power(rng *r, drawn *d, double size)
{
  const double beta = decades(r, -1, 0), gam = beta * rng_range(r, -0.9, 1), eta = draw_exponent(r);
  const ld top = powl(1 / ((ld)beta + gam), 1 / (ld)eta);
  d->formula.kind = LR_BY_BRANCH, d->formula.n = 1;
  d->formula.branch[0] = (lr_branch){.shape = LR_POWER,
                                     .rate = 1 / (size * top),
                                     .p = eta,
                                     .c = ((ld)gam - beta) / ((ld)gam + beta),
                                     .spring = top};
  for (int back = 0; back < 2; back++) {
    char text[LD_TEXT];
    (void)snprintf(text, sizeof text, "(1-abs(x)^%.17g*(%s%.17g*sign(x)+(%.17g)))/%.17g", eta,
                   back ? "-" : "", beta, gam, size);
    put_formula(&d->e, back ? "f12" : "f11", text);
  }
}

static inline void spell_hodgdon(rng *r, drawn *d, double size)
{
  const double a = rng_range(r, 0.5, 5) / size, p = decades(r, -1, 1), q = p * rng_range(r, 0, 2) / size,
               l = size * decades(r, -1, 1);
  d->formula.kind = LR_BY_HODGDON, d->formula.n = 1;
  d->formula.hod = (lr_hodgdon){a, p, q, l};
  for (int back = 0; back < 2; back++) {
    char text[LD_TEXT];
    (void)snprintf(text, sizeof text, "%s%.17g*(%.17g*tanh(u/%.17g)-x)+%.17g", back ? "-" : "", a, p, l, q);
    put_formula(&d->e, back ? "f12" : "f11", text);
  }
}

static inline double draw_duhem(rng *r, drawn *d)
{
  const double which = rng_unit(r), size = decades(r, -3, 0);
  if (which < 0.3) return spell_linear(r, d);
  if (which < 0.7) spell_power(r, d, size);
  else spell_hodgdon(r, d, size);
  return size;
}

static inline double draw_lugre_expr(rng *r, drawn *d)
{
  char text[LD_TEXT];
  const double size = draw_bristle(r, &d->e);
  const double Fc = (double)get(d, "Fc"), Fs = (double)get(d, "Fs"), vs = (double)get(d, "vs");
  d->f = decades(r, -2, 0), d->knee = vs * decades(r, -1, 1);
  (void)snprintf(text, sizeof text, "%.17g+%.17g*exp(-abs(v/%.17g)^%.17g)", Fc, Fs - Fc, vs,
                 (double)get(d, "delta"));
  put_formula(&d->e, "g", text);
  (void)snprintf(text, sizeof text, "%.17g*tanh(v/%.17g)+%.17g*v", d->f, d->knee, (double)get(d, "sigma2"));
  put_formula(&d->e, "f", text);
  return size;
}

static inline double draw_karnopp(rng *r, element *e)
{
  const double Fc = decades(r, -1, 1);
  put(e, "Fc", Fc);
  put(e, "Fs", Fc * rng_range(r, 1, 2.5));
  put(e, "dv", decades(r, -5, 0));
  put(e, "sigma2", rng_range(r, 0, 1));
  return 1;
}

static inline double draw_simple(rng *r, element *e)
{
  if (strcmp(e->m->name, "dahl") == 0) {
    put(e, "gamma", rng_unit(r) < 0.2 ? floor(rng_range(r, 0, 4)) : rng_range(r, 0, 4));
    put(e, "sigma0", decades(r, -1, 4));
    put(e, "Fc", decades(r, -1, 1));
    return element_get(e, "Fc") / element_get(e, "sigma0");
  }
  put(e, "eps", decades(r, -5, 0));
  put(e, "eta", decades(r, -3, -0.05));
  put(e, "f2", rng_range(r, 0, 2.9));
  return element_get(e, "eps");
}

static inline void draw(rng *r, const char *name, drawn *d)
{
  br_err err;
  memset(d, 0, sizeof *d);
  d->e.m = br_all_models_find(name);
  if (!d->e.m || d->e.m->slots > LK_SLOTS) fail_msg("no model %s, or it is too large", name);
  element *e = &d->e;
  e->m->defaults(e->par);
  if (strcmp(name, "duhem") == 0) d->size = draw_duhem(r, d);
  else if (strcmp(name, "lugre_expr") == 0) d->size = draw_lugre_expr(r, d);
  else if (strcmp(name, "coulomb") == 0) d->size = draw_stribeck(r, e);
  else if (strcmp(name, "karnopp") == 0) d->size = draw_karnopp(r, e);
  else if (br_model_param(e->m, "k")) d->size = draw_elements(r, e);
  else if (br_model_param(e->m, "Ap")) d->size = draw_semilinear(r, e);
  else if (br_model_param(e->m, "sigma1")) d->size = draw_bristle(r, e);
  else if (br_model_param(e->m, "beta")) d->size = draw_bouc_wen(r, e);
  else d->size = draw_simple(r, e);
  d->vs = br_model_param(e->m, "vs")   ? element_get(e, "vs")
          : br_model_param(e->m, "dv") ? element_get(e, "dv")
                                       : 0;
  if (e->m->check(e->par, &err)) fail_msg("%s", err.msg);
  e->m->prepare(e->par);
}

/* ---- laws; speed 0: the limit v -> 0 ---- */

static inline ld level(const drawn *d, ld speed)
{
  const ld Fc = get(d, "Fc"), dF = get(d, "Fs") - Fc;
  return Fc + (speed > 0 ? dF * expl(-powl(speed / get(d, "vs"), get(d, "delta"))) : dF);
}

static inline law law_of_elements(const drawn *d, ld speed)
{
  law k = {.kind = LR_BY_ELEMENTS, .n = d->e.m->nstate(d->e.par)};
  const int gms = strcmp(d->e.m->name, "gms") == 0;
  for (size_t i = 0; i < k.n; i++) {
    k.k[i] = get_at(d, "k", i);
    k.x[i] = gms ? get_at(d, "alpha", i) * level(d, speed) / k.k[i] : get_at(d, "Delta", i);
  }
  k.dry = gms ? get(d, "sigma2") * speed : 0;
  return k;
}

static inline law law_of_matrices(const drawn *d)
{
  law k = {.kind = LR_BY_MATRIX, .n = d->e.m->nstate(d->e.par)};
  k.lin.n = k.n, k.lin.D = get(d, "D");
  for (size_t i = 0; i < k.n; i++) {
    k.lin.B[0][i] = get_at(d, "Bp", i), k.lin.B[1][i] = get_at(d, "Bm", i);
    k.lin.E[0][i] = get_at(d, "Ep", i), k.lin.E[1][i] = get_at(d, "Em", i);
    k.lin.C[i] = get_at(d, "C", i);
  }
  for (size_t i = 0; i < k.n * k.n; i++)
    k.lin.A[0][i] = get_at(d, "Ap", i), k.lin.A[1][i] = get_at(d, "Am", i);
  return k;
}

/* LuGre, elastoplastic or with formulas: a bristle that settles at g / sigma0. */
static inline law law_of_bristle(const drawn *d, ld speed)
{
  const ld g = level(d, speed), s0 = get(d, "sigma0");
  law k = {.kind = LR_BY_BRANCH, .n = 1};
  const int elastic = br_model_param(d->e.m, "z_ba") != NULL;
  k.branch[0] = (lr_branch){.shape = elastic ? LR_ELASTIC : LR_DAHL,
                            .rate = s0 / g,
                            .p = elastic ? get(d, "z_ba") * s0 / g : 1,
                            .spring = g,
                            .damp = get(d, "sigma1") * speed};
  k.dry = get(d, "sigma2") * speed + (d->knee > 0 ? d->f * tanhl(speed / d->knee) : 0);
  return k;
}

/* dz/drho = a (A - q |z|^eta (beta sgn + gamma)), the force `scale` times z and `damp` times the bracket. */
static inline law law_of_power(const drawn *d, ld a, ld A, ld q, ld scale, ld damp)
{
  const ld beta = get(d, "beta"), gam = get(d, "gamma"), eta = get(d, "eta");
  const ld top = powl(A / (q * (beta + gam)), 1 / eta);
  law k = {.kind = LR_BY_BRANCH, .n = 1};
  k.branch[0] = (lr_branch){.shape = LR_POWER,
                            .rate = a * A / top,
                            .p = eta,
                            .c = (gam - beta) / (gam + beta),
                            .spring = scale * top,
                            .damp = damp * A};
  return k;
}

static inline law law_of(const drawn *d, double speed)
{
  const char *name = d->e.m->name;
  law k = {.kind = LR_BY_BRANCH};
  if (strcmp(name, "duhem") == 0) return d->formula;
  if (br_model_param(d->e.m, "k")) return law_of_elements(d, speed);
  if (br_model_param(d->e.m, "Ap")) return law_of_matrices(d);
  if (br_model_param(d->e.m, "sigma1")) return law_of_bristle(d, speed);
  if (strncmp(name, "bouc_wen", 8) == 0) { /* without lean and losses all are one */
    const ld uy = get(d, "uy"), kap = get(d, "kappa"), fp = get(d, "fp");
    k = law_of_power(d, 1 / uy, get(d, "A"), 1, fp * (1 - kap), 0);
    k.stiff = fp * kap / uy;
  } else if (strcmp(name, "duhem_lugre") == 0) {
    const ld w = speed / get(d, "vs"), g0 = get(d, "g0"), F = get(d, "fc") * powl(g0, 1 / get(d, "eta"));
    k = law_of_power(d, 1, 1, g0 / (1 + expl(-w * w)), F, F * get(d, "Ts") * speed);
  } else if (strcmp(name, "dahl") == 0) {
    k.n = 1;
    k.branch[0] = (lr_branch){.shape = LR_DAHL,
                              .rate = get(d, "sigma0") / get(d, "Fc"),
                              .p = get(d, "gamma"),
                              .spring = get(d, "Fc")};
  } else if (strcmp(name, "bliman_sorine") == 0) {
    const ld eps = get(d, "eps");
    k.n = 2;
    k.branch[0] =
        (lr_branch){.shape = LR_DAHL, .rate = 1 / (get(d, "eta") * eps), .p = 1, .spring = get(d, "f1")};
    k.branch[1] = (lr_branch){.shape = LR_DAHL, .rate = 1 / eps, .p = 1, .spring = -get(d, "f2")};
  } else if (strcmp(name, "coulomb") == 0) {
    k.dry = level(d, speed) + get(d, "sigma2") * speed;
  } else if (strcmp(name, "karnopp") == 0) {
    k.dry = get(d, "Fc") + get(d, "sigma2") * speed;
  } else {
    fail_msg("no reference for %s", name);
  }
  return k;
}
#endif
