/* SPDX-License-Identifier: Apache-2.0
 * batch_types.h - what the per-instruction-set files export and the dispatcher collects.  Internal. */
#ifndef BRI_BATCH_TYPES_H
#define BRI_BATCH_TYPES_H
#include <stddef.h>

#include "bristle/batch.h"

#define BR_MAX_SPECIAL 8 /* case 0 (general) and up to seven frequent cases */

#define BRI_BLOCK_TYPES(real, sfx)                                                                        \
  typedef void brn_block_fn##sfx(size_t steps, real h, const real *par, real *U, real *Z, const real *V,  \
                                 size_t ldv, real *F, size_t ldf, size_t lda, size_t count);              \
  typedef struct {                                                                                        \
    brn_block_fn##sfx *run[BR_MAX_SPECIAL];                                                               \
    void (*prepare)(real * par);           /* derived numbers in this precision */                        \
    int (*allows)(const real *par, int k); /* may case k be assumed of this parameter block? */           \
    int widest;                            /* the case to take only where no other is allowed; 0: none */ \
  } brn_block_set##sfx;
BRI_BLOCK_TYPES(double, _f64)
BRI_BLOCK_TYPES(float, _f32)

typedef void bri_lugre_path_fn(const double *par, double load, size_t steps, double h, const double *v,
                               double *z, double *F);

#define BRI_CAT_(a, b) a##b
#define BRI_CAT(a, b) BRI_CAT_(a, b)

/* Each instruction set's objects: block functions in the order of models.def, and the LuGre path. */
#define BRI_ISA_DECLARE(isa)                                    \
  extern const brn_block_set_f64 *const bri_blocks_f64_##isa[]; \
  extern const brn_block_set_f32 *const bri_blocks_f32_##isa[]; \
  bri_lugre_path_fn bri_lugre_path_##isa;
BRI_ISA_DECLARE(base)
BRI_ISA_DECLARE(base_fast)
BRI_ISA_DECLARE(avx2)
BRI_ISA_DECLARE(avx2_fast)
BRI_ISA_DECLARE(avx512)
BRI_ISA_DECLARE(avx512_fast)

#endif
