/* SPDX-License-Identifier: Apache-2.0
 * mechanisms_in_time.c - a block pulled through a spring: run, events, energies, its stick-slip cycle; Newton
 * on any map. */
#include <stdio.h>

#include "bristle/bristle.h"

static int halve(void *ctx, const double *x, double *out)
{
  (void)ctx;
  out[0] = 0.5 * x[0] + 1; /* its fixed point is 2 */
  return 0;
}

static int on_event(void *ctx, const br_event *event)
{
  size_t *count = (size_t *)ctx;
  (void)event;
  ++*count;
  return 0;
}

int main(void)
{
  static const char SET[] = "m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1,vp=2";
  const br_system *sys = br_system_find("pulled_block");
  const br_model *mod = br_model_find("lugre");
  br_param inputs[4];
  br_param_table tables[BR_PLANT_TABLES];
  br_params *p = NULL;
  br_plant *plant = NULL, *same = NULL;
  br_solver *solver = NULL;
  br_signal *ramp = NULL;
  br_err err = {BR_OK, -1, ""};
  double x[8] = {0}, F[4], dx[8], lo[8], hi[8], x0[8];
  size_t events = 0;

  /* Parameters of mechanism, model and inputs in one list. */
  const size_t ntables = br_plant_tables(sys, mod, inputs, tables);
  if (br_params_create_tables(tables, ntables, &p, &err) || br_params_set_list(p, SET, &err) ||
      br_params_finish(p, &err) || br_signal_parse("ramp:0", &ramp, &err)) {
    (void)fprintf(stderr, "%s\n", err.msg);
    return 1;
  }
  const br_drive driven = br_drive_signal(ramp); /* an input may be a signal instead */
  br_drive drives[4] = {{.value = 2}};
  const double *blocks[] = {br_params_block(p, "model")};
  if (br_plant_of(sys, mod, p, drives, &plant, &err) ||
      br_plant_create_each(sys, br_params_block(p, "system"), mod, blocks, drives, &same, &err))
    return 1;
  printf("%zu states, the first is %s in %s; v is number %d; %zu contact, its velocity is state %d; period "
         "of the ramp %g s\n",
         br_plant_nstate(plant), br_plant_state(plant, 0), br_plant_unit(plant, 0),
         br_plant_index(plant, "v"), br_plant_ncontact(plant), br_plant_velocity(plant, 0), driven.period);

  br_solve_settings set = br_solve_settings_default();
  set.energy = set.extremes = 1;
  set.on_event = on_event, set.ctx = &events;
  if (br_solver_create(plant, &set, &solver, &err) || br_solver_start(solver, 0, x, &err) ||
      br_solver_advance(solver, 10, x, &err))
    return 1;
  br_solver_state(solver, x), br_solver_force(solver, F), br_solver_rate(solver, dx),
      br_solver_extremes(solver, lo, hi);
  br_solver_shown(solver, x0);
  printf("t = %g s: l = %.6g m, F = %.6g N, dv/dt = %.3g; v up to %.4g m/s; %zu events in %zu steps; energy "
         "residual %.1e J\n",
         br_solver_time(solver), x[0], F[0], dx[1], hi[1], events, br_solver_stats(solver).steps,
         br_solver_energy(solver).residual);

  br_cycle cycle;
  br_cycle_settings cs = br_cycle_settings_default();
  set.on_event = NULL;
  for (int i = 0; i < 8; i++) x[i] = 0;
  if (br_cycle_find(plant, &set, &cs, x, &cycle, x0, lo, hi, &err)) return 1;
  printf("stick-slip: period %.6g s, at rest %.1f %% of it\n", cycle.period, 100 * cycle.stick_fraction);

  br_newton_settings ns = br_newton_settings_default();
  double point = 0, scale = 1, work[64], jac[1], residual = 0;
  if (br_map_newton_work(1) > 64 ||
      br_map_newton(halve, NULL, 1, &point, &scale, &ns, work, jac, &residual, &err))
    return 1;
  printf("fixed point %.6g, slope %.6g\n", point, jac[0]);
  br_solver_destroy(solver);

  /* The normal load of contact 0 follows a signal; from t = 1 s on the plant is another one, which it then
   * owns. */
  br_signal *load = NULL;
  if (br_signal_parse("sine:0.5,1,0,1", &load, &err)) return 1;
  const br_drive presses = br_drive_signal(load);
  if (br_plant_load(plant, 0, &presses, &err) || br_plant_load(same, 0, &presses, &err) ||
      br_plant_switch(plant, 1, same, &err) || br_solver_create(plant, &set, &solver, &err) ||
      br_solver_start(solver, 0, NULL, &err) || br_solver_advance(solver, 2, x, &err))
    return 1;
  printf("under a load that varies: l = %.6g m\n", x[0]);
  br_solver_destroy(solver);

  /* Friction that depends on the place: the signal's time is the position of the contact. */
  br_plant *rough = NULL;
  if (br_plant_of(sys, mod, p, drives, &rough, &err) || br_plant_load_along(rough, 0, &presses, &err) ||
      br_solver_create(rough, &set, &solver, &err) || br_solver_start(solver, 0, NULL, &err) ||
      br_solver_advance(solver, 2, x, &err))
    return 1;
  printf("on a rough track: l = %.6g m\n", x[0]);
  br_solver_destroy(solver);
  br_plant_destroy(rough);
  br_signal_destroy(load);
  br_plant_destroy(plant);
  br_signal_destroy(ramp);
  br_params_destroy(p);
  return 0;
}
