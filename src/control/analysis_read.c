/* SPDX-License-Identifier: Apache-2.0
 * analysis_read.c - from the options of a job to a controller, its plant and the case to run. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis.h"
#include "bristle/text.h"
#include "bristle/unit.h"
#include "base/alloc.h"
#include "solve/varied.h"
#include "text/fail.h"

enum { NAMES = 32, PAIR = 64 };

br_status bri_control_refuse(const br_job *job, const char *option, br_err *err, const char *fmt, ...)
{
  const br_analysis *a = br_job_analysis(job);
  const br_option *row = br_analysis_option(a, option);
  const char *dashes = br_job_dash(job), *mark = dashes[0] ? "" : "'";
  char text[200];
  va_list args;
  va_start(args, fmt);
  (void)vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  return bri_text_fail(err, BR_E_ARG, row ? (int)(row - a->options) : -1, "%s%s%s%s %s", mark, dashes, option,
                       mark, text);
}

static br_status missing(const br_job *job, const char *option, br_err *err)
{
  const br_option *row = br_analysis_option(br_job_analysis(job), option);
  if (row->kind == BR_OPTION_CHOICE && br_job_dash(job)[0])
    return bri_control_refuse(job, option, err, "%s is missing; 'bristle help control' lists them", row->arg);
  return br_job_dash(job)[0] ? bri_control_refuse(job, option, err, "%s is missing", row->arg)
                             : bri_control_refuse(job, option, err, "is missing");
}

/* ---- lists ---- */

typedef struct {
  char name[PAIR];
  size_t index; /* among the allowed names */
  double value; /* SI */
  br_unit unit;
  int has_unit;
} pair;

/* Does the unit that was written fit?  wanted NULL: none may be written. */
static br_status fits(const br_job *job, const char *option, const pair *p, const char *wanted, br_err *err)
{
  br_unit needed;
  char dim[64];
  if (!p->has_unit) return BR_OK;
  if (!wanted) return bri_control_refuse(job, option, err, "%s is a number without unit", p->name);
  const br_status st = br_unit_parse(wanted, strlen(wanted), &needed, err);
  if (st || br_unit_same(&needed, &p->unit)) return st;
  return bri_control_refuse(job, option, err, "%s has dimension %s, but it is in %s", p->name,
                            br_unit_text(&p->unit, sizeof dim, dim), wanted);
}

/* The next NAME=NUMBER of *list.  names NULL: any name.  *more 0: there is none. */
static br_status next_pair(const br_job *job, const char *option, const char **list, const char *const *names,
                           size_t n, pair *p, int *more, br_err *err)
{
  const char *item = *list;
  *more = item && *item;
  if (!*more) return BR_OK;
  const size_t len = strcspn(item, ","), eq = strcspn(item, "=,");
  *list = item + len + (item[len] == ',');
  const br_option *row = br_analysis_option(br_job_analysis(job), option);
  br_err why = {BR_OK, -1, ""};
  const int named = eq < len && eq && eq < PAIR;
  if (!named || br_quantity_parse(item + eq + 1, len - eq - 1, &p->value, &p->unit, &p->has_unit, &why))
    return bri_control_refuse(job, option, err, "'%.*s' is not NAME=NUMBER%s%s, as in %s",
                              (int)(len < 60 ? len : 60), item, why.msg[0] ? ": " : "", why.msg, row->arg);
  (void)snprintf(p->name, sizeof p->name, "%.*s", (int)eq, item);
  for (p->index = 0; names && p->index < n && strcmp(names[p->index], p->name) != 0;) p->index++;
  if (!names || p->index < n) return BR_OK;
  const char *near = br_nearest_name(p->name, names, n);
  return bri_control_refuse(job, option, err, "has no '%s'; did you mean '%s'?", p->name,
                            near ? near : names[0]);
}

br_status bri_control_read_names(const br_job *job, const char *option, size_t most, bri_control_names *names,
                                 br_err *err)
{
  const char *list = br_job_text(job, option);
  memset(names, 0, sizeof *names);
  if (strlen(list) >= sizeof names->text) return bri_control_refuse(job, option, err, "is too long a list");
  (void)snprintf(names->text, sizeof names->text, "%s", list);
  for (char *p = names->text, *next; p; p = next) {
    next = strchr(p, ',');
    if (next) *next++ = '\0';
    while (*p == ' ') p++;
    if (!*p) return bri_control_refuse(job, option, err, "%.80s: an empty name", list);
    if (names->n == most) return bri_control_refuse(job, option, err, "has more than %d names", (int)most);
    names->list[names->n++] = p;
  }
  return BR_OK;
}

/* ---- the controller ---- */

/* A gain that the law does not have would be read and change nothing. */
static br_status unused(const br_job *job, const char *option, const char *what, br_control_kind kind,
                        br_err *err)
{
  char list[120] = "";
  const char *name = NULL, *poles = br_control_places_poles(kind) ? "poles" : "";
  for (size_t i = 0, used = 0; used < sizeof list && br_control_gain(NULL, i, &name, NULL, NULL, NULL); i++)
    if (br_control_uses(kind, name))
      used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", name);
  return bri_control_refuse(job, option, err, "%.40s: %s does not use it; it has %s%s%s", what,
                            br_control_name((size_t)kind), list, list[0] && poles[0] ? " and " : "", poles);
}

static br_status read_poles(const br_job *job, br_control_settings *set, br_err *err)
{
  size_t n = 0;
  const double *poles = br_job_list(job, "poles", &n);
  if (!br_job_given(job, "poles")) return BR_OK;
  if (!br_control_places_poles(set->kind) && !br_job_flag(job, "map")) /* there an observer stands beside */
    return unused(job, "poles", br_job_text(job, "poles"), set->kind, err);
  if (n < 2 || n > 3)
    return bri_control_refuse(job, "poles", err, "%.80s: expected two or three numbers separated by commas",
                              br_job_text(job, "poles"));
  for (size_t i = 0; i < n; i++) {
    if (!(poles[i] < 0))
      return bri_control_refuse(job, "poles", err, "%.9g is out of range: must be < 0", poles[i]);
    set->poles[i] = poles[i];
  }
  if (n == 2 && set->kind == BR_CONTROL_OBSERVER) set->poles[2] = poles[1];
  return BR_OK;
}

static br_status read_limit(const br_job *job, double *limit, br_err *err)
{
  static const char *const u[] = {"u"};
  const char *list = br_job_text(job, "limit");
  br_status st = BR_OK;
  pair p;
  for (int more = 1; !st && more;) {
    st = next_pair(job, "limit", &list, u, 1, &p, &more, err);
    if (!st && more) st = fits(job, "limit", &p, br_job_system(job)->inputs[0].unit, err);
    if (st || !more) break;
    *limit = p.value;
    if (!(p.value > 0))
      st = bri_control_refuse(job, "limit", err, "u = %.9g is out of range: must be > 0", p.value);
  }
  return st;
}

/* The unit of gain i on this mechanism, from its row ("u/(y s)"); NULL: one that depends on more than that.
 * */
static const char *gain_unit(const br_job *job, br_control_kind kind, size_t i, size_t size, char *out)
{
  const br_system *s = br_job_system(job);
  const char *name = NULL, *row = NULL;
  size_t tracked = 0, used = 0;
  br_err err;
  if (!br_control_gain(NULL, i, &name, NULL, &row, NULL) || bri_control_read_tracked(job, &tracked, &err))
    return NULL;
  if (kind == BR_CONTROL_CASCADE_PI && name[0] == 'k') return strcmp(name, "kp") == 0 ? "1/s" : "1/s^2";
  if (strstr(row, "degree") || strstr(row, "unit") || strstr(row, "state")) return NULL;
  for (; *row && used + 1 < size; row++) {
    const char *word = *row == 'u' ? s->inputs[0].unit : *row == 'y' ? s->states[tracked].unit : NULL;
    const int compound = word && strpbrk(word, " /") != NULL;
    const char letter[2] = {*row, '\0'};
    used += (size_t)snprintf(out + used, size - used, "%s%s%s", compound ? "(" : "", word ? word : letter,
                             compound ? ")" : "");
  }
  return used < size ? out : NULL;
}

br_status bri_control_read_settings(const br_job *job, br_control_settings *set, br_err *err)
{
  const char *names[NAMES], *list = br_job_text(job, "gains");
  double *to[NAMES];
  char unit[160];
  size_t n = 0;
  pair p;
  if (!br_job_given(job, "controller")) return missing(job, "controller", err);
  const br_control_kind kind = (br_control_kind)br_job_number(job, "controller");
  const int antiwindup = (int)br_job_number(job, "antiwindup"); /* own, conditional, back_calculation */
  *set = br_control_settings_default(kind);
  if (antiwindup) set->antiwindup = (br_control_antiwindup)(antiwindup - 1);
  set->law = (br_control_law)br_job_number(job, "law");
  set->true_bristle = br_job_number(job, "bristle") > 0;
  set->integral = br_job_flag(job, "integral");
  if (set->integral && !br_control_places_poles(kind))
    return bri_control_refuse(job, "integral", err,
                              "has no effect: %s has no poles to place; change the gains",
                              br_control_name((size_t)kind));
  br_status st = read_poles(job, set, err);
  while (n < NAMES && br_control_gain(set, n, &names[n], &to[n], NULL, NULL)) n++;
  for (int more = 1; !st && more;) {
    st = next_pair(job, "gains", &list, names, n, &p, &more, err);
    if (!st && more && !br_control_uses(kind, p.name)) st = unused(job, "gains", p.name, kind, err);
    if (!st && more) st = fits(job, "gains", &p, gain_unit(job, kind, p.index, sizeof unit, unit), err);
    if (!st && more) *to[p.index] = p.value;
  }
  return st ? st : read_limit(job, &set->limit, err);
}

br_status bri_control_read_tracked(const br_job *job, size_t *tracked, br_err *err)
{
  const br_system *s = br_job_system(job);
  const char *text = br_job_text(job, "track"), *names[NAMES];
  const int velocity = br_plant_velocity(br_job_plant(job), 0);
  size_t n = 0;
  *tracked = velocity >= 0 ? (size_t)velocity : 0;
  if (!text) return BR_OK;
  for (; n < s->nrows && n < NAMES; n++) {
    names[n] = s->states[n].name;
    if (strcmp(names[n], text) == 0) return *tracked = n, BR_OK;
  }
  char list[100] = "";
  for (size_t i = 0, used = 0; i < n && used < sizeof list; i++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
  const char *near = br_nearest_name(text, names, n);
  return bri_control_refuse(job, "track", err, "%.40s: %s has no state '%.40s'; %s%s%s", text, s->name, text,
                            near ? "did you mean '" : "it has ", near ? near : list, near ? "'?" : "");
}

/* ---- what it believes ---- */

/* The plant's parameters once more, to be changed. */
static br_status copy_params(bri_control_question *q, br_err *err)
{
  br_param_table t[BR_PLANT_TABLES];
  q->input_rows = bri_calloc(q->sys->ninput + 1, sizeof *q->input_rows);
  if (!q->input_rows) return bri_no_memory(err, "control");
  const br_status st =
      br_params_create_tables(t, br_plant_tables(q->sys, q->mod, q->input_rows, t), &q->belief, err);
  return st ? st : br_job_values(q->job, q->belief, err);
}

static br_status scale(br_params *p, const pair *by, br_err *err)
{
  double *x = NULL;
  size_t n = 0;
  br_status st = br_params_get(p, by->name, 0, NULL, &n, err);
  if (st) return st;
  x = bri_calloc(n + 1, sizeof *x);
  if (!x) return bri_no_memory(err, "control");
  st = br_params_get(p, by->name, n, x, &n, err);
  for (size_t i = 0; i < n; i++) x[i] *= by->value;
  if (!st) st = br_params_set(p, by->name, x, n, err);
  bri_free(x);
  return st;
}

static br_status read_mismatch(bri_control_question *q, br_err *err)
{
  const char *list = br_job_text(q->job, "mismatch");
  const int dashed = br_job_dash(q->job)[0] != '\0';
  br_status st = copy_params(q, err);
  pair p;
  for (int more = 1; !st && more;) {
    st = next_pair(q->job, "mismatch", &list, NULL, 0, &p, &more, err);
    if (!st && more) st = fits(q->job, "mismatch", &p, NULL, err);
    if (st || !more) break;
    if (strcmp(p.name, "z") != 0) st = scale(q->belief, &p, err);
    else if (q->set.true_bristle) q->run.z_scale = p.value;
    else
      st = bri_control_refuse(q->job, "mismatch", err, "z: only %s hands the bristle state in",
                              dashed ? "--bristle true" : "'bristle: true'");
  }
  return st ? st : br_params_finish(q->belief, err);
}

/* ---- the case ---- */

static br_status read_noise(bri_control_question *q, br_err *err)
{
  const char *names[BR_CONTROL_MAX_Q + 1], *list = br_job_text(q->job, "noise");
  size_t n = 0;
  br_status st = BR_OK;
  pair p;
  for (; n < q->sys->nrows && n < BR_CONTROL_MAX_Q; n++) names[n] = q->sys->states[n].name;
  names[n] = "a";
  for (int more = 1; !st && more;) {
    st = next_pair(q->job, "noise", &list, names, n + 1, &p, &more, err);
    if (!st && more)
      st = fits(q->job, "noise", &p,
                p.index < n                        ? q->sys->states[p.index].unit
                : q->sys->flags & BR_SYSTEM_ROTARY ? "rad/s^2"
                                                   : "m/s^2",
                err);
    if (st || !more) break;
    if (!(p.value >= 0))
      return bri_control_refuse(q->job, "noise", err, "%s = %.9g is out of range: must be >= 0", p.name,
                                p.value);
    if (p.index < n) q->noise[p.index] = p.value;
    else q->run.noise_accel = p.value;
  }
  if (br_job_given(q->job, "noise")) q->run.noise = q->noise;
  return st;
}

/* Loads and parameters that vary with time: the mechanism's alone, the controller goes on believing what was
 * set. */
static br_status read_varies(bri_control_question *q, br_err *err)
{
  const br_job *job = q->job;
  const char *d = br_job_dash(job), *input = q->sys->inputs[0].name;
  bri_stage at, next;
  if (br_job_input(job, 0))
    return bri_fail(err, BR_E_ARG,
                    "%sinput: '%s' is what the controller moves; %sinput N:SPEC drives the load", d, input,
                    d);
  if (!br_job_load(job, 0) && !br_job_given(job, "switch")) return BR_OK;
  if (br_job_flag(job, "map") || br_job_flag(job, "bode"))
    return bri_fail(err, BR_E_UNSUPPORTED, "%s%s is about a plant that stays: without %s", d,
                    br_job_flag(job, "map") ? "map" : "bode",
                    br_job_given(job, "switch") ? "switches" : "an input N");
  q->run.varies = br_job_plant(job);
  for (size_t i = 0; bri_plant_stage(q->run.varies, i, &at) && bri_plant_stage(q->run.varies, i + 1, &next);
       i++)
    if (at.inputs[0].value != next.inputs[0].value)
      return bri_fail(err, BR_E_ARG, "%sswitch: '%s' is what the controller moves", d, input);
  return BR_OK;
}

static br_status read_case(bri_control_question *q, br_err *err)
{
  const br_job *job = q->job;
  br_control_case *c = &q->run;
  size_t n = 0;
  *c = br_control_case_default();
  if (!br_job_given(job, "t-end")) return missing(job, "t-end", err);
  if (!br_job_given(job, "reference")) return missing(job, "reference", err);
  for (size_t i = 0; i < q->sys->ninput; i++)
    if (br_params_given(br_job_params(job), q->sys->inputs[i].name))
      return bri_fail(err, BR_E_ARG, "input '%s' is what the controller moves: it cannot be held by %sset",
                      q->sys->inputs[i].name, br_job_dash(job));
  br_status st = read_varies(q, err);
  if (st) return st;
  c->t_end = br_job_number(job, "t-end");
  c->sample = br_job_number(job, "sample");
  c->fixed = br_job_number(job, "fixed");
  c->fixed_order = (int)br_job_number(job, "method") + 1;
  c->delay = br_job_number(job, "delay");
  c->rtol = br_job_number(job, "rtol");
  c->seed = (unsigned long long)br_job_number(job, "seed");
  c->output_dt = br_job_number(job, "output-dt");
  if (!(c->output_dt > 0)) c->output_dt = c->t_end / 1000;
  if (!(c->t_end / c->output_dt < 1e8))
    return bri_control_refuse(job, "output-dt", err, "gives too many rows up to the end");
  const double *window = br_job_list(job, "window", &n);
  if (n == 2) memcpy(c->window, window, sizeof c->window);
  if (n == 0) c->window[0] = c->window[1] = 0;
  if (!(c->window[0] >= 0 && c->window[0] < c->t_end))
    return bri_control_refuse(job, "window", err, "%.60s: must begin at 0 or later and before the end",
                              br_job_text(job, "window"));
  return BR_OK;
}

br_signal_need bri_control_need(const bri_control_question *q, const char *option)
{
  return (br_signal_need){q->sys->states[q->tracked].unit, option, (q->sys->flags & BR_SYSTEM_ROTARY) != 0,
                          br_job_need(q->job, 0).decimal};
}

br_status bri_control_read_reference(const bri_control_question *q, const char *option, br_signal **out,
                                     br_err *err)
{
  const br_signal_need need = bri_control_need(q, option);
  return br_signal_parse_for(br_job_text(q->job, option), &need, out, err);
}

/* Controller and plant into the case to run. */
static br_status join(bri_control_question *q, br_err *err)
{
  static const double nothing[1] = {0};
  const br_params *plant = br_job_params(q->job);
  size_t n = 0;
  const double *start = br_job_start(q->job, &n);
  q->mpair = bri_calloc(2 * q->mod->slots + 2, sizeof *q->mpair);
  if (!q->mpair) return bri_no_memory(err, "control");
  q->run.sys = q->sys, q->run.mod = q->mod;
  q->run.spar = q->sys->nparam || q->sys->initial ? br_params_block(plant, "system") : nothing;
  q->run.mpar = br_job_par(q->job);
  q->run.q0 = start;
  q->run.z0 = start + (n - q->mod->nstate(q->run.mpar) - q->mod->nmode(q->run.mpar));
  q->run.reference = q->reference;
  q->run.ctx = q;
  q->y_unit = q->sys->states[q->tracked].unit;
  q->u_unit = q->sys->inputs[0].unit;
  if (!q->law) return BR_OK;
  return br_control_init(&q->controller, &q->set, q->sys,
                         q->sys->nparam || q->sys->initial ? br_params_block(q->belief, "system") : nothing,
                         q->mod, br_params_block(q->belief, "model"), q->mpair, q->tracked, err);
}

br_status bri_control_open(bri_control_question *q, const br_job *job, br_err *err)
{
  memset(q, 0, sizeof *q);
  q->job = job;
  q->sys = br_job_system(job), q->mod = br_job_model(job);
  q->limit = INFINITY;
  br_status st = read_case(q, err);
  q->law = br_job_given(job, "controller") || !br_job_flag(job, "compare");
  if (!st && q->law) st = bri_control_read_settings(job, &q->set, err);
  if (!st) st = read_limit(job, &q->limit, err);
  if (!st) st = bri_control_read_tracked(job, &q->tracked, err);
  if (!st) st = bri_control_read_reference(q, "reference", &q->reference, err);
  if (!st) st = read_noise(q, err);
  if (!st) st = read_mismatch(q, err);
  return st ? st : join(q, err);
}

void bri_control_close(bri_control_question *q)
{
  bri_measured_close(&q->measured);
  br_signal_destroy(q->reference);
  br_params_destroy(q->belief);
  bri_free(q->input_rows);
  bri_free(q->mpair);
}

/* ---- wrong parameters ---- */

br_status bri_control_read_uncertain(const bri_control_question *q, bri_control_names *names, br_err *err)
{
  const double part = br_job_number(q->job, "part");
  if (!(part < 1))
    return bri_control_refuse(q->job, "part", err, "= %.9g is out of range: must be >= 0 and < 1", part);
  if (br_job_given(q->job, "uncertain"))
    return bri_control_read_names(q->job, "uncertain", BRI_CONTROL_NAMES, names, err);
  memset(names, 0, sizeof *names);
  names->n = br_control_uncertain(&q->run, BRI_CONTROL_NAMES, names->list);
  if (names->n <= BRI_CONTROL_NAMES) return BR_OK;
  return bri_fail(err, BR_E_ARG, "more than %d uncertain parameters: choose with %suncertain NAME,...",
                  (int)BRI_CONTROL_NAMES, br_job_dash(q->job));
}

int bri_control_progress(void *ctx, double done)
{
  return br_sink_alive(((bri_control_question *)ctx)->out, done, NULL) != BR_OK;
}
