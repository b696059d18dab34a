/* SPDX-License-Identifier: Apache-2.0
 * analysis_design.c - analysis 'fit' asked for an experiment: a motion for a model and rough parameters, what
 * it will tell. */
#include "analysis_parts.h"
#include "text/fail.h"

br_status bri_fit_design_check(const br_job *job, br_err *err)
{
  static const char *const NEEDED[] = {"stroke", "speed", "t-end"};
  if (br_job_text(job, "file"))
    return bri_fail(err, BR_E_ARG, "%sdesign proposes an experiment and reads no FILE", br_job_dash(job));
  for (size_t i = 0; i < sizeof NEEDED / sizeof NEEDED[0]; i++)
    if (!br_job_given(job, NEEDED[i]))
      return bri_fail(err, BR_E_ARG, "%sdesign needs %s%s: what the machine can do", br_job_dash(job),
                      br_job_dash(job), NEEDED[i]);
  if (!br_job_given(job, "model"))
    return bri_fail(err, BR_E_ARG, "%sdesign needs %smodel NAME", br_job_dash(job), br_job_dash(job));
  return BR_OK;
}

static br_status put_curve(const br_design_facts *f, br_sink *out, br_err *err)
{
  static const br_column COLUMNS[] = {{"t", "s"}, {"u", "m"}, {"v", "m/s"}, {"F", "N"}};
  const br_table_head head = {"design", BR_TABLE_MAIN | BR_TABLE_FILE, 4, COLUMNS, f->n};
  if (!br_sink_wants(out, "design")) return BR_OK;
  br_status st = br_put_table(out, &head, err);
  for (size_t k = 0; k < f->n && !st; k++) {
    const double row[] = {f->t[k], f->u[k], f->v[k], f->F[k]};
    st = br_put_row(out, row, err);
  }
  return st ? st : br_put_end(out, err);
}

br_status bri_fit_design_run(const br_job *job, br_sink *out, br_err *err)
{
  const br_design_options o = {.model = br_job_text(job, "model"),
                               .values = br_job_text(job, "start"),
                               .fix = br_job_text(job, "fix"),
                               .stroke = br_job_number(job, "stroke"),
                               .speed = br_job_number(job, "speed"),
                               .t_end = br_job_number(job, "t-end"),
                               .noise = br_job_number(job, "noise"),
                               .seed = (unsigned long)br_job_count(job, "seed"),
                               .stop = out->stop};
  br_design *d = NULL;
  size_t n = 0;
  const br_status st = br_design_create(&o, &d, err);
  if (st) return st;
  const br_design_facts f = br_design_get(d);
  const br_fit_value *values = br_design_values(d, &n);
  br_put_text(out, o.model, "model");
  br_put_text(out, br_design_input(d), "design.input");
  br_put_text(out, f.kind, "design.kind");
  br_put_number(out, "1", f.log_det, "design.log_det");
  br_put_number(out, "1", f.log_det_sine, "design.log_det_sine");
  br_put_number(out, "1", f.gain, "design.gain");
  br_put_number(out, "m", f.stroke, "design.stroke");
  br_put_number(out, "m/s", f.speed, "design.speed");
  br_put_number(out, "N", f.noise, "design.noise");
  br_put_number(out, "1", (double)f.n, "design.samples");
  br_put(out, BR_VALUE_OBJECT, 0, "parameters");
  bri_fit_put_values(out, values, n, 0);
  const br_status put = put_curve(&f, out, err);
  br_design_destroy(d);
  return put;
}
