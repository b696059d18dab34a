/* SPDX-License-Identifier: Apache-2.0
 * analysis_joint.c - analysis 'fit' with parameters that several files share: one fit of all of them. */
#include <stdio.h>
#include <string.h>

#include "analysis_parts.h"
#include "base/alloc.h"
#include "text/fail.h"

typedef struct {
  size_t n;
  char **text;
  bri_fit_asked *q;
  br_fit_record *r;
  br_fit_parts *parts;
  br_fit_joint *joint;
} batch;

static br_status batch_load(const br_job *job, batch *b, br_err *err)
{
  const char *all = br_job_text(job, "file");
  b->n = 1;
  for (const char *s = all; *s; s++) b->n += *s == '\n';
  b->text = bri_calloc(b->n, sizeof *b->text), b->q = bri_calloc(b->n, sizeof *b->q);
  b->r = bri_calloc(b->n, sizeof *b->r), b->parts = bri_calloc(b->n, sizeof *b->parts);
  br_status st = b->text && b->q && b->r && b->parts ? BR_OK : bri_no_memory(err, "fit");
  for (size_t i = 0; i < b->n && !st; i++, all += strcspn(all, "\n"), all += *all == '\n') {
    const size_t n = strcspn(all, "\n");
    br_err why = {BR_OK, -1, ""};
    b->text[i] = bri_copy_n(all, n);
    if (!b->text[i]) return bri_no_memory(err, "fit");
    st = bri_fit_load(job, b->text[i], &b->q[i], &why);
    b->r[i] = b->q[i].r;
    if (!st && b->r[i].axes > 1)
      st = bri_fail(&why, BR_E_UNSUPPORTED, "several files in one fit: records of one axis alone");
    if (!st) st = bri_fit_part(job, "train", &b->r[i], b->parts[i].train, &why);
    if (!st) st = bri_fit_part(job, "test", &b->r[i], b->parts[i].test, &why);
    if (st) st = bri_fail(err, st, "%.80s: %.160s", b->text[i], why.msg);
  }
  return st;
}

static br_status batch_answer(const batch *b, br_sink *out, br_err *err)
{
  const br_fit_model *first = br_fit_joint_at(b->joint, 0);
  const br_fit_joint_facts f = br_fit_joint_get(b->joint);
  br_fit_value shared[64];
  char reason[120];
  const char *text = NULL, *N = bri_fit_turned("N", b->q[0].rotary);
  size_t n = 0, notes = 0;
  for (size_t i = 0; i < first->nvalues && n < 64; i++)
    if (br_fit_joint_shared(b->joint, first->values[i].name)) shared[n++] = first->values[i];
  (void)snprintf(reason, sizeof reason, "%s was asked for: one fit of %zu files, %zu numbers the same in all",
                 first->model->name, b->n, n);
  br_put_text(out, first->model->name, "model");
  br_put_text(out, reason, "reason");
  br_put(out, BR_VALUE_OBJECT, 0, "parameters");
  bri_fit_put_values(out, shared, n, b->q[0].rotary);
  const br_status st = bri_fit_put_set(out, first, err);
  if (st) return st;
  br_put_number(out, N, f.rmse_train, "rmse_train");
  br_put_number(out, N, f.rmse_test, "rmse_test");
  br_put_number(out, "1", f.rel_test, "rel_test");
  br_put_number(out, "1", (double)f.evaluations, "evaluations");
  for (size_t i = 0; i < b->n; i++) {
    const br_fit_model *m = br_fit_joint_at(b->joint, i);
    char own[200] = "";
    size_t used = 0;
    bri_fit_put_file(out, i, b->text[i], m, b->q[i].rotary, 1);
    for (size_t k = 0; k < m->nvalues && used < sizeof own; k++) {
      const br_fit_value *v = &m->values[k];
      if (br_fit_joint_shared(b->joint, v->name)) continue;
      used +=
          (size_t)snprintf(own + used, sizeof own - used, "%s%s=%.6g", used ? " " : "", v->name, v->value);
    }
    br_put_text(out, own, "files.%zu.own", i);
  }
  br_put(out, BR_VALUE_LIST, 0, "data");
  for (size_t i = 0; i < b->n; i++)
    for (size_t k = 0; (text = br_fit_joint_note(b->joint, i, k)) != NULL; k++)
      br_put_text(out, text, "data.%zu", notes++);
  br_put(out, BR_VALUE_LIST, 0, "warnings");
  return bri_fit_put_curve(out, br_fit_joint_curves(b->joint, 0), &b->q[0], err);
}

br_status bri_fit_joint_run(const br_job *job, br_sink *out, br_err *err)
{
  batch b = {0};
  br_status st = batch_load(job, &b, err);
  const br_fit_joint_options o = {bri_fit_options_of(job, out), b.parts, br_job_text(job, "shared"),
                                  br_job_text(job, "per-file")};
  if (!st) st = br_fit_joint_create(b.r, b.n, &o, &b.joint, err);
  if (!st) st = batch_answer(&b, out, err);
  br_fit_joint_destroy(b.joint);
  for (size_t i = 0; i < b.n; i++) {
    if (b.q) bri_fit_release(&b.q[i]);
    if (b.text) bri_free(b.text[i]);
  }
  bri_free(b.text), bri_free(b.q), bri_free(b.r), bri_free(b.parts);
  return st;
}
