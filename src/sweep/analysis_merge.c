/* SPDX-License-Identifier: Apache-2.0
 * analysis_merge.c - analysis 'merge': parts of an ensemble ('sweep' with shard) as one file. */
#include <string.h>

#include "analysis/rows.h"
#include "base/alloc.h"
#include "output.h"
#include "text/claims.h"
#include "text/fail.h"

enum { ROWS = 4096, NAME = 64 };

static const br_option OPTIONS[] = {
    BRI_TEXT("files", "OUT SHARD...", "the file that is made, then all its parts, in any order"),
};

static const br_result_row RESULTS[] = {
    {"members", "1", "of the ensemble"},
    {"rows", "1", "written"},
    {"shards", "1", "read"},
    {"out", "", "the file"},
};

static const br_example EXAMPLES[] = {{NULL, NULL}};

typedef struct {
  char *text, **path; /* path[0]: the output */
  size_t n;
  bri_input **in; /* [n - 1], in the order of their members */
  double *first;  /* [n - 1]: first member of each */
} parts;

/* Names one a line, or between blanks or commas in a study. */
static br_status read_names(const br_job *job, parts *p, br_err *err)
{
  const char *text = br_job_text(job, "files");
  const size_t n = text ? strlen(text) : 0;
  const char *separators = text && strchr(text, '\n') ? "\n" : ", ";
  p->text = bri_copy_n(text ? text : "", n);
  p->path = bri_calloc(n + 1, sizeof *p->path);
  if (!p->text || !p->path) return bri_no_memory(err, "merge");
  for (char *s = p->text; *s;) {
    char *end = s + strcspn(s, separators);
    if (end > s) p->path[p->n++] = s;
    s = *end ? end + 1 : end;
    *end = '\0';
  }
  if (p->n < 2) return bri_fail(err, BR_E_ARG, "merge: expected OUT SHARD...: a file to make and its parts");
  return bri_output_check(p->path[0], err);
}

static void release(parts *p)
{
  for (size_t i = 0; p->in && i + 1 < p->n; i++) bri_input_close(p->in[i]);
  bri_free(p->in);
  bri_free(p->first);
  bri_free(p->path);
  bri_free(p->text);
}

static br_status check(const br_job *job, br_err *err)
{
  parts p = {0};
  bri_claims set = {0};
  br_status st = read_names(job, &p, err);
  for (size_t i = 0; i < p.n && !st; i++) {
    if (i) bri_claim_input(&set, p.path[i], "a shard");
    else bri_claim_output(&set, p.path[i], "merge");
    if (bri_output_is_csv(p.path[i]) != bri_output_is_csv(p.path[0]))
      st = bri_fail(err, BR_E_ARG, "merge: '%.80s' and '%.80s' are of different kinds", p.path[0], p.path[i]);
  }
  if (!st) st = bri_claims_check(&set, err);
  bri_claims_free(&set);
  release(&p);
  return st;
}

/* ---- do they belong together? ---- */

static br_status compare(const parts *p, size_t i, br_err *err)
{
  const bri_input *a = p->in[0], *b = p->in[i];
  const bri_sweep_about x = bri_input_about(a), y = bri_input_about(b);
  int same = bri_input_columns(a) == bri_input_columns(b) && strcmp(x.question, y.question) == 0 &&
             x.members == y.members;
  for (size_t k = 0; same && k < bri_input_columns(a); k++)
    same = strcmp(bri_input_name(a, k), bri_input_name(b, k)) == 0 &&
           strcmp(bri_input_unit(a, k), bri_input_unit(b, k)) == 0;
  return same ? BR_OK
              : bri_fail(err, BR_E_ARG, "merge: '%.80s' and '%.80s' are not parts of one sweep", p->path[1],
                         p->path[i + 1]);
}

/* The first member of a part, by its first row. */
static br_status first_of(const char *path, double *first, br_err *err)
{
  bri_input *in = NULL;
  size_t got = 0;
  br_status st = bri_input_open(path, &in, err);
  if (st) return st;
  double *row = bri_calloc(bri_input_columns(in) + 1, sizeof *row);
  if (!row) st = bri_no_memory(err, "merge");
  if (!st) st = bri_input_next(in, 1, row, &got, err);
  if (!st && (!got || strcmp(bri_input_name(in, 0), "member") != 0))
    st = bri_fail(err, BR_E_PARSE, "'%.120s' was not written by 'bristle sweep', or is empty", path);
  if (!st) *first = row[0];
  bri_free(row);
  bri_input_close(in);
  return st;
}

static br_status open_parts(parts *p, br_err *err)
{
  const size_t n = p->n - 1;
  br_status st = BR_OK;
  p->in = bri_calloc(n, sizeof *p->in);
  p->first = bri_calloc(n, sizeof *p->first);
  if (!p->in || !p->first) return bri_no_memory(err, "merge");
  for (size_t i = 0; i < n && !st; i++) st = first_of(p->path[i + 1], &p->first[i], err);
  for (size_t i = 1; i < n && !st; i++) /* by insertion: job arrays come almost in order */
    for (size_t k = i; k > 0 && p->first[k] < p->first[k - 1]; k--) {
      const double x = p->first[k];
      char *s = p->path[k + 1];
      p->first[k] = p->first[k - 1], p->first[k - 1] = x;
      p->path[k + 1] = p->path[k], p->path[k] = s;
    }
  for (size_t i = 0; i < n && !st; i++) {
    st = bri_input_open(p->path[i + 1], &p->in[i], err);
    if (!st) st = compare(p, i, err);
  }
  return st;
}

/* ---- one behind the other ---- */

static br_status create(const parts *p, bri_output **out, br_err *err)
{
  const bri_input *in = p->in[0];
  const size_t n = bri_input_columns(in);
  bri_sweep_about about = bri_input_about(in);
  const char **names = bri_calloc(2 * n, sizeof *names);
  if (!names) return bri_no_memory(err, "merge");
  about.first = 0, about.count = about.members;
  for (size_t k = 0; k < n; k++) names[k] = bri_input_name(in, k), names[n + k] = bri_input_unit(in, k);
  const br_status st = bri_output_create(p->path[0], n, names, names + n, &about, out, err);
  bri_free((void *)names);
  return st;
}

/* Every member once: the next is the one before or the one behind it (a member may have several rows). */
static br_status copy(const parts *p, bri_output *to, br_sink *out, double *rows, double *count, double *next,
                      br_err *err)
{
  const size_t ncol = bri_input_columns(p->in[0]);
  br_status st = BR_OK;
  for (size_t i = 0; i + 1 < p->n && !st; i++) {
    size_t got = 1;
    if (p->first[i] != *next)
      return bri_fail(err, BR_E_ARG,
                      "merge: members %.0f to %.0f are missing, or there twice, before '%.80s'", *next,
                      p->first[i] - 1, p->path[i + 1]);
    while (!st && got) {
      st = bri_input_next(p->in[i], ROWS, rows, &got, err);
      for (size_t k = 0; k < got && !st; k++, (*count)++) {
        const double m = rows[k * ncol];
        if (m != *next && m != *next - 1)
          return bri_fail(err, BR_E_ARG, "merge: '%.80s' lacks member %.0f", p->path[i + 1], *next);
        if (m == *next) (*next)++;
        st = bri_output_row(to, rows + k * ncol, err);
      }
      if (!st) st = br_sink_alive(out, ((double)i + 0.5) / (double)p->n, err);
    }
  }
  return st;
}

static br_status run(const br_job *job, br_sink *out, br_err *err)
{
  parts p = {0};
  bri_output *to = NULL;
  double *rows = NULL, count = 0, next = 0;
  br_status st = read_names(job, &p, err);
  if (!st) st = open_parts(&p, err);
  if (!st) {
    rows = bri_malloc_array(ROWS, bri_input_columns(p.in[0]) * sizeof *rows);
    st = rows ? create(&p, &to, err) : bri_no_memory(err, "merge");
  }
  if (!st) st = copy(&p, to, out, rows, &count, &next, err);
  const double members = st ? 0 : bri_input_about(p.in[0]).members;
  if (!st && members >= 0 && next != members)
    st = bri_fail(err, BR_E_ARG, "merge: members %.0f to %.0f are missing: a shard was left out", next,
                  members - 1);
  if (st) bri_output_abort(to);
  else st = bri_output_close(to, err);
  if (!st) {
    br_put_number(out, "1", next, "members");
    br_put_number(out, "1", count, "rows");
    br_put_number(out, "1", (double)(p.n - 1), "shards");
    br_put_text(out, p.path[0], "out");
  }
  bri_free(rows);
  release(&p);
  return st;
}

const br_analysis bri_analysis_merge = {
    .name = "merge",
    .summary = "parts of an ensemble as one file",
    .text = "Joins what 'bristle sweep --shard I/N' has written: all parts of one sweep, HDF5 or CSV, in any "
            "order. The file is the one that a single process would have made, bit for bit. Parts that are "
            "missing, there twice or of another sweep are refused.\n\n"
            "JSON: {members, rows, shards, out}.",
    .operand = "files",
    BRI_ROWS(OPTIONS, RESULTS),
    .examples = EXAMPLES,
    .check = check,
    .run = run,
};
