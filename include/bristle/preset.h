/* SPDX-License-Identifier: Apache-2.0
 * preset.h - published parameter sets by name: a model, sometimes a mechanism, their values and where they
 * stand.
 *
 * A job takes one by br_job_set(job, "preset", name): it names the model and the mechanism that are not
 * given, and its values hold where the caller gives none.
 *
 * Units: values are texts as in --set, SI where none is written.  Alloc: none.  Threads: nothing changes. */
#ifndef BR_PRESET_H
#define BR_PRESET_H
#include <stddef.h>

#include "bristle/export.h"
BR_C_BEGIN

typedef struct {
  const char *name, *title;
  const char *model, *model_set;
  const char *system, *system_set; /* NULL: of the model alone */
  const char *source;              /* where the numbers stand */
} br_preset;

BR_API const br_preset *br_presets(size_t index);         /* NULL behind the last */
BR_API const br_preset *br_preset_find(const char *name); /* NULL: unknown */

BR_C_END
#endif
