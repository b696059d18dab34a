/* SPDX-License-Identifier: Apache-2.0
 * key.c - a job as a text that changes with every ingredient of its answer; the files that it reads. */
#include <stdio.h>
#include <string.h>

#include "job.h"
#include "bristle/version.h"
#include "signal/spec_file.h"
#include "base/alloc.h"

typedef br_status file_fn(void *ctx, bri_buf *out, const char *path, br_err *err);

static void numbers(bri_buf *b, const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++) bri_buf_number(b, x[i], "-"), bri_buf_text(b, " ");
  bri_buf_text(b, "\n");
}

/* ---- files ---- */

int bri_option_file(const br_analysis *a, const char *option, const char *text, size_t *n)
{
  const br_option *row = a ? br_analysis_option(a, option) : NULL;
  if (!row || !text) return 0;
  *n = row->file == BR_FILE_RECORD ? strcspn(text, "|\n") : strlen(text);
  return row->file == BR_FILE_READ || (row->file == BR_FILE_RECORD && strncmp(text, "sample:", 7) != 0);
}

/* A copy of the path in a text that may be a signal, or the file of an option; NULL: it names no file, or
 * (*failed) memory is short. */
static char *file_of(const br_analysis *a, const char *option, const char *text, int *failed)
{
  size_t from = 0, n = 0;
  if (!text || (!bri_option_file(a, option, text, &n) && !bri_signal_file(text, &from, &n))) return NULL;
  char *path = bri_copy_n(text + from, n);
  *failed = !path;
  return path;
}

static void claim(bri_claims *set, const br_analysis *a, const char *option, const char *spec,
                  const char *what)
{
  int failed = 0;
  char *path = file_of(a, option, spec, &failed);
  if (path) bri_claim_input(set, path, what);
  if (failed) set->failed = 1;
  bri_free(path);
}

void bri_claim_spec(bri_claims *set, const char *spec, const char *what) { claim(set, NULL, "", spec, what); }

static int may_name_file(const br_option *row)
{
  return row->kind == BR_OPTION_TEXT || row->kind == BR_OPTION_PAIRS || row->kind == BR_OPTION_SIGNAL;
}

void bri_job_claim(const br_job *job, bri_claims *set, const char *what)
{
  char name[64];
  for (size_t i = 0; i < job->an->noptions; i++) {
    const br_option *row = &job->an->options[i];
    const char *text = job->values[i].given && may_name_file(row) ? job->values[i].text : NULL;
    (void)snprintf(name, sizeof name, "%s%s", job->dashes, row->name);
    if (text && row->file == BR_FILE_WRITTEN) bri_claim_output(set, text, what ? what : name);
    else if (text) claim(set, job->an, row->name, text, what ? what : name);
  }
  (void)snprintf(name, sizeof name, "%ssystem", job->dashes);
  if (job->mechanism) bri_claim_input(set, bri_job_system_name(job), what ? what : name);
  (void)snprintf(name, sizeof name, "%sinput", job->dashes);
  for (size_t k = 0; k < BRI_JOB_SLOTS; k++) bri_claim_spec(set, job->spec[k], what ? what : name);
}

/* ---- the key ---- */

/* A text that may be a signal: its file belongs to it. */
static br_status spec(bri_buf *b, const br_analysis *a, const char *option, const char *text, file_fn *file,
                      void *ctx, br_err *err)
{
  int failed = 0;
  char *path = file_of(a, option, text, &failed);
  bri_buf_printf(b, "%s\n", text ? text : "");
  br_status st = failed ? bri_no_memory(err, "job") : BR_OK;
  if (path) st = file(ctx, b, path, err);
  bri_free(path);
  return st;
}

/* All parameters by name, those of single contacts included. */
static br_status parameters(bri_buf *b, const br_params *p, br_err *err)
{
  char name[96];
  const br_param *row = NULL;
  for (size_t i = 0; p && (row = br_params_at(p, i, sizeof name, name)) != NULL; i++) {
    size_t n = 0;
    double *x = bri_calloc(row->max_len + 1, sizeof *x);
    if (!x) return bri_no_memory(err, "job");
    if (!br_params_get(p, name, row->max_len, x, &n, NULL)) bri_buf_printf(b, "%s ", name), numbers(b, x, n);
    bri_free(x);
  }
  return BR_OK;
}

br_status bri_job_key(const br_job *job, bri_buf *b, file_fn *file, void *ctx, br_err *err)
{
  bri_buf_printf(b, "bristle %s\nanalysis %s\nmodel %s\n", br_version(), job->an->name,
                 job->m ? job->m->name : "");
  for (size_t i = 0; job->m && job->par && i < job->m->slots; i++)
    bri_buf_number(b, job->par[i], "-"), bri_buf_text(b, " ");
  bri_buf_printf(b, "\nsystem %s\n", job->sys ? job->sys->name : "");
  br_status st = job->mechanism ? file(ctx, b, bri_job_system_name(job), err) : BR_OK;
  if (!st) st = parameters(b, job->params, err);
  for (size_t i = 0; i < job->an->noptions && !st; i++) {
    const bri_option_value *v = &job->values[i];
    const br_option *row = &job->an->options[i];
    bri_buf_printf(b, "option %s %s ", row->name, v->given ? "given" : "default");
    if (v->given && !may_name_file(row)) numbers(b, v->x, v->n);
    else st = spec(b, job->an, row->name, v->given ? v->text : row->def, file, ctx, err);
  }
  for (size_t k = 0; k < BRI_JOB_SLOTS && !st; k++) {
    if (k >= job->ninput && !job->inputs[k]) continue;
    if (job->lent[k]) return bri_fail(err, BR_E_UNSUPPORTED, "an input from memory has no text");
    bri_buf_printf(b, k < job->ninput ? "input " : "load %zu ", k);
    st = spec(b, NULL, "", job->spec[k], file, ctx, err);
  }
  bri_buf_text(b, "start ");
  if (job->start) numbers(b, job->start, job->nstate);
  return st || !b->failed ? st : bri_no_memory(err, "job");
}
