/* SPDX-License-Identifier: Apache-2.0
 * fuzz_expr.c - fuzz target for formulas, alone and as inputs.
 * Checked besides memory safety and time: an error has a message and a place inside the text; what was
 * compiled is a valid tape; values lie within the bounds over an interval; corners increase and the path
 * length never falls. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/signal.h"
#include "expr/expr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(int condition, const char *what, const char *text)
{
  if (condition) return;
  fprintf(stderr, "violated: %s in '%s'\n", what, text);
  abort();
}

static int within(double x, bri_range r) { return isnan(x) || isnan(r.lo) || (x >= r.lo && x <= r.hi); }

static void check_tape(const double *code, size_t n, const char *text)
{
  insist(br_expr_valid(code, n, 1), "a tape is valid", text);
  for (int k = -8; k <= 8; k++) {
    const double a = k * abs(k) / 7.0, h = pow(10, -abs(k)), x = a + 0.37 * h;
    bri_bounds b;
    double j[3];
    bri_expr_bounds(code, n, a, a + h, &b);
    br_expr_jet(code, n, &x, 0, j);
    const double f = br_expr_value(code, n, &x);
    insist(f == j[0] || (isnan(f) && isnan(j[0])), "one value", text);
    /* where a bound is infinite on the way, differences of infinities have no value: only the value counts */
    insist(within(j[0], b.f), "the value is within the bounds", text);
  }
  const double period = bri_expr_period(code, n);
  insist(period >= 0 && isfinite(period), "a period is a number", text);
}

static void check_signal(const br_signal *s, const double *code, size_t n, const char *text)
{
  const double end = br_signal_period(s) > 0 ? 2.5 * br_signal_period(s) : 1.0;
  double corner = -0.5 * end, rho = -INFINITY;
  for (int k = 0; k < 6 && corner < end; k++) {
    const double next = br_signal_next_corner(s, corner);
    insist(next > corner, "corners increase", text);
    corner = next;
  }
  /* a path has a length only where the formula has values all the way: no poles, no 0^t, no (-2)^t */
  for (int k = -64; k < 128; k++) {
    bri_bounds b;
    bri_expr_bounds(code, n, end * k / 128.0, end * (k + 1) / 128.0, &b);
    if (!(b.f.lo > -1e100 && b.f.hi < 1e100)) return;
  }
  for (int k = -1; k <= 2; k++) {
    const double t = end * k / 2.0, path = br_signal_variation(s, t);
    if (isnan(path)) continue;
    insist(!(path < rho - 1e-9 * fabs(rho)), "path length never falls", text);
    rho = path;
    (void)br_signal_rate(s, t, k % 2 ? 1 : -1);
    (void)br_signal_curvature(s, t, 1);
    (void)br_signal_normalised(s, path);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char spec[512] = "expr:";
  double code[200];
  size_t n = 0;
  br_err err = {BR_OK, -1, ""};
  br_signal *s = NULL;
  if (size >= sizeof spec - 6) return 0;
  if (size) memcpy(spec + 5, data, size);
  const char *text = spec + 5;
  const size_t len = strlen(text);
  const br_status st = br_expr_compile(text, len, "t", 200, code, &n, &err);
  if (st) {
    insist(err.code == st && err.msg[0] && err.index >= 0 && (size_t)err.index <= len, "an error has a place",
           text);
    return 0;
  }
  check_tape(code, n, text);
  const br_status made = br_signal_parse(spec, &s, &err);
  insist((made == BR_OK) == (s != NULL), "an error leaves no signal", text);
  if (s) check_signal(s, code, n, text);
  br_signal_destroy(s);
  return 0;
}
