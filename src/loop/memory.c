/* SPDX-License-Identifier: Apache-2.0
 * memory.c - return-point memory and congruency, the two properties of Preisach's operator, measured.
 *   return point: after an excursion a -> b -> a the model is back where it left a, and goes on as if nothing
 * had been; congruency: minor loops between the same two inputs have the same shape whatever came before. */
#include <math.h>
#include <string.h>

#include "../base/worse.h"
#include "../param/valid.h"
#include "../text/fail.h"
#include "bristle/classify.h"
#include "loop_internal.h"

typedef struct {
  bri_arc_model a;
  double z[2 * BR_LOOP_MAX_STATE], u, y;
} walker;

static br_status go(walker *w, double to, br_err *err)
{
  const double d = to - w->u, s = d > 0 ? 1.0 : -1.0;
  if (d == 0) return BR_OK;
  const br_status st = bri_arc_move(&w->a, w->u, s, fabs(d), w->z, NULL, err);
  w->u = to;
  w->y = bri_arc_force(&w->a, to, s, w->z);
  return st;
}

/* Force along the minor loop a -> b -> a, `half` samples each way, relative to its first value. */
static br_status minor_shape(walker *w, double a, double b, int half, double *y, br_err *err)
{
  br_status st = go(w, a, err);
  const double y0 = w->y;
  for (int k = 1; st == BR_OK && k <= 2 * half; k++) {
    const double part = k <= half ? (double)k / half : 2.0 - (double)k / half;
    st = go(w, a + (b - a) * part, err);
    y[k - 1] = w->y - y0;
  }
  return st;
}

br_status br_memory(const br_model *m, const double *par, double U, br_memory_report *out, br_err *err)
{
  enum { HALF = 16 };
  double first[2 * HALF], again[2 * HALF], other[2 * HALF], height = 0, shape = 0;
  memset(out, 0, sizeof *out);
  br_status st = bri_model_ready(m, par, "memory", err);
  if (st != BR_OK) return st;
  if (m->axes != 1) return bri_fail(err, BR_E_UNSUPPORTED, "%s has two axes", m->name);
  if (!(U > 0)) U = br_natural_amplitude(m, par) * 0.25;
  walker up = {.a = {m, par, NULL, 1, BRI_SLOW, 1e-12, m->nstate(par) + m->nmode(par), NULL}};
  walker down;
  /* settle on the major loop */
  for (int k = 0; st == BR_OK && k < 20; k++) st = go(&up, k % 2 ? -U : U, err);
  down = up; /* stands at -U, rising next */
  const double a = 0.35 * U, b = -0.15 * U;
  if (st == BR_OK) st = minor_shape(&up, a, b, HALF, first, err); /* from the rising branch */
  if (st == BR_OK) st = minor_shape(&up, a, b, HALF, again, err); /* once more */
  if (st == BR_OK) st = go(&down, U, err);
  if (st == BR_OK) st = go(&down, b, err); /* from the falling branch: the loop b -> a -> b, read from a */
  if (st == BR_OK) st = minor_shape(&down, a, b, HALF, other, err);
  if (st != BR_OK) return st;
  for (int k = 0; k < 2 * HALF; k++) {
    height = fmax(height, fabs(first[k]));
    shape = bri_worse(shape, fabs(first[k] - other[k]));
  }
  if (!(height > 0)) return bri_fail(err, BR_E_UNSUPPORTED, "%s gives no force in slow motion", m->name);
  out->closure = first[2 * HALF - 1] / height;
  out->return_point = again[2 * HALF - 1] / height;
  out->congruency = shape / height;
  if (fabs(out->closure) > fabs(out->return_point)) out->return_point = out->closure;
  return BR_OK;
}
