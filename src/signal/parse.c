/* SPDX-License-Identifier: Apache-2.0
 * parse.c - the grammar of input specs: "kind:field,field,...".
 * The list of kinds below is the only one: help, messages and dispatch come from it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../base/alloc.h"
#include "../text/fail.h"
#include "bristle/text.h"
#include "bristle/unit.h"
#include "signal_internal.h"

enum { MAX_FIELDS = 8, ANY_NUMBER = 1000 };

/* What a number may carry as unit. */
typedef enum { FREE, TIME, FREQUENCY, ANGLE, RATE, RATE2, RATE3 } quantity; /* RATE: of u per s, s^2, s^3 */

static const struct {
  const char *name;
  br_unit unit;
} QUANTITIES[] = {{"any", {1, {0, 0, 0, 0, 0, 0}}},
                  {"a time", {1, {0, 0, 1, 0, 0, 0}}},
                  {"a frequency in Hz", {1, {0, 0, -1, 0, 0, 0}}},
                  {"an angle", {1, {0, 0, 0, 0, 0, 1}}}};

/* name, grammar, doc, least and most numbers (ANY_NUMBER: a list; 0: a file), field names and quantities */
typedef struct {
  br_signal_kind face;
  int least, most;
  const char *field[MAX_FIELDS];
  quantity what[MAX_FIELDS];
} kind;

#define KIND(name, grammar, doc, ...) \
  {                                   \
    {name, grammar, doc}, __VA_ARGS__ \
  }
static const kind KINDS[] = {
    KIND("step", "step:A[,t0]", "0 before t0, A from t0 on (t0 = 0 by default)", 1, 2, {"A", "t0"},
         {FREE, TIME}),
    KIND("ramp", "ramp:slope", "slope * t", 1, 1, {"slope"}, {RATE}),
    KIND("sine", "sine:A,f[,phase,offset]", "A sin(2 pi f t + phase) + offset, f in Hz", 2, 4,
         {"A", "f", "phase", "offset"}, {FREE, FREQUENCY, ANGLE, FREE}),
    KIND("triangle", "triangle:A,f", "starts at 0 rising, amplitude A, f in Hz", 2, 2, {"A", "f"},
         {FREE, FREQUENCY}),
    KIND("chirp", "chirp:A,f0,f1,T",
         "A sin of a phase whose frequency goes from f0 to f1 in time T, then stays at f1", 4, 4,
         {"A", "f0", "f1", "T"}, {FREE, FREQUENCY, FREQUENCY, TIME}),
    KIND("multisine", "multisine:FILE", "sum of sines: CSV columns amplitude, frequency_Hz, phase_rad", 0),
    KIND("bimodal", "bimodal:umin1,umax1,umin2,umax2[,t1,t2,t3,t4]",
         "unit-speed period umin1 - umax1 - umin2 - umax2 - umin1; with times: there at 0, t1, .. t4", 4, 8,
         {"umin1", "umax1", "umin2", "umax2", "t1", "t2", "t3", "t4"},
         {FREE, FREE, FREE, FREE, TIME, TIME, TIME, TIME}),
    KIND("turning", "turning:u1,u2,...", "one unit-speed period through these points; closes itself", 2,
         ANY_NUMBER, {"u"}, {FREE}),
    KIND("pwl", "pwl:t1,u1,t2,u2,...", "straight lines between points, constant outside", 2, ANY_NUMBER,
         {"t", "u"}, {TIME, FREE}),
    KIND("csv", "csv:FILE[:time_column,value_column]",
         "recorded samples (CSV, .mat, HDF5), straight lines; one column: turning points", 0),
    KIND("expr", "expr:TEXT", "a formula of t in s, e.g. expr:1e-3*sin(2*pi*t)*exp(-t/5)", 0),
    KIND("smooth", "smooth:FILE[:time_column,value_column]",
         "recorded samples, monotone cubics: continuous rate, u'' between samples", 0),
    KIND("trapezoid", "trapezoid:A,vmax,amax[,t0]", "move from 0 to A with limited velocity and acceleration",
         3, 4, {"A", "vmax", "amax", "t0"}, {FREE, RATE, RATE2, TIME}),
    KIND("scurve", "scurve:A,vmax,amax,jmax[,t0]", "the same with limited jerk", 4, 5,
         {"A", "vmax", "amax", "jmax", "t0"}, {FREE, RATE, RATE2, RATE3, TIME}),
    KIND("filtered_step", "filtered_step:A,tau[,t0]", "A (1 - (1 + s) exp(-s)), s = (t - t0)/tau", 2, 3,
         {"A", "tau", "t0"}, {FREE, TIME, TIME}),
};
enum { NKINDS = sizeof KINDS / sizeof KINDS[0] };

const br_signal_kind *br_signal_kinds(size_t i) { return i < NKINDS ? &KINDS[i].face : NULL; }

static br_status unknown_kind(const char *spec, size_t n, br_err *err)
{
  const char *names[NKINDS];
  char word[32] = "";
  for (size_t k = 0; k < NKINDS; k++) names[k] = KINDS[k].face.name;
  if (n < sizeof word) memcpy(word, spec, n);
  if (!memchr(spec, ':', n) && (memchr(spec, '.', n) || memchr(spec, '/', n)) && !spec[n])
    return bri_fail(err, BR_E_PARSE,
                    "unknown input kind '%.*s'; a record is written 'csv:%.*s', a formula 'expr:TEXT'",
                    bri_text_width(n), spec, bri_text_width(n), spec);
  const char *near = br_nearest_name(word, names, NKINDS);
  if (near)
    return bri_fail(err, BR_E_PARSE, "unknown input kind '%.*s', did you mean '%s'?", bri_text_width(n), spec,
                    near);
  char all[256] = "";
  size_t at = 0;
  for (size_t k = 0; k < NKINDS && at < sizeof all; k++)
    at += (size_t)snprintf(all + at, sizeof all - at, "%s%s",
                           k == 0            ? ""
                           : k + 1 == NKINDS ? " or "
                                             : ", ",
                           names[k]);
  return bri_fail(err, BR_E_PARSE, "unknown input kind '%.*s', expected %s", bri_text_width(n), spec, all);
}

/* Fields of a list repeat their names: pwl has t, u, t, u ... */
static size_t field_slot(const kind *k, size_t i)
{
  size_t names = 1;
  if (k->most != ANY_NUMBER) return i;
  while (names < MAX_FIELDS && k->field[names]) names++;
  return i % names;
}

br_status bri_signal_fits(const br_signal_need *need, int power, const br_unit *unit, const char *where,
                          br_err *err)
{
  br_unit wanted;
  char dim[64], per[16] = "";
  if (!need || !need->unit || br_unit_parse(need->unit, strlen(need->unit), &wanted, NULL)) return BR_OK;
  wanted.dim[BR_DIM_TIME] = (signed char)(wanted.dim[BR_DIM_TIME] - power);
  if (br_unit_fits(&wanted, unit, need->rotary)) return BR_OK;
  if (power) (void)snprintf(per, sizeof per, power > 1 ? " per s^%d" : " per s", power);
  return bri_fail(err, BR_E_PARSE, "%s has dimension %s, but %s needs %s%s", where,
                  br_unit_text(unit, sizeof dim, dim), need->what ? need->what : "the value", need->unit,
                  per);
}

static br_status read_number(const kind *k, size_t i, const char *s, size_t n, const br_signal_need *need,
                             double *x, br_unit *unit, int *has_unit, br_err *err)
{
  br_err why = {BR_OK, -1, ""};
  const size_t slot = field_slot(k, i);
  const quantity q = k->what[slot];
  const br_status st = br_quantity_parse(s, n, x, unit, has_unit, &why);
  if (st)
    return bri_text_fail(err, st, (int)i, "%s: field %zu (%s): %s; expected %s", k->face.name, i + 1,
                         k->field[slot], why.msg, k->face.grammar);
  if (*has_unit && (q == FREE || q >= RATE)) {
    char where[120];
    (void)snprintf(where, sizeof where, "%s: field %zu (%s) = '%.*s'", k->face.name, i + 1, k->field[slot],
                   n < 40 ? (int)n : 40, s);
    return bri_signal_fits(need, q < RATE ? 0 : (int)(q - RATE) + 1, unit, where, err);
  }
  static const br_unit METRE = {1, {1, 0, 0, 0, 0, 0}};
  if (*has_unit && q == TIME && need && need->along)
    return br_unit_fits(&METRE, unit, 1)
               ? BR_OK
               : bri_text_fail(err, BR_E_PARSE, (int)i,
                               "%s: field %zu (u) = '%.*s': the unit is not that of a position", k->face.name,
                               i + 1, bri_text_width(n), s);
  if (*has_unit && !br_unit_same(unit, &QUANTITIES[q].unit))
    return bri_text_fail(err, BR_E_PARSE, (int)i, "%s: field %zu (%s) = '%.*s': the unit is not that of %s",
                         k->face.name, i + 1, k->field[slot], bri_text_width(n), s, QUANTITIES[q].name);
  return BR_OK;
}

/* All numbers of a spec; *out is allocated.  Fields that share a meaning (all FREE ones except a slope) must
 * agree in dimension where they carry units; rates and what the signal is needed for: bri_signal_fits(). */
static br_status read_numbers(const kind *k, const char *text, const br_signal_need *need, double **out,
                              size_t *count, br_err *err)
{
  size_t n = 1;
  for (const char *p = text; *p; p++) n += *p == ',';
  if (n < (size_t)k->least || (k->most != ANY_NUMBER && n > (size_t)k->most))
    return bri_fail(err, BR_E_PARSE, "%s: %zu field%s in '%.*s', expected %s", k->face.name, n,
                    n == 1 ? "" : "s", bri_text_width(strlen(text)), text, k->face.grammar);
  double *x = bri_malloc_array(n, sizeof *x);
  if (!x) return bri_fail(err, BR_E_NOMEM, "%s: no memory for %zu numbers", k->face.name, n);
  br_unit first = {1.0, {0}};
  int have_first = 0;
  const char *p = text;
  for (size_t i = 0; i < n; i++) {
    const size_t length = strcspn(p, ",");
    br_unit unit = {1.0, {0}};
    int has_unit = 0;
    br_status st = read_number(k, i, p, length, need, &x[i], &unit, &has_unit, err);
    if (!st && has_unit && k->what[field_slot(k, i)] == FREE) {
      if (have_first && !br_unit_same(&unit, &first))
        st = bri_text_fail(err, BR_E_PARSE, (int)i,
                           "%s: field %zu = '%.*s' has another dimension than the fields before",
                           k->face.name, i + 1, bri_text_width(length), p);
      first = unit;
      have_first = 1;
    }
    if (st) {
      bri_free(x);
      return st;
    }
    p += length + 1;
  }
  *out = x;
  *count = n;
  return BR_OK;
}

static br_status positive(const kind *k, size_t i, double x, int zero_too, br_err *err)
{
  if (x > 0.0 || (zero_too && x == 0.0)) return BR_OK;
  return bri_text_fail(err, BR_E_RANGE, (int)i, "%s: %s = %g, expected %s", k->face.name, k->field[i], x,
                       zero_too ? "a number >= 0" : "a number > 0");
}

/* Definition 1 of the minor-loop theory: umin1 <= umin2 < umax1 <= umax2, not both equal. */
static br_status make_bimodal(const kind *k, const double *x, size_t n, br_signal **out, br_err *err)
{
  const double min1 = x[0], max1 = x[1], min2 = x[2], max2 = x[3];
  if (!(min1 <= min2 && min2 < max1 && max1 <= max2))
    return bri_fail(err, BR_E_RANGE,
                    "%s: umin1=%g, umax1=%g, umin2=%g, umax2=%g: expected umin1 <= umin2 < umax1 <= umax2",
                    k->face.name, min1, max1, min2, max2);
  if (min1 == min2 && max1 == max2)
    return bri_fail(err, BR_E_RANGE, "%s: both pairs are equal (%g, %g): use turning:%g,%g", k->face.name,
                    min1, max1, min1, max1);
  if (n == 4) return br_signal_from_turning(4, x, 1.0, out, err);
  if (n != 8)
    return bri_fail(err, BR_E_PARSE, "%s: %zu fields, expected %s", k->face.name, n, k->face.grammar);
  const double u[] = {min1, max1, min2, max2, min1}, t[] = {0, x[4], x[5], x[6], x[7]};
  for (size_t i = 1; i < 5; i++)
    if (!(t[i] > t[i - 1]))
      return bri_text_fail(err, BR_E_RANGE, (int)i + 3, "%s: %s = %g s: expected 0 < t1 < t2 < t3 < t4",
                           k->face.name, k->field[i + 3], t[i]);
  return br_signal_from_samples(5, t, u, BR_SIGNAL_LINEAR, 1, out, err);
}

static br_status make_pwl(const kind *k, const double *x, size_t n, br_signal **out, br_err *err)
{
  if (n % 2)
    return bri_fail(err, BR_E_PARSE, "%s: %zu numbers, expected pairs %s", k->face.name, n, k->face.grammar);
  double *t = bri_malloc_array(n, sizeof *t);
  if (!t) return bri_fail(err, BR_E_NOMEM, "%s: no memory", k->face.name);
  for (size_t i = 0; i < n / 2; i++) {
    t[i] = x[2 * i];
    t[n / 2 + i] = x[2 * i + 1];
  }
  const br_status st = br_signal_from_arrays(n / 2, t, t + n / 2, out, err);
  bri_free(t);
  return st;
}

static br_status make(const kind *k, const double *x, size_t n, br_signal **out, br_err *err)
{
  const char *name = k->face.name;
  br_status st = BR_OK;
  if (strcmp(name, "step") == 0) return bri_signal_step(x[0], n > 1 ? x[1] : 0.0, out, err);
  if (strcmp(name, "ramp") == 0) return bri_signal_ramp(x[0], out, err);
  if (strcmp(name, "bimodal") == 0) return make_bimodal(k, x, n, out, err);
  if (strcmp(name, "turning") == 0) return br_signal_from_turning(n, x, 1.0, out, err);
  if (strcmp(name, "pwl") == 0) return make_pwl(k, x, n, out, err);
  if (strcmp(name, "trapezoid") == 0 || strcmp(name, "scurve") == 0) {
    const size_t limits = strcmp(name, "scurve") == 0 ? 3 : 2;
    for (size_t i = 1; i <= limits && !st; i++) st = positive(k, i, x[i], 0, err);
    if (st) return st;
    const double t0 = n > limits + 1 ? x[limits + 1] : 0.0;
    return limits == 3 ? bri_signal_scurve(x[0], x[1], x[2], x[3], t0, out, err)
                       : bri_signal_trapezoid(x[0], x[1], x[2], t0, out, err);
  }
  if (strcmp(name, "filtered_step") == 0) {
    st = positive(k, 1, x[1], 0, err);
    return st ? st : bri_signal_filtered_step(x[0], x[1], n > 2 ? x[2] : 0.0, out, err);
  }
  if (strcmp(name, "chirp") == 0) {
    st = positive(k, 1, x[1], 1, err);
    if (!st) st = positive(k, 2, x[2], 1, err);
    if (!st) st = positive(k, 3, x[3], 0, err);
    if (!st && x[1] == 0.0 && x[2] == 0.0)
      st = bri_text_fail(err, BR_E_RANGE, 1, "chirp: f0 and f1 are both 0");
    return st ? st : bri_signal_chirp(x[0], x[1], x[2], x[3], out, err);
  }
  st = positive(k, 1, x[1], 0, err);
  if (!st && !isfinite(1.0 / x[1]))
    st = bri_text_fail(err, BR_E_RANGE, 1, "%s: f = %g is too small", name, x[1]);
  if (st) return st;
  if (strcmp(name, "triangle") == 0) return bri_signal_triangle(x[0], x[1], out, err);
  return bri_signal_sine(x[0], x[1], n > 2 ? x[2] : 0.0, n > 3 ? x[3] : 0.0, out, err);
}

br_status br_signal_parse(const char *spec, br_signal **out, br_err *err)
{
  return br_signal_parse_for(spec, NULL, out, err);
}

/* "v:SPEC", "a:SPEC": the motion by its rate, or the rate of that; at rest at the start. */
static br_status parse_rate(const char *spec, const br_signal_need *need, br_signal **out, br_err *err)
{
  const int twice = spec[0] == 'a';
  char unit[48] = "", what[64];
  br_signal_need own = {NULL, what, need && need->rotary, need ? need->decimal : '\0', 0};
  br_signal *rate = NULL;
  if (need && need->unit && strlen(need->unit) < 32) {
    (void)snprintf(unit, sizeof unit, twice ? "%s/s^2" : "%s/s",
                   strcmp(need->unit, "1") == 0 ? "1" : need->unit);
    own.unit = unit;
  }
  (void)snprintf(what, sizeof what, "the %s of %.30s", twice ? "acceleration" : "rate",
                 need && need->what ? need->what : "the motion");
  if ((spec[2] == 'v' || spec[2] == 'a') && spec[3] == ':')
    return bri_fail(err, BR_E_PARSE, "'%.40s': v: or a: once; a: is the rate of the rate", spec);
  br_status st = br_signal_parse_for(spec + 2, &own, &rate, err);
  for (int i = 0; i < 1 + twice && !st; i++) {
    *out = NULL;
    st = bri_signal_integral(rate, out, err);
    rate = *out;
  }
  return st;
}

br_status br_signal_parse_for(const char *spec, const br_signal_need *need, br_signal **out, br_err *err)
{
  if (!out) return bri_fail(err, BR_E_ARG, "br_signal_parse: NULL argument");
  *out = NULL;
  if (!spec) return bri_fail(err, BR_E_ARG, "br_signal_parse: NULL spec");
  if ((spec[0] == 'v' || spec[0] == 'a') && spec[1] == ':') return parse_rate(spec, need, out, err);
  const size_t n = strcspn(spec, ":");
  const kind *k = NULL;
  for (size_t i = 0; i < NKINDS; i++)
    if (strlen(KINDS[i].face.name) == n && memcmp(KINDS[i].face.name, spec, n) == 0) k = &KINDS[i];
  if (!k) return unknown_kind(spec, n, err);
  if (spec[n] != ':' || spec[n + 1] == '\0')
    return bri_fail(err, BR_E_PARSE, "'%.*s' has no fields, expected %s", bri_text_width(strlen(spec)), spec,
                    k->face.grammar);
  const char *rest = spec + n + 1;
  if (strcmp(k->face.name, "csv") == 0) return bri_signal_csv(rest, BR_SIGNAL_LINEAR, need, out, err);
  if (strcmp(k->face.name, "smooth") == 0) return bri_signal_csv(rest, BR_SIGNAL_PCHIP, need, out, err);
  if (strcmp(k->face.name, "multisine") == 0) return bri_signal_multisine(rest, need, out, err);
  if (strcmp(k->face.name, "expr") == 0) return bri_signal_formula(rest, out, err);
  double *x = NULL;
  size_t count = 0;
  br_status st = read_numbers(k, rest, need, &x, &count, err);
  if (st) return st;
  br_signal *made = NULL;
  st = make(k, x, count, &made, err);
  bri_free(x);
  if (!st) *out = made;
  return st;
}
