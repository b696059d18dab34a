/* SPDX-License-Identifier: Apache-2.0
 * test_sequence.c - an FMU in the hands of an importer that makes mistakes: calls in the wrong phase, no
 * callbacks, foreign tokens and states, steps of no length.  Each is an error that is told, never a crash,
 * and the instance goes on. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bri_config.h"
#include "bristle/fmu.h"

#if BR_WITH_ZIP && BR_WITH_SUNDIALS && !defined(__SANITIZE_THREAD__)
#include "importer.inc"

static importer two, three; /* the same mechanism in both versions; instances are made below */

static void open_both(void)
{
  for (int version = 2; version <= 3; version++) {
    const br_fmu_options o = {.system = "mass_spring",
                              .model = "lugre",
                              .set = "m=2,ks=500,sigma0=1e4,sigma1=100,Fc=1,Fs=1.5",
                              .name = "it",
                              .version = version};
    assert_int_equal(br_fmu_write(&o, "sequence.fmu", NULL, NULL), BR_OK);
    importer_open(version == 2 ? &two : &three, "sequence.fmu", version == 2 ? "two" : "three");
  }
}

/* The function `name` of an FMU's binary, called with these types and arguments. */
#define ASK(m, name, types, ...) ((int(*) types)(uintptr_t)must(m, name))(__VA_ARGS__)
#define OK(...) assert_int_equal(ASK(__VA_ARGS__), 0)
#define REFUSED(...)                               \
  do {                                             \
    importer_said[0] = '\0';                       \
    assert_int_equal(ASK(__VA_ARGS__), fmi2Error); \
    assert_true(importer_said[0] != '\0');         \
  } while (0)
#define ONE (void *)
#define AT_TIME (void *, double)
#define STATES (void *, double *, size_t)

static void *make2(int type, const char *guid, const fmi2CallbackFunctions *call)
{
  char cwd[400], where[500];
  assert_non_null(getcwd(cwd, sizeof cwd));
  (void)snprintf(where, sizeof where, "file://%s/two/resources", cwd);
  return ((void *(*)(const char *, int, const char *, const char *, const fmi2CallbackFunctions *, int, int))(
      uintptr_t)must(&two, "fmi2Instantiate"))("one", type, guid, where, call, 0, 1);
}

static void *make3(int by_exchange, const char *token, bool event_mode, fmi3LogMessageCallback log)
{
  if (by_exchange)
    return ((void *(*)(const char *, const char *, const char *, bool, bool, void *, fmi3LogMessageCallback))(
        uintptr_t)must(&three, "fmi3InstantiateModelExchange"))("one", token, "three/resources/", 0, 1, NULL,
                                                                log);
  const fmi3ValueReference wanted = 1;
  return ((void *(*)(const char *, const char *, const char *, bool, bool, bool, bool,
                     const fmi3ValueReference *, size_t, void *, fmi3LogMessageCallback,
                     fmi3IntermediateUpdateCallback))(uintptr_t)must(&three, "fmi3InstantiateCoSimulation"))(
      "one", token, "three/resources/", 0, 1, event_mode, 1, &wanted, 1, NULL, log, NULL);
}

static void free2(void *c) { ((void (*)(void *))(uintptr_t)must(&two, "fmi2FreeInstance"))(c); }
static void free3(void *c) { ((void (*)(void *))(uintptr_t)must(&three, "fmi3FreeInstance"))(c); }

static int step2(void *c, double t, double h)
{
  return ASK(&two, "fmi2DoStep", (void *, double, double, int), c, t, h, 1);
}

static int step3(void *c, double t, double h)
{
  bool b[3];
  double reached = -1;
  const int st = ASK(&three, "fmi3DoStep", (void *, double, double, bool, bool *, bool *, bool *, double *),
                     c, t, h, 1, b, b + 1, b + 2, &reached);
  assert_true(st || (reached == t + h && !b[0] && !b[1] && !b[2])); /* never early, whoever allows it */
  return st;
}

static int set3(void *c, const char *name, double x)
{
  const fmi3ValueReference vr = known(&three, name)->reference;
  return ASK(&three, "fmi3SetFloat64", (void *, const unsigned *, size_t, const double *, size_t), c, &vr, 1,
             &x, 1);
}

static double get3(void *c, const char *name)
{
  const fmi3ValueReference vr = known(&three, name)->reference;
  double x = NAN;
  OK(&three, "fmi3GetFloat64", (void *, const unsigned *, size_t, double *, size_t), c, &vr, 1, &x, 1);
  return x;
}

static void begin3(void *c)
{
  OK(&three, "fmi3EnterInitializationMode", (void *, bool, double, double, bool, double), c, 0, 0, 0, 0, 0);
}

/* ---- making ---- */

static void test_making(void **state)
{
  const fmi2CallbackFunctions told = {(fmi2CallbackLogger)tell2, calloc, free, NULL, NULL},
                              silent = {NULL, NULL, NULL, NULL, NULL};
  (void)state;
  importer_said[0] = '\0';
  assert_null(make2(1, "{other}", &told));
  assert_non_null(strstr(importer_said, "guid"));
  importer_said[0] = '\0';
  assert_null(make3(0, "{other}", 0, tell3));
  assert_non_null(strstr(importer_said, "token"));
  assert_null(make2(1, NULL, &silent));
  assert_null(make2(1, "{other}", NULL));
  assert_null(make3(1, NULL, 0, NULL));
  void *a = make2(0, two.token, &silent), *b = make2(1, two.token, NULL), *c = make3(1, three.token, 0, NULL),
       *d = make3(0, three.token, 0, NULL);
  assert_true(a && b && c && d);
  assert_int_equal(step2(a, 0, 0.1), fmi2Error); /* nobody listens: still an error */
  assert_int_equal(step3(d, 0, 0.1), fmi3Error);
  free2(a), free2(b), free3(c), free3(d);
  free2(NULL), free3(NULL);
}

static void test_nobody(void **state)
{
  static const char *const CALLS2[] = {
      "fmi2EnterInitializationMode", "fmi2ExitInitializationMode",  "fmi2Terminate", "fmi2Reset",
      "fmi2EnterEventMode",          "fmi2EnterContinuousTimeMode", "fmi2CancelStep"};
  static const char *const CALLS3[] = {"fmi3ExitInitializationMode",
                                       "fmi3Terminate",
                                       "fmi3Reset",
                                       "fmi3EnterEventMode",
                                       "fmi3EnterContinuousTimeMode",
                                       "fmi3EnterStepMode",
                                       "fmi3EvaluateDiscreteStates"};
  double x = 0;
  (void)state;
  for (size_t i = 0; i < 7; i++) assert_int_equal(ASK(&two, CALLS2[i], ONE, NULL), fmi2Error);
  for (size_t i = 0; i < 7; i++) assert_int_equal(ASK(&three, CALLS3[i], ONE, NULL), fmi3Error);
  assert_int_equal(step2(NULL, 0, 1), fmi2Error);
  assert_int_equal(step3(NULL, 0, 1), fmi3Error);
  assert_int_equal(ASK(&two, "fmi2GetDerivatives", STATES, NULL, &x, 1), fmi2Error);
  assert_int_equal(ASK(&three, "fmi3GetContinuousStates", STATES, NULL, &x, 1), fmi3Error);
}

/* ---- the wrong phase ---- */

static void test_exchange_phases(void **state)
{
  const fmi2CallbackFunctions told = {(fmi2CallbackLogger)tell2, calloc, free, NULL, NULL};
  fmi2EventInfo info;
  double x[8] = {0};
  int enter = 0, end = 0;
  const size_t n = two.nstate;
  (void)state;
  void *c = make2(0, two.token, &told);
  REFUSED(&two, "fmi2ExitInitializationMode", ONE, c);
  REFUSED(&two, "fmi2Terminate", ONE, c);
  OK(&two, "fmi2SetTime", AT_TIME, c, 1.0);
  REFUSED(&two, "fmi2GetDerivatives", STATES, c, x, n);
  OK(&two, "fmi2SetupExperiment", (void *, int, double, double, int, double), c, 1, 1e-6, 0.0, 1, 2.0);
  OK(&two, "fmi2EnterInitializationMode", ONE, c);
  REFUSED(&two, "fmi2EnterInitializationMode", ONE, c);
  REFUSED(&two, "fmi2SetupExperiment", (void *, int, double, double, int, double), c, 0, 0.0, 0.0, 0, 0.0);
  REFUSED(&two, "fmi2NewDiscreteStates", (void *, fmi2EventInfo *), c, &info);
  OK(&two, "fmi2ExitInitializationMode", ONE, c);
  REFUSED(&two, "fmi2DoStep", (void *, double, double, int), c, 0.0, 0.1, 1); /* the other kind's */
  REFUSED(&two, "fmi2CompletedIntegratorStep", (void *, int, int *, int *), c, 1, &enter, &end);
  OK(&two, "fmi2NewDiscreteStates", (void *, fmi2EventInfo *), c, &info);
  OK(&two, "fmi2EnterContinuousTimeMode", ONE, c);
  REFUSED(&two, "fmi2EnterContinuousTimeMode", ONE, c);
  REFUSED(&two, "fmi2NewDiscreteStates", (void *, fmi2EventInfo *), c, &info);
  REFUSED(&two, "fmi2GetDerivatives", STATES, c, x, n + 1);
  /* no place at all */
  static const char *const PLACES[] = {"fmi2GetDerivatives", "fmi2GetContinuousStates",
                                       "fmi2SetContinuousStates", "fmi2GetNominalsOfContinuousStates"};
  for (size_t i = 0; i < 4; i++) REFUSED(&two, PLACES[i], STATES, c, NULL, n);
  REFUSED(&two, "fmi2GetEventIndicators", STATES, c, NULL, two.nevent);
  REFUSED(&two, "fmi2SetContinuousStates", (void *, const double *, size_t), c, x, n - 1);
  REFUSED(&two, "fmi2SetTime", AT_TIME, c, NAN);
  REFUSED(&two, "fmi2GetReal", (void *, const unsigned *, size_t, double *), c, NULL, 1, x);
  OK(&two, "fmi2GetReal", (void *, const unsigned *, size_t, double *), c, NULL, 0, NULL);
  const unsigned none = 100000;
  REFUSED(&two, "fmi2GetReal", (void *, const unsigned *, size_t, double *), c, &none, 1, x);
  REFUSED(&two, "fmi2SetReal", (void *, const unsigned *, size_t, const double *), c, &none, 1, x);
  OK(&two, "fmi2SetTime", AT_TIME, c, 0.5);
  OK(&two, "fmi2GetDerivatives", STATES, c, x, n);
  OK(&two, "fmi2CompletedIntegratorStep", (void *, int, int *, int *), c, 1, &enter, &end);
  assert_false(end);
  OK(&two, "fmi2Terminate", ONE, c);
  REFUSED(&two, "fmi2SetTime", AT_TIME, c, 1.0);
  const unsigned mass = known(&two, "m")->reference;
  REFUSED(&two, "fmi2SetReal", (void *, const unsigned *, size_t, const double *), c, &mass, 1, x);
  OK(&two, "fmi2GetReal", (void *, const unsigned *, size_t, double *), c, &mass, 1, x);
  assert_true(x[0] == 2);
  OK(&two, "fmi2Reset", ONE, c); /* and all over again */
  OK(&two, "fmi2EnterInitializationMode", ONE, c);
  OK(&two, "fmi2ExitInitializationMode", ONE, c);
  free2(c); /* without an end */
}

/* Of a step that fails nothing is reached; inputs take a first derivative and no other. */
static void test_told_of_steps(void **state)
{
  const fmi2CallbackFunctions told = {(fmi2CallbackLogger)tell2, calloc, free, NULL, NULL};
  const unsigned force = known(&two, "Fe")->reference;
  const double slope = 3;
  double reached = NAN;
  (void)state;
  void *c = make2(fmi2CoSimulation, two.token, &told);
  OK(&two, "fmi2EnterInitializationMode", ONE, c);
  OK(&two, "fmi2ExitInitializationMode", ONE, c);
  assert_int_equal(step2(c, 0, 0.1), fmi2OK);
  OK(&two, "fmi2GetRealStatus", (void *, int, double *), c, fmi2LastSuccessfulTime, &reached);
  assert_true(reached == 0.1);
  assert_int_equal(step2(c, 0.1, -1), fmi2Error);
  OK(&two, "fmi2GetRealStatus", (void *, int, double *), c, fmi2LastSuccessfulTime, &reached);
  assert_true(reached == 0.1);
  for (int order = 0; order <= 3; order++) {
    const int st =
        ASK(&two, "fmi2SetRealInputDerivatives",
            (void *, const unsigned *, size_t, const int *, const double *), c, &force, 1, &order, &slope);
    assert_int_equal(st, order == 1 ? fmi2OK : fmi2Error);
  }
  assert_int_equal(ASK(&two, "fmi2EnterEventMode", ONE, c), fmi2Error); /* of model exchange alone */
  assert_int_equal(ASK(&two, "fmi2EnterContinuousTimeMode", ONE, c), fmi2Error);
  free2(c);
}

static double run3(void *c, double from, int steps)
{
  for (int i = 0; i < steps; i++) assert_int_equal(step3(c, from + 0.05 * i, 0.05), 0);
  return get3(c, "x");
}

static void test_steps(void **state)
{
  (void)state;
  void *c = make3(0, three.token, 0, tell3);
  REFUSED(&three, "fmi3DoStep", (void *, double, double, bool, bool *, bool *, bool *, double *), c, 0.0, 0.1,
          1, NULL, NULL, NULL, NULL);
  assert_int_equal(set3(c, "x", 0.02), 0); /* before the initialization, and during it */
  begin3(c);
  assert_int_equal(set3(c, "v", 0.1), 0);
  assert_true(get3(c, "x") == 0.02 && get3(c, "v") == 0.1);
  OK(&three, "fmi3ExitInitializationMode", ONE, c);
  assert_int_equal(step3(c, 0, 0), fmi3Error);
  assert_int_equal(step3(c, 0, -1), fmi3Error);
  assert_int_equal(step3(c, 0, NAN), fmi3Error);
  assert_int_equal(step3(c, INFINITY, 1), fmi3Error);
  REFUSED(&three, "fmi3EnterContinuousTimeMode", ONE, c);
  REFUSED(&three, "fmi3SetTime", AT_TIME, c, 1.0);
  const double first = run3(c, 0, 6);
  OK(&three, "fmi3Terminate", ONE, c);
  assert_int_equal(step3(c, 0.3, 0.1), fmi3Error);
  assert_int_equal(set3(c, "m", 3), fmi3Error);
  assert_true(get3(c, "x") == first && get3(c, "m") == 2);
  const fmi3ValueReference both[] = {known(&three, "x")->reference, known(&three, "v")->reference};
  double one = 0; /* a place for one of two values */
  REFUSED(&three, "fmi3GetFloat64", (void *, const unsigned *, size_t, double *, size_t), c, both, 2, &one,
          1);
  OK(&three, "fmi3Reset", ONE, c);
  assert_true(get3(c, "x") == 0);
  set3(c, "x", 0.02), set3(c, "v", 0.1);
  begin3(c);
  OK(&three, "fmi3ExitInitializationMode", ONE, c);
  assert_true(run3(c, 0, 6) == first); /* a second life like the first */
  free3(c);
}

/* An importer that wants event mode in co-simulation gets it, though nothing happens there. */
static void test_event_mode(void **state)
{
  bool b[5];
  double next;
  (void)state;
  void *c = make3(0, three.token, 1, tell3), *d = make3(0, three.token, 0, tell3);
  set3(c, "x", 0.02), set3(d, "x", 0.02);
  begin3(c), begin3(d);
  OK(&three, "fmi3ExitInitializationMode", ONE, c);
  OK(&three, "fmi3ExitInitializationMode", ONE, d);
  for (int i = 0; i < 4; i++) {
    REFUSED(&three, "fmi3DoStep", (void *, double, double, bool, bool *, bool *, bool *, double *), c,
            0.1 * i, 0.1, 1, b, b, b, &next);
    OK(&three, "fmi3UpdateDiscreteStates", (void *, bool *, bool *, bool *, bool *, bool *, double *), c, b,
       b + 1, b + 2, b + 3, b + 4, &next);
    assert_false(b[0] || b[1]);
    OK(&three, "fmi3EnterStepMode", ONE, c);
    assert_int_equal(step3(c, 0.1 * i, 0.1), 0);
    assert_int_equal(step3(d, 0.1 * i, 0.1), 0);
    OK(&three, "fmi3EnterEventMode", ONE, c);
  }
  assert_true(fabs(get3(c, "x") - get3(d, "x")) < 1e-12);
  free3(c), free3(d);
}

/* ---- states ---- */

static void test_foreign_states(void **state)
{
  void *kept = NULL;
  size_t size = 0;
  (void)state;
  void *c = make3(0, three.token, 0, tell3), *me = make3(1, three.token, 0, tell3);
  REFUSED(&three, "fmi3SetFMUState", (void *, void *), c, NULL);
  set3(c, "x", 0.02);
  begin3(c);
  OK(&three, "fmi3ExitInitializationMode", ONE, c);
  const double middle = run3(c, 0, 3);
  OK(&three, "fmi3GetFMUState", (void *, void **), c, &kept);
  OK(&three, "fmi3SerializedFMUStateSize", (void *, void *, size_t *), c, kept, &size);
  double *bytes = malloc(size);
  OK(&three, "fmi3SerializeFMUState", (void *, void *, void *, size_t), c, kept, bytes, size);
  REFUSED(&three, "fmi3SerializeFMUState", (void *, void *, void *, size_t), c, kept, bytes, size - 1);
  REFUSED(&three, "fmi3DeserializeFMUState", (void *, const void *, size_t, void **), c, bytes, size - 1,
          &kept);
  const double end = run3(c, 0.15, 3);
  REFUSED(&three, "fmi3SetFMUState", (void *, void *), me,
          kept); /* between steps: no place of model exchange */
  /* a new instance goes on from there, without an initialization of its own */
  void *other = make3(0, three.token, 0, tell3), *again = NULL;
  OK(&three, "fmi3DeserializeFMUState", (void *, const void *, size_t, void **), other, bytes, size, &again);
  OK(&three, "fmi3SetFMUState", (void *, void *), other, again);
  assert_true(get3(other, "x") == middle);
  assert_true(fabs(run3(other, 0.15, 3) - end) < 1e-13);
  for (size_t i = 0; i < size / sizeof *bytes;
       i++) { /* bytes that say anything: taken or refused, never a crash */
    static const double ODD[] = {NAN, -1, 1e300, 3};
    for (int k = 0; k < 4; k++) {
      const double was = bytes[i];
      bytes[i] = ODD[k];
      OK(&three, "fmi3DeserializeFMUState", (void *, const void *, size_t, void **), other, bytes, size,
         &again);
      if (ASK(&three, "fmi3SetFMUState", (void *, void *), other, again) == 0) (void)get3(other, "ks");
      bytes[i] = was;
    }
  }
  OK(&three, "fmi3FreeFMUState", (void *, void **), c, &kept);
  OK(&three, "fmi3FreeFMUState", (void *, void **), other, &again);
  assert_null(kept);
  OK(&three, "fmi3FreeFMUState", (void *, void **), c, &kept);
  free(bytes);
  free3(c), free3(me), free3(other);
}

/* How many states there are is decided when the FMU is made: a number that decides it is no parameter, and
 * one that would take a state away is an error as long as it stands. */
static void test_number_of_states(void **state)
{
  const char *const left_out[][2] = {
      {"semilinear_duhem", "n"}, {"haessig_friedland", "N"}, {"duhem_lugre", "inv_d0"}};
  importer m;
  (void)state;
  for (size_t i = 0; i < 3; i++) {
    const br_fmu_options o = {.model = left_out[i][0], .name = "counts", .version = 3};
    assert_int_equal(br_fmu_write(&o, "counts.fmu", NULL, NULL), BR_OK);
    importer_open(&m, "counts.fmu", left_out[i][0]);
    const importer_var *v = importer_find(&m, left_out[i][1]);
    assert_true(!v || strcmp(v->causality, "parameter") != 0);
    importer_close(&m);
  }
  const br_fmu_options o = {.model = "duhem_lugre", .set = "inv_d0=0.5", .name = "wears", .version = 3};
  assert_int_equal(br_fmu_write(&o, "counts.fmu", NULL, NULL), BR_OK);
  importer_open(&m, "counts.fmu", "wears");
  const size_t n = m.nstate;
  double dx[4];
  assert_true(n == 2);
  importer_instance(&m, 0);
  assert_int_not_equal(importer_try_set(&m, "n", -0.1), 0); /* nor does anything pull at a contact */
  assert_non_null(strstr(importer_said, "n = -0.1 is out of range"));
  importer_set(&m, "n", 0.5);
  importer_set(&m, "inv_d0", 0.7);
  importer_ready(&m);
  OK(&m, "fmi3GetContinuousStateDerivatives", STATES, m.instance, dx, n);
  importer_set(&m, "inv_d0", 0);
  for (int i = 0; i < 2; i++) {
    importer_said[0] = '\0';
    assert_int_equal(ASK(&m, "fmi3GetContinuousStateDerivatives", STATES, m.instance, dx, n), fmi3Error);
    assert_non_null(strstr(importer_said, "decided when an FMU is made"));
  }
  importer_set(&m, "inv_d0", 0.5);
  OK(&m, "fmi3GetContinuousStateDerivatives", STATES, m.instance, dx, n);
  importer_close(&m);
}

/* ---- many at once ---- */

static void *alone(void *at)
{
  void *c = make3(0, three.token, 0, NULL);
  set3(c, "x", 0.02);
  begin3(c);
  OK(&three, "fmi3ExitInitializationMode", ONE, c);
  *(double *)at = run3(c, 0, 10);
  free3(c);
  return NULL;
}

static void test_threads(void **state)
{
  pthread_t thread[8];
  double x[9];
  (void)state;
  (void)alone(&x[8]);
  for (int i = 0; i < 8; i++) assert_int_equal(pthread_create(&thread[i], NULL, alone, &x[i]), 0);
  for (int i = 0; i < 8; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
  for (int i = 0; i < 8; i++) assert_true(x[i] == x[8]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_making),
      cmocka_unit_test(test_nobody),
      cmocka_unit_test(test_steps),
      cmocka_unit_test(test_told_of_steps),
      cmocka_unit_test(test_exchange_phases),
      cmocka_unit_test(test_event_mode),
      cmocka_unit_test(test_foreign_states),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_number_of_states),
  };
  open_both();
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  importer_close(&two), importer_close(&three);
  return failed;
}

#else
int main(void)
{
  puts("skip: needs libzip and SUNDIALS");
  return 77;
}
#endif
