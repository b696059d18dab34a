/* SPDX-License-Identifier: Apache-2.0
 * progress.c - a bar with the time left, on a terminal only. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, isatty */
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

static double now(void)
{
  struct timespec t;
  if (clock_gettime(CLOCK_MONOTONIC, &t) != 0) return 0;
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_start(progress *p, int wanted)
{
  const char *term = getenv("TERM");
  p->on = wanted && isatty(2) && !(term && strcmp(term, "dumb") == 0);
  p->start = now();
  p->shown = p->first = -1;
}

/* Bytes of text that fit the terminal: a line that wraps could not be overwritten.  UTF-8 is not cut
 * apart. */
static int fitting(const char *text)
{
  size_t n = strlen(text), room = 79;
#ifdef TIOCGWINSZ
  struct winsize size;
  if (ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col > 1) room = size.ws_col - 1u;
#endif
  if (n > room) n = room;
  while (n && ((unsigned char)text[n] & 0xc0) == 0x80) n--;
  return (int)n;
}

void progress_show(progress *p, double part, const char *what, const char *detail)
{
  enum { WIDTH = 24 };
  const double t = now() - p->start;
  if (p->first < 0) p->first = part;
  if (!p->on || t < 1 || (p->shown >= 0 && t - p->shown < 0.1)) return; /* what is soon done needs no bar */
  p->shown = t;
  char bar[WIDTH + 1], left[32] = "", line[160], pace[40] = "";
  const int full = part < 0 ? 0 : part > 1 ? WIDTH : (int)(part * WIDTH);
  for (int i = 0; i < WIDTH; i++) bar[i] = i < full ? '#' : '.';
  bar[WIDTH] = '\0';
  const double made = part - p->first;
  if (p->count > 0) (void)snprintf(pace, sizeof pace, "%.3g %.20s/s", made * p->count / t, p->what);
  if (made > 0.02 && t > 0.5) {
    const double s = t / made * (1 - part);
    (void)snprintf(left, sizeof left, ", %.0f %s left", s < 120 ? s : s / 60, s < 120 ? "s" : "min");
  }
  (void)snprintf(line, sizeof line, "[%s] %3.0f %%%s  %.30s %.20s", bar, 100 * part, left, cli_shown(what),
                 detail[0] ? cli_shown(detail) : pace);
  (void)fprintf(stderr, "\r\033[K%.*s", fitting(line), line);
  (void)fflush(stderr);
}

void progress_end(progress *p)
{
  if (p->on && p->shown >= 0) (void)fputs("\r\033[K", stderr);
  p->on = 0;
}
