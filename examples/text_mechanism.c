/* SPDX-License-Identifier: Apache-2.0
 * text_mechanism.c - a mechanism written as text: a block on a belt, held by a spring, pulled until it slips.
 * Usage: text_mechanism [FILE.yaml] */
#include <stdio.h>
#include <string.h>

#include "bristle/bristle.h"

static const char TEXT[] = "mechanism:\n"
                           "  name: belt_block\n"
                           "  parameters: {m: 1 kg, k: 100 N/m}\n"
                           "  inputs: {vb: 0.1 m/s}\n"
                           "  bodies:\n"
                           "    wall: fixed\n"
                           "    belt: {velocity: vb}\n"
                           "    block: {mass: m}\n"
                           "  connections:\n"
                           "    - spring: {between: [block, wall], stiffness: k}\n"
                           "  contacts:\n"
                           "    - {between: [block, belt], model: coulomb, set: {Fc: 3 N, Fs: 5 N}}\n";

int main(int argc, char **argv)
{
  br_mechanism *mechanism = NULL;
  br_err err;
  const int file = argc > 1 && br_mechanism_named(argv[1]);
  br_status st = file ? br_mechanism_load(argv[1], &mechanism, &err)
                      : br_mechanism_parse("belt", TEXT, strlen(TEXT), &mechanism, &err);
  if (st == BR_E_UNSUPPORTED) {
    printf("status %d: this build reads no YAML\n", (int)st);
    return 0;
  }
  if (st) {
    (void)fprintf(stderr, "%s\n", err.msg);
    return 1;
  }
  const br_system *sys = br_mechanism_system(mechanism);
  printf("%s: %zu parameters, %zu inputs; its contacts are %s, %s\n", sys->name, sys->nparam, sys->ninput,
         br_mechanism_model(mechanism) ? br_mechanism_model(mechanism) : "of any model",
         br_mechanism_set(mechanism) ? br_mechanism_set(mechanism) : "as they are by default");
  br_mechanism_destroy(mechanism);
  return 0;
}
