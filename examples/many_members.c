/* SPDX-License-Identifier: Apache-2.0
 * many_members.c - forty blocks pulled through springs of different stiffness, at once in vector lanes: which
 * of them stick? */
#include <stdio.h>

#include "bristle/bristle.h"

enum { MEMBERS = 40 };

int main(void)
{
  static double k[MEMBERS], x[MEMBERS * 8], stuck[MEMBERS];
  static br_status status[MEMBERS];
  const br_system *sys = br_system_find("pulled_block");
  const br_model *mod = br_model_find("lugre");
  br_params *params = NULL;
  br_param_table tables[BR_PLANT_TABLES];
  br_param rows[8];
  br_err err = {BR_OK, -1, ""};
  const size_t n = br_plant_tables(sys, mod, rows, tables);
  if (br_params_create_tables(tables, n, &params, &err) ||
      br_params_set_list(params, "m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1",
                         &err) ||
      br_params_finish(params, &err))
    return fprintf(stderr, "%s\n", err.msg), 1;
  size_t slot = 0;
  for (size_t i = 0; i < sys->nparam; i++)
    if (sys->params[i].name[0] == 'k') slot = sys->params[i].slot;
  for (int i = 0; i < MEMBERS; i++) k[i] = 1 + i;
  const br_member_value vary = {BR_MEMBER_SYSTEM, slot, k};
  const br_ensemble_input pull = {0.5, 0, 0, 0};
  br_ensemble e = br_ensemble_default();
  e.sys = sys, e.mod = mod, e.threads = 1;
  e.spar = br_params_block(params, "system"), e.mpar = br_params_block(params, "model");
  e.inputs = &pull, e.vary = &vary, e.nvary = 1, e.members = MEMBERS;
  e.t1 = 5, e.stick_speed = 5e-3;
  if (!br_ensemble_stamped(sys, mod) || br_ensemble_nstate(&e) > 8 || br_ensemble_check(&e, &err))
    return fprintf(stderr, "no lanes: %s\n", err.msg), 1;
  char card[120];
  e.gpu = br_ensemble_gpus(sizeof card, card) > 0; /* same bits, with or without */
  br_ensemble_result out = {.status = status, .x = x, .stuck = stuck};
  if (br_ensemble_run(&e, &out, &err)) return fprintf(stderr, "%s\n", err.msg), 1;
  for (int i = 0; i < MEMBERS; i += 13)
    printf("k = %2.0f N/m: %s, %.3g s at rest, l = %.5g m\n", k[i], br_status_text(status[i]), stuck[i],
           x[(size_t)i * br_ensemble_nstate(&e)]);
  br_params_destroy(params);
  return 0;
}
