/* SPDX-License-Identifier: Apache-2.0
 * missing.c - the files of a page are its own: no links, no other users, no other processes. */
#include <stdlib.h>
#include <string.h>

#include "../../core/elementary_complex.h"

char *realpath(const char *path, char *out)
{
  if (out) return strcpy(out, path);
  return strdup(path);
}

unsigned geteuid(void) { return 0; }

int flock(int fd, int how)
{
  (void)fd, (void)how;
  return 0;
}

/* Quotients of complex numbers (kernels in complex steps): the compiler's library for WebAssembly rounds
 * otherwise than libgcc. */
double complex __divdc3(double a, double b, double c, double d);
double complex __divdc3(double a, double b, double c, double d)
{
  return bri_cdiv(bri_complex(a, b), bri_complex(c, d));
}
