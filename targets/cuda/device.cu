/* SPDX-License-Identifier: Apache-2.0
 * device.cu - libbristle_cuda.so (src/lanes/device.h): every model that has a lane on the CPU has one here,
 * from the same list. */
#define LANE_FIND bri_card_find
#include "kernels.cuh"

#include <stdint.h>
#include <stdio.h>

#include <atomic>
#include <new>

lane_kernel *bri_card_find_f32(const char *model, int special, int measures, int driven); /* device_f32.cu */

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
  lane_kernel *kernel = (w->single ? bri_card_find_f32 : bri_card_find)(w->model, w->special, w->measures, w->driven);
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
