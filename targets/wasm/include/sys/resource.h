/* SPDX-License-Identifier: Apache-2.0
 * resource.h - limits of processes, which a page does not have. */
#ifndef BR_WASM_RESOURCE_H
#define BR_WASM_RESOURCE_H
#include_next <sys/resource.h>
typedef unsigned long long rlim_t;
struct rlimit {
  rlim_t rlim_cur, rlim_max;
};
enum { RLIMIT_CPU, RLIMIT_CORE, RLIMIT_AS };
#define RLIM_INFINITY (~0ull)
#define getrlimit(which, out) ((void)(which), (void)(out), -1)
#define setrlimit(which, in) ((void)(which), (void)(in), -1)
#endif
