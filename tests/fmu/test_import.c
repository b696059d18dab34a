/* SPDX-License-Identifier: Apache-2.0
 * test_import.c - FMUs of every model and every mechanism, both versions of the standard: an importer that
 * knows only the file gets what the library's own solver gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bri_config.h"
#include "bristle/expr.h"
#include "bristle/fmu.h"
#include "bristle/mechanism.h"
#include "bristle/solve.h"

#if BR_WITH_ZIP && BR_WITH_SUNDIALS && !defined(__SANITIZE_THREAD__)
#include "importer.inc"

static const double TOLERANCE = 1e-12;           /* what the descriptions recommend */
static const double AMPLITUDE = 0.01, OMEGA = 7; /* m, rad/s */

static void write_fmu(const char *model, const char *system, const char *set, int version, const char *path)
{
  const br_fmu_options o = {.model = model, .system = system, .set = set, .name = "it", .version = version};
  br_err err;
  if (br_fmu_write(&o, path, NULL, &err))
    fail_msg("%s %s %s: %s", model ? model : "", system ? system : "", set ? set : "", err.msg);
}

static void open_case(importer *m, const char *model, const char *system, const char *set, int version)
{
  char folder[160];
  const char *slash = system ? strrchr(system, '/') : NULL;
  write_fmu(model, system, set, version, "case.fmu");
  (void)snprintf(folder, sizeof folder, "%s_%s_%d", model ? model : "own",
                 slash    ? slash + 1
                 : system ? system
                          : "element",
                 version);
  importer_open(m, "case.fmu", folder);
  assert_int_equal(m->version, version);
}

/* ---- the library's own answer ---- */

typedef struct {
  br_plant *plant;
  br_params *params;
  br_mechanism *text;
  br_param rows[8];
  double x[64], F[16];
} native;

static void native_run(native *a, const char *model, const char *system, const char *set,
                       const br_drive *drives, const char *init, double value, double t_end)
{
  static br_param_table tables[BR_PLANT_TABLES];
  br_solver *solver;
  br_err err = {0};
  memset(a, 0, sizeof *a);
  if (br_mechanism_named(system) && br_mechanism_load(system, &a->text, &err)) fail_msg("%s", err.msg);
  if (!model) model = br_mechanism_model(a->text);
  const br_model *m = br_expr_variant(br_all_models_find(model), set);
  const br_system *s = a->text ? br_mechanism_system(a->text) : br_system_find(system);
  assert_true(m && s);
  const size_t n = br_plant_tables(s, m, a->rows, tables);
  assert_int_equal(br_params_create_tables(tables, n, &a->params, &err), BR_OK);
  if (a->text && br_params_ground(a->params, br_mechanism_set(a->text), &err)) fail_msg("%s", err.msg);
  if (br_params_set_list(a->params, set, &err) || br_params_finish(a->params, &err)) fail_msg("%s", err.msg);
  assert_int_equal(br_plant_of(s, m, a->params, drives, &a->plant, &err), BR_OK);
  assert_true(br_plant_nstate(a->plant) <= 64);
  if (init) a->x[br_plant_index(a->plant, init)] = value;
  assert_int_equal(br_solver_create(a->plant, NULL, &solver, &err), BR_OK);
  assert_int_equal(br_solver_start(solver, 0, a->x, &err), BR_OK);
  if (br_solver_advance(solver, t_end, a->x, &err)) fail_msg("%s %s: %s", model, system, err.msg);
  br_solver_force(solver, a->F);
  br_solver_destroy(solver);
}

static void native_free(native *a)
{
  br_plant_destroy(a->plant);
  br_params_destroy(a->params);
  br_mechanism_destroy(a->text);
}

static double apart(double a, double b, double scale) { return fabs(a - b) / fmax(scale, fabs(b)); }

/* ---- elements ---- */

static void swing(const void *ctx, double t, int side, double *w, double *dw)
{
  (void)ctx, (void)side;
  *w = AMPLITUDE * sin(OMEGA * t);
  *dw = AMPLITUDE * OMEGA * cos(OMEGA * t);
}

/* The same as the library knows it, with its turning points. */
static br_signal *swing_signal(void)
{
  char spec[64];
  br_signal *out = NULL;
  (void)snprintf(spec, sizeof spec, "sine:%.17g,%.17g", AMPLITUDE, OMEGA / (2 * 3.14159265358979323846));
  assert_int_equal(br_signal_parse(spec, &out, NULL), BR_OK);
  return out;
}

static void swing_speed(double t, double *value) { value[0] = AMPLITUDE * OMEGA * cos(OMEGA * t); }

/* Strokes of constant speed: what co-simulation holds is what the library is given. */
static double stroke(double t) { return t < 0.25 ? 0.04 : t < 0.5 ? -0.03 : 0.02; }
static void stroke_speed(double t, double *value) { value[0] = stroke(t + 1e-9); }
static void stroked(const void *ctx, double t, int side, double *w, double *dw)
{
  const double s = side < 0 ? t - 1e-12 : t + 1e-12;
  (void)ctx;
  *w = t < 0.25 ? 0.04 * t : t < 0.5 ? 0.01 - 0.03 * (t - 0.25) : 0.0025 + 0.02 * (t - 0.5);
  *dw = stroke(s);
}
static double stroke_corner(const void *ctx, double t)
{
  (void)ctx;
  return t < 0.25 ? 0.25 : t < 0.5 ? 0.5 : INFINITY;
}

static const char *set_of(const br_model *m)
{
  if (strcmp(m->name, "lugre") == 0) return "sigma0=1e4,sigma1=50,Fs=2,vs=0.01";
  if (strcmp(m->name, "tomlinson") == 0) return "V0=1e-4J,a=2mm,k=100";
  if (strcmp(m->name, "lugre_expr") == 0) return "sigma0=1e4,sigma1=20,g=1+0.5*exp(-(v/0.02)^2)";
  return NULL;
}

static double worst_me, worst_cs;

/* Both versions ask the same instance: under the sanitizers, where all takes ten times as long, one of them
 * each. */
static int is_tried(size_t i, int version)
{
#ifdef __SANITIZE_ADDRESS__
  return (i + (size_t)version) % 2 == 0;
#else
  return (void)i, (void)version, 1;
#endif
}

static void check_element(const br_model *model, const char *set, int version)
{
  static const char *const IN[] = {"v"};
  const importer_drive swings = {IN, 1, swing_speed}, strokes = {IN, 1, stroke_speed};
  br_signal *signal = swing_signal();
  const br_drive moves = br_drive_signal(signal), held = {0, stroked, stroke_corner, 0, NULL};
  const double t_end = 1.3;
  importer m;
  native a;
  double size = 1e-12, me = 0;
  open_case(&m, model->name, NULL, set, version);
  if (!(model->flags & BR_MODEL_JUMPS)) { /* the others have co-simulation only */
    importer_instance(&m, 0);
    importer_ready(&m);
    (void)importer_check(&m);
    importer_instance(&m, 0);
    importer_set(&m, "v", AMPLITUDE * OMEGA);
    importer_ready(&m);
    (void)importer_exchange(&m, &swings, t_end, TOLERANCE);
    native_run(&a, model->name, "prescribed", set, &moves, NULL, 0, t_end);
    size = fmax(size, fabs(a.F[0]));
    me = apart(importer_get(&m, "F"), a.F[0], size);
    native_free(&a);
  }
  importer_instance(&m, 1);
  importer_ready(&m);
  importer_steps(&m, &strokes, 0.7, 28);
  native_run(&a, model->name, "prescribed", set, &held, NULL, 0, 0.7);
  size = fmax(size, fabs(a.F[0]));
  const double cs = apart(importer_get(&m, "F"), a.F[0], size);
  native_free(&a);
  importer_close(&m);
  br_signal_destroy(signal);
  print_message("%-20s FMI %d: model exchange off %.1e, co-simulation %.1e\n", model->name, version, me, cs);
  if (!(me < 1e-8)) fail_msg("%s: model exchange off by %g of the force", model->name, me);
  if (!(cs < 1e-9)) fail_msg("%s: co-simulation off by %g of the force", model->name, cs);
  worst_me = fmax(worst_me, me), worst_cs = fmax(worst_cs, cs);
}

/* Laws that users write as formulas, and values that differ by direction. */
static const struct {
  const char *model, *set;
} LAWS[] = {
    {"coulomb", "Fc=1,Fs=1.5,vs=0.01,back=2"},
    {"coulomb", "g=1+0.5*exp(-abs(v)/0.01)+0.3*sin(300*u),rise=1.2"},
    {"coulomb", "Fc=1,Fs=1.2,rise=1.4"},
    {"lugre", "sigma0=1e4,sigma1=50,g=1+0.5*exp(-(v/0.02)^2)"},
    {"duhem", "f11=2e3-2e3*x1,g1=max(v,0),f12=2e3+2e3*x1,g2=min(v,0),h=x1"},
};

static void test_elements(void **state)
{
  for (size_t i = 0; br_all_models(i); i++) {
    const br_model *m = br_all_models(i);
    if (m->axes != 1) continue;
    for (int version = 2; version <= 3; version++)
      if (is_tried(i, version)) check_element(m, set_of(m), version);
  }
  for (size_t i = 0; i < sizeof LAWS / sizeof *LAWS; i++)
    for (int version = 2; version <= 3; version++)
      if (is_tried(i, version)) check_element(br_all_models_find(LAWS[i].model), LAWS[i].set, version);
  print_message("worst: model exchange %.1e, co-simulation %.1e\n", worst_me, worst_cs);
}

/* ---- mechanisms ---- */

typedef struct {
  const char *system, *model, *set, *init;
  double value, t_end;
} machine;

static const machine MACHINES[] = {
    {"mass_spring", "lugre", "m=2,ks=500,sigma0=1e4,sigma1=100,Fc=1,Fs=1.5,vs=0.01,Fe=1", "x", 0.02, 1},
    {"mass_spring", "coulomb", "m=2,ks=500,Fc=1,Fs=1.5,vs=0.01", "x", 0.02, 1},
    {"mass_spring", "coulomb", "m=2,ks=500,Fc=1,Fs=1.5,vs=0.01,back=2,rise=1.3", "x", 0.02, 1},
    {"pulled_block", "coulomb", "m=1,k=200,vp=0.1,g=1+0.5*exp(-abs(v)/0.01)+0.2*sin(90*u),rise=1.2", "l", 0,
     1},
    {"mass_spring", "lugre", "m=2,ks=500,sigma0=1e4,sigma1=100,g=1+0.5*exp(-(v/0.01)^2)", "x", 0.02, 0.4},
    {"mass_spring", "duhem", "m=1,ks=50,f11=2e3-2e3*x1,g1=max(v,0),f12=2e3+2e3*x1,g2=min(v,0),h=x1", "v", 0.3,
     1},
    {"mass_spring", "maxwell_slip", "m=1,ks=50,k=100,200,Delta=1mm,3mm", "x", 0.1, 1},
    {"mass_spring", "gms", "m=1,ks=50", "x", 0.1, 1},
    {"mass_spring", "dahl", "m=1,ks=50,sigma0=1000,Fc=1", "v", 0.3, 1},
    {"mass_spring", "dahl", "m=1,ks=50,sigma0=1000,Fc=1,gamma=0.5", "v", 0.3, 1}, /* integrates the way */
    {"mass_spring", "bouc_wen", "m=1,ks=50", "v", 0.3, 1},
    {"pulled_block", "lugre", "m=1,k=2000,vp=0.1,sigma0=1e5,sigma1=316,Fc=1,Fs=1.5,vs=0.001", "l", 0, 0.5},
    {"driven_block", "lugre_elastoplastic", "m=1,F=2", "v", 0.1, 0.5},
    {"driven_block", "karnopp", "m=1,F=0.3", "v", 0.5, 2},
    {"dc_motor", "lugre", "i=1", "omega", 2, 0.5},
    {"chain", "lugre", "m=1,2,k=100,200,sigma0=1e4,sigma1=100,Fc=1,Fs=1.5,Fe=3", "x1", 0.01, 0.5},
    {"filtered", "dahl", "tau=0.1", "y", 0.5, 0.3},
    {"two_axis", "bouc_wen_biaxial", "m=1,kx=50,ky=70", "vx", 0.3, 0.5},
};

/* States by their names in both worlds; the largest difference relative to the largest state of all. */
static double difference(importer *m, const native *a)
{
  double size = 0, worst = 0;
  for (size_t i = 0; i < br_plant_nstate(a->plant); i++) size = fmax(size, fabs(a->x[i]));
  for (size_t i = 0; i < br_plant_nstate(a->plant); i++) {
    char name[120];
    (void)snprintf(name, sizeof name, "%s", br_plant_state(a->plant, i));
    const importer_var *v = importer_find(m, name);
    if (!v || strcmp(v->causality, "output") != 0 || strcmp(name, "F") == 0)
      (void)snprintf(name, sizeof name, "state.%s", br_plant_state(a->plant, i));
    worst = fmax(worst, fabs(importer_get(m, name) - a->x[i]) / size);
  }
  return worst;
}

/* The same of the contacts' forces: of those that hold, too. */
static double force_difference(importer *m, const native *a)
{
  static const char *const AXIS[] = {"Fx", "Fy"};
  const size_t n = br_plant_ncontact(a->plant);
  double size = 0, worst = 0;
  for (size_t k = 0; k < n; k++) size = fmax(size, fabs(a->F[k]));
  for (size_t k = 0; k < n; k++) {
    char name[32] = "F", other[48];
    if (n == 2 && importer_find(m, "Fx")) (void)snprintf(name, sizeof name, "%s", AXIS[k]);
    else if (n > 1) (void)snprintf(name, sizeof name, "F%zu", k + 1);
    (void)snprintf(other, sizeof other, "contact.%s", name);
    const double F = importer_get(m, importer_find(m, other) ? other : name);
    worst = fmax(worst, fabs(F - a->F[k]) / fmax(size, 1e-3));
  }
  return worst;
}

static void check_machine(const machine *c, int version)
{
  const char *slash = strrchr(c->system, '/');
  importer m;
  native a;
  open_case(&m, c->model, c->system, c->set, version);
  native_run(&a, c->model, c->system, c->set, NULL, c->init, c->value, c->t_end);
  if (slash) { /* as its author left it */
    importer_instance(&m, 0);
    importer_ready(&m);
    (void)importer_check(&m);
  }
  importer_instance(&m, 0);
  importer_set(&m, c->init, c->value);
  importer_ready(&m);
  const size_t events = importer_exchange(&m, NULL, c->t_end, TOLERANCE);
  const double me = difference(&m, &a), me_force = force_difference(&m, &a);
  importer_instance(&m, 1);
  importer_set(&m, c->init, c->value);
  importer_ready(&m);
  importer_steps(&m, NULL, c->t_end, 40);
  const double cs = difference(&m, &a), cs_force = force_difference(&m, &a);
  native_free(&a);
  importer_close(&m);
  const char *name = slash ? slash + 1 : c->system;
  const char *model = c->model ? c->model : "";
  print_message("%-20s %-20s FMI %d: %zu events; model exchange off %.1e, co-simulation %.1e\n", name, model,
                version, events, me, cs);
  if (!(me < 1e-8)) fail_msg("%s with %s: model exchange off by %g", name, model, me);
  if (!(cs < 1e-9)) fail_msg("%s with %s: co-simulation off by %g", name, model, cs);
  if (!(me_force < 1e-6 && cs_force < 1e-6))
    fail_msg("%s with %s: forces off by %g in model exchange, %g in co-simulation", name, model, me_force,
             cs_force);
}

static void test_mechanisms(void **state)
{
  size_t n;
  const br_system *const *all = br_systems(&n);
  for (size_t i = 0; i < sizeof MACHINES / sizeof *MACHINES; i++)
    for (int version = 2; version <= 3; version++)
      if (is_tried(i, version)) check_machine(&MACHINES[i], version);
  for (size_t i = 0; i < n; i++) { /* no mechanism is left out; 'prescribed' is given its motion below */
    size_t k = 0;
    while (k < sizeof MACHINES / sizeof *MACHINES && strcmp(MACHINES[k].system, all[i]->name) != 0) k++;
    if (strcmp(all[i]->name, "prescribed") != 0 && k == sizeof MACHINES / sizeof *MACHINES)
      fail_msg("mechanism %s is not tried", all[i]->name);
  }
}

/* ---- mechanisms of the user's own ---- */

static const machine TEXTS[] = {
    {"belt_oscillator.yaml", NULL, NULL, "x", 0.01, 2},
    {"burridge_knopoff.yaml", NULL, "vp=0.3", "v_block2", 0.05, 0.4},
    {"disc_brake.yaml", NULL, NULL, "omega_disc", 0, 0.3},
    {"drive_line.yaml", NULL, "T=5", "omega_engine", 20, 0.5},
    {"drive_line.yaml", NULL, "T=5", "omega_engine", 0, 0.01}, /* a clutch that holds while it turns */
    {"frame.yaml", NULL, NULL, "v_floor1", 0.5, 1},
    {"hard_stop.yaml", NULL, NULL, "v", 3, 0.3},
    {"pendulum.yaml", NULL, NULL, "theta", 1.5, 3},
    {"pulled_block.yaml", "lugre", "m=1,k=2000,vp=0.1,sigma0=1e5,sigma1=316,Fc=1,Fs=1.5,vs=0.001", "v", 0,
     0.3},
    {"servo_axis.yaml", NULL, "i=1", "omega_load", 0.2, 0.05},
    {"voltage_motor.yaml", NULL, "V=12", "i", 1, 0.1},
};

/* A chain of four blocks: its equations are those of many. */
static void shorten(const char *from, const char *to)
{
  FILE *in = fopen(from, "r"), *out = fopen(to, "w");
  char line[400];
  assert_true(in && out);
  while (fgets(line, sizeof line, in)) {
    char *at;
    if ((at = strstr(line, "repeat: 20")) != NULL) memcpy(at, "repeat: 4 ", 10);
    if ((at = strstr(line, "repeat: 19")) != NULL) memcpy(at, "repeat: 3 ", 10);
    assert_true(fputs(line, out) >= 0);
  }
  fclose(in), fclose(out);
}

static void test_texts(void **state)
{
  const char *root = getenv("BR_SOURCE_DIR");
  assert_non_null(root);
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    machine c = TEXTS[i];
    char path[512];
    (void)snprintf(path, sizeof path, "%s/mechanisms/%s", root, c.system);
    if (strcmp(c.system, "burridge_knopoff.yaml") == 0)
      shorten(path, "chain.yaml"), strcpy(path, "chain.yaml");
    c.system = path;
    for (int version = 2; version <= 3; version++)
      if (is_tried(i, version)) check_machine(&c, version);
  }
}

/* What is made of a text needs it no more, and a program that was changed is not run. */
static void test_program(void **state)
{
  importer m;
  FILE *f = fopen("own.yaml", "w");
  assert_non_null(f);
  fputs("mechanism:\n  name: own\n  title: \"a <b> & \\\"c\\\"\\n\"\n  parameters: {m: 2 kg}\n  inputs: {F: "
        "1 N}\n"
        "  bodies: {bed: fixed, block: {mass: m, x: x, v: v}}\n"
        "  connections: [{force: {on: block, value: 'F*sin(3*t)'}}]\n"
        "  contacts: [{between: [block, bed], model: coulomb, set: {Fc: 0.5 N, Fs: 0.5 N, sigma2: 0}}]\n",
        f);
  fclose(f);
  const br_fmu_options without = {.system = "none.yaml"}, missing = {.system = "no/such.yaml"};
  br_err err;
  FILE *none = fopen("none.yaml", "w");
  fputs("mechanism:\n  bodies: {bed: fixed, b: {mass: 1 kg}}\n  contacts: [{between: [b, bed]}]\n", none);
  fclose(none);
  assert_int_equal(br_fmu_write(&without, "no.fmu", NULL, &err), BR_E_ARG);
  assert_non_null(strstr(err.msg, "none.yaml"));
  assert_int_equal(br_fmu_write(&missing, "no.fmu", NULL, &err), BR_E_ARG);
  assert_true(access("no.fmu", F_OK) != 0);
  open_case(&m, NULL, "own.yaml", NULL, 3);
  assert_int_equal(remove("own.yaml"), 0);
  assert_null(importer_find(&m, "t")); /* the clock is no input */
  importer_instance(&m, 1);
  importer_set(&m, "m", 1);
  importer_ready(&m);
  importer_step(&m, 0, 0.5);
  /* slides from sin 3t = 1/2 on: v' = sin 3t - 1/2, no viscous friction */
  const double t0 = asin(0.5) / 3, v = (cos(3 * t0) - cos(1.5)) / 3 - 0.5 * (0.5 - t0);
  assert_true(fabs(importer_get(&m, "v") - v) < 1e-9);
  importer_free(&m);
  char bytes[4096];
  f = fopen("own_own.yaml_3/resources/recipe.txt", "r+b");
  assert_non_null(f);
  const size_t n = fread(bytes, 1, sizeof bytes, f);
  char *at = strstr(bytes, "\tm\tkg");
  assert_true(n < sizeof bytes && at);
  assert_int_equal(fseek(f, at - bytes + 1, SEEK_SET), 0);
  assert_true(fputc('M', f) == 'M');
  fclose(f);
  void *(*make)(const char *, const char *, const char *, bool, bool, void *, fmi3LogMessageCallback);
  *(void **)&make = must(&m, "fmi3InstantiateModelExchange");
  assert_null(make("one", m.token, "own_own.yaml_3/resources/", 0, 0, NULL, tell3));
  assert_non_null(strstr(importer_said, "changed"));
  importer_close(&m);
}

/* Which stops are touched is part of what is saved. */
static void test_stops(void **state)
{
  char path[512];
  importer m;
  size_t size;
  (void)snprintf(path, sizeof path, "%s/mechanisms/hard_stop.yaml", getenv("BR_SOURCE_DIR"));
  open_case(&m, NULL, path, NULL, 3);
  importer_instance(&m, 0);
  importer_set(&m, "x", 0.11);
  importer_ready(&m);
  const double touched = importer_get(&m, "event[3]"), slope = importer_slope(&m, "der(v)", "x");
  assert_true(fabs(touched - 0.01) < 1e-15); /* inside the stop, and on its side of the indicator */
  assert_true(fabs(slope + 0.5e6) < 1e-3);
  void *bytes = importer_save(&m, &size);
  importer_instance(&m, 0);
  importer_ready(&m);
  importer_load(&m, bytes, size);
  assert_true(importer_get(&m, "event[3]") == touched);
  free(bytes);
  importer_close(&m);
}

static void swing_both(double t, double *value) { swing(NULL, t, 1, value, value + 1); }

static void test_given_motion(void **state)
{
  static const char *const IN[] = {"u", "u_rate"};
  const importer_drive swings = {IN, 2, swing_both};
  br_signal *signal = swing_signal();
  const br_drive moves = br_drive_signal(signal);
  importer m;
  native a;
  open_case(&m, "lugre", "prescribed", "sigma0=1e4,sigma1=50,Fs=2,vs=0.01", 3);
  importer_instance(&m, 0);
  importer_set(&m, "u_rate", AMPLITUDE * OMEGA);
  importer_ready(&m);
  (void)importer_exchange(&m, &swings, 1.3, TOLERANCE);
  native_run(&a, "lugre", "prescribed", "sigma0=1e4,sigma1=50,Fs=2,vs=0.01", &moves, NULL, 0, 1.3);
  assert_true(apart(importer_get(&m, "F"), a.F[0], 1) < 1e-8);
  native_free(&a);
  importer_close(&m);
  br_signal_destroy(signal);
}

/* In model exchange an input stays as it was set, whatever its slope and the time; in co-simulation it goes
 * on by its slope.  F = V0 2 pi / a sin(2 pi x / a), pulled by a spring at u, depends on the position. */
static void test_inputs_that_stay(void **state)
{
  static const char SET[] = "V0=1e-4J,a=2mm,k=10000";
  (void)state;
  for (int version = 2; version <= 3; version++) {
    importer m;
    double F[2];
    open_case(&m, "tomlinson", "filtered", SET, version);
    importer_instance(&m, 0);
    importer_set(&m, "u", 2e-4), importer_set(&m, "u_rate", 0.1);
    importer_ready(&m);
    F[0] = importer_get(&m, "F");
    assert_true(F[0] > 0.05);
    for (int k = 1; k < 4; k++) {
      CALL(&m, version == 2 ? "fmi2SetTime" : "fmi3SetTime", (void *, double), (m.instance, 1e-3 * k));
      assert_true(importer_get(&m, "u") == 2e-4 && importer_get(&m, "u_rate") == 0.1);
      assert_true(importer_get(&m, "F") == F[0] &&
                  importer_get(&m, "der(y)") == F[0]); /* tau y' = F - y, y = 0 */
    }
    importer_set(&m, "u", 3e-4);
    assert_true(importer_get(&m, "F") > 1.2 * F[0]);
    importer_free(&m);
    for (int moves = 0; moves < 2; moves++) {
      importer_instance(&m, 1);
      importer_set(&m, "u", 2e-4), importer_set(&m, "u_rate", 0.1 * moves);
      importer_ready(&m);
      importer_step(&m, 0, 1e-3);
      F[moves] = importer_get(&m, "F");
      assert_true(fabs(importer_get(&m, "u") - 2e-4 - 1e-4 * moves) < 1e-15);
      if (!moves) importer_free(&m);
    }
    assert_true(F[1] > 1.2 * F[0]);
    importer_close(&m);
  }
}

/* ---- the rest of the interface ---- */

static void test_parameters_and_states(void **state)
{
  for (int version = 2; version <= 3; version++) {
    importer m, other;
    size_t size;
    open_case(&m, "lugre", "mass_spring", "m=2,ks=500,sigma0=1e4,sigma1=100,Fc=1,Fs=1.5", version);
    importer_instance(&m, 1);
    for (size_t i = 0; i < m.n; i++) /* what the description promises is what one reads */
      if (m.vars[i].has_start) assert_true(importer_get(&m, m.vars[i].name) == m.vars[i].start);
    assert_int_not_equal(importer_try_set(&m, "Fc", -1), 0);
    assert_non_null(strstr(importer_said, "Fc"));
    assert_true(importer_get(&m, "Fc") == 1);
    assert_int_not_equal(importer_try_set(&m, "x", NAN), 0);
    importer_set(&m, "x", 0.02);
    importer_ready(&m);
    importer_steps(&m, NULL, 0.3, 3);
    assert_int_not_equal(importer_try_set(&m, "x", 1), 0); /* states are set before the start */
    void *bytes = importer_save(&m, &size);
    importer_step(&m, 0.3, 0.1);
    const double x = importer_get(&m, "x"), F = importer_get(&m, "F");
    importer_load(&m, bytes, size);
    importer_step(&m, 0.3, 0.1);
    assert_true(fabs(importer_get(&m, "x") - x) < 1e-13 && fabs(importer_get(&m, "F") - F) < 1e-9);
    importer_load(&m, bytes, size); /* a parameter that is changed in between comes back, too */
    importer_set(&m, "ks", 400);
    importer_step(&m, 0.3, 0.1);
    assert_true(fabs(importer_get(&m, "x") - x) > 1e-6);
    importer_load(&m, bytes, size);
    assert_true(importer_get(&m, "ks") == 500);
    importer_step(&m, 0.3, 0.1);
    assert_true(fabs(importer_get(&m, "x") - x) < 1e-13);
    importer_open(&other, "case.fmu", "other"); /* two instances know nothing of each other */
    importer_instance(&other, 1);
    importer_ready(&other);
    importer_load(&other, bytes, size);
    importer_step(&other, 0.3, 0.1);
    assert_true(fabs(importer_get(&other, "x") - x) < 1e-13);
    importer_close(&other);
    free(bytes);
    importer_close(&m);
  }
}

static void test_slopes(void **state)
{
  importer m;
  open_case(&m, "lugre", "mass_spring", "m=2,ks=500,sigma0=1e4,sigma1=100,sigma2=0.4,Fc=1,Fs=1.5,vs=0.01", 3);
  importer_instance(&m, 0);
  importer_set(&m, "v", 0.02);
  importer_ready(&m);
  assert_true(fabs(importer_slope(&m, "der(x)", "v") - 1) < 1e-9);
  assert_true(fabs(importer_slope(&m, "der(v)", "x") + 250) < 1e-6);
  assert_true(fabs(importer_slope(&m, "der(v)", "Fe") - 0.5) < 1e-9);
  const double g = 1 + 0.5 * exp(-4.0); /* F = s0 z + s1 z' + s2 v, z' = v - s0 |v| z / g */
  assert_true(fabs(importer_slope(&m, "F", "z") - (1e4 - 100 * 1e4 * 0.02 / g)) < 1e-4);
  importer_close(&m);
}

/* Of a contact alone, over its speed, its state and its load: F = s0 z + s1 z', z' = v - s0 |v| z / (n g).
 * The load is an input like others: what is set while it runs holds from then on. */
static void test_slopes_of_a_contact(void **state)
{
  (void)state;
  for (int version = 2; version <= 3; version++) {
    const double s0 = 1e4, s1 = 100, v = 0.02, g = 1 + 0.5 * exp(-4.0), dg = -2 * v / 1e-4 * (g - 1);
    double z = 5e-5, n = 2;
    importer m;
    open_case(&m, "lugre", NULL, "sigma0=1e4,sigma1=100,sigma2=0,Fc=1,Fs=1.5,vs=0.01", version);
    importer_instance(&m, 0);
    importer_set(&m, "v", v), importer_set(&m, "n", n), importer_set(&m, "z", z);
    importer_ready(&m);
    for (; n < 5; n++) {
      importer_set(&m, "n", n);
      const double dz = v - s0 * v * z / (n * g), per_n = s0 * v * z / (n * n * g), per_z = -s0 * v / (n * g),
                   per_v = 1 - s0 * z / n * (1 / g - v * dg / (g * g));
      assert_true(fabs(importer_get(&m, "der(z)") - dz) < 1e-15);
      assert_true(fabs(importer_get(&m, "F") - s0 * z - s1 * dz) < 1e-12);
      assert_true(fabs(importer_slope(&m, "der(z)", "n") - per_n) < 1e-6 * per_n);
      assert_true(fabs(importer_slope(&m, "F", "n") - s1 * per_n) < 1e-6 * s1 * per_n);
      assert_true(fabs(importer_slope(&m, "der(z)", "z") - per_z) < -1e-6 * per_z);
      assert_true(fabs(importer_slope(&m, "F", "z") - s0 - s1 * per_z) < 1e-6 * s0);
      assert_true(fabs(importer_slope(&m, "der(z)", "v") - per_v) < 1e-6);
      assert_true(importer_get(&m, "n") == n && importer_get(&m, "v") == v && importer_get(&m, "z") == z);
    }
    importer_free(&m);
    importer_instance(&m, 1);
    importer_set(&m, "v", v);
    importer_ready(&m);
    for (int k = 0; k < 6; k++) {
      importer_set(&m, "n", n = k % 2 ? 0.7 : 2.5);
      importer_step(&m, 1e-3 * k, 1e-3);
      z = importer_get(&m, "z");
      const double dz = v - s0 * v * z / (n * g);
      assert_true(z > 0 && fabs(importer_get(&m, "F") - s0 * z - s1 * dz) < 1e-9);
    }
    importer_close(&m);
  }
}

static void test_refusals(void **state)
{
  br_err err;
  const br_fmu_options bad[] = {{.model = "lugr"},
                                {.model = "lugre", .system = "mass"},
                                {.model = "lugre", .set = "Fc=-1"},
                                {.model = "lugre", .set = "Fc=1\nmodel dahl"},
                                {.model = "lugre", .name = "a/b"},
                                {.model = "lugre", .name = ""},
                                {.model = "lugre", .version = 1},
                                {.model = "lugre", .system = "two_axis"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_not_equal(br_fmu_write(&bad[i], "no.fmu", NULL, &err), BR_OK);
    assert_true(err.msg[0] && access("no.fmu", F_OK) != 0);
  }
  const br_fmu_options good = {.model = "lugre"};
  assert_int_equal(br_fmu_write(&good, "no/such/folder.fmu", NULL, &err), BR_E_IO);
}

/* Where the way is what is integrated, the state itself is what one sets and reads. */
static void test_way(void **state)
{
  importer m;
  open_case(&m, "dahl", NULL, "sigma0=1000,Fc=1,gamma=0.5", 3);
  importer_instance(&m, 1);
  assert_false(importer_find(&m, "way.F")->has_start);
  assert_int_not_equal(importer_try_set(&m, "way.F", 1), 0);
  importer_set(&m, "state.F", 0.3);
  importer_ready(&m);
  assert_true(importer_get(&m, "way.F") == 0 && importer_get(&m, "state.F") == 0.3 &&
              importer_get(&m, "F") == 0.3);
  importer_set(&m, "v", 1);
  importer_step(&m, 0, 1e-4);
  assert_true(importer_get(&m, "F") > 0.3 && importer_get(&m, "F") == importer_get(&m, "state.F"));
  importer_close(&m);
}

/* A preset names mechanism and model; what is given as well goes before its values. */
static void test_preset(void **state)
{
  const br_fmu_options o = {.preset = "doc1", .set = "sigma1=3", .name = "it"},
                       other = {.preset = "doc1", .set = "sigma1=3", .system = "driven_block", .name = "it"},
                       wrong = {.preset = "doc1", .model = "dahl"}, unknown = {.preset = "doc"};
  br_err err;
  importer m;
  assert_int_equal(br_fmu_write(&o, "preset.fmu", NULL, &err), BR_OK);
  importer_open(&m, "preset.fmu", "preset");
  importer_instance(&m, 1);
  assert_true(importer_get(&m, "k") == 2 && importer_get(&m, "sigma0") == 2900);
  assert_true(importer_get(&m, "Fs") == 5.88 && importer_get(&m, "sigma1") == 3);
  importer_close(&m);
  assert_int_equal(br_fmu_write(&other, "preset.fmu", NULL, &err),
                   BR_OK); /* another mechanism: the model's alone */
  importer_open(&m, "preset.fmu", "preset_other");
  assert_true(importer_find(&m, "k") == NULL && importer_find(&m, "vp") == NULL); /* of the preset's own */
  importer_instance(&m, 1);
  assert_true(importer_get(&m, "m") == 1 && importer_get(&m, "sigma0") == 2900 &&
              importer_get(&m, "sigma1") == 3);
  importer_set(&m, "F", 0.5);
  assert_true(importer_get(&m, "F") == 0.5);
  importer_close(&m);
  assert_int_equal(br_fmu_write(&wrong, "no.fmu", NULL, &err), BR_E_ARG);
  assert_int_equal(br_fmu_write(&unknown, "no.fmu", NULL, &err), BR_E_NAME);
  assert_true(access("no.fmu", F_OK) != 0);
}

static void test_same_bytes(void **state)
{
  size_t n[2];
  char *text[2];
  for (int i = 0; i < 2; i++) {
    const br_fmu_options o = {.model = "gms", .system = "mass_spring"};
    assert_int_equal(br_fmu_write(&o, "same.fmu", &n[i], NULL), BR_OK);
    FILE *in = fopen("same.fmu", "rb");
    text[i] = malloc(n[i] + 1);
    assert_int_equal(fread(text[i], 1, n[i] + 1, in), n[i]);
    fclose(in);
  }
  assert_int_equal(n[0], n[1]);
  assert_memory_equal(text[0], text[1], n[0]);
  free(text[0]), free(text[1]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_elements),
      cmocka_unit_test(test_mechanisms),
      cmocka_unit_test(test_texts),
      cmocka_unit_test(test_program),
      cmocka_unit_test(test_stops),
      cmocka_unit_test(test_given_motion),
      cmocka_unit_test(test_slopes),
      cmocka_unit_test(test_parameters_and_states),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_preset),
      cmocka_unit_test(test_way),
      cmocka_unit_test(test_same_bytes),
      cmocka_unit_test(test_inputs_that_stay),
      cmocka_unit_test(test_slopes_of_a_contact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
int main(void)
{
  puts("skip: needs libzip and SUNDIALS");
  return 77;
}
#endif
