/* SPDX-License-Identifier: Apache-2.0
 * team.c - pieces of work on several threads. */
#include "team.h"

#include <pthread.h>
#include <unistd.h>

enum { MOST_THREADS = 64 };

typedef struct {
  const bri_team *team;
  size_t next, done, failed; /* failed: smallest piece with an error */
  br_status st;
  br_err why;
  pthread_mutex_t lock;
} shared;

static void *work(void *ctx)
{
  shared *s = (shared *)ctx;
  const bri_team *t = s->team;
  for (;;) {
    (void)pthread_mutex_lock(&s->lock);
    const size_t i = s->next;
    const int halt = s->st != BR_OK || i >= t->n;
    if (!halt) s->next++;
    (void)pthread_mutex_unlock(&s->lock);
    if (halt) return NULL;
    br_err why = {BR_OK, -1, ""};
    const br_status st = t->one(t->ctx, i, &why);
    (void)pthread_mutex_lock(&s->lock);
    s->done++;
    if (st && (!s->st || i < s->failed)) s->st = st, s->why = why, s->failed = i;
    if (!s->st && t->progress && t->progress(t->progress_ctx, (double)s->done / (double)t->n))
      s->st = BR_INTERRUPTED, s->why = (br_err){BR_INTERRUPTED, -1, "interrupted"}, s->failed = 0;
    (void)pthread_mutex_unlock(&s->lock);
  }
}

br_status bri_team_run(const bri_team *team, br_err *err)
{
  shared s = {team, 0, 0, 0, BR_OK, {BR_OK, -1, ""}, PTHREAD_MUTEX_INITIALIZER};
  pthread_t thread[MOST_THREADS];
  size_t started = 0;
  long want = team->threads > 0 ? team->threads : sysconf(_SC_NPROCESSORS_ONLN);
  if (want > MOST_THREADS) want = MOST_THREADS;
  if (want > 0 && (size_t)want > team->n) want = (long)team->n;
  /* this thread works too, and alone when no other can be started */
  while ((long)started + 1 < want && pthread_create(&thread[started], NULL, work, &s) == 0) started++;
  (void)work(&s);
  for (size_t i = 0; i < started; i++) (void)pthread_join(thread[i], NULL);
  (void)pthread_mutex_destroy(&s.lock);
  if (s.st && err) *err = s.why;
  return s.st;
}

static uint64_t mix(uint64_t z)
{
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

double bri_uniform(uint64_t *stream)
{
  *stream += UINT64_C(0x9e3779b97f4a7c15);
  return ((double)(mix(*stream) >> 11) + 0.5) * (1.0 / 9007199254740992.0);
}

uint64_t bri_stream(uint64_t seed, uint64_t i)
{
  return mix(mix(seed + UINT64_C(0x9e3779b97f4a7c15)) + i * UINT64_C(0xd1342543de82ef95));
}
