/* SPDX-License-Identifier: Apache-2.0
 * analysis.c - analysis 'sweep': a mechanism with friction for many values of its numbers. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, sysconf */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analysis/job.h"
#include "analysis/rows.h"
#include "answer.h"
#include "base/alloc.h"
#include "text/stop.h"

enum { TOLD = 5 };                           /* failed members whose reason is told */
static const double MOST_IN_MEMORY = 12.5e6; /* numbers, 100 MB */

static const br_option OPTIONS[] = {
    {.name = "grid",
     .kind = BR_OPTION_PAIRS,
     .arg = "NAME=A:B:N,...",
     .doc = "N values from A to B, ':log' behind it for equal ratios; several: every combination"},
    {.name = "list", .kind = BR_OPTION_PAIRS, .arg = "NAME=V,V,...", .doc = "these values"},
    {.name = "random",
     .kind = BR_OPTION_PAIRS,
     .arg = "NAME=LAW,...",
     .needs = "members",
     .why = "draws as many members as are wanted",
     .doc = "drawn: uniform:A:B, normal:MEAN:DEVIATION, lognormal:MEDIAN:DEVIATION of the logarithm"},
    {.name = "file",
     .kind = BR_OPTION_TEXT,
     .arg = "TABLE",
     .doc = "a table with one column for each swept number, one member a row"},
    {.name = "members",
     .kind = BR_OPTION_COUNT,
     .arg = "N",
     .unit = "1",
     .lo = 1,
     .hi = 1e15,
     .needs = "random",
     .why = "is for what is drawn",
     .doc = "draws; with grids, lists or a file at every point of them"},
    {.name = "seed",
     .kind = BR_OPTION_COUNT,
     .arg = "N",
     .unit = "1",
     .def = "1",
     .lo = 0,
     .hi = 9007199254740992.0,
     .doc = "of the draws; default 1"},
    {.name = "design",
     .kind = BR_OPTION_CHOICE,
     .arg = "random|latin|sobol",
     .def = "random",
     .choices = "random|latin|sobol",
     .doc = "how draws are spread: independent (default), Latin hypercube, Sobol points"},
    {.name = "measure",
     .kind = BR_OPTION_TEXT,
     .arg = "NAME,...",
     .doc = "what is kept of a member: words below, paths of simulate (final.v), formulas "
            "amp=(v_max-v_min)/2; default v_max,period,stick_fraction"},
    {.name = "t-end",
     .kind = BR_OPTION_NUMBER,
     .arg = "T",
     .unit = "s",
     .def = "100",
     .lo = 0,
     .hi = -1,
     .lo_open = 1,
     .doc = "end time; default 100 s"},
    {.name = "transient",
     .kind = BR_OPTION_NUMBER,
     .arg = "T",
     .unit = "s",
     .lo = 0,
     .hi = -1,
     .doc = "time before which nothing is measured; default half of it all"},
    {.name = "threshold",
     .kind = BR_OPTION_NUMBER,
     .arg = "V",
     .unit = "m/s",
     .lo = 0,
     .hi = -1,
     .lo_open = 1,
     .doc = "speed below which it sticks; default 0.01 vp, without vp vs/10"},
    {.name = "points",
     .kind = BR_OPTION_COUNT,
     .arg = "N",
     .unit = "1",
     .lo = 1,
     .hi = 1e5,
     .doc = "keep the last N states on the section: a row each, a bifurcation diagram"},
    {.name = "strobe",
     .kind = BR_OPTION_NUMBER,
     .arg = "T",
     .unit = "s",
     .lo = 0,
     .hi = -1,
     .lo_open = 1,
     .needs = "points",
     .why = "is where the points are taken",
     .doc = "points at multiples of T, a period of the drive; default where v rises through vp, or the "
            "threshold"},
    {.name = "rtol",
     .kind = BR_OPTION_NUMBER,
     .arg = "X",
     .unit = "1",
     .def = "1e-6",
     .lo = 0,
     .hi = -1,
     .lo_open = 1,
     .doc = "relative tolerance; default 1e-6"},
    {.name = "atol",
     .kind = BR_OPTION_NUMBER,
     .arg = "X",
     .unit = "1",
     .def = "1e-20",
     .lo = 0,
     .hi = -1,
     .doc = "absolute tolerance of every state, in its unit; default 1e-20"},
    {.name = "device",
     .kind = BR_OPTION_CHOICE,
     .arg = "auto|cpu|gpu",
     .def = "auto",
     .choices = "auto|cpu|gpu",
     .doc = "where it is computed; default auto"},
    {.name = "threads",
     .kind = BR_OPTION_COUNT,
     .arg = "N",
     .unit = "1",
     .lo = 1,
     .hi = 64,
     .doc = "default one per processor; the numbers do not depend on it"},
    {.name = "out",
     .kind = BR_OPTION_TEXT,
     .arg = "FILE.h5|csv",
     .doc = "all rows; what is finished is kept in FILE.journal until it is complete, so that the same "
            "command goes on where it was broken off"},
    {.name = "shard",
     .kind = BR_OPTION_TEXT,
     .arg = "I/N",
     .needs = "out",
     .why = "makes a part of a file",
     .doc = "only part I of N, for job arrays; 'bristle merge' joins them"},
    {.name = "block",
     .kind = BR_OPTION_COUNT,
     .arg = "N",
     .unit = "1",
     .lo = 1,
     .hi = 1e6,
     .doc = "members that are finished together; default by their number"},
    BRI_ROW_DECIMAL,
};

static const br_result_row RESULTS[] = {
    {"members", "1", "of the whole ensemble", BR_RESULT_VALUE},
    {"done", "1", "computed, here or before: all, or those of the shard", BR_RESULT_VALUE},
    {"by_status.*", "1",
     "of these, how many ended so: ok, range (values that are refused), converge, nan, unsupported",
     BR_RESULT_VALUE},
    {"failures.*.member", "1", "the first that did not end well", BR_RESULT_VALUE},
    {"failures.*.status", "", "how it ended", BR_RESULT_VALUE},
    {"failures.*.why", "", "what the solver said", BR_RESULT_VALUE},
    {"engine", "", "solver: the ordinary one; lanes, gpu", BR_RESULT_VALUE},
    {"device", "", "cpu or the name of the card", BR_RESULT_VALUE},
    {"threads", "1", "of this process (not in studies)", BR_RESULT_VALUE},
    {"seconds", "s", "it took (not in studies)", BR_RESULT_VALUE},
    {"rate", "1/s", "members per second, of those computed now (not in studies)", BR_RESULT_VALUE},
    {"out", "", "the file", BR_RESULT_VALUE},
    {"sweep", "", "member, swept numbers, measures, status; with points a row for each", BR_RESULT_TABLE},
    {"map*", "", "a measure over two grids", BR_RESULT_USUAL},
    {"kinds*", "", "the regime over two grids", BR_RESULT_USUAL},
    {"line*", "", "a measure over one grid", BR_RESULT_USUAL},
    {"fan*", "", "quantiles of a measure over one grid", BR_RESULT_USUAL},
    {"histogram*", "", "how often a measure has which value", BR_RESULT_USUAL},
    {"points", "", "states on the section over the first swept number", BR_RESULT_USUAL},
};

#define BLOCK \
  "--system pulled_block --model lugre --set m=1,k=2,sigma0=2900,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1"
static const br_example EXAMPLES[] = {
    {"bristle sweep " BLOCK ",sigma1=107 --grid vp=0.5:4:8 --t-end 20 --json",
     "where a pulled block sticks and slips"},
    {"bristle sweep " BLOCK " --grid sigma1=50:150:4,vp=1:3:4 --t-end 10 --measure v_max,regime --csv -",
     "every combination of two grids, as a table on standard output"},
    {"bristle sweep " BLOCK
     ",vp=2 --random sigma1=normal:107:10 --design latin --members 20 --t-end 10 --measure "
     "'v_max,v_min,swing=v_max-v_min'",
     "Monte Carlo: a drawn parameter, and a formula of measures"},
    {NULL, NULL},
};
#undef BLOCK

/* ---- the question ---- */

static br_status prepare(br_job *job, br_err *err)
{
  bri_design d;
  br_status st = bri_design_read(job, &d, err);
  if (st) return st;
  bri_sweep_sort(job, &d);
  st = bri_sweep_stand_in(job, &d, err);
  bri_design_free(&d);
  return st;
}

/* Units of the swept numbers, now that there are tables. */
static br_status check_units(bri_sweep *s, br_err *err)
{
  const br_plant *plant = br_job_plant(s->job);
  for (size_t k = 0; k < s->design.naxis; k++) {
    bri_axis *a = &s->design.axis[k];
    br_unit wanted;
    const br_param *row = a->of == BRI_SWEPT_SET ? br_params_row(br_job_params(s->job), a->target) : NULL;
    const int state = a->of == BRI_SWEPT_INIT ? br_plant_index(plant, a->target) : -1;
    const char *unit = row ? row->unit : state >= 0 ? br_plant_unit(plant, (size_t)state) : NULL;
    if (!unit) continue;
    a->unit = unit;
    if (a->has_unit && !br_unit_parse(unit, strlen(unit), &wanted, NULL) &&
        !br_unit_fits(&wanted, &a->written, (br_job_system(s->job)->flags & BR_SYSTEM_ROTARY) != 0))
      return bri_text_fail(err, BR_E_PARSE, -1, "'%s' is swept in other units than %s", a->name, unit);
  }
  return BR_OK;
}

static br_status read_shard(const br_job *job, bri_answer_sweep *b, br_err *err)
{
  const char *text = br_job_text(job, "shard");
  unsigned long long i = 0, n = 0;
  int used = 0;
  b->shards = 1;
  if (!text) return BR_OK;
  if (strspn(text, "0123456789/") != strlen(text) || strlen(text) > 30 ||
      sscanf(text, "%llu/%llu%n", &i, &n, &used) != 2 || text[used] || i < 1 || i > n || n > 10000000)
    return bri_text_fail(err, BR_E_PARSE, -1, "%sshard %.40s: expected I/N, part I = 1..N of N",
                         br_job_dash(job), text);
  b->shard = i - 1, b->shards = n;
  return BR_OK;
}

/* Members that are finished together: few enough that little is lost, so many that there are not millions of blocks. */
static uint64_t block_of(const br_job *job, uint64_t members)
{
  uint64_t n = members / 256, most = members >> 20;
  if (br_job_given(job, "block")) return (uint64_t)br_job_number(job, "block");
  most = most > 64 ? most : 64;
  return n < 1 ? 1 : n > most ? most : n;
}

static void release(bri_answer_sweep *b)
{
  bri_measures_free(&b->s);
  bri_design_free(&b->s.design);
  bri_free(b->columns);
  bri_free(b->names);
  bri_buf_free(&b->plan);
}

static br_status check_times(const bri_sweep *s, br_err *err)
{
  if (!(s->t_from < s->t_end))
    return bri_text_fail(err, BR_E_RANGE, -1, "%stransient = %.9g s must end before %st-end = %.9g s",
                         br_job_dash(s->job), s->t_from, br_job_dash(s->job), s->t_end);
  if (s->points && s->v < 0 && !s->driven && !(s->strobe > 0))
    return bri_text_fail(err, BR_E_ARG, -1, "%spoints: no contact velocity is a state of %s: give %sstrobe T",
                         br_job_dash(s->job), br_job_system(s->job)->name, br_job_dash(s->job));
  return BR_OK;
}

static br_status set_up(const br_job *job, bri_answer_sweep *b, br_err *err)
{
  bri_sweep *s = &b->s;
  memset(b, 0, sizeof *b);
  s->job = job;
  br_status st = bri_design_read(job, &s->design, err);
  if (st) return st;
  bri_sweep_sort(job, &s->design);
  s->nstate = br_plant_nstate(br_job_plant(job));
  s->nforce = br_plant_ncontact(br_job_plant(job));
  s->v = br_plant_velocity(br_job_plant(job), 0);
  s->t_end = br_job_number(job, "t-end");
  s->t_from = br_job_given(job, "transient") ? br_job_number(job, "transient") : s->t_end / 2;
  s->rtol = br_job_number(job, "rtol");
  s->atol = br_job_number(job, "atol");
  s->points = br_job_count(job, "points");
  s->strobe = br_job_number(job, "strobe");
  for (size_t k = 0; k < br_job_inputs(job); k++)
    s->driven |= br_job_input(job, k) && br_signal_period(br_job_input(job, k)) > 0;
  st = check_units(s, err);
  if (!st) st = bri_measures_read(s, err);
  if (!st) st = check_times(s, err);
  if (!st) st = read_shard(job, b, err);
  s->width = s->nmeasure + s->points * (1 + s->nstate) + 1;
  b->out = br_job_text(job, "out");
  b->how.block = block_of(job, s->design.members);
  const uint64_t blocks = (s->design.members + b->how.block - 1) / b->how.block;
  b->how.first = (uint64_t)((double)blocks * (double)b->shard / (double)b->shards);
  b->how.count = (uint64_t)((double)blocks * (double)(b->shard + 1) / (double)b->shards) - b->how.first;
  b->first = b->how.first * b->how.block;
  const uint64_t end = (b->how.first + b->how.count) * b->how.block;
  b->count = (end < s->design.members ? end : s->design.members) - b->first;
  b->rank = bri_rank_here();
  return st;
}

static br_status check(const br_job *job, br_err *err)
{
  bri_answer_sweep *b = bri_calloc(1, sizeof *b);
  if (!b) return bri_text_fail(err, BR_E_NOMEM, -1, "sweep: out of memory");
  br_status st = set_up(job, b, err);
  const char *out = st ? NULL : b->out, *dash = br_job_dash(job);
  if (out) st = bri_output_check(out, err);
  if (!st && !out && (double)b->count * (double)b->s.width > MOST_IN_MEMORY)
    st = bri_text_fail(err, BR_E_SIZE, -1,
                       "%.3g members with %zu numbers each are kept in a file: add %sout FILE.h5",
                       (double)b->count, b->s.width, dash);
  if (!st && b->count == 0)
    st = bri_text_fail(err, BR_E_RANGE, -1,
                       "%sshard: there are fewer blocks of members than parts: nothing is left for this one",
                       dash);
  if (!st && !out && b->rank.size > 1)
    st = bri_text_fail(err, BR_E_ARG, -1, "%zu processes share the work through a file: add %sout FILE.h5",
                       b->rank.size, dash);
  if (!st && strcmp(br_job_text(job, "device"), "gpu") == 0)
    st = bri_text_fail(err, BR_E_UNSUPPORTED, -1, "%sdevice gpu: no card serves this sweep here", dash);
  release(b);
  bri_free(b);
  return st;
}

/* ---- the plan: what the numbers depend on, and nothing else ---- */

static br_status add_file(void *ctx, bri_buf *to, const char *path, br_err *err)
{
  uint64_t sum = 0;
  unsigned char piece[4096];
  size_t n = 0;
  (void)ctx;
  FILE *f = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
  if (!f) return bri_text_fail(err, BR_E_IO, -1, "cannot read '%.160s'", path);
  while ((n = fread(piece, 1, sizeof piece, f)) > 0)
    for (size_t i = 0; i < n; i++) sum = (sum ^ piece[i]) * UINT64_C(0x100000001b3) + 1;
  (void)fclose(f);
  bri_buf_printf(to, "contents %016llx\n", (unsigned long long)sum);
  return BR_OK;
}

static br_status make_plan(const br_job *job, bri_answer_sweep *b, br_err *err)
{
  static const char *const APART[] = {"out", "shard", "threads", "device", "block"};
  bri_buf key = {0};
  br_status st = bri_job_key(job, &key, add_file, NULL, err);
  if (!st && br_job_text(job, "file")) st = add_file(NULL, &key, br_job_text(job, "file"), err);
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
  if (!st && (key.failed || b->plan.failed)) st = bri_text_fail(err, BR_E_NOMEM, -1, "sweep: out of memory");
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
    if (bri_journal_heard(b->j, hello(&b->rank, r, sizeof name, name))) r++;
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
  const bri_journal_plan what = {b->out,
                                 plan.text,
                                 b->how.first,
                                 b->how.count,
                                 (size_t)b->how.block,
                                 b->s.width,
                                 b->how.threads * b->rank.size,
                                 b->rank.rank == 0};
  br_status st = plan.failed ? bri_text_fail(err, BR_E_NOMEM, -1, "sweep: out of memory")
                             : bri_journal_open(&what, &b->j, err);
  if (!st) bri_journal_hello(b->j, hello(&b->rank, b->rank.rank, sizeof name, name));
  bri_buf_free(&plan);
  return st;
}

static void put_failures(const bri_answer_sweep *b, br_sink *out)
{
  double *rows = bri_malloc_array((size_t)b->how.block + 1, b->s.width * sizeof *rows);
  size_t told = 0;
  for (uint64_t k = 0; rows && k < b->how.count && told < TOLD; k++) {
    uint64_t first = 0;
    size_t n = 0;
    br_err why;
    if (bri_sweep_get(b, b->how.first + k, &first, &n, rows, &why)) break;
    for (size_t i = 0; i < n && told < TOLD; i++) {
      const int end = (int)rows[i * b->s.width + b->s.width - 1];
      if (end == BRI_MEMBER_OK) continue;
      br_err said = {BR_OK, -1, ""};
      double *again = rows + b->how.block * b->s.width;
      if (bri_member_run(&b->s, first + i, again, &said, &why)) break; /* once more, for its message */
      br_put_number(out, "1", (double)(first + i), "failures.%zu.member", told);
      br_put_text(out, bri_member_end[end], "failures.%zu.status", told);
      br_put_text(out, said.msg, "failures.%zu.why", told++);
    }
  }
  bri_free(rows);
}

static void put_values(const bri_answer_sweep *b, br_sink *out, double took, uint64_t before)
{
  const uint64_t now = b->how.count > before ? b->how.count - before : 0;
  const br_value threads = {BR_VALUE_TIME, (double)b->how.threads, NULL, NULL};
  br_put_number(out, "1", (double)b->s.design.members, "members");
  br_put_number(out, "1", (double)b->count, "done");
  for (int i = 0; i < BRI_MEMBER_ENDS; i++)
    if (i == BRI_MEMBER_OK || b->ends[i] > 0)
      br_put_number(out, "1", b->ends[i], "by_status.%s", bri_member_end[i]);
  if (b->ends[BRI_MEMBER_OK] < (double)b->count) put_failures(b, out);
  br_put_text(out, b->s.lanes ? "lanes" : "solver", "engine");
  br_put_text(out, "cpu", "device");
  br_put_value(out, &threads, "threads");
  br_put(out, BR_VALUE_TIME, took, "seconds");
  br_put(out, BR_VALUE_TIME, took > 0 ? (double)now * (double)b->count / (double)b->how.count / took : 0,
         "rate");
  br_put_text(out, b->out, "out");
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
  br_sink_amount(out, (double)b->count, "members", 5e-3);
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
  if (!st && b->shards == 1) st = bri_sweep_show(b, out, err);
  if (!st) put_values(b, out, took, before);
  if (!st && b->rank.size > 1) wait_for_others(b);
  (void)pthread_mutex_destroy(&t.lock);
  return st;
}

static br_status run(const br_job *job, br_sink *out, br_err *err)
{
  bri_answer_sweep *b = bri_calloc(1, sizeof *b);
  if (!b) return bri_text_fail(err, BR_E_NOMEM, -1, "sweep: out of memory");
  br_status st = set_up(job, b, err);
  if (!st) st = make_plan(job, b, err);
  if (!st) st = answer(b, out, err);
  bri_journal_close(b->j, !st && b->rank.rank == 0);
  release(b);
  bri_free(b);
  return st;
}

static const char TEXT[] =
    "Runs a mechanism with friction once for every member of an ensemble and keeps some numbers of each. "
    "Swept is any "
    "parameter of model or mechanism, an input that is held (vp), a state at the start (init.v, or v), or a "
    "number of a "
    "driven input (input.2, input.f, input.Fe.A). Members are all combinations of grids, lists, rows of a "
    "file and draws; "
    "the last runs fastest.\n\n"
    "Measures, all from the end of the transient on: NAME_min, NAME_max and NAME_end of every state and of "
    "the contact "
    "force F; period (mean time between returns to the section, where v rises through vp or the threshold), "
    "stick_fraction, returns, events, reversals, sticks, slips, elements, work_in, friction_work, "
    "dissipated, steps, "
    "regime (0 rest, 1 steady, 2 periodic, 3 irregular: a label of basins), lyapunov (largest exponent). A "
    "path is a number "
    "of 'bristle simulate': final.z, cycle.period, energy.residual. A member that fails has the reason in "
    "the column status "
    "(0 ok, 1 range, 2 converge, 3 nan, 4 unsupported) and no numbers; its neighbours are not touched.\n\n"
    "With --out nothing is lost: kill it, run the same command again, and the file is the same to the last "
    "bit, whatever the "
    "number of threads. Under mpirun or srun all processes share the work; --shard and 'bristle merge' do it "
    "for job arrays.\n\n"
    "JSON: {members, done, by_status: {ok, ...}, failures: [{member, status, why}], engine, device, threads, "
    "seconds, rate, out}.";

#define COUNT(list) (sizeof(list) / sizeof(list)[0])
const br_analysis bri_analysis_sweep = {
    .name = "sweep",
    .summary = "an ensemble: a mechanism with friction for many values of its numbers",
    .method = "every member by itself; events located",
    .text = TEXT,
    .needs = BR_NEEDS_MODEL | BR_NEEDS_SYSTEM | BR_NEEDS_INPUT | BR_TAKES_INIT | BR_TAKES_TWO_AXES,
    .input_doc = "drive an input; --set NAME=VALUE holds it instead",
    .tables = "sweep",
    .options = OPTIONS,
    .noptions = COUNT(OPTIONS),
    .results = RESULTS,
    .nresults = COUNT(RESULTS),
    .picture = {bri_sweep_panels, BRI_SWEEP_PANELS, .title = "Ensemble"},
    .examples = EXAMPLES,
    .prepare = prepare,
    .check = check,
    .run = run,
};
