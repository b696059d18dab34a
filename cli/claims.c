/* SPDX-License-Identifier: Apache-2.0
 * claims.c - the files a call names: what is read, what will be written. */
#include "text/claims.h"

#include <stdio.h>

#include "analysis/job.h"
#include "cli.h"
#include "text/file.h"
#include "text/path.h"

/* The file that an option of an analysis reads, or its operand, without the steps of a record. */
static void claim_record(bri_claims *set, const cli_command *c, const char *option, const char *text)
{
  const br_analysis *a = br_analysis_find(c->name);
  size_t n = 0;
  char path[BRI_PATH];
  if (!bri_option_file(a, option ? option : a && a->operand ? a->operand : "", text, &n) || n >= sizeof path)
    return;
  (void)snprintf(path, sizeof path, "%.*s", (int)n, text);
  bri_claim_input(set, path, option ? option : "FILE");
}

/* The folder of an output: what killed programs have left there is taken away. */
static void sweep(const char *path)
{
  char folder[BRI_PATH];
  if (bri_path_folder(path, folder) == 0) bri_temps_sweep(folder);
}

static void claim_option(bri_claims *set, const opt_row *row, const opt_value *v)
{
  char name[64];
  if (!v->given || row->kind == OPT_FLAG) return;
  (void)snprintf(name, sizeof name, "--%s", row->name);
  for (size_t i = 0; i < v->nmany; i++) bri_claim_spec(set, v->many[i], name);
  if (row->kind == OPT_TEXT) bri_claim_spec(set, v->text, name);
  if ((row->kind != OPT_FILE && row->kind != OPT_PICTURE) || bri_path_is_stdout(v->text)) return;
  if (row->kind == OPT_FILE) bri_claim_output(set, v->text, name);
  else bri_claim_picture(set, v->text, name);
  sweep(v->text);
}

int claims_check(const cli_call *call)
{
  const cli_command *c = call->command;
  bri_claims set = {0};
  br_err err;
  bri_claim_output(&set, "-", "standard output");
  for (size_t k = 0; k < c->noptions; k++) claim_option(&set, &c->options[k], &call->values[k]);
  for (size_t k = 0; k < c->noptions; k++)
    if (call->values[k].given && c->options[k].kind == OPT_TEXT)
      claim_record(&set, c, c->options[k].name, call->values[k].text);
  for (size_t k = 0; k < call->nargs; k++) claim_record(&set, c, NULL, call->args[k]);
  const br_status st = bri_claims_check(&set, &err);
  bri_claims_free(&set);
  return st ? cli_bad_input(c, &err) : CLI_OK;
}
