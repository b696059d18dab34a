/* SPDX-License-Identifier: Apache-2.0
 * carry.h - a mechanism that was read once goes elsewhere without its YAML: as one line of text, and back. */
#ifndef BRI_MECHANISM_CARRY_H
#define BRI_MECHANISM_CARRY_H
#include "bristle/system.h"
#include "text/buf.h"

/* The functions of a mechanism made at run time; curved: its rates are not affine. */
void bri_mech_bind(br_system *sys, int curved);

/* Names, units, defaults and program of a system that bri_mech_bind() has made. */
void bri_mech_write(const br_system *sys, bri_buf *out);

/* A system of its own, from such a line; it lives until bri_mech_drop(). */
typedef struct {
  br_system sys;
  br_param *rows;
  br_system_input *inputs;
  br_state *states, *shown;
  double *block;
  char *text; /* names point here */
} bri_mech_copy;
/* BR_E_PARSE: this is no such line, or it was changed.  *out is NULL on error. */
BR_CHECKED br_status bri_mech_read_line(const char *line, bri_mech_copy **out, br_err *err);
void bri_mech_drop(bri_mech_copy *copy); /* NULL is fine */

#endif
