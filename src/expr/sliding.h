/* SPDX-License-Identifier: Apache-2.0
 * sliding.h - the sliding level that coulomb, karnopp and gms share in their variants: Stribeck law, table or
 * formula of v and u, different by direction.  A block of it is one of bri_coulomb_expr. */
#ifndef BRI_EXPR_SLIDING_H
#define BRI_EXPR_SLIDING_H
#include <stddef.h>

#include "../../core/stamp.h"
#include "../../models/common/rows.h"
#include "laws.h"

#define BRI_SLIDING_VARS "v,u," BRI_LAW_C
enum { BRI_SLIDING_NVARS = 2 + BRI_LAW_CONSTANTS, BRI_SLIDING_INNER = 32 };

#define BRI_SLIDING_BACK(P)               \
  P(back, "1", 1.0, BR_ABOVE(0), BR_NOHI, \
    "level of motion to the negative side, over that to the positive one")

typedef struct {
  double Fc, Fs, vs, delta, sigma2, back, rise;
  double dv; /* karnopp: its stick band, > 0; else 0 */
  bri_law g;
  double c[BRI_LAW_CONSTANTS], n_c;
  double g_v[BR_MAX_TABLE], n_g_v, g_F[BR_MAX_TABLE], n_g_F;
  double inner[BRI_SLIDING_INNER]; /* derived: block of the kernel of coulomb */
} bri_sliding;

#define BRI_SLIDING_LIST(name, unit, doc)                                                                \
  {                                                                                                      \
#name, unit, doc, NULL, 0, NULL, 0, 0, INFINITY, 0, 1, offsetof(bri_sliding, name) / sizeof(double), \
        BR_MAX_TABLE, offsetof(bri_sliding, n_##name) / sizeof(double)                                   \
  }
#define BRI_SLIDING_ROW(name, unit, def, lo, hi, doc) \
  BRI_ROW_SCALAR(bri_sliding, name, unit, doc, def, lo, hi)
/* Rows behind the numbers. */
#define BRI_SLIDING_LAWS                                                       \
  BRI_ROW_LAW(bri_sliding, g, "N", BRI_SLIDING_VARS,                           \
              "sliding level g(v, u) >= 0; none: table, or the Stribeck law"), \
      BRI_SLIDING_LIST(g_v, "m/s", "speeds of a tabulated level g(|v|)"),      \
      BRI_SLIDING_LIST(g_F, "N", "levels of the table"), BRI_ROW_CONSTANTS(bri_sliding, NULL, 0)

/* Check of a block whose rows begin with one, under the name of its model; `positive`: the level must not be
 * 0. */
br_status bri_sliding_check(const char *model, const br_param *rows, size_t nrows, const bri_sliding *p,
                            int positive, br_err *err);

#endif
