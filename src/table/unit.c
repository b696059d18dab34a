/* SPDX-License-Identifier: Apache-2.0
 * unit.c - the unit table and its small expression grammar (see bristle/unit.h). */
#include "bristle/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../text/fail.h"
#include "bristle/text.h"
#include "turned.h"

enum { MAX_POWER = 12, MAX_SYMBOL = 15, MAX_NESTING = 8 };

#define BRI_PI 3.14159265358979323846

/* name, takes an SI prefix, factor, exponents of m kg s A K rad */
typedef struct {
  const char *name;
  int prefix;
  double factor;
  signed char dim[BR_DIMS];
} symbol;

static const symbol SYMBOLS[] = {
    {"m", 1, 1.0, {1, 0, 0, 0, 0, 0}},
    {"s", 1, 1.0, {0, 0, 1, 0, 0, 0}},
    {"N", 1, 1.0, {1, 1, -2, 0, 0, 0}},
    {"Nm", 1, 1.0, {2, 1, -2, 0, 0, 0}},
    {"Pa", 1, 1.0, {-1, 1, -2, 0, 0, 0}},
    {"bar", 1, 1e5, {-1, 1, -2, 0, 0, 0}},
    {"A", 1, 1.0, {0, 0, 0, 1, 0, 0}},
    {"V", 1, 1.0, {2, 1, -3, -1, 0, 0}},
    {"W", 1, 1.0, {2, 1, -3, 0, 0, 0}},
    {"J", 1, 1.0, {2, 1, -2, 0, 0, 0}},
    {"K", 1, 1.0, {0, 0, 0, 0, 1, 0}},
    {"Hz", 1, 1.0, {0, 0, -1, 0, 0, 0}},
    {"rad", 1, 1.0, {0, 0, 0, 0, 0, 1}},
    {"kg", 0, 1.0, {0, 1, 0, 0, 0, 0}},
    {"gram", 0, 1e-3, {0, 1, 0, 0, 0, 0}},
    {"g",
     0,
     9.80665,
     {1, 0, -2, 0, 0, 0}}, /* standard gravity: accelerations are given in it, masses in kg */
    {"in", 0, 0.0254, {1, 0, 0, 0, 0, 0}},
    {"inch", 0, 0.0254, {1, 0, 0, 0, 0, 0}},
    {"ft", 0, 0.3048, {1, 0, 0, 0, 0, 0}},
    {"lbf", 0, 4.4482216152605, {1, 1, -2, 0, 0, 0}},
    {"psi", 0, 4.4482216152605 / (0.0254 * 0.0254), {-1, 1, -2, 0, 0, 0}},
    {"min", 0, 60.0, {0, 0, 1, 0, 0, 0}},
    {"h", 0, 3600.0, {0, 0, 1, 0, 0, 0}},
    {"sec", 0, 1.0, {0, 0, 1, 0, 0, 0}},
    {"deg", 0, BRI_PI / 180.0, {0, 0, 0, 0, 0, 1}},
    {"rev", 0, 2.0 * BRI_PI, {0, 0, 0, 0, 0, 1}},
    {"rpm", 0, 2.0 * BRI_PI / 60.0, {0, 0, -1, 0, 0, 1}},
    {"%", 0, 0.01, {0, 0, 0, 0, 0, 0}},
};
enum { NSYMBOLS = sizeof SYMBOLS / sizeof SYMBOLS[0] };

static const struct {
  const char *text;
  double factor;
} PREFIXES[] = {{"n", 1e-9}, {"u", 1e-6}, {"\xc2\xb5", 1e-6}, {"\xce\xbc", 1e-6}, {"m", 1e-3}, {"c", 1e-2},
                {"d", 1e-1}, {"h", 1e2},  {"k", 1e3},         {"M", 1e6},         {"G", 1e9}};
enum { NPREFIXES = sizeof PREFIXES / sizeof PREFIXES[0] };

typedef struct {
  const char *text, *p, *end;
  int depth;
  br_err *err;
} cursor;

static const br_unit ONE = {1.0, {0, 0, 0, 0, 0, 0}};

static int find_symbol(const char *s, size_t n, int prefixed, br_unit *out)
{
  for (size_t k = 0; k < NSYMBOLS; k++) {
    if (strlen(SYMBOLS[k].name) != n || memcmp(SYMBOLS[k].name, s, n) != 0) continue;
    if (prefixed && !SYMBOLS[k].prefix) continue;
    out->factor = SYMBOLS[k].factor;
    memcpy(out->dim, SYMBOLS[k].dim, sizeof out->dim);
    return 1;
  }
  return 0;
}

static int lookup(const char *s, size_t n, br_unit *out)
{
  if (find_symbol(s, n, 0, out)) return 1; /* whole names first: min is a minute, not a milli-inch */
  for (size_t k = 0; k < NPREFIXES; k++) {
    const size_t np = strlen(PREFIXES[k].text);
    if (np >= n || memcmp(s, PREFIXES[k].text, np) != 0) continue;
    if (!find_symbol(s + np, n - np, 1, out)) continue;
    out->factor *= PREFIXES[k].factor;
    return 1;
  }
  return 0;
}

static br_status multiply(cursor *c, br_unit *acc, const br_unit *f, int power)
{
  for (int k = 0; k < BR_DIMS; k++) {
    const int d = acc->dim[k] + power * f->dim[k];
    if (d < -MAX_POWER || d > MAX_POWER)
      return bri_text_fail(c->err, BR_E_PARSE, (int)(c->p - c->text),
                           "unit '%.*s': an exponent is beyond +-%d",
                           bri_text_width((size_t)(c->end - c->text)), c->text, MAX_POWER);
    acc->dim[k] = (signed char)d;
  }
  double scale = 1.0;
  for (int k = power < 0 ? -power : power; k > 0; k--) scale *= f->factor;
  acc->factor = power < 0 ? acc->factor / scale : acc->factor * scale;
  if (!isfinite(acc->factor) || acc->factor == 0.0)
    return bri_fail(c->err, BR_E_PARSE, "unit '%.*s': its factor is out of range",
                    bri_text_width((size_t)(c->end - c->text)), c->text);
  return BR_OK;
}

static int is_letter(unsigned char ch)
{
  return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '%' || ch >= 0x80;
}

/* The UTF-8 middle dot between two factors; the micro sign also starts with 0xc2, so both bytes are looked
 * at. */
static int at_dot(const cursor *c)
{
  return c->end - c->p >= 2 && (unsigned char)c->p[0] == 0xc2 && (unsigned char)c->p[1] == 0xb7;
}

/* ["^"] integer after a factor; 1 when absent. */
static br_status read_power(cursor *c, int *power)
{
  const char *p = c->p;
  int sign = 1, value = 0, digits = 0;
  const int caret = p < c->end && *p == '^';
  *power = 1;
  if (caret) p++;
  if (p < c->end && (*p == '-' || *p == '+') && caret) sign = *p++ == '-' ? -1 : 1;
  for (; p < c->end && *p >= '0' && *p <= '9'; p++, digits++)
    if (value <= MAX_POWER) value = value * 10 + (*p - '0');
  if (digits == 0 && !caret) return BR_OK;
  if (digits == 0 || value > MAX_POWER)
    return bri_text_fail(c->err, BR_E_PARSE, (int)(p - c->text),
                         "unit '%.*s': expected an integer power of at most %d at character %d",
                         bri_text_width((size_t)(c->end - c->text)), c->text, MAX_POWER,
                         (int)(c->p - c->text) + 1);
  *power = sign * value;
  c->p = p;
  return BR_OK;
}

static br_status unknown_symbol(cursor *c, const char *s, size_t n)
{
  const char *names[NSYMBOLS];
  char word[MAX_SYMBOL + 1] = "";
  for (size_t k = 0; k < NSYMBOLS; k++) names[k] = SYMBOLS[k].name;
  if (n <= MAX_SYMBOL) memcpy(word, s, n);
  const char *near = br_nearest_name(word, names, NSYMBOLS);
  return bri_text_fail(c->err, BR_E_PARSE, (int)(s - c->text), "unknown unit '%.*s'%s%s%s", bri_text_width(n),
                       s, near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static br_status read_product(cursor *c, br_unit *out);

static br_status read_factor(cursor *c, br_unit *out, int *power)
{
  *power = 1;
  if (c->p < c->end && *c->p == '1') {
    c->p++;
    *out = ONE;
    return BR_OK;
  }
  if (c->p < c->end && *c->p == '(') {
    c->p++;
    if (++c->depth > MAX_NESTING)
      return bri_text_fail(c->err, BR_E_PARSE, (int)(c->p - c->text), "unit has more than %d nested brackets",
                           MAX_NESTING);
    const br_status st = read_product(c, out);
    if (st) return st;
    c->depth--;
    if (c->p >= c->end || *c->p != ')')
      return bri_text_fail(c->err, BR_E_PARSE, (int)(c->p - c->text), "unit '%.*s': missing ')'",
                           bri_text_width((size_t)(c->end - c->text)), c->text);
    c->p++;
    return read_power(c, power);
  }
  const char *start = c->p;
  while (c->p < c->end && is_letter((unsigned char)*c->p) && !at_dot(c)) c->p++;
  const size_t n = (size_t)(c->p - start);
  if (n == 0)
    return bri_text_fail(c->err, BR_E_PARSE, (int)(c->p - c->text),
                         "unit '%.*s': expected a unit symbol at character %d",
                         bri_text_width((size_t)(c->end - c->text)), c->text, (int)(start - c->text) + 1);
  if (!lookup(start, n, out)) return unknown_symbol(c, start, n);
  return read_power(c, power);
}

static void skip_blanks(cursor *c)
{
  while (c->p < c->end && (*c->p == ' ' || *c->p == '\t')) c->p++;
}

static br_status read_product(cursor *c, br_unit *out)
{
  br_unit acc = ONE;
  int divide = 0;
  for (;;) {
    br_unit f = ONE;
    int power = 1;
    skip_blanks(c);
    br_status st = read_factor(c, &f, &power);
    if (!st) st = multiply(c, &acc, &f, divide ? -power : power);
    if (st) return st;
    skip_blanks(c);
    if (c->p >= c->end || *c->p == ')') break;
    divide = *c->p == '/';
    if (*c->p == '/' || *c->p == '*' || *c->p == '.') {
      c->p++;
    } else if (at_dot(c)) {
      c->p += 2;
    }
  }
  *out = acc;
  return BR_OK;
}

br_status br_unit_parse(const char *text, size_t n, br_unit *out, br_err *err)
{
  if (!out || (!text && n)) return bri_fail(err, BR_E_ARG, "br_unit_parse: NULL argument");
  *out = ONE;
  cursor c = {text, text, text + n, 0, err};
  if (n == 0) return BR_OK;
  skip_blanks(&c);
  while (c.end > c.p && (c.end[-1] == ' ' || c.end[-1] == '\t')) c.end--;
  if (c.p == c.end || (c.end - c.p == 1 && *c.p == '-')) return BR_OK;
  br_unit unit = ONE;
  const br_status st = read_product(&c, &unit);
  if (st) return st;
  if (c.p != c.end)
    return bri_text_fail(err, BR_E_PARSE, (int)(c.p - text), "unit '%.*s': unexpected '%c' at character %d",
                         bri_text_width(n), text, *c.p, (int)(c.p - text) + 1);
  *out = unit;
  return BR_OK;
}

/* 0.3 mm should be the double 0.0003.  0.3 * 1e-3 rounds twice and misses it; 0.3 / 1e3 has only the error of
 * 0.3. So a factor that is the reciprocal of an integer divides. */
double br_unit_to_si(const br_unit *unit, double x)
{
  if (unit->factor < 1.0) {
    const double inverse = rint(1.0 / unit->factor);
    if (1.0 / inverse == unit->factor) return x / inverse;
  }
  return x * unit->factor;
}

int br_unit_same(const br_unit *a, const br_unit *b)
{
  return a && b && memcmp(a->dim, b->dim, sizeof a->dim) == 0;
}

/* The same quantity for rotation: N becomes N m and a length becomes an angle.  N^a m^b s^c has the exponents
 * a + b of length, a of mass; N m^a rad^b has 2 a of length, a of mass and b of angle. */
int br_unit_fits(const br_unit *needed, const br_unit *written, int rotary)
{
  if (br_unit_same(needed, written)) return 1;
  if (!rotary || !needed || !written) return 0;
  br_unit turned = *needed;
  const signed char force = turned.dim[BR_DIM_MASS];
  turned.dim[BR_DIM_ANGLE] = (signed char)(turned.dim[BR_DIM_LENGTH] - force);
  turned.dim[BR_DIM_LENGTH] = (signed char)(2 * force);
  return br_unit_same(&turned, written);
}

const char *br_unit_text(const br_unit *unit, size_t size, char *buf)
{
  static const char *const BASE[BR_DIMS] = {"m", "kg", "s", "A", "K", "rad"};
  size_t used = 0;
  if (!buf || size == 0) return "";
  buf[0] = '\0';
  for (int k = 0; unit && k < BR_DIMS; k++) {
    const int d = (int)unit->dim[k];
    int len = 0;
    if (d == 0) continue;
    if (d == 1) {
      len = snprintf(buf + used, size - used, "%s%s", used ? " " : "", BASE[k]);
    } else {
      len = snprintf(buf + used, size - used, "%s%s^%d", used ? " " : "", BASE[k], d);
    }
    if (len < 0 || (size_t)len >= size - used) return buf; /* cut, but terminated */
    used += (size_t)len;
  }
  if (used == 0) (void)snprintf(buf, size, "1");
  return buf;
}

br_status br_quantity_parse(const char *text, size_t n, double *value, br_unit *unit, int *has_unit,
                            br_err *err)
{
  if (!text || !value || !unit) return bri_fail(err, BR_E_ARG, "br_quantity_parse: NULL argument");
  while (n && (*text == ' ' || *text == '\t')) text++, n--;
  while (n && (text[n - 1] == ' ' || text[n - 1] == '\t')) n--;
  double x = 0.0;
  *unit = ONE;
  const size_t used = br_parse_double(text, n, &x);
  if (used == 0) return bri_fail(err, BR_E_PARSE, "'%.*s' is not a number", bri_text_width(n), text);
  if (!isfinite(x)) return bri_fail(err, BR_E_NAN, "'%.*s' is not a finite number", bri_text_width(n), text);
  if (has_unit) *has_unit = used < n;
  const br_status st = br_unit_parse(text + used, n - used, unit, err);
  if (st) return st;
  *value = br_unit_to_si(unit, x);
  if (!isfinite(*value))
    return bri_fail(err, BR_E_NAN, "'%.*s' overflows in SI units", bri_text_width(n), text);
  return BR_OK;
}

const char *bri_unit_turned(const char *unit)
{
  static const char *const UNITS[][2] = {{"N/m", "N m/rad"}, {"N", "N m"},           {"m", "rad"},
                                         {"m/s", "rad/s"},   {"N s/m", "N m s/rad"}, {"kg", "kg m^2"},
                                         {"1/m", "1/rad"},   {"N/s", "N m/s"},       {"m/s^2", "rad/s^2"}};
  for (size_t i = 0; unit && i < sizeof UNITS / sizeof UNITS[0]; i++)
    if (strcmp(UNITS[i][0], unit) == 0) return UNITS[i][1];
  return unit;
}
