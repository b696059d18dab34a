/* SPDX-License-Identifier: Apache-2.0
 * analysis_run.c - 'sweep', the work: its plan, all blocks, what is told of them. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, sysconf */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analysis/job.h"
#include "answer.h"
#include "base/alloc.h"
#include "folder.h"
#include "text/stop.h"

enum { TOLD = 5 }; /* failed members whose reason is told */

/* ---- the plan: what the numbers depend on, and nothing else ---- */

static br_status add_file(void *ctx, bri_buf *to, const char *path, br_err *err)
{
  uint64_t sum = 0;
  unsigned char piece[4096];
  size_t n = 0;
  (void)ctx;
  FILE *f = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
  if (!f) return bri_fail(err, BR_E_IO, "cannot read '%.160s'", path);
  while ((n = fread(piece, 1, sizeof piece, f)) > 0)
    for (size_t i = 0; i < n; i++) sum = (sum ^ piece[i]) * UINT64_C(0x100000001b3) + 1;
  (void)fclose(f);
  bri_buf_printf(to, "contents %016llx\n", (unsigned long long)sum);
  return BR_OK;
}

static br_status make_plan(const br_job *job, bri_answer_sweep *b, br_err *err)
{
  static const char *const APART[] = {"out", "shard", "threads", "device", "engine", "block"};
  bri_buf key = {0};
  br_status st = bri_job_key(job, &key, add_file, NULL, err);
  for (const char *s = key.text; s && *s && !st;) {
    const size_t n = strcspn(s, "\n") + 1;
    int skip = 0;
    for (size_t i = 0; i < sizeof APART / sizeof APART[0]; i++) {
      char line[32];
      const int k = snprintf(line, sizeof line, "option %s ", APART[i]);
      skip |= strncmp(s, line, (size_t)k) == 0;
    }
    if (!skip) bri_buf_add(&b->plan, s, s[n - 1] ? n : n - 1);
    s += s[n - 1] ? n : n - 1;
  }
  bri_buf_printf(&b->plan, "engine %s\n", b->s.lanes ? "lanes" : "solver");
  if (!st && (key.failed || b->plan.failed)) st = bri_no_memory(err, "sweep");
  bri_buf_free(&key);
  return st;
}

/* ---- computing it ---- */

typedef struct {
  br_sink *out;
  pthread_mutex_t lock;
} telling;

static int tell(void *ctx, double part)
{
  telling *t = ctx;
  (void)pthread_mutex_lock(&t->lock);
  if (t->out->progress) t->out->progress(t->out->ctx, part);
  (void)pthread_mutex_unlock(&t->lock);
  return bri_stopped(&t->out->stop);
}

static double seconds(void)
{
  struct timespec t;
  return clock_gettime(CLOCK_MONOTONIC, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0;
}

/* Until every block is there: what others have taken is waited for, what the dead have left is taken. */
static br_status compute(bri_answer_sweep *b, br_err *err)
{
  const struct timespec moment = {0, 20000000};
  for (;;) {
    br_status st = bri_sweep_blocks(&b->s, b->j, &b->how, err);
    if (!st) st = bri_journal_fault(b->j, err);
    if (!st) st = bri_stop_status(&b->s.stop, "sweep", err);
    if (st || b->rank.rank || bri_journal_look(b->j) == b->how.count) return st;
    (void)nanosleep(&moment, NULL);
  }
}

static const char *hello(const bri_rank *r, size_t rank, size_t size, char *buf)
{
  (void)snprintf(buf, size, "hello-%s-%zu", r->job, rank);
  return buf;
}

/* Others that have not come yet must find the folder, or they would begin anew. */
static void wait_for_others(const bri_answer_sweep *b)
{
  const struct timespec moment = {0, 10000000};
  char name[BRI_RANK_JOB + 32];
  for (size_t r = 1, k = 0; r < b->rank.size && k < 3000;) {
    if (bri_folder_heard(bri_journal_folder(b->j), hello(&b->rank, r, sizeof name, name))) r++;
    else (void)nanosleep(&moment, NULL), k++;
  }
}

static br_status open_journal(bri_answer_sweep *b, br_err *err)
{
  char name[BRI_RANK_JOB + 32];
  bri_buf plan = {0};
  bri_buf_printf(&plan, "%sblock %llu of %zu numbers, %llu to %llu\n", b->plan.text,
                 (unsigned long long)b->how.block, b->s.width, (unsigned long long)b->how.first,
                 (unsigned long long)(b->how.first + b->how.count));
  const bri_journal_plan what = {
      b->out,     plan.text,    b->how.first,     b->how.count, (size_t)b->how.block,
      b->s.width, b->rank.size, b->rank.rank == 0};
  br_status st = plan.failed ? bri_no_memory(err, "sweep") : bri_journal_open(&what, &b->j, err);
  if (!st && b->rank.size > 1)
    bri_folder_hello(bri_journal_folder(b->j), hello(&b->rank, b->rank.rank, sizeof name, name));
  bri_buf_free(&plan);
  return st;
}

static br_status put_failures(const bri_answer_sweep *b, br_sink *out, br_err *err)
{
  double *rows = bri_malloc_array((size_t)b->how.block + 1, b->s.width * sizeof *rows);
  br_status st = rows ? BR_OK : bri_no_memory(err, "sweep");
  size_t told = 0;
  for (uint64_t k = 0; k < b->how.count && told < TOLD && !st; k++) {
    uint64_t first = 0;
    size_t n = 0;
    st = bri_sweep_get(b, b->how.first + k, &first, &n, rows, err);
    for (size_t i = 0; i < n && told < TOLD && !st; i++) {
      const int end = (int)rows[i * b->s.width + b->s.width - 1];
      if (end == BRI_MEMBER_OK) continue;
      br_err said = {BR_OK, -1, ""};
      st = bri_member_run(&b->s, first + i, rows + b->how.block * b->s.width, &said,
                          err); /* for its message */
      if (st) break;
      br_put_number(out, "1", (double)(first + i), "failures.%zu.member", told);
      br_put_text(out, bri_member_end[end], "failures.%zu.status", told);
      br_put_text(out, said.msg, "failures.%zu.why", told++);
    }
  }
  bri_free(rows);
  return st;
}

static br_status put_values(const bri_answer_sweep *b, br_sink *out, double took, uint64_t before,
                            br_err *err)
{
  const uint64_t now = b->how.count > before ? b->how.count - before : 0;
  const br_value threads = {BR_VALUE_TIME, (double)b->how.threads};
  br_put_number(out, "1", (double)b->s.design.members, "members");
  br_put_number(out, "1", (double)b->count, "done");
  for (int i = 0; i < BRI_MEMBER_ENDS; i++)
    if (i == BRI_MEMBER_OK || b->ends[i] > 0)
      br_put_number(out, "1", b->ends[i], "by_status.%s", bri_member_end[i]);
  const br_status st = b->ends[BRI_MEMBER_OK] < (double)b->count ? put_failures(b, out, err) : BR_OK;
  br_put_text(out, bri_sweep_engine(&b->s), "engine");
  br_put_text(out, b->s.device, "device");
  br_put_text(out, b->s.single ? "f32" : "f64", "precision");
  br_put_value(out, &threads, "threads");
  br_put(out, BR_VALUE_TIME, took, "seconds");
  br_put(out, BR_VALUE_TIME, took > 0 ? (double)now * (double)b->count / (double)b->how.count / took : 0,
         "rate");
  br_put_text(out, b->out, "out");
  return st;
}

static void note_kept(const bri_answer_sweep *b, br_sink *out)
{
  char text[240];
  const double done = (double)bri_journal_done(b->j) / (double)b->how.count;
  if (!bri_journal_folder(b->j)) return;
  (void)snprintf(
      text, sizeof text,
      "%.0f of %.0f members are finished and kept in '%.120s'; the same command goes on from there",
      floor(done * (double)b->count), (double)b->count, bri_journal_folder(b->j));
  br_sink_note(out, text);
}

static void note_damaged(const bri_answer_sweep *b, br_sink *out)
{
  char text[240];
  const uint64_t n = bri_journal_damaged(b->j);
  if (n == 0) return;
  (void)snprintf(text, sizeof text, "%llu block%s in '%.120s' %s damaged and computed again",
                 (unsigned long long)n, n > 1 ? "s" : "", bri_journal_folder(b->j), n > 1 ? "were" : "was");
  br_sink_note(out, text);
}

static br_status answer(bri_answer_sweep *b, br_sink *out, br_err *err)
{
  telling t = {out, PTHREAD_MUTEX_INITIALIZER};
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  const double start = seconds();
  b->s.stop = out->stop;
  b->how.threads = br_job_given(b->s.job, "threads") ? br_job_count(b->s.job, "threads")
                   : processors > 0                  ? (size_t)processors
                                                     : 1;
  if (b->how.threads > b->how.count) b->how.threads = (size_t)b->how.count;
  b->how.ctx = &t, b->how.progress = tell;
  br_sink_amount(out, (double)b->count, "members", b->s.gpu ? 2e-6 : b->s.lanes ? 1e-4 : 5e-3);
  if (b->s.word[0] && b->rank.rank == 0) br_sink_note(out, b->s.word);
  br_status st = open_journal(b, err);
  if (st) return st;
  const uint64_t before = bri_journal_done(b->j);
  st = compute(b, err);
  if (st == BR_INTERRUPTED || st == BR_E_IO) note_kept(b, out);
  if (b->rank.rank) {
    br_put_flag(out, 1, "helps"); /* the first process tells the rest */
    return st;
  }
  const double took = seconds() - start;
  if (!st) st = bri_sweep_columns(b, err);
  if (!st) st = bri_sweep_table(b, out, err);
  if (!st) note_damaged(b, out);
  if (!st && b->shards == 1) st = bri_sweep_show(b, out, err);
  if (!st) st = put_values(b, out, took, before, err);
  if (!st && b->rank.size > 1) wait_for_others(b);
  (void)pthread_mutex_destroy(&t.lock);
  return st;
}

br_status bri_sweep_answer(const br_job *job, br_sink *out, br_err *err)
{
  bri_answer_sweep *b = bri_calloc(1, sizeof *b);
  if (!b) return bri_no_memory(err, "sweep");
  br_status st = bri_sweep_set_up(job, b, err);
  if (!st) st = make_plan(job, b, err);
  if (!st) st = answer(b, out, err);
  bri_journal_close(b->j, !st && b->rank.rank == 0);
  bri_sweep_release(b);
  bri_free(b);
  return st;
}
