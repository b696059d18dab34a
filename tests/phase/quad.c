/* SPDX-License-Identifier: Apache-2.0
 * quad.c - homoclinic orbits and folds of cycles of the driven block in 34 digits: where the numbers of
 * test_error.c come from.  Not built with the rest (it needs libquadmath):
 *
 *   gcc -O2 tests/phase/quad.c -lquadmath -lm -o quad
 *   ./quad homoclinic KIND SIGMA1 m F Fc Fs vs delta sigma0 sigma2
 *   ./quad fold KIND SIGMA1 T m F Fc Fs vs delta sigma0 sigma2      (minutes)
 *   ./quad cycle KIND SIGMA1 T m F Fc Fs vs delta sigma0 sigma2     sigma1 of the cycle through T alone
 *
 * KIND: upper, lower, lone, large, below (src/phase/branch.h); SIGMA1: about; T: about, the place on the
 * section.  Power series of order 44, shared with nothing; manifolds of the saddle start on the eigenvectors
 * 1e-11 away. */
#include <math.h>
#include <quadmath.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __float128 Q;
enum { N = 44 };
static Q m, F, Fc, dF, vs, delta, s0, s1, s2;
typedef struct {
  Q z[N + 1], v[N + 1], I[N + 1];
} series;
static int n_eq;
static Q eq_v[3], eq_z[3];

static Q dot(const Q *a, const Q *b, int k)
{
  Q s = 0;
  for (int j = 0; j <= k; j++) s += a[j] * b[k - j];
  return s;
}

static void expand(Q z0, Q v0, series *S)
{
  static Q u[N + 1], e[N + 1], g[N + 1], c[N + 1], a[N + 1], ue[N + 1], b[N + 1], q[N + 1], zr[N + 1];
  S->z[0] = z0, S->v[0] = v0, S->I[0] = 0;
  for (int k = 0; k < N; k++) {
    if (k == 0) {
      u[0] = powq(v0 / vs, delta), e[0] = expq(-u[0]);
      g[0] = Fc + dF * e[0], c[0] = 1 / g[0];
    } else {
      Q s = 0, t = 0, w = 0;
      for (int j = 1; j <= k; j++) s += delta * j * S->v[j] * u[k - j];
      for (int j = 1; j < k; j++) s -= j * u[j] * S->v[k - j];
      u[k] = s / (k * v0);
      for (int j = 1; j <= k; j++) t += j * u[j] * e[k - j];
      e[k] = -t / k;
      g[k] = dF * e[k];
      for (int j = 1; j <= k; j++) w += g[j] * c[k - j];
      c[k] = -w / g[0];
    }
    a[k] = dot(S->v, c, k);
    ue[k] = dot(u, e, k);
    b[k] = -delta * dF * dot(ue, c, k);
    q[k] = s0 * dot(S->z, c, k);
    zr[k] = S->v[k] - s0 * dot(a, S->z, k);
    const Q vr = ((k == 0 ? F : 0) - s0 * S->z[k] - s1 * zr[k] - s2 * S->v[k]) / m;
    const Q div = -s0 * a[k] - (s1 * ((k == 0 ? 1 : 0) - q[k] + dot(q, b, k)) + (k == 0 ? s2 : 0)) / m;
    S->z[k + 1] = zr[k] / (k + 1), S->v[k + 1] = vr / (k + 1), S->I[k + 1] = div / (k + 1);
  }
}

static Q at(const Q *c, Q h)
{
  Q x = c[N];
  for (int k = N - 1; k >= 0; k--) x = x * h + c[k];
  return x;
}

static Q line_at(const series *S, Q h) { return s0 * at(S->z, h) + s2 * at(S->v, h) - F; }

/* To L below (high = 0) or above all equilibria; the integral of the divergence on the way. */
static Q run(Q z, Q v, int dir, int high, Q *I)
{
  series S;
  Q side = 0;
  *I = 0;
  for (int step = 0; step < 1500; step++) {
    expand(z, v, &S);
    Q h = 1e30Q;
    for (int k = N - 1; k <= N; k++) {
      const Q r = fmaxq(fabsq(S.z[k] / z), fabsq(S.v[k] / v));
      if (r > 0) h = fminq(h, expq(logq(1e-35Q / r) / k));
    }
    h *= dir;
    const Q rate = s0 * S.z[1] + s2 * S.v[1], l0 = line_at(&S, 0);
    if (step == 0) side = fabsq(l0) < 1e-28Q * F ? dir * rate : l0;
    Q past = 0;
    int hit = 0;
    for (int i = 1; i <= 8 && !hit; i++) {
      const Q t = h * i / 8;
      if (line_at(&S, t) * side < 0 && !(i == 1 && step == 0 && l0 * side < 0)) {
        Q a = past, b = t;
        for (int k = 0; k < 120; k++) {
          const Q x = (a + b) / 2;
          if (line_at(&S, x) * side > 0) a = x;
          else b = x;
        }
        const Q vh = at(S.v, b);
        hit = 1;
        if (high ? vh > eq_v[n_eq - 1] : vh < eq_v[0]) {
          *I += at(S.I, b);
          return vh;
        }
        h = b, side = -side;
      }
      past = t;
    }
    *I += at(S.I, h), z = at(S.z, h), v = at(S.v, h);
    if (!(v > 0) || !(z > 0) || z > 4 * (F + Fc + dF) / s0) return high ? INFINITY : -INFINITY;
  }
  return NAN;
}

static Q excess(Q v) { return Fc + dF * expq(-powq(v / vs, delta)) + s2 * v - F; }

static void equilibria(void)
{
  const int CUTS = 20000;
  Q top = F / s2, last = excess(1e-9Q * vs), va = 1e-9Q * vs;
  for (int i = 1; i <= CUTS; i++) {
    const Q vb = 1e-9Q * vs * expq(logq(top * 1.01Q / (1e-9Q * vs)) * i / CUTS), f = excess(vb);
    if (f * last < 0) {
      Q a = va, b = vb;
      for (int k = 0; k < 130; k++) {
        const Q x = (a + b) / 2;
        if (excess(x) * last > 0) a = x;
        else b = x;
      }
      eq_v[n_eq] = (a + b) / 2, eq_z[n_eq] = (F - s2 * eq_v[n_eq]) / s0, n_eq++;
    }
    last = f, va = vb;
  }
}

enum { UPPER, LOWER, LONE, LARGE, BELOW };
static int kind, high;

static Q gap_of_manifolds(Q sigma1)
{
  s1 = sigma1;
  const int saddle = kind == UPPER ? n_eq - 2 : 1;
  const Q v = eq_v[saddle], z = eq_z[saddle], u = powq(v / vs, delta), e = dF * expq(-u), g = Fc + e,
          gs = -delta * u * e / v, nz = -s0 * v / g, nv = v * gs / g;
  const Q tr = nz - (s1 * nv + s2) / m, det = (s0 * nv - s2 * nz) / m, root = sqrtq(tr * tr / 4 - det);
  const Q lu = tr / 2 + root, ls = det / lu, x = 1e-11Q * z;
  const int up = kind == UPPER || kind == LARGE ? 1 : -1, st = kind == UPPER || kind == BELOW ? 1 : -1;
  Q I;
  const Q a = run(z - up * x, v - up * x * (lu - nz) / nv, 1, high, &I);
  const Q b = run(z - st * x, v - st * x * (ls - nz) / nv, -1, high, &I);
  return b - a;
}

static Q gap_at(Q t, Q sigma1, Q *I)
{
  s1 = sigma1;
  const int focus = kind == UPPER ? n_eq - 1 : 0, base = kind == LONE ? 0 : kind == UPPER ? n_eq - 2 : 1;
  const int chord = kind == UPPER || kind == LOWER;
  const Q dz = chord ? eq_z[focus] - eq_z[base] : 0, dv = chord           ? eq_v[focus] - eq_v[base]
                                                          : kind == BELOW ? -1
                                                                          : 1;
  const Q z = eq_z[base] + t * dz, v = eq_v[base] + t * dv;
  Q Ia, Ib;
  const Q a = run(z, v, 1, high, &Ia), b = run(z, v, -1, high, &Ib);
  *I = Ia - Ib;
  return b - a;
}

/* Zero of a gap by widening from a guess, then halving with secants. */
static Q zero(Q (*gap)(Q, void *), void *ctx, Q guess)
{
  Q w = 1e-12Q * guess, a = guess - w, b = guess + w, fa = gap(a, ctx), fb = gap(b, ctx);
  for (int i = 0; i < 60 && (fa > 0) == (fb > 0); i++) {
    w *= 4, a = guess - w, b = guess + w, fa = gap(a, ctx), fb = gap(b, ctx);
    if (isnanq(fa) || isnanq(fb)) return NAN;
  }
  for (int i = 0; i < 200 && b - a > 1e-24Q * a; i++) {
    Q x = i % 3 == 2 || !finiteq(fa) || !finiteq(fb) ? (a + b) / 2 : a + (b - a) * fa / (fa - fb);
    const Q pad = 1e-3Q * (b - a);
    if (i % 3 == 1) x = x - a < b - x ? x + pad : x - pad; /* from the other side, so that both ends move */
    if (!(x > a && x < b)) x = (a + b) / 2;
    const Q f = gap(x, ctx);
    if (isnanq(f)) return NAN;
    if ((f > 0) == (fa > 0)) a = x, fa = f;
    else b = x, fb = f;
  }
  return (a + b) / 2;
}

static Q manifolds(Q x, void *ctx) { return (void)ctx, gap_of_manifolds(x); }
typedef struct {
  Q t, I, guess;
} place;
static Q closure(Q x, void *ctx)
{
  place *p = ctx;
  return gap_at(p->t, x, &p->I);
}
static Q sigma1_through(Q t, Q guess, Q *I)
{
  place p = {t, 0, guess};
  const Q x = zero(closure, &p, guess);
  (void)gap_at(t, x, &p.I);
  *I = p.I;
  return x;
}

static Q fold(Q t, Q guess)
{
  Q a = t * 0.999Q, b = t * 1.001Q, fa, fb, x;
  x = sigma1_through(a, guess, &fa), x = sigma1_through(b, guess, &fb);
  for (int i = 0; i < 40 && (fa > 0) == (fb > 0); i++) {
    a -= 0.3Q * (b - a), b += 0.3Q * (b - a);
    if (a <= 0) a = 1e-3Q * b;
    x = sigma1_through(a, guess, &fa), x = sigma1_through(b, guess, &fb);
  }
  for (int i = 0; i < 100 && b - a > 1e-13Q * a; i++) {
    Q y = i % 3 == 2 ? (a + b) / 2 : a + (b - a) * fa / (fa - fb), f;
    if (!(y > a && y < b)) y = (a + b) / 2;
    x = sigma1_through(y, guess, &f);
    if ((f > 0) == (fa > 0)) a = y, fa = f;
    else b = y, fb = f;
  }
  printf("t = %.15g\n", (double)((a + b) / 2));
  return x;
}

int main(int n, char **arg)
{
  static const char *const KINDS[] = {"upper", "lower", "lone", "large", "below"};
  const int folds = n > 1 && strcmp(arg[1], "fold") == 0, cycle = n > 1 && strcmp(arg[1], "cycle") == 0,
            first = folds || cycle ? 5 : 4;
  if (n < first + 8) return fprintf(stderr, "usage: see the head of quad.c\n"), 1;
  for (kind = 0; kind < 4 && strcmp(arg[2], KINDS[kind]) != 0;) kind++;
  high = kind == UPPER || kind == BELOW;
  Q *const where[] = {&m, &F, &Fc, &dF, &vs, &delta, &s0, &s2};
  /* parameters are the doubles that the library sees, not the decimals */
  for (int i = 0; i < 8; i++) *where[i] = strtod(arg[first + i], NULL);
  dF -= Fc;
  equilibria();
  Q I;
  const Q guess = strtod(arg[3], NULL), x = folds   ? fold(strtod(arg[4], NULL), guess)
                                            : cycle ? sigma1_through(strtod(arg[4], NULL), guess, &I)
                                                    : zero(manifolds, NULL, guess);
  char text[64];
  (void)quadmath_snprintf(text, sizeof text, "%.28Qg", x);
  printf("%s\n", text);
  return 0;
}
