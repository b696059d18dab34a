/* SPDX-License-Identifier: Apache-2.0
 * test_plant.c - equilibria and Hopf points from the faces of mechanism and model alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "kit.h"
#include "support/near.h"
#include "support/rng.h"

typedef struct {
  kit k;
  double spar[64], held[8];
  br_phase_plant p;
} setting;

static int param_slot(const br_param *rows, size_t n, const char *name)
{
  for (size_t i = 0; i < n; i++) {
    if (strcmp(rows[i].name, name) == 0) return (int)rows[i].slot;
  }
  return -1;
}

static void make(setting *s, const char *system)
{
  const br_system *sys = br_system_find(system);
  assert_non_null(sys);
  assert_true(sys->slots <= 64);
  memset(s, 0, sizeof *s);
  kit_figure5(&s->k);
  sys->defaults(s->spar);
  sys->prepare(s->spar);
  s->p = (br_phase_plant){sys, s->spar, s->k.model, s->k.par, s->held, {NULL, NULL}};
}

static void document1(setting *s)
{
  make(s, "pulled_block");
  kit_document1(&s->k);
  s->spar[param_slot(s->p.system->params, s->p.system->nparam, "m")] = 1;
  s->spar[param_slot(s->p.system->params, s->p.system->nparam, "k")] = 2;
  s->p.system->prepare(s->spar);
}

/* Document 1's block with viscous friction: Hopf point at vp = 0.429745; none without. */
static void pulled_block(void **state)
{
  setting s;
  br_err err;
  br_phase_event e[4];
  size_t n;
  document1(&s);
  assert_int_equal(br_phase_hopf_points(&s.p, BR_VARY_INPUT, 0, 0.05, 3, 4, e, &n, &err), BR_OK);
  assert_int_equal(n, 1);
  near(e[0].value, 0.429745, 1e-6);
  near(e[0].v, e[0].value, 1e-12);
  /* on either side: stable above, unstable below */
  br_phase_steady y;
  assert_int_equal(br_phase_steady_at(&s.p, BR_VARY_INPUT, 0, 0.6, &y, &err), BR_OK);
  assert_string_equal(y.type, "stable focus");
  near(y.v, 0.6, 1e-14);
  assert_int_equal(br_phase_steady_at(&s.p, BR_VARY_INPUT, 0, 0.3, &y, &err), BR_OK);
  assert_string_equal(y.type, "unstable focus");
  /* at the point itself two eigenvalues are imaginary */
  assert_int_equal(br_phase_steady_at(&s.p, BR_VARY_INPUT, 0, e[0].value, &y, &err), BR_OK);
  near(y.re[1], 0, 1e-8);
  near(y.im[2], e[0].omega, 1e-8);
  /* a sample exactly there: its sign is rounding, but the point is listed, so nothing is left open */
  br_phase_doubt doubt;
  const double at = e[0].value;
  assert_int_equal(
      br_phase_hopf_points_searched(&s.p, BR_VARY_INPUT, 0, at - 0.2, at + 0.2, 4, e, &n, &doubt, &err),
      BR_OK);
  assert_true(n == 1 && fabs(e[0].value - at) < 1e-9 && doubt.n == 0);
  kit_set(&s.k, "sigma2", 0);
  kit_ready(&s.k);
  assert_int_equal(br_phase_hopf_points(&s.p, BR_VARY_INPUT, 0, 0.05, 3, 4, e, &n, &err), BR_OK);
  assert_int_equal(n, 0);
}

/* Above that Hopf point the small cycles are on a branch of their own; stick-slip is on another, which
 * motions lead to. */
static void large_cycles(void **state)
{
  setting s;
  br_err err;
  br_phase_branch *out[8] = {NULL};
  size_t n = 0, rows = 0;
  document1(&s);
  if (br_phase_branch_all(&s.p, BR_VARY_INPUT, 0, 0.4297, 0.45, NULL, 8, out, &n, &err))
    fail_msg("%s", err.msg);
  assert_int_equal(n, 2);
  assert_int_equal(br_phase_branch_end(out[0], 0), BR_PHASE_END_HOPF);
  const br_phase_row *r = br_phase_branch_rows(out[1], &rows);
  assert_true(rows > 5);
  for (size_t i = 0; i < rows; i++) assert_true(r[i].v_max > 1.5 && r[i].v_min < 0.01);
  for (size_t i = 0; i < n; i++) br_phase_branch_destroy(out[i]);
}

/* The driven block by the general way equals the closed forms.  Newton needs a start that slides: v from the
 * force. */
static void driven_block(void **state)
{
  setting s;
  br_err err;
  br_phase_event e[4];
  size_t n;
  make(&s, "driven_block");
  kit_set(&s.k, "sigma2", 2.5); /* one equilibrium, whatever the start */
  kit_ready(&s.k);
  s.held[0] = 6.5;
  const int slot = (int)br_model_param(s.k.model, "sigma1")->slot;
  assert_int_equal(br_phase_hopf_points(&s.p, BR_VARY_MODEL, slot, 1, 60, 4, e, &n, &err), BR_OK);
  bri_plane p;
  bri_sliding q;
  assert_int_equal(bri_plane_of(s.k.model, s.k.par, s.spar[0], 6.5, &p, &err), BR_OK);
  bri_sliding_of(&p, &q);
  assert_int_equal(q.n, 1);
  const bri_hopf h = bri_hopf_at(&p, q.y[0].v);
  assert_true(h.sigma1 > 1 && h.sigma1 < 60);
  assert_int_equal(n, 1);
  near(e[0].value, h.sigma1, 1e-9);
  near(e[0].omega, h.omega, 1e-9);
  near(e[0].lyapunov, h.lyapunov, 1e-6 * fabs(h.lyapunov));
}

/* Pulled at v a block has, with N = z' and at sliding N_z = -sigma0 v/g, N_v = v g'/g, the polynomial m l^3 +
 * b l^2 + c l - N_z k, b = sigma2 - m N_z + sigma1 N_v, c = k - sigma2 N_z + sigma0 N_v: two roots +-x where
 * this is 0, imaginary where c > 0. */
static long double hurwitz(const kit *k, double m, double spring, long double v, long double *c)
{
  const double *p = k->par;
#define P(name) ((long double)p[br_model_param(k->model, name)->slot])
  const long double u = powl(v / P("vs"), P("delta")), e = (P("Fs") - P("Fc")) * expl(-u), g = P("Fc") + e,
                    nz = -P("sigma0") * v / g, nv = -P("delta") * u * e / g;
  *c = spring - P("sigma2") * nz + P("sigma0") * nv;
  return (P("sigma2") - m * nz + P("sigma1") * nv) * *c + m * nz * spring;
#undef P
}

/* Every Hopf point listed along vp is a change of sign in 19 digits, of its own; none is listed that rounding
 * made.
 * BR_HOPFS: more blocks. */
static void random_pulls(void **state)
{
  const char *asked = getenv("BR_HOPFS");
  const int blocks = asked ? atoi(asked) : 10;
  rng r = {18};
  int points = 0;
  size_t open_stretches = 0;
  for (int i = 0; i < blocks; i++) {
    setting s;
    br_err err;
    br_phase_event e[16];
    br_phase_doubt doubt;
    size_t n;
    const double vs = pow(10, rng_range(&r, -3, 0)), m = pow(10, rng_range(&r, -1, 1)),
                 spring = pow(10, rng_range(&r, 0, 4)), Fc = pow(10, rng_range(&r, -0.5, 1));
    make(&s, "pulled_block");
    kit_set(&s.k, "Fc", Fc), kit_set(&s.k, "Fs", Fc * (1 + pow(10, rng_range(&r, -1.5, 0.5))));
    kit_set(&s.k, "vs", vs),
        kit_set(&s.k, "delta", rng_unit(&r) < 0.5 ? 1 + (rng_unit(&r) < 0.5) : rng_range(&r, 0.6, 3));
    kit_set(&s.k, "sigma0", Fc * pow(10, rng_range(&r, 2, 5)));
    kit_set(&s.k, "sigma1", pow(10, rng_range(&r, 0, 2.5)));
    kit_set(&s.k, "sigma2", rng_unit(&r) < 0.4 ? 0 : Fc / vs * pow(10, rng_range(&r, -4, -0.5)));
    kit_ready(&s.k);
    s.spar[param_slot(s.p.system->params, s.p.system->nparam, "m")] = m;
    s.spar[param_slot(s.p.system->params, s.p.system->nparam, "k")] = spring;
    s.p.system->prepare(s.spar);
    assert_int_equal(
        br_phase_hopf_points_searched(&s.p, BR_VARY_INPUT, 0, 0.1 * vs, 30 * vs, 16, e, &n, &doubt, &err),
        BR_OK);
    assert_true(doubt.n == 0 ||
                (doubt.from >= 0.1 * vs && doubt.from < doubt.to && doubt.to <= 30 * vs * (1 + 1e-12)));
    open_stretches += doubt.n;
    for (int j = 1; j <= 400; j++) { /* a change of sign is listed or left open, never passed over */
      const double from = vs * (0.1 + 29.9 * (j - 1) / 400), to = vs * (0.1 + 29.9 * j / 400);
      long double c[2];
      const long double below = hurwitz(&s.k, m, spring, from, &c[0]),
                        above = hurwitz(&s.k, m, spring, to, &c[1]);
      if ((below > 0) == (above > 0) || !(c[0] > 0) || !(c[1] > 0)) continue;
      int told = doubt.n && to >= doubt.from && from <= doubt.to;
      for (size_t k = 0; k < n && k < 16; k++) told = told || (e[k].value >= from && e[k].value <= to);
      if (!told) fail_msg("block %d: a change between %g and %g is not listed", i, from, to);
    }
    for (size_t k = 0; k < n && k < 16; k++, points++) {
      const double off = fmax(e[k].error, 1e-12 * e[k].value);
      long double c;
      const long double below = hurwitz(&s.k, m, spring, e[k].value - off, &c),
                        above = hurwitz(&s.k, m, spring, e[k].value + off, &c);
      assert_true((below > 0) != (above > 0));
      for (size_t j = 0; j < k; j++) assert_true(fabs(e[j].value - e[k].value) > e[j].error + off);
    }
  }
  assert_true(points > 0 && open_stretches > 0); /* far beyond vs without viscous friction rounding decides */
}

/* Random blocks: all equilibria, Hopf points and folds by the general way are those of the closed forms. */
static void random_blocks(void **state)
{
  rng r = {11};
  int hopfs = 0, folds = 0, equilibria = 0;
  for (int i = 0; i < 20; i++) {
    setting s;
    br_err err;
    br_phase *ph;
    br_phase_event e[8];
    br_phase_steady y[8];
    br_equilibrium q[BR_PHASE_MOST_EQUILIBRIA];
    size_t n, m, k;
    make(&s, "driven_block");
    kit_set(&s.k, "delta", rng_range(&r, 0.9, 2.4));
    kit_set(&s.k, "sigma2", rng_range(&r, 0.7, 2.4));
    kit_set(&s.k, "sigma0", rng_range(&r, 2, 9));
    kit_ready(&s.k);
    s.k.m = s.spar[param_slot(s.p.system->params, s.p.system->nparam, "m")] = rng_range(&r, 0.5, 2);
    s.p.system->prepare(s.spar);
    s.k.F = s.held[0] = rng_range(&r, 4, 7);
    const br_phase_problem problem = kit_problem(&s.k);
    const int slot = (int)br_model_param(s.k.model, "sigma1")->slot;
    assert_int_equal(br_phase_create(&problem, "sigma1", 0.5, 30, &ph, &err), BR_OK);
    assert_int_equal(br_phase_equilibria(ph, 5, BR_PHASE_MOST_EQUILIBRIA, q, &m, &err), BR_OK);
    assert_int_equal(br_phase_steady_all(&s.p, BR_VARY_MODEL, slot, 5, 8, y, &n, &err), BR_OK);
    assert_int_equal(n + 1, m); /* the sticking point is no sliding one */
    for (k = 0; k < n; k++) {
      near(y[k].v, q[k + 1].v, 1e-10 * y[k].v);
      near(y[k].re[0] + y[k].re[1], -q[k + 1].a1, 1e-8 * (1 + fabs(q[k + 1].a1)));
      assert_string_equal(y[k].type, q[k + 1].type);
      equilibria++;
    }
    const br_phase_event *a = br_phase_events(ph, &m);
    assert_int_equal(br_phase_hopf_points(&s.p, BR_VARY_MODEL, slot, 0.5, 30, 8, e, &n, &err), BR_OK);
    size_t next = 0;
    for (k = 0; k < m; k++) {
      if (a[k].type != BR_PHASE_HOPF) continue;
      assert_true(next < n);
      near(e[next].value, a[k].value, 1e-9 * a[k].value);
      near(e[next].omega, a[k].omega, 1e-8 * a[k].omega);
      near(e[next].lyapunov, a[k].lyapunov, 1e-5 * (0.01 + fabs(a[k].lyapunov)));
      next++, hopfs++;
    }
    assert_int_equal(next, n);
    br_phase_destroy(ph);
    /* folds along F lie where g' + sigma2 = 0 */
    bri_plane p;
    double turn[2];
    assert_int_equal(bri_plane_of(s.k.model, s.k.par, s.k.m, s.k.F, &p, &err), BR_OK);
    const int turns = bri_sliding_folds(&p, turn);
    assert_int_equal(br_phase_fold_points(&s.p, BR_VARY_INPUT, 0, 0.5, 12, 8, e, &n, &err), BR_OK);
    for (k = 0; k < n; k++) {
      double best = INFINITY;
      for (int t = 0; t < turns; t++) best = fmin(best, fabs(e[k].v / turn[t] - 1));
      near(best, 0, 1e-7);
      folds++;
    }
  }
  /* enough of each, so that the test means something */
  assert_in_range(equilibria, 15, 75);
  assert_in_range(hopfs, 6, 75);
  assert_in_range(folds, 4, 50);
}

static void refuses(void **state)
{
  setting s;
  br_err err;
  br_phase_steady y;
  make(&s, "mass_spring");
  s.p.model = br_model_find("bouc_wen");
  double par[KIT_SLOTS];
  s.p.model->defaults(par);
  s.p.model->prepare(par);
  s.p.mpar = par;
  assert_int_equal(br_phase_steady_at(&s.p, BR_VARY_INPUT, -1, 0, &y, &err), BR_E_UNSUPPORTED);
  assert_int_equal(br_phase_steady_at(NULL, BR_VARY_INPUT, -1, 0, &y, &err), BR_E_ARG);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pulled_block),  cmocka_unit_test(large_cycles), cmocka_unit_test(driven_block),
      cmocka_unit_test(random_blocks), cmocka_unit_test(random_pulls), cmocka_unit_test(refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
