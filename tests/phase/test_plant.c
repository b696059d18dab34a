/* SPDX-License-Identifier: Apache-2.0
 * test_plant.c - equilibria and Hopf points from the faces of mechanism and model alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "kit.h"
#include "support/near.h"

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
  s->p = (br_phase_plant){sys, s->spar, s->k.model, s->k.par, s->held};
}

/* Document 1's block with viscous friction: Hopf point at vp = 0.429745; none without. */
static void pulled_block(void **state)
{
  setting s;
  br_err err;
  br_phase_event e[4];
  size_t n;
  static const struct {
    const char *name;
    double x;
  } P[] = {{"sigma0", 2900}, {"sigma1", 107}, {"sigma2", 0.4}, {"Fc", 2.94},
           {"Fs", 5.88},     {"vs", 0.1},     {"delta", 1}};
  make(&s, "pulled_block");
  for (size_t i = 0; i < sizeof P / sizeof P[0]; i++) kit_set(&s.k, P[i].name, P[i].x);
  kit_ready(&s.k);
  s.spar[param_slot(s.p.system->params, s.p.system->nparam, "m")] = 1;
  s.spar[param_slot(s.p.system->params, s.p.system->nparam, "k")] = 2;
  s.p.system->prepare(s.spar);
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
  kit_set(&s.k, "sigma2", 0);
  kit_ready(&s.k);
  assert_int_equal(br_phase_hopf_points(&s.p, BR_VARY_INPUT, 0, 0.05, 3, 4, e, &n, &err), BR_OK);
  assert_int_equal(n, 0);
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
      cmocka_unit_test(pulled_block),
      cmocka_unit_test(driven_block),
      cmocka_unit_test(refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
