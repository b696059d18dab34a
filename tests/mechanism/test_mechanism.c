/* SPDX-License-Identifier: Apache-2.0
 * A mechanism as text: the same motion as the compiled one, slopes against differences, the energy book,
 * errors with their place. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "bristle/bristle.h"
#include "mechanism/carry.h"

static const char PULLED[] = "mechanism:\n"
                             "  parameters: {m: 1 kg, k: 2 N/m}\n"
                             "  inputs: {vp: 0 m/s}\n"
                             "  bodies: {table: fixed, hand: {velocity: vp}, block: {mass: m, v: v}}\n"
                             "  connections:\n"
                             "    - spring: {name: spring, between: [hand, block], stiffness: k}\n"
                             "  contacts:\n"
                             "    - between: [block, table]\n";

/* One of everything. */
static const char ALL[] =
    "mechanism:\n"
    "  parameters: {m: 2 kg, J: 0.3 kg m^2, k: 300 N/m, c: 2 N s/m, b: 1 mm, R: 2, L: 5 mm, K: 0.7}\n"
    "  inputs: {V: 3, base: 2 mm, belt: 0.1 m/s}\n"
    "  bodies:\n"
    "    wall: fixed\n"
    "    ground: {position: base}\n"
    "    belt: {velocity: belt}\n"
    "    rotor: {inertia: J}\n"
    "    arm: {inertia: 0.1*J, follows: rotor, ratio: 1/3}\n"
    "    cart: {mass: m}\n"
    "    car: {mass: 0.5*m}\n"
    "    rider: {mass: 1 kg}\n"
    "  states:\n"
    "    i: {rate: (V - R*i - K*omega_rotor)/L, unit: A, energy: L*i^2/2, power: V*i, loss: R*i^2}\n"
    "  connections:\n"
    "    - force: {on: rotor, value: K*i, book: internal}\n"
    "    - force: {on: cart, against: car, value: 3*sin(5*t) - 2*x_cart^3 - 40*x_car*v_cart}\n"
    "    - force: {on: rider, value: -3*v_rider*abs(v_rider), book: lost}\n"
    "    - spring: {between: [cart, ground], stiffness: k, damping: c, preload: 3 N, rest: 1 mm}\n"
    "    - damper: {between: [car, belt], damping: 3*c}\n"
    "    - gap: {name: g, between: [cart, car], low: -b, high: 2*b, stiffness: 1e4, damping: 0.5}\n"
    "    - stop: {between: [cart, wall], high: 1 cm, stiffness: 1e5 N/m}\n"
    "    - backlash: {between: [rotor, arm], width: 0.01, stiffness: 50, damping: 0.1}\n"
    "    - pendulum: {on: arm, mass: 0.2 kg, length: 0.3 m}\n"
    "    - gravity: {on: cart, angle: 10 deg}\n"
    "  contacts:\n"
    "    - {between: [cart, belt], load: 0.5}\n"
    "    - {between: [rotor, wall]}\n"
    "    - {between: [rider, belt]}\n"
    "  outputs: {d: {value: stretch_g, unit: m}, P: V*i}\n";

static br_mechanism *mechanism_of(const char *text)
{
  br_mechanism *m = NULL;
  br_err err = {BR_OK, -1, ""};
  if (br_mechanism_parse("text", text, strlen(text), &m, &err)) fail_msg("%s", err.msg);
  return m;
}

/* x at t = 0, dt, .. of a plant with lugre; vp is the first input. */
static void march(const br_system *sys, double vp, size_t n, double dt, double (*x)[4])
{
  br_param_table tables[BR_PLANT_TABLES];
  br_param inputs[8];
  br_params *p = NULL;
  br_plant *plant = NULL;
  br_solver *s = NULL;
  br_err err = {BR_OK, -1, ""};
  const br_model *mod = br_model_find("lugre");
  char list[40];
  snprintf(list, sizeof list, "vp=%.17g", vp);
  assert_int_equal(br_params_create_tables(tables, br_plant_tables(sys, mod, inputs, tables), &p, &err),
                   BR_OK);
  assert_int_equal(br_params_set_list(p, list, &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  if (br_plant_of(sys, mod, p, NULL, &plant, &err)) fail_msg("%s", err.msg);
  assert_int_equal(br_plant_nstate(plant), 3);
  assert_int_equal(br_solver_create(plant, NULL, &s, &err), BR_OK);
  assert_int_equal(br_solver_start(s, 0, NULL, &err), BR_OK);
  for (size_t i = 0; i < n; i++)
    if (br_solver_advance(s, dt * (double)(i + 1), x[i], &err)) fail_msg("%s", err.msg);
  br_solver_destroy(s);
  br_plant_destroy(plant);
  br_params_destroy(p);
}

/* Stick and slip, five times over: the text moves as the compiled mechanism does. */
static void test_copy(void **state)
{
  enum { N = 400 };
  static double a[N][4], b[N][4];
  br_mechanism *m = mechanism_of(PULLED);
  double worst = 0, most = 0;
  (void)state;
  march(br_system_find("pulled_block"), 0.03, N, 0.25, a);
  march(br_mechanism_system(m), 0.03, N, 0.25, b);
  for (size_t i = 0; i < N; i++) {
    worst =
        fmax(worst, fmax(fabs(a[i][0] + b[i][0]), fmax(fabs(a[i][1] - b[i][1]), fabs(a[i][2] - b[i][2]))));
    most = fmax(most, a[i][1]);
  }
  assert_true(most > 0.05); /* it slips */
  if (!(worst <= 1e-12)) fail_msg("differs by %.3g", worst);
  br_mechanism_destroy(m);
}

/* Slopes by central differences of the rate; the energy book; away from kinks. */
static void test_all(void **state)
{
  br_mechanism *m = mechanism_of(ALL);
  const br_system *s = br_mechanism_system(m);
  double par[2048], q[32], r0[32], r1[32], r2[32], A[32 * 32], u[3], v[3], shown[2], g[8];
  const double F[3] = {0.3, -0.2, 0.7};
  (void)state;
  assert_true(s->slots <= 2048 && s->nq <= 32);
  memcpy(par, s->initial, s->slots * sizeof *par);
  assert_int_equal(s->check(par, NULL), BR_OK);
  s->prepare(par);
  const size_t n = s->nstate(par);
  assert_int_equal(n, 8);         /* theta, x_cart, x_car; omega, v_cart, v_car, v_rider; i */
  assert_int_equal(s->ninput, 4); /* t is one */
  assert_int_equal(s->clock, 4);
  assert_int_equal(s->nkink(par), 5);
  for (int trial = 0; trial < 6; trial++) {
    const double w[4] = {3, 0.002 * trial, 0.1, 0.37 + trial}, dw[4] = {0, 0.3, 0, 1};
    for (size_t i = 0; i < n; i++) q[i] = (i < 3 ? 0.007 : 0.3) * sin(3.0 * (double)i + 1.7 * trial + 1);
    s->slopes(par, w, dw, q, F, A);
    for (size_t j = 0; j < n; j++) {
      const double x = q[j], h = 1e-7;
      q[j] = x + h, s->rate(par, w, dw, q, F, r1);
      q[j] = x - h, s->rate(par, w, dw, q, F, r2);
      q[j] = x;
      for (size_t i = 0; i < n; i++) {
        const double d = (r1[i] - r2[i]) / (2 * h);
        if (!(fabs(d - A[i * n + j]) <= 1e-6 * (1 + fabs(d))))
          fail_msg("slope %zu %zu: %.9g %.9g", i, j, A[i * n + j], d);
      }
    }
    /* along the motion, inputs moving too: dE/dt = power - loss - sum F v */
    const double h = 1e-6;
    double q2[32], w2[4];
    s->rate(par, w, dw, q, F, r0);
    double E[2];
    for (int side = 0; side < 2; side++) {
      for (size_t i = 0; i < n; i++) q2[i] = q[i] + (side ? h : -h) * r0[i];
      for (size_t i = 0; i < 4; i++) w2[i] = w[i] + (side ? h : -h) * dw[i];
      E[side] = s->stored(par, w2, dw, q2);
    }
    s->motion(par, w, dw, q, u, v);
    const double rate = (E[1] - E[0]) / (2 * h);
    double book = s->power(par, w, dw, q, F) - s->lost(par, w, dw, q);
    for (int c = 0; c < 3; c++) book -= F[c] * v[c];
    if (!(fabs(rate - book) <= 1e-5 * (1 + fabs(book))))
      fail_msg("trial %d: dE/dt %.9g, book %.9g", trial, rate, book);
    s->show(par, w, dw, q, shown);
    assert_true(fabs(shown[0] - (q[1] - q[2])) < 1e-15 && fabs(shown[1] - 3 * q[7]) < 1e-15);
    s->kinks(par, w, dw, q, g);
    assert_true(fabs(g[0] - (q[1] - q[2] + 0.001)) < 1e-15 && fabs(g[1] - (0.002 - q[1] + q[2])) < 1e-15);
  }
  assert_true(fabs(s->load(par, 0) - 0.5) < 1e-15 && s->load(par, 1) == 1);
  br_mechanism_destroy(m);
}

/* What is wrong is said with its place. */
static void test_errors(void **state)
{
  static const struct {
    const char *text, *place, *what;
  } BAD[] = {
      {"a: 1\n", "text:1:1", "mechanism"},
      {"mechanism: {bodies: {a: {mas: 1}}}\n", "text:1:26", "did you mean 'mass'"},
      {"mechanism:\n  bodies: {a: {mass: 1}, w: fixed}\n  connections:\n    - sprig: {between: [a, w]}\n",
       "text:4:7", "did you mean 'spring'"},
      {"mechanism:\n  bodies: {a: {mass: 1}, w: fixed}\n  connections:\n    - spring: {between: [a, v], "
       "stiffness: 1}\n",
       "text:4:29", "no body is called 'v'"},
      {"mechanism:\n  bodies: {a: {mass: 1}, w: fixed}\n  connections:\n    - spring: {between: [a, w], "
       "stiffness: 1 "
       "kg}\n",
       "text:4:44", "expected N/m"},
      {"mechanism:\n  parameters: {k: 1 N}\n  bodies: {a: {mass: 1}, w: fixed}\n  connections:\n"
       "    - spring: {between: [a, w], stiffness: k}\n",
       "text:5:44", "expected N/m"},
      {"mechanism:\n  bodies: {a: {mass: 1}}\n  connections:\n    - force: {on: a, value: 2*v_b}\n",
       "text:4:31", "did you mean 'v_a'"},
      {"mechanism:\n  bodies: {a: {velocity: vb}}\n", "text:2:26", "no input"},
      {"mechanism:\n  bodies: {w: fixed}\n", "text:2:3", "moves freely"},
      {"mechanism:\n  bodies: {a: {mass: 1, repeat: 99999999}}\n", "text:2:33", "repeat"},
      {"mechanism:\n  bodies: {a: {mass: 1, repeat: 16385}}\n", "text:2:33", "repeat is"},
      {"mechanism:\n  bodies: {a: {mass: 1, repeat: 5..3}}\n", "text:2:33", "repeat is"},
      {"mechanism:\n  parameters: {sin: 1}\n  bodies: {a: {mass: 1}}\n", "text:2:16", "another name"},
      {"mechanism:\n  bodies: {a: {mass: 1}, b: {inertia: 1}}\n  contacts:\n    - between: [a, b]\n",
       "text:4:16", "turns"},
      {"mechanism:\n  bodies: {a: {mass: 1}, w: fixed}\n  contacts:\n    - {between: [a, w], model: lugre}\n"
       "    - {between: [a, w], model: gms}\n",
       "text:5:32", "coulomb|"},
      {"mechanism:\n  bodies: {a: {mass: 1}, w: fixed}\n  contacts:\n    - {between: [a, w], model: lugre}\n"
       "    - {between: [a, w], model: coulomb, set: {Fss: 1}}\n",
       "text:5:47", "did you mean 'Fs'"},
      {"mechanism:\n  bodies: {a: {mass: 1, x: q}, b: {mass: 1, x: q}}\n", "text:2:35", "taken"},
      {"mechanism:\n  parameters: {v_a: 1}\n  bodies: {a: {mass: 1}}\n", "text:3:15", "'v_a' is taken"},
      {"mechanism:\n  bodies: {a: {mass: 1}, w: fixed}\n  connections:\n    - spring: {between: [a, a], "
       "stiffness: 1}\n",
       "text:4:25", "at both ends"},
      {"mechanism:\n  bodies: {a: {mass: 1}, w: fixed}\n  connections:\n    - stop: {between: [a, w], "
       "stiffness: 1}\n",
       "text:4:13", "low or high is missing"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
    br_mechanism *m = NULL;
    br_err err = {BR_OK, -1, ""};
    assert_int_equal(br_mechanism_parse("text", BAD[i].text, strlen(BAD[i].text), &m, &err), BR_E_PARSE);
    assert_null(m);
    if (strncmp(err.msg, BAD[i].place, strlen(BAD[i].place)) != 0 || !strstr(err.msg, BAD[i].what))
      fail_msg("%zu: %s", i, err.msg);
  }
}

/* There is room for 4096 contacts. */
static void test_many_contacts(void **state)
{
  (void)state;
  for (int n = 4096; n <= 4097; n++) {
    char text[200];
    br_mechanism *m = NULL;
    br_err err = {BR_OK, -1, ""};
    (void)snprintf(
        text, sizeof text,
        "mechanism:\n  bodies: {a: {mass: 1}, w: fixed}\n  contacts: [{between: [a, w], repeat: %d}]\n", n);
    const br_status st = br_mechanism_parse("text", text, strlen(text), &m, &err);
    if (st != (n > 4096 ? BR_E_PARSE : BR_OK) || (st && !strstr(err.msg, "more than 4096 contacts")))
      fail_msg("%d contacts: %d %s", n, st, err.msg);
    br_mechanism_destroy(m);
  }
}

/* A formula knows 32 names and no more. */
static void test_names(void **state)
{
  (void)state;
  for (int n = 32; n <= 33; n++) {
    char text[1024] = "mechanism:\n  parameters: {p1: 1";
    br_mechanism *m = NULL;
    br_err err = {BR_OK, -1, ""};
    size_t at = strlen(text);
    for (int i = 2; i <= n; i++) at += (size_t)snprintf(text + at, sizeof text - at, ", p%d: 1", i);
    at += (size_t)snprintf(text + at, sizeof text - at,
                           "}\n  bodies: {a: {mass: 1}}\n  connections:\n    - force: {on: a, value: p1");
    for (int i = 2; i <= n; i++) at += (size_t)snprintf(text + at, sizeof text - at, "+p%d", i);
    snprintf(text + at, sizeof text - at, "}\n");
    const br_status st = br_mechanism_parse("text", text, strlen(text), &m, &err);
    assert_int_equal(st, n == 32 ? BR_OK : BR_E_PARSE);
    if (st && !strstr(err.msg, "more than 32 names")) fail_msg("%s", err.msg);
    br_mechanism_destroy(m);
  }
}

/* Small mechanisms whose rates are worked out by hand: one state's rate, what goes in, what is lost. */
static void test_by_hand(void **state)
{
  static const struct {
    const char *text;
    unsigned flags;
    size_t n;
    double q[3], F;
    int at;
    double rate, power, lost;
  } HAND[] = {
      /* 2 kg m^2 and, behind a gear of 1/2, 3 kg m^2 */
      {"mechanism: {bodies: {r: {inertia: 2}, w: fixed, s: {inertia: 3, follows: r, ratio: 1/2}}, "
       "contacts: [{between: [r, w]}]}",
       BR_SYSTEM_FREE | BR_SYSTEM_ROTARY,
       1,
       {4},
       1,
       0,
       -1 / 2.75,
       0,
       0},
      /* the wall may stand first; a rest length of 0.5 m */
      {"mechanism: {bodies: {w: fixed, a: {mass: 2}}, contacts: [{between: [a, w]}], connections: "
       "[{spring: {between: [w, a], stiffness: 10, rest: 0.5}}]}",
       0,
       2,
       {0.7, 0},
       0,
       1,
       -1,
       0,
       0},
      /* a stop that is left faster than its damping allows does not hold back: 1 + 0.5 s/m (-4 m/s) < 0 */
      {"mechanism: {bodies: {w: fixed, a: {mass: 2}}, contacts: [{between: [a, w]}], connections: "
       "[{stop: {between: [a, w], high: 1 cm, stiffness: 1e5, damping: 0.5}}]}",
       0,
       2,
       {0.02, -4},
       0,
       1,
       0,
       0,
       4000},
      {"mechanism: {bodies: {w: fixed, a: {mass: 2}}, contacts: [{between: [a, w]}], connections: "
       "[{stop: {between: [a, w], high: 1 cm, stiffness: 1e5, damping: 0.5}}]}",
       0,
       2,
       {0.02, 2},
       0,
       1,
       -1000,
       0,
       2000},
      /* half of the play to each side */
      {"mechanism: {bodies: {w: fixed, r: {inertia: 2}}, contacts: [{between: [r, w]}], connections: "
       "[{backlash: {between: [r, w], width: 0.02, stiffness: 50}}]}",
       BR_SYSTEM_ROTARY,
       2,
       {-0.015, 0},
       0,
       1,
       0.125,
       0,
       0},
      /* a pendulum of 0.2 kg at 0.3 m hangs at pi/6: m g l / 2 brings it back */
      {"mechanism: {bodies: {w: fixed, r: {inertia: 2}}, contacts: [{between: [r, w]}], connections: "
       "[{pendulum: {on: r, mass: 0.2 kg, length: 30 cm}}]}",
       BR_SYSTEM_ROTARY,
       2,
       {0.52359877559829887, 0},
       0,
       1,
       -0.2 * 0.3 * 9.80665 / 4,
       0,
       0},
      {"mechanism: {bodies: {w: fixed, a: {mass: 2}}, contacts: [{between: [a, w]}], connections: [{gravity: "
       "{on: a}}]}",
       BR_SYSTEM_FREE,
       1,
       {3},
       0,
       0,
       -9.80665,
       -2 * 9.80665 * 3,
       0},
      {"mechanism: {bodies: {w: fixed, a: {mass: 2}}, contacts: [{between: [a, w]}], connections: [{force: "
       "{on: a, value: -3*v_a, book: lost}}]}",
       BR_SYSTEM_FREE,
       1,
       {4},
       0,
       0,
       -6,
       0,
       48},
      /* positions are counted from the body that is led, whichever stands first */
      {"mechanism: {inputs: {V: 5}, bodies: {a: {mass: 2}, p: {velocity: V}, w: fixed}, contacts: [{between: "
       "[a, w]}], connections: [{spring: {between: [a, p], stiffness: 10}}]}",
       BR_SYSTEM_FREE,
       2,
       {0.1, 3},
       0,
       0,
       -2,
       -5,
       0},
      {"mechanism: {bodies: {a: {mass: 2}, r: {inertia: 1}, w: fixed}, contacts: [{between: [a, w]}]}",
       BR_SYSTEM_FREE,
       2,
       {1, 1},
       2,
       0,
       -1,
       0,
       0},
  };
  (void)state;
  for (size_t i = 0; i < sizeof HAND / sizeof HAND[0]; i++) {
    br_mechanism *m = mechanism_of(HAND[i].text);
    const br_system *s = br_mechanism_system(m);
    double par[512], dq[3], w[1] = {5}, dw[1] = {0};
    assert_true(s->slots <= 512);
    memcpy(par, s->initial, s->slots * sizeof *par);
    s->prepare(par);
    if (s->nstate(par) != HAND[i].n || s->flags != (HAND[i].flags | BR_SYSTEM_LINEAR))
      fail_msg("%zu: %zu states, flags %#x", i, s->nstate(par), s->flags);
    s->rate(par, w, dw, HAND[i].q, &HAND[i].F, dq);
    const double power = s->power(par, w, dw, HAND[i].q, &HAND[i].F), lost = s->lost(par, w, dw, HAND[i].q);
    if (!(fabs(dq[HAND[i].at] - HAND[i].rate) < 1e-12 && fabs(power - HAND[i].power) < 1e-12 &&
          fabs(lost - HAND[i].lost) < 1e-9))
      fail_msg("%zu: rate %.12g, power %.12g, lost %.12g", i, dq[HAND[i].at], power, lost);
    br_mechanism_destroy(m);
  }
}

/* FNV-1a in front, as the line has it. */
static br_status read_body(const char *body)
{
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  char line[4096 + 32];
  bri_mech_copy *copy = NULL;
  for (const char *c = body; *c; c++) h = (h ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
  snprintf(line, sizeof line, "%016llx%s", (unsigned long long)h, body);
  const br_status st = bri_mech_read_line(line, &copy, NULL);
  assert_true(!st == !!copy);
  bri_mech_drop(copy);
  return st;
}

/* The body with field `index` (0: the name) replaced. */
static br_status read_with(const char *body, int index, const char *text)
{
  char out[4096];
  const char *at = body;
  for (; index-- > 0 && at;) at = strchr(at + 1, '\t');
  assert_non_null(at);
  const char *end = strchr(at + 1, '\t');
  snprintf(out, sizeof out, "%.*s\t%s%s", (int)(at - body), body, text, end);
  return read_body(out);
}

/* A mechanism goes through its line to the last bit; what was changed, cut or is out of bounds is refused. */
static void test_line(void **state)
{
  enum { FLAGS = 2, CLOCK = 4, NPARAM, SLOTS, NINPUT };
  br_mechanism *m = mechanism_of(PULLED);
  const br_system *s = br_mechanism_system(m);
  bri_mech_copy *copy = NULL;
  bri_buf b = {0};
  char line[4096];
  (void)state;
  bri_mech_write(s, &b);
  assert_true(!b.failed && b.used < sizeof line - 8);
  assert_int_equal(bri_mech_read_line(b.text, &copy, NULL), BR_OK);
  assert_true(copy->sys.slots == s->slots && copy->sys.nparam == s->nparam && copy->sys.flags == s->flags);
  assert_memory_equal(copy->block, s->initial, s->slots * sizeof(double));
  assert_string_equal(copy->sys.params[1].name, "k");
  bri_mech_drop(copy);
  const char *body = strchr(b.text, '\t');
  assert_int_equal(read_body(body), BR_OK);
  for (size_t at = 0; at < b.used; at += 7) { /* any character */
    memcpy(line, b.text, b.used + 1);
    line[at] = line[at] == '3' ? '4' : '3';
    assert_int_equal(bri_mech_read_line(line, &copy, NULL), BR_E_PARSE);
    assert_null(copy);
  }
  memcpy(line, b.text, b.used + 1), line[b.used / 2] = '\0';
  assert_int_equal(bri_mech_read_line(line, &copy, NULL), BR_E_PARSE);
  snprintf(line, sizeof line, "%s\t1", body); /* a number too many */
  assert_int_equal(read_body(line), BR_E_PARSE);
  assert_int_equal(read_with(body, FLAGS, "2.5"), BR_E_PARSE);
  assert_int_equal(read_with(body, CLOCK, "9"), BR_E_PARSE);
  assert_int_equal(read_with(body, SLOTS, "1e18"), BR_E_PARSE);
  assert_int_equal(read_with(body, NPARAM, "-1"), BR_E_PARSE);
  assert_int_equal(read_with(body, NINPUT, "1"), BR_OK);
  bri_buf_free(&b);
  br_mechanism_destroy(m);
}

/* Numbers out of range are found by the check of the block. */
static void test_range(void **state)
{
  br_mechanism *m = mechanism_of("mechanism: {parameters: {m: 1 kg}, bodies: {a: {mass: m}}}");
  const br_system *s = br_mechanism_system(m);
  double par[256];
  (void)state;
  assert_true(s->slots <= 256);
  memcpy(par, s->initial, s->slots * sizeof *par);
  assert_int_equal(s->check(par, NULL), BR_OK);
  par[s->params[0].slot] = 0;
  assert_int_equal(s->check(par, NULL), BR_E_RANGE);
  par[s->params[0].slot] = NAN;
  assert_int_equal(s->check(par, NULL), BR_E_NAN);
  br_mechanism_destroy(m);
  m = mechanism_of(
      "mechanism: {parameters: {n: 0, c: 1}, bodies: {a: {mass: 1}, w: fixed}, contacts: [{between: "
      "[a, w], load: n}], connections: [{spring: {between: [a, w], stiffness: 1/c}}]}");
  s = br_mechanism_system(m);
  assert_true(s->slots <= 256);
  memcpy(par, s->initial, s->slots * sizeof *par);
  assert_int_equal(s->check(par, NULL), BR_OK);
  par[s->params[0].slot] = -1e-9;
  assert_int_equal(s->check(par, NULL), BR_E_RANGE);
  par[s->params[0].slot] = 1, par[s->params[1].slot] = 0;
  assert_int_equal(s->check(par, NULL), BR_E_NAN);
  br_mechanism_destroy(m);
}

/* Many of the same: a chain of 50 blocks is the chain written out. */
static void test_repeat(void **state)
{
  br_mechanism *m = mechanism_of("mechanism:\n"
                                 "  parameters: {m: 2, k: 3, kp: 1}\n"
                                 "  inputs: {vp: 1}\n"
                                 "  bodies: {table: fixed, plate: {velocity: vp}, b: {mass: m, repeat: 50}}\n"
                                 "  connections:\n"
                                 "    - spring: {between: [plate, 'b{i}'], stiffness: kp, repeat: 50}\n"
                                 "    - spring: {between: ['b{i}', 'b{i+1}'], stiffness: k, repeat: 1..19}\n"
                                 "    - spring: {between: ['b{i-1}', 'b{i}'], stiffness: k, repeat: 21..50}\n"
                                 "  contacts:\n"
                                 "    - {between: ['b{i}', table], repeat: 50}\n");
  const br_system *s = br_mechanism_system(m);
  static double par[8192], q[100], F[50], r[100], u[50], v[50];
  const double w[1] = {1}, dw[1] = {0};
  (void)state;
  assert_true(s->slots <= 8192);
  memcpy(par, s->initial, s->slots * sizeof *par);
  s->prepare(par);
  assert_int_equal(s->nstate(par), 100);
  assert_int_equal(s->ncontact(par), 50);
  for (int i = 0; i < 100; i++) q[i] = sin(i), F[i % 50] = cos(3 * i);
  s->rate(par, w, dw, q, F, r);
  for (int i = 0; i < 50; i++) { /* positions are counted from the plate */
    const double pull = -q[i] + (i ? 3 * (q[i - 1] - q[i]) : 0) + (i < 49 ? 3 * (q[i + 1] - q[i]) : 0);
    assert_true(fabs(r[i] - (q[50 + i] - 1)) < 1e-14);
    assert_true(fabs(r[50 + i] - (pull - F[i]) / 2) < 1e-14);
  }
  s->motion(par, w, dw, q, u, v);
  for (int i = 0; i < 50; i++) assert_true(v[i] == q[50 + i]);
  br_mechanism_destroy(m);
}

/* Final state of a mechanism with a model and a list, both inputs (or the one) at a sine. */
static void sine(const void *ctx, double t, int side, double *w, double *dw)
{
  (void)ctx, (void)side;
  *w = 3 * sin(6 * t), *dw = 18 * cos(6 * t);
}

static double after(const br_system *sys, const br_model *mod, const char *list, size_t n, double *x)
{
  static br_param_table tables[BR_PLANT_TABLES];
  br_param inputs[8];
  br_params *p = NULL;
  br_plant *plant = NULL;
  br_solver *s = NULL;
  br_err err = {BR_OK, -1, ""};
  br_drive drives[2] = {{0, sine, NULL, 0, NULL}, {0, sine, NULL, 0, NULL}};
  br_solve_settings set = br_solve_settings_default();
  set.energy = 1;
  assert_int_equal(br_params_create_tables(tables, br_plant_tables(sys, mod, inputs, tables), &p, &err),
                   BR_OK);
  if (br_params_set_list(p, list, &err) || br_params_finish(p, &err)) fail_msg("%s: %s", list, err.msg);
  if (br_plant_of(sys, mod, p, drives, &plant, &err)) fail_msg("%s", err.msg);
  assert_int_equal(br_plant_nstate(plant), n);
  assert_int_equal(br_solver_create(plant, &set, &s, &err), BR_OK);
  assert_int_equal(br_solver_start(s, 0, NULL, &err), BR_OK);
  if (br_solver_advance(s, 5, x, &err)) fail_msg("%s", err.msg);
  const double residual = br_solver_energy(s).residual;
  br_solver_destroy(s);
  br_plant_destroy(plant);
  br_params_destroy(p);
  return residual;
}

/* Contacts with models of their own: two bodies that do not know of each other move as each alone, and two
 * pads on one body keep the energy book; a number that the text does not give is the model's default. */
static void test_models(void **state)
{
  static const char TWO[] = "mechanism:\n"
                            "  inputs: {Fa: 0 N, Fb: 0 N}\n"
                            "  bodies: {ground: fixed, a: {mass: 1}, b: {mass: 1}}\n"
                            "  connections:\n"
                            "    - spring: {between: [a, ground], stiffness: 100}\n"
                            "    - spring: {between: [b, ground], stiffness: 100}\n"
                            "    - force: {on: a, value: Fa}\n"
                            "    - force: {on: b, value: Fb}\n"
                            "  contacts:\n"
                            "    - {between: [a, ground], model: %s, set: {Fc: 0.9}}\n"
                            "    - {between: [%s, ground], model: coulomb, set: {Fc: 1, Fs: 1.5}}\n";
  static const char *const MODELS[] = {"dahl",   "lugre", "bouc_wen", "bliman_sorine", "lugre_elastoplastic",
                                       "viscous"};
  (void)state;
  for (size_t i = 0; i < sizeof MODELS / sizeof MODELS[0]; i++) {
    char text[1024], own[96];
    double x[8], a[4], b[4];
    const br_model *mod = br_model_find(MODELS[i]), *coulomb = br_model_find("coulomb");
    const int named = br_model_param(mod, "Fc") != NULL;
    const size_t nz = mod->nz;
    snprintf(text, sizeof text, TWO, MODELS[i], "b");
    if (!named) memcpy(strstr(text, "set: {Fc: 0.9}"), "set: {       }", 14);
    snprintf(own, sizeof own, "m=1,ks=100%s", named ? ",Fc=0.9" : "");
    br_mechanism *m = mechanism_of(text);
    const br_model *mixed = br_all_models_find(br_mechanism_model(m));
    assert_non_null(mixed);
    (void)after(br_mechanism_system(m), mixed, br_mechanism_set(m), 4 + 2 * nz, x);
    br_mechanism_destroy(m);
    br_err err;
    double par[1024];
    mod->defaults(par);
    assert_int_equal(mod->check(par, &err), BR_OK);
    mod->prepare(par);
    (void)after(br_system_find("mass_spring"), mod, own, 2 + mod->nstate(par), a);
    (void)after(br_system_find("mass_spring"), coulomb, "m=1,ks=100,Fc=1,Fs=1.5", 2, b);
    const double off =
        fmax(fmax(fabs(x[0] - a[0]), fabs(x[2] - a[1])), fmax(fabs(x[1] - b[0]), fabs(x[3] - b[1])));
    if (!(off < 1e-10)) fail_msg("%s: off by %.3g", MODELS[i], off);
    for (size_t k = 0; k < mod->nstate(par); k++)
      if (!(fabs(x[4 + k] - a[2 + k]) < 1e-10))
        fail_msg("%s: state %zu %g %g", MODELS[i], k, x[4 + k], a[2 + k]);

    snprintf(text, sizeof text, TWO, MODELS[i], "a");
    if (!named) memcpy(strstr(text, "set: {Fc: 0.9}"), "set: {       }", 14);
    m = mechanism_of(text);
    const double residual = after(br_mechanism_system(m), mixed, br_mechanism_set(m), 4 + 2 * nz, x);
    br_mechanism_destroy(m);
    if (!(fabs(residual) < 1e-9)) fail_msg("%s: energy off by %.3g", MODELS[i], residual);
  }
}

/* A brake that turns and a rail that slides: each contact has its own units. */
static void test_turns(void **state)
{
  static const char LIFT[] = "mechanism:\n"
                             "  bodies: {shaft: fixed, sheave: {inertia: 1}, car: {mass: 1}}\n"
                             "  contacts:\n"
                             "    - {between: [sheave, shaft], model: coulomb, set: {Fc: 2 N m, Fs: 3 N m}}\n"
                             "    - {between: [car, shaft], model: lugre, set: {Fc: %s}}\n";
  br_param_table tables[BR_PLANT_TABLES];
  br_param inputs[8];
  (void)state;
  for (int wrong = 0; wrong < 2; wrong++) {
    char text[512];
    br_err err = {BR_OK, -1, ""};
    br_params *p = NULL;
    (void)snprintf(text, sizeof text, LIFT, wrong ? "1 N m" : "1 N");
    br_mechanism *m = mechanism_of(text);
    const br_system *s = br_mechanism_system(m);
    assert_true(s->turns && s->turns[0] == 1 && s->turns[1] == 0);
    const size_t n = br_plant_tables(s, br_all_models_find(br_mechanism_model(m)), inputs, tables);
    assert_int_equal(br_params_create_tables(tables, n, &p, &err), BR_OK);
    assert_int_equal(br_params_set_list(p, br_mechanism_set(m), &err) != BR_OK, wrong);
    if (wrong) assert_non_null(strstr(err.msg, "1 N m"));
    br_params_destroy(p);
    br_mechanism_destroy(m);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_copy),  cmocka_unit_test(test_all),           cmocka_unit_test(test_errors),
      cmocka_unit_test(test_range), cmocka_unit_test(test_repeat),        cmocka_unit_test(test_models),
      cmocka_unit_test(test_turns), cmocka_unit_test(test_names),         cmocka_unit_test(test_by_hand),
      cmocka_unit_test(test_line),  cmocka_unit_test(test_many_contacts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
