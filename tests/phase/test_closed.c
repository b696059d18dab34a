/* SPDX-License-Identifier: Apache-2.0
 * test_closed.c - cycles that a search once missed, labels in other units, events that rounding makes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kit.h"
#include "phase/returns.h"
#include "support/near.h"
#include "support/rng.h"

typedef struct {
  double m, F, Fc, Fs, vs, delta, sigma0, sigma2, sigma1;
} block;

static void set_block(kit *k, const block *b)
{
  kit_init(k);
  kit_set(k, "m", b->m), kit_set(k, "F", b->F);
  kit_set(k, "Fc", b->Fc), kit_set(k, "Fs", b->Fs);
  kit_set(k, "vs", b->vs), kit_set(k, "delta", b->delta);
  kit_set(k, "sigma0", b->sigma0), kit_set(k, "sigma1", b->sigma1), kit_set(k, "sigma2", b->sigma2);
  kit_ready(k);
}

static size_t cycles_of(const block *b, br_phase_cycle *y, int *complete)
{
  kit k;
  br_phase *ph;
  br_phase_search s;
  br_err err;
  size_t n = 0;
  set_block(&k, b);
  const br_phase_problem p = kit_problem(&k);
  assert_int_equal(br_phase_create(&p, "sigma1", 0.999 * b->sigma1, 1.001 * b->sigma1, &ph, &err), BR_OK);
  assert_int_equal(br_phase_cycles_searched(ph, b->sigma1, BR_PHASE_MOST_CYCLES, y, &n, &s, &err), BR_OK);
  assert_true(s.at == b->sigma1 && s.v_max > 0);
  *complete = s.complete;
  br_phase_destroy(ph);
  return n;
}

/* Creeping blocks, whose periods grow with sigma1 while everything else relaxes faster, and one beside a Hopf
 * point.  The first and the third period agree with power series alone, without collocation. */
static void missed_once(void **state)
{
  static const struct {
    block b;
    double period;
  } CASES[] = {
      {{1, 5.5, 1, 5, 2, 1, 5, 1.6, 400}, 148.216252},
      {{1, 5.3324884685348337, 1, 4.1478322556250937, 1, 4, 5, 2.6260289381622957, 250}, 72.515406},
      {{1, 6.427885282538767, 1, 6.218222915648809, 2, 2, 5, 1.4927087644514225, 147.338}, 125.65577},
      {{1, 3.94, 1, 4.43, 0.1, 1, 3.84, 14.9, 24}, 9.6327095},
      {{1, 5.5, 1, 5, 2, 1, 5, 1.6, 2000}, 809.29417},
      /* fast enough for exp(-(v/vs)^delta) to vanish, and slow again: 112.13 by a series that did not see it
       * come */
      {{1, 1.6144127982183005, 1, 1.0746960588262737, 1, 3.6381894729704665, 1.7051776883114302,
        1.1900225667053577, 1372.616700850424},
       111.166175488},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_phase_cycle y[BR_PHASE_MOST_CYCLES];
    int complete;
    assert_int_equal(cycles_of(&CASES[i].b, y, &complete), 1);
    assert_true(complete && y[0].stable);
    near(y[0].period / CASES[i].period, 1, 2e-8);
    assert_true(y[0].v_min > 0);
  }
}

/* Next to a Hopf point amplitudes grow like the root of the distance. */
static void beside_hopf(void **state)
{
  const block b = {1, 3.94, 1, 4.43, 0.1, 1, 3.84, 14.9, 0};
  kit k;
  bri_plane p;
  br_err err;
  set_block(&k, &b);
  assert_int_equal(bri_plane_of(k.model, k.par, k.m, k.F, &p, &err), BR_OK);
  bri_sliding e;
  bri_sliding_of(&p, &e);
  const bri_hopf h = bri_hopf_at(&p, e.y[1].v);
  for (int i = 3; i < 8; i++) {
    bri_cycles *all = test_calloc(1, sizeof *all);
    const double far = pow(10, -i);
    p.s1 = h.sigma1 * (1 + far);
    bri_cycles_of(&p, all);
    assert_int_equal(all->n, 1);
    const double alpha = -0.5 * bri_linear_at(&p, e.y[1].v).a1, r = sqrt(alpha / -h.lyapunov);
    const double seen = 0.5 * (all->c[0].r.v_max - all->c[0].r.v_min) * all->u.velocity;
    near(seen / r, 1, 3 * sqrt(far) + 1e-3);
    p.s1 = h.sigma1 * (1 - far);
    bri_cycles_of(&p, all);
    assert_int_equal(all->n, 0);
    test_free(all);
  }
}

/* Of large sigma1: an unstable cycle below a subcritical Hopf point, which passes L at 1e-6 of its amplitude
 * from the focus; and a focus beside which rounding, a part of the deflection's whole range, turns round at
 * random. */
static void far_from_section(void **state)
{
  const block b = {1,
                   2.5001645197240294,
                   1,
                   2.3437821338198139,
                   1,
                   4.3212818345161246,
                   0.095899679979821309,
                   0.7779921338859267,
                   251813.14486496861},
              c = {1,
                   2.974381030966998,
                   1,
                   1.3646017613001713,
                   1,
                   2,
                   1.9895496291318784,
                   0.41676127628944848,
                   3367220858.8828936};
  br_phase_cycle y[BR_PHASE_MOST_CYCLES];
  int complete;
  assert_int_equal(cycles_of(&b, y, &complete), 2);
  assert_true(complete && !y[0].stable && y[1].stable);
  /* backward by tests/phase/witness.h; deflections differ in their last eight digits, so that no more can be
   * told */
  near(y[0].period, 16.596721, 3e-4);
  near(y[0].v_min, 1.925903, 1e-5);
  near(y[0].v_max, 1.930602, 1e-5);
  assert_int_equal(cycles_of(&c, y, &complete), 1);
  assert_true(y[0].v_max > 1e8);
}

/* Behind a canard the return jumps: the middle of a stretch lay on the cubic of its ends by chance, and a
 * stable cycle, with the unstable one beside it, was excluded. */
static void behind_a_jump(void **state)
{
  const block b = {1,
                   2.7129122268981205,
                   1,
                   2.0716082384969692,
                   1,
                   3.857843320747782,
                   2.7471839654249184,
                   9.3752602429697944,
                   147744.49319812309};
  br_phase_cycle y[BR_PHASE_MOST_CYCLES];
  int complete;
  assert_int_equal(cycles_of(&b, y, &complete), 2);
  assert_true(complete && !y[0].stable && y[1].stable);
  near(y[1].period / 52948.7424, 1, 1e-7); /* tests/phase/witness.h */
}

static void random_block(rng *r, block *b)
{
  b->m = pow(10, rng_range(r, -1, 1)), b->Fc = 1, b->Fs = 1 + pow(10, rng_range(r, -0.5, 0.8));
  b->vs = pow(10, rng_range(r, -2, 1)), b->sigma0 = pow(10, rng_range(r, -0.5, 1.5));
  b->delta = rng_unit(r) < 0.5 ? 1 : rng_range(r, 0.6, 3);
  b->sigma2 = b->Fc / b->vs * pow(10, rng_range(r, -1, 1));
  b->F = rng_range(r, 0.9, 1.3) * b->Fs;
  b->sigma1 = b->sigma0 * b->m / b->sigma2 * pow(10, rng_range(r, 0.1, 1.5));
}

/* Another mass, length and time. */
static block in_units(const block *b, double mass, double length, double time)
{
  const double force = mass * length / (time * time), speed = length / time;
  const block c = {b->m * mass,
                   b->F * force,
                   b->Fc * force,
                   b->Fs * force,
                   b->vs * speed,
                   b->delta,
                   b->sigma0 * force / length,
                   b->sigma2 * force / speed,
                   b->sigma1 * force / speed};
  return c;
}

/* Case and types of all events along sigma1 as one text. */
static void labels_of(const block *b, size_t size, char *text)
{
  kit k;
  br_phase *ph;
  br_err err;
  size_t n;
  set_block(&k, b);
  const br_phase_problem p = kit_problem(&k);
  assert_int_equal(br_phase_create(&p, "sigma1", 0.1 * b->sigma1, 4 * b->sigma1, &ph, &err), BR_OK);
  const br_phase_event *e = br_phase_events(ph, &n);
  int used = snprintf(text, size, "%s", br_phase_case(ph));
  for (size_t i = 0; i < n; i++) {
    used += snprintf(text + used, size - (size_t)used, " %s/%s", br_phase_event_name(e[i].type), e[i].loop);
    assert_true(e[i].error > 0 && e[i].error < 1e-3 * e[i].value);
  }
  br_phase_destroy(ph);
}

/* Scaling changes no label: powers of two by construction, others too.  BR_LABELS: more random blocks, each
 * also by random factors. */
static void labels_without_units(void **state)
{
  const char *asked = getenv("BR_LABELS");
  const int blocks = asked ? atoi(asked) : 3;
  static const double SCALE[][3] = {{2, 1, 1},    {1, 2, 1},     {1, 1, 2},     {0.25, 1, 1}, {1, 0.125, 1},
                                    {1, 1, 0.5},  {8, 0.5, 4},   {1024, 1, 1},  {1, 1024, 1}, {1, 1, 1024},
                                    {0.5, 4, 16}, {3, 0.7, 1.9}, {1e3, 1e-3, 1}};
  rng r = {171};
  for (int i = 0; i < blocks; i++) {
    block b = {1, 3.962, 1, 3.76, 1, 1.14, 0.65, 0.794, 18.5};
    char first[600], other[600];
    if (i > 0) random_block(&r, &b);
    labels_of(&b, sizeof first, first);
    if (i == 0) assert_true(strncmp(first, "Sub_F ", 6) == 0);
    for (size_t s = 0; s<sizeof SCALE / sizeof SCALE[0]; s += i> 0 ? 4 : 1) {
      const block c = in_units(&b, SCALE[s][0], SCALE[s][1], SCALE[s][2]);
      labels_of(&c, sizeof other, other);
      assert_string_equal(first, other);
    }
    if (asked) {
      const block c = in_units(&b, pow(10, rng_range(&r, -4, 4)), pow(10, rng_range(&r, -4, 4)),
                               pow(10, rng_range(&r, -4, 4)));
      labels_of(&c, sizeof other, other);
      if (strcmp(first, other) != 0)
        printf("block %d: "
               "F=%.17g,Fc=1,Fs=%.17g,vs=%.17g,delta=%.17g,sigma0=%.17g,sigma1=%.17g,sigma2=%.17g,m=%.17g: "
               "%s, in other units %s\n",
               i, b.F, b.Fs, b.vs, b.delta, b.sigma0, b.sigma1, b.sigma2, b.m, first, other);
    }
  }
}

/* The fold of a canard explosion, bracketed by the number of cycles. */
static void canard_fold(void **state)
{
  const block b = {1, 3.962, 1, 3.76, 1, 1.14, 0.65, 0.794, 18.5};
  kit k;
  br_phase *ph;
  br_err err;
  size_t n, cycles;
  set_block(&k, &b);
  const br_phase_problem p = kit_problem(&k);
  assert_int_equal(br_phase_create(&p, "sigma1", 0.1, 50, &ph, &err), BR_OK);
  const br_phase_event *e = br_phase_events(ph, &n);
  assert_int_equal(n, 2);
  assert_int_equal(e[0].type, BR_PHASE_FOLD_OF_CYCLES);
  const double off = fmax(10 * e[0].error, 1e-10 * e[0].value);
  br_phase_cycle y[BR_PHASE_MOST_CYCLES];
  assert_int_equal(br_phase_cycles(ph, e[0].value - off, BR_PHASE_MOST_CYCLES, y, &cycles, &err), BR_OK);
  assert_int_equal(cycles, 0);
  assert_int_equal(br_phase_cycles(ph, e[0].value + off, BR_PHASE_MOST_CYCLES, y, &cycles, &err), BR_OK);
  assert_int_equal(cycles, 2);
  br_phase_destroy(ph);
}

/* Along sigma0 the branch is too steep to be followed; its fold is found by counting. */
static void fold_along_sigma0(void **state)
{
  const block b = {1, 1.769, 1, 1.66, 0.1, 1.47, 100, 8.12, 158.6};
  kit k;
  br_phase *ph;
  br_err err;
  size_t n, cycles[2];
  set_block(&k, &b);
  const br_phase_problem p = kit_problem(&k);
  assert_int_equal(br_phase_create(&p, "sigma0", 60, 90, &ph, &err), BR_OK);
  const br_phase_event *e = br_phase_events(ph, &n);
  br_phase_cycle y[BR_PHASE_MOST_CYCLES];
  assert_int_equal(n, 2);
  assert_int_equal(e[0].type, BR_PHASE_HOPF);
  assert_int_equal(e[1].type, BR_PHASE_FOLD_OF_CYCLES);
  for (int i = 0; i < 2; i++) {
    const double at = e[1].value * (1 + (i ? 1e-9 : -1e-9));
    assert_int_equal(br_phase_cycles(ph, at, BR_PHASE_MOST_CYCLES, y, &cycles[i], &err), BR_OK);
  }
  assert_true(cycles[0] == 2 && cycles[1] == 0);
  near(e[1].value, 74.7978834214, 3e-10); /* where the fold along sigma1 lies at 158.6 */
  assert_true(e[1].error < 1e-9);
  br_phase_destroy(ph);
}

/* A Hopf point where g' is 1e-18 is one all the same; the closed form of the reference. */
static void far_hopf(void **state)
{
  const block b = {1, 8, 1, 5, 2, 2, 5, 0.55, 1};
  kit k;
  br_phase *ph;
  br_err err;
  size_t n;
  set_block(&k, &b);
  const br_phase_problem p = kit_problem(&k);
  assert_int_equal(br_phase_create(&p, "sigma1", 0.1, 1e18, &ph, &err), BR_OK);
  const br_phase_event *e = br_phase_events(ph, &n);
  assert_int_equal(n, 1);
  const double v = e[0].v, u = v * v / 4, slope = -4 * exp(-u) * v / 2, g = 1 + 4 * exp(-u);
  near(e[0].value / (-(5 * v + 0.55 * g) / (v * slope)), 1, 1e-12);
  assert_true(e[0].error < 1e-11 * e[0].value);
  br_phase_destroy(ph);
}

/* Generalised Hopf points at any speed: the coefficient changes sign there. */
static void generalised_hopf(void **state)
{
  int fast = 0;
  for (double Fs = 2; Fs < 30; Fs *= 1.5) {
    const block b = {1, 8, 1, Fs, 2, 1, 5, 1.6, 1};
    kit k;
    br_phase_event e[8];
    br_err err;
    size_t n;
    set_block(&k, &b);
    const br_phase_problem p = kit_problem(&k);
    assert_int_equal(br_phase_generalized_hopf(&p, 1, 100, 8, e, &n, &err), BR_OK);
    for (size_t i = 0; i < n && i < 8; i++) {
      bri_plane q;
      assert_int_equal(bri_plane_of(k.model, k.par, k.m, e[i].value, &q, &err), BR_OK);
      double sign = 1;
      for (int s = -1; s <= 1; s += 2) {
        const double v = e[i].v * (1 + 1e-6 * s);
        double g[4], ratio[4];
        bri_level_series(&q, v, g, ratio);
        q.F = g[0] + q.s2 * v;
        sign *= bri_hopf_at(&q, v).lyapunov;
      }
      assert_true(sign < 0);
      fast += e[i].v > 3.25 * b.vs;
    }
  }
  assert_true(fast > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(missed_once),
      cmocka_unit_test(beside_hopf),
      cmocka_unit_test(far_from_section),
      cmocka_unit_test(behind_a_jump),
      cmocka_unit_test(canard_fold),
      cmocka_unit_test(fold_along_sigma0),
      cmocka_unit_test(far_hopf),
      cmocka_unit_test(generalised_hopf),
      cmocka_unit_test(labels_without_units),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
