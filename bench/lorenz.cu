/* SPDX-License-Identifier: Apache-2.0
 * lorenz.cu - the ensemble by which solvers on GPUs are usually measured: Lorenz' equations (sigma 10, beta
 * 8/3, rho from 0 to 21 over the members), from (1, 0, 0), 1000 steps of the classical Runge-Kutta rule of
 * 0.001 s.  One member per thread, f64 and f32.
 *
 *   lorenz [MEMBERS] [REPEATS]     default 1048576 and 5: rate of the fastest repeat, state of 1000 members
 *   against the same rule on the CPU
 *
 * Built by targets/cuda/build.sh.  Nothing of it is part of the library: no friction, a yardstick of the card
 * and of fixed steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

enum { STEPS = 1000, THREADS = 128 };

template <typename T> struct state {
  T x, y, z;
};

template <typename T> static __host__ __device__ __forceinline__ state<T> rate(const state<T> &s, T rho)
{
  const T beta = (T)8 / (T)3;
  return {(T)10 * (s.y - s.x), s.x * (rho - s.z) - s.y, s.x * s.y - beta * s.z};
}

template <typename T>
static __host__ __device__ __forceinline__ state<T> along(const state<T> &s, T h, const state<T> &k)
{
  return {s.x + h * k.x, s.y + h * k.y, s.z + h * k.z};
}

template <typename T> static __host__ __device__ __forceinline__ state<T> walk(T rho)
{
  const T h = (T)1e-3;
  state<T> s = {1, 0, 0};
#pragma unroll 4
  for (int i = 0; i < STEPS; i++) {
    const state<T> k1 = rate(s, rho), k2 = rate(along(s, h / 2, k1), rho), k3 = rate(along(s, h / 2, k2), rho),
                   k4 = rate(along(s, h, k3), rho);
    s = along(along(along(along(s, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
  }
  return s;
}

template <typename T> static __host__ __device__ __forceinline__ T rho_of(size_t m, size_t n)
{
  return (T)(21.0 * (double)m / (double)n);
}

template <typename T> static __global__ void __launch_bounds__(THREADS) run(state<T> *out, size_t n)
{
  const size_t m = (size_t)blockIdx.x * THREADS + threadIdx.x;
  if (m < n) out[m] = walk(rho_of<T>(m, n));
}

#define TRY(call)                                                                 \
  do {                                                                            \
    const cudaError_t why = (call);                                               \
    if (why != cudaSuccess) {                                                     \
      fprintf(stderr, "lorenz: %s: %s\n", #call, cudaGetErrorString(why));        \
      exit(1);                                                                    \
    }                                                                             \
  } while (0)

template <typename T> static int measure(const char *name, size_t n, int repeats, double want)
{
  state<T> *d;
  std::vector<state<T>> got(n);
  double best = 1e30, off = 0;
  cudaEvent_t a, b;
  TRY(cudaMalloc(&d, n * sizeof *d));
  TRY(cudaMemset(d, 0xff, n * sizeof *d)); /* NaN where nothing is written */
  TRY(cudaEventCreate(&a));
  TRY(cudaEventCreate(&b));
  for (int k = 0; k <= repeats; k++) { /* the first one warms up */
    float ms = 0;
    TRY(cudaEventRecord(a));
    run<T><<<(unsigned)((n + THREADS - 1) / THREADS), THREADS>>>(d, n);
    TRY(cudaGetLastError());
    TRY(cudaEventRecord(b));
    TRY(cudaEventSynchronize(b));
    TRY(cudaEventElapsedTime(&ms, a, b));
    if (k > 0 && ms * 1e-3 < best) best = ms * 1e-3;
  }
  TRY(cudaMemcpy(got.data(), d, n * sizeof *d, cudaMemcpyDeviceToHost));
  TRY(cudaFree(d));
  const size_t apart = n > 1000 ? n / 1000 : 1;
  for (size_t m = 0; m < n; m += apart) {
    const state<double> s = walk((double)rho_of<T>(m, n));
    const double e = fmax(fmax(fabs((double)got[m].x - s.x), fabs((double)got[m].y - s.y)), fabs((double)got[m].z - s.z));
    if (!(e <= off)) off = e;
  }
  const double rate_now = (double)n / best;
  printf("lorenz %s: %zu members, %d steps each: %.3g members/s (want %.2g): %s; off the CPU's f64 by at most %.1e\n", name, n,
         STEPS, rate_now, want, rate_now >= want ? "pass" : "FAIL", off);
  return rate_now >= want && off < (sizeof(T) == 8 ? 1e-9 : 1e-2) ? 0 : 1;
}

int main(int argc, char **argv)
{
  const size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1u << 20;
  const int repeats = argc > 2 ? atoi(argv[2]) : 5;
  if (n == 0 || repeats < 1) return fprintf(stderr, "usage: lorenz [MEMBERS] [REPEATS]\n"), 2;
  const int f64 = measure<double>("f64", n, repeats, 2.6e8), f32 = measure<float>("f32", n, repeats, 4.6e8);
  return f64 | f32;
}
