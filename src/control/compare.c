/* SPDX-License-Identifier: Apache-2.0
 * compare.c - the line-up of controllers, and one of them over all corners of its wrong parameters. */
#include <math.h>
#include <string.h>

#include "../table/alloc.h"
#include "../text/fail.h"
#include "bristle/control.h"

int br_control_lineup(size_t i, br_control_entry *entry)
{
  static const struct {
    const char *name;
    br_control_kind kind;
    br_control_law law;
    int ideal, integral;
  } rows[] = {
      {"feedback linearisation, published", BR_CONTROL_FEEDBACK_LINEARIZATION, BR_LAW_PUBLISHED, 1, 0},
      {"feedback linearisation, true z", BR_CONTROL_FEEDBACK_LINEARIZATION, BR_LAW_CORRECTED, 1, 0},
      {"feedback linearisation, estimated z", BR_CONTROL_FEEDBACK_LINEARIZATION, BR_LAW_CORRECTED, 0, 0},
      {"feedback linearisation, estimated z + integrator", BR_CONTROL_FEEDBACK_LINEARIZATION,
       BR_LAW_CORRECTED, 0, 1},
      {"sliding mode (accelerometer)", BR_CONTROL_SLIDING_MODE, BR_LAW_CORRECTED, 0, 0},
      {"observer", BR_CONTROL_OBSERVER, BR_LAW_CORRECTED, 0, 0},
      {"observer + PI", BR_CONTROL_OBSERVER, BR_LAW_CORRECTED, 0, 1},
      {"cascade PI", BR_CONTROL_CASCADE_PI, BR_LAW_CORRECTED, 0, 0},
      {"plain PI", BR_CONTROL_PI, BR_LAW_CORRECTED, 0, 0}};
  if (!entry || i >= sizeof rows / sizeof rows[0]) return 0;
  entry->name = rows[i].name;
  entry->set = br_control_settings_default(rows[i].kind);
  entry->set.law = rows[i].law;
  entry->set.true_bristle = rows[i].ideal;
  entry->set.integral = rows[i].integral;
  return 1;
}

/* Where a parameter lives: slot in the model's block, or in the mechanism's behind it. */
static br_status locate(const br_control_case *j, const char *name, size_t *slot, int *of_model, br_err *err)
{
  const br_param *p = br_model_param(j->mod, name);
  *of_model = p != NULL;
  for (size_t i = 0; !p && i < j->sys->nparam; i++)
    if (strcmp(j->sys->params[i].name, name) == 0) p = &j->sys->params[i];
  if (!p || p->max_len != 1 || p->choices)
    return bri_text_fail(err, BR_E_NAME, -1, "no number '%s' among the parameters of %s and %s", name,
                         j->mod->name, j->sys->name);
  *slot = p->slot;
  return BR_OK;
}

typedef struct {
  double *spar, *mpar, *mpair;
  size_t slot[16];
  int of_model[16];
} belief;

static br_status one(const br_control_case *j, const br_control_settings *set, size_t tracked, size_t n,
                     double part, unsigned corner, belief *b, br_control_result *out, br_err *err)
{
  br_controller c;
  memcpy(b->spar, j->spar, j->sys->slots * sizeof *b->spar);
  memcpy(b->mpar, j->mpar, j->mod->slots * sizeof *b->mpar);
  for (size_t i = 0; i < n; i++)
    (b->of_model[i] ? b->mpar : b->spar)[b->slot[i]] *= corner >> i & 1 ? 1 + part : 1 - part;
  br_status st = j->mod->check ? j->mod->check(b->mpar, err) : BR_OK;
  if (!st && j->sys->check) st = j->sys->check(b->spar, err);
  if (st) return st;
  if (j->mod->prepare) j->mod->prepare(b->mpar);
  if (j->sys->prepare) j->sys->prepare(b->spar);
  st = br_control_init(&c, set, j->sys, b->spar, j->mod, b->mpar, b->mpair, tracked, err);
  if (st) return st;
  st = br_control_run(j, &c, out, err);
  if (st != BR_E_CONVERGE && st != BR_E_NAN) return st;
  out->error_rms = INFINITY;
  return BR_OK;
}

br_status br_control_corners(const br_control_case *j, const br_control_settings *set, size_t tracked,
                             const char *const *names, size_t n, double part, br_control_result *worst,
                             unsigned *corner, br_err *err)
{
  if (!j || !set || !worst || !j->sys || !j->spar || !j->mod || !j->mpar || (n && !names))
    return bri_text_fail(err, BR_E_ARG, -1, "br_control_corners: NULL argument");
  if (n > 16 || !(part >= 0 && part < 1))
    return bri_text_fail(err, BR_E_RANGE, -1,
                         "br_control_corners: %zu parameters by %.9g: at most 16, by 0 to 1", n, part);
  belief b;
  memset(&b, 0, sizeof b);
  for (size_t i = 0; i < n; i++) {
    const br_status st = locate(j, names[i], &b.slot[i], &b.of_model[i], err);
    if (st) return st;
  }
  b.spar = (double *)bri_malloc_array(j->sys->slots + 3 * j->mod->slots + 1, sizeof *b.spar);
  if (!b.spar) return bri_text_fail(err, BR_E_NOMEM, -1, "no memory for a comparison");
  b.mpar = b.spar + j->sys->slots, b.mpair = b.mpar + j->mod->slots;
  br_status st = BR_OK;
  for (unsigned k = 0; k < 1u << n && !st; k++) {
    br_control_result r;
    st = one(j, set, tracked, n, part, k, &b, &r, err);
    if (st || (k && !(r.error_rms > worst->error_rms))) continue;
    *worst = r;
    if (corner) *corner = k;
    if (isinf(r.error_rms)) break;
  }
  bri_free(b.spar);
  return st;
}
