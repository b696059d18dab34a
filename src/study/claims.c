/* SPDX-License-Identifier: Apache-2.0
 * claims.c - which files a study reads and writes. */
#include "claims.h"

#include <stdio.h>
#include <string.h>

#include "study.h"
#include "analysis/job.h"

int bri_study_wants(const br_study *s, const char *what, int option)
{
  const bri_node *e = bri_node_find(bri_node_find(s->root, "output"), what);
  return option < 0 ? e && strcmp(e->text, "yes") == 0 : option;
}

int bri_study_uses(const br_study *s, const br_analysis *a)
{
  size_t i = 0;
  while (i < s->nruns && s->runs[i].an != a) i++;
  return i < s->nruns;
}

/* ---- in ---- */

/* Tables that pictures draw: `file` of a plot, a panel or a line. */
static void claim_drawn(const br_study *s, bri_claims *set, const bri_node *n)
{
  for (const bri_node *e = n && n->kind != BRI_SCALAR ? n->first : NULL; e; e = e->next) {
    claim_drawn(s, set, e);
    if (!e->key || strcmp(e->key, "file") != 0 || e->kind != BRI_SCALAR) continue;
    const char *path = bri_study_beside(s->arena, e->at.file, e->text, strlen(e->text));
    if (path) bri_claim_input(set, path, "a plot");
    else set->failed = 1;
  }
}

static void claim_inputs(const br_study *s, bri_claims *set)
{
  char what[96];
  for (const bri_study_file *f = s->files; f; f = f->next) bri_claim_input(set, f->path, "the study");
  const char *page = bri_study_beside(s->arena, s->path, "_report.yaml", strlen("_report.yaml"));
  if (page) bri_claim_input(set, page, "the report");
  else set->failed = 1;
  for (size_t i = 0; i < s->nruns; i++) {
    const bri_run *r = &s->runs[i];
    (void)snprintf(what, sizeof what, "run '%.60s'", r->name);
    bri_job_claim(r->job, set, what);
  }
  claim_drawn(s, set, bri_node_find(s->root, "plots"));
}

/* ---- out ---- */

static void claim_output(bri_claims *set, const char *folder, const char *file, const char *what)
{
  char path[BRI_STUDY_PATH];
  const int n = snprintf(path, sizeof path, "%s/%s", folder, file);
  if (n > 0 && (size_t)n < sizeof path) bri_claim_output(set, path, what);
}

static void claim_runs(const br_study *s, const char *folder, bri_claims *set)
{
  char file[160], what[96];
  for (size_t i = 0; i < s->nruns; i++) {
    const char *name = s->runs[i].name;
    (void)snprintf(what, sizeof what, "the results of run '%.40s'", name);
    (void)snprintf(file, sizeof file, "%s.json", name);
    claim_output(set, folder, file, what);
    (void)snprintf(file, sizeof file, "%.64s.csv", name);
    claim_output(set, folder, file, what);
    (void)snprintf(file, sizeof file, "%.64s-", name);
    bri_claim_outputs(set, folder, file, ".csv", what);
  }
}

static void claim_plot(const char *name, const char *folder, int png, bri_claims *set)
{
  char file[160], path[BRI_STUDY_PATH], what[96];
  (void)snprintf(what, sizeof what, "plot '%.40s'", name);
  (void)snprintf(file, sizeof file, "%.140s.png", name);
  if (png) claim_output(set, folder, file, what);
  const int n = snprintf(path, sizeof path, "%s/%.140s.svg", folder, name);
  if (n > 0 && (size_t)n < sizeof path) bri_claim_picture(set, path, what);
}

static void claim_plots(const br_study *s, const char *folder, int png, bri_claims *set)
{
  const bri_node *plots = bri_node_find(s->root, "plots");
  for (const bri_node *p = plots && plots->kind == BRI_MAP ? plots->first : NULL; p; p = p->next)
    claim_plot(p->key, folder, png, set);
  for (size_t i = 0; br_catalogue(i) && !(plots && plots->kind == BRI_MAP); i++)
    if (bri_study_uses(s, br_catalogue(i))) claim_plot(br_catalogue(i)->name, folder, png, set);
  for (size_t i = 0; i < s->nruns && s->nruns > 1 && !(plots && plots->kind == BRI_MAP); i++) {
    char name[160]; /* runs that do not fit into one picture */
    (void)snprintf(name, sizeof name, "%s-%.64s", s->runs[i].an->name, s->runs[i].name);
    claim_plot(name, folder, png, set);
  }
}

void bri_study_claim(const br_study *s, const char *folder, const br_study_options *opt, bri_claims *set)
{
  static const char *const FILES[][2] = {{"study.yaml", "the study as it was run"},
                                         {"manifest.json", "the manifest"},
                                         {"report.html", "the report"},
                                         {"report.md", "the report"}};
  claim_inputs(s, set);
  for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++)
    claim_output(set, folder, FILES[i][0], FILES[i][1]);
  claim_runs(s, folder, set);
  if (opt->plots) claim_plots(s, folder, bri_study_wants(s, "png", opt->png) > 0, set);
  if (bri_study_wants(s, "hdf5", opt->hdf5)) claim_output(set, folder, "results.h5", "the HDF5 file");
}
