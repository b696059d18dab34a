/* SPDX-License-Identifier: Apache-2.0
 * printer.c - numbers to a file as text, by a second thread. */
#define _POSIX_C_SOURCE 200809L /* pthread_sigmask, sysconf */
#include "printer.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "../text/shortest.h"

void bri_printer_start(bri_printer *p, FILE *file, size_t ncol)
{
  memset(p, 0, offsetof(bri_printer, text));
  p->file = file;
  p->ncol = ncol;
}

static void flush(bri_printer *p, int *why)
{
  if (p->used && !*why) {
    errno = 0;
    if (fwrite(p->text, 1, p->used, p->file) != p->used) *why = errno ? errno : EIO;
  }
  p->used = 0;
}

void bri_printer_text(bri_printer *p, const char *s, size_t n)
{
  while (n) {
    if (p->used == BRI_PRINTER_TEXT) flush(p, &p->why);
    const size_t room = BRI_PRINTER_TEXT - p->used, take = n < room ? n : room;
    memcpy(p->text + p->used, s, take);
    p->used += take;
    s += take;
    n -= take;
  }
}

/* After a failure the numbers are dropped: nothing more can be written. */
static void print_block(bri_printer *p, const double *x, size_t n, int *why)
{
  size_t column = p->column;
  for (size_t k = 0; k < n && !*why; k++) {
    if (BRI_PRINTER_TEXT - p->used < BRI_SHORTEST_ROOM) flush(p, why);
    p->used += bri_shortest_like(x[k], p->text + p->used, &p->places[column % BRI_PRINTER_GUESSES]);
    const int last = ++column == p->ncol;
    p->text[p->used++] = last ? '\n' : ',';
    if (last) column = 0;
  }
  p->column = column;
}

static void *run(void *context)
{
  bri_printer *p = context;
  (void)pthread_mutex_lock(&p->lock);
  for (;;) {
    while (!p->busy && !p->stop) (void)pthread_cond_wait(&p->changed, &p->lock);
    if (!p->busy) break;
    const double *block = p->block[!p->mine];
    int why = p->why;
    (void)pthread_mutex_unlock(&p->lock);
    print_block(p, block, BRI_PRINTER_BLOCK, &why);
    (void)pthread_mutex_lock(&p->lock);
    p->why = why;
    p->busy = 0;
    (void)pthread_cond_signal(&p->changed);
  }
  (void)pthread_mutex_unlock(&p->lock);
  return NULL;
}

/* No thread is no error: the caller then prints itself. */
static void start_thread(bri_printer *p)
{
  sigset_t all, before;
  p->tried = 1;
  if (sysconf(_SC_NPROCESSORS_ONLN) < 2) return;
  if (pthread_mutex_init(&p->lock, NULL)) return;
  if (pthread_cond_init(&p->changed, NULL) == 0) {
    (void)sigfillset(&all); /* signals stay with the threads of the program */
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    p->threaded = pthread_create(&p->thread, NULL, run, p) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (p->threaded) return;
    (void)pthread_cond_destroy(&p->changed);
  }
  (void)pthread_mutex_destroy(&p->lock);
}

/* The full block goes to the thread, once it is done with the one before. */
static int hand_over(bri_printer *p)
{
  int why = 0;
  if (!p->tried) start_thread(p);
  if (!p->threaded) {
    print_block(p, p->block[p->mine], p->filled, &p->why);
    p->filled = 0;
    return p->why;
  }
  (void)pthread_mutex_lock(&p->lock);
  while (p->busy) (void)pthread_cond_wait(&p->changed, &p->lock);
  why = p->why;
  p->mine = !p->mine;
  p->busy = 1;
  (void)pthread_cond_signal(&p->changed);
  (void)pthread_mutex_unlock(&p->lock);
  p->filled = 0;
  return why;
}

int bri_printer_number(bri_printer *p, double x)
{
  p->block[p->mine][p->filled++] = x;
  return p->filled == BRI_PRINTER_BLOCK ? hand_over(p) : 0;
}

int bri_printer_row(bri_printer *p, const double *row)
{
  int why = 0;
  if (BRI_PRINTER_BLOCK - p->filled > p->ncol) { /* room for all and one more */
    double *to = p->block[p->mine] + p->filled;
    for (size_t j = 0; j < p->ncol; j++) to[j] = row[j];
    p->filled += p->ncol;
    return 0;
  }
  for (size_t j = 0; j < p->ncol && !why; j++) why = bri_printer_number(p, row[j]);
  return why;
}

int bri_printer_finish(bri_printer *p, int keep)
{
  if (p->threaded) {
    (void)pthread_mutex_lock(&p->lock);
    p->stop = 1;
    (void)pthread_cond_signal(&p->changed);
    (void)pthread_mutex_unlock(&p->lock);
    (void)pthread_join(p->thread, NULL);
    (void)pthread_cond_destroy(&p->changed);
    (void)pthread_mutex_destroy(&p->lock);
    p->threaded = 0;
  }
  if (keep) {
    print_block(p, p->block[p->mine], p->filled, &p->why);
    flush(p, &p->why);
  }
  return p->why;
}
