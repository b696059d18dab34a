/* SPDX-License-Identifier: Apache-2.0
 * export_model.c - a friction model alone as one C header for firmware: the real-time stepper of one
 * model. */
#include <stdio.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../param/valid.h"
#include "../text/fail.h"
#include "bristle/rt.h"
#include "bristle/version.h"
#include "emit.h"

enum { TESTS = 48 };

static void emit_head(bri_emit *e, const br_model *m, const br_control_export_options *o)
{
  bri_emit_printf(e,
                  "/* SPDX-License-Identifier: Apache-2.0\n"
                  " * %s.h - %s, in %s precision.\n"
                  " * Written by bristle %s; do not edit.  No allocation, %s.\n",
                  o->name, m->title, e->f32 ? "single" : "double", BR_VERSION_STRING,
                  bri_is_formula(m) ? "functions of <math.h> alone" : "no C library");
  if (o->about) {
    bri_emit_text(e, " *\n * ");
    bri_emit_comment(e, o->about);
    bri_emit_text(e, "\n");
  }
  bri_emit_printf(
      e,
      " *\n"
      " * Use:  static %s_t joint;   zeroed memory is ready\n"
      " *       %s_step(&joint, load, u, v, h);   load 1 = nominal; position u in m at the start, v in\n"
      " *       m/s held over h seconds%s; the force in N is joint.F\n"
      " * Bad input and numbers beyond range set sticky joint.flags (BR_RT_*) and keep the last state and\n"
      " * force.  %s_selftest() returns 0 if compiler and processor give the library's bits.  Names br_,\n"
      " * brn_, BR_, BRN_, BRX_ are taken; never -ffast-math. */\n",
      o->name, o->name, m->axes == 2 ? " (two numbers each)" : "", o->name);
}

/* The same over formulas, of this header alone. */
static void emit_own_element(bri_emit *e, const char *name, const char *source, size_t nz)
{
  bri_emit_printf(e, "#define BR_REAL double\n#define BR_SFX _f64\n#define EL_FN(x) %s_el_##x\n", name);
  bri_emit_printf(e, "#define EL_SOURCE %s\n#define EL_STATES %d\n", source, (int)(nz ? nz : 1));
  bri_emit_printf(e, "#define EL_ADVANCE(f, n, u, v, h, z, F) %s_advance(f, n, u, v, h, z, F)\n", name);
  bri_emit_source(e, "core/element.inc");
  bri_emit_text(e, "#undef BR_REAL\n#undef BR_SFX\n#undef EL_FN\n#undef EL_SOURCE\n#undef EL_STATES\n"
                   "#undef EL_ADVANCE\n\n");
}

/* The step of core/element.inc over this kernel, once per file. */
static void emit_element(bri_emit *e, const br_model *m)
{
  const char *real = e->f32 ? "float" : "double", *sfx = e->f32 ? "f32" : "f64";
  bri_emit_printf(e, "#ifndef BRX_%s_el_%s\n#define BRX_%s_el_%s\n", m->name, sfx, m->name, sfx);
  bri_emit_printf(e, "#define BR_REAL %s\n#define BR_SFX _%s\n#define BR_MODEL %s\n", real, sfx, m->name);
  bri_emit_printf(
      e, "#define EL_FN(x) br_%s_el_##x##_%s\n#define EL_SOURCE br_%s_par_%s\n#define EL_STATES %d\n",
      m->name, sfx, m->name, sfx, (int)(m->nz ? m->nz : 1));
  bri_emit_text(e, "#define EL_ADVANCE(f, n, u, v, h, z, F) BR_M(advance)(f, n, u, v, h, z, F)\n");
  bri_emit_source(e, "core/element.inc");
  bri_emit_text(e, "#undef BR_REAL\n#undef BR_SFX\n#undef BR_MODEL\n#undef EL_FN\n#undef EL_SOURCE\n"
                   "#undef EL_STATES\n#undef EL_ADVANCE\n#endif\n\n");
}

static void emit_step(bri_emit *e, const br_model *m, const char *name, size_t nz)
{
  const char *real = e->f32 ? "float" : "double", *sfx = e->f32 ? "f32" : "f64",
             *star = m->axes == 2 ? "*" : "";
  bri_emit_printf(e,
                  "typedef struct {\n  %s u[%d], F[%d]; /* m: where the last step ended; N: its force */\n"
                  "  %s z[%d]; /* state */\n  unsigned flags; /* BR_RT_*, sticky */\n} %s_t;\n",
                  real, m->axes, m->axes, real, (int)(nz ? nz : 1), name);
  bri_emit_printf(e, "BRX_FN %s %s_step(%s_t *e, %s load, const %s %su, const %s %sv, %s h)\n{\n", real, name,
                  name, real, real, star, real, star, real);
  char step[96];
  if (bri_is_formula(m)) (void)snprintf(step, sizeof step, "%s_el_step", name);
  else (void)snprintf(step, sizeof step, "br_%s_el_step_%s", m->name, sfx);
  bri_emit_printf(e,
                  "  e->flags |= %s(&%s_par, %d, %d, load, %su, %sv, h, e->z, e->u, e->F);\n"
                  "  return e->F[0];\n}\n",
                  step, name, (int)nz, m->axes, m->axes == 2 ? "" : "&", m->axes == 2 ? "" : "&");
}

/* As BR_M(advance) of core/kernel.inc, by the functions of the model. */
static double advance(const br_model *m, const double *par, double *u, double v, double h, double *z)
{
  double dz[BR_RT_STATES] = {0}, F = 0;
  m->step(par, 1, u, &v, h, z);
  *u = *u + v * h;
  m->rate(par, 1, u, &v, z, dz);
  m->force(par, 1, u, &v, z, dz, &F);
  return F;
}

/* Expected forces come from the real-time stepper of the same precision. */
static br_status emit_selftest(bri_emit *e, const br_model *m, const double *par, const char *name,
                               double sample, br_err *err)
{
  br_rt_f64 wide;
  br_rt_f32 narrow;
  float values[BR_RT_SLOTS] = {0};
  const char *real = e->f32 ? "float" : "double";
  const int axes = m->axes == 2 ? 2 : 1;
  unsigned long long seed = 1;
  memset(&wide, 0, sizeof wide);
  memset(&narrow, 0, sizeof narrow);
  for (size_t i = 0; i < m->slots && i < BR_RT_SLOTS && !bri_is_formula(m); i++) values[i] = (float)par[i];
  double at = 0, z[BR_RT_STATES] = {0};
  const br_status st = bri_is_formula(m) ? BR_OK
                       : e->f32          ? br_rt_init_f32(&narrow, m->name, values, NULL)
                                         : br_rt_init_f64(&wide, m->name, par, NULL);
  if (st) return bri_fail(err, st, "export: parameters of %s are out of range", m->name);
  bri_emit_printf(e, "#define %s_SAMPLE ", name);
  bri_emit_real(e, sample);
  bri_emit_printf(e,
                  " /* s */\n/* Rows of velocity and the force the library's stepper gave. */\n"
                  "static const %s %s_test[%d][%d] BRX_UNUSED = {\n",
                  real, name, (int)TESTS, 2 * axes);
  for (int k = 0; k < TESTS; k++) {
    double F[2] = {0, 0}, v[2] = {0, 0};
    float Ff[2] = {0, 0}, vf[2] = {0, 0};
    for (int a = 0; a < axes; a++) {
      vf[a] = (float)(bri_pow(10, -3 * bri_emit_uniform(&seed)) * (2 * bri_emit_uniform(&seed) - 1) / sample *
                      1e-3);
      v[a] = (double)vf[a];
    }
    if (bri_is_formula(m)) F[0] = advance(m, par, &at, v[0], sample, z);
    else if (e->f32) br_rt_step2_f32(&narrow, narrow.u, vf, (float)sample, Ff);
    else br_rt_step2_f64(&wide, wide.u, v, sample, F);
    bri_emit_text(e, "  {");
    for (int a = 0; a < axes; a++) bri_emit_real(e, v[a]), bri_emit_text(e, ", ");
    for (int a = 0; a < axes; a++) {
      bri_emit_real(e, e->f32 ? (double)Ff[a] : F[a]);
      bri_emit_text(e, a + 1 < axes ? ", " : "},\n");
    }
  }
  bri_emit_printf(e,
                  "};\n/* 0: every force has the expected bits; k: row k is the first that has not. */\n"
                  "BRX_FN int %s_selftest(void)\n{\n  %s_t e;\n  e.flags = 0;\n",
                  name, name);
  bri_emit_printf(e, "  for (int i = 0; i < %d; i++) e.u[i] = e.F[i] = 0;\n", axes);
  bri_emit_printf(e,
                  "  for (unsigned i = 0; i < sizeof e.z / sizeof e.z[0]; i++) e.z[i] = 0;\n"
                  "  for (int k = 0; k < %d; k++) {\n    const %s *row = %s_test[k];\n",
                  (int)TESTS, real, name);
  bri_emit_printf(e, "    %s_step(&e, 1, e.u%s, row%s, %s_SAMPLE);\n", name, axes == 2 ? "" : "[0]",
                  axes == 2 ? "" : "[0]", name);
  bri_emit_printf(e,
                  "    for (int i = 0; i < %d; i++)\n      if (!(e.F[i] == row[%d + i])) return k + 1;\n  }\n"
                  "  return e.flags ? %d : 0;\n}\n",
                  axes, axes, (int)TESTS + 1);
  return BR_OK;
}

br_status br_model_export(const br_model *m, const double *par, const br_control_export_options *o,
                          int (*put)(void *ctx, const char *text, size_t n), void *ctx, br_err *err)
{
  if (!o || !put) return bri_fail(err, BR_E_ARG, "br_model_export: NULL argument");
  br_status st = bri_model_ready(m, par, "br_model_export", err);
  if (!st) st = bri_export_check(o, m && bri_is_formula(m) ? NULL : m, err);
  if (st) return st;
  bri_emit e = {put, ctx, 0, NULL, NULL, o->f32};
  emit_head(&e, m, o);
  bri_emit_open(&e, o->name);
  bri_emit_source(&e, "include/bristle/rt_flags.h");
  bri_emit_source(&e, "core/stamp.h");
  const size_t nz = m->nstate(par) + m->nmode(par);
  const char *formulas = NULL;
  if (bri_is_formula(m)) {
    st = bri_emit_formula(&e, m, par, o->name, &formulas, err);
    if (!st) emit_own_element(&e, o->name, formulas, nz);
  } else {
    bri_emit_kernel(&e, m->name, o->f32 ? "float" : "double", o->f32 ? "_f32" : "_f64");
    emit_element(&e, m);
    bri_emit_attributes(&e);
    st = bri_emit_parameters(&e, m, par, o->name, 0, err);
  }
  if (!st) emit_step(&e, m, o->name, nz);
  if (!st) st = emit_selftest(&e, m, par, o->name, o->sample, err);
  bri_emit_close(&e);
  return st ? st : bri_emit_end(&e, m->name, err);
}
