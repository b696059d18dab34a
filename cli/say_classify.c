/* SPDX-License-Identifier: Apache-2.0
 * say_classify.c - the answer of `bristle classify` on the screen. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "bristle/classify.h"

/* One entry of 'models'. */
typedef struct {
  const br_result *r;
  size_t index;
} row;

static const char *path(const row *e, const char *name)
{
  static char buf[4][96];
  static unsigned next = 0;
  char *out = buf[next++ % 4];
  (void)snprintf(out, sizeof buf[0], "models.%zu.%s", e->index, name);
  return out;
}
static double number(const row *e, const char *name) { return br_result_real(e->r, path(e, name)); }
static const char *text(const row *e, const char *name) { return br_result_text(e->r, path(e, name)); }
static int is_printed(const row *e) { return text(e, "printed.row")[0] != '\0'; }

/* A verdict is worth what was looked at. */
static void say_searched(const row *e)
{
  const double speeds = number(e, "energy.searched.speeds"),
               schedules = number(e, "energy.searched.schedules");
  (void)printf("\n              searched: %.0f loops up to +-%.3g m", number(e, "energy.searched.loops"),
               number(e, "energy.searched.amplitude"));
  if (speeds > 0) (void)printf(", %.0f pairs of speeds in turn", speeds);
  if (schedules > 0)
    (void)printf(", %.0f ways there and back at four speeds of %.0e to %.0e m/s", schedules,
                 number(e, "energy.searched.slowest"), number(e, "energy.searched.fastest"));
}

static void say_cycle(const row *e)
{
  const char *kind = text(e, "energy.cycle.kind");
  const double work = number(e, "energy.cycle.work"), time = number(e, "energy.cycle.time");
  if (strcmp(kind, "speeds") == 0)
    (void)printf(": work %.4g J a cycle of %.3g s, %.3g m/s for all but %.3g of it, then %.3g m/s", work,
                 time, number(e, "energy.cycle.v_a"), number(e, "energy.cycle.part_at_v_b"),
                 number(e, "energy.cycle.v_b"));
  else if (strcmp(kind, "schedule") == 0) {
    (void)printf(": work %.4g J a cycle of %.3g s:", work, time);
    for (size_t k = 0; k < br_result_length(e->r, path(e, "energy.cycle.length")); k++) {
      char leg[64];
      (void)snprintf(leg, sizeof leg, "energy.cycle.length.%zu", k);
      const double length = number(e, leg);
      (void)snprintf(leg, sizeof leg, "energy.cycle.speed.%zu", k);
      (void)printf("%s %+.3g m at %.3g m/s", k ? "," : "", length, number(e, leg));
    }
  } else {
    const double a = number(e, "energy.cycle.u_max");
    (void)printf(": work %.4g J on the loop between -%.4g and %.4g m", work, a, a);
  }
}

static void say_hysteresis(const row *e)
{
  const double share = number(e, "evidence.slow_loop");
  if (isnan(share)) (void)printf("  hysteretic  not measured: there is no steady loop\n");
  else
    (void)printf("  hysteretic  %s: the slowest loops enclose %.3g of their box\n",
                 number(e, "hysteretic") > 0 ? "yes" : "no", share);
}

static void say_energy(const row *e)
{
  const char *verdict = text(e, "energy.verdict"), *condition = text(e, "energy.condition");
  (void)printf("  energy      %s", verdict);
  if (text(e, "energy.reason")[0]) {
    (void)printf(" (%s)\n", text(e, "energy.reason"));
    return;
  }
  if (strcmp(verdict, br_admissibility_text(BR_PASSIVE_OTHER_ENERGY)) == 0)
    (void)printf(": F v - dE/dt = %.4g W at v = %.3g m/s, state %.4g", number(e, "energy.worst_rate"),
                 number(e, "energy.worst_v"), number(e, "energy.worst_state.0"));
  if (strcmp(verdict, br_admissibility_text(BR_ACTIVE)) == 0) say_cycle(e);
  if (strcmp(verdict, br_admissibility_text(BR_ENERGY_UNKNOWN)) == 0)
    (void)printf(": no stored energy is defined; no cycle that creates energy was found");
  say_searched(e);
  (void)printf("\n              claimed: %s (%s)\n",
               number(e, "energy.claimed_passive") > 0 ? "holds" : "does not hold",
               condition[0] ? condition : "no condition");
}

static void say_evidence(const row *e)
{
  const double path_change = number(e, "evidence.path_change");
  (void)printf("  evidence    rate/speed changes by %.2g, force by %.2g over speeds 1e-3..1e3; rank %.0f; "
               "affine to %.2g\n",
               number(e, "evidence.rate_change"), number(e, "evidence.force_change"),
               number(e, "evidence.rank"), number(e, "evidence.affine_error"));
  if (path_change > 1e-7) /* below it is the integration */
    (void)printf("              along one path the force changes by %.2g over 1e-7..1e3 m/s\n", path_change);
  const br_model *m = br_model_find(text(e, "model"));
  if (!m || m->nstates_rows)
    (void)printf("              |f(x+d)-f(x)| ~ d^%.3f at the steepest place, state %.0f = %.4g\n",
                 number(e, "evidence.exponent"), number(e, "evidence.worst_state") + 1,
                 number(e, "evidence.worst_x"));
  if (number(e, "evidence.output_uses_rate") > 0)
    (void)printf("              the force uses the rate: not of the form y = h(x, u)\n");
}

static void say_row(const row *e)
{
  (void)printf("%s\n  measured    %s Duhem, %s, %s\n", text(e, "label"), text(e, "duhem_class"),
               number(e, "rate_dependent") > 0 ? "rate dependent" : "rate independent",
               text(e, "continuity"));
  if (is_printed(e)) {
    (void)printf("  printed     %s, %s, %s (Table I, row '%s')\n", text(e, "printed.duhem_class"),
                 text(e, "printed.rate"), text(e, "printed.continuity"), text(e, "printed.row"));
    if (text(e, "printed.note")[0]) (void)printf("  note        %s\n", text(e, "printed.note"));
  }
  if (br_result_kind(e->r, path(e, "proposition")) != BR_NODE_NONE)
    (void)printf("  Proposition 2.1: g is %spositively homogeneous (deviation %.2g)%s\n",
                 number(e, "proposition.homogeneous") > 0 ? "" : "not ", number(e, "proposition.deviation"),
                 number(e, "proposition.homogeneous") > 0 ? ": rate independent" : "");
  say_evidence(e);
  say_hysteresis(e);
  if (text(e, "energy.verdict")[0]) say_energy(e);
  if (text(e, "memory.reason")[0]) (void)printf("  memory      not measured: %s\n", text(e, "memory.reason"));
  else if (br_result_kind(e->r, path(e, "memory")) != BR_NODE_NONE)
    (void)printf(
        "  memory      return point %.2g, congruency %.2g, closure of minor loops %.2g (0 = has it)\n",
        fabs(number(e, "memory.return_point")), fabs(number(e, "memory.congruency")),
        fabs(number(e, "memory.closure")));
}

static void say_list(const br_result *r, size_t n)
{
  (void)printf("%-24s  %-12s %-6s %-14s  %-12s %-6s %-14s\n", "model", "measured", "rate", "continuity",
               "printed", "rate", "continuity");
  for (size_t i = 0; i < n; i++) {
    const row e = {r, i};
    (void)printf("%-24s  %-12s %-6s %-14s", text(&e, "label"), text(&e, "duhem_class"),
                 number(&e, "rate_dependent") > 0 ? "dep." : "indep.", text(&e, "continuity"));
    if (is_printed(&e))
      (void)printf("  %-12s %-6s %-.14s%s", text(&e, "printed.duhem_class"),
                   strstr(text(&e, "printed.rate"), "independent") ? "indep." : "dep.",
                   text(&e, "printed.continuity"), text(&e, "printed.note")[0] ? "  *" : "");
    (void)printf("\n");
  }
  (void)printf("* the printed cell is corrected or qualified: see its note\n\n");
}

void say_classify(const br_job *job, const br_result *r)
{
  const size_t n = br_result_length(r, "models");
  if (!br_job_model(job)) say_list(r, n);
  for (size_t i = 0; i < n; i++) {
    const row e = {r, i};
    if (i) (void)printf("\n");
    say_row(&e);
  }
}
