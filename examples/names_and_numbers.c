/* SPDX-License-Identifier: Apache-2.0
 * names_and_numbers.c - text, units, status: what stands at the edge of every program. */
#include <stdio.h>

#include "bristle/bristle.h"

int main(void)
{
  const char *const words[] = {"sigma0", "sigma1", "sigma2"};
  char text[BR_DOUBLE_TEXT], dimension[64];
  double x = 0, y = 0;
  br_unit stiffness, newton, written;
  br_err err;
  int has_unit = 0;

  /* Numbers: the nearest double in, the shortest text that reads back out, whatever the locale says. */
  if (br_parse_double("0.1", 3, &x) != 3 || br_parse_double_mark("0,1", 3, ',', &y) != 3 || x != y) return 1;
  (void)br_format_double(x, text);
  printf("%s; nearest to 'sigm1' is %s; version %s\n", text, br_nearest_name("sigm1", words, 3),
         br_version());

  /* Units: what was written becomes SI, dimensions are compared. */
  if (br_unit_parse("N/um", 4, &stiffness, &err) || br_unit_parse("N", 1, &newton, &err)) return 1;
  printf("20 N/um = %g %s\n", br_unit_to_si(&stiffness, 20),
         br_unit_text(&stiffness, sizeof dimension, dimension));
  if (br_quantity_parse("1.5 mm", 6, &x, &written, &has_unit, &err)) return 1;
  printf("1.5 mm = %g m, a force: %d, fits a force of a rotary mechanism: %d\n", x,
         br_unit_same(&written, &newton), br_unit_fits(&newton, &written, 1));

  /* Errors: a code with a text of its own, and a message that names the thing. */
  const br_status st = br_unit_parse("kN/mmm", 6, &written, &err);
  printf("%s: %s\n", br_status_text(st), err.msg);
  return st == BR_OK;
}
