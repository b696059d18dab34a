/* SPDX-License-Identifier: Apache-2.0
 * export_data.c - what differs between exported headers: parameters, plan, entry points, self-test. */
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../text/fail.h"
#include "bristle/rt.h"
#include "controller.h"
#include "emit.h"

enum { TESTS = 48 };

/* ---- parameters of the friction model ---- */

/* The prepared block in the header's number type.  f32 is prepared in f32, as the real-time stepper does. */
static br_status block_of(const br_model *m, const double *par, int f32, double *out, br_err *err)
{
  const size_t n = m->slots;
  if (!f32) {
    memcpy(out, par, n * sizeof *out);
    return BR_OK;
  }
  br_rt_f32 rt;
  float values[BR_RT_SLOTS] = {0};
  for (size_t i = 0; i < n; i++) values[i] = (float)par[i];
  if (br_rt_init_f32(&rt, m->name, values, NULL))
    return bri_fail(err, BR_E_UNSUPPORTED, "export: parameters of %s do not fit single precision", m->name);
  for (size_t i = 0; i < n; i++) out[i] = (double)rt.par[i];
  return BR_OK;
}

static void emit_scalar(bri_emit *e, double x, const char *name, const char *unit, const char *doc)
{
  bri_emit_text(e, "  ");
  bri_emit_real(e, x);
  bri_emit_printf(e, ", /* %s = %.9g%s%s%s%s */ \\\n", name, x, unit && strcmp(unit, "1") != 0 ? " " : "",
                  unit && strcmp(unit, "1") != 0 ? unit : "", doc ? ": " : "", doc ? doc : "");
}

br_status bri_emit_parameters(bri_emit *e, const br_model *m, const double *par, const char *name, int pair,
                              br_err *err)
{
  double block[BR_RT_SLOTS] = {0};
  if (m->slots > BR_RT_SLOTS) return bri_fail(err, BR_E_SIZE, "export: model %s is too large", m->name);
  const br_status st = block_of(m, par, e->f32, block, err);
  if (st) return st;
  bri_emit_printf(e, "/* Parameters of model %s, and numbers derived from them. */\n", m->name);
  bri_emit_printf(e, "#define %s_PAR { \\\n", name);
  for (size_t i = 0; i < m->slots; i++) {
    const br_param *row = NULL;
    for (size_t k = 0; k < m->nparam && !row; k++)
      if (m->params[k].slot == i) row = &m->params[k];
    if (!row || row->max_len == 1) {
      emit_scalar(e, block[i], row ? row->name : "(derived)", row ? row->unit : NULL, row ? row->doc : NULL);
      continue;
    }
    bri_emit_text(e, "  {");
    for (size_t k = 0; k < row->max_len && i < m->slots; k++, i++) {
      bri_emit_real(e, block[i]);
      bri_emit_text(e, k + 1 < row->max_len ? (k % 8 == 7 ? ", \\\n   " : ", ") : "}, ");
    }
    bri_emit_printf(e, "/* %s, %s: %s */ \\\n", row->name, row->unit, row->doc);
    emit_scalar(e, block[i], "number of them in use", NULL, NULL); /* the length follows its vector */
  }
  bri_emit_text(e, "}\n");
  bri_emit_printf(e, "static const br_%s_par%s %s_par BRX_UNUSED = %s_PAR;\n", m->name,
                  e->f32 ? "_f32" : "_f64", name, name);
  if (pair)
    bri_emit_printf(e, "static const br_%s_par%s %s_pair BRX_UNUSED = %s_PAR;\n", m->name,
                    e->f32 ? "_c32" : "_c64", name, name);
  return BR_OK;
}

/* ---- plan ---- */

static void emit_number(bri_emit *e, double x, const char *name, const char *doc)
{
  bri_emit_text(e, "  ");
  bri_emit_real(e, x);
  bri_emit_printf(e, ", /* %s = %.9g%s%s */\n", name, x, doc[0] ? ": " : "", doc);
}

static void emit_plan(bri_emit *e, const br_controller *c, const char *name)
{
  const br_control_settings *s = &c->set;
  const char *f32 = e->f32 ? "f32_" : "";
  bri_emit_printf(e,
                  "\n/* Settings, and what was fitted to mechanism and friction. */\n"
                  "static const br_control_%splan %s_plan BRX_UNUSED = {\n",
                  f32, name);
  bri_emit_printf(e, "  {(br_control_kind)%d /* %s */, (br_control_law)%d /* %s */,\n", (int)s->kind,
                  br_control_name((size_t)s->kind), (int)s->law,
                  s->law == BR_LAW_PUBLISHED ? "published" : "corrected");
  bri_emit_printf(e, "  %d, /* bristle states are %s */\n  %d, /* integral action */\n", s->true_bristle,
                  s->true_bristle ? "handed in" : "estimated", s->integral);
  bri_emit_printf(e, "  (br_control_antiwindup)%d, /* at the limit: %s */\n  {", (int)s->antiwindup,
                  s->antiwindup == BR_ANTIWINDUP_BACK_CALCULATION ? "back-calculation"
                                                                  : "conditional integration");
  for (int i = 0; i < 3; i++) {
    bri_emit_real(e, s->poles[i]);
    bri_emit_text(e, i < 2 ? ", " : "}, /* poles of e, 1/s */\n");
  }
  emit_number(e, s->limit, "limit", "|u| stays within it");
#define GAIN(name, positive, unit, doc) emit_number(e, s->name, #name, doc ", in " unit);
  BR_CONTROL_GAINS(GAIN)
#undef GAIN
  bri_emit_text(e, "  },\n");
#define COUNT(name, doc) bri_emit_printf(e, "  %d, /* %s: %s */\n", (int)c->name, #name, doc);
#define REAL(name, doc) emit_number(e, c->name, #name, doc);
#define ARRAY(name, size, doc)                       \
  bri_emit_text(e, "  {");                           \
  for (size_t i = 0; i < (size); i++) {              \
    bri_emit_real(e, c->name[i]);                    \
    bri_emit_text(e, i + 1 < (size) ? ", " : "}, "); \
  }                                                  \
  bri_emit_printf(e, "/* %s%s%s */\n", #name, doc[0] ? ": " : "", doc);
  BR_CONTROL_PLAN(COUNT, COUNT, REAL, ARRAY)
#undef COUNT
#undef REAL
#undef ARRAY
  bri_emit_text(e, "};\n");
}

/* ---- functions ---- */

static int wants_accel(const br_controller *c)
{
  return c->through_force && bri_law(c->set.kind, BR_DOES_SLIDES);
}

static void emit_functions(bri_emit *e, const br_controller *c, const char *name, const char *fn, int slopes)
{
  const char *real = e->f32 ? "float" : "double", *f32 = e->f32 ? "f32_" : "";
  const int model = br_control_needs_model(c->set.kind);
  const br_system *s = c->sys;
  bri_emit_printf(e,
                  "\n/* Memory of the controller, and the places of the measured states in meas.q. */\n"
                  "typedef br_control_%smemory %s_t;\nenum {\n",
                  f32, name);
  for (size_t i = 0; i < c->nq; i++)
    bri_emit_printf(e, "  %s_q_%s = %d, /* %s: %s */\n", name, s->states[i].name, (int)i, s->states[i].unit,
                    s->states[i].doc);
  bri_emit_printf(e, "  %s_states = %d\n};\n", name, (int)c->nq);
  bri_emit_printf(e, "BRX_FN void %s_reset(%s_t *ctl) { br_%s_reset(ctl); }\n\n", name, name, fn);
  bri_emit_printf(
      e,
      "/* ref: reference of %s and its two derivatives; meas: q[%d] measured%s%s, side 0; h: seconds since\n"
      " * the last call.  Returns %s in %s, to be held until the next call. */\n",
      s->states[c->iy].name, (int)c->nq, c->set.true_bristle ? ", z the bristle states" : ", z unused (NULL)",
      wants_accel(c) ? ", accel measured (NaN: none)" : ", accel unused", s->inputs[0].name,
      s->inputs[0].unit);
  bri_emit_printf(
      e,
      "BRX_FN %s %s_update(%s_t *ctl, const br_control_%sref *ref, const br_control_%smeas *meas, %s h)\n{\n",
      real, name, name, f32, f32, real);
  bri_emit_printf(e, "  const br_%s_source f = {", fn);
  if (model) bri_emit_printf(e, "&%s_par, ", name);
  bri_emit_printf(e, "%d", (int)c->nz);
  if (slopes) bri_emit_printf(e, ", &%s_pair", name);
  bri_emit_printf(e, "};\n  return br_%s_update(&%s_plan, &f, ctl, ref, meas, h);\n}\n", fn, name);
}

/* The flat call: one argument per number, at the fixed sample time. */
static void emit_flat(bri_emit *e, const br_controller *c, const char *name)
{
  const char *real = e->f32 ? "float" : "double", *f32 = e->f32 ? "f32_" : "";
  const br_system *s = c->sys;
  bri_emit_printf(e, "\n/* The same, flat: to be called every %s_SAMPLE seconds with r, r', r''", name);
  for (size_t i = 0; i < c->nq; i++) bri_emit_printf(e, ", %s", s->states[i].name);
  bri_emit_printf(e, "%s%s. */\nBRX_FN %s %s_step(%s_t *ctl, %s r, %s dr, %s ddr",
                  wants_accel(c) ? ", acceleration a" : "", c->set.true_bristle ? ", bristle states z" : "",
                  real, name, name, real, real, real);
  for (size_t i = 0; i < c->nq; i++) bri_emit_printf(e, ", %s %s", real, s->states[i].name);
  if (wants_accel(c)) bri_emit_printf(e, ", %s a", real);
  if (c->set.true_bristle) bri_emit_printf(e, ", const %s *z", real);
  bri_emit_printf(e, ")\n{\n  const %s q[%d] = {", real, (int)c->nq);
  for (size_t i = 0; i < c->nq; i++) bri_emit_printf(e, "%s%s", i ? ", " : "", s->states[i].name);
  bri_emit_printf(e, "};\n  const br_control_%sref ref = {r, dr, ddr};\n", f32);
  bri_emit_printf(e, "  const br_control_%smeas meas = {q, %s, %s, 0};\n", f32,
                  c->set.true_bristle ? "z" : "0", wants_accel(c) ? "a" : "0");
  bri_emit_printf(e, "  return %s_update(ctl, &ref, &meas, %s_SAMPLE);\n}\n", name, name);
}

/* ---- self-test ---- */

/* Motion with reversals, slow and fast parts; numbers a float can hold, so that both precisions share
 * them. */
static void test_row(unsigned long long *seed, const br_controller *c, double *row)
{
  const size_t nq = c->nq;
  for (size_t i = 0; i < 3 + nq + 1; i++) {
    const double size = bri_pow(10, -3 * bri_emit_uniform(seed));
    row[i] = (double)(float)(size * (2 * bri_emit_uniform(seed) - 1));
  }
  for (size_t i = 0; i < c->nz; i++) /* handed in: within what the bristles can hold */
    row[4 + nq + i] =
        (double)(float)((isfinite(c->z_bound) ? 0.4 * c->z_bound : 1e-3) * (2 * bri_emit_uniform(seed) - 1));
}

static double test_output(br_controller *c, const double *row, double h)
{
  const br_control_ref ref = {row[0], row[1], row[2]};
  const br_control_meas meas = {row + 3, row + 4 + c->nq, row[3 + c->nq], 0};
  return br_control_update(c, &ref, &meas, h);
}

/* An output at the limit shows little: make the row smaller until it is not. */
static void calm_row(const br_controller *c, double h, size_t width, double *row)
{
  for (int tries = 0; tries < 12; tries++) {
    br_controller copy = *c;
    if (fabs(test_output(&copy, row, h)) < c->set.limit) return;
    for (size_t i = 0; i < width; i++) row[i] *= 0.25; /* exact in both precisions */
  }
}

static void emit_selftest(bri_emit *e, const br_controller *given, const char *name, double sample)
{
  br_controller c = *given;
  const char *real = e->f32 ? "float" : "double", *f32 = e->f32 ? "f32_" : "";
  const size_t nq = c.nq, width = 4 + nq + c.nz;
  const double h = e->f32 ? (double)(float)sample : sample;
  double row[4 + BR_CONTROL_MAX_Q + BR_CONTROL_MAX_Z], top = 0;
  unsigned long long seed = 1;
  br_control_reset(&c);
  bri_emit_text(
      e, "\n/* Rows of r, r', r'', q, accel, z and the output that the library's controller gave. */\n");
  bri_emit_printf(e, "static const %s %s_test[%d][%d] BRX_UNUSED = {\n", real, name, (int)TESTS,
                  (int)width + 1);
  for (int k = 0; k < TESTS; k++) {
    test_row(&seed, &c, row);
    if (k % 8 < 7) calm_row(&c, h, width, row);
    const double u = test_output(&c, row, h);
    top = fmax(top, fabs(u));
    bri_emit_text(e, "  {");
    for (size_t i = 0; i < width; i++) bri_emit_real(e, row[i]), bri_emit_text(e, ", ");
    bri_emit_real(e, u);
    bri_emit_text(e, "},\n");
  }
  bri_emit_printf(e, "};\n/* 0: every output is as expected (%s); k: row k is the first that is not. */\n",
                  e->f32 ? "to a part of the largest one" : "all bits");
  bri_emit_printf(e, "BRX_FN int %s_selftest(void)\n{\n  %s_t ctl, flat;\n", name, name);
  bri_emit_printf(e, "  %s_reset(&ctl);\n  %s_reset(&flat);\n", name, name);
  bri_emit_printf(e, "  for (int k = 0; k < %d; k++) {\n    const %s *row = %s_test[k];\n", (int)TESTS, real,
                  name);
  bri_emit_printf(e, "    const br_control_%sref ref = {row[0], row[1], row[2]};\n", f32);
  bri_emit_printf(e, "    const br_control_%smeas meas = {row + 3, row + %d, row[%d], 0};\n", f32,
                  (int)nq + 4, (int)nq + 3);
  bri_emit_printf(e, "    const %s u = %s_update(&ctl, &ref, &meas, %s_SAMPLE), off = u - row[%d];\n", real,
                  name, name, (int)width);
  bri_emit_text(e, "    if (!(off <= ");
  bri_emit_real(e, e->f32 ? 1e-5 * top : 0);
  bri_emit_text(e, " && off >= ");
  bri_emit_real(e, e->f32 ? -1e-5 * top : 0);
  bri_emit_printf(e, ")) return k + 1;\n    if (!(%s_step(&flat, row[0], row[1], row[2]", name);
  for (size_t i = 0; i < nq; i++) bri_emit_printf(e, ", row[%d]", (int)i + 3);
  if (wants_accel(&c)) bri_emit_printf(e, ", row[%d]", (int)nq + 3);
  if (c.set.true_bristle) bri_emit_printf(e, ", row + %d", (int)nq + 4);
  bri_emit_text(e, ") == u)) return k + 1; /* both calls, all bits */\n  }\n  return 0;\n}\n");
}

void bri_emit_attributes(bri_emit *e)
{
  bri_emit_text(e, "#ifndef BRX_FN\n#if defined(__GNUC__)\n#define BRX_UNUSED __attribute__((unused))\n"
                   "#define BRX_FN static inline BRX_UNUSED\n#else\n#define BRX_UNUSED\n"
                   "#define BRX_FN static inline\n#endif\n#endif\n\n");
}

br_status bri_emit_controller(bri_emit *e, const br_controller *c, const br_control_export_options *o,
                              const char *fn, int slopes, br_err *err)
{
  bri_emit_attributes(e);
  if (br_control_needs_model(c->set.kind)) {
    const br_status st = bri_emit_parameters(e, c->mod, c->mpar, o->name, slopes, err);
    if (st) return st;
  }
  emit_plan(e, c, o->name);
  bri_emit_printf(e, "\n#define %s_SAMPLE ", o->name);
  bri_emit_real(e, o->sample);
  bri_emit_text(e, " /* s */\n");
  emit_functions(e, c, o->name, fn, slopes);
  emit_flat(e, c, o->name);
  emit_selftest(e, c, o->name, o->sample);
  return BR_OK;
}
