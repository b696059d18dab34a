/* SPDX-License-Identifier: Apache-2.0
 * rt_flags.h - sticky flags of a friction element that steps in real time. */
#ifndef BR_RT_FLAGS_H
#define BR_RT_FLAGS_H

enum {
  BR_RT_NAN = 1,      /* u or v was NaN or infinite: the step was not taken */
  BR_RT_LIMIT = 2,    /* state or force would have left the finite numbers: the step was not taken */
  BR_RT_BAD_STEP = 4, /* h was not finite or not > 0: the step was not taken */
  BR_RT_UNREADY = 8   /* stepped without a successful init: the force is 0 */
};

#endif
