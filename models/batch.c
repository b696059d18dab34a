/* SPDX-License-Identifier: Apache-2.0
 * batch.c - batches on the caller's memory: layout, choice of kernel case and of instruction set. */
#include "bristle/batch.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "../core/num.h"
#include "batch_types.h"

#define PAD_STEPS 16 /* steps that pass through the scratch at once */

/* ---- instruction sets ---- */
typedef struct {
  const char *name;
  const brn_block_set_f64 *const *f64[2]; /* strict, fast */
  const brn_block_set_f32 *const *f32[2];
  bri_lugre_path_fn *path[2];
} isa_row;

#define ISA_ROW(strict, fast)                                    \
  {                                                              \
#strict, {bri_blocks_f64_##strict, bri_blocks_f64_##fast },  \
              {bri_blocks_f32_##strict, bri_blocks_f32_##fast }, \
    {                                                            \
      bri_lugre_path_##strict, bri_lugre_path_##fast             \
    }                                                            \
  }

/* From narrow to wide; those that were not built are absent.  See CMakeLists.txt for BR_HAVE_ISA_*. */
static const isa_row isas[] = {
#if defined(BR_HAVE_ISA_base_fast)
    ISA_ROW(base, base_fast),
#elif !defined(BR_ISA_LEAST) || defined(BR_HAVE_ISA_base) /* a build for one processor has it alone */
    ISA_ROW(base, base),
#endif
#if defined(BR_HAVE_ISA_avx2) && defined(BR_HAVE_ISA_avx2_fast)
    ISA_ROW(avx2, avx2_fast),
#elif defined(BR_HAVE_ISA_avx2)
    ISA_ROW(avx2, avx2),
#endif
#if defined(BR_HAVE_ISA_avx512) && defined(BR_HAVE_ISA_avx512_fast)
    ISA_ROW(avx512, avx512_fast),
#elif defined(BR_HAVE_ISA_avx512)
    ISA_ROW(avx512, avx512),
#endif
};
#define ISA_COUNT ((int)(sizeof isas / sizeof isas[0]))

static const char *const isa_names[] = {"base", "avx2", "avx512"};

static int cpu_has(const char *name)
{
  if (strcmp(name, "base") == 0) return 1;
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
  __builtin_cpu_init();
  if (strcmp(name, "avx2") == 0) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (strcmp(name, "avx512") == 0)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("fma");
#endif
  return 0;
}

/* Row in use; -1 until first asked, then the widest that this processor runs or the limit set by
 * br_isa_limit.  Two threads that ask first at the same time find the same answer. */
static atomic_int isa_now = -1;

static const isa_row *isa(void)
{
  int k = atomic_load_explicit(&isa_now, memory_order_relaxed);
  if (k < 0) {
    for (k = ISA_COUNT - 1; k > 0 && !cpu_has(isas[k].name); k--) continue;
    int unset = -1; /* a limit set meanwhile stays */
    if (!atomic_compare_exchange_strong(&isa_now, &unset, k)) k = unset;
  }
  return &isas[k];
}

const char *br_isa_name(void) { return isa()->name; }

br_status br_isa_limit(const char *name)
{
  if (!name) {
    atomic_store(&isa_now, -1);
    return BR_OK;
  }
  for (int k = 0; k < ISA_COUNT; k++)
    if (strcmp(isas[k].name, name) == 0 && cpu_has(name)) {
      atomic_store(&isa_now, k);
      return BR_OK;
    }
  for (size_t k = 0; k < sizeof isa_names / sizeof isa_names[0]; k++)
    if (strcmp(isa_names[k], name) == 0) return BR_E_UNSUPPORTED;
  return BR_E_NAME;
}

/* ---- layout ---- */
/* Place of a built-in model in models.def; the number of models for a user's own. */
static size_t model_index(const br_model *m)
{
  size_t n, i = 0;
  const br_model *const *all = br_models(&n);
  while (i < n && all[i] != m) i++;
  return i;
}

static int is_builtin(const br_model *m)
{
  size_t n;
  (void)br_models(&n);
  return m && model_index(m) < n;
}

/* Numbers of each part, in the order par, u, z, pad. Whole blocks, so every part starts on 64 bytes. */
typedef struct {
  size_t par, u, z, pad;
} layout;

static layout layout_of(const br_model *m, size_t blocks, int shared)
{
  const size_t axes = (size_t)m->axes, lanes = BR_LANES;
  const size_t rows = 2 * PAD_STEPS * axes,
               tight = m->slots / lanes + 1; /* the scratch also holds one block */
  const layout l = {(shared ? 1 : blocks) * (m->slots + 1) * lanes, blocks * axes * lanes,
                    blocks * m->nz * lanes, (rows > tight ? rows : tight) * lanes};
  return l;
}

size_t br_batch_size(const br_model *m, br_precision precision, size_t lanes, int shared)
{
  if (!is_builtin(m) || lanes == 0 || (precision != BR_F64 && precision != BR_F32)) return 0;
  const size_t real = precision == BR_F64 ? sizeof(double) : sizeof(float);
  const size_t blocks = lanes / BR_LANES + (lanes % BR_LANES != 0);
  const layout one = layout_of(m, 1, shared);
  if (blocks > SIZE_MAX / 2 / real / (one.par + one.u + one.z + one.pad)) return 0;
  const layout l = layout_of(m, blocks, shared);
  return (l.par + l.u + l.z + l.pad) * real;
}

/* ---- one instance per precision ---- */
#define BR_REAL double
#define BR_SFX _f64
#define brn_block_set_sfx brn_block_set_f64
#define brn_block_fn_sfx brn_block_fn_f64
#include "batch_run.inc"
#undef BR_REAL
#undef BR_SFX
#undef brn_block_set_sfx
#undef brn_block_fn_sfx
#define BR_REAL float
#define BR_SFX _f32
#define brn_block_set_sfx brn_block_set_f32
#define brn_block_fn_sfx brn_block_fn_f32
#include "batch_run.inc"
#undef BR_REAL
#undef BR_SFX
#undef brn_block_set_sfx
#undef brn_block_fn_sfx

br_status br_batch_init(br_batch *b, const br_model *m, br_precision precision, size_t lanes, int shared,
                        const double *par, const double *load, void *mem, size_t size)
{
  const size_t need = br_batch_size(m, precision, lanes, shared);
  if (!b || !par || !mem || need == 0) return BR_E_ARG;
  if (size < need || (uintptr_t)mem % 64 != 0) return BR_E_SIZE;
  const size_t real = precision == BR_F64 ? sizeof(double) : sizeof(float), index = model_index(m);
  b->model = m;
  b->lanes = lanes;
  b->blocks = lanes / BR_LANES + (lanes % BR_LANES != 0);
  b->precision = precision;
  b->shared = shared != 0;
  const layout l = layout_of(m, b->blocks, shared);
  b->par = mem;
  b->u = (char *)b->par + l.par * real;
  b->z = (char *)b->u + l.u * real;
  b->pad = (char *)b->z + l.z * real;
  if (precision == BR_F64) brn_fill_f64(b, isas[0].f64[BR_STRICT][index], par, load);
  else brn_fill_f32(b, isas[0].f32[BR_STRICT][index], par, load);
  return BR_OK;
}

br_status br_batch_run_f64(br_batch *b, br_arith arith, size_t steps, double h, const double *v, double *F)
{
  return brn_run_f64(b, BR_F64, isa()->f64[arith == BR_FAST], steps, h, v, F);
}

br_status br_batch_run_f32(br_batch *b, br_arith arith, size_t steps, float h, const float *v, float *F)
{
  return brn_run_f32(b, BR_F32, isa()->f32[arith == BR_FAST], steps, h, v, F);
}

/* Row `index` of a block-wise array of `rows` rows, as f64. */
static double lane_number(const br_batch *b, const void *array, size_t rows, size_t lane, size_t index)
{
  if (lane >= b->lanes || index >= rows) return __builtin_nan("");
  const size_t i = (lane / BR_LANES * rows + index) * BR_LANES + lane % BR_LANES;
  return b->precision == BR_F64 ? ((const double *)array)[i] : (double)((const float *)array)[i];
}

double br_batch_state(const br_batch *b, size_t lane, size_t index)
{
  return lane_number(b, b->z, b->model->nz, lane, index);
}

double br_batch_position(const br_batch *b, size_t lane, size_t axis)
{
  return lane_number(b, b->u, (size_t)b->model->axes, lane, axis);
}

/* ---- the long LuGre path ---- */
br_status br_lugre_path_f64(const double *par, double load, br_arith arith, size_t steps, double h,
                            const double *v, double *z, double *F)
{
  if (!par || !z || (steps > 0 && (!v || !F))) return BR_E_ARG;
  if (!(h > 0) || !(h - h == 0)) return BR_E_RANGE;
  isa()->path[arith == BR_FAST](par, load, steps, h, v, z, F);
  return BR_OK;
}
