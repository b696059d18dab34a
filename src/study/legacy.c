/* SPDX-License-Identifier: Apache-2.0
 * legacy.c - analyses that are not in the catalogue yet: their tables of options as rows of a job, and what the job has
 * read as the run's blocks of numbers and texts. */
#include <math.h>
#include <string.h>

#include "analysis/job.h"
#include "ask.h"

static br_option row_of(const br_param *p)
{
  const int text = strcmp(p->unit, "text") == 0, bounded = isfinite(p->lo) || isfinite(p->hi);
  return (br_option){.name = p->name,
                     .kind = text             ? BR_OPTION_TEXT
                             : p->choices     ? BR_OPTION_CHOICE
                             : p->max_len > 1 ? BR_OPTION_LIST
                                              : BR_OPTION_NUMBER,
                     .lo_open = p->lo_open,
                     .unit = text ? NULL : p->unit,
                     .lo = bounded ? p->lo : 0,
                     .hi = !bounded          ? 0
                           : isfinite(p->hi) ? p->hi
                                             : p->lo - 1,
                     .choices = p->choices,
                     .doc = p->doc};
}

static void take_number(const br_job *job, const br_param *p, double *opt)
{
  size_t n = 0;
  const double *x = br_job_list(job, p->name, &n);
  opt[p->slot] = p->def;
  for (size_t k = 0; k < n && k < p->max_len; k++) opt[p->slot + k] = x[k];
  if (p->max_len > 1) opt[p->len_slot] = (double)n;
}

const br_analysis *bri_legacy_rows(br_study *s, const bri_analysis *an)
{
  br_analysis *a = bri_arena_get(s->arena, sizeof *a);
  br_option *rows = bri_arena_get(s->arena, (an->face.noptions + 1) * sizeof *rows);
  if (!a || !rows) return NULL;
  for (size_t i = 0; i < an->face.noptions; i++) rows[i] = row_of(&an->face.options[i]);
  *a = (br_analysis){.name = an->face.name,
                     .summary = an->face.summary,
                     .needs = BR_NEEDS_MODEL | BR_TAKES_INIT |
                              (an->face.wants_system ? (unsigned)BR_NEEDS_SYSTEM : 0u) |
                              (an->face.wants_input ? (unsigned)BR_NEEDS_INPUT : 0u) |
                              (an->axes > 1 ? (unsigned)BR_TAKES_TWO_AXES : 0u),
                     .options = rows,
                     .noptions = an->face.noptions};
  return a;
}

br_status bri_legacy_take(br_study *s, bri_run *r, br_err *err)
{
  static const double nothing[1] = {0};
  const br_section *a = &r->an->face;
  double *opt = bri_arena_get(s->arena, (r->an->slots + 1) * sizeof *opt);
  if (!opt) return bri_text_fail(err, BR_E_NOMEM, -1, "%s: out of memory", s->path);
  for (size_t i = 0; i < a->noptions; i++) {
    const br_param *p = &a->options[i];
    if (strcmp(p->unit, "text") != 0) take_number(r->job, p, opt);
    else if (br_job_given(r->job, p->name)) r->text[p->slot] = br_job_text(r->job, p->name);
  }
  r->opt = opt;
  r->sys = r->job->sys;
  r->params = r->job->params;
  r->par = r->job->par;
  if (r->sys) r->spar = r->sys->nparam ? br_params_block(r->params, "system") : nothing;
  r->held = r->job->held;
  for (size_t k = 0; k < r->job->ninput; k++) r->inputs[k] = r->job->inputs[k];
  r->ninput = r->job->ninput;
  r->plant = r->job->plant;
  r->nstate = r->job->nstate;
  r->z0 = r->job->start;
  return BR_OK;
}
