/* SPDX-License-Identifier: Apache-2.0
 * loop_curve.c - points along a loop: table, picture and transient are made of them. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "amount.h"
#include "loop_job.h"

/* Few arcs are drawn finely; a long record is a cloud anyway. */
size_t loop_samples(const loop_job *b)
{
  if (b->samples) return b->samples;
  const size_t n = 20000 / (b->sum.n_turning + 1);
  return n > 100 ? 100 : n < 1 ? 1 : n;
}

/* ---- which minor loop? ---- */

/* Loops come by their start; the open ones form a stack, because loops nest. */
typedef struct {
  size_t *open, depth, next;
} nesting;

static void nesting_start(const loop_job *b, nesting *s)
{
  s->depth = s->next = 0;
  /* those that began in the period before and run into this one: the outermost started first */
  for (size_t i = 0; i < b->sum.n_minor; i++)
    if (b->minor[i].rho_end > b->sum.path_length) s->open[s->depth++] = i;
}

/* Innermost minor loop that holds rho, -1 for none; rho must not decrease. */
static double nesting_at(const loop_job *b, nesting *s, double rho, size_t arc)
{
  const double R = b->sum.path_length;
  while (s->depth > 0) {
    const br_minor *m = &b->minor[s->open[s->depth - 1]];
    const double end =
        s->next <= s->open[s->depth - 1] ? m->rho_end - R : m->rho_end; /* entered in the period before */
    if (rho <= end) break;
    s->depth--;
  }
  while (s->next < b->sum.n_minor && b->minor[s->next].start_reversal <= arc) s->open[s->depth++] = s->next++;
  return s->depth > 0 ? (double)s->open[s->depth - 1] : -1.0;
}

/* ---- the curve ---- */

void loop_curve_free(loop_curve *c)
{
  free(c->rho);
  memset(c, 0, sizeof *c);
}

static int curve_alloc(loop_curve *c, size_t rows)
{
  memset(c, 0, sizeof *c);
  double *p = rows < SIZE_MAX / 4 / sizeof *p ? malloc(4 * rows * sizeof *p) : NULL;
  if (!p) return 0;
  c->rho = p;
  c->u = p + rows;
  c->y = p + 2 * rows;
  c->minor = p + 3 * rows;
  return 1;
}

static void push(loop_curve *c, double rho, double u, double y, double minor)
{
  c->rho[c->n] = rho;
  c->u[c->n] = u;
  c->y[c->n] = y;
  c->minor[c->n++] = minor;
}

/* Each arc from its start to its end; a corner stands twice only where the force jumps. */
static void walk(const loop_job *b, br_loop_walk *on, nesting *s, size_t per_arc, loop_curve *c)
{
  const size_t n = b->sum.n_turning;
  nesting_start(b, s);
  for (size_t i = 0; i < n; i++) {
    const double a = b->turning[i].rho, end = i + 1 < n ? b->turning[i + 1].rho : b->sum.path_length;
    const double u0 = b->turning[i].u, u1 = b->turning[i + 1 < n ? i + 1 : 0].u;
    const double y0 = br_loop_walk_y(on, a, 1), before = nesting_at(b, s, a, i);
    if (i == 0 || y0 != c->y[c->n - 1]) push(c, a, u0, y0, before);
    else c->minor[c->n - 1] = before;
    for (size_t k = 1; k < per_arc && !cli_stop; k++) {
      const double part = (double)k / (double)per_arc, rho = a + part * (end - a);
      push(c, rho, u0 + part * (u1 - u0), br_loop_walk_y(on, rho, -1), nesting_at(b, s, rho, i));
    }
    push(c, end, u1, b->turning[i + 1 < n ? i + 1 : 0].y, nesting_at(b, s, end, i));
  }
}

int loop_curve_create(const loop_job *b, loop_curve *c)
{
  if (b->wave) {
    const br_wave_result *r = br_wave_get(b->wave);
    if (!curve_alloc(c, r->n)) return 0;
    for (size_t k = 0; k < r->n; k++) push(c, r->t[k], r->u[k], r->y[k], -1);
    return 1;
  }
  const size_t per_arc = loop_samples(b);
  nesting s = {calloc(b->sum.n_minor + 1, sizeof(size_t)), 0, 0};
  br_loop_walk *on = NULL;
  const int good = s.open && br_loop_walk_create(b->loop, NULL, &on, NULL) == BR_OK &&
                   curve_alloc(c, b->sum.n_turning * (per_arc + 1) + 1);
  if (good) walk(b, on, &s, per_arc, c);
  br_loop_walk_destroy(on);
  free(s.open);
  return good;
}

int loop_write_tables(const loop_job *b)
{
  const cli_command *cmd = b->call->command;
  loop_curve c;
  columns out;
  br_err err;
  if (!loop_curve_create(b, &c)) return cli_no_memory(cmd);
  if (cli_stop) {
    loop_curve_free(&c);
    return cli_interrupted(cmd);
  }
  if (!columns_create(&out, b->wave ? 3 : 4, c.n, outputs_to_stdout(&b->to))) {
    loop_curve_free(&c);
    return cli_no_memory(cmd);
  }
  columns_name(&out, 0, b->wave ? "t" : "rho", "", b->wave ? "s" : "m");
  columns_name(&out, 1, "u", "", "m");
  columns_name(&out, 2, "y", "", "N");
  if (!b->wave) columns_name(&out, 3, "minor", "", "1");
  int code = outputs_open(b->call, &b->to, b->params, &out);
  for (size_t k = 0; !code && k < c.n && !cli_stop; k++) {
    out.row[0] = c.rho[k];
    out.row[1] = c.u[k];
    out.row[2] = c.y[k];
    if (!b->wave) out.row[3] = c.minor[k];
    if (columns_push(&out, &err)) code = cli_failed(cmd, &err);
  }
  if (!code) code = outputs_close(b->call, &out);
  if (!code && outputs_to_stdout(&b->to) && columns_print(&out, &err)) code = cli_failed(cmd, &err);
  columns_release(&out);
  loop_curve_free(&c);
  return code;
}

/* Largest difference between two walks in each period, over the samples of the curve.  Where the force jumps at
 * corners (a frequency is given) both sides are looked at from just beside. */
static int distances(loop_job *b, const loop_curve *c, br_loop_walk *from_init, br_loop_walk *steady)
{
  const double R = b->sum.path_length, beside = b->set.frequency > 0 ? 1e-11 * R : 0.0;
  for (size_t k = 0; k < b->periods; k++) {
    double worst = 0;
    for (size_t i = 0; i < c->n; i++) {
      if (i && c->rho[i] == c->rho[i - 1]) continue; /* a corner stands twice */
      for (int side = -1; side <= 1; side += 2) {
        const double at = c->rho[i] + side * beside, rho = at + (double)k * R;
        if (at < 0 || at > R) continue;
        worst = fmax(worst, fabs(br_loop_walk_y(from_init, rho, 1) - br_loop_walk_y(steady, rho, 1)));
      }
      if (cli_stop) return cli_interrupted(b->call->command);
    }
    b->distance[k] = worst;
  }
  return CLI_OK;
}

int loop_transient(loop_job *b)
{
  const cli_command *cmd = b->call->command;
  loop_curve c;
  br_loop_walk *from_init = NULL, *steady = NULL;
  br_err err;
  int code = CLI_OK;
  amount_note(cmd, (double)b->periods * (double)loop_samples(b) * (double)b->sum.n_turning, "points", 1e-7);
  if (!loop_curve_create(b, &c)) return cli_no_memory(cmd);
  if (br_loop_walk_create(b->loop, b->z0, &from_init, &err) ||
      br_loop_walk_create(b->loop, NULL, &steady, &err))
    code = cli_no_memory(cmd);
  if (!code) code = distances(b, &c, from_init, steady);
  br_loop_walk_destroy(from_init);
  br_loop_walk_destroy(steady);
  loop_curve_free(&c);
  return code;
}
