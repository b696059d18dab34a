/* SPDX-License-Identifier: Apache-2.0
 * run.c - the runner: every run of a study, then what is made from their tables.
 * Pictures, HDF5 and reports are made from the CSV files and records, never from memory: a resumed study
 * goes the same way as a fresh one and has the same bits. */
#define _POSIX_C_SOURCE 200809L /* mkdir, opendir */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis.h"
#include "bristle/version.h"
#include "report/hdf5.h"

static const double RUNS_PART = 0.9; /* of the progress; the rest is drawing */

br_study_options br_study_options_default(void)
{
  br_study_options o;
  memset(&o, 0, sizeof o);
  o.size = sizeof o;
  o.folder = "results";
  o.hdf5 = -1;
  o.png = -1;
  o.plots = 1;
  return o;
}

/* Every folder of the path that is missing. */
static br_status make_folder(const char *path, br_err *err)
{
  char part[BRI_STUDY_PATH];
  if (strlen(path) + 160 >= sizeof part)
    return bri_text_fail(err, BR_E_SIZE, -1, "results: the path is too long");
  (void)snprintf(part, sizeof part, "%s", path);
  for (char *p = part + 1;; p++) {
    const char keep = *p;
    if (keep != '/' && keep != '\0') continue;
    *p = '\0';
    if (mkdir(part, 0777) != 0 && errno != EEXIST)
      return bri_text_fail(err, BR_E_IO, -1, "cannot make folder '%s': %s", part, strerror(errno));
    if (keep == '\0') return BR_OK;
    *p = keep;
  }
}

/* What a killed run left behind under temporary names. */
static void remove_parts(const br_study *s)
{
  DIR *d = opendir(s->folder);
  if (!d) return;
  for (const struct dirent *e = readdir(d); e; e = readdir(d)) {
    const size_t n = strlen(e->d_name);
    char path[BRI_STUDY_PATH];
    if (n < 6 || n > 255 || strcmp(e->d_name + n - 5, ".part") != 0) continue;
    bri_study_path(s, e->d_name, path);
    (void)remove(path);
  }
  (void)closedir(d);
}

static br_status run_one(br_study *s, bri_run *r, const br_study_options *opt, double from, double to,
                         br_err *err)
{
  char key[BRI_SHA_TEXT];
  br_err why = {BR_OK, -1, ""};
  r->res.nquantities = r->res.ntables = 0;
  r->res.done = 0;
  br_status st = bri_run_key(s, r, key, err);
  if (st) return st;
  if (opt->resume && bri_record_load(s, r, key)) {
    r->res.done = 1;
    return BR_OK;
  }
  bri_sink *out = bri_sink_create(s, r, opt, from, to);
  if (!out) return bri_text_fail(err, BR_E_NOMEM, -1, "%s: out of memory", s->name);
  st = bri_sink_alive(out, 0);
  if (!st) st = r->an->run(r, out, &why);
  if (!st) st = bri_sink_finish(out, &why);
  bri_sink_destroy(out);
  if (!st) st = bri_record_save(s, r, key, &why);
  if (st < 0) return bri_text_fail(err, st, -1, "%s: run '%s': %.180s", s->name, r->name, why.msg);
  r->res.done = !st;
  return st;
}

static int wanted(const br_study *s, const char *what, int option)
{
  const bri_node *e = bri_node_find(bri_node_find(s->root, "output"), what);
  return option < 0 ? e && strcmp(e->text, "yes") == 0 : option;
}

/* All tables in one HDF5 file, the study inside. */
static br_status write_hdf5(const br_study *s, br_err *err)
{
  char path[BRI_STUDY_PATH], csv[BRI_STUDY_PATH], group[160];
  bri_buf text = {0};
  bri_hdf5 *h = NULL;
  bri_node_print(&text, s->root, 0);
  bri_study_path(s, "results.h5", path);
  br_status st =
      text.failed ? bri_text_fail(err, BR_E_NOMEM, -1, "out of memory") : bri_hdf5_create(path, &h, err);
  if (!st) st = bri_hdf5_attribute(h, "/", "study", text.text, err);
  if (!st) st = bri_hdf5_attribute(h, "/", "title", s->title, err);
  if (!st) st = bri_hdf5_attribute(h, "/", "bristle", br_version(), err);
  for (size_t i = 0; i < s->nruns && !st; i++) {
    const bri_run *r = &s->runs[i];
    (void)snprintf(group, sizeof group, "%s", r->name);
    st = bri_hdf5_group(h, group, err);
    if (!st) st = bri_hdf5_attribute(h, group, "analysis", r->an->face.name, err);
    if (!st) st = bri_hdf5_attribute(h, group, "model", r->m->name, err);
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

br_status br_study_run(br_study *s, const br_study_options *opt, br_err *err)
{
  const br_study_options defaults = br_study_options_default();
  if (!s || s->notes.n || !s->nruns)
    return bri_text_fail(err, BR_E_ARG, -1, "br_study_run: no study, or one with errors");
  const br_study_options *o = opt ? opt : &defaults;
  s->folder = bri_arena_text(s->arena, o->folder, strlen(o->folder));
  if (!s->folder) return bri_text_fail(err, BR_E_NOMEM, -1, "%s: out of memory", s->name);
  br_status st = make_folder(s->folder, err);
  if (st) return st;
  remove_parts(s);
  st = bri_study_save_as_run(s, err);
  for (size_t i = 0; i < s->nruns && !st; i++) {
    const double n = (double)s->nruns;
    st = run_one(s, &s->runs[i], o, RUNS_PART * (double)i / n, RUNS_PART * (double)(i + 1) / n, err);
  }
  if (!st) st = bri_study_judge(s, err);
  if (!st && o->plots) {
    br_study_options drawing = *o;
    drawing.png = wanted(s, "png", o->png);
    st = bri_study_draw(s, &drawing, err);
  }
  if (!st && wanted(s, "hdf5", o->hdf5)) st = write_hdf5(s, err);
  if (!st) st = bri_manifest_save(s, o, err);
  if (!st && o->progress) o->progress(o->ctx, 1, s->name);
  return st;
}
