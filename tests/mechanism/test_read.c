/* SPDX-License-Identifier: Apache-2.0
 * What a text of a mechanism may not say, and where it is told; how much of each there is room for; what
 * names, inputs and carried lines come to. */
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
#include "mechanism/mechanism.h"
#include "mechanism/schematic.h"

static br_mechanism *mechanism_of(const char *text)
{
  br_mechanism *m = NULL;
  br_err err = {BR_OK, -1, ""};
  if (br_mechanism_parse("text", text, strlen(text), &m, &err)) fail_msg("%s", err.msg);
  return m;
}

static void refuse(const char *text, const char *place, const char *what)
{
  br_mechanism *m = (br_mechanism *)1;
  br_err err = {BR_OK, -1, ""};
  assert_int_equal(br_mechanism_parse("text", text, strlen(text), &m, &err), BR_E_PARSE);
  assert_null(m);
  if (strncmp(err.msg, place, strlen(place)) != 0 || !strstr(err.msg, what)) fail_msg("%s", err.msg);
}

#define BODIES(list) "mechanism:\n  inputs: {s: 1 m, w: 1 rad/s, N: 2}\n  bodies: {a: {mass: 1}, " list "}\n"

static void bodies(void **state)
{
  (void)state;
  refuse(BODIES("b: {follows: wall, ratio: 2}, wall: fixed"), "text:3:39", "no body before this one");
  refuse(BODIES("wall: fixed, b: {follows: wall, ratio: 2}"), "text:3:", "'wall' does not move freely");
  refuse(BODIES("m: {position: s}, b: {follows: m, ratio: 2}"), "text:3:", "'m' does not move freely");
  refuse(BODIES("b: {follows: a, ratio: 2}, c: {follows: b, ratio: 2}"),
         "text:3:", "'b' does not move freely");
  refuse(BODIES("b: {follows: a}"), "text:3:", "ratio is missing");
  refuse(BODIES("b: {mass: 1, inertia: 1}"), "text:3:", "expected one of mass, inertia");
  refuse(BODIES("b: {mass: 1, velocity: N}"), "text:3:", "expected one of mass, inertia");
  refuse(BODIES("b: {x: q}"), "text:3:", "expected one of mass, inertia");
  refuse(BODIES("b: loose"), "text:3:", "body 'b': expected {mass");
  refuse(BODIES("b: {mass: 2 kg m^2}"), "text:3:", "expected kg");
  refuse(BODIES("b: {inertia: 2 kg}"), "text:3:", "expected kg m^2");
  refuse(BODIES("b1: {mass: 1}, b: {mass: 1, repeat: 2}"), "text:3:", "'b1' is given twice");
  refuse(BODIES("b: {mass: 1, repeat: 18446744073709551617}"),
         "text:3:", "repeat is"); /* 1 where it overflows */
  refuse("mechanism:\n  title: nothing\n", "text:2:3", "a mechanism has bodies");
  refuse("x: 1\nx: 2\n", "text:2:", "x"); /* what the text itself gets wrong comes first */
}

static void names(void **state)
{
  (void)state;
  refuse("mechanism:\n  parameters: {k: 1}\n  inputs: {k: 1}\n  bodies: {a: {mass: 1}}\n", "text:3:12",
         "input 'k': the name is taken");
  refuse("mechanism:\n  parameters: {k: 1}\n  bodies: {a: {mass: 1}}\n  states: {k: {rate: 1}}\n",
         "text:4:12", "taken");
  refuse("mechanism:\n  inputs: {k: 1}\n  bodies: {a: {mass: 1}}\n  outputs: {k: 2}\n", "text:4:13", "taken");
  refuse("mechanism:\n  bodies: {a: {mass: 1}}\n  states: {i: 3}\n", "text:3:", "expected {rate: FORMULA");
  refuse("mechanism:\n  bodies: {a: {mass: 1}}\n  outputs: {o: {unit: m}}\n",
         "text:3:", "expected {value: FORMULA");
  refuse("mechanism:\n  parameters: {k: {doc: stiffness}}\n  bodies: {a: {mass: 1}}\n",
         "text:2:", "value is missing");
  static const char *const WORDS[] = {"a-b", "a b", "2a", "a.b",
                                      "'+'", "pi",  "t",  "a2345678901234567890123456789012"};
  for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0];
       i++) { /* no names, in all places where one is given */
    char text[200];
    (void)snprintf(text, sizeof text, "mechanism:\n  parameters: {%s: 1}\n  bodies: {b: {mass: 1}}\n",
                   WORDS[i]);
    refuse(text, "text:2:", i == 5 || i == 6 ? "something else" : "expected letters, digits and _");
    (void)snprintf(text, sizeof text, "mechanism:\n  inputs: {%s: 1}\n  bodies: {b: {mass: 1}}\n", WORDS[i]);
    refuse(text, "text:2:", i == 5 || i == 6 ? "something else" : "expected letters, digits and _");
    (void)snprintf(text, sizeof text, "mechanism:\n  bodies: {b: {mass: 1}}\n  states: {%s: {rate: 1}}\n",
                   WORDS[i]);
    refuse(text, "text:3:", i == 5 || i == 6 ? "something else" : "expected letters, digits and _");
  }
  static const char *const TWICE[] = {
      "a: {mass: 1, x: p}, b: {mass: 1, x: p}", "a: {mass: 1, v: p}, b: {mass: 1, v: p}",
      "a: {mass: 1, x: p}, b: {mass: 1, v: p}", "a: {mass: 1, v: p}, b: {mass: 1, x: p}"};
  for (size_t i = 0; i < 4; i++) { /* places and speeds of two bodies */
    char text[200];
    (void)snprintf(
        text, sizeof text,
        "mechanism:\n  bodies: {w: fixed, %s}\n  connections:\n"
        "    - spring: {between: [a, w], stiffness: 1}\n    - spring: {between: [b, w], stiffness: 1}\n",
        TWICE[i]);
    refuse(text, "text:2:", "the name 'p' is taken");
  }
  refuse(
      "mechanism:\n  bodies: {a: {mass: 1}, w: fixed}\n  contacts:\n    - {between: [a, w], set: [1, 2]}\n",
      "text:4:", "expected a map of NAME: VALUE");
  refuse("mechanism:\n  bodies: {a: {mass: 1}, w: fixed}\n  contacts:\n    - {between: [a, nobody]}\n",
         "text:4:", "no body is called 'nobody'");
  br_mechanism *one = mechanism_of("mechanism:\n  bodies: {a: {mass: 1}, w: fixed}\n  contacts:\n"
                                   "    - {between: [a, w], model: dahl, set: {Fc: 2, sigma0: 3e4}}\n");
  assert_string_equal(br_mechanism_set(one),
                      "Fc=2,sigma0=3e4"); /* of the only one: no contact needs its number */
  br_mechanism_destroy(one);
  static const char *const MAPS[] = {"parameters", "inputs", "bodies", "states", "outputs"},
                           *const LISTS[] = {"connections", "contacts"};
  for (size_t i = 0; i < 7; i++) { /* a list where names are wanted, and the other way round */
    char text[160];
    (void)snprintf(text, sizeof text,
                   i < 5 ? "mechanism:\n  %s: [a, {b: 1}]\n" : "mechanism:\n  %s: {a: {b: 1}}\n",
                   i < 5 ? MAPS[i] : LISTS[i - 5]);
    refuse(text, "text:2:", i < 5 ? "expected a map of NAME" : "expected a list of entries");
  }
  br_mechanism *m = mechanism_of(
      "mechanism:\n  name: mill\n  model: dahl\n  set: {Fc: 2, sigma0: 3e4}\n"
      "  inputs: {turn: 0 rad/s, lift: 2 mm}\n"
      "  bodies: {hand: {velocity: turn}, base: {position: lift}, wheel: {inertia: 1}, car: {mass: 1}}\n"
      "  connections:\n    - spring: {between: [wheel, hand], stiffness: 3}\n"
      "    - spring: {between: [car, base], stiffness: 5}\n");
  const br_system *s = br_mechanism_system(m);
  assert_string_equal(s->name, "mill");
  assert_string_equal(s->title, "mill"); /* without a title of its own */
  assert_string_equal(br_mechanism_model(m), "dahl");
  assert_string_equal(br_mechanism_set(m), "Fc=2,sigma0=3e4");
  const char *all[4] = {"theta_wheel", "x_car", "omega_wheel", "v_car"};
  int seen = 0;
  for (size_t i = 0; i < s->nrows; i++)
    for (int k = 0; k < 4; k++)
      if (strcmp(s->states[i].name, all[k]) == 0) {
        seen |= 1 << k;
        assert_string_equal(s->states[i].unit, k == 0 ? "rad" : k == 1 ? "m" : k == 2 ? "rad/s" : "m/s");
      }
  assert_int_equal(seen, 15);
  br_mechanism_destroy(m);
  assert_true(br_mechanism_named("a.yaml") && br_mechanism_named("a.yml") && !br_mechanism_named("yml") &&
              !br_mechanism_named("mass_spring") && !br_mechanism_named(".yml"));
}

/* As many parameters, inputs, states and outputs as there is room for, and one more. */
static void room(void **state)
{
  static const struct {
    const char *section, *item;
    int most;
  } CASES[] = {{"parameters", "q%d: 1", BRI_MECH_PARAMETERS},
               {"inputs", "q%d: 1", BRI_MECH_INPUTS},
               {"states", "q%d: {rate: 1}", BRI_MECH_STATES},
               {"outputs", "q%d: 1", BRI_MECH_OUTPUTS}};
  static char text[1 << 20];
  (void)state;
  for (size_t c = 0; c < sizeof CASES / sizeof CASES[0]; c++)
    for (int more = 0; more < 2; more++) {
      br_mechanism *m = NULL;
      br_err err = {BR_OK, -1, ""};
      size_t used = (size_t)snprintf(text, sizeof text, "mechanism:\n  bodies: {a: {mass: 1}}\n  %s: {",
                                     CASES[c].section);
      for (int i = 0; i < CASES[c].most + more; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", i ? ", " : "");
        used += (size_t)snprintf(text + used, sizeof text - used, CASES[c].item, i);
      }
      (void)snprintf(text + used, sizeof text - used, "}\n");
      const br_status st = br_mechanism_parse("text", text, strlen(text), &m, &err);
      if (st != (more ? BR_E_PARSE : BR_OK) || (more && !strstr(err.msg, "more than")))
        fail_msg("%d %s: %d %s", CASES[c].most + more, CASES[c].section, st, st ? err.msg : "");
      br_mechanism_destroy(m);
    }
}

/* What is written into a picture is text, whatever stands in it. */
static void picture(void **state)
{
  bri_buf b = {0};
  (void)state;
  br_mechanism *m = mechanism_of("mechanism:\n  title: a < b & c > d\n  bodies: {a: {mass: 1}}\n");
  bri_mech_draw(m, &b);
  assert_false(b.failed);
  assert_non_null(strstr(b.text, ">a &lt; b &amp; c &gt; d</text>"));
  bri_buf_free(&b);
  br_mechanism_destroy(m);
}

/* Two bodies that nothing ties to the ground: their distance is a state.  Slopes against differences. */
static const char APART[] =
    "mechanism:\n  parameters: {k: 300 N/m, c: 4 N s/m}\n  inputs: {push: 1 N}\n"
    "  bodies: {a: {mass: 1}, b: {mass: 2}}\n  connections:\n"
    "    - spring: {name: s, between: [a, b], stiffness: k, damping: c, rest: 1 cm}\n"
    "    - stop: {between: [b, a], low: -1 mm, stiffness: 1e4}\n"
    "    - force: {on: a, value: push - 20*stretch_s^2}\n  outputs: {d: 2*stretch_s}\n";

/* The same tied to a wall, and a state by formula as the only thing that bends. */
static const char
    TIED[] =
        "mechanism:\n  bodies: {a: {mass: 1}, b: {mass: 2}, w: fixed}\n  connections:\n"
        "    - spring: {name: s, between: [a, b], stiffness: 300}\n"
        "    - spring: {between: [a, w], stiffness: 200}\n    - spring: {between: [b, w], stiffness: 100}\n"
        "    - force: {on: b, value: -2000*stretch_s^2}\n",
    STATE[] =
        "mechanism:\n  bodies: {a: {mass: 1}, w: fixed}\n  connections:\n"
        "    - spring: {between: [a, w], stiffness: 200}\n  states: {i: {rate: v_a^2 - 3*i^3 + x_a*i}}\n";

/* A body that follows by a ratio, in a formula and at a spring; and one whose place counts from a follower.
 * */
static const char FOLLOWS[] =
    "mechanism:\n  bodies: {r: {inertia: 2}, s: {inertia: 1, follows: r, ratio: 1/3}, q: {inertia: 1}, w: "
    "fixed}\n"
    "  connections:\n    - force: {on: q, value: -3*theta_s^2 - 2*omega_s^2 + 5*theta_s*omega_q}\n"
    "    - spring: {between: [s, w], stiffness: 7, damping: 0.4}\n"
    "    - spring: {between: [q, s], stiffness: 5, damping: 0.2}\n";

static void slopes_are_those_of_differences(void **state)
{
  static const char *const TEXTS[] = {APART, TIED, STATE, FOLLOWS};
  (void)state;
  for (int t = 0; t < 4; t++) {
    br_mechanism *m = mechanism_of(TEXTS[t]);
    const br_system *s = br_mechanism_system(m);
    double par[512], A[16], q[4] = {0.004, 0.3, -0.7, 0.2}, up[4], down[4];
    const double w[1] = {1}, dw[1] = {0};
    const size_t n = s->nrows;
    assert_true(n <= 4 && s->slots <= 512 && s->slopes);
    memcpy(par, s->initial, s->slots * sizeof *par);
    s->prepare(par);
    s->slopes(par, w, dw, q, NULL, A);
    for (size_t j = 0; j < n; j++) {
      const double x = q[j], h = 1e-6;
      q[j] = x + h, s->rate(par, w, dw, q, NULL, up);
      q[j] = x - h, s->rate(par, w, dw, q, NULL, down);
      q[j] = x;
      for (size_t i = 0; i < n; i++)
        if (!(fabs((up[i] - down[i]) / (2 * h) - A[n * i + j]) < 1e-4))
          fail_msg("%d: slope %zu %zu: %g, not %g", t, i, j, A[n * i + j], (up[i] - down[i]) / (2 * h));
    }
    br_mechanism_destroy(m);
  }
}

/* Whichever end of a connection stands first: the same rates, energies and powers; and energy goes where the
 * book says. */
static void ends_may_be_exchanged(void **state)
{
  static const char *const ENDS[][2] = {{"cart", "belt"}, {"cart", "ground"}, {"cart", "car"},
                                        {"cart", "wall"}, {"car", "belt"},    {"belt", "ground"}};
  static const char *const KINDS[][2] = {{"spring", "stiffness: 300"},
                                         {"spring", "stiffness: 300, damping: 7"},
                                         {"damper", "damping: 3"},
                                         {"backlash", "width: 0.02, stiffness: 500, damping: 0.3"}};
  const double w[2] = {0.3, 0.002}, dw[2] = {0, 0.05}, h = 1e-6;
  (void)state;
  for (size_t e = 0; e < sizeof ENDS / sizeof ENDS[0]; e++)
    for (size_t k = 0; k < sizeof KINDS / sizeof KINDS[0]; k++) {
      double dq[4][5], power[4], lost[4], stored[4];
      for (int way = 0; way < 4; way++) { /* of the connection, of the contact */
        char text[600];
        (void)snprintf(text, sizeof text,
                       "mechanism:\n  inputs: {belt: 0.3 m/s, base: 2 mm}\n"
                       "  bodies: {wall: fixed, belt: {velocity: belt}, ground: {position: base}, "
                       "cart: {mass: 2}, car: {mass: 0.5}}\n"
                       "  connections:\n    - %s: {between: [%s, %s], %s}\n"
                       "    - spring: {between: [cart, wall], stiffness: 3}\n"
                       "    - spring: {between: [car, cart], stiffness: 5}\n"
                       "  contacts:\n    - {between: [%s, %s]}\n",
                       KINDS[k][0], ENDS[e][way & 1], ENDS[e][!(way & 1)], KINDS[k][1],
                       way & 2 ? "belt" : "cart", way & 2 ? "cart" : "belt");
        br_mechanism *m = mechanism_of(text);
        const br_system *s = br_mechanism_system(m);
        double par[512], q[5] = {0.03, -0.02, 0.7, -0.4, 0.05}, up[5], down[5], u, v;
        const double F = way & 2 ? -0.6 : 0.6;
        const size_t n = s->nrows;
        assert_true(n <= 5 && s->slots <= 512);
        memcpy(par, s->initial, s->slots * sizeof *par);
        s->prepare(par);
        s->rate(par, w, dw, q, &F, dq[way]);
        s->motion(par, w, dw, q, &u, &v);
        power[way] = s->power(par, w, dw, q, &F), lost[way] = s->lost(par, w, dw, q);
        stored[way] = s->stored(par, w, dw, q);
        const double wu[2] = {w[0], w[1] + h * dw[1]}, wd[2] = {w[0], w[1] - h * dw[1]};
        for (size_t i = 0; i < n; i++) up[i] = q[i] + h * dq[way][i], down[i] = q[i] - h * dq[way][i];
        const double rise = (s->stored(par, wu, dw, up) - s->stored(par, wd, dw, down)) / (2 * h);
        if (!(fabs(rise - (power[way] - lost[way] - F * v)) <= 1e-6 * (1 + fabs(rise))))
          fail_msg("%s [%s, %s]: energy rises by %.9g, %.9g in, %.9g lost", KINDS[k][0], ENDS[e][way & 1],
                   ENDS[e][!(way & 1)], rise, power[way] - F * v, lost[way]);
        for (size_t i = 0; i < n; i++)
          assert_true(fabs(dq[way][i] - dq[0][i]) <= 1e-12 * (1 + fabs(dq[0][i])));
        assert_true(fabs(power[way] - power[0]) <= 1e-12 * (1 + fabs(power[0])) &&
                    fabs(lost[way] - lost[0]) <= 1e-12 * (1 + fabs(lost[0])) &&
                    fabs(stored[way] - stored[0]) <= 1e-12 * (1 + stored[0]));
        br_mechanism_destroy(m);
      }
    }
}

/* Contacts with models of their own: sixty-four, and no more. */
static void many_models(void **state)
{
  (void)state;
  for (int n = 64; n <= 65; n++) {
    char text[400];
    (void)snprintf(
        text, sizeof text,
        "mechanism:\n  bodies: {a: {mass: 1}, w: fixed}\n  contacts:\n"
        "    - {between: [a, w], model: lugre}\n    - {between: [a, w], model: dahl, repeat: %d}\n",
        n - 1);
    if (n == 65) refuse(text, "text:5:", "more than 64 contacts whose models differ");
    else br_mechanism_destroy(mechanism_of(text));
  }
}

/* What was carried as a line is the same mechanism: rows with their places, functions, what it shows. */
static void carried(void **state)
{
  static const char *const TEXTS[] = {
      APART, "mechanism:\n  parameters: {k: 3 N/m}\n  bodies: {a: {mass: 1}, w: fixed}\n"
             "  connections:\n    - spring: {between: [a, w], stiffness: k}\n"};
  (void)state;
  for (int i = 0; i < 2; i++) {
    br_mechanism *m = mechanism_of(TEXTS[i]);
    const br_system *s = br_mechanism_system(m);
    bri_mech_copy *c = NULL;
    bri_buf b = {0};
    double par[2][512], q[3] = {0.2, 0.3, -0.7}, dq[2][3], shown[2][1];
    const double w[1] = {1}, dw[1] = {0};
    bri_mech_write(s, &b);
    assert_int_equal(bri_mech_read_line(b.text, &c, NULL), BR_OK);
    const br_system *both[2] = {s, &c->sys};
    assert_int_equal(c->sys.slopes != NULL, i == 0);
    assert_int_equal(c->sys.slopes != NULL, s->slopes != NULL);
    assert_int_equal(c->sys.show != NULL, s->show != NULL);
    assert_int_equal(s->show != NULL, i == 0);
    for (int k = 0; k < 2; k++) {
      memcpy(par[k], both[k]->initial, s->slots * sizeof **par);
      par[k][both[k]->params[0].slot] = 50; /* by its row */
      both[k]->prepare(par[k]);
      both[k]->rate(par[k], w, dw, q, NULL, dq[k]);
      if (i == 0) both[k]->show(par[k], w, dw, q, shown[k]);
    }
    assert_memory_equal(dq[0], dq[1], s->nrows * sizeof **dq);
    if (i == 0) assert_true(shown[0][0] == shown[1][0] && fabs(fabs(shown[0][0]) - 0.4) < 1e-15);
    else assert_true(fabs(dq[0][1] + 50 * 0.2) < 1e-12);
    bri_mech_drop(c);
    bri_buf_free(&b);
    br_mechanism_destroy(m);
  }
}

/* Is the unit an SI unit of that dimension? */
static int is_si(const char *text, const char *dimension)
{
  br_unit a, b;
  br_err err = {BR_OK, -1, ""};
  if (br_unit_parse(text, strlen(text), &a, &err) || br_unit_parse(dimension, strlen(dimension), &b, &err))
    fail_msg("'%s': %s", text, err.msg);
  return a.factor == 1 && br_unit_same(&a, &b);
}

/* Rows of parameters and inputs: numbers in SI with the unit of that dimension, values that hold where
 * nobody says others, any sign; and all of it again behind a line. */
static void rows(void **state)
{
  static const struct {
    const char *text, *unit, *doc;
    double value;
  } ROWS[] = {{"5 mm", "m", "", 5e-3},         {"{value: -2 kN, doc: the pull}", "N", "the pull", -2e3},
              {"4 N/mm", "N/m", "", 4e3},      {"-3", "1", "", -3},
              {"2.5 rad/s", "rad/s", "", 2.5}, {"7 N m", "N m", "", 7}};
  enum { N = sizeof ROWS / sizeof *ROWS };
  char text[600] = "mechanism:\n  parameters: {";
  size_t at = strlen(text);
  (void)state;
  for (int list = 0; list < 2; list++) {
    for (int i = 0; i < N; i++)
      at += (size_t)snprintf(text + at, sizeof text - at, "%s%s%d: %s", i ? ", " : "", list ? "in" : "p", i,
                             ROWS[i].text);
    at += (size_t)snprintf(text + at, sizeof text - at, "%s", list ? "}\n" : "}\n  inputs: {");
  }
  (void)snprintf(text + at, sizeof text - at,
                 "  bodies: {a: {mass: 1}}\n  outputs: {twice: {value: 2*in0, unit: m}}\n");
  br_mechanism *m = mechanism_of(text);
  const br_system *s = br_mechanism_system(m);
  bri_mech_copy *c = NULL;
  bri_buf b = {0};
  br_err err = {BR_OK, -1, ""};
  bri_mech_write(s, &b);
  if (bri_mech_read_line(b.text, &c, &err)) fail_msg("%s", err.msg);
  for (int carried = 0; carried < 2; carried++) {
    const br_system *is = carried ? &c->sys : s;
    assert_true(is->nparam == N && is->ninput == N && is->nrows == 1 && is->nshown == 1);
    for (size_t i = 0; i < N; i++) {
      const br_param *p = &is->params[i];
      const br_system_input *in = &is->inputs[i];
      char name[2][8];
      (void)snprintf(name[0], sizeof name[0], "p%zu", i), (void)snprintf(name[1], sizeof name[1], "in%zu", i);
      assert_string_equal(p->name, name[0]), assert_string_equal(in->name, name[1]);
      assert_true(is_si(p->unit, ROWS[i].unit) && is_si(in->unit, ROWS[i].unit));
      assert_string_equal(p->doc, ROWS[i].doc), assert_string_equal(in->doc, ROWS[i].doc);
      assert_true(fabs(p->def - ROWS[i].value) < 1e-12 && in->def == p->def);
      assert_true(is->initial[p->slot] == p->def && p->max_len == 1 && i + 1 == p->slot);
      assert_true(isinf(p->lo) && p->lo < 0 && isinf(p->hi) && p->hi > 0 && p->lo_open &&
                  p->hi_open); /* any number */
    }
    assert_string_equal(is->states[0].name, "v_a"), assert_string_equal(is->states[0].unit, "m/s");
    assert_string_equal(is->shown[0].name, "twice"), assert_string_equal(is->shown[0].unit, "m");
    assert_string_equal(is->name, s->name), assert_string_equal(is->title, s->title);
  }
  bri_mech_drop(c);
  bri_buf_free(&b);
  br_mechanism_destroy(m);
}

/* Positions are states where something asks for them: a name for it does, one for the speed does not. */
static void named_states(void **state)
{
  static const struct {
    const char *body, *names[2];
    int free;
  } CASES[] = {{"{mass: 1}", {"v_a"}, 1},
               {"{mass: 1, v: speed}", {"speed"}, 1},
               {"{mass: 1, x: place}", {"place", "v_a"}, 0},
               {"{mass: 1, x: place, v: speed}", {"place", "speed"}, 0},
               {"{inertia: 1, x: angle}", {"angle", "omega_a"}, 0}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    char text[200];
    (void)snprintf(text, sizeof text,
                   "mechanism:\n  bodies: {a: %s, w: fixed}\n  contacts:\n    - {between: [a, w]}\n",
                   CASES[i].body);
    br_mechanism *m = mechanism_of(text);
    const br_system *s = br_mechanism_system(m);
    const size_t n = CASES[i].names[1] ? 2 : 1;
    double par[256], dq[2], u = 9, v = 9;
    const double none[1] = {0}, q[2] = {0.25, 3}, F = 2;
    assert_true(s->nrows == n && s->nq == n && s->slots <= 256);
    for (size_t k = 0; k < n; k++) assert_string_equal(s->states[k].name, CASES[i].names[k]);
    assert_int_equal((s->flags & BR_SYSTEM_FREE) != 0, CASES[i].free);
    memcpy(par, s->initial, s->slots * sizeof *par);
    s->prepare(par);
    s->rate(par, none, none, q + 2 - n, &F, dq);
    s->motion(par, none, none, q + 2 - n, &u, &v);
    assert_true(dq[n - 1] == -2 && v == 3 && u == (n == 2 ? 0.25 : 0) && (n == 1 || dq[0] == 3));
    br_mechanism_destroy(m);
  }
  static const char *const WORDS[] = {"a-b", "'a b'", "2a", "sin", "pi", "t", "a.b"};
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
    const char *what = i < 3 || i == 6 ? "expected letters, digits and _" : "something else";
    char text[300];
    for (int k = 0; k < 2; k++) {
      (void)snprintf(text, sizeof text, "mechanism:\n  bodies: {a: {mass: 1, %s: %s}}\n", k ? "v" : "x",
                     WORDS[i]);
      refuse(text, "text:2:", what);
    }
    static const char *const KINDS[] = {"spring: {between: [a, w], stiffness: 1",
                                        "stop: {between: [a, w], low: 0, stiffness: 1", "gravity: {on: a",
                                        "force: {on: a, value: 1"};
    for (int k = 0; k < 4; k++) {
      (void)snprintf(text, sizeof text,
                     "mechanism:\n  bodies: {a: {mass: 1}, w: fixed}\n  connections:\n    - %s, name: %s}\n",
                     KINDS[k], WORDS[i]);
      refuse(text, "text:4:", what);
    }
  }
  static const char *const OUT[] = {"x_a", "v_a", "x_b", "place",
                                    "speed"}; /* columns that are there already */
  for (size_t i = 0; i < sizeof OUT / sizeof *OUT; i++) {
    char text[300];
    (void)snprintf(
        text, sizeof text,
        "mechanism:\n  bodies: {w: fixed, a: {mass: 1}, b: {mass: 1, v: speed}, c: {mass: 1, x: place}}\n"
        "  outputs: {other: 1, %s: 2}\n",
        OUT[i]);
    refuse(text, "text:2:", "is taken by something else");
  }
}

/* Numbers under the mechanism's set hold for all contacts whose model has them, whatever the models'
 * defaults; those of a contact hold for it alone. */
static void numbers_of_many_models(void **state)
{
  static const char TEXT[] =
      "mechanism:\n%s  bodies: {a: {mass: 1}, w: fixed}\n  contacts:\n"
      "    - {between: [a, w], model: dahl}\n    - {between: [a, w], model: lugre%s}\n"
      "    - {between: [a, w], model: bouc_wen}\n    - {between: [a, w], model: coulomb}\n";
  static const char *const MODELS[] = {"dahl", "lugre", "bouc_wen", "coulomb"};
  (void)state;
  for (int all = 0; all < 2; all++)
    for (int own = 0; own < 2; own++) {
      static br_param_table tables[BR_PLANT_TABLES];
      char text[500];
      br_param inputs[8];
      br_params *p = NULL;
      br_err err = {BR_OK, -1, ""};
      size_t others = 0;
      (void)snprintf(text, sizeof text, TEXT, all ? "  set: {Fc: 0.625, sigma0: 321, sigma2: 0.125}\n" : "",
                     own ? ", set: {Fc: 0.5}" : "");
      br_mechanism *m = mechanism_of(text);
      const br_model *mixed = br_all_models_find(br_mechanism_model(m));
      const size_t n = br_plant_tables(br_mechanism_system(m), mixed, inputs, tables);
      assert_int_equal(br_params_create_tables(tables, n, &p, &err), BR_OK);
      if (br_params_set_list(p, br_mechanism_set(m), &err) || br_params_finish(p, &err))
        fail_msg("%s", err.msg);
      for (int c = 0; c < 4; c++) {
        static const char *const NAMES[] = {"Fc", "sigma0", "sigma1", "sigma2", "Fs"};
        const br_model *model = br_model_find(MODELS[c]);
        for (int k = 0; k < 5; k++) {
          const br_param *row = br_model_param(model, NAMES[k]);
          const double given[] = {0.625, 321, NAN, 0.125, NAN};
          char name[40];
          double x = NAN;
          size_t len = 0;
          if (!row) continue;
          (void)snprintf(name, sizeof name, "contact%d.%s", c + 1, NAMES[k]);
          if (br_params_get(p, name, 1, &x, &len, &err)) fail_msg("%s", err.msg);
          const double expected = own && c == 1 && k == 0   ? 0.5
                                  : all && !isnan(given[k]) ? given[k]
                                                            : row->def;
          if (x != expected) fail_msg("%s of %s: %g, not %g", name, MODELS[c], x, expected);
          others += row->def != given[k];
        }
      }
      assert_true(others > 8);
      br_params_destroy(p);
      br_mechanism_destroy(m);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(bodies),
                                     cmocka_unit_test(names),
                                     cmocka_unit_test(room),
                                     cmocka_unit_test(picture),
                                     cmocka_unit_test(slopes_are_those_of_differences),
                                     cmocka_unit_test(ends_may_be_exchanged),
                                     cmocka_unit_test(many_models),
                                     cmocka_unit_test(carried),
                                     cmocka_unit_test(rows),
                                     cmocka_unit_test(named_states),
                                     cmocka_unit_test(numbers_of_many_models)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
