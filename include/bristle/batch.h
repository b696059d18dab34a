/* SPDX-License-Identifier: Apache-2.0
 * batch.h - many friction elements at once: structure-of-arrays blocks of BR_LANES lanes, vectorised.
 *
 * A batch holds `lanes` independent elements of one model, each with its own parameters, position and state.
 * br_batch_run_* holds the given velocity over each step and returns the force at the end of the step.  The
 * strict kernels give the same bits as the scalar functions on every instruction set; the fast ones may fuse
 * a*b+c and are clearly named.
 *
 * Units: SI.  Alloc: none, the caller gives the memory.  Threads: a br_batch belongs to one thread at a time;
 * different batches are independent. */
#ifndef BR_BATCH_H
#define BR_BATCH_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/model.h"
#include "bristle/status.h"
BR_C_BEGIN

#define BR_LANES 64 /* lanes of one block; the last block may be partly used */

typedef enum { BR_F64, BR_F32 } br_precision;
typedef enum { BR_STRICT, BR_FAST } br_arith; /* same bits everywhere, or contracted */

typedef struct {
  const br_model *model;
  size_t lanes, blocks; /* blocks = ceil(lanes / BR_LANES) */
  br_precision precision;
  int shared;   /* 1: all lanes share one parameter set */
  size_t count; /* state numbers in use, the most of any lane */
  int special;  /* kernel case that all lanes allow (same bits, faster) */
  void *par;    /* [blocks or 1][slots + 1][BR_LANES]; the last row is the normal-load factor */
  void *u;      /* [blocks][axes][BR_LANES], m */
  void *z;      /* [blocks][nz][BR_LANES] */
  void *pad;    /* scratch: velocities and forces of a few steps of one block */
} br_batch;

/* Bytes of memory a batch needs (aligned to 64). 0 for bad arguments. */
BR_API size_t br_batch_size(const br_model *m, br_precision precision, size_t lanes, int shared);

/* Set up in `mem` (at least br_batch_size bytes, 64-byte aligned).  `par` holds one prepared f64 block of
 * m->slots numbers per lane, one after the other, or a single one when shared; load: normal-load factor per
 * lane (one when shared), NULL = 1.  All positions and states start at zero.
 * Parameters are taken over at once (f32: rounded, then prepared again in f32).
 * Returns BR_OK, BR_E_ARG (NULL, no lanes, users' model), BR_E_SIZE (memory too small or unaligned). */
BR_TRY br_status br_batch_init(br_batch *b, const br_model *m, br_precision precision, size_t lanes,
                               int shared, const double *par, const double *load, void *mem, size_t size);

/* Run `steps` samples of h seconds.  v: [steps][axes][lanes] m/s; F: same shape, N, or with F == NULL no
 * force is kept (the states move).  Chooses the widest instruction set of this processor.
 * Returns BR_OK, BR_E_ARG (NULL, other precision than at init), BR_E_RANGE (h not finite or not > 0). */
BR_TRY br_status br_batch_run_f64(br_batch *b, br_arith arith, size_t steps, double h, const double *v,
                                  double *F);
BR_TRY br_status br_batch_run_f32(br_batch *b, br_arith arith, size_t steps, float h, const float *v,
                                  float *F);

/* State z[index] and position of a lane, as f64; NaN for a lane or index that does not exist. */
BR_API double br_batch_state(const br_batch *b, size_t lane, size_t index);
BR_API double br_batch_position(const br_batch *b, size_t lane, size_t axis);

/* Instruction set in use ("base", "avx2", "avx512"); br_isa_limit("avx2") lowers it (tests), NULL lifts the
 * limit.  Returns BR_E_NAME for an unknown name, BR_E_UNSUPPORTED where this machine or build lacks it. */
BR_API const char *br_isa_name(void);
BR_TRY br_status br_isa_limit(const char *name);

/* One long recorded path of a LuGre element, v held over each step: z is an affine recurrence
 * z' = a z + b, so blocks of samples are composed in parallel.  The re-association makes the result differ
 * from the sample-by-sample loop in the last bits; it is the same on every target (fixed block width).
 * par: prepared f64 block of the model "lugre"; *z: state in and out, m; F: [steps], N.
 * Returns BR_OK, BR_E_ARG (NULL), BR_E_RANGE (h not finite or not > 0). */
BR_TRY br_status br_lugre_path_f64(const double *par, double load, br_arith arith, size_t steps, double h,
                                   const double *v, double *z, double *F);

BR_C_END
#endif
