/* SPDX-License-Identifier: Apache-2.0
 * analysis_state.c - what a fit has found so far, in a file: the same question goes on from it.  One line for
 * each thing that is finished or under way, "KEY text"; the first line has the number of the question (record
 * and options).  The file is replaced as a whole, so a kill leaves an older or a newer one, and it goes away
 * when the fit is done. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis_parts.h"
#include "base/alloc.h"
#include "fit.h"
#include "text/buf.h"
#include "text/fail.h"

static const char HEAD[] = "bristle fit state 1 ";
enum { MOST = 64 << 20 };

typedef struct {
  char *key, *text;
} entry;
struct bri_fit_state {
  const char *path;
  uint64_t question;
  entry *list;
  size_t n, room, dirty;
  double saved;
  pthread_mutex_t lock; /* models are fitted on several threads */
};

uint64_t bri_fit_hash(uint64_t h, const void *bytes, size_t n)
{
  const unsigned char *s = bytes;
  for (size_t i = 0; i < n; i++) h = (h ^ s[i]) * UINT64_C(1099511628211);
  return h;
}

/* Everything that the answer depends on but the records; those are hashed by who loads them. */
uint64_t bri_fit_question(const br_job *job)
{
  const br_analysis *a = br_job_analysis(job);
  uint64_t h = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < a->noptions; i++) {
    const char *name = a->options[i].name, *text = br_job_text(job, name);
    if (!br_job_given(job, name) || !text) continue;
    if (a->options[i].file == BR_FILE_WRITTEN || strcmp(name, "threads") == 0) continue;
    h = bri_fit_hash(h, name, strlen(name) + 1);
    h = bri_fit_hash(h, text, strlen(text) + 1);
  }
  return h;
}

/* The text stays until its key is put again, which one thread does. */
static const char *get(void *ctx, const char *key)
{
  bri_fit_state *s = ctx;
  const char *found = NULL;
  (void)pthread_mutex_lock(&s->lock);
  for (size_t i = 0; i < s->n && !found; i++)
    if (strcmp(s->list[i].key, key) == 0) found = s->list[i].text;
  (void)pthread_mutex_unlock(&s->lock);
  return found;
}

static br_status keep(bri_fit_state *s, const char *key, size_t nkey, const char *text, size_t n, br_err *err)
{
  char *t = bri_copy_n(text, n);
  for (size_t i = 0; i < s->n && t; i++)
    if (strlen(s->list[i].key) == nkey && memcmp(s->list[i].key, key, nkey) == 0) {
      bri_free(s->list[i].text);
      s->list[i].text = t;
      return BR_OK;
    }
  entry *grown = t ? bri_grown(s->list, s->n, &s->room, sizeof *s->list) : NULL;
  if (grown) s->list = grown;
  char *k = grown ? bri_copy_n(key, nkey) : NULL;
  if (!k) {
    bri_free(t);
    return bri_no_memory(err, "fit");
  }
  s->list[s->n++] = (entry){k, t};
  return BR_OK;
}

static br_status save(bri_fit_state *s, br_err *err)
{
  bri_buf b = {0};
  bri_buf_printf(&b, "%s%016" PRIx64 "\n", HEAD, s->question);
  for (size_t i = 0; i < s->n; i++) bri_buf_printf(&b, "%s %s\n", s->list[i].key, s->list[i].text);
  br_status st = b.failed ? bri_no_memory(err, "fit") : bri_buf_save(&b, s->path, err);
  bri_buf_free(&b);
  s->saved = bri_fit_now(), s->dirty = 0;
  return st;
}

/* Kept at once, written a few times a second. */
static br_status put(void *ctx, const char *key, const char *text, br_err *err)
{
  bri_fit_state *s = ctx;
  (void)pthread_mutex_lock(&s->lock);
  br_status st = keep(s, key, strlen(key), text, strlen(text), err);
  s->dirty = 1;
  if (!st && bri_fit_now() - s->saved >= 0.25) st = save(s, err);
  (void)pthread_mutex_unlock(&s->lock);
  return st;
}

/* Lines of a file that is there. */
static br_status read_lines(bri_fit_state *s, const char *text, br_err *err)
{
  char *end = NULL;
  const size_t head = sizeof HEAD - 1;
  if (strncmp(text, HEAD, head) != 0)
    return bri_fail(err, BR_E_PARSE, "resume: '%.100s' is no state of a fit; name another file", s->path);
  if (strtoull(text + head, &end, 16) != s->question || end != text + head + 16 || *end != '\n')
    return bri_fail(err, BR_E_ARG,
                    "resume: '%.100s' belongs to another record or other options; remove it to start anew",
                    s->path);
  br_status st = BR_OK;
  for (const char *line = end + 1; *line && !st;) {
    const size_t n = strcspn(line, "\n"), key = strcspn(line, " \n");
    if (key < n) st = keep(s, line, key, line + key + 1, n - key - 1, err);
    line += n + (line[n] == '\n');
  }
  return st;
}

static void state_free(bri_fit_state *s)
{
  if (!s) return;
  for (size_t i = 0; i < s->n; i++) bri_free(s->list[i].key), bri_free(s->list[i].text);
  bri_free(s->list);
  (void)pthread_mutex_destroy(&s->lock);
  bri_free(s);
}

static br_status state_open(const char *path, uint64_t question, bri_fit_state **out, br_err *err)
{
  bri_fit_state *s = *out = bri_calloc(1, sizeof *s);
  bri_buf b = {0};
  if (!s) return bri_no_memory(err, "fit");
  if (pthread_mutex_init(&s->lock, NULL)) {
    bri_free(s);
    return *out = NULL, bri_no_memory(err, "fit");
  }
  s->path = path, s->question = question;
  FILE *there = fopen(path, "rb");
  br_status st = BR_OK;
  if (there) {
    (void)fclose(there);
    st = bri_buf_load(&b, path, MOST, err);
    if (!st) st = read_lines(s, b.text ? b.text : "", err);
  }
  bri_buf_free(&b);
  if (st) state_free(s), *out = NULL;
  return st;
}

br_fit_memory bri_fit_state_memory(bri_fit_state *s) { return (br_fit_memory){get, put, s}; }

/* Things in it; 0: a new one. */
static size_t state_size(const bri_fit_state *s) { return s->n; }

void bri_fit_state_close(bri_fit_state *s, int done)
{
  br_err err = {BR_OK, -1, ""};
  if (!s) return;
  if (!done && s->dirty && save(s, &err)) s->dirty = 1; /* an older file stays: it is as good, only shorter */
  if (done) (void)remove(s->path);
  state_free(s);
}

br_status bri_fit_resume(const br_job *job, uint64_t question, br_sink *out, bri_fit_state **state,
                         br_err *err)
{
  const char *path = br_job_text(job, "resume");
  char text[200];
  *state = NULL;
  const br_status st = path ? state_open(path, question, state, err) : BR_OK;
  if (!*state || !state_size(*state)) return st;
  (void)snprintf(text, sizeof text, "going on from '%.100s', where %zu pieces of the work are", path,
                 state_size(*state));
  br_sink_note(out, text);
  return st;
}

/* ---- one of several files that is finished ---- */

br_status bri_fit_state_put_file(bri_fit_state *s, size_t i, uint64_t record, const br_fit_model *m,
                                 br_err *err)
{
  char key[32];
  bri_buf b = {0};
  (void)snprintf(key, sizeof key, "f%zu", i);
  bri_buf_printf(&b, "%016" PRIx64 "\t%s\t%a\t%a\t%a", record, m->model->name, m->rmse_train, m->rmse_test,
                 m->rel_test);
  for (size_t k = 0; k < m->nvalues; k++)
    bri_buf_printf(&b, "\t%s\t%d\t%s\t%a", m->values[k].name, m->values[k].element, m->values[k].unit,
                   m->values[k].value);
  const br_status st = b.failed ? bri_no_memory(err, "fit") : put(s, key, b.text, err);
  bri_buf_free(&b);
  return st;
}

/* The next field of a line that is cut up; NULL behind the last. */
static char *field(char **s)
{
  char *at = *s;
  if (!at) return NULL;
  *s = strchr(at, '\t');
  if (*s) *(*s)++ = '\0';
  return at;
}

int bri_fit_state_get_file(bri_fit_state *s, size_t i, uint64_t record, char **room, br_fit_value *values,
                           size_t most, br_fit_model *m)
{
  char key[32];
  (void)snprintf(key, sizeof key, "f%zu", i);
  const char *text = get(s, key);
  char *at = *room = bri_copy(text);
  const char *hash = field(&at), *name = field(&at);
  double *const numbers[] = {&m->rmse_train, &m->rmse_test, &m->rel_test};
  memset(m, 0, sizeof *m);
  m->model = name ? br_model_find(name) : NULL, m->values = values;
  if (!m->model || strtoull(hash, NULL, 16) != record) return 0;
  for (size_t k = 0; k < 3; k++) {
    const char *x = field(&at);
    if (!x) return 0;
    *numbers[k] = strtod(x, NULL);
  }
  while (at && m->nvalues < most) {
    br_fit_value *v = &values[m->nvalues];
    const char *value_name = field(&at), *element = field(&at), *unit = field(&at), *value = field(&at);
    if (!value) return 0;
    *v = (br_fit_value){value_name, unit, atoi(element), strtod(value, NULL), 0, 0, 0};
    m->nvalues++;
  }
  return 1;
}
