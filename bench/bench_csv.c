/* SPDX-License-Identifier: Apache-2.0
 * bench_csv.c - a table of a million rows in and out, against `cat` plus the fastest plain number parsing.
 * The yardstick reads blocks, parses every number into a 64-bit integer and one multiplication or division
 * (no headings, no checks, no quotes, off in the last bit beyond 15 digits), and writes the same bytes. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bristle/table.h"

enum { ROWS = 1000000, CHUNK = 4096, BLOCK = 1 << 16, RUNS = 3 };

static double now(void)
{
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* digits: decimals of the record; 17 is what a program writes that keeps every bit. */
static int make(const char *path, int digits)
{
  FILE *f = fopen(path, "w");
  if (!f) return 0;
  (void)fputs("t [s],x [mm]\n", f);
  for (int i = 0; i < ROWS; i++)
    (void)fprintf(f, "%.6f,%.*f\n", i / 1000.0, digits, sin(i / 317.0) + 0.3 * sin(i / 41.0));
  return fclose(f) == 0;
}

static double plain(const char *in, const char *out, double *seconds)
{
  static const double TEN[] = {1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  static char block[BLOCK];
  double sum = 0;
  uint64_t w = 0;
  int negative = 0, decimals = -1;
  size_t n = 0;
  const double start = now();
  FILE *f = fopen(in, "rb"), *g = fopen(out, "wb");
  while (f && g && (n = fread(block, 1, sizeof block, f)) > 0) {
    for (size_t i = 0; i < n; i++) {
      const unsigned d = (unsigned)block[i] - '0';
      if (d < 10) {
        w = w * 10 + d;
        decimals += decimals >= 0;
      } else if (block[i] == '.') {
        decimals = 0;
      } else if (block[i] == '-') {
        negative = 1;
      } else {
        const double x = (double)w / TEN[decimals > 0 ? decimals : 0];
        sum += negative ? -x : x;
        w = 0, negative = 0, decimals = -1;
      }
    }
    if (fwrite(block, 1, n, g) != n) break;
  }
  if (f) (void)fclose(f);
  if (g) (void)fclose(g);
  *seconds = now() - start;
  return sum;
}

static double ours(const char *in, const char *out, int write, double *seconds)
{
  static const char *const NAMES[] = {"t", "x"}, *const UNITS[] = {"s", "mm"};
  static double rows[2 * CHUNK];
  br_table_reader *r = NULL;
  br_table_writer *w = NULL;
  br_err err;
  double sum = 0;
  size_t got = 0;
  const double start = now();
  br_status st = br_table_reader_create(in, NULL, &r, &err);
  if (!st && write) st = br_table_writer_create(out, 2, NAMES, UNITS, &w, &err);
  while (!st && !(st = br_table_reader_next(r, CHUNK, rows, &got, &err)) && got) {
    for (size_t k = 0; k < got && !st; k++) {
      sum += rows[2 * k] + rows[2 * k + 1];
      if (write) st = br_table_writer_row(w, rows + 2 * k, &err);
    }
  }
  br_table_reader_destroy(r);
  if (st) br_table_writer_abort(w);
  else if (write) st = br_table_writer_close(w, &err);
  *seconds = now() - start;
  if (st) printf("failed: %s\n", err.msg);
  return sum;
}

int main(void)
{
  static const int DIGITS[] = {9, 16};
  for (size_t k = 0; k < 2; k++) {
    double best[3] = {INFINITY, INFINITY, INFINITY}, s = 0, a = 0, off = 0;
    if (!make("bench_csv_in.csv", DIGITS[k])) return 1;
    for (int run = 0; run < RUNS; run++) {
      a = plain("bench_csv_in.csv", "bench_csv_out.csv", &s);
      best[0] = fmin(best[0], s);
      off = fmax(off, fabs(a - ours("bench_csv_in.csv", "bench_csv_out.csv", 0, &s)));
      best[1] = fmin(best[1], s);
      off = fmax(off, fabs(a - ours("bench_csv_in.csv", "bench_csv_out.csv", 1, &s)));
      best[2] = fmin(best[2], s);
    }
    printf("csv, %d rows of 2, x with %d decimals: plain parse + cat %.3f s, ours in %.3f s (%.2f times), "
           "in and out %.3f s (%.2f times); sums differ by %.1e\n",
           ROWS, DIGITS[k], best[0], best[1], best[1] / best[0], best[2], best[2] / best[0], off);
  }
  (void)remove("bench_csv_in.csv");
  (void)remove("bench_csv_out.csv");
  return 0;
}
