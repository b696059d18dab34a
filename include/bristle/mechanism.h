/* SPDX-License-Identifier: Apache-2.0
 * mechanism.h - mechanisms written as text: bodies, connections, contacts, formulas.
 *
 * The section `mechanism:` of a YAML file becomes a br_system (bristle/system.h) like the compiled ones: the
 * same plant, the same solvers, an exact Jacobian, an energy book.  docs/mechanism.md has the grammar.
 *
 * Units: SI.  Alloc: br_mechanism_parse() and _load().  Threads: a mechanism is read-only and may be shared.
 * */
#ifndef BR_MECHANISM_H
#define BR_MECHANISM_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/status.h"
#include "bristle/system.h"
BR_C_BEGIN

typedef struct br_mechanism br_mechanism; /* opaque */

/* From n characters of YAML; file: how messages call it.  *out is NULL on error.  Returns BR_OK; BR_E_PARSE
 * with "FILE:LINE:COLUMN: what" in err; BR_E_NOMEM; BR_E_UNSUPPORTED (build without libyaml). */
BR_TRY br_status br_mechanism_parse(const char *file, const char *text, size_t n, br_mechanism **out,
                                    br_err *err);
/* The same from a file; BR_E_IO when it cannot be read. */
BR_TRY br_status br_mechanism_load(const char *path, br_mechanism **out, br_err *err);
BR_API void br_mechanism_destroy(br_mechanism *mechanism); /* NULL is fine */

/* Is this name of a system one of a file: does it end with .yaml or .yml? */
BR_API int br_mechanism_named(const char *system);

/* The mechanism as a system; it lives as long as the mechanism. */
BR_API const br_system *br_mechanism_system(const br_mechanism *mechanism);
/* The model its contacts name, NULL: none; and the values they give to its parameters, as for
 * br_params_ground(). */
BR_API const char *br_mechanism_model(const br_mechanism *mechanism);
BR_API const char *br_mechanism_set(const br_mechanism *mechanism);

BR_C_END
#endif
