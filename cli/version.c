/* SPDX-License-Identifier: Apache-2.0
 * version.c - which Bristle this is: version, compiler, instruction set, optional parts. */
#include <stdio.h>
#include <string.h>

#include "bri_config.h"
#include "bristle/batch.h"
#include "bristle/version.h"
#include "cli.h"
#include "json.h"

typedef struct {
  const char *name, *detail, *purpose;
  int in;
} part;

#define PART(name, in, detail, purpose) {#name, detail, purpose, in},
static const part parts[] = {BR_PARTS_LIST(PART){NULL, NULL, NULL, 0}};
#undef PART

static int print_json(void)
{
  bri_json j;
  bri_json_init(&j);
  bri_json_object(&j, NULL);
  bri_json_text(&j, "version", br_version());
  bri_json_text(&j, "compiler", BR_BUILD_COMPILER);
  bri_json_text(&j, "build", BR_BUILD_TYPE);
  bri_json_text(&j, "instruction_set", br_isa_name());
  bri_json_text(&j, "batch_variants", BR_BUILD_VARIANTS);
  bri_json_array(&j, "parts");
  for (const part *p = parts; p->name; p++) {
    bri_json_object(&j, NULL);
    bri_json_text(&j, "name", p->name);
    bri_json_bool(&j, "in", p->in);
    bri_json_text(&j, "detail", p->detail);
    bri_json_text(&j, "purpose", p->purpose);
    bri_json_end(&j);
  }
  bri_json_end(&j);
  bri_json_end(&j);
  return json_print(&j) ? CLI_OK : CLI_FAILED;
}

int cli_version(int argc, char **argv)
{
  if (argc == 1 && strcmp(argv[0], "--json") == 0) return print_json();
  if (argc > 0) {
    cli_say("bristle: unexpected argument '%s' after --version; only --json may follow", argv[0]);
    return CLI_USAGE;
  }
  (void)printf("bristle %s\n", br_version());
  (void)printf("compiler: %s, %s\n", BR_BUILD_COMPILER, BR_BUILD_TYPE);
  (void)printf("instruction set: %s (batch variants in this build: %s)\n", br_isa_name(), BR_BUILD_VARIANTS);
  (void)printf("optional parts:\n");
  for (const part *p = parts; p->name; p++)
    (void)printf("  %-10s %-4s %s (%s)\n", p->name, p->in ? "yes" : "no", p->purpose, p->detail);
  return CLI_OK;
}
