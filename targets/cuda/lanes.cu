/* SPDX-License-Identifier: Apache-2.0
 * lanes.cu - lanes of ensembles on a GPU: the same headers as on the CPU (core/pair.inc, core/lane*.h), one
 * member per thread.  With -fmad=false results have the bits of the CPU; without it the compiler fuses
 * products and sums.
 *
 *   lanes BASE OUT MEMBERS     BASE: one lane as src/lanes fills it (targets/cuda/base.c writes it), which is
 *   run MEMBERS times
 *                              with pull speeds of 0.5 to 3.5 m/s and springs of 1 to 4 N/m; OUT: final
 *                              states of the first 1000 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>
#include "lanes.cuh"
#define BR_MODEL lugre
#include "core/pair.inc"
enum { CASE = 3, MEASURES = 0 }; /* delta = 1; the state at the end is all that is asked for */

/* What differs between the members, and what is asked of them. */
typedef struct {
  br_lane_real c0, k;
} member;
typedef struct {
  br_lane_real x[3], over, steps, tries;
} answer;

/* What all members share comes as an argument: constants that need no registers. */
__global__ void __launch_bounds__(LANES_PER_BLOCK, LANES_BLOCKS)
    run(const __grid_constant__ br_lane_block base, const member *in, answer *out, size_t n, unsigned long long *next)
{
  br_lane_block b = base;
  size_t m = n;
  bool on = true, waits = false;
  b.over[0] = 1;
  for (;;) {
    if (on && b.over[0] != 0) {
      if (m < n) {
        for (int l = 0; l < 3; l++) out[m].x[l] = b.y[l][0];
        out[m].over = b.over[0], out[m].steps = b.steps[0], out[m].tries = b.tries[0];
      }
      m = atomicAdd(next, 1ull);
      on = m < n;
      if (on) {
        b = base;
        b.c0[0] = in[m].c0;
        b.k[0] = in[m].k;
      }
    }
    if (!__any_sync(0xffffffffu, on)) return;
    if (on && !waits) {
      BRI_CARD_TRY(CASE, 0);
      waits = b.rare[0] > 0;
    }
    if (lanes_settle_now(waits, on) && waits) br_lane_settle(&b, 0, BR_PAIR_N, BR_PAIR_KIND, MEASURES), waits = false;
  }
}
#include "core/pair_end.inc"

#define TRY(call)                                                                             \
  do {                                                                                        \
    const cudaError_t why = (call);                                                           \
    if (why != cudaSuccess) {                                                                 \
      fprintf(stderr, "lanes: %s: %s\n", #call, cudaGetErrorString(why));                     \
      exit(1);                                                                                \
    }                                                                                         \
  } while (0)

/* The file has all rows in f64, those at the end by which tries are judged too, and behind them what stands
 * in every block. */
static int read_base(const char *path, br_lane_block *b)
{
  enum {
    MOTION = offsetof(br_lane_block, err) / sizeof(br_lane_real),
    ROUGH = (offsetof(br_lane_block, rare) - offsetof(br_lane_block, err)) / sizeof(br_lane_rough) + 1
  };
  double rows[MOTION + ROUGH], rules[3];
  int flags[2];
  FILE *f = fopen(path, "rb");
  if (!f) return 1;
  const int good = fread(rows, sizeof rows, 1, f) == 1 && fread(rules, sizeof rules, 1, f) == 1 &&
                   fread(flags, sizeof flags, 1, f) == 1;
  for (int k = 0; k < MOTION && good; k++) ((br_lane_real *)b)[k] = (br_lane_real)rows[k];
  br_lane_rough *judged = (br_lane_rough *)(void *)((char *)b + offsetof(br_lane_block, err)); /* rows, of which err is one */
  for (int k = 0; k < ROUGH && good; k++) judged[k] = (br_lane_rough)rows[MOTION + k];
  if (good) b->rtol = (br_lane_real)rules[0], b->most_tries = (br_lane_real)rules[1], b->watched = (br_lane_real)rules[2];
  if (good) b->fixed = flags[0], b->driven = flags[1];
  return fclose(f) || !good;
}

int main(int argc, char **argv)
{
  static br_lane_block base;
  if (argc != 4 && argc != 5) return fprintf(stderr, "usage: lanes BASE OUT MEMBERS [RTOL]\n"), 2;
  if (read_base(argv[1], &base)) return fprintf(stderr, "lanes: %s: not a lane of this build\n", argv[1]), 1;
  if (argc == 5) base.rtol = (br_lane_real)strtod(argv[4], NULL);
  const size_t n = strtoul(argv[3], NULL, 10), side = 1024;
  std::vector<member> in(n);
  std::vector<answer> out(n);
  for (size_t m = 0; m < n; m++) { /* a grid: neighbours are alike */
    in[m].c0 = (br_lane_real)(0.5 + 3.0 * (double)(m / side % side) / (double)side);
    in[m].k = (br_lane_real)(1 + 3.0 * (double)(m % side) / (double)side);
  }
  unsigned long long *d_next;
  int blocks, processors;
  member *d_in;
  answer *d_out;
  TRY(cudaMalloc(&d_next, sizeof *d_next));
  TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run, LANES_PER_BLOCK, 0));
  TRY(cudaMalloc(&d_in, n * sizeof *d_in));
  TRY(cudaMalloc(&d_out, n * sizeof *d_out));
  TRY(cudaMemcpy(d_in, in.data(), n * sizeof *d_in, cudaMemcpyHostToDevice));
  double best = 1e30;
  for (int k = 0; k < 3; k++) { /* the best of three */
    cudaEvent_t a, b;
    float ms;
    TRY(cudaEventCreate(&a));
    TRY(cudaEventCreate(&b));
    TRY(cudaEventRecord(a));
    TRY(cudaMemsetAsync(d_next, 0, sizeof *d_next));
    run<<<(unsigned)(blocks * processors), LANES_PER_BLOCK>>>(base, d_in, d_out, n, d_next);
    TRY(cudaGetLastError());
    TRY(cudaEventRecord(b));
    TRY(cudaEventSynchronize(b));
    TRY(cudaEventElapsedTime(&ms, a, b));
    if (ms * 1e-3 < best) best = ms * 1e-3;
  }
  TRY(cudaMemcpy(out.data(), d_out, n * sizeof *d_out, cudaMemcpyDeviceToHost));
  double tries = 0, failed = 0;
  for (size_t m = 0; m < n; m++) tries += out[m].tries, failed += out[m].over != 1;
  printf("%zu members in %.4f s: %.3g members/s, %.1f tries each, %g failed\n", n, best, (double)n / best,
         tries / (double)n, failed);
  FILE *f = fopen(argv[2], "wb");
  if (!f) return 1;
  for (size_t m = 0; m < 1000 && m < n; m++) { /* spread over the grid */
    const size_t at = m * (n / 1000);
    const double row[5] = {in[at].c0, in[at].k, out[at].x[0], out[at].x[1], out[at].x[2]};
    if (fwrite(row, sizeof row, 1, f) != 1) return 1;
  }
  return fclose(f) ? 1 : 0;
}
