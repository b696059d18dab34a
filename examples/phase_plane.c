/* SPDX-License-Identifier: Apache-2.0
 * phase_plane.c - a block under a constant force: equilibria, cycles, where they are born; the same for any
 * mechanism. */
#include <stdio.h>

#include "bristle/bristle.h"

static br_status count_curve(void *ctx, br_curve kind, const double *z, const double *v, size_t n)
{
  (void)kind, (void)z, (void)v;
  *(size_t *)ctx += n;
  return BR_OK;
}
static br_status count_branch(void *ctx, int stable, const double *s, const double *lo, const double *hi,
                              size_t n)
{
  (void)stable, (void)s, (void)lo, (void)hi;
  *(size_t *)ctx += n;
  return BR_OK;
}
static br_status count_event(void *ctx, const br_phase_event *event)
{
  (void)event;
  ++*(size_t *)ctx;
  return BR_OK;
}

static int block(const br_phase_problem *problem, br_err *err)
{
  br_phase *phase = NULL;
  br_equilibrium eq[BR_PHASE_MOST_EQUILIBRIA];
  br_phase_cycle cycles[BR_PHASE_MOST_CYCLES];
  br_phase_search search;
  size_t n = 0, points = 0, rows = 0;
  unsigned char cell[4];
  const double Z[] = {-0.2, 0.5}, V[] = {0.5, 3};
  if (br_phase_create(problem, "sigma1", 8, 9, &phase, err)) return 1;
  const br_phase_event *events = br_phase_events(phase, &n);
  for (size_t i = 0; i < n; i++)
    printf("%s at sigma1 = %.6g\n", br_phase_event_name(events[i].type), events[i].value);
  printf("case %s%s\n", br_phase_case(phase), br_phase_note(phase, 0) ? ", with notes" : "");
  if (br_phase_equilibria(phase, 8.45, BR_PHASE_MOST_EQUILIBRIA, eq, &n, err)) return 1;
  printf("%zu equilibria at 8.45, the first a %s at v = %.6g m/s\n", n, eq[0].type, eq[0].v);
  if (br_phase_cycles(phase, 8.45, BR_PHASE_MOST_CYCLES, cycles, &n, err) ||
      br_phase_cycles_searched(phase, 8.45, BR_PHASE_MOST_CYCLES, cycles, &n, &search, err))
    return 1;
  printf("%zu cycles, the first of period %.6g s\n", n, n ? cycles[0].period : 0);
  if (br_phase_portrait(phase, 8.45, count_curve, &points, err) ||
      br_phase_branches(phase, count_branch, &rows, err) ||
      br_phase_basins(phase, 8.45, 2, Z, 2, V, cell, err))
    return 1;
  printf("%zu points of the portrait, %zu of the branches; basins %d %d %d %d\n", points, rows, cell[0],
         cell[1], cell[2], cell[3]);
  br_phase_destroy(phase);
  if (br_phase_create_local(problem, "sigma1", 8, 9, &phase, err)) return 1; /* cycles are not looked for */
  printf("%s alone, in a hundredth of the time: sigma1 = %.6g\n",
         br_phase_event_name(br_phase_events(phase, &n)[0].type), br_phase_events(phase, &n)[0].value);
  br_phase_destroy(phase);
  return 0;
}

static int maps(const br_phase_problem *problem, br_err *err)
{
  const double v[] = {1, 2}, F[] = {5.6, 5.8};
  double lyapunov[4];
  br_phase_event found[8];
  unsigned char cell[4];
  char names[BR_CASE_NAMES][BR_CASE_NAME];
  const br_case_map_settings s = {
      .vary1 = "F", .vary2 = "sigma2", .a1 = 5.6, .b1 = 5.8, .a2 = 1.5, .b2 = 1.7, .n1 = 2, .n2 = 2};
  size_t n = 0, seen = 0;
  br_lag lag;
  if (br_phase_lag(problem->model, problem->par, 1, 0.5, 0.1, &lag, err) ||
      br_phase_hopf_diagram(problem, 2, v, 2, F, lyapunov, err) ||
      br_phase_generalized_hopf(problem, 5.2, 6, 8, found, &n, err))
    return 1;
  printf("lag %.3g s, %zu generalised Hopf points\n", lag.total, n);
  if (br_phase_case_map(problem, &s, cell, names, &n, err) ||
      br_phase_curves(problem, &s, count_event, &seen, err))
    return 1;
  printf("%zu cases on the map, the first cell is %s; %zu points of curves\n", n, names[cell[0]], seen);
  return 0;
}

static int any_mechanism(const br_phase_plant *plant, int slot, br_err *err)
{
  br_phase_steady all[8];
  br_phase_event hopf[4], folds[4];
  br_phase_doubt doubt;
  br_phase_branch_settings set = br_phase_branch_settings_default();
  br_phase_branch *branch = NULL, *again = NULL, *every[8];
  size_t n = 0, nhopf = 0, rows = 0, nevents = 0;
  const br_vary_where where = BR_VARY_MODEL;
  if (br_phase_steady_at(plant, where, slot, 8, &all[0], err) ||
      br_phase_steady_all(plant, where, slot, 8, 8, all, &n, err) ||
      br_phase_hopf_points(plant, where, slot, 8, 9, 4, hopf, &nhopf, err) ||
      br_phase_hopf_points_searched(plant, where, slot, 8, 9, 4, hopf, &nhopf, &doubt, err) ||
      br_phase_fold_points(plant, where, slot, 8, 9, 4, folds, &n, err) || !nhopf)
    return 1;
  set.max_rows = 8;
  if (br_phase_branch_from_hopf(plant, where, slot, 8, 9, &hopf[0], &set, &branch, err)) return 1;
  const br_phase_row *row = br_phase_branch_rows(branch, &rows);
  (void)br_phase_branch_events(branch, &nevents);
  printf("Hopf at %.6g; its branch has %zu rows and %zu events and ends by '%s'\n", hopf[0].value, rows,
         nevents, br_phase_end_name(br_phase_branch_end(branch, 1)));
  if (rows > 4 && br_phase_branch_from_cycle(plant, where, slot, 8, 9, row[4].value, row[4].x, row[4].period,
                                             &set, &again, err))
    return 1;
  if (br_phase_branch_all(plant, where, slot, 8.7, 8.9, &set, 8, every, &n, err)) return 1;
  printf("%zu branches in all\n", n);
  for (size_t i = 0; i < n; i++) br_phase_branch_destroy(every[i]);
  br_phase_branch_destroy(branch), br_phase_branch_destroy(again);
  return 0;
}

int main(void)
{
  const br_model *m = br_model_find("lugre");
  const br_system *sys = br_system_find("driven_block");
  br_params *p = NULL;
  br_err err = {BR_OK, -1, ""};
  double spar[16], held[] = {5.704};
  if (br_params_create(m, &p, &err) ||
      br_params_set_list(p, "sigma0=5,sigma1=8.25,sigma2=1.6,Fc=1,Fs=5,vs=2,delta=2", &err) ||
      br_params_finish(p, &err))
    return 1;
  sys->defaults(spar);
  if (sys->prepare) sys->prepare(spar);
  const br_phase_problem problem = {m, br_params_block(p, "model"), 1, 5.704, {NULL, NULL}};
  const br_phase_plant plant = {sys, spar, m, br_params_block(p, "model"), held, {NULL, NULL}};
  const int bad = block(&problem, &err) || maps(&problem, &err) ||
                  any_mechanism(&plant, (int)br_model_param(m, "sigma1")->slot, &err);
  if (bad) (void)fprintf(stderr, "%s\n", err.msg);
  br_params_destroy(p);
  return bad;
}
