/* SPDX-License-Identifier: Apache-2.0
 * progress.h - a bar with the time left, on a terminal only. */
#ifndef BRI_CLI_PROGRESS_H
#define BRI_CLI_PROGRESS_H

typedef struct {
  int on;
  double start, shown, first; /* first: part that was done before */
  double count;               /* of the whole work; 0: not known */
  const char *what;
} progress;

/* wanted 0, or stderr is no terminal: nothing is ever shown. */
void progress_start(progress *p, int wanted);
/* part: 0..1 of the whole. */
void progress_show(progress *p, double part, const char *what, const char *detail);
void progress_end(progress *p);

#endif
