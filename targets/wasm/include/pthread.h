/* SPDX-License-Identifier: Apache-2.0
 * pthread.h - a page has one thread: none can be started, locks are always free.  Who starts threads works
 * alone then. */
#ifndef BR_WASM_PTHREAD_H
#define BR_WASM_PTHREAD_H
#include <errno.h>
#include <stddef.h>

typedef struct {
  int none;
} br_wasm_lock;
typedef int br_wasm_thread;
#define pthread_t br_wasm_thread
#define pthread_mutex_t br_wasm_lock
#define pthread_cond_t br_wasm_lock
#undef PTHREAD_MUTEX_INITIALIZER
#define PTHREAD_MUTEX_INITIALIZER \
  {                               \
    0                             \
  }

#define pthread_create(thread, attr, run, ctx) ((void)(thread), (void)(run), (void)(ctx), EAGAIN)
#define pthread_join(thread, out) ((void)(thread), 0)
#define pthread_mutex_init(lock, attr) ((void)(lock), 0)
#define pthread_mutex_destroy(lock) ((void)(lock), 0)
#define pthread_mutex_lock(lock) ((void)(lock), 0)
#define pthread_mutex_unlock(lock) ((void)(lock), 0)
#define pthread_cond_init(cond, attr) ((void)(cond), 0)
#define pthread_cond_destroy(cond) ((void)(cond), 0)
#define pthread_cond_signal(cond) ((void)(cond), 0)
#define pthread_cond_wait(cond, lock) ((void)(cond), (void)(lock), 0)
#define pthread_sigmask(how, set, old) ((void)(set), (void)(old), 0)
#endif
