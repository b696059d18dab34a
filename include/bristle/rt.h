/* SPDX-License-Identifier: Apache-2.0
 * rt.h - the real-time stepper: one friction element on the caller's memory, for control loops and firmware.
 *
 * models/rt.c compiled freestanding needs no other object: no libc, no libm, no allocation, no locks.  A step
 * takes bounded time and has no error path: trouble sets sticky flags that the loop may read when it likes,
 * and the element keeps its last good state and force.
 *
 * Units: SI.  Threads: a br_rt belongs to one thread at a time.  Model and parameter names: bristle/model.h.
 * Each function exists for f64 and f32 and gives the bits of the scalar and batch code of that precision. */
#ifndef BR_RT_H
#define BR_RT_H
#include "bristle/export.h"
#include "bristle/rt_flags.h"
#include "bristle/status.h"
BR_C_BEGIN

/* Room for the largest model; a build of models/rt.c checks that it suffices. */
#ifndef BR_RT_SLOTS
#define BR_RT_SLOTS 320 /* numbers of a parameter block, derived ones included */
#endif
#ifndef BR_RT_STATES
#define BR_RT_STATES 136 /* state numbers, modes included */
#endif

/* Plain structs, so that they can be placed statically; 0-initialised they are "unready".
 * Fields may be read; write only load (normal-load factor, 1 = nominal) and z (a start state). */
#define BR_RT_STRUCT(real, name)                                                       \
  typedef struct {                                                                     \
    int model;             /* 1 + place in the list of models; 0 = unready */          \
    unsigned flags;        /* BR_RT_*, sticky */                                       \
    int nz, axes;          /* state numbers in use; 1 or 2 axes */                     \
    real load;             /* normal-load factor, 1 = nominal */                       \
    real u[2], F[2];       /* position at the end of the last step, m; its force, N */ \
    real z[BR_RT_STATES];  /* state */                                                 \
    real par[BR_RT_SLOTS]; /* prepared parameters */                                   \
  } name;
BR_RT_STRUCT(double, br_rt_f64)
BR_RT_STRUCT(float, br_rt_f32)

/* Slot of a parameter's (first) value, or of its length with br_rt_length; -1 for an unknown name. */
BR_API int br_rt_slot(const char *model, const char *param);
BR_API int br_rt_length(const char *model, const char *param);

/* Fill values[0..count-1] with a model's defaults. Returns the number of slots the model has, 0 for an
 * unknown name; with a smaller count nothing is written. */
BR_API size_t br_rt_defaults_f64(const char *model, double *values, size_t count);
BR_API size_t br_rt_defaults_f32(const char *model, float *values, size_t count);

/* Check the values, take them over, compute derived numbers, start at rest: u = 0, z = 0, F = 0, load = 1.
 * values: a block as from br_rt_defaults, derived numbers need not be set.
 * Returns BR_OK; BR_E_ARG (NULL); BR_E_NAME (unknown model); BR_E_SIZE (a vector's length);
 * BR_E_RANGE (*bad, if not NULL, is the slot of the offending parameter).  On error rt becomes unready. */
BR_TRY br_status br_rt_init_f64(br_rt_f64 *rt, const char *model, const double *values, int *bad);
BR_TRY br_status br_rt_init_f32(br_rt_f32 *rt, const char *model, const float *values, int *bad);

/* One step: hold v (m/s) for h seconds starting from position u (m); returns the force at the end, N.
 * Without a position sensor pass rt->u[0]: it holds where the last step ended. */
BR_API double br_rt_step_f64(br_rt_f64 *rt, double u, double v, double h);
BR_API float br_rt_step_f32(br_rt_f32 *rt, float u, float v, float h);
/* The same for models with two axes; u, v, F have two entries (for one axis only the first is used). */
BR_API void br_rt_step2_f64(br_rt_f64 *rt, const double *u, const double *v, double h, double *F);
BR_API void br_rt_step2_f32(br_rt_f32 *rt, const float *u, const float *v, float h, float *F);

/* Read the sticky flags and clear those in `clear`. */
BR_API unsigned br_rt_flags_f64(br_rt_f64 *rt, unsigned clear);
BR_API unsigned br_rt_flags_f32(br_rt_f32 *rt, unsigned clear);

BR_C_END
#endif
