/* SPDX-License-Identifier: Apache-2.0
 * plant.c - from option texts to a mechanism with friction. */
#include "plant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/text.h"
#include "setup.h"

static int find_system(const cli_command *c, const char *name, const br_system **out)
{
  size_t n = 0;
  const br_system *const *all = br_systems(&n);
  const char *names[32];
  *out = br_system_find(name);
  if (*out) return CLI_OK;
  if (n > 32) n = 32;
  for (size_t i = 0; i < n; i++) names[i] = all[i]->name;
  const char *near = br_nearest_name(name, names, n);
  if (near) return cli_usage(c, "unknown system '%s'; did you mean '%s'?", name, near);
  return cli_usage(c, "unknown system '%s'; 'bristle systems' lists them", name);
}

/* Inputs are a table too, so that --set vp=2 is read, named and unit-checked like any parameter. */
static int read_params(const cli_command *c, const char *list, plant_job *b)
{
  br_param_table t[BR_PLANT_TABLES];
  const size_t n = br_plant_tables(b->sys, b->mod, b->inputs, t);
  br_err err;
  br_status st = br_params_create_tables(t, n, &b->params, &err);
  if (!st) st = br_params_set_list(b->params, list, &err);
  if (!st) st = br_params_finish(b->params, &err);
  return st ? cli_bad_input(c, &err) : CLI_OK;
}

/* Which input does the text before the first colon name?  n: none. */
static size_t named(const br_system *s, const char *text)
{
  const size_t len = strcspn(text, ":");
  size_t k = 0;
  while (k < s->ninput && (strlen(s->inputs[k].name) != len || memcmp(s->inputs[k].name, text, len) != 0))
    k++;
  return text[len] == ':' ? k : s->ninput;
}

static int read_inputs(const cli_command *c, const opt_value *v, plant_job *b)
{
  const br_system *s = b->sys;
  br_err err;
  for (size_t i = 0; i < v->nmany; i++) {
    const char *text = v->many[i];
    size_t k = named(s, text);
    if (k < s->ninput) text += strlen(s->inputs[k].name) + 1;
    else if (s->ninput == 1) k = 0;
    else
      return cli_usage(c, "--input %s: %s has several inputs, write --input %s:SPEC", text, s->name,
                       s->inputs[0].name);
    if (b->signals[k]) return cli_usage(c, "--input: '%s' is given twice", s->inputs[k].name);
    if (br_params_given(b->params, s->inputs[k].name))
      return cli_usage(c, "input '%s' is both held by --set and driven by --input: choose one",
                       s->inputs[k].name);
    if (br_signal_parse(text, &b->signals[k], &err)) return cli_bad_input(c, &err);
  }
  const double *held = br_params_block(b->params, "input");
  for (size_t k = 0; k < s->ninput; k++) {
    if (b->signals[k]) {
      b->drives[k] = br_drive_signal(b->signals[k]);
      b->t_natural = fmax(b->t_natural, br_signal_duration(b->signals[k]));
    } else {
      b->drives[k].value = held ? held[k] : s->inputs[k].def;
    }
  }
  return CLI_OK;
}

static int read_init(const cli_command *c, const char *list, plant_job *b)
{
  const size_t n = br_plant_nstate(b->plant);
  br_params *p = NULL;
  br_err err;
  int code = CLI_OK;
  b->x0 = calloc(n + 1, sizeof *b->x0);
  br_param *rows = calloc(n + 1, sizeof *rows);
  if (!b->x0 || !rows) code = cli_no_memory(c);
  else if (list && n == 0) code = cli_usage(c, "--init %s: this plant has no states", list);
  else if (list) {
    for (size_t i = 0; i < n; i++) {
      rows[i].name = br_plant_state(b->plant, i), rows[i].unit = br_plant_unit(b->plant, i), rows[i].doc = "";
      rows[i].lo = -INFINITY, rows[i].hi = INFINITY, rows[i].lo_open = rows[i].hi_open = 1;
      rows[i].slot = i, rows[i].max_len = 1;
    }
    const br_param_table table = {"state", "--init", rows, n,   n, (b->sys->flags & BR_SYSTEM_ROTARY) != 0,
                                  NULL,    NULL,     NULL, NULL};
    br_status st = br_params_create_tables(&table, 1, &p, &err);
    if (!st) st = br_params_set_list(p, list, &err);
    if (!st) st = br_params_finish(p, &err);
    if (st) code = cli_bad_input(c, &err);
    else memcpy(b->x0, br_params_block(p, "state"), n * sizeof *b->x0);
    br_params_destroy(p);
  }
  free(rows);
  return code;
}

int plant_setup(const cli_command *c, const opt_value *system, const opt_value *model, const opt_value *set,
                const opt_value *input, const opt_value *init, plant_job *b)
{
  br_err err;
  memset(b, 0, sizeof *b);
  if (!system->given) return cli_usage(c, "--system NAME is missing; 'bristle systems' lists them");
  if (!model->given) return cli_usage(c, "--model NAME is missing; 'bristle models' lists them");
  int code = find_system(c, system->text, &b->sys);
  if (!code) code = setup_model(c, model->text, set->text, &b->mod);
  if (code) return code;
  code = read_params(c, set->text, b);
  if (!code) code = read_inputs(c, input, b);
  if (code) return code;
  if (br_plant_of(b->sys, b->mod, b->params, b->drives, &b->plant, &err)) return cli_bad_input(c, &err);
  code = read_init(c, init->text, b);
  const double *par = br_params_block(b->params, "model");
  if (!code && par && br_plant_ncontact(b->plant) == 1)
    setup_note_bounds(c, b->mod, par, 1, b->x0 + br_plant_nstate(b->plant) - b->mod->nstate(par));
  return code;
}

void plant_release(plant_job *b)
{
  br_plant_destroy(b->plant);
  for (size_t k = 0; k < PLANT_INPUTS; k++) br_signal_destroy(b->signals[k]);
  br_params_destroy(b->params);
  free(b->x0);
  memset(b, 0, sizeof *b);
}
