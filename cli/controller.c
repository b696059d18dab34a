/* SPDX-License-Identifier: Apache-2.0
 * controller.c - from option texts to the settings of a controller. */
#include "controller.h"

#include <string.h>

#include "bristle/text.h"
#include "pairs.h"

enum { NAMES = 32 };

static int choice(const cli_command *c, const char *option, const opt_value *v, const char *first,
                  const char *second, int *is_second)
{
  *is_second = v->given && strcmp(v->text, second) == 0;
  if (!v->given || *is_second || strcmp(v->text, first) == 0) return CLI_OK;
  return cli_usage(c, "--%s %s is unknown: %s or %s", option, v->text, first, second);
}

static int read_kind(const cli_command *c, const opt_value *v, br_control_kind *kind)
{
  const char *names[NAMES];
  size_t n = 0;
  while (n < NAMES && br_control_name(n)) names[n] = br_control_name(n), n++;
  if (!v->given) return cli_usage(c, "--controller NAME is missing: e.g. %s", br_control_name(0));
  const int found = br_control_find(v->text);
  const char *near = br_nearest_name(v->text, names, n);
  if (found < 0 && near) return cli_usage(c, "unknown controller '%s'; did you mean '%s'?", v->text, near);
  if (found < 0) return cli_usage(c, "unknown controller '%s'; --help lists them", v->text);
  *kind = (br_control_kind)found;
  return CLI_OK;
}

static int read_poles(const cli_command *c, const opt_value *v, br_control_settings *set)
{
  double poles[3];
  if (!v->given) return CLI_OK;
  const size_t got = pairs_numbers(v->text, ',', 3, poles);
  if (got < 2) return cli_usage(c, "--poles %s: expected two or three numbers separated by commas", v->text);
  memcpy(set->poles, poles, got * sizeof *poles);
  if (got == 2 && set->kind == BR_CONTROL_OBSERVER) set->poles[2] = poles[1];
  for (size_t i = 0; i < got; i++)
    if (!(poles[i] < 0)) return cli_usage(c, "--poles: %.9g is out of range: must be < 0", poles[i]);
  return CLI_OK;
}

static int read_gains(const cli_command *c, const controller_options *o, br_control_settings *set)
{
  static const char *const limit[] = {"u"};
  const char *names[NAMES], *list = o->gains->text;
  double *to[NAMES];
  size_t n = 0;
  pair p;
  int code = CLI_OK;
  while (n < NAMES && br_control_gain(set, n, &names[n], &to[n], NULL, NULL)) n++;
  while (!code && pairs_next(c, "gains", &list, names, n, &p, &code)) *to[p.index] = p.value;
  list = o->limit->text;
  while (!code && pairs_next(c, "limit", &list, limit, 1, &p, &code)) {
    set->limit = p.value;
    if (!(p.value > 0)) code = cli_usage(c, "--limit: u = %.9g is out of range: must be > 0", p.value);
  }
  return code;
}

int controller_read(const cli_command *c, const controller_options *o, br_control_settings *set)
{
  br_control_kind kind = BR_CONTROL_PI;
  int published = 0, ideal = 0, back = 0, code = read_kind(c, o->controller, &kind);
  if (code) return code;
  *set = br_control_settings_default(kind);
  code = choice(c, "law", o->law, "corrected", "published", &published);
  if (!code) code = choice(c, "bristle", o->bristle, "estimated", "true", &ideal);
  if (!code) code = choice(c, "antiwindup", o->antiwindup, "conditional", "back_calculation", &back);
  if (code) return code;
  if (o->antiwindup->given)
    set->antiwindup = back ? BR_ANTIWINDUP_BACK_CALCULATION : BR_ANTIWINDUP_CONDITIONAL;
  set->law = published ? BR_LAW_PUBLISHED : BR_LAW_CORRECTED;
  set->true_bristle = ideal;
  set->integral = o->integral->given;
  if (set->integral && !br_control_places_poles(kind))
    return cli_usage(c, "--integral: %s has no poles to place; change --gains",
                     br_control_name((size_t)kind));
  code = read_poles(c, o->poles, set);
  return code ? code : read_gains(c, o, set);
}

int controller_tracked(const cli_command *c, const opt_value *track, const br_system *s, int velocity,
                       size_t *tracked)
{
  const char *names[NAMES];
  size_t n = 0;
  *tracked = velocity >= 0 ? (size_t)velocity : 0;
  if (!track->given) return CLI_OK;
  for (; n < s->nrows && n < NAMES; n++) {
    names[n] = s->states[n].name;
    if (strcmp(names[n], track->text) == 0) {
      *tracked = n;
      return CLI_OK;
    }
  }
  const char *near = br_nearest_name(track->text, names, n);
  return cli_usage(c, "--track %s: %s has no such state%s%s", track->text, s->name,
                   near ? "; did you mean " : "", near ? near : "");
}
