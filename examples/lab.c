/* SPDX-License-Identifier: Apache-2.0
 * lab.c - the browser lab (or any folder with an index.html) served to this machine until the first question
 * whether to stop.  Usage: lab [FOLDER] */
#include <stdio.h>

#include "bristle/bristle.h"
#include "bristle/lab.h"

static void ready(void *ctx, const char *address)
{
  (void)ctx;
  printf("open %s\n", address);
}

static int at_once(void *ctx)
{
  (void)ctx;
  return 1;
}

int main(int argc, char **argv)
{
  br_err err;
  const br_status st = br_lab_serve(argc > 1 ? argv[1] : "web/dist", 0, ready, at_once, NULL, &err);
  if (st) printf("not served, status %d: %s\n", (int)st, err.msg); /* nothing was built yet */
  return st && argc > 1;
}
