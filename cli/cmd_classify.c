/* SPDX-License-Identifier: Apache-2.0
 * cmd_classify.c - bristle classify: kind of hysteresis, admissibility and memory of a model, measured. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/classify.h"
#include "bristle/param.h"
#include "cli.h"
#include "json.h"
#include "setup.h"

enum { O_MODEL, O_SET, O_JSON, OPTIONS };

static const opt_row options[OPTIONS] = {
    [O_MODEL] = {"model", "NAME", OPT_TEXT, NULL,
                 "one model; without it the whole of Table I and every other model"},
    [O_SET] = OPT_ROW_SET,
    [O_JSON] = OPT_ROW_JSON,
};

static const cli_example examples[] = {
    {"bristle classify", "all models: Table I of document 4 with the printed cells beside the measured ones"},
    {"bristle classify --model bouc_wen --set beta=-0.25,gamma=1.25", "shows the cycle that creates energy"},
    {"bristle classify --model lugre --json", "one model with all evidence, for programs"},
    {NULL, NULL},
};

/* Document 4's rows first, then what else has one axis. */
static const struct {
  const char *model, *set;
} TABLE[] = {{"dahl", "gamma=0"}, {"dahl", "gamma=0.5"}, {"dahl", "gamma=1"},
             {"dahl", "gamma=2"}, {"lugre", NULL},       {"maxwell_slip", NULL}};

typedef struct {
  char name[96];
  const br_model *m;
  int has_energy, has_memory; /* 0: could not be measured, reason below */
  br_class claimed;
  int claims_passive;
  br_class_report c;
  br_energy_report e;
  br_memory_report q;
  const br_table1_row *printed;
  char why_energy[sizeof(((br_err *)0)->msg)], why_memory[sizeof(((br_err *)0)->msg)];
} row;

static const char *duhem_text(br_duhem_class d)
{
  return d == BR_DUHEM_GENERALIZED ? "generalized" : d == BR_DUHEM_SEMILINEAR ? "semilinear" : "none";
}

static const char *continuity_text(br_continuity c)
{
  return c == BR_LIPSCHITZ ? "lipschitz" : c == BR_CONTINUOUS ? "continuous" : "discontinuous";
}

static const char *verdict_text(const row *r)
{
  return br_admissibility_text(r->has_energy ? r->e.verdict : BR_ENERGY_UNKNOWN);
}

/* ---- measuring ---- */

static int measure(const cli_command *c, const br_model *m, const char *set, row *r)
{
  br_params *p = NULL;
  br_err err;
  memset(r, 0, sizeof *r);
  r->m = m;
  (void)snprintf(r->name, sizeof r->name, "%s%s%.60s", m->name, set ? " " : "", set ? set : "");
  int code = setup_params(c, m, set, &p);
  if (!code) {
    const double *par = br_params_block(p, "model");
    const br_stop stop = {cli_stop_asked, NULL};
    if (br_classify_until(m, par, &stop, &r->c, &err)) code = cli_bad_input(c, &err);
    m->classify(par, &r->claimed);
    r->claims_passive = m->passive ? m->passive(par) : 0;
    r->printed = br_table1_printed(m, par);
    if (!code) {
      r->has_energy = br_admissible_until(m, par, &stop, &r->e, &err) == BR_OK;
      if (!r->has_energy && err.code == BR_INTERRUPTED) code = cli_interrupted(c);
      if (!r->has_energy && err.code == BR_E_NOMEM) code = cli_no_memory(c);
      if (!r->has_energy) memcpy(r->why_energy, err.msg, sizeof r->why_energy);
      r->has_memory = br_memory(m, par, 0, &r->q, &err) == BR_OK;
      if (!r->has_memory && err.code == BR_E_NOMEM && !code) code = cli_no_memory(c);
      if (!r->has_memory) memcpy(r->why_memory, err.msg, sizeof r->why_memory);
    }
  }
  br_params_destroy(p);
  return code;
}

/* ---- text ---- */

/* A verdict is worth what was looked at. */
static void print_searched(const br_energy_report *e)
{
  (void)printf("\n              searched: %zu loops up to +-%.3g m", e->searched_loops,
               e->searched_amplitude);
  if (e->searched_speeds) (void)printf(", %zu pairs of speeds in turn", e->searched_speeds);
  if (e->searched_schedules)
    (void)printf(", %zu ways there and back at four speeds of %.0e to %.0e m/s", e->searched_schedules,
                 e->searched_slowest, e->searched_fastest);
}

static void print_energy(const row *r)
{
  const br_energy_report *e = &r->e;
  (void)printf("  energy      %s", verdict_text(r));
  if (!r->has_energy) {
    (void)printf(" (%s)\n", r->why_energy);
    return;
  }
  if (e->verdict == BR_PASSIVE_OTHER_ENERGY)
    (void)printf(": F v - dE/dt = %.4g W at v = %.3g m/s, state %.4g", e->worst_rate, e->worst_v,
                 e->worst_z[0]);
  if (e->verdict == BR_ACTIVE && e->cycle_is_speed == BR_CYCLE_SPEEDS)
    (void)printf(": work %.4g J a cycle of %.3g s, %.3g m/s for all but %.3g of it, then %.3g m/s",
                 e->cycle_work, e->cycle_time, e->cycle_a, e->cycle_part, e->cycle_b);
  else if (e->verdict == BR_ACTIVE && e->cycle_is_speed == BR_CYCLE_SCHEDULE) {
    (void)printf(": work %.4g J a cycle of %.3g s:", e->cycle_work, e->cycle_time);
    for (size_t k = 0; k < e->n_legs; k++)
      (void)printf("%s %+.3g m at %.3g m/s", k ? "," : "", e->leg_length[k], e->leg_speed[k]);
  } else if (e->verdict == BR_ACTIVE)
    (void)printf(": work %.4g J on the loop between -%.4g and %.4g m", e->cycle_work, e->cycle_a, e->cycle_a);
  if (e->verdict == BR_ENERGY_UNKNOWN)
    (void)printf(": no stored energy is defined; no cycle that creates energy was found");
  print_searched(e);
  (void)printf("\n              claimed: %s (%s)\n", r->claims_passive ? "holds" : "does not hold",
               r->m->passive_text ? r->m->passive_text : "no condition");
}

static void print_row(const row *r)
{
  const br_class_report *c = &r->c;
  (void)printf("%s\n  measured    %s Duhem, %s, %s\n", r->name, duhem_text(c->measured.duhem),
               c->measured.rate_dependent ? "rate dependent" : "rate independent",
               continuity_text(c->measured.continuity));
  if (r->printed) {
    (void)printf("  printed     %s, %s, %s (Table I, row '%s')\n", r->printed->duhem, r->printed->rate,
                 r->printed->continuity, r->printed->row);
    if (r->printed->note) (void)printf("  note        %s\n", r->printed->note);
  }
  (void)printf("  evidence    rate/speed changes by %.2g, force by %.2g over speeds 1e-3..1e3; rank %d; "
               "affine to %.2g\n",
               c->rate_change, c->force_change, c->rank, c->affine_error);
  if (c->path_change > 1e-7) /* below it is the integration */
    (void)printf("              along one path the force changes by %.2g over 1e-7..1e3 m/s\n",
                 c->path_change);
  if (r->m->nstates_rows)
    (void)printf("              |f(x+d)-f(x)| ~ d^%.3f at the steepest place, state %zu = %.4g\n",
                 c->exponent, c->worst_state + 1, c->worst_x);
  if (c->output_uses_rate)
    (void)printf("              the force uses the rate: not of the form y = h(x, u)\n");
  print_energy(r);
  if (r->has_memory)
    (void)printf(
        "  memory      return point %.2g, congruency %.2g, closure of minor loops %.2g (0 = has it)\n",
        fabs(r->q.return_point), fabs(r->q.congruency), fabs(r->q.closure));
  else (void)printf("  memory      not measured: %s\n", r->why_memory);
}

static void print_table(const row *rows, size_t n)
{
  (void)printf("%-24s  %-12s %-6s %-14s  %-12s %-6s %-14s\n", "model", "measured", "rate", "continuity",
               "printed", "rate", "continuity");
  for (size_t i = 0; i < n; i++) {
    const row *r = &rows[i];
    (void)printf("%-24s  %-12s %-6s %-14s", r->name, duhem_text(r->c.measured.duhem),
                 r->c.measured.rate_dependent ? "dep." : "indep.", continuity_text(r->c.measured.continuity));
    if (r->printed)
      (void)printf("  %-12s %-6s %-.14s%s", r->printed->duhem,
                   strstr(r->printed->rate, "independent") ? "indep." : "dep.", r->printed->continuity,
                   r->printed->note ? "  *" : "");
    (void)printf("\n");
  }
  (void)printf("* the printed cell is corrected or qualified: see its note\n\n");
}

/* ---- JSON ---- */

static void json_cycle(json *j, const br_energy_report *e)
{
  static const char *const KIND[] = {"loop", "speeds", "schedule"};
  const int turns = e->cycle_is_speed == BR_CYCLE_SPEEDS;
  json_object(j, "cycle");
  json_number(j, "work", e->cycle_work < 1e300 ? e->cycle_work : (double)NAN);
  json_text(j, "kind", KIND[e->cycle_is_speed]);
  if (e->cycle_is_speed != BR_CYCLE_SCHEDULE) {
    json_number(j, turns ? "v_a" : "u_max", e->cycle_a);
    json_number(j, turns ? "v_b" : "u_min", e->cycle_b);
  }
  json_number(j, "time", e->cycle_time);
  if (e->cycle_is_speed != BR_CYCLE_SCHEDULE) json_number(j, "part_at_v_b", e->cycle_part);
  if (e->cycle_is_speed == BR_CYCLE_SCHEDULE) {
    json_numbers(j, "length", e->leg_length, e->n_legs);
    json_numbers(j, "speed", e->leg_speed, e->n_legs);
  }
  json_end(j);
}

static void json_energy(json *j, const row *r)
{
  const br_energy_report *e = &r->e;
  json_object(j, "energy");
  json_text(j, "verdict", verdict_text(r));
  json_bool(j, "claimed_passive", r->claims_passive);
  json_text(j, "condition", r->m->passive_text);
  if (r->has_energy) {
    const int rated = r->m->energy != NULL;
    json_number(j, "worst_rate", rated ? e->worst_rate : (double)NAN);
    json_number(j, "worst_v", rated ? e->worst_v : (double)NAN);
    json_numbers(j, "worst_state", e->worst_z, rated ? 4 : 0);
    json_cycle(j, e);
    json_object(j, "searched");
    json_number(j, "loops", (double)e->searched_loops);
    json_number(j, "amplitude", e->searched_amplitude);
    json_number(j, "speeds", (double)e->searched_speeds);
    json_number(j, "schedules", (double)e->searched_schedules);
    json_number(j, "slowest", e->searched_schedules ? e->searched_slowest : (double)NAN);
    json_number(j, "fastest", e->searched_schedules ? e->searched_fastest : (double)NAN);
    json_end(j);
  }
  json_end(j);
}

static void json_row(json *j, const row *r)
{
  json_object(j, NULL);
  json_text(j, "model", r->m->name);
  json_text(j, "label", r->name);
  json_text(j, "duhem_class", duhem_text(r->c.measured.duhem));
  json_bool(j, "rate_dependent", r->c.measured.rate_dependent);
  json_text(j, "continuity", continuity_text(r->c.measured.continuity));
  json_object(j, "claimed");
  json_text(j, "duhem_class", duhem_text(r->claimed.duhem));
  json_bool(j, "rate_dependent", r->claimed.rate_dependent);
  json_text(j, "continuity", continuity_text(r->claimed.continuity));
  json_end(j);
  if (r->printed) {
    json_object(j, "printed");
    json_text(j, "row", r->printed->row);
    json_text(j, "duhem_class", r->printed->duhem);
    json_text(j, "rate", r->printed->rate);
    json_text(j, "continuity", r->printed->continuity);
    json_text(j, "note", r->printed->note);
    json_end(j);
  } else {
    json_null(j, "printed");
  }
  json_object(j, "evidence");
  json_number(j, "rate_change", r->c.rate_change);
  json_number(j, "force_change", r->c.force_change);
  json_number(j, "path_change", r->c.path_change);
  json_number(j, "rank", r->c.rank);
  json_number(j, "affine_error", r->c.affine_error);
  json_number(j, "exponent", r->c.exponent);
  json_number(j, "worst_state", (double)r->c.worst_state);
  json_number(j, "worst_x", r->c.worst_x);
  json_bool(j, "output_uses_rate", r->c.output_uses_rate);
  json_end(j);
  json_energy(j, r);
  json_object(j, "memory");
  json_number(j, "return_point", r->has_memory ? r->q.return_point : (double)NAN);
  json_number(j, "congruency", r->has_memory ? r->q.congruency : (double)NAN);
  json_number(j, "closure", r->has_memory ? r->q.closure : (double)NAN);
  json_end(j);
  json_end(j);
}

static int print_json(const row *rows, size_t n)
{
  json j;
  json_init(&j);
  json_object(&j, NULL);
  json_array(&j, "models");
  for (size_t i = 0; i < n; i++) json_row(&j, &rows[i]);
  json_end(&j);
  json_end(&j);
  return json_print(&j) ? CLI_OK : CLI_FAILED;
}

/* ---- the command ---- */

static int is_in_table(const br_model *m)
{
  for (size_t i = 0; i < sizeof TABLE / sizeof TABLE[0]; i++)
    if (strcmp(TABLE[i].model, m->name) == 0) return 1;
  return 0;
}

static int measure_all(const cli_command *c, row *rows, size_t *n)
{
  size_t count = 0;
  int code = CLI_OK;
  const br_model *const *all = br_models(&count);
  for (size_t i = 0; !code && i < sizeof TABLE / sizeof TABLE[0]; i++) {
    if (cli_stop) return cli_interrupted(c);
    code = measure(c, br_model_find(TABLE[i].model), TABLE[i].set, &rows[(*n)++]);
  }
  for (size_t i = 0; !code && i < count; i++) {
    if (cli_stop) return cli_interrupted(c);
    if (all[i]->axes == 1 && !is_in_table(all[i])) code = measure(c, all[i], NULL, &rows[(*n)++]);
  }
  return code;
}

static int run(const cli_call *call)
{
  const cli_command *c = call->command;
  const opt_value *model = &call->values[O_MODEL], *set = &call->values[O_SET];
  size_t count = 0, n = 0;
  int code = CLI_OK;
  (void)br_models(&count);
  if (set->given && !model->given) return cli_usage(c, "--set needs --model NAME");
  row *rows = calloc(count + sizeof TABLE / sizeof TABLE[0], sizeof *rows);
  if (!rows) return cli_no_memory(c);
  if (model->given) {
    const br_model *m = NULL;
    code = setup_model(c, model->text, set->text, &m);
    if (!code) code = measure(c, m, set->text, &rows[n++]);
  } else {
    code = measure_all(c, rows, &n);
  }
  if (!code && call->values[O_JSON].given) {
    code = print_json(rows, n);
  } else if (!code) {
    if (!model->given) print_table(rows, n);
    for (size_t i = 0; i < n; i++) {
      if (i) (void)printf("\n");
      print_row(&rows[i]);
    }
  }
  free(rows);
  return code;
}

const cli_command cli_classify = {
    "classify",
    "",
    "kind of hysteresis, energy and memory of a model, measured",
    "Measures from a model's equations what document 4's Table I lists: is the state equation of Duhem's "
    "form "
    "(generalized, or semilinear), does speed matter, is its right side Lipschitz, continuous or not. What "
    "is printed "
    "in the table stands beside it, with a note where it needs correction.\n\n"
    "Energy: admissible (no motion that was searched takes energy out), passive with another stored energy "
    "(F v "
    "minus the growth of the model's own stored energy becomes negative, yet no cycle gains), active (a "
    "cycle "
    "creates energy; it is shown), or reversible, no hysteresis (no loop takes or gives anything). What was "
    "searched "
    "stands below: loops, two speeds in turn, and ways there and back that change speed, optimised. Memory: "
    "return-point memory, congruency and closure of minor loops, relative to their height, 0 "
    "where "
    "the model has it.\n\n"
    "JSON: {models: [{model, label, duhem_class, rate_dependent, continuity, claimed: {...}, printed: {row, "
    "duhem_class, rate, continuity, note} or null, evidence: {...}, energy: {verdict, ...}, memory: "
    "{return_point, "
    "congruency, closure}}]}.",
    options,
    OPTIONS,
    0,
    examples,
    0,
    run,
};
