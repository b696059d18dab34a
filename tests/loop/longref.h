/* SPDX-License-Identifier: Apache-2.0
 * longref.h - loops once more, in long double and from the equations of the models' READMEs: the independent
 * way that works, gaps and errors of the library are held against.  Elements and exponentials in closed form,
 * the others by Fehlberg's method of order 8.  No function of the library takes part. */
#ifndef TEST_LONGREF_H
#define TEST_LONGREF_H
#include "loopkit.h"

typedef long double ld;
enum { LR_STATES = 64, LR_POINTS = 64 };

typedef struct law law;
struct law {
  const element *e;
  ld speed;             /* m/s; 0: quasi-static */
  size_t n;             /* states */
  ld g;                 /* level at this speed, N */
  const char *names[7]; /* parameters at hand without a search */
  ld c[7];
  void (*arc)(const law *k, ld u, ld s, ld L, ld *z, ld *work); /* z at the end; adds the work */
  void (*rate)(const law *k, ld u, ld s, const ld *z, ld *dz);  /* dz/drho, for arcs by Runge-Kutta */
  ld (*force)(const law *k, ld u, ld s, const ld *z);           /* N */
};

static inline ld lr_get(const law *k, const char *name)
{
  for (int i = 0; i < 7 && k->names[i]; i++)
    if (strcmp(k->names[i], name) == 0) return k->c[i];
  return element_get(k->e, name);
}
static inline ld lr_at(const law *k, const char *name, size_t i)
{
  return k->e->par[br_model_param(k->e->m, name)->slot + i];
}

static inline ld lr_level(const law *k)
{
  const ld Fc = lr_get(k, "Fc"), dF = (ld)lr_get(k, "Fs") - Fc;
  return Fc + (k->speed > 0 ? dF * expl(-powl(k->speed / lr_get(k, "vs"), lr_get(k, "delta"))) : dF);
}

/* ---- dahl: w = 1 - s F / Fc obeys dw/dx = -w^gamma, x = sigma0 rho / Fc ---- */

static inline void lr_dahl_arc(const law *k, ld u, ld s, ld L, ld *z, ld *work)
{
  const ld Fc = lr_get(k, "Fc"), c = lr_get(k, "sigma0") / Fc, gam = lr_get(k, "gamma"), x = c * L;
  const ld w0 = 1 - s * z[0] / Fc, m = gam - 1;
  ld l, sum; /* log(w0/w1); integral of w dx */
  (void)u;
  if (w0 <= 0) {
    l = 0, sum = w0 * x;
  } else if (fabsl(m) < 1e-12L) {
    l = x, sum = -w0 * expm1l(-x);
  } else { /* w1^-m = w0^-m + m x */
    const ld used = m * x * powl(w0, m);
    l = used > -1 ? log1pl(used) / m : (ld)INFINITY;
    sum = gam == 2 ? l : -powl(w0, 1 - m) * expm1l(-(1 - m) * l) / (1 - m);
  }
  *work += Fc * L - Fc * sum / c; /* F du = s F drho */
  z[0] -= s * Fc * w0 * expm1l(-l);
}
static inline ld lr_dahl_force(const law *k, ld u, ld s, const ld *z)
{
  return (void)k, (void)u, (void)s, z[0];
}

/* ---- lugre: exponential towards g / sigma0 ---- */

static inline void lr_lugre_arc(const law *k, ld u, ld s, ld L, ld *z, ld *work)
{
  const ld s0 = lr_get(k, "sigma0"), a = s0 / k->g, end = s / a, m = -expm1l(-a * L), before = z[0];
  (void)u;
  z[0] = before + (end - before) * m;
  *work += s * (s0 * (end * L + (before - end) * m / a) + lr_get(k, "sigma1") * k->speed * (z[0] - before)) +
           lr_get(k, "sigma2") * k->speed * L;
}
static inline ld lr_lugre_force(const law *k, ld u, ld s, const ld *z)
{
  const ld s0 = lr_get(k, "sigma0");
  (void)u;
  return s0 * z[0] + lr_get(k, "sigma1") * k->speed * (s - s0 / k->g * z[0]) +
         s * lr_get(k, "sigma2") * k->speed;
}

/* ---- bliman_sorine: two exponentials ---- */

static inline void lr_bliman_arc(const law *k, ld u, ld s, ld L, ld *z, ld *work)
{
  const ld eps = lr_get(k, "eps"), path[2] = {lr_get(k, "eta") * eps, eps};
  const ld end[2] = {s * lr_get(k, "f1"), -s * lr_get(k, "f2")};
  (void)u;
  for (int i = 0; i < 2; i++) {
    const ld m = -expm1l(-L / path[i]), before = z[i];
    z[i] = before + (end[i] - before) * m;
    *work += s * (end[i] * L + (before - end[i]) * m * path[i]);
  }
}
static inline ld lr_bliman_force(const law *k, ld u, ld s, const ld *z)
{
  return (void)k, (void)u, (void)s, z[0] + z[1];
}

/* ---- elements: a spring up to its limit, then a constant ---- */

static inline ld lr_limit(const law *k, size_t i)
{
  return strcmp(k->e->m->name, "gms") == 0 ? lr_at(k, "alpha", i) * k->g / lr_at(k, "k", i)
                                           : lr_at(k, "Delta", i);
}
static inline ld lr_viscous(const law *k)
{
  return strcmp(k->e->m->name, "maxwell_slip") == 0 ? 0 : lr_get(k, "sigma2") * k->speed;
}
static inline void lr_elements_arc(const law *k, ld u, ld s, ld L, ld *z, ld *work)
{
  (void)u;
  for (size_t i = 0; i < k->n; i++) {
    const ld limit = s * lr_limit(k, i), free = fminl(L, s * (limit - z[i])), stiff = lr_at(k, "k", i);
    *work += s * stiff * (z[i] + s * free / 2) * free;
    if (free < L) *work += s * stiff * limit * (L - free);
    z[i] = free < L ? limit : z[i] + s * free;
  }
  *work += lr_viscous(k) * L;
}
static inline ld lr_elements_force(const law *k, ld u, ld s, const ld *z)
{
  ld sum = s * lr_viscous(k);
  (void)u;
  for (size_t i = 0; i < k->n; i++) sum += lr_at(k, "k", i) * z[i];
  return sum;
}

/* ---- static maps ---- */

static inline ld lr_static_force(const law *k, ld u, ld s, const ld *z)
{
  (void)u, (void)z;
  return s * (k->g + lr_get(k, "sigma2") * k->speed);
}
static inline void lr_static_arc(const law *k, ld u, ld s, ld L, ld *z, ld *work)
{
  *work += s * lr_static_force(k, u, s, z) * L;
}

/* ---- rates for Runge-Kutta ---- */

/* x^e, x >= 0; a third of the time of powl(), and good to some 1e-18. */
static inline ld lr_power(ld x, ld e) { return x > 0 ? expl(e * logl(x)) : 0; }

static inline void lr_bouc_wen_rate(const law *k, ld u, ld s, const ld *z, ld *dz)
{
  const ld sign = s * z[0] > 0 ? 1 : -1;
  (void)u;
  dz[0] = s / lr_get(k, "uy") *
          (lr_get(k, "A") -
           lr_power(fabsl(z[0]), lr_get(k, "eta")) * (lr_get(k, "beta") * sign + lr_get(k, "gamma")));
}
static inline ld lr_bouc_wen_force(const law *k, ld u, ld s, const ld *z)
{
  const ld kap = lr_get(k, "kappa");
  (void)s;
  return lr_get(k, "fp") * ((1 - kap) * z[0] + kap * u / lr_get(k, "uy"));
}

static inline void lr_duhem_lugre_rate(const law *k, ld u, ld s, const ld *z, ld *dz)
{
  const ld sign = s * z[0] > 0 ? 1 : -1, w = k->speed / lr_get(k, "vs"),
           q = lr_get(k, "g0") / (1 + expl(-w * w));
  (void)u;
  dz[0] =
      s * (1 - lr_power(fabsl(z[0]), lr_get(k, "eta")) * (lr_get(k, "beta") * sign + lr_get(k, "gamma")) * q);
}
static inline ld lr_duhem_lugre_force(const law *k, ld u, ld s, const ld *z)
{
  ld dz;
  lr_duhem_lugre_rate(k, u, s, z, &dz);
  return lr_get(k, "fc") * powl(lr_get(k, "g0"), 1 / lr_get(k, "eta")) *
         (z[0] + lr_get(k, "Ts") * k->speed * dz);
}

static inline void lr_elastoplastic_rate(const law *k, ld u, ld s, const ld *z, ld *dz)
{
  const ld xm = k->g / lr_get(k, "sigma0"), xb = lr_get(k, "z_ba"), x = s * z[0], pi = acosl(-1.0L);
  const ld mid = (1 + sinl(pi * (x - (xm + xb) / 2) / (xm - xb))) / 2;
  (void)u;
  dz[0] = s * (1 - (x <= xb ? 0 : x >= xm ? 1 : mid) * x / xm);
}
static inline ld lr_elastoplastic_force(const law *k, ld u, ld s, const ld *z)
{
  ld dz;
  lr_elastoplastic_rate(k, u, s, z, &dz);
  return lr_get(k, "sigma0") * z[0] + k->speed * (lr_get(k, "sigma1") * dz + s * lr_get(k, "sigma2"));
}

static inline void lr_semilinear_rate(const law *k, ld u, ld s, const ld *z, ld *dz)
{
  const char *A = s > 0 ? "Ap" : "Am", *B = s > 0 ? "Bp" : "Bm", *E = s > 0 ? "Ep" : "Em";
  for (size_t i = 0; i < k->n; i++) {
    dz[i] = lr_at(k, B, i) * u + lr_at(k, E, i);
    for (size_t j = 0; j < k->n; j++) dz[i] += lr_at(k, A, i * k->n + j) * z[j];
    dz[i] *= s;
  }
}
static inline ld lr_semilinear_force(const law *k, ld u, ld s, const ld *z)
{
  ld sum = lr_get(k, "D") * u;
  (void)s;
  for (size_t i = 0; i < k->n; i++) sum += lr_at(k, "C", i) * z[i];
  return sum;
}

/* ---- Fehlberg of order 8, states and work ---- */

static inline void lr_slope(const law *k, ld u, ld s, ld r, const ld *x, ld *dx)
{
  k->rate(k, u + s * r, s, x, dx);
  dx[k->n] = s * k->force(k, u + s * r, s, x);
}

static inline void lr_stages(const law *k, ld u, ld s, ld r, ld h, const ld *x, ld K[13][LR_STATES + 1])
{
  static const ld c[13] = {0,        2.0L / 27, 1.0L / 9, 1.0L / 6, 5.0L / 12, 0.5L, 5.0L / 6,
                           1.0L / 6, 2.0L / 3,  1.0L / 3, 1,        0,         1};
  static const ld a[13][12] = {
      {0},
      {2.0L / 27},
      {1.0L / 36, 1.0L / 12},
      {1.0L / 24, 0, 1.0L / 8},
      {5.0L / 12, 0, -25.0L / 16, 25.0L / 16},
      {1.0L / 20, 0, 0, 1.0L / 4, 1.0L / 5},
      {-25.0L / 108, 0, 0, 125.0L / 108, -65.0L / 27, 125.0L / 54},
      {31.0L / 300, 0, 0, 0, 61.0L / 225, -2.0L / 9, 13.0L / 900},
      {2, 0, 0, -53.0L / 6, 704.0L / 45, -107.0L / 9, 67.0L / 90, 3},
      {-91.0L / 108, 0, 0, 23.0L / 108, -976.0L / 135, 311.0L / 54, -19.0L / 60, 17.0L / 6, -1.0L / 12},
      {2383.0L / 4100, 0, 0, -341.0L / 164, 4496.0L / 1025, -301.0L / 82, 2133.0L / 4100, 45.0L / 82,
       45.0L / 164, 18.0L / 41},
      {3.0L / 205, 0, 0, 0, 0, -6.0L / 41, -3.0L / 205, -3.0L / 41, 3.0L / 41, 6.0L / 41, 0},
      {-1777.0L / 4100, 0, 0, -341.0L / 164, 4496.0L / 1025, -289.0L / 82, 2193.0L / 4100, 51.0L / 82,
       33.0L / 164, 12.0L / 41, 0, 1}};
  for (int i = 0; i < 13; i++) {
    ld y[LR_STATES + 1];
    for (size_t q = 0; q <= k->n; q++) {
      y[q] = x[q];
      for (int j = 0; j < i; j++) y[q] += h * a[i][j] * K[j][q];
    }
    lr_slope(k, u, s, r + c[i] * h, y, K[i]);
  }
}

/* One step of order 8. */
static inline void lr_step(const law *k, ld u, ld s, ld r, ld h, const ld *x, ld *next)
{
  static const ld b[13] = {0,         0,          0,          0, 0,           34.0L / 105, 9.0L / 35,
                           9.0L / 35, 9.0L / 280, 9.0L / 280, 0, 41.0L / 840, 41.0L / 840};
  ld K[13][LR_STATES + 1];
  lr_stages(k, u, s, r, h, x, K);
  for (size_t q = 0; q <= k->n; q++) {
    next[q] = x[q];
    for (int j = 0; j < 13; j++) next[q] += h * b[j] * K[j][q];
  }
}

/* Two halves against the whole: the pair's own estimate looks at the ends only, and misses a kink between. */
static inline void lr_runge_kutta_arc(const law *k, ld u, ld s, ld L, ld *z, ld *work)
{
  ld x[LR_STATES + 1], top[LR_STATES], r = 0, h = L / 64;
  memcpy(x, z, k->n * sizeof *x);
  for (size_t q = 0; q < k->n; q++) top[q] = fabsl(z[q]);
  x[k->n] = 0;
  while (r < L) {
    ld worst = 0, whole[LR_STATES + 1], half[LR_STATES + 1], next[LR_STATES + 1];
    if (r + h > L) h = L - r;
    lr_step(k, u, s, r, h, x, whole);
    lr_step(k, u, s, r, h / 2, x, half);
    lr_step(k, u, s, r + h / 2, h / 2, half, next);
    for (size_t q = 0; q < k->n; q++)
      worst = fmaxl(worst, fabsl(next[q] - whole[q]) / (fmaxl(top[q], fabsl(next[q])) + 1e-300L) / 1e-16L);
    if (worst <= 1 || h <= 1e-18L * L + 1e-19L * r) {
      r = h == L - r ? L : r + h;
      memcpy(x, next, (k->n + 1) * sizeof *x);
      for (size_t q = 0; q < k->n; q++) top[q] = fmaxl(top[q], fabsl(x[q]));
    }
    h *= worst == worst ? fminl(4, fmaxl(0.1L, 0.9L * powl(worst + 1e-30L, -1.0L / 9))) : 0.1L;
  }
  memcpy(z, x, k->n * sizeof *x);
  *work += x[k->n];
}

/* ---- the law of an element, the loop, its sums ---- */

static inline law lr_law(const element *e, double speed)
{
  static const struct {
    const char *name;
    law k;
  } all[] = {
      {"dahl", {.n = 1, .arc = lr_dahl_arc, .force = lr_dahl_force}},
      {"lugre", {.n = 1, .arc = lr_lugre_arc, .force = lr_lugre_force}},
      {"bliman_sorine", {.n = 2, .arc = lr_bliman_arc, .force = lr_bliman_force}},
      {"maxwell_slip", {.arc = lr_elements_arc, .force = lr_elements_force}},
      {"gms", {.arc = lr_elements_arc, .force = lr_elements_force}},
      {"coulomb", {.arc = lr_static_arc, .force = lr_static_force}},
      {"bouc_wen",
       {.n = 1,
        .arc = lr_runge_kutta_arc,
        .rate = lr_bouc_wen_rate,
        .force = lr_bouc_wen_force,
        .names = {"uy", "A", "eta", "beta", "gamma", "kappa", "fp"}}},
      {"duhem_lugre",
       {.n = 1,
        .arc = lr_runge_kutta_arc,
        .rate = lr_duhem_lugre_rate,
        .force = lr_duhem_lugre_force,
        .names = {"vs", "g0", "eta", "beta", "gamma", "fc", "Ts"}}},
      {"lugre_elastoplastic",
       {.n = 1,
        .arc = lr_runge_kutta_arc,
        .rate = lr_elastoplastic_rate,
        .force = lr_elastoplastic_force,
        .names = {"sigma0", "z_ba", "sigma1", "sigma2"}}},
      {"semilinear_duhem",
       {.arc = lr_runge_kutta_arc, .rate = lr_semilinear_rate, .force = lr_semilinear_force}},
  };
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (strcmp(all[i].name, e->m->name) == 0) {
      law k = all[i].k;
      k.e = e, k.speed = speed;
      for (int j = 0; j < 7 && k.names[j]; j++) k.c[j] = element_get(e, k.names[j]);
      if (k.n == 0) k.n = e->m->nstate(e->par);
      if (br_model_param(e->m, "delta")) k.g = lr_level(&k);
      return k;
    }
  fail_msg("no reference for %s", e->m->name);
  return (law){0};
}

typedef struct {
  size_t n;
  double u[LR_POINTS];
  ld z[LR_POINTS + 1][LR_STATES]; /* at the turning points */
  ld work[LR_POINTS + 1];         /* up to them, J */
  ld y[LR_POINTS];                /* N, left limits */
  ld kept;                        /* part of a deviation that a period keeps, as far as seen */
} lr_loop;

static inline ld lr_dir(const lr_loop *R, size_t i) { return R->u[(i + 1) % R->n] > R->u[i] ? 1 : -1; }

static inline void lr_period(const law *k, lr_loop *R, ld *z)
{
  R->work[0] = 0;
  for (size_t i = 0; i < R->n; i++) {
    memcpy(R->z[i], z, k->n * sizeof *z);
    R->work[i + 1] = R->work[i];
    const ld L = fabsl((ld)R->u[(i + 1) % R->n] - R->u[i]);
    k->arc(k, R->u[i], lr_dir(R, i), L, z, &R->work[i + 1]);
    R->y[(i + 1) % R->n] = k->force(k, R->u[(i + 1) % R->n], lr_dir(R, i), z);
  }
  memcpy(R->z[R->n], z, k->n * sizeof *z);
}

/* Gauss for the few states that take part; A is spent. */
static inline void lr_linear(size_t n, ld A[3][3], ld *x)
{
  for (size_t c = 0; c < n; c++) { /* diagonally dominant: 1 - M of a map that contracts */
    for (size_t i = c + 1; i < n; i++) {
      const ld f = A[i][c] / A[c][c];
      for (size_t j = c; j < n; j++) A[i][j] -= f * A[c][j];
      x[i] -= f * x[c];
    }
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t j = i + 1; j < n; j++) x[i] -= A[i][j] * x[j];
    x[i] /= A[i][i];
  }
}

/* Newton's step from z with P(z) = p; *kept: largest part of a deviation that a period keeps. */
static inline void lr_newton(const law *k, lr_loop *R, const ld *z, const ld *p, ld size, ld *step)
{
  ld A[3][3];
  R->kept = 0;
  for (size_t j = 0; j < k->n; j++) {
    ld up[LR_STATES], down[LR_STATES];
    memcpy(up, z, sizeof up), memcpy(down, z, sizeof down);
    up[j] += 1e-6L * size, down[j] -= 1e-6L * size;
    lr_period(k, R, up);
    lr_period(k, R, down);
    for (size_t i = 0; i < k->n; i++) A[i][j] = (i == j) - (up[i] - down[i]) / (2e-6L * size);
    R->kept = fmaxl(R->kept, 1 - A[j][j]);
    step[j] = p[j] - z[j];
  }
  lr_linear(k->n, A, step);
  for (size_t j = 0; j < k->n; j++)
    if (!isfinite(step[j]) || R->kept > 1 - 1e-12L)
      step[j] = p[j] - z[j]; /* a deviation that stays: nothing to solve for */
}

/* Steady loop from rest at u = 0. 0: not found. */
static inline int lr_solve(const law *k, size_t n, const double *u, lr_loop *R)
{
  ld z[LR_STATES] = {0}, p[LR_STATES], step[LR_STATES] = {0}, spare = 0;
  R->n = n, R->kept = 0;
  memcpy(R->u, u, n * sizeof *u);
  if (u[0] != 0) k->arc(k, 0, u[0] > 0 ? 1 : -1, fabsl((ld)u[0]), z, &spare);
  lr_period(k, R, z);
  for (int round = 0; round < 14; round++) {
    ld change = 0, size = 0;
    memcpy(p, z, sizeof p);
    lr_period(k, R, p);
    for (size_t i = 0; i < k->n; i++) size = fmaxl(size, fmaxl(fabsl(z[i]), fabsl(p[i])));
    for (size_t i = 0; i < k->n; i++) step[i] = p[i] - z[i];
    if (k->n <= 3 && k->n > 0 && round > 1) lr_newton(k, R, z, p, size, step);
    for (size_t i = 0; i < k->n; i++) z[i] += step[i], change = fmaxl(change, fabsl(step[i]));
    if (change <= (2e-16L + 4e-17L / fmaxl(1e-12L, 1 - R->kept)) * size &&
        (round > 1 || k->n > 3 || change == 0)) {
      lr_period(k, R, z);
      return 1;
    }
  }
  return 0;
}

/* Work of a minor loop of the library's list. */
static inline ld lr_minor(const law *k, const lr_loop *R, const br_minor *m, ld *gap)
{
  size_t j = m->start_reversal;
  ld z[LR_STATES], W = 0, left = (ld)m->rho_end - m->rho_start;
  memcpy(z, R->z[j], sizeof z);
  for (;;) {
    const ld L = fabsl((ld)R->u[(j + 1) % R->n] - R->u[j]), s = lr_dir(R, j);
    const ld part = fabsl((ld)m->u_start - R->u[j]);
    const int last = left <= part * (1 + 1e-9L) && s * (m->u_start - R->u[j]) > 0;
    k->arc(k, R->u[j], s, last ? part : L, z, &W);
    if (last) {
      *gap = k->force(k, m->u_start, s, z) - R->y[m->start_reversal];
      return W;
    }
    left -= L;
    j = (j + 1) % R->n;
  }
}
#endif
