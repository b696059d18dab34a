/* SPDX-License-Identifier: Apache-2.0
 * test_reference.c - mechanisms against independent reference numbers of the shared folder: histories, works,
 * reversals and slip points of document 4, stick-slip cycles of document 1.  Default tolerance, nothing
 * tuned. Allowed: the larger of 1e-9 of the range and 100 times the reference's own error; cycles 1e-8
 * relative. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kit.h"
#include "support/json.h"
#include "support/paths.h"

enum { TIMES = 25, MANY = 50000 };

typedef struct {
  double t[MANY], x[MANY];
  br_event_type type[MANY];
  size_t n;
} record;

static int keep(void *ctx, const br_event *ev)
{
  record *r = ctx;
  if (r->n < MANY) r->t[r->n] = ev->t, r->x[r->n] = ev->x[0], r->type[r->n] = ev->type, r->n++;
  return 0;
}

static json *load(const char *name)
{
  char path[1024];
  long where = 0;
  (void)support_reference(name, path, sizeof path);
  json *j = json_load(path, &where);
  assert_non_null(j);
  return j;
}

static const json *entry(const json *file, const char *family, const char *key)
{
  char name[256];
  snprintf(name, sizeof name, "%s/%s", family, key);
  return json_get(json_get(file, "entries"), name);
}

static size_t compared; /* entries of the family at hand */

/* Compare n numbers with an entry, where the family has it. */
static void compare(const json *file, const char *family, const char *key, const double *ours, size_t n,
                    size_t stride)
{
  double ref[64], lo = INFINITY, hi = -INFINITY, worst = 0;
  const json *e = entry(file, family, key);
  if (!e) return;
  compared++;
  const size_t have = json_numbers(json_get(e, "value"), ref, 64);
  assert_true(have >= n && n > 0);
  for (size_t i = 0; i < n; i++) lo = fmin(lo, ref[i]), hi = fmax(hi, ref[i]);
  if (n == 1) lo = 0, hi = fabs(ref[0]);
  const double allowed = fmax(1e-9 * (hi - lo), 100 * json_number(json_get(e, "err")));
  for (size_t i = 0; i < n; i++) worst = fmax(worst, fabs(ours[i * stride] - ref[i]));
  if (!(worst <= allowed)) fail_msg("%s/%s: off by %.3g, allowed %.3g", family, key, worst, allowed);
  printf("  %s/%s: %.1e of %.1e\n", family, key, worst, allowed);
}

static void family(const json *file, const char *name, const char *system, const char *model, const char *set,
                   const char *input)
{
  static record ev;
  static double x[TIMES][16], F[TIMES], work[TIMES], friction[TIMES], times[64], places[64];
  kit k;
  br_solve_settings s = br_solve_settings_default();
  s.energy = s.extremes = 1, s.on_event = keep, s.ctx = &ev;
  ev.n = 0;
  compared = 0;
  kit_plant(&k, system, model, set, &input, NULL);
  kit_solver(&k, &s, NULL);
  double period_work[4] = {0}, period_friction[4] = {0};
  for (int j = 0; j < TIMES; j++) {
    kit_to(&k, j * 2.5 * KIT_PI, x[j]);
    br_solver_force(k.solver, &F[j]);
    const br_energy e = br_solver_energy(k.solver);
    work[j] = e.work_in, friction[j] = e.friction;
    if (j % 8 == 0) period_work[j / 8] = e.work_in, period_friction[j / 8] = e.friction;
    if (!(fabs(e.residual) <= 1e-9 * (1 + fabs(e.work_in))))
      fail_msg("%s: energy residual %g J of %g J at sample %d", name, e.residual, e.work_in, j);
  }
  const int iz = br_plant_index(k.plant, "z");
  compare(file, name, "history_x", &x[0][0], TIMES, 16);
  compare(file, name, "history_v", &x[0][1], TIMES, 16);
  if (iz >= 0) compare(file, name, "history_internal_state_z", &x[0][iz], TIMES, 16);
  compare(file, name, "history_friction_force", F, TIMES, 1);
  compare(file, name, "history_work_of_external_force", work, TIMES, 1);
  compare(file, name, "history_work_against_friction", friction, TIMES, 1);
  for (int q = 1; q <= 3; q++) {
    char key[64];
    const double w = period_work[q] - period_work[q - 1], f = period_friction[q] - period_friction[q - 1];
    double count = 0;
    snprintf(key, sizeof key, "period%d/work_of_external_force", q);
    compare(file, name, key, &w, 1, 1);
    snprintf(key, sizeof key, "period%d/work_against_friction", q);
    compare(file, name, key, &f, 1, 1);
    snprintf(key, sizeof key, "period%d/number_of_velocity_reversals", q);
    for (size_t i = 0; i < ev.n; i++)
      count +=
          ev.type[i] == BR_EVENT_REVERSAL && ev.t[i] > (q - 1) * 20 * KIT_PI && ev.t[i] <= q * 20 * KIT_PI;
    const json *n = entry(file, name, key);
    if (n && count != json_number(json_get(n, "value")))
      fail_msg("%s/%s: %g, expected %g", name, key, count, json_number(json_get(n, "value")));
  }
  static const br_event_type kinds[2] = {BR_EVENT_REVERSAL, BR_EVENT_ELEMENT};
  static const char *const keys[2][2] = {{"first_reversal_times", "first_reversal_x"},
                                         {"first_slip_event_times", "first_slip_event_x"}};
  for (int q = 0; q < 2; q++) {
    size_t n = 0;
    for (size_t i = 0; i < ev.n && n < 20; i++)
      if (ev.type[i] == kinds[q]) times[n] = ev.t[i], places[n++] = ev.x[i];
    const json *e = entry(file, name, keys[q][0]);
    if (!e) continue;
    const size_t have = json_get(e, "value")->count;
    assert_true(n >= have);
    compare(file, name, keys[q][0], times, have, 1);
    compare(file, name, keys[q][1], places, have, 1);
  }
  if (compared < 11) fail_msg("%s: only %zu entries found in the reference file", name, compared);
  kit_end(&k);
}

/* States x[0] at the sample times of the references. */
static void samples(const char *system, const char *model, const char *set, const char *input, double *out)
{
  kit k;
  double x[32];
  kit_plant(&k, system, model, set, &input, NULL);
  kit_solver(&k, NULL, NULL);
  for (int j = 0; j < TIMES; j++) {
    kit_to(&k, j * 2.5 * KIT_PI, x);
    out[j] = x[0];
  }
  kit_end(&k);
}

/* The condition of x(t_j): what a relative change of a parameter does to it, by differences, against the
 * record (four digits, absolute values).  And the error of x(t_j) read as such a change: how much worse than
 * rounding of the parameter the integration is. */
static void condition(const json *file, const char *name, const char *key, const char *system,
                      const char *model, const char *set, const char *format, double step, double within,
                      const char *input)
{
  double ref[TIMES], x[TIMES], hist[TIMES], up[TIMES] = {0}, low[TIMES] = {0}, worst = 0, equal = 0;
  char list[1024];
  const json *e = entry(file, name, key), *h = entry(file, name, "history_x");
  assert_non_null(e);
  assert_non_null(h);
  assert_int_equal(json_numbers(json_get(e, "value"), ref, TIMES), TIMES);
  assert_int_equal(json_numbers(json_get(h, "value"), hist, TIMES), TIMES);
  samples(system, model, set, input, x);
  for (int side = 0; side < 2; side++) {
    const double f = side ? 1 + step : 1 - step;
    int used = 0;
    for (const char *c = format; *c; c++) { /* {number} stands for the number times f */
      char *end = NULL;
      if (*c != '{') {
        list[used++] = *c;
        continue;
      }
      used += snprintf(list + used, sizeof list - (size_t)used, "%.17g", f * strtod(c + 1, &end));
      c = end;
    }
    list[used] = '\0';
    samples(system, model, list, input, side ? up : low);
  }
  double top = 0;
  for (int j = 0; j < TIMES; j++) top = fmax(top, ref[j]);
  for (int j = 1; j < TIMES; j++) {
    const double ours = fabs(up[j] - low[j]) / (2 * step), off = fabs(ours - ref[j]);
    worst = fmax(worst, off / fmax(ref[j], 1e-2 * top));
    equal = fmax(equal, fabs(x[j] - hist[j]) / fmax(ref[j], 1e-3 * top));
    if (!(off <= within * fmax(ref[j], 1e-2 * top)))
      fail_msg("%s/%s: sample %d: %.4g, recorded %.4g", name, key, j, ours, ref[j]);
  }
  printf("  %s: condition up to %.4g, to %.1e; error equals a relative change of %.1e\n", name, top, worst,
         equal);
  assert_true(equal < 1e-9);
}

#define SINE(a) "sine:" a ",0.015915494309189535"
#define MAXWELL                                                                                          \
  "model.k=1,1.8,2.6,3.4,4.2,5,5.8,6.6,7.4,8.2,Delta=0.0015,0.0024,0.0033,0.0042,0.0051,0.006,0.0069,0." \
  "0078,"                                                                                                \
  "0.0087,0.0096"
#define MAXWELL_SCALED                                                                                   \
  "model.k={1},{1.8},{2.6},{3.4},{4.2},{5},{5.8},{6.6},{7.4},{8.2},Delta=0.0015,0.0024,0.0033,0.0042,0." \
  "0051,"                                                                                                \
  "0.006,0.0069,0.0078,0.0087,0.0096"
/* reading B: inertia and spring per degree */
#define READING_B "I=1.1260166202166615e-05,k1=0.17453292519943295,k2=0.17453292519943295"

static void test_mass_spring(void **state)
{
  json *f = load("loops.json");
  family(f, "004/fig3", "mass_spring", "dahl", "sigma0=7.5,Fc=0.75,m=1,ks=2", SINE("1"));
  family(f, "004/fig4", "mass_spring", "lugre", "sigma1=316.22776601683796", SINE("1"));
  family(f, "004/fig5", "mass_spring", "maxwell_slip", MAXWELL, SINE("1"));
  family(f, "004/fig4_SUPPLEMENT_Fe=2sin(0.1t)", "mass_spring", "lugre", "sigma1=316.22776601683796",
         SINE("2"));
  json_free(f);
}

static void test_dc_motor(void **state)
{
  json *f = load("loops.json");
  family(f, "004/fig8_9_motor_Dahl/readingA_I=6.4516e-4", "dc_motor", "dahl", "sigma0=7.5,Fc=0.75",
         SINE("0.1"));
  family(f, "004/fig10_11_motor_LuGre/readingA_I=6.4516e-4", "dc_motor", "lugre", NULL, SINE("0.1"));
  family(f, "004/fig12_13_motor_Maxwell/readingA_I=6.4516e-4", "dc_motor", "maxwell_slip", MAXWELL,
         SINE("0.1"));
  family(f, "004/fig12_13_motor_Maxwell/readingB_I=6.4516e-4", "dc_motor", "maxwell_slip",
         MAXWELL "," READING_B, SINE("0.1"));
  family(f, "004/fig8_9_motor_Dahl/readingB_I=6.4516e-4", "dc_motor", "dahl", "sigma0=7.5,Fc=0.75," READING_B,
         SINE("0.1"));
  family(f, "004/fig10_11_motor_LuGre/readingB_I=6.4516e-4", "dc_motor", "lugre", READING_B, SINE("0.1"));
  json_free(f);
}

static void test_conditions(void **state)
{
  json *f = load("loops.json");
  condition(f, "004/fig3", "sensitivity_dx_per_relative_change_of_sigma", "mass_spring", "dahl",
            "sigma0=7.5,Fc=0.75,m=1,ks=2", "sigma0={7.5},Fc=0.75,m=1,ks=2", 1e-6, 0.01, SINE("1"));
  condition(f, "004/fig4_SUPPLEMENT_Fe=2sin(0.1t)", "sensitivity_dx_per_relative_change_of_sigma0",
            "mass_spring", "lugre", "sigma1=316.22776601683796", "sigma1=316.22776601683796,sigma0={1e5}",
            1e-6, 0.01, SINE("2"));
  condition(f, "004/fig8_9_motor_Dahl/readingA_I=6.4516e-4", "sensitivity_dx_per_relative_change_of_sigma",
            "dc_motor", "dahl", "sigma0=7.5,Fc=0.75", "sigma0={7.5},Fc=0.75", 1e-8, 0.02, SINE("0.1"));
  condition(f, "004/fig10_11_motor_LuGre/readingA_I=6.4516e-4",
            "sensitivity_dx_per_relative_change_of_sigma0", "dc_motor", "lugre", NULL, "sigma0={1e5}", 1e-6,
            0.01, SINE("0.1"));
  condition(f, "004/fig5", "sensitivity_dx_per_relative_change_of_all_k_i", "mass_spring", "maxwell_slip",
            MAXWELL, MAXWELL_SCALED, 1e-6, 0.01, SINE("1"));
  condition(f, "004/fig12_13_motor_Maxwell/readingA_I=6.4516e-4",
            "sensitivity_dx_per_relative_change_of_all_k_i", "dc_motor", "maxwell_slip", MAXWELL,
            MAXWELL_SCALED, 1e-8, 0.02, SINE("0.1"));
  json_free(f);
}

static void one_cycle(const json *ref, const char *set, double vp)
{
  static const char *const keys[] = {"lmin", "lmax", "vmin", "vmax", "zmin", "zmax", "Fmin", "Fmax"};
  kit k;
  br_cycle c;
  br_err err;
  double lo[4], hi[4];
  br_cycle_settings cs = br_cycle_settings_default();
  kit_plant(&k, "pulled_block", "lugre", set, NULL, &vp);
  cs.level = vp, cs.threshold = 0.01 * vp;
  if (br_cycle_find(k.plant, NULL, &cs, NULL, &c, NULL, lo, hi, &err)) fail_msg("vp = %g: %s", vp, err.msg);
  double worst = 0;
#define SAME(x, key)                                                                                   \
  do {                                                                                                 \
    const double r = json_number(json_get(json_get(ref, key), "value"));                               \
    worst = fmax(worst, fabs((x) / r - 1));                                                            \
    if (!(fabs((x) / r - 1) <= 1e-8)) fail_msg("vp = %g, %s: %.15g, expected %.15g", vp, key, (x), r); \
  } while (0)
  SAME(c.period, "T");
  SAME(c.friction_work, "W");
  SAME(c.stick_fraction, "frac01vp");
  for (int i = 0; i < 8; i++) SAME(i % 2 ? hi[i / 2] : lo[i / 2], keys[i]);
  printf("  vp = %g: all eleven numbers to %.1e\n", vp, worst);
  kit_end(&k);
}

static void test_cycles(void **state)
{
  json *f = load("control.json");
  const json *all = json_get(f, "open_loop_limit_cycle_by_vp");
  for (const json *c = all->child; c; c = c->next)
    one_cycle(c, "m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1",
              strtod(c->key, NULL));
  one_cycle(json_get(json_get(f, "open_loop_1995_parameters"), "values"), "m=1,k=2", 0.1);
  json_free(f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mass_spring),
      cmocka_unit_test(test_dc_motor),
      cmocka_unit_test(test_conditions),
      cmocka_unit_test(test_cycles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
