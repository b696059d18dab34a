/* SPDX-License-Identifier: Apache-2.0
 * run.c - the runner: every run of a study, then what is made from their tables.
 * Pictures, HDF5 and reports are made from the CSV files and records, never from memory: a resumed study
 * goes the same way as a fresh one and has the same bits. */
#include <stdio.h>
#include <string.h>

#include "study.h"
#include "bristle/version.h"
#include "claims.h"
#include "report/hdf5.h"
#include "text/file.h"
#include "text/path.h"

static const double RUNS_PART = 0.9; /* of the progress; the rest is drawing */

br_study_options br_study_options_default(void)
{
  return (br_study_options){.folder = "results", .hdf5 = -1, .png = -1, .plots = 1};
}

static br_status run_one(br_study *s, bri_run *r, const br_study_options *opt, double from, double to,
                         br_err *err)
{
  char key[BRI_SHA_TEXT];
  br_err why = {BR_OK, -1, ""};
  r->res.nquantities = r->res.ntables = 0;
  br_status st = bri_run_key(s, r, key, err);
  if (st) return st;
  if (opt->resume && bri_record_load(s, r, key)) return BR_OK;
  st = bri_run_answer(s, r, opt, from, to, &why);
  if (!st) st = bri_record_save(s, r, key, &why);
  if (st < 0) return bri_fail(err, st, "%s: run '%s': %.180s", s->name, r->name, why.msg);
  return st;
}

/* All tables in one HDF5 file, the study inside. */
static br_status write_hdf5(const br_study *s, br_err *err)
{
  char path[BRI_STUDY_PATH], csv[BRI_STUDY_PATH], group[160];
  bri_buf text = {0};
  bri_hdf5 *h = NULL;
  bri_node_print(&text, s->root, 0);
  bri_study_path(s, "results.h5", path);
  br_status st = text.failed ? bri_study_no_memory(s, err) : bri_hdf5_create(path, &h, err);
  if (!st) st = bri_hdf5_attribute(h, "/", "study", text.text, err);
  if (!st) st = bri_hdf5_attribute(h, "/", "title", s->title, err);
  if (!st) st = bri_hdf5_attribute(h, "/", "bristle", br_version(), err);
  for (size_t i = 0; i < s->nruns && !st; i++) {
    const bri_run *r = &s->runs[i];
    (void)snprintf(group, sizeof group, "%s", r->name);
    st = bri_hdf5_group(h, group, err);
    if (!st) st = bri_hdf5_attribute(h, group, "analysis", r->an->name, err);
    if (!st) st = bri_hdf5_attribute(h, group, "model", bri_run_model(r), err);
    for (size_t k = 0; k < r->res.nquantities && !st; k++) {
      const bri_quantity *q = &r->res.quantities[k];
      if (q->text) st = bri_hdf5_attribute(h, group, q->name, q->text, err);
      else if (q->shown) st = bri_hdf5_number(h, group, q->name, q->value, err);
    }
    for (size_t k = 0; k < r->res.ntables && !st; k++) {
      const bri_table *t = &r->res.tables[k];
      (void)snprintf(group, sizeof group, "%.64s/%.64s", r->name, t->name);
      bri_study_path(s, t->file, csv);
      st = bri_hdf5_table(h, group, csv, t->rows, err);
    }
  }
  bri_buf_free(&text);
  if (st) {
    bri_hdf5_abort(h);
    return st;
  }
  return bri_hdf5_close(h, err);
}

/* The folder is there, it is ours, nothing that the study reads will be written, and what killed runs have
 * left is gone. */
static br_status take_folder(br_study *s, const br_study_options *o, br_err *err)
{
  bri_claims files = {0};
  bri_lock_release(&s->lock);
  if (strlen(o->folder) + 160 >= BRI_STUDY_PATH)
    return bri_fail(err, BR_E_SIZE, "results: the path is too long");
  s->folder = bri_arena_text(s->arena, o->folder, strlen(o->folder));
  if (!s->folder) return bri_study_no_memory(s, err);
  bri_study_claim(s, o->folder, o, &files);
  br_status st = bri_claims_check(&files, err);
  bri_claims_free(&files);
  if (st) return st;
  const int why = bri_path_make(s->folder);
  if (why) return bri_fail(err, BR_E_IO, "cannot make folder '%.160s': %s", s->folder, strerror(why));
  st = bri_lock_take(s->folder, &s->lock, err);
  if (!st) bri_temps_sweep(s->folder);
  return st;
}

br_status br_study_run(br_study *s, const br_study_options *opt, br_err *err)
{
  const br_study_options defaults = br_study_options_default();
  if (!s || s->notes.n || !s->nruns)
    return bri_fail(err, BR_E_ARG, "br_study_run: no study, or one with errors");
  const br_study_options *o = opt ? opt : &defaults;
  br_status st = take_folder(s, o, err);
  if (!st) st = bri_study_save_as_run(s, err);
  for (size_t i = 0; i < s->nruns && !st; i++) {
    const double n = (double)s->nruns;
    st = run_one(s, &s->runs[i], o, RUNS_PART * (double)i / n, RUNS_PART * (double)(i + 1) / n, err);
  }
  if (!st) st = bri_study_judge(s, err);
  if (!st && o->plots) {
    br_study_options drawing = *o;
    drawing.png = bri_study_wants(s, "png", o->png);
    st = bri_study_draw(s, &drawing, err);
  }
  if (!st && bri_study_wants(s, "hdf5", o->hdf5)) st = write_hdf5(s, err);
  if (!st) st = bri_manifest_save(s, o, err);
  if (!st && o->progress) o->progress(o->ctx, 1, s->name);
  return st;
}
