/* SPDX-License-Identifier: Apache-2.0
 * models_and_batch.c - models by name, parameters by name, many elements at once. */
#include <stdio.h>
#include <stdlib.h>

#include "bristle/bristle.h"

enum { LANES = 100, STEPS = 500 };

/* Parameters: by list, by number, read back, checked, prepared. */
static br_params *parameters(const br_model *m, br_err *err)
{
  br_params *p = NULL;
  const double Fc = 1.0;
  double values[4];
  char name[64], range[64];
  size_t n = 0;
  if (br_params_create(m, &p, err) || br_params_ground(p, "vs=1 cm/s", err) || /* a default of one's own */
      br_params_set_list(p, "sigma0=2 N/mm,Fs=1.5", err) || br_params_set(p, "Fc", &Fc, 1, err) ||
      br_params_get(p, "sigma0", 4, values, &n, err) || br_params_finish(p, err)) {
    br_params_destroy(p);
    return NULL;
  }
  const br_param *row = br_params_row(p, "sigma0");
  printf("%s = %g %s, given: %d, must be %s\n", row->name, values[0], row->unit, br_params_given(p, "sigma0"),
         br_param_range(row, sizeof range, range));
  for (size_t i = 0; br_params_at(p, i, sizeof name, name); i++) printf("%s%s", i ? " " : "", name);
  printf("\n");
  return p;
}

/* Rows may be choices or formulas; tables of one's own are read the same way. */
static int other_rows(br_err *err)
{
  static const br_param ROWS[] = {{.name = "side",
                                   .unit = "1",
                                   .doc = "which",
                                   .choices = "left|right",
                                   .lo = 0,
                                   .hi = 1,
                                   .slot = 0,
                                   .max_len = 1}};
  const br_param_table table = {"own", "example", ROWS, 1, 1, 0, NULL, NULL, NULL, NULL, NULL};
  const br_param_table of_model = br_param_table_of(br_model_find("dahl"));
  br_params *p = NULL;
  size_t len = 0;
  if (br_params_create_tables(&table, 1, &p, err) || br_params_set_list(p, "side=right", err) ||
      br_params_finish(p, err))
    return 1;
  const double *block = br_params_block(p, "own");
  const char *word = br_param_choice(&ROWS[0], (size_t)block[0], &len);
  printf("%zu choices, taken: %.*s; a formula: %s; dahl has %zu rows\n", br_param_choices(&ROWS[0]), (int)len,
         word, br_param_formula(&ROWS[0]) ? "yes" : "no", of_model.nrows);
  br_params_destroy(p);
  return 0;
}

int main(void)
{
  size_t nmodels = 0, nsystems = 0;
  br_err err;
  const br_model *const *all = br_models(&nmodels), *m = br_model_find("lugre");
  (void)br_systems(&nsystems);
  printf("%zu models from %s on, %zu mechanisms, among them %s\n", nmodels, all[0]->name, nsystems,
         br_system_find("pulled_block")->title);
  printf("%s in %s\n", br_model_param(m, "sigma0")->doc, br_model_param(m, "sigma0")->unit);
  br_params *p = parameters(m, &err);
  if (!p || other_rows(&err)) return 1;

  /* LANES elements with the same parameters, each with a velocity of its own; f64, then f32. */
  static double v[STEPS * LANES], F[STEPS * LANES];
  static float vf[STEPS * LANES], Ff[STEPS * LANES];
  for (size_t k = 0; k < STEPS; k++)
    for (size_t l = 0; l < LANES; l++)
      v[k * LANES + l] = 1e-4 * (double)(l + 1), vf[k * LANES + l] = (float)v[k * LANES + l];
  br_batch b;
  for (int single = 0; single < 2; single++) {
    const br_precision kind = single ? BR_F32 : BR_F64;
    const size_t size = br_batch_size(m, kind, LANES, 1);
    void *mem = aligned_alloc(64, (size + 63) / 64 * 64);
    if (!mem || br_batch_init(&b, m, kind, LANES, 1, br_params_block(p, "model"), NULL, mem, size)) return 1;
    if (single ? br_batch_run_f32(&b, BR_STRICT, STEPS, 1e-3f, vf, Ff)
               : br_batch_run_f64(&b, BR_STRICT, STEPS, 1e-3, v, F))
      return 1;
    printf("lane 7 on %s: F = %.6g N, z = %.6g m at %.3g m\n", br_isa_name(),
           single ? (double)Ff[(STEPS - 1) * LANES + 7] : F[(STEPS - 1) * LANES + 7],
           br_batch_state(&b, 7, 0), br_batch_position(&b, 7, 0));
    free(mem);
  }
  if (br_isa_limit("base") || br_isa_limit(NULL)) return 1; /* the slowest code, then the fastest again */

  /* One long path of one element: blocks of samples in parallel. */
  double z = 0;
  if (br_lugre_path_f64(br_params_block(p, "model"), 1.0, BR_STRICT, STEPS, 1e-3, v, &z, F)) return 1;
  printf("after a path of %d samples z = %.6g m\n", STEPS, z);
  br_params_destroy(p);
  return 0;
}
