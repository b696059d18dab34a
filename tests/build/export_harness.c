/* SPDX-License-Identifier: Apache-2.0
 * export_harness.c - an exported controller on the library's plant, as rows of text; see test_export.sh,
 * which makes cases.h: the exported headers and CASES(X), X(name) for each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/control.h"
#include "bristle/param.h"
#include "bristle/text.h"
#include "cases.h"

typedef struct {
  const char *name;
  void (*reset)(br_control_memory *);
  double (*update)(br_control_memory *, const br_control_ref *, const br_control_meas *, double);
  int (*selftest)(void);
} entry;
#define ROW(name) {#name, name##_reset, name##_update, name##_selftest},
static const entry entries[] = {CASES(ROW)};

typedef struct {
  const entry *e;
  br_control_memory memory;
} job;

static double update(void *ctx, const br_control_ref *ref, const br_control_meas *meas, double h)
{
  job *j = (job *)ctx;
  return j->e->update(&j->memory, ref, meas, h);
}

static int on_row(void *ctx, const br_control_row *r)
{
  const double x[6] = {r->t, r->r, r->y, r->r - r->y, r->u, r->F};
  char text[BR_DOUBLE_TEXT];
  (void)ctx;
  for (int i = 0; i < 6; i++) {
    (void)br_format_double(x[i], text);
    printf("%s%s", text, i < 5 ? "," : "\n");
  }
  return 0;
}

static int give_up(const br_err *err)
{
  fprintf(stderr, "%s\n", err->msg);
  return 1;
}

/* harness NAME SYSTEM MODEL SET TRACKED REFERENCE T_END SAMPLE NOISE DELAY; harness alone: all self-tests. */
int main(int argc, char **argv)
{
  if (argc < 11) {
    int bad = 0;
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
      if (entries[i].selftest())
        printf("selftest of %s: row %d\n", entries[i].name, entries[i].selftest()), bad = 1;
    return bad;
  }
  job j;
  memset(&j, 0, sizeof j);
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
    if (strcmp(entries[i].name, argv[1]) == 0) j.e = &entries[i];
  const br_system *s = br_system_find(argv[2]);
  const br_model *m = br_model_find(argv[3]);
  if (!j.e || !s || !m) return 2;
  const br_param_table t[2] = {br_param_table_of(m),
                               {"system", s->name, s->params, s->nparam, s->slots, 0, s->defaults, s->check,
                                s->prepare, NULL, s->initial}};
  br_params *p = NULL;
  br_signal *ref = NULL;
  br_err err;
  if (br_params_create_tables(t, 2, &p, &err) || br_params_set_list(p, argv[4], &err) ||
      br_params_finish(p, &err) || br_signal_parse(argv[6], &ref, &err))
    return give_up(&err);
  size_t tracked = 0;
  for (size_t i = 0; i < s->nrows; i++)
    if (strcmp(s->states[i].name, argv[5]) == 0) tracked = i;
  /* the controller of the study only tells what is tracked */
  br_controller c;
  br_control_settings set = br_control_settings_default(BR_CONTROL_PI);
  double *pair = (double *)calloc(2 * m->slots, sizeof *pair), noise[BR_CONTROL_MAX_Q] = {0};
  if (!pair) return 1;
  if (br_control_init(&c, &set, s, br_params_block(p, "system"), m, br_params_block(p, "model"), pair,
                      tracked, &err))
    return give_up(&err);
  br_control_case run = br_control_case_default();
  br_control_result result;
  run.sys = s, run.spar = br_params_block(p, "system"), run.mod = m, run.mpar = br_params_block(p, "model");
  run.reference = ref, run.t_end = atof(argv[7]), run.sample = run.output_dt = atof(argv[8]);
  noise[c.iv] = atof(argv[9]), run.delay = atof(argv[10]);
  if (noise[c.iv] > 0) run.noise = noise;
  run.update = update, run.on_row = on_row, run.ctx = &j;
  j.e->reset(&j.memory);
  if (br_control_run(&run, &c, &result, &err)) return give_up(&err);
  br_signal_destroy(ref);
  br_params_destroy(p);
  free(pair);
  return 0;
}
