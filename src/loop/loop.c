/* SPDX-License-Identifier: Apache-2.0
 * loop.c - creation and queries of a steady loop; chooses the method. */
#include <math.h>
#include <string.h>

#include "../param/valid.h"
#include "../base/alloc.h"
#include "../text/fail.h"
#include "loop_internal.h"

br_loop_settings br_loop_settings_default(void)
{
  return (br_loop_settings){.frequency = 0, .load = 1, .rtol = 1e-13};
}

static br_status check(const br_model *m, const double *par, const br_loop_settings *s, br_err *err)
{
  const br_status st = bri_model_ready(m, par, "a loop", err);
  if (st != BR_OK) return st;
  if (m->axes != 1) return bri_fail(err, BR_E_UNSUPPORTED, "%s has two axes: a loop needs one", m->name);
  if (m->nstate(par) + m->nmode(par) > 2 * BR_LOOP_MAX_STATE)
    return bri_fail(err, BR_E_SIZE, "%s has too many states for a loop", m->name);
  if (!(s->frequency >= 0) || !(s->frequency <= 1e12))
    return bri_fail(err, BR_E_RANGE, "frequency = %.9g Hz is out of range: must be >= 0", s->frequency);
  if (!(s->load > 0) || !(s->load <= 1e12))
    return bri_fail(err, BR_E_RANGE, "load = %.9g is out of range: must be > 0", s->load);
  if (!(s->rtol >= 1e-15) || !(s->rtol <= 0.1))
    return bri_fail(err, BR_E_RANGE, "rtol = %.9g is out of range: must be >= 1e-15 and <= 0.1", s->rtol);
  return BR_OK;
}

static br_status solve(br_loop *loop, double u0, br_err *err)
{
  size_t *end_arc = NULL;
  br_status st = bri_path_minors(&loop->path, &loop->minor, &end_arc, &loop->sum.n_minor);
  const int slow = loop->speed == BRI_SLOW;
  if (st == BR_OK) {
    if (bri_affine_measure(loop->model, loop->par, loop->load, loop->speed, slow, &loop->affine)) {
      loop->sum.method = BR_LOOP_CLOSED_FORM;
      st = bri_closed_solve(loop, end_arc);
    } else {
      loop->sum.method = BR_LOOP_PERIOD_MAP;
      st = bri_steady_solve(loop, u0, end_arc, err);
    }
  }
  bri_free(end_arc);
  if (st == BR_E_NOMEM) bri_fail(err, st, "no memory for a loop of %zu turning points", loop->path.n);
  return st;
}

br_status br_loop_create(const br_model *m, const double *par, size_t n, const double *u, double u0,
                         const br_loop_settings *settings, br_loop **out, br_err *err)
{
  const br_loop_settings s = settings ? *settings : br_loop_settings_default();
  br_loop *loop = NULL;
  *out = NULL;
  br_status st = check(m, par, &s, err);
  if (st != BR_OK) return st;
  if (!u || !(u0 - u0 == 0)) return bri_fail(err, BR_E_ARG, "a loop needs turning points and a finite start");
  loop = bri_calloc(1, sizeof *loop);
  if (!loop) return bri_fail(err, BR_E_NOMEM, "no memory for a loop");
  loop->model = m;
  loop->load = s.load;
  loop->rtol = s.rtol;
  loop->stop = s.stop;
  loop->nz = m->nstate(par) + m->nmode(par);
  loop->par = bri_malloc_array(m->slots, sizeof(double));
  st = bri_path_create(n, u, &loop->path, err);
  if (st == BR_OK) {
    loop->turning = bri_malloc_array(loop->path.n, sizeof *loop->turning);
    if (!loop->par || !loop->turning) st = bri_fail(err, BR_E_NOMEM, "no memory for a loop");
  }
  if (st == BR_OK) {
    if (m->slots) memcpy(loop->par, par, m->slots * sizeof(double));
    loop->speed = s.frequency > 0 ? s.frequency * loop->path.total : BRI_SLOW;
    loop->sum.path_length = loop->path.total;
    loop->sum.n_turning = loop->path.n;
  }
  if (st == BR_OK) st = solve(loop, u0, err);
  /* what was stopped may have looked like something else on its way here */
  if (bri_stopped(&s.stop)) st = bri_stop_status(&s.stop, m->name, err);
  if (st != BR_OK) br_loop_destroy(loop);
  else *out = loop;
  return st;
}

/* Where an element is unstretched: at the origin where a periodic motion passes it, else where the motion
 * starts. */
static double start_of(const br_signal *input, size_t n, const double *u)
{
  double lo = INFINITY, hi = -INFINITY;
  for (size_t i = 0; i < n; i++) lo = fmin(lo, u[i]), hi = fmax(hi, u[i]);
  return br_signal_period(input) > 0 && lo <= 0 && hi >= 0 ? 0.0 : br_signal_value(input, 0);
}

br_status br_loop_of_signal(const br_model *m, const double *par, const br_signal *input,
                            const br_loop_settings *s, br_loop **out, br_err *err)
{
  size_t n = 0;
  double *u = NULL;
  *out = NULL;
  br_status st = br_signal_turning(input, 0, NULL, NULL, &n, err);
  if (st != BR_OK && st != BR_E_SIZE) return st;
  u = bri_malloc_array(n, sizeof *u);
  if (!u) return bri_fail(err, BR_E_NOMEM, "no memory for %zu turning points", n);
  st = br_signal_turning(input, n, u, NULL, &n, err);
  if (st == BR_OK) st = br_loop_create(m, par, n, u, start_of(input, n, u), s, out, err);
  bri_free(u);
  return st;
}

void br_loop_destroy(br_loop *loop)
{
  if (!loop) return;
  bri_path_destroy(&loop->path);
  bri_free(loop->par);
  bri_free(loop->turning);
  bri_free(loop->minor);
  bri_free(loop->Y);
  bri_free(loop->z);
  bri_free(loop);
}

const br_loop_summary *br_loop_get(const br_loop *loop) { return &loop->sum; }
const br_turning *br_loop_turnings(const br_loop *loop) { return loop->turning; }
const br_minor *br_loop_minors(const br_loop *loop) { return loop->minor; }

double br_loop_u(const br_loop *loop, double rho)
{
  double from;
  const size_t i = bri_path_arc(&loop->path, rho, &from, 1);
  return loop->path.u[i] + bri_path_dir(&loop->path, i) * from;
}

/* Force after `from` metres of arc i, the state at the arc's start being z (period map) or Y (closed form).
 */
static double along(const br_loop *loop, size_t i, double from, const double *start)
{
  const double s = bri_path_dir(&loop->path, i), u = loop->path.u[i];
  double z[2 * BR_LOOP_MAX_STATE];
  if (loop->sum.method == BR_LOOP_CLOSED_FORM)
    return loop->affine.p * bri_affine_move(&loop->affine, start[0], s, from) + s * loop->affine.q;
  const bri_arc_model a = bri_arc_of(loop);
  memcpy(z, start, loop->nz * sizeof(double));
  if (from > 0 && bri_arc_move(&a, u, s, from, z, NULL, NULL) != BR_OK) return (double)NAN;
  return bri_arc_force(&a, u + s * from, s, z);
}

double br_loop_y(const br_loop *loop, double rho, int side)
{
  double from;
  const size_t i = bri_path_arc(&loop->path, rho, &from, side);
  return along(loop, i, from, loop->sum.method == BR_LOOP_CLOSED_FORM ? loop->Y + i : loop->z + i * loop->nz);
}
