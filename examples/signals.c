/* SPDX-License-Identifier: Apache-2.0
 * signals.c - inputs: from text, from samples, from turning points; what can be asked of them. */
#include <math.h>
#include <stdio.h>

#include "bristle/bristle.h"

static void show(const char *what, const br_signal *s)
{
  printf("%-8s u(0.1) = %.6g, u' = %.6g, u'' = %.6g; period %g s, end %g s, next corner %g s, path %g\n",
         what, br_signal_value(s, 0.1), br_signal_rate(s, 0.1, 1), br_signal_curvature(s, 0.1, 1),
         br_signal_period(s), br_signal_duration(s), br_signal_next_corner(s, 0), br_signal_path(s));
}

int main(void)
{
  static const double T[] = {0, 0.5, 1}, U[] = {0, 1, 0}, A[] = {1, 0.3}, FREQ[] = {1, 3}, PHASE[] = {0, 0.5};
  br_signal *text = NULL, *record = NULL, *cubic = NULL, *turning = NULL, *sines = NULL;
  double u[8], t[8];
  size_t n = 0, keep[3];
  br_err err;
  for (size_t i = 0; i < 3; i++) printf("%s: %s\n", br_signal_kinds(i)->grammar, br_signal_kinds(i)->doc);
  if (br_signal_parse("sine:1mm,2Hz", &text, &err) || br_signal_from_arrays(3, T, U, &record, &err) ||
      br_signal_from_samples(3, T, U, BR_SIGNAL_PCHIP, 1, &cubic, &err) ||
      br_signal_from_turning(3, U, 1.0, &turning, &err) ||
      br_signal_from_sines(2, A, FREQ, PHASE, &sines, &err)) {
    (void)fprintf(stderr, "%s\n", err.msg);
    return 1;
  }
  show("text", text), show("record", record), show("cubic", cubic), show("turning", turning),
      show("sines", sines);
  printf("variation of the record up to 0.75 s: %g; normalised input at 0.25: %g\n",
         br_signal_variation(record, 0.75), br_signal_normalised(turning, 0.25));
  if (br_signal_turning(record, 8, u, t, &n, &err)) return 1;
  printf("%zu turning points, the second at %g s; of the bare values %zu stay\n", n, t[1],
         br_turning_points(3, U, 0, keep));
  br_signal_destroy(text), br_signal_destroy(record), br_signal_destroy(cubic), br_signal_destroy(turning);
  br_signal_destroy(sines);
  return !isfinite(u[0]);
}
