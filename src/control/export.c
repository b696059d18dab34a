/* SPDX-License-Identifier: Apache-2.0
 * export.c - a controller as one C header for firmware.
 *
 * Nothing is generated but numbers: the header is put together from the sources the library itself is made
 * of (number layer, kernel of the model, laws), in blocks that several exported headers in one file share. */
#include <stdio.h>

#include "../text/fail.h"
#include "bristle/version.h"
#include "emit.h"

/* Does the exported law differentiate friction? */
static int needs_slopes(const br_controller *c)
{
  return br_control_needs_model(c->set.kind) && c->through_force;
}

/* The laws over that kernel, once per file; fn: what their names start with. */
static void emit_laws(bri_emit *e, const char *model, const char *fn, int slopes)
{
  const char *sfx = e->f32 ? "_f32" : "_f64", *csfx = e->f32 ? "_c32" : "_c64";
  bri_emit_printf(e, "#ifndef BRX_%s\n#define BRX_%s\n", fn, fn);
  bri_emit_printf(e, "#define BR_REAL %s\n#define BR_SFX %s\n", e->f32 ? "float" : "double", sfx);
  bri_emit_printf(e, "#define CTL_T(x) br_control_%s##x\n#define CTL_PLAN br_control_%splan\n",
                  e->f32 ? "f32_" : "", e->f32 ? "f32_" : "");
  bri_emit_printf(e, "#define CTL_FN(x) br_%s_##x\n#define CTL_TINY %s\n", fn,
                  e->f32 ? "0x1p-60f" : "1e-100");
  if (model) {
    bri_emit_printf(e, "#define BR_MODEL %s\n", model);
    if (slopes)
      bri_emit_printf(e, "#define CTL_COMPLEX brn%s\n#define CTL_CM(x) br_%s_##x##%s\n", csfx, model, csfx);
    bri_emit_source(e, "core/control_kernel.inc");
    if (slopes) bri_emit_text(e, "#undef CTL_COMPLEX\n#undef CTL_CM\n");
    bri_emit_text(e, "#undef BR_MODEL\n");
  } else {
    bri_emit_source(e, "core/control_plain.inc");
  }
  bri_emit_text(e, "#undef BR_REAL\n#undef BR_SFX\n#undef CTL_T\n#undef CTL_PLAN\n#undef CTL_FN\n"
                   "#undef CTL_TINY\n#endif\n\n");
}

static void emit_head(bri_emit *e, const br_controller *c, const br_control_export_options *o, int slopes)
{
  const br_system *s = c->sys;
  bri_emit_printf(
      e,
      "/* SPDX-License-Identifier: Apache-2.0\n"
      " * %s.h - %s for %s (tracked: %s, %s), %s, in %s.\n"
      " * Written by bristle %s; do not edit.  No allocation, no C library%s.\n",
      o->name, br_control_name((size_t)c->set.kind), s->name, s->states[c->iy].name, s->states[c->iy].unit,
      br_control_needs_model(c->set.kind) ? c->mod->title : "no friction model",
      e->f32 ? "single precision" : "double precision", BR_VERSION_STRING,
      slopes ? " (complex products and quotients of the\n * compiler's own run-time support)" : "");
  if (o->about) {
    bri_emit_text(e, " *\n * ");
    bri_emit_comment(e, o->about);
    bri_emit_text(e, "\n");
  }
  bri_emit_printf(
      e,
      " *\n"
      " * Use:  static %s_t ctl;                 zeroed memory is ready; %s_reset() restarts\n"
      " *       u = %s_update(&ctl, &ref, &meas, h);   every h seconds, u held in between; or the flat\n"
      " *       u = %s_step(&ctl, r, dr, ddr, ...);   every %s_SAMPLE seconds\n"
      " * |u| <= limit; ctl.flags tells of NaN inputs and bad h.  %s_selftest() returns 0 if this\n"
      " * compiler and processor give the expected outputs%s.\n"
      " * Compile without -ffast-math, and with -ffp-contract=off where the processor has fused\n"
      " * multiply-add and the compiler is neither gcc nor clang.  Names br_, brn_, BR_, BRN_, BRX_ are\n"
      " * taken.  Several such headers of one version may meet in one file.\n */\n",
      o->name, o->name, o->name, o->name, o->name, o->name, e->f32 ? " within a tolerance" : ", bit for bit");
}

br_status br_control_export(const br_controller *c, const br_control_export_options *o,
                            int (*put)(void *ctx, const char *text, size_t n), void *ctx, br_err *err)
{
  if (!c || !o || !put || !c->mod || !c->sys)
    return bri_fail(err, BR_E_ARG, "br_control_export: NULL argument");
  br_status st = bri_export_check(o, br_control_needs_model(c->set.kind) ? c->mod : NULL, err);
  if (st) return st;
  bri_emit e = {put, ctx, 0, NULL, NULL, o->f32};
  const int slopes = needs_slopes(c);
  const char *model = br_control_needs_model(c->set.kind) ? c->mod->name : NULL;
  char fn[96];
  (void)snprintf(fn, sizeof fn, "%s_ctl%s_%s", model ? model : "plain", slopes ? "s" : "",
                 o->f32 ? "f32" : "f64");
  emit_head(&e, c, o, slopes);
  bri_emit_open(&e, o->name);
  bri_emit_source(&e, "include/bristle/control_core.h");
  bri_emit_source(&e, "core/stamp.h");
  if (slopes) bri_emit_source(&e, o->f32 ? "core/num_c32.inc" : "core/num_c64.inc");
  if (model) bri_emit_kernel(&e, model, o->f32 ? "float" : "double", o->f32 ? "_f32" : "_f64");
  if (slopes) bri_emit_kernel(&e, model, o->f32 ? "brn_c32" : "brn_c64", o->f32 ? "_c32" : "_c64");
  emit_laws(&e, model, fn, slopes);
  st = bri_emit_controller(&e, c, o, fn, slopes, err);
  bri_emit_close(&e);
  return st ? st : bri_emit_end(&e, model, err);
}
