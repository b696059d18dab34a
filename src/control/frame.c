/* SPDX-License-Identifier: Apache-2.0
 * frame.c - what all exported headers share: checks, guards, rounding, kernels. */
#include <string.h>

#include "bristle/version.h"
#include "emit.h"

enum { NAME = 40, VERSION = 10000 * BR_VERSION_MAJOR + 100 * BR_VERSION_MINOR + BR_VERSION_PATCH };

br_control_export_options br_control_export_default(void)
{
  br_control_export_options o;
  memset(&o, 0, sizeof o);
  o.name = "bristle_controller";
  o.sample = 1e-3;
  return o;
}

/* An identifier that collides with nothing of ours. */
static br_status check_name(const char *name, br_err *err)
{
  const size_t n = name ? strlen(name) : 0;
  int fine = n > 0 && n <= NAME && !(name[0] >= '0' && name[0] <= '9') && name[0] != '_';
  for (size_t i = 0; fine && i < n; i++)
    fine = (name[i] >= '0' && name[i] <= '9') || (name[i] >= 'a' && name[i] <= 'z') ||
           (name[i] >= 'A' && name[i] <= 'Z') || name[i] == '_';
  if (fine && (strncmp(name, "br_", 3) == 0 || strncmp(name, "brn_", 4) == 0)) fine = 0;
  if (fine) return BR_OK;
  return bri_fail(err, BR_E_NAME,
                  "export: name '%s' must be a C identifier of at most %d characters, not br_... or brn_...",
                  name ? name : "", (int)NAME);
}

br_status bri_export_check(const br_control_export_options *o, const br_model *m, br_err *err)
{
  const br_status st = check_name(o->name, err);
  if (st) return st;
  if (!(o->sample > 0 && o->sample - o->sample == 0))
    return bri_fail(err, BR_E_RANGE, "export: sample = %.9g is out of range: must be > 0", o->sample);
  if (m && br_model_find(m->name) != m)
    return bri_fail(
        err, BR_E_UNSUPPORTED,
        "export: %s has formulas or functions of the caller, which are no part of an exported "
        "controller; with it goes a built-in model, for lugre with a table (g_v, g_F) in place of g",
        m->name);
  return BR_OK;
}

/* One kernel in one number type, with its tables and helpers, once per file. */
void bri_emit_kernel(bri_emit *e, const char *model, const char *real, const char *sfx)
{
  bri_emit_printf(e, "#ifndef BRX_KERNEL_%s%s\n#define BRX_KERNEL_%s%s\n", model, sfx, model, sfx);
  bri_emit_printf(e, "#define BR_REAL %s\n#define BR_SFX %s\n", real, sfx);
  bri_emit_printf(e, "#ifndef BRX_COMMON%s\n#define BRX_COMMON%s\n", sfx, sfx);
  bri_emit_source(e, "models/common/stribeck.inc");
  bri_emit_printf(e, "#endif\n#define BR_MODEL %s\n", model);
  e->model = model;
  bri_emit_source(e, "core/kernel.inc");
  bri_emit_source(e, "core/kernel_end.inc");
  bri_emit_text(e, "#undef BR_MODEL\n#undef BR_REAL\n#undef BR_SFX\n#endif\n\n");
}

void bri_emit_open(bri_emit *e, const char *name)
{
  bri_emit_printf(e, "#ifndef %s_H\n#define %s_H\n", name, name);
  bri_emit_printf(
      e,
      "#ifndef BRX_VERSION\n#define BRX_VERSION %d\n#elif BRX_VERSION != %d\n"
      "#error \"headers exported by different versions of bristle cannot meet in one file\"\n#endif\n",
      (int)VERSION, (int)VERSION);
  /* every product and sum rounds by itself, whatever the flags; no call of memset for a short loop */
  bri_emit_text(e, "#if defined(__clang__)\n#pragma STDC FP_CONTRACT OFF\n#elif defined(__GNUC__)\n"
                   "#pragma GCC push_options\n"
                   "#pragma GCC optimize(\"fp-contract=off\", \"no-tree-loop-distribute-patterns\")\n#endif\n"
                   "#ifndef BR_NO_COMPLEX\n#define BR_NO_COMPLEX\n#endif\n");
}

void bri_emit_close(bri_emit *e)
{
  bri_emit_text(e, "#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC pop_options\n#endif\n#endif\n");
}

br_status bri_emit_end(const bri_emit *e, const char *model, br_err *err)
{
  if (e->missing)
    return bri_fail(err, BR_E_UNSUPPORTED, "export: %s of model %s is not packed into this build", e->missing,
                    model ? model : "-");
  return e->stopped ? bri_fail(err, BR_INTERRUPTED, "export: stopped") : BR_OK;
}
