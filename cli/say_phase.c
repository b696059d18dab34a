/* SPDX-License-Identifier: Apache-2.0
 * say_phase.c - the answer of `bristle phase` on the screen. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"

static void say_branches(const br_result *r, const char *name)
{
  for (size_t i = 0; i < br_result_length(r, "cycle_from_rest_ends"); i++)
    (void)printf("  the cycle reached from rest ends at %s = %.7g\n", name,
                 say_real(r, "cycle_from_rest_ends.%zu", i));
  if (br_result_length(r, "equilibria") + br_result_length(r, "branches") + br_result_length(r, "events") ==
      0)
    (void)printf("  no sliding equilibrium and no cycle found: it comes to rest or runs away\n");
  for (size_t i = 0; i < br_result_length(r, "bistable"); i++)
    (void)printf("  sliding and a cycle are both stable for %s = %.9g to %.9g\n", name,
                 say_real(r, "bistable.%zu.0", i), say_real(r, "bistable.%zu.1", i));
  for (size_t i = 0; i < br_result_length(r, "branches"); i++)
    (void)printf("  branch of cycles: %.0f rows from %.9g (%s) to %.9g (%s)\n",
                 say_real(r, "branches.%zu.rows", i), say_real(r, "branches.%zu.from", i),
                 say_text(r, "branches.%zu.ends.0", i), say_real(r, "branches.%zu.to", i),
                 say_text(r, "branches.%zu.ends.1", i));
}

static void say_event(const br_result *r, size_t i, const char *name)
{
  const double v = say_real(r, "events.%zu.v", i), lyapunov = say_real(r, "events.%zu.lyapunov", i),
               saddle = say_real(r, "events.%zu.saddle_quantity", i),
               distance = say_real(r, "events.%zu.distance", i);
  const char *loop = say_text(r, "events.%zu.loop", i);
  (void)printf("  %-16s %s = %.10f", say_text(r, "events.%zu.type", i), name,
               say_real(r, "events.%zu.value", i));
  if (!isnan(v)) (void)printf("  v = %s", say_in(r, 9, "events.%zu.v", i));
  if (!isnan(lyapunov))
    (void)printf("  omega = %.9g 1/s  %s (%.6g)", say_real(r, "events.%zu.omega", i),
                 lyapunov > 0 ? "subcritical" : "supercritical", lyapunov);
  if (!isnan(saddle)) (void)printf("  saddle quantity %.9g 1/s", saddle);
  if (!isnan(distance)) (void)printf("  %.4g from its homoclinic orbit", distance);
  (void)printf("%s%s\n", loop[0] ? "  " : "", loop);
}

static void say_searched(const br_result *r, const char *name)
{
  for (size_t i = 0; i < br_result_length(r, "searched.notes"); i++)
    (void)printf("  note: %s\n", say_text(r, "searched.notes.%zu", i));
  for (size_t i = 0; i < br_result_length(r, "searched.cycles"); i++) {
    if (say_real(r, "searched.cycles.%zu.complete", i) != 0) continue;
    (void)printf("  note: at %s = %.9g the search for cycles ended early: some may be missing\n", name,
                 say_real(r, "searched.cycles.%zu.at", i));
  }
}

static void say_equilibrium(const br_result *r, size_t i, const char *name)
{
  char path[64];
  const int bare = isnan(say_real(r, "equilibria.%zu.z", i)); /* a law without states */
  (void)printf("  at %s = %.9g: %-5s v = %s, %s%s%s%s, eigenvalues", name,
               say_real(r, "equilibria.%zu.at", i), say_text(r, "equilibria.%zu.kind", i),
               say_in(r, 12, "equilibria.%zu.v", i),
               bare ? "" : "z = ", bare ? "" : say_in(r, 12, "equilibria.%zu.z", i), bare ? "" : ", ",
               say_text(r, "equilibria.%zu.type", i));
  (void)snprintf(path, sizeof path, "equilibria.%zu.eigenvalues", i);
  for (size_t k = 0; k < br_result_length(r, path); k++)
    (void)printf("%s %.6g%+.6gi", k ? "," : "", say_real(r, "%s.%zu.0", path, k),
                 say_real(r, "%s.%zu.1", path, k));
  (void)printf("\n");
}

static void say_cycle(const br_result *r, size_t i, const char *name)
{
  const int bare = isnan(say_real(r, "cycles.%zu.z_min", i));
  (void)printf("  at %s = %.9g: %s cycle, %s, period %.12g s, v %s to %s, %s%s%s%s%smultiplier %.6g\n", name,
               say_real(r, "cycles.%zu.at", i),
               say_real(r, "cycles.%zu.stable", i) != 0 ? "stable" : "unstable",
               say_text(r, "cycles.%zu.loop", i), say_real(r, "cycles.%zu.period", i),
               say_in(r, -9, "cycles.%zu.v_min", i), say_in(r, 9, "cycles.%zu.v_max", i), bare ? "" : "z ",
               bare ? "" : say_in(r, -9, "cycles.%zu.z_min", i), bare ? "" : " to ",
               bare ? "" : say_in(r, 9, "cycles.%zu.z_max", i), bare ? "" : ", ",
               say_real(r, "cycles.%zu.multiplier", i));
}

/* Where the branches of a saddle's manifolds come from or go to: stable ones are the separatrices. */
static void say_manifold(const br_result *r, size_t i, const char *name)
{
  const int stable = strcmp(say_text(r, "manifolds.%zu.kind", i), "stable") == 0;
  (void)printf("  at %s = %.9g: %s of the saddle %s %s%s\n", name, say_real(r, "manifolds.%zu.at", i),
               stable ? "separatrix (stable manifold)" : "unstable manifold",
               stable ? "comes from" : "goes to", say_text(r, "manifolds.%zu.end", i),
               strcmp(say_text(r, "manifolds.%zu.connection", i), "none") == 0 ? "" : ": heteroclinic");
}

/* Dimensionless groups, and the block of unit mass. */
static void say_scale(const br_result *r)
{
  static const char *const NAMES[] = {"Fc", "Fs", "F", "sigma1", "sigma2"};
  (void)printf(
      "  units of its own: %.9g s, %.9g m, %.9g N\n  in these:", br_result_real(r, "scale.units.time"),
      br_result_real(r, "scale.units.length"), br_result_real(r, "scale.units.force"));
  for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
    (void)printf(" %s = %.9g,", NAMES[i], say_real(r, "scale.groups.%s", NAMES[i]));
  (void)printf(" delta = %.9g\n  with m = 1 kg: sigma0 = %.9g", br_result_real(r, "scale.groups.delta"),
               br_result_real(r, "scale.unit_mass.sigma0"));
  for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
    (void)printf(", %s = %.9g", NAMES[i], say_real(r, "scale.unit_mass.%s", NAMES[i]));
  (void)printf("\n");
}

/* "sigma1=0.1:12" as it was given: the name, and the range as the answer has it. */
void say_phase(const br_job *job, const br_result *r)
{
  const char *vary = br_job_text(job, "vary"), *kind = br_result_text(r, "case");
  char name[80];
  (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(vary, "="), vary);
  (void)printf("%s along %s from %.9g to %.9g%s%s\n", br_job_model(job)->name, name,
               br_result_real(r, "from"), br_result_real(r, "to"), kind[0] ? ": case " : "", kind);
  if (br_result_kind(r, "lag") != BR_NODE_NONE)
    (void)printf(
        "  lag under imposed velocity: loop of the friction force %.9g W, of its elastic part %.9g W\n",
        br_result_real(r, "lag.total"), br_result_real(r, "lag.elastic"));
  if (br_result_kind(r, "lag_force") != BR_NODE_NONE)
    (void)printf(
        "  lag under a periodic force: loop of the friction force %.9g W, of its elastic part %.9g W\n",
        br_result_real(r, "lag_force.total"), br_result_real(r, "lag_force.elastic"));
  if (br_result_kind(r, "scale") != BR_NODE_NONE) say_scale(r);
  if (br_result_kind(r, "cusp") != BR_NODE_NONE)
    (void)printf(
        "  three sliding equilibria need sigma2 below %.9g N s/m (cusp at v = %.9g m/s, F = %.9g N)\n",
        br_result_real(r, "cusp.sigma2"), br_result_real(r, "cusp.v"), br_result_real(r, "cusp.F"));
  if (br_result_kind(r, "bistable") != BR_NODE_NONE) say_branches(r, name); /* not the plane of LuGre */
  for (size_t i = 0; i < br_result_length(r, "events"); i++) say_event(r, i, name);
  for (size_t i = 0; i < br_result_length(r, "codimension_two"); i++)
    (void)printf("  %-16s %s = %s, second parameter %s, v = %s\n", say_text(r, "codimension_two.%zu.type", i),
                 name, say_in(r, 10, "codimension_two.%zu.value", i),
                 say_in(r, 10, "codimension_two.%zu.value2", i), say_in(r, 9, "codimension_two.%zu.v", i));
  say_searched(r, name);
  for (size_t i = 0; i < br_result_length(r, "equilibria"); i++) say_equilibrium(r, i, name);
  for (size_t i = 0; i < br_result_length(r, "cycles"); i++) say_cycle(r, i, name);
  for (size_t i = 0; i < br_result_length(r, "manifolds"); i++) say_manifold(r, i, name);
}
