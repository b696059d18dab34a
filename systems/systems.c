/* SPDX-License-Identifier: Apache-2.0
 * systems.c - the run-time faces of all mechanisms of systems.def. */
#include <string.h>

#include "bristle/system.h"

#include "../models/face.h"
#include "stamp.h"

#define BR_REAL double
#define BR_SFX _f64
#define BR_VISIT "face.inc"
#include "systems.def"
#undef BR_VISIT

static const br_system *const all_systems[] = {
#define BR_VISIT "../models/registry.inc"
#include "systems.def"
#undef BR_VISIT
};
#undef BR_REAL
#undef BR_SFX

const br_system *const *br_systems(size_t *count)
{
  if (count) *count = sizeof all_systems / sizeof all_systems[0];
  return all_systems;
}

const br_system *br_system_find(const char *name)
{
  for (size_t i = 0; name && i < sizeof all_systems / sizeof all_systems[0]; i++)
    if (strcmp(all_systems[i]->name, name) == 0) return all_systems[i];
  return NULL;
}
