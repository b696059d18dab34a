/* SPDX-License-Identifier: Apache-2.0
 * fuzz_signal.c - fuzz target for input specs.  Kinds that read files are left out.
 * Checked besides memory safety: an error has a message and no signal; corners increase; the path length
 * never falls; psi undoes rho to rounding wherever numbers are of moderate size. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/signal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(int condition, const char *what, const char *spec)
{
  if (condition) return;
  fprintf(stderr, "violated: %s in '%s'\n", what, spec);
  abort();
}

static void check(const br_signal *s, const char *spec)
{
  const double duration = br_signal_duration(s), end = duration > 0.0 ? 2.5 * duration : 1.0;
  double corner = -0.5 * end, rho = -INFINITY, size = 0.0;
  /* a sine of a tiny phase is rounded in units of an amplitude that no sample shows */
  const int shows_size = strncmp(spec, "sine", 4) != 0 && strncmp(spec, "chirp", 5) != 0;
  for (int k = 0; k < 20 && corner < end; k++) {
    const double next = br_signal_next_corner(s, corner);
    insist(next > corner, "corners increase", spec);
    corner = next;
    if (isfinite(corner)) size = fmax(size, fabs(br_signal_value(s, corner)));
  }
  /* rounding is that of the largest value met, not of the one at hand */
  for (int k = -10; k <= 40; k++) {
    const double u = fabs(br_signal_value(s, end * k / 40.0));
    if (isfinite(u)) size = fmax(size, u);
  }
  for (int k = -10; k <= 40; k++) {
    const double t = end * k / 40.0, u = br_signal_value(s, t), path = br_signal_variation(s, t);
    insist(!shows_size || !(path < rho - 1e-12 * fabs(rho)), "path length never falls", spec);
    rho = path;
    (void)br_signal_rate(s, t, k % 2 ? 1 : -1);
    const double psi = br_signal_normalised(s, path);
    if (shows_size && isfinite(path) && isfinite(u)) {
      insist(fabs(psi - u) <= 1e-9 * (size + fabs(path) + br_signal_path(s)), "psi undoes rho", spec);
    }
  }
  size_t n = 0;
  double u[64], t[64];
  if (br_signal_turning(s, 64, u, t, &n, NULL) == BR_OK) {
    for (size_t i = 1; i < n; i++) insist(t[i] > t[i - 1], "turning points are in order", spec);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char spec[512];
  br_signal *s = NULL;
  br_err err = {BR_OK, -1, ""};
  if (size >= sizeof spec) return 0;
  memcpy(spec, data, size);
  spec[size] = '\0';
  if (strncmp(spec, "csv", 3) == 0 || strncmp(spec, "multisine", 9) == 0) return 0;
  if (strncmp(spec, "expr", 4) == 0) return 0; /* fuzz_expr.c */
  const br_status st = br_signal_parse(spec, &s, &err);
  if (st) {
    insist(s == NULL && err.code == st && err.msg[0], "failed parse leaves a message and no signal", spec);
    return 0;
  }
  check(s, spec);
  br_signal_destroy(s);
  return 0;
}
