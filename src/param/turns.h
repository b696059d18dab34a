/* SPDX-License-Identifier: Apache-2.0
 * turns.h - what contacts of a mechanism are measured in. */
#ifndef BRI_PARAM_TURNS_H
#define BRI_PARAM_TURNS_H
#include "../table/turned.h"
#include "bristle/system.h"

/* Does contact c turn: torques and angles instead of forces and ways? */
static inline int bri_turns(const br_system *s, size_t c)
{
  return s->turns && c < s->max_contact ? s->turns[c] : (s->flags & BR_SYSTEM_ROTARY) != 0;
}

static inline const char *bri_force_unit(const br_system *s, size_t c)
{
  return bri_turns(s, c) ? "N m" : "N";
}

#endif
