/* SPDX-License-Identifier: Apache-2.0
 * printer.h - numbers to a file as text, the text made by a second thread while the caller goes on.
 * The caller fills one block of numbers while the other is printed.  A table that fits one block starts no
 * thread, nor does a machine with one processor; the bytes are the same either way.  Alloc: none. */
#ifndef BRI_TABLE_PRINTER_H
#define BRI_TABLE_PRINTER_H
#include <pthread.h>
#include <stdio.h>

enum { BRI_PRINTER_TEXT = 65536, BRI_PRINTER_BLOCK = 32768, BRI_PRINTER_GUESSES = 64 };

typedef struct {
  FILE *file;
  size_t ncol;
  size_t filled; /* numbers in block[mine]; rows may go over from one block to the next */
  int mine;
  int tried, threaded;
  pthread_t thread;
  pthread_mutex_t lock; /* guards the next three */
  pthread_cond_t changed;
  int busy, stop;
  int why;         /* errno of the first failure; 0: none */
  char apart[128]; /* so that what both write all the time is not in one cache line */
  /* of the thread while it is busy, of the caller otherwise */
  size_t column, used;
  int places[BRI_PRINTER_GUESSES]; /* decimals of a column, shared by every 64th */
  char text[BRI_PRINTER_TEXT];
  double block[2][BRI_PRINTER_BLOCK];
} bri_printer;

void bri_printer_start(bri_printer *p, FILE *file, size_t ncol);
/* Text before the first row. */
void bri_printer_text(bri_printer *p, const char *s, size_t n);
/* The next number; a whole row.  Both return 0, or the errno of a failure that has come to light. */
int bri_printer_number(bri_printer *p, double x);
int bri_printer_row(bri_printer *p, const double *row);
/* Everything to the file; ends the thread.  Called once, also before giving up: keep = 0 drops what waits. */
int bri_printer_finish(bri_printer *p, int keep);

#endif
