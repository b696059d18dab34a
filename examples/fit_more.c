/* SPDX-License-Identifier: Apache-2.0
 * fit_more.c - an experiment designed for a model; one fit to two records that share a parameter; a fit to
 * the motion of a mechanism whose force is known. */
#include <stdio.h>

#include "bristle/bristle.h"

enum { N = 1500, M = 300 };

static void show(const char *what, const br_fit_value *v, size_t n)
{
  printf("%s:", what);
  for (size_t i = 0; i < n; i++) printf(" %s = %.5g %s", v[i].name, v[i].value, v[i].unit ? v[i].unit : "");
  printf("\n");
}

/* What a rig measures with a Dahl element of this level under the motion u. */
static void measure(double Fc, const double *u, double h, double *F)
{
  const br_model *m = br_model_find("dahl");
  double par[64], z[1] = {0}, dz[1];
  m->defaults(par);
  par[br_model_param(m, "sigma0")->slot] = 2e5, par[br_model_param(m, "Fc")->slot] = Fc;
  m->prepare(par);
  for (int k = 0; k < N; k++) {
    const double v = k + 1 < N ? (u[k + 1] - u[k]) / h : 0;
    m->rate(par, 1, &u[k], &v, z, dz);
    m->force(par, 1, &u[k], &v, z, dz, &F[k]);
    m->step(par, 1, &u[k], &v, h, z);
  }
}

static int together(const br_design_facts *plan, br_err *err)
{
  static double F[2][N];
  br_fit_joint *joint = NULL;
  br_fit_joint_options o = {.fit = br_fit_options_default(), .shared = "sigma0"};
  o.fit.model = "dahl", o.fit.threads = 1;
  for (int i = 0; i < 2; i++) measure(20.0 + 10 * i, plan->u, plan->t[1] - plan->t[0], F[i]);
  const br_fit_record records[] = {{N, plan->t, plan->u, F[0], NULL, NULL, 1},
                                   {N, plan->t, plan->u, F[1], NULL, NULL, 1}};
  if (br_fit_joint_create(records, 2, &o, &joint, err)) return 1;
  for (size_t i = 0; br_fit_joint_at(joint, i); i++)
    show("together", br_fit_joint_at(joint, i)->values, br_fit_joint_at(joint, i)->nvalues);
  printf("sigma0 shared: %d, Fc shared: %d; %.3g of the spread is left; %zu samples; %s\n",
         br_fit_joint_shared(joint, "sigma0"), br_fit_joint_shared(joint, "Fc"),
         br_fit_joint_get(joint).rel_test, br_fit_joint_curves(joint, 0).n,
         br_fit_joint_note(joint, 0, 0) ? br_fit_joint_note(joint, 0, 0) : "-");
  br_fit_joint_destroy(joint);
  return 0;
}

/* A mass that a known force pushes: friction from its velocity alone. */
static int moved(br_err *err)
{
  static double t[M], force[M], v[M];
  const br_system *sys = br_system_find("driven_block");
  br_motion_options o = br_motion_options_default();
  br_motion_fit *fit = NULL;
  br_job *job = NULL;
  br_result *r = NULL;
  if (br_job_create(br_analysis_find("simulate"), &job, err) ||
      br_job_set(job, "system", "driven_block", NULL, err) || br_job_set(job, "model", "dahl", NULL, err) ||
      br_job_set(job, "set", "m=2,sigma0=3000,Fc=1.5", NULL, err) ||
      br_job_set(job, "input", "sine:4N,1Hz", NULL, err) || br_job_set(job, "t-end", "2.99s", NULL, err) ||
      br_job_set(job, "output-dt", "10ms", NULL, err) || br_job_check(job, err) ||
      br_result_create(BR_TABLE_MAIN, &r, err))
    return 1;
  br_result_want(r, "simulate");
  br_sink out = br_result_sink(r);
  if (br_job_run(job, &out, err)) return 1;
  const br_result_table *table = br_result_tables(r, 0);
  size_t column = 0;
  if (!table || !table->data || table->rows < M) return 1;
  while (column < table->ncol && table->columns[column].name[0] != 'v') column++;
  br_signal *push = br_job_input(job, 0);
  for (int k = 0; k < M; k++) {
    t[k] = 0.01 * k, v[k] = table->data[(size_t)k * table->ncol + column];
    force[k] = br_signal_value(push, t[k]);
  }
  const double *inputs[] = {force};
  const br_motion_channel measured = {"velocity", v};
  const br_motion_record record = {M, t, sys, inputs, &measured, 1};
  o.model = "dahl", o.fix = "m=2", o.threads = 1, o.no_bias = 1;
  if (br_motion_fit_create(&record, &o, &fit, err)) return 1;
  show("from motion", br_motion_fit_at(fit, 0)->values, br_motion_fit_at(fit, 0)->nvalues);
  printf("v(1 s) = %.5g %s, measured %.5g; %s; %s\n", br_motion_fit_curve(fit, 0)[100],
         br_motion_fit_unit(fit, 0), v[100], br_motion_fit_note(fit, 0) ? br_motion_fit_note(fit, 0) : "-",
         br_motion_fit_warning(fit, 0) ? br_motion_fit_warning(fit, 0) : "no warning");
  const br_model *failed = NULL;
  for (size_t i = 0; br_motion_fit_left_out(fit, i, &failed); i++) printf("left out: %s\n", failed->name);
  br_motion_fit_destroy(fit);
  br_result_destroy(r);
  br_job_destroy(job);
  return 0;
}

int main(void)
{
  const br_design_options o = {
      .model = "dahl", .values = "sigma0=2e5,Fc=25", .stroke = 2e-3, .speed = 2e-2, .t_end = 3, .samples = N};
  br_design *design = NULL;
  br_err err = {BR_OK, -1, ""};
  size_t n = 0;
  if (br_design_create(&o, &design, &err)) return fprintf(stderr, "%s\n", err.msg), 1;
  const br_design_facts plan = br_design_get(design);
  const br_fit_value *expected = br_design_values(design, &n);
  printf("%s, %.3g times as telling as a sine: %.40s...\n", plan.kind, plan.gain, br_design_input(design));
  show("expected", expected, n);
  if (plan.n != N || together(&plan, &err) || moved(&err)) return fprintf(stderr, "%s\n", err.msg), 1;
  br_design_destroy(design);
  return 0;
}
