/* SPDX-License-Identifier: Apache-2.0
 * bench_csv.c - a table of a million rows in and out, against two yardsticks that know the file beforehand:
 *   parse:       read blocks, turn every number into a double, write the same bytes (`cat` + number parsing);
 *   parse+print: read blocks, numbers in, the shortest text of each out.
 * Both use the fastest exact ways there are here, eight digits at a time and 128-bit powers of ten, on two
 * columns of bare numbers: no headings, units, gaps, quotes, order of time stamps, errors or renaming.
 * Each job keeps its fastest run.  Our text is made by a second thread, which the yardsticks do not have:
 * what counts is elapsed time, on a busy machine the processor time of the longer of the two threads. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, open */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bristle/table.h"
#include "text/decimal.h"
#include "text/shortest.h"

enum { ROWS = 1000000, CHUNK = 1024, BLOCK = 1 << 16, SPARE = 128, RUNS = 15 };

static const char IN[] = "bench_csv_in.csv", OUT[] = "bench_csv_out.csv";

static double now(clockid_t which)
{
  struct timespec t;
  (void)clock_gettime(which, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* digits: decimals of the record; 16 is what a program writes that keeps every bit. */
static int make(int digits)
{
  FILE *f = fopen(IN, "w");
  if (!f) return 0;
  (void)fputs("t [s],x [mm]\n", f);
  for (int i = 0; i < ROWS; i++)
    (void)fprintf(f, "%.6f,%.*f\n", i / 1000.0, digits, sin(i / 317.0) + 0.3 * sin(i / 41.0));
  return fclose(f) == 0;
}

/* One bare number; p ends behind the character that follows it. */
static inline const char *number(const char *p, double *x)
{
  uint64_t w = 0;
  const int negative = *p == '-';
  p += negative;
  const char *end = bri_digits(p, p + BLOCK, 0, &w);
  int q = 0;
  if (*end == '.') {
    const char *point = end + 1;
    end = bri_digits(point, point + BLOCK, 1, &w);
    q = (int)(point - end);
  }
  if (end - p > BRI_DIGITS_FIT + 1 || !bri_decimal(w, q, x)) abort(); /* this file has no such number */
  if (negative) *x = -*x;
  return end + 1;
}

static int write_all(int g, const char *s, size_t n) { return write(g, s, n) == (ssize_t)n; }

/* Sum of all numbers; NaN when a file fails. */
static double yardstick(int print)
{
  static char block[BLOCK + SPARE], out[2 * BLOCK + SPARE];
  size_t have = 0;
  ssize_t got = 0;
  double sum = 0.0;
  int ok = 1, heading = 1, places[2] = {0, 0};
  const int f = open(IN, O_RDONLY), g = open(OUT, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  while (ok && f >= 0 && g >= 0 && (got = read(f, block + have, BLOCK - have)) > 0) {
    const char *p = block, *end = block + have + got;
    size_t used = 0;
    while (end[-1] != '\n') end--; /* whole lines; the rest waits for the next block */
    if (heading) p = strchr(block, '\n') + 1;
    if (print && heading) memcpy(out, block, used = (size_t)(p - block));
    heading = 0;
    while (p < end) {
      double t = 0.0, x = 0.0;
      p = number(number(p, &t), &x);
      sum += t + x;
      if (print) {
        used += bri_shortest_like(t, out + used, &places[0]);
        out[used++] = ',';
        used += bri_shortest_like(x, out + used, &places[1]);
        out[used++] = '\n';
      }
    }
    ok = print ? write_all(g, out, used) : write_all(g, block, (size_t)(end - block));
    have = have + (size_t)got - (size_t)(end - block);
    memmove(block, end, have);
  }
  if (f >= 0) (void)close(f);
  if (g >= 0) (void)close(g);
  return ok && f >= 0 && g >= 0 && !have ? sum : NAN;
}

static double ours(int print)
{
  static const char *const NAMES[] = {"t", "x"}, *const UNITS[] = {"s", "mm"};
  static double rows[2 * CHUNK];
  br_table_reader *r = NULL;
  br_table_writer *w = NULL;
  br_err err;
  double sum = 0.0;
  size_t got = 0;
  br_status st = br_table_reader_create(IN, NULL, &r, &err);
  if (!st && print) st = br_table_writer_create(OUT, 2, NAMES, UNITS, &w, &err);
  while (!st && !(st = br_table_reader_next(r, CHUNK, rows, &got, &err)) && got) {
    for (size_t k = 0; k < got && !st; k++) {
      sum += rows[2 * k] + rows[2 * k + 1];
      if (print) st = br_table_writer_row(w, rows + 2 * k, &err);
    }
  }
  br_table_reader_destroy(r);
  if (st) br_table_writer_abort(w);
  else if (print) st = br_table_writer_close(w, &err);
  if (st) printf("failed: %s\n", err.msg);
  return st ? NAN : sum;
}

/* cat alone, to show what of the times is the kernel's */
static double cat(int print)
{
  static char block[BLOCK];
  ssize_t got = 0;
  int ok = 1;
  (void)print;
  const int f = open(IN, O_RDONLY), g = open(OUT, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  while (ok && (got = read(f, block, BLOCK)) > 0) ok = write_all(g, block, (size_t)got);
  (void)close(f);
  (void)close(g);
  return ok ? 0.0 : NAN;
}

enum { CAT, PARSE, PRINT, OURS_IN, OURS, JOBS };

int main(void)
{
  static const int DIGITS[] = {9, 16};
  static double (*const JOB[JOBS])(int) = {cat, yardstick, yardstick, ours, ours};
  static const char *const NAME[JOBS] = {"cat", "cat + parse", "read + parse + print", "ours, in",
                                         "ours, in + out"};
  int failed = 0;
  for (size_t k = 0; k < sizeof DIGITS / sizeof DIGITS[0]; k++) {
    double wall[JOBS] = {0}, cpu[JOBS] = {0}, own[JOBS] = {0}, sum[JOBS] = {0};
    if (!make(DIGITS[k])) return 1;
    for (int run = 0; run < RUNS; run++) {
      for (int j = 0; j < JOBS; j++) {
        const double w = now(CLOCK_MONOTONIC), c = now(CLOCK_PROCESS_CPUTIME_ID),
                     o = now(CLOCK_THREAD_CPUTIME_ID);
        sum[j] = JOB[j](j == PRINT || j == OURS);
        const double dw = now(CLOCK_MONOTONIC) - w, dc = now(CLOCK_PROCESS_CPUTIME_ID) - c,
                     mine = now(CLOCK_THREAD_CPUTIME_ID) - o;
        if (!run || dc < cpu[j]) own[j] = mine;
        wall[j] = run ? fmin(wall[j], dw) : dw;
        cpu[j] = run ? fmin(cpu[j], dc) : dc;
      }
    }
    printf("csv, %d rows of 2, x with %d decimals; least of %d runs\n", ROWS, DIGITS[k], RUNS);
    for (int j = 0; j < JOBS; j++) {
      printf("  %-21s %6.1f ms elapsed, %6.1f ms processor", NAME[j], 1e3 * wall[j], 1e3 * cpu[j]);
      if (j >= OURS_IN)
        printf("; times cat + parse: %.2f, %.2f; times read + parse + print: %.2f, %.2f",
               wall[j] / wall[PARSE], cpu[j] / cpu[PARSE], wall[j] / wall[PRINT], cpu[j] / cpu[PRINT]);
      (void)putchar('\n');
      /* the same doubles in the same order: the sums agree to the last bit */
      if (j != CAT && sum[j] != sum[PARSE]) failed = 1, puts("  FAIL: the sums differ");
    }
    const double other = cpu[OURS] - own[OURS], longer = fmax(own[OURS], other);
    printf(
        "  in + out, elapsed: %.2f times cat + parse: %s (want 1.5)\n"
        "  the caller %.1f ms, the second thread %.1f ms of processor time; the longer, a bound for two free "
        "processors:\n  %.2f times cat + parse, %.2f times read + parse + print\n",
        wall[OURS] / wall[PARSE], wall[OURS] <= 1.5 * wall[PARSE] ? "pass" : "FAIL", 1e3 * own[OURS],
        1e3 * other, longer / cpu[PARSE], longer / cpu[PRINT]);
  }
  (void)remove(IN);
  (void)remove(OUT);
  return failed;
}
