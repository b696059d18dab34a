/* SPDX-License-Identifier: Apache-2.0
 * test_given.c - given motion: slip points of many elements, jumps of the position, pauses.  Everything is
 * set against what can be written down: elements are clipped, one straight piece after the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kit.h"
#include "support/bouc_wen.h"
#include "support/rng.h"

enum { MOST_ELEMENTS = 8, KNOTS = 12 };

/* Spring-slider elements behind a first-order filter of time constant tau, moved along straight lines. */
typedef struct {
  int n;
  double k[MOST_ELEMENTS], delta[MOST_ELEMENTS], z[MOST_ELEMENTS];
  double tau, y, work;
} elements;

static double elements_force(const elements *e)
{
  double F = 0;
  for (int i = 0; i < e->n; i++) F += e->k[i] * e->z[i];
  return F;
}

/* Way until the next element slips when moving to `side`; INFINITY when all do. */
static double elements_room(const elements *e, double side)
{
  double room = INFINITY;
  for (int i = 0; i < e->n; i++) {
    const double way = e->delta[i] - side * e->z[i];
    if (way > 1e-15 * e->delta[i]) room = fmin(room, way);
  }
  return room;
}

/* Move by du in time h: from slip point to slip point the force is linear. */
static void elements_move(elements *e, double du, double h)
{
  const double side = du < 0 ? -1 : 1;
  double left = fabs(du), time = h;
  do {
    const double way = fmin(left, elements_room(e, side)), dt = left > 0 ? time * (way / left) : time;
    const double F0 = elements_force(e);
    for (int i = 0; i < e->n; i++) e->z[i] = side * fmin(e->delta[i], side * e->z[i] + way);
    const double F1 = elements_force(e), b = dt > 0 ? (F1 - F0) / dt : 0, decay = exp(-dt / e->tau);
    e->work += 0.5 * side * way * (F0 + F1);
    if (dt > 0) e->y = F1 - b * e->tau + (e->y - F0 + b * e->tau) * decay;
    left -= way, time -= dt;
  } while (left > 1e-15 * fabs(du));
}

static void random_elements(rng *r, elements *e, char *set, size_t size)
{
  memset(e, 0, sizeof *e);
  e->n = 1 + (int)(rng_next(r) % MOST_ELEMENTS);
  e->tau = exp(rng_range(r, -3, 1));
  size_t at = (size_t)snprintf(set, size, "k=");
  for (int i = 0; i < e->n; i++) {
    e->k[i] = exp(rng_range(r, -2, 3));
    at += (size_t)snprintf(set + at, size - at, "%s%.17g", i ? "," : "", e->k[i]);
  }
  at += (size_t)snprintf(set + at, size - at, ",Delta=");
  for (int i = 0; i < e->n; i++) {
    e->delta[i] = exp(rng_range(r, -7, -2));
    if (i && rng_unit(r) < 0.2) e->delta[i] = e->delta[i - 1]; /* some slip together */
    at += (size_t)snprintf(set + at, size - at, "%s%.17g", i ? "," : "", e->delta[i]);
  }
}

/* A record of straight lines in which every third piece is a rest with a jump behind it. */
typedef struct {
  double t[KNOTS], u[KNOTS];
} record;

static int jumps_at(int i) { return i % 3 == 0; }

static void record_eval(const void *ctx, double t, int side, double *w, double *dw)
{
  const record *r = (const record *)ctx;
  int i = 1;
  while (i < KNOTS - 1 && (side < 0 ? t > r->t[i] : t >= r->t[i])) i++;
  *dw = jumps_at(i) || t >= r->t[KNOTS - 1] ? 0 : (r->u[i] - r->u[i - 1]) / (r->t[i] - r->t[i - 1]);
  *w = t >= r->t[KNOTS - 1] ? r->u[KNOTS - 1] : r->u[i - 1] + *dw * (t - r->t[i - 1]);
}

static double record_next(const void *ctx, double t)
{
  const record *r = (const record *)ctx;
  for (int i = 1; i < KNOTS; i++)
    if (r->t[i] > t) return r->t[i];
  return INFINITY;
}

static void random_record(rng *r, record *rec)
{
  memset(rec, 0, sizeof *rec);
  for (int i = 1; i < KNOTS; i++) {
    const int pause = rng_unit(r) < 0.15;
    rec->t[i] = rec->t[i - 1] + rng_range(r, 0.05, 0.5);
    rec->u[i] = rec->u[i - 1] + (pause ? 0 : rng_range(r, -0.2, 0.2));
  }
}

/* State and book of the plant at t against the elements. */
static void compare(kit *k, double t, const elements *e, int filtered, const char *what)
{
  double x[MOST_ELEMENTS + 1], F, size = 0;
  kit_to(k, t, x);
  br_solver_force(k->solver, &F);
  const br_energy b = br_solver_energy(k->solver);
  for (int j = 0; j < e->n; j++) size += e->k[j] * e->delta[j];
  if (!(fabs(F - elements_force(e)) <= 1e-12 * size))
    fail_msg("%s, t = %g: F = %.12g, exact %.12g", what, t, F, elements_force(e));
  for (int j = 0; j < e->n; j++)
    if (!(fabs(x[filtered + j] - e->z[j]) <= 1e-13 + 1e-13 * e->delta[j]))
      fail_msg("%s, t = %g: z%d = %.12g, exact %.12g", what, t, j + 1, x[filtered + j], e->z[j]);
  if (filtered && !(fabs(x[0] - e->y) <= 1e-11 * size))
    fail_msg("%s, t = %g: y = %.12g, exact %.12g", what, t, x[0], e->y);
  if (!(fabs(b.work_in - e->work) <= 1e-12 * size && b.dissipated > -1e-14 * size))
    fail_msg("%s, t = %g: work %.12g, exact %.12g, dissipated %.3g", what, t, b.work_in, e->work,
             b.dissipated);
}

/* 200 random records with pauses and jumps, both mechanisms whose motion is given. */
static void test_elements_are_clipped(void **state)
{
  (void)state;
  rng r = {20261110};
  for (int q = 0; q < 200; q++) {
    char set[1024];
    const int filtered = q % 2;
    elements e;
    record rec;
    kit k;
    br_err err;
    random_elements(&r, &e, set, sizeof set);
    random_record(&r, &rec);
    if (filtered) snprintf(set + strlen(set), sizeof set - strlen(set), ",tau=%.17g", e.tau);
    kit_plant(&k, filtered ? "filtered" : "prescribed", "maxwell_slip", set, NULL, NULL);
    br_plant_destroy(k.plant);
    const br_drive drive = {0, record_eval, record_next, 0, &rec};
    if (br_plant_of(br_system_find(filtered ? "filtered" : "prescribed"), br_model_find("maxwell_slip"),
                    k.params, &drive, &k.plant, &err))
      fail_msg("%s", err.msg);
    br_solve_settings s = br_solve_settings_default();
    s.energy = 1;
    kit_solver(&k, &s, NULL);
    for (int i = 1; i < KNOTS; i++) {
      const double h = rec.t[i] - rec.t[i - 1], part = 0.37;
      const double way = jumps_at(i) ? 0 : rec.u[i] - rec.u[i - 1];
      elements_move(&e, part * way, part * h);
      compare(&k, rec.t[i - 1] + part * h, &e, filtered, set);
      elements_move(&e, (1 - part) * way, (1 - part) * h);
      compare(&k, rec.t[i], &e, filtered, set); /* a jump there is still to come */
      if (jumps_at(i)) elements_move(&e, rec.u[i] - rec.u[i - 1], 0);
    }
    kit_end(&k);
  }
}

typedef struct {
  const char *model, *set, *spec;
  double F, work; /* behind the jump, N; J */
} jump;

/* One jump at t = 1 s, looked at one second later. */
static void test_jump_is_a_fast_stroke(void **state)
{
  (void)state;
  const double e33 = exp(-3.3);
  const jump cases[] = {
      {"dahl", "", "step:0.33,1", 0.75 * (1 - e33), 0.75 * 0.33 - 0.075 * (1 - e33)},
      {"dahl", "", "step:-0.33,1", -0.75 * (1 - e33), 0.75 * 0.33 - 0.075 * (1 - e33)},
      {"maxwell_slip", "k=1,1,Delta=0.1,0.1", "step:-0.33,1", -0.2, 0.2 * 0.28},
      {"coulomb", "sigma2=0", "step:0.1,1", 0, 0.1},
      {"karnopp", "sigma2=0", "step:-0.1,1", 0, 0.1},
      /* at infinite speed the level is Fc, not Fs */
      {"lugre", "sigma1=0,sigma2=0", "step:0.1,1", 1, 0.1 - 1e-5},
      {"lugre", "sigma1=0,sigma2=0,delta=0.05", "step:-0.1,1", -1, 0.1 - 1e-5},
      {"gms", "sigma2=0,k=1e4,alpha=1", "step:0.1,1", 1, 0.1 - 0.5e-4},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (int solver = 0; solver < 3; solver++) {
      const jump *c = &cases[i];
      static const br_solver_kind kinds[] = {BR_SOLVER_NATIVE, BR_SOLVER_FIXED, BR_SOLVER_NATIVE};
      const char *specs[1] = {c->spec};
      double F;
      kit k;
      kit_plant(&k, solver == 2 ? "filtered" : "prescribed", c->model, c->set, specs, NULL);
      br_solve_settings s = br_solve_settings_default();
      s.energy = 1, s.kind = kinds[solver], s.dt = 0.013;
      kit_solver(&k, &s, NULL);
      kit_to(&k, 2, NULL);
      br_solver_force(k.solver, &F);
      const br_energy b = br_solver_energy(k.solver);
      if (!(fabs(F - c->F) <= 1e-11))
        fail_msg("%s %s %s, solver %d: F = %.12g, exact %.12g", c->model, c->set, c->spec, solver, F, c->F);
      if (!(fabs(b.work_in - c->work) <= 1e-11 && fabs(b.residual) <= 1e-14 && b.dissipated >= 0))
        fail_msg("%s %s %s, solver %d: work %.12g, exact %.12g, residual %g", c->model, c->set, c->spec,
                 solver, b.work_in, c->work, b.residual);
      kit_end(&k);
    }
}

/* A jump happens once, however many corners another input has behind it: at rest the load does no work. */
static void test_a_jump_happens_once(void **state)
{
  static const char *const LOADS[] = {NULL, "pwl:0,1,1.5,1,1.7,2,1.8,0.5", "pwl:0.2,1,1.1,1,1.2,1.3,1.3,1"};
  static const br_solver_kind KINDS[] = {BR_SOLVER_NATIVE, BR_SOLVER_FIXED};
  const double e33 = exp(-3.3), F = -0.75 * (1 - e33), work = 0.75 * 0.33 - 0.075 * (1 - e33);
  (void)state;
  for (int i = 0; i < 3; i++)
    for (int kind = 0; kind < 2; kind++) {
      const char *specs[1] = {"step:-0.33,1"};
      br_signal *load = NULL;
      double got;
      br_err err;
      kit k;
      kit_plant(&k, "prescribed", "dahl", "", specs, NULL);
      if (LOADS[i]) {
        assert_int_equal(br_signal_parse(LOADS[i], &load, &err), BR_OK);
        const br_drive d = br_drive_signal(load);
        if (br_plant_load(k.plant, 0, &d, &err)) fail_msg("%s", err.msg);
      }
      br_solve_settings s = br_solve_settings_default();
      s.energy = 1, s.kind = KINDS[kind], s.dt = 0.013;
      kit_solver(&k, &s, NULL);
      kit_to(&k, 2, NULL);
      br_solver_force(k.solver, &got);
      const br_energy b = br_solver_energy(k.solver);
      if (!(fabs(got - F) <= 1e-11 && fabs(b.work_in - work) <= 1e-11))
        fail_msg("load %d, solver %d: F = %.12g, exact %.12g, work %.12g, exact %.12g", i, kind, got, F,
                 b.work_in, work);
      kit_end(&k);
      br_signal_destroy(load);
    }
}

/* A force that grows with speed makes the work of a jump infinite: said, not left out. */
static void test_jump_without_limit_is_refused(void **state)
{
  (void)state;
  static const char *const models[] = {"lugre", "coulomb", "karnopp", "gms", "lugre_elastoplastic"};
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
    for (int fixed = 0; fixed < 2; fixed++) {
      const char *specs[1] = {"step:0.1,1"};
      br_err err;
      kit k;
      kit_plant(&k, "prescribed", models[i], "", specs, NULL);
      br_solve_settings s = br_solve_settings_default();
      s.kind = fixed ? BR_SOLVER_FIXED : BR_SOLVER_NATIVE;
      kit_solver(&k, &s, NULL);
      assert_int_equal(br_solver_advance(k.solver, 2, NULL, &err), BR_E_UNSUPPORTED);
      assert_non_null(strstr(err.msg, models[i]));
      assert_non_null(strstr(err.msg, "jumps by 0.1 at t = 1 s"));
      kit_end(&k);
    }
}

/* At rest nothing says what a true-stick contact carries: 0, as in trace. */
static void test_rest_carries_nothing(void **state)
{
  (void)state;
  static const char *const models[] = {"coulomb", "karnopp"};
  const char *specs[1] = {"pwl:0,0,1,0,2,-0.1,3,-0.1,4,0"};
  const double at[] = {0.5, 1.5, 2.5, 3.5}, want[] = {0, -1 - 0.04, 0, 1 + 0.04};
  for (int m = 0; m < 2; m++) {
    kit k;
    double F;
    kit_plant(&k, "prescribed", models[m], "", specs, NULL);
    kit_solver(&k, NULL, NULL);
    for (int i = 0; i < 4; i++) {
      kit_to(&k, at[i], NULL);
      br_solver_force(k.solver, &F);
      assert_true(fabs(F - want[i]) <= 1e-14);
    }
    kit_end(&k);
  }
}

/* Elements that slip do not change while the motion swings on: the work is that of straight strokes all the
 * same, however little there is to integrate. */
static void test_work_sees_the_motion(void **state)
{
  (void)state;
  const char *specs[1] = {"sine:0.3,2"};
  br_solve_settings set = br_solve_settings_default();
  elements e = {.n = 1, .k = {1e4}, .delta = {1e-5}, .tau = 1};
  kit k;
  kit_plant(&k, "prescribed", "maxwell_slip", "k=1e4,Delta=1e-5", specs, NULL);
  set.energy = 1;
  kit_solver(&k, &set, NULL);
  kit_to(&k, 3.125, NULL);
  elements_move(&e, 0.3, 1);
  for (int stroke = 0; stroke < 12; stroke++) elements_move(&e, stroke % 2 ? 0.6 : -0.6, 1);
  assert_true(fabs(br_solver_energy(k.solver).work_in - e.work) <= 1e-12 * e.work);
  kit_end(&k);
}

static int count_other(void *ctx, const br_event *ev)
{
  *(int *)ctx += ev->type != BR_EVENT_REVERSAL;
  return 0;
}

/* 120 m of random turning points, z = 0 passed on nearly every arc: the kink there is located, and is in no
 * list. */
static void test_kinks_are_located(void **state)
{
  (void)state;
  static const double weights[][2] = {{0.7, 0.3}, {0.5, 0.5}, {0.9, 0.1}, {0.3, 0.7}};
  static const char *const systems[] = {"prescribed", "filtered"};
  for (size_t q = 0; q < 8; q++) {
    const double beta = weights[q / 2][0], gamma = weights[q / 2][1];
    static double want[512];
    char spec[16384], set[64];
    const char *specs[2] = {spec, NULL};
    double path = 0, u = 0, z = 0, worst = 0, x[8];
    size_t n = 0, at = (size_t)snprintf(spec, sizeof spec, "pwl:0,0");
    rng r = {12345 + q / 2};
    for (; path < 120; path += fabs(u - want[511])) {
      want[511] = u, u = rng_range(&r, -3, 3);
      z = bouc_wen_walk(z, u - want[511], beta, gamma);
      want[n++] = z;
      at += (size_t)snprintf(spec + at, sizeof spec - at, ",%zu,%.17g", n, u);
    }
    snprintf(set, sizeof set, "eta=1,beta=%g,gamma=%g", beta, gamma);
    kit k;
    int others = 0;
    br_solve_settings s = br_solve_settings_default();
    s.on_event = count_other, s.ctx = &others;
    kit_plant(&k, systems[q % 2], "bouc_wen", set, specs, NULL);
    kit_solver(&k, &s, NULL);
    const int iz = br_plant_index(k.plant, "z");
    for (size_t i = 0; i < n; i++) {
      kit_to(&k, (double)(i + 1), x);
      worst = fmax(worst, fabs(x[iz] - want[i]));
    }
    kit_end(&k);
    print_message("bouc_wen on %s, 120 m, beta %g: largest difference %.1e\n", systems[q % 2], beta, worst);
    assert_true(worst < 1e-12);
    assert_int_equal(others, 0);
  }
}

/* Random parameters of gms with 1 to 4 elements. */
static void random_gms(rng *r, char *set, size_t size)
{
  const int n = 1 + (int)(rng_next(r) % 4);
  const double Fc = exp(rng_range(r, -2, 2));
  double part[4], sum = 0;
  size_t at = (size_t)snprintf(set, size, "Fc=%.17g,Fs=%.17g,vs=%.17g,sigma2=%g,C=%.17g,k=", Fc,
                               Fc * rng_range(r, 1, 3), exp(rng_range(r, -9, -2)),
                               rng_unit(r) < 0.5 ? 0 : 0.4, exp(rng_range(r, -2, 4)));
  for (int i = 0; i < n; i++) {
    at += (size_t)snprintf(set + at, size - at, "%s%.17g", i ? "," : "", exp(rng_range(r, 5, 14)));
    sum += part[i] = 0.05 + rng_unit(r);
  }
  at += (size_t)snprintf(set + at, size - at, ",alpha=");
  for (int i = 0; i < n; i++)
    at += (size_t)snprintf(set + at, size - at, "%s%.17g", i ? "," : "", part[i] / sum);
}

/* Elements that have slipped fast, crawl on and return: no stall, and the work is that of small steps. */
static void test_crawls_end(void **state)
{
  (void)state;
  rng r = {20261115};
  for (int q = 0; q < 200; q++) {
    char set[1024], spec[1024];
    const char *specs[1] = {spec};
    double t = 0, u = 0, path = 0, work[2];
    size_t at = (size_t)snprintf(spec, sizeof spec, "pwl:0,0");
    random_gms(&r, set, sizeof set);
    for (int i = 0; i < 7; i++) {
      const int crawl = i % 2, back = i % 4 == 2;
      const double side = rng_unit(&r) < 0.5 ? -1 : 1, d = side * exp(rng_range(&r, -12, -7));
      t += exp(crawl ? rng_range(&r, -2, 1) : rng_range(&r, -7, -2));
      const double to = back ? 0 : u + (crawl ? d * exp(rng_range(&r, -11, -2)) : d);
      path += fabs(to - u);
      u = to;
      at += (size_t)snprintf(spec + at, sizeof spec - at, ",%.17g,%.17g", t, u);
    }
    for (int fine = 0; fine < 2; fine++) {
      kit k;
      br_solve_settings s = br_solve_settings_default();
      s.energy = 1, s.max_steps = 20000, s.h_max = fine ? t / 300 : 0;
      kit_plant(&k, q % 2 ? "prescribed" : "filtered", "gms", set, specs, NULL);
      kit_solver(&k, &s, NULL);
      kit_to(&k, t, NULL);
      work[fine] = br_solver_energy(k.solver).work_in;
      kit_end(&k);
    }
    if (!(fabs(work[0] - work[1]) <= 1e-9 * fabs(work[1]) + 1e-12 * path))
      fail_msg("%s %s: work %.12g, with small steps %.12g", set, spec, work[0], work[1]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_elements_are_clipped), cmocka_unit_test(test_jump_is_a_fast_stroke),
      cmocka_unit_test(test_a_jump_happens_once),  cmocka_unit_test(test_jump_without_limit_is_refused),
      cmocka_unit_test(test_rest_carries_nothing), cmocka_unit_test(test_work_sees_the_motion),
      cmocka_unit_test(test_kinks_are_located),    cmocka_unit_test(test_crawls_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
