/* SPDX-License-Identifier: Apache-2.0
 * journal.c - blocks in files that only grow. */
#define _DEFAULT_SOURCE /* flock, fdatasync */
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "folder.h"
#include "text/path.h"

enum { NAME = 32, MOST_PARTS = 65536 };
static const uint32_t MAGIC = 0x6b6c6221; /* "!blk" */
static const double SYNC = 2;             /* s between two visits of the disk */

/* In front of the rows of a block. */
typedef struct {
  uint32_t magic, rows;
  uint64_t block, sum;
} head;

/* The same in the file index-K, behind the rows themselves: what others read. */
typedef struct {
  uint64_t block, at, check;
} entry;

/* A run of blocks and who took it. */
typedef struct {
  uint64_t first, count, part;
} claim;

typedef struct {
  uint64_t part, at; /* file and place of its rows */
} place;

typedef struct {
  uint64_t seen; /* how far its index has been read */
  int dead;      /* its process is known to be gone */
} part;

struct bri_journal {
  bri_journal_plan plan;
  char *folder;
  bri_lock lock;
  pthread_mutex_t mutex;
  double **memory; /* [count], without files */
  place *where;    /* [count]; part = NONE: not finished */
  uint64_t done;
  /* files */
  uint64_t me;
  int fd, index, claims; /* the part of this process and its index; who took what */
  uint64_t end;          /* of the part */
  int read;              /* a part that was opened to read, */
  uint64_t read_part;    /* its number */
  part *parts;           /* [nparts] */
  size_t nparts, parts_room;
  claim *taken;
  size_t ntaken, taken_room;
  uint64_t next, until; /* of the run that this process works on */
  uint64_t frontier;    /* first block that nobody has taken */
  size_t clean;         /* claims whose blocks are all done, from the first on */
  int why;              /* errno of a claim that could not be written */
  double synced;
  uint64_t damaged; /* reads of damaged blocks */
};
#define NONE UINT64_MAX

static double now(void)
{
  struct timespec t;
  return clock_gettime(CLOCK_MONOTONIC, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0;
}

static br_status failed(const bri_journal *j, const char *what, int why, br_err *err)
{
  return bri_fail(err, BR_E_IO, "cannot %s in '%.140s': %s; what is done is kept there", what, j->folder,
                  strerror(why ? why : EIO));
}

static size_t rows_bytes(const bri_journal *j, size_t n) { return n * j->plan.width * sizeof(double); }

/* Four sums side by side over the words, mixed at the end. */
static uint64_t sum_of(uint64_t block, size_t n, const double *rows, size_t words)
{
  uint64_t s = block * UINT64_C(0x9e3779b97f4a7c15) + n;
  for (size_t i = 0; i < words; i++) {
    uint64_t w = 0;
    memcpy(&w, &rows[i], sizeof w);
    s = (s ^ w) * UINT64_C(0xd1342543de82ef95);
    s ^= s >> 29;
  }
  return s;
}

static int part_file(const bri_journal *j, const char *kind, uint64_t k, int flags)
{
  char path[BRI_PATH];
  if (snprintf(path, sizeof path, "%s/%s-%llu", j->folder, kind, (unsigned long long)k) >= (int)sizeof path)
    return -1;
  return open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0666);
}

/* Everything of a buffer at a place; 0, or an errno. */
static int write_all(int fd, const void *from, size_t n, off_t at)
{
  const char *p = from;
  for (size_t put = 0; put < n;) {
    const ssize_t k = pwrite(fd, p + put, n - put, at + (off_t)put);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return k < 0 && errno ? errno : ENOSPC;
    put += (size_t)k;
  }
  return 0;
}

static int read_all(int fd, void *to, size_t n, off_t at)
{
  char *p = to;
  for (size_t got = 0; got < n;) {
    const ssize_t k = pread(fd, p + got, n - got, at + (off_t)got);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return 0;
    got += (size_t)k;
  }
  return 1;
}

static void hold(int fd, int how)
{
  while (flock(fd, how) != 0 && errno == EINTR) {} /* without locks there: go on */
}

/* ---- what others have written ---- */

static uint64_t check_of(uint64_t block, uint64_t at)
{
  return (block ^ UINT64_C(0x9e3779b97f4a7c15)) * 31 + at;
}

/* Blocks of a part behind what is known of it.  A half-written entry of a living process will be whole soon.
 * */
static void scan(bri_journal *j, uint64_t k)
{
  part *p = &j->parts[k];
  const int fd = part_file(j, "index", k, O_RDONLY);
  entry e;
  if (fd < 0) return;
  while (read_all(fd, &e, sizeof e, (off_t)p->seen) && e.check == check_of(e.block, e.at)) {
    const uint64_t b = e.block - j->plan.first;
    if (e.block >= j->plan.first && b < j->plan.count && j->where[b].part == NONE)
      j->where[b] = (place){k, e.at}, j->done++;
    p->seen += sizeof e;
  }
  (void)close(fd);
}

static int more_parts(bri_journal *j, size_t n)
{
  while (j->nparts < n) {
    part *more = bri_grown(j->parts, j->nparts, &j->parts_room, sizeof *more);
    if (!more) return 0;
    j->parts = more;
    j->parts[j->nparts++] = (part){0, 0};
  }
  return 1;
}

static void scan_all(bri_journal *j)
{
  struct stat info;
  char path[BRI_PATH];
  for (uint64_t k = 0; k < MOST_PARTS; k++) {
    if (snprintf(path, sizeof path, "%s/index-%llu", j->folder, (unsigned long long)k) >= (int)sizeof path)
      return;
    if (lstat(path, &info) != 0 || !more_parts(j, (size_t)k + 1)) return;
    if (k != j->me && (uint64_t)info.st_size > j->parts[k].seen) scan(j, k);
  }
}

uint64_t bri_journal_look(bri_journal *j)
{
  (void)pthread_mutex_lock(&j->mutex);
  if (!j->memory) scan_all(j);
  const uint64_t done = j->done;
  (void)pthread_mutex_unlock(&j->mutex);
  return done;
}

uint64_t bri_journal_done(bri_journal *j)
{
  (void)pthread_mutex_lock(&j->mutex);
  const uint64_t done = j->done;
  (void)pthread_mutex_unlock(&j->mutex);
  return done;
}

br_status bri_journal_fault(const bri_journal *j, br_err *err)
{
  return j->why ? failed(j, "write", j->why, err) : BR_OK;
}

const char *bri_journal_folder(const bri_journal *j) { return j->folder; }

/* ---- taking blocks ---- */

/* A claim may stand for less where a file was cut: within the plan only. */
static int is_ours(const bri_journal *j, const claim *c)
{
  return c->first >= j->plan.first && c->count <= j->plan.count &&
         c->first - j->plan.first <= j->plan.count - c->count;
}

/* Claims of all, with the file locked. */
static int read_claims(bri_journal *j)
{
  claim c;
  while (read_all(j->claims, &c, sizeof c, (off_t)(j->ntaken * sizeof c))) {
    claim *more = bri_grown(j->taken, j->ntaken, &j->taken_room, sizeof *more);
    if (!more) return 0;
    j->taken = more;
    j->taken[j->ntaken++] = c;
    if (is_ours(j, &c) && c.first + c.count > j->frontier) j->frontier = c.first + c.count;
  }
  return 1;
}

static int add_claim(bri_journal *j, uint64_t first, uint64_t count)
{
  const claim c = {first, count, j->me};
  j->why = write_all(j->claims, &c, sizeof c, (off_t)(j->ntaken * sizeof c));
  if (j->why) {
    (void)!ftruncate(j->claims, (off_t)(j->ntaken * sizeof c));
    return 0;
  }
  j->next = first;
  j->until = first + count;
  return read_claims(j);
}

/* A living process holds its part. */
static int is_dead(bri_journal *j, uint64_t k)
{
  if (k == j->me) return 0;
  if (k < j->nparts && j->parts[k].dead) return 1;
  const int fd = part_file(j, "part", k, O_RDONLY);
  if (fd < 0) return 1;
  const int dead = flock(fd, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  (void)close(fd);
  if (dead && k < j->nparts) j->parts[k].dead = 1;
  return dead;
}

/* Who took a block last; NONE: nobody. */
static uint64_t owner(const bri_journal *j, uint64_t block)
{
  for (size_t i = j->ntaken; i-- > 0;)
    if (block >= j->taken[i].first && block - j->taken[i].first < j->taken[i].count) return j->taken[i].part;
  return NONE;
}

static int is_done(const bri_journal *j, uint64_t block)
{
  return j->where[block - j->plan.first].part != NONE;
}

/* Runs that dead processes have left: those of their blocks that are missing.  Claims are walked and not
 * blocks, and not again those that are done, so that a look costs little however many blocks there are. */
static int take_again(bri_journal *j)
{
  scan_all(j);
  for (size_t i = j->clean; i < j->ntaken; i++) {
    const claim c = j->taken[i];
    uint64_t b = c.first, n = 0;
    const uint64_t end = is_ours(j, &c) ? c.first + c.count : b;
    while (b < end && is_done(j, b)) b++;
    if (b == end && i == j->clean) j->clean++;
    if (b == end || !is_dead(j, c.part)) continue;
    while (b < end && (is_done(j, b) || owner(j, b) != c.part)) b++;
    while (b + n < end && !is_done(j, b + n) && owner(j, b + n) == c.part) n++;
    const uint64_t share = n / (2 * (uint64_t)(j->plan.workers ? j->plan.workers : 1));
    if (n) return add_claim(j, b, share ? share : 1);
  }
  return 0;
}

/* The next run: a part of what is left, at last single blocks, so that all end at about the same time. */
static int take_run(bri_journal *j)
{
  int got = 0;
  hold(j->claims, LOCK_EX);
  if (read_claims(j)) {
    const uint64_t end = j->plan.first + j->plan.count;
    if (j->frontier < j->plan.first) j->frontier = j->plan.first;
    const uint64_t left = end - j->frontier,
                   n = left / (4 * (uint64_t)(j->plan.workers ? j->plan.workers : 1));
    got = left ? add_claim(j, j->frontier, n ? n : 1) : take_again(j);
  }
  hold(j->claims, LOCK_UN);
  return got;
}

int bri_journal_take(bri_journal *j, uint64_t *block)
{
  int got = 0;
  (void)pthread_mutex_lock(&j->mutex);
  for (;;) {
    while (j->next < j->until && j->where && j->where[j->next - j->plan.first].part != NONE) j->next++;
    got = j->next < j->until;
    if (got) *block = j->next++;
    if (got || j->memory || !take_run(j)) break;
  }
  (void)pthread_mutex_unlock(&j->mutex);
  return got;
}

/* ---- putting and getting them ---- */

static br_status put_memory(bri_journal *j, uint64_t block, size_t n, const double *rows, br_err *err)
{
  double *copy = bri_malloc(rows_bytes(j, n));
  if (!copy) return bri_no_memory(err, "sweep");
  memcpy(copy, rows, rows_bytes(j, n));
  (void)pthread_mutex_lock(&j->mutex);
  bri_free(j->memory[block - j->plan.first]);
  j->memory[block - j->plan.first] = copy;
  j->done++;
  (void)pthread_mutex_unlock(&j->mutex);
  return BR_OK;
}

br_status bri_journal_put(bri_journal *j, uint64_t block, size_t n, const double *rows, br_err *err)
{
  if (j->memory) return put_memory(j, block, n, rows, err);
  const head h = {MAGIC, (uint32_t)n, block, sum_of(block, n, rows, n * j->plan.width)};
  (void)pthread_mutex_lock(&j->mutex);
  const uint64_t at = j->end;
  const entry e = {block, at + sizeof h, check_of(block, at + sizeof h)};
  int why = write_all(j->fd, &h, sizeof h, (off_t)at);
  if (!why) why = write_all(j->fd, rows, rows_bytes(j, n), (off_t)(at + sizeof h));
  if (why) (void)!ftruncate(j->fd, (off_t)at);
  if (!why) why = write_all(j->index, &e, sizeof e, (off_t)j->parts[j->me].seen);
  if (why) (void)!ftruncate(j->index, (off_t)j->parts[j->me].seen);
  else {
    j->end = at + sizeof h + rows_bytes(j, n);
    j->parts[j->me].seen += sizeof e;
    if (j->where[block - j->plan.first].part == NONE) j->done++;
    j->where[block - j->plan.first] = (place){j->me, at + sizeof h};
  }
  const int due = !why && now() - j->synced > SYNC;
  if (due) j->synced = now();
  (void)pthread_mutex_unlock(&j->mutex);
  if (due) (void)fdatasync(j->fd), (void)fdatasync(j->index);
  return why ? failed(j, "write", why, err) : BR_OK;
}

br_status bri_journal_get(bri_journal *j, uint64_t block, size_t n, double *rows, br_err *err)
{
  const uint64_t b = block - j->plan.first;
  if (j->memory) return memcpy(rows, j->memory[b], rows_bytes(j, n)), BR_OK;
  const place at = j->where[b];
  if (j->read < 0 || j->read_part != at.part) {
    if (j->read >= 0) (void)close(j->read);
    j->read = part_file(j, "part", at.part, O_RDONLY);
    j->read_part = at.part;
  }
  head h;
  errno = 0;
  if (j->read < 0) return failed(j, "read", errno, err);
  if (!read_all(j->read, &h, sizeof h, (off_t)(at.at - sizeof h)) ||
      !read_all(j->read, rows, rows_bytes(j, n), (off_t)at.at) || h.rows != n || h.block != block ||
      sum_of(block, n, rows, n * j->plan.width) != h.sum)
    return j->damaged++,
           bri_fail(err, BR_E_NAN, "block %llu in '%.140s' is damaged", (unsigned long long)block, j->folder);
  return BR_OK;
}

uint64_t bri_journal_damaged(const bri_journal *j) { return j->damaged; }

/* ---- from the beginning to the end ---- */

static br_status open_files(bri_journal *j, br_err *err)
{
  char path[BRI_PATH];
  br_status st = j->plan.leads ? bri_folder_lead(j->folder, j->plan.plan, &j->lock, err)
                               : bri_folder_follow(j->folder, j->plan.plan, err);
  if (st) return st;
  (void)snprintf(path, sizeof path, "%s/claims", j->folder);
  j->claims = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (j->claims < 0) return failed(j, "write", errno, err);
  for (j->me = 0; j->me < MOST_PARTS; j->me++) {
    j->fd = part_file(j, "part", j->me, O_RDWR | O_CREAT | O_EXCL);
    if (j->fd >= 0 || errno != EEXIST) break;
  }
  if (j->fd >= 0) j->index = part_file(j, "index", j->me, O_RDWR | O_CREAT | O_TRUNC);
  if (j->fd < 0 || j->index < 0) return failed(j, "write", errno, err);
  hold(j->fd, LOCK_EX);
  if (!more_parts(j, (size_t)j->me + 1)) return bri_no_memory(err, "sweep");
  scan_all(j);
  return BR_OK;
}

br_status bri_journal_open(const bri_journal_plan *plan, bri_journal **out, br_err *err)
{
  bri_journal *j = *out = bri_calloc(1, sizeof *j);
  if (!j) return bri_no_memory(err, "sweep");
  const size_t n = plan->out ? strlen(plan->out) + sizeof ".journal" : 0;
  j->plan = *plan;
  j->fd = j->index = j->claims = j->read = j->lock.fd = -1;
  (void)pthread_mutex_init(&j->mutex, NULL);
  j->folder = n ? bri_malloc(n) : NULL;
  if (j->folder) (void)snprintf(j->folder, n, "%s.journal", plan->out);
  if (n) j->where = bri_malloc_array((size_t)plan->count + 1, sizeof *j->where);
  else j->memory = bri_calloc((size_t)plan->count + 1, sizeof *j->memory);
  for (uint64_t b = 0; j->where && b < plan->count; b++) j->where[b] = (place){NONE, 0};
  if (!n) j->next = plan->first, j->until = plan->first + plan->count;
  br_status st = BR_OK;
  if (n ? !j->folder || !j->where : !j->memory) st = bri_no_memory(err, "sweep");
  if (!st && n)
    st = n + NAME < BRI_PATH ? open_files(j, err)
                             : bri_fail(err, BR_E_IO, "the name of the output is too long");
  if (st) bri_journal_close(j, 0), *out = NULL;
  return st;
}

void bri_journal_close(bri_journal *j, int remove)
{
  if (!j) return;
  if (j->fd >= 0) (void)fdatasync(j->fd), (void)fdatasync(j->index);
  if (remove && j->folder) bri_folder_clear(j->folder);
  if (j->lock.fd >= 0) bri_lock_release(&j->lock);
  if (remove && j->folder) (void)rmdir(j->folder);
  if (j->fd >= 0) (void)close(j->fd);
  if (j->index >= 0) (void)close(j->index);
  if (j->claims >= 0) (void)close(j->claims);
  if (j->read >= 0) (void)close(j->read);
  for (uint64_t b = 0; j->memory && b < j->plan.count; b++) bri_free(j->memory[b]);
  bri_free(j->memory);
  bri_free(j->where);
  bri_free(j->parts);
  bri_free(j->taken);
  bri_free(j->folder);
  (void)pthread_mutex_destroy(&j->mutex);
  bri_free(j);
}
