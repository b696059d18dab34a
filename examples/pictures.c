/* SPDX-License-Identifier: Apache-2.0
 * pictures.c - a picture of one's own by gnuplot and as a sketch for a terminal; a table as HDF5. */
#include <math.h>
#include <stdio.h>

#include "bristle/bristle.h"

static void put(void *ctx, const char *text)
{
  (void)ctx;
  printf("%s", text);
}

int main(void)
{
  static const char *const NAMES[] = {"x", "y"}, *const UNITS[] = {"m", "N"};
  double x[100], y[100];
  br_err err;
  for (int i = 0; i < 100; i++) x[i] = 1e-5 * i, y[i] = tanh(0.05 * i);
  const br_plot_line line = {x, y, 100, "pull", BR_PLOT_THICK};
  const br_plot_panel panel = {NULL, "displacement x", "force y", "m", "N", &line, 1, NULL};
  const br_plot plot = {"an element is pulled", &panel, 1};
  if (br_plot_sketch(&plot, 60, 10, put, NULL, &err)) return 1;
  if (!br_plot_check("example.svg", &err)) {
    if (br_plot_write("example.svg", &plot, &err)) return 1;
    printf("example.svg drawn, with its script and data beside it\n");
  } else {
    printf("no picture: %s\n", err.msg);
  }
  if (!br_hdf5_check("example.h5", &err)) {
    br_hdf5 *file = NULL, *none = NULL;
    const double row[] = {1, 2};
    if (br_hdf5_create("example.h5", 2, NAMES, UNITS, 1, &file, &err) ||
        br_hdf5_text(file, "model", "dahl", &err) || br_hdf5_numbers(file, "sigma0", 1, row, &err) ||
        br_hdf5_row(file, row, &err) || br_hdf5_close(file, &err))
      return 1;
    if (!br_hdf5_create("example2.h5", 2, NAMES, UNITS, 1, &none, &err))
      br_hdf5_abort(none); /* leaves nothing */
    printf("example.h5 written: 1 row of 2 columns\n");
  }
  static const char *const FILES[] = {"example.svg", "example.gp", "example.dat", "example.h5"};
  for (int i = 0; i < 4; i++) (void)remove(FILES[i]);
  return 0;
}
