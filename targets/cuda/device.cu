/* SPDX-License-Identifier: Apache-2.0
 * device.cu - libbristle_cuda.so (src/lanes/device.h): every model that has a lane on the CPU has one here, from the same list. */
#include "src/lanes/device.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <atomic>
#include <new>
#include <utility>

#include "lanes.cuh"

enum { LANE_ELEMENTS = 64 }; /* at most */
typedef struct {
  double base[LANE_ROWS + LANE_ELEMENTS];
  short place[LANE_ROWS + LANE_ELEMENTS];
  const double *in, *spring, *limit;
  double *out, *ends, *store; /* store: [count][threads] */
  size_t count, threads;
  size_t members;
  double rtol, most_tries, watched;
  int fixed, driven;
} lane_work;
typedef void lane_kernel(const lane_work w, unsigned long long *next);

/* Member m into a lane: indices are constants, so that it lives in registers. */
template <size_t... ROW>
static __device__ __forceinline__ void lane_get(br_lane_block &b, const lane_work &w, size_t m,
                                                std::index_sequence<ROW...>)
{
  double *row = (double *)&b;
  ((row[ROW] = w.place[ROW] < 0 ? w.base[ROW] : w.in[(size_t)w.place[ROW] * w.members + m]), ...);
  b.rtol = w.rtol, b.most_tries = w.most_tries, b.watched = w.watched, b.fixed = w.fixed, b.driven = w.driven;
  b.count = (int)w.count, b.spring = w.spring, b.limit = w.limit, b.stride = w.threads;
  b.store = w.store + (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  for (size_t e = 0; e < w.count; e++) {
    const short at = w.place[LANE_ROWS + e];
    b.store[e * w.threads] = at < 0 ? w.base[LANE_ROWS + e] : w.in[(size_t)at * w.members + m];
  }
}

static __device__ __forceinline__ void lane_put(const br_lane_block &b, const lane_work &w, size_t m)
{
  double *out = w.out + m;
  const size_t n = w.members;
  out[BRI_CARD_OVER * n] = b.over[0];
  out[BRI_CARD_T * n] = b.t[0];
  out[BRI_CARD_REVERSALS * n] = b.reversals[0];
  out[BRI_CARD_STICKS * n] = b.sticks[0];
  out[BRI_CARD_RESTED * n] = b.rested[0];
  out[BRI_CARD_STEPS * n] = b.steps[0];
  out[BRI_CARD_TRIES * n] = b.tries[0];
  out[BRI_CARD_RETURNS * n] = b.returns[0];
  out[BRI_CARD_FIRST * n] = b.first[0];
  out[BRI_CARD_LAST * n] = b.last[0];
  out[BRI_CARD_NEAREST * n] = b.nearest[0];
  out[BRI_CARD_FARTHEST * n] = b.farthest[0];
#pragma unroll
  for (int l = 0; l < BR_LANE_STATES; l++) {
    out[(BRI_CARD_Y + l) * n] = b.y[l][0];
    out[(BRI_CARD_LO + l) * n] = b.lo[l][0];
    out[(BRI_CARD_HI + l) * n] = b.hi[l][0];
  }
  for (size_t e = 0; e < w.count; e++) w.ends[e * n + m] = br_lane_element(&b, 0, (int)e, b.y[2][0]);
}

#define BR_VISIT "targets/cuda/stamp.cuh"
#include "src/lanes/stamped.def"
#undef BR_VISIT

#define LANE_TEXT_(x) #x
#define LANE_TEXT(x) LANE_TEXT_(x)
static lane_kernel *find(const char *model, int special, int measures, int driven)
{
#define BR_VISIT "targets/cuda/find.cuh"
#include "src/lanes/stamped.def"
#undef BR_VISIT
  return NULL;
}

static int fail(size_t size, char *why, const char *doing, cudaError_t e)
{
  (void)snprintf(why, size, "%s: %s", doing, cudaGetErrorString(e));
  return 1;
}

static int count(size_t size, char *why)
{
  int n = 0;
  const cudaError_t e = cudaGetDeviceCount(&n);
  if (e != cudaSuccess) (void)fail(size, why, "the driver", e);
  else if (n == 0) (void)snprintf(why, size, "the driver knows no card");
  return e == cudaSuccess ? n : 0;
}

static void name(int card, size_t size, char *buf)
{
  cudaDeviceProp p;
  if (cudaGetDeviceProperties(&p, card) != cudaSuccess) (void)snprintf(buf, size, "gpu %d", card);
  else (void)snprintf(buf, size, "%s", p.name);
}

/* Memory and stream of one call. */
typedef struct {
  cudaStream_t stream;
  double *in, *out, *elements, *ends, *store;
  unsigned long long *next;
} call;

static cudaError_t prepare(call *c, const bri_card_work *w, size_t threads)
{
  const size_t n = w->members * sizeof(double);
  cudaError_t e = cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking);
  if (e == cudaSuccess) e = cudaMallocAsync((void **)&c->in, w->n_in * n + 8, c->stream);
  if (e == cudaSuccess) e = cudaMallocAsync((void **)&c->out, BRI_CARD_ROWS * n, c->stream);
  if (e == cudaSuccess) e = cudaMallocAsync((void **)&c->next, sizeof *c->next, c->stream);
  if (e == cudaSuccess) e = cudaMemsetAsync(c->next, 0, sizeof *c->next, c->stream);
  if (e == cudaSuccess && w->n_in) e = cudaMemcpyAsync(c->in, w->in, w->n_in * n, cudaMemcpyHostToDevice, c->stream);
  if (w->count == 0 || e != cudaSuccess) return e;
  const size_t each = w->count * sizeof(double);
  e = cudaMallocAsync((void **)&c->elements, 2 * each, c->stream);
  if (e == cudaSuccess) e = cudaMallocAsync((void **)&c->ends, w->count * n, c->stream);
  if (e == cudaSuccess) e = cudaMallocAsync((void **)&c->store, each * threads, c->stream);
  if (e == cudaSuccess) e = cudaMemcpyAsync(c->elements, w->spring, each, cudaMemcpyHostToDevice, c->stream);
  if (e == cudaSuccess) e = cudaMemcpyAsync(c->elements + w->count, w->limit, each, cudaMemcpyHostToDevice, c->stream);
  return e;
}

static cudaError_t give_back(call *c)
{
  cudaError_t e = cudaSuccess;
  if (c->in) e = cudaFreeAsync(c->in, c->stream);
  if (c->out) e = cudaFreeAsync(c->out, c->stream);
  if (c->elements) e = cudaFreeAsync(c->elements, c->stream);
  if (c->ends) e = cudaFreeAsync(c->ends, c->stream);
  if (c->store) e = cudaFreeAsync(c->store, c->stream);
  if (c->next) e = cudaFreeAsync(c->next, c->stream);
  if (c->stream) e = cudaStreamSynchronize(c->stream), (void)cudaStreamDestroy(c->stream);
  return e;
}

static int run(const bri_card_work *w, size_t size, char *why)
{
  static std::atomic<unsigned> turn(0);
  int cards = 0;
  lane_kernel *kernel = find(w->model, w->special, w->measures, w->driven);
  static_assert(sizeof(lane_work) <= 4096, "arguments of a kernel");
  lane_work *work = new (std::nothrow) lane_work;
  call c = {};
  int blocks = 0, processors = 0;
  size_t grid = 0;
  if (!kernel || !work || w->count > LANE_ELEMENTS) {
    delete work;
    (void)snprintf(why, size, "%s", kernel ? "out of memory" : "the card has no lane for this model");
    return 1;
  }
  cudaError_t e = cudaGetDeviceCount(&cards);
  const int card = cards > 0 ? (int)(turn++ % (unsigned)cards) : 0;
  if (e == cudaSuccess) e = cudaSetDevice(card);
  if (e == cudaSuccess) e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, LANES_PER_BLOCK, 0);
  if (e == cudaSuccess) e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, card);
  if (e == cudaSuccess) {
    const size_t fit = (size_t)blocks * (size_t)processors, need = (w->members + LANES_PER_BLOCK - 1) / LANES_PER_BLOCK;
    grid = need < fit ? need : fit;
    e = prepare(&c, w, grid * LANES_PER_BLOCK);
  }
  if (e == cudaSuccess) {
    memcpy(work->base, w->base, (LANE_ROWS + w->count) * sizeof *work->base);
    memcpy(work->place, w->place, (LANE_ROWS + w->count) * sizeof *work->place);
    work->count = w->count, work->threads = grid * LANES_PER_BLOCK;
    work->spring = c.elements, work->limit = c.elements + w->count, work->store = c.store, work->ends = c.ends;
    work->in = c.in, work->out = c.out, work->members = w->members;
    work->rtol = w->rtol, work->most_tries = w->most_tries, work->watched = w->watched;
    work->fixed = w->fixed, work->driven = w->driven;
    kernel<<<(unsigned)grid, LANES_PER_BLOCK, 0, c.stream>>>(*work, c.next);
    e = cudaGetLastError();
  }
  if (e == cudaSuccess)
    e = cudaMemcpyAsync(w->out, c.out, BRI_CARD_ROWS * w->members * sizeof(double), cudaMemcpyDeviceToHost, c.stream);
  if (e == cudaSuccess && w->count)
    e = cudaMemcpyAsync(w->ends, c.ends, w->count * w->members * sizeof(double), cudaMemcpyDeviceToHost, c.stream);
  const cudaError_t last = give_back(&c);
  delete work;
  e = e == cudaSuccess ? last : e;
  return e == cudaSuccess ? 0 : fail(size, why, "the card", e);
}

extern "C" __attribute__((visibility("default"))) const bri_card *bri_card_open(void)
{
  static const bri_card card = {BRI_CARD_VERSION, LANE_ROWS, count, name, run};
  return &card;
}
