/* SPDX-License-Identifier: Apache-2.0
 * fmu.h - a friction element or a mechanism as a Functional Mock-up Unit (FMI 2.0 or 3.0) for other
 * simulators.
 *
 * One file holds model exchange and co-simulation: a binary for this platform, the C sources to build another
 * one, and the description of all variables, made from the tables of model and mechanism.  The same request
 * gives the same bytes.  Units: SI.  Alloc: freed before it returns.  Threads: may be called from several. */
#ifndef BR_FMU_H
#define BR_FMU_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/status.h"
BR_C_BEGIN

typedef struct {
  const char *model;  /* "lugre" */
  const char *system; /* "mass_spring"; NULL: a friction element, whose velocity is the input */
  const char *set;    /* parameters "a=1,b=2"; NULL: the defaults */
  const char *name;   /* model identifier: letters, digits and _; NULL: from system and model */
  int version;        /* of the standard: 2 or 3; 0: 3 */
  int kinds;          /* BR_FMU_*; 0: both */
  const char
      *preset; /* published parameter set (preset.h): names what is not given above, its values hold where
                       * set gives none; NULL: none */
} br_fmu_options;
enum { BR_FMU_MODEL_EXCHANGE = 1, BR_FMU_CO_SIMULATION = 2 };

/* 1 when this build can write FMUs. */
BR_API int br_fmu_available(void);
/* Write the FMU to path: a whole file or none.  *size (may be NULL): its bytes.
 * Returns BR_OK; BR_E_NAME, BR_E_RANGE, BR_E_PARSE (model, mechanism, parameters); BR_E_ARG (name, version);
 * BR_E_IO;
 * BR_E_NOMEM; BR_E_UNSUPPORTED (this build cannot). */
BR_TRY br_status br_fmu_write(const br_fmu_options *options, const char *path, size_t *size, br_err *err);

BR_C_END
#endif
