/* SPDX-License-Identifier: Apache-2.0
 * say_fit.c - the answer of `bristle fit` on the screen. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"

static void say_one(const br_result *r, const char *name, const char *shown, const char *at)
{
  const char *unit = say_text(r, "parameters.%s.unit", name);
  const double factor = say_factor(&unit), low = say_real(r, "parameters.%s.low%s", name, at) / factor,
               high = say_real(r, "parameters.%s.high%s", name, at) / factor;
  (void)printf("  %-12s %14.6g", shown, say_real(r, "parameters.%s.value%s", name, at) / factor);
  if (isnan(low) || isnan(high)) (void)printf("  %14s  %14s", isnan(low) ? "-" : "", "-");
  else (void)printf("  %14.6g  %14.6g", low, high);
  (void)printf("  %s\n", unit);
}

static void say_parameters(const br_result *r)
{
  const br_node *root = br_result_root(r), *node = NULL;
  (void)printf("\n  %-12s %14s  %14s  %14s  unit\n", "parameter", "value", "from", "to (95 %)");
  for (size_t i = 0; (node = br_node_member(root, i)) != NULL; i++) {
    if (strcmp(br_node_look(r, node).name, "parameters") != 0) continue;
    const br_node *p = NULL;
    for (size_t k = 0; (p = br_node_member(node, k)) != NULL; k++) {
      const char *name = br_node_look(r, p).name;
      char path[96], shown[96], at[24];
      (void)snprintf(path, sizeof path, "parameters.%.60s.value", name);
      const size_t n = br_result_length(r, path);
      if (br_result_kind(r, path) != BR_NODE_LIST) say_one(r, name, name, "");
      for (size_t e = 0; e < n && br_result_kind(r, path) == BR_NODE_LIST; e++) {
        (void)snprintf(shown, sizeof shown, "%.60s%zu", name, e + 1);
        (void)snprintf(at, sizeof at, ".%zu", e);
        say_one(r, name, shown, at);
      }
    }
  }
}

static void say_lines(const br_result *r, const char *list, const char *head)
{
  for (size_t i = 0; i < br_result_length(r, list); i++)
    (void)printf("%s%s%s\n", i ? "  " : head, i ? "" : "  ", cli_shown(say_text(r, "%s.%zu", list, i)));
}

void say_fit(const br_job *job, const br_result *r)
{
  const size_t n = br_result_length(r, "ranking");
  if (br_result_text(r, "design.input")[0]) {
    (void)printf("%s: %s, %s of stroke, %s; standard deviations %.3g times smaller than by a plain sine\n",
                 br_result_text(r, "model"), br_result_text(r, "design.kind"), say_in(r, 4, "design.stroke"),
                 say_in(r, 4, "design.speed"), br_result_real(r, "design.gain"));
    say_parameters(r);
    (void)printf("\n  with %s of noise\n\n  --input '%s'\n", say_in(r, 3, "design.noise"),
                 br_result_text(r, "design.input"));
    return;
  }
  (void)printf("%s on %s: %s\n", br_result_text(r, "model"),
               br_result_length(r, "files") ? cli_shown(say_text(r, "files.0.file"))
                                            : cli_shown(br_job_text(job, "file")),
               br_result_text(r, "reason"));
  say_parameters(r);
  const char *unit = "N";
  (void)br_result_number(r, "rmse_test", &(double){0}, &unit);
  (void)printf("\n  left on the train part %s, on the test part %s: %.3g %% of its spread\n",
               say_in(r, 5, "rmse_train"), say_in(r, 5, "rmse_test"), 100 * br_result_real(r, "rel_test"));
  if (n > 1)
    (void)printf("\n  %-20s rmse, %4s  %8s  %10s  %10s  %8s\n", "model", unit, "rel, %", "AIC", "BIC",
                 "time, s");
  for (size_t i = 0; i < n && n > 1; i++)
    (void)printf("  %-20s %10.4g  %8.3g  %10.1f  %10.1f  %8.3f\n", say_text(r, "ranking.%zu.model", i),
                 say_real(r, "ranking.%zu.rmse_test", i), 100 * say_real(r, "ranking.%zu.rel_test", i),
                 say_real(r, "ranking.%zu.aic", i), say_real(r, "ranking.%zu.bic", i),
                 say_real(r, "ranking.%zu.seconds", i));
  for (size_t i = 0; i < br_result_length(r, "files"); i++) {
    (void)printf("%s  %-40s %-20s %10.4g N  %8.3g %%\n", i ? "" : "\n",
                 cli_shown(say_text(r, "files.%zu.file", i)), say_text(r, "files.%zu.model", i),
                 say_real(r, "files.%zu.rmse_test", i), 100 * say_real(r, "files.%zu.rel_test", i));
    if (say_text(r, "files.%zu.own", i)[0]) (void)printf("      %s\n", say_text(r, "files.%zu.own", i));
  }
  if (br_result_length(r, "warnings")) (void)printf("\n");
  say_lines(r, "warnings", "warnings:\n");
  (void)printf("\n  --set %s\n", br_result_text(r, "set"));
}
