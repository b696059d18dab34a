/* SPDX-License-Identifier: Apache-2.0
 * analysis_events.c - 'simulate', events that a formula of states and time asks for, with the state there;
 * how long true-stick contacts hold and where they break away. */
#include <stdio.h>
#include <string.h>

#include "answer.h"
#include "base/alloc.h"
#include "bristle/expr.h"
#include "param/param.h"
#include "plant.h"
#include "text/buf.h"
#include "text/fail.h"

enum { FORMULAS = 16, CODE = 512 };

typedef struct {
  double code[CODE];
  size_t n;
  char text[64];
} formula;

struct bri_user_events {
  formula of[FORMULAS];
  size_t n, nvar;
  size_t *state; /* [nvar - 1] index of the state behind each variable; t is the last */
  double *x;     /* [nvar] */
};

/* "A=B" is A-(B); "=" of a comparison (<=, >=, ==, !=) is none. */
static void as_zero(const char *s, size_t n, bri_buf *b)
{
  for (size_t i = 1; i + 1 < n; i++)
    if (s[i] == '=' && !strchr("<>=!", s[i - 1]) && s[i + 1] != '=') {
      bri_buf_text(b, "("), bri_buf_add(b, s, i), bri_buf_text(b, ")-(");
      bri_buf_add(b, s + i + 1, n - i - 1), bri_buf_text(b, ")");
      return;
    }
  bri_buf_add(b, s, n);
}

static br_status variables(const br_plant *plant, struct bri_user_events *u, bri_buf *vars, br_err *err)
{
  static const char NAME[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  const size_t n = br_plant_nstate(plant);
  u->state = bri_calloc(n + 1, sizeof *u->state);
  u->x = bri_calloc(n + 1, sizeof *u->x);
  if (!u->state || !u->x) return bri_no_memory(err, "simulate");
  for (size_t i = 0; i < n; i++) {
    const char *name = br_plant_state(plant, i);
    if (name[strspn(name, NAME)] || strcmp(name, "t") == 0) continue;
    bri_buf_printf(vars, "%s,", name);
    u->state[u->nvar++] = i;
  }
  bri_buf_text(vars, "t");
  u->nvar++;
  return vars->failed ? bri_no_memory(err, "simulate") : BR_OK;
}

br_status bri_user_events_read(const br_job *job, struct bri_user_events **out, br_err *err)
{
  const char *text = br_job_text(job, "event"), *dash = br_job_dash(job);
  bri_buf vars = {0}, one = {0};
  *out = NULL;
  if (!text) return BR_OK;
  struct bri_user_events *u = bri_calloc(1, sizeof *u);
  br_status st = u ? variables(br_job_plant(job), u, &vars, err) : bri_no_memory(err, "simulate");
  for (const char *s = text; !st && *s;) {
    const size_t n = bri_item_length(s);
    br_err why = {BR_OK, -1, ""};
    if (u->n == FORMULAS) {
      st = bri_fail(err, BR_E_SIZE, "%sevent: more than %d formulas", dash, FORMULAS);
      break;
    }
    one.used = 0;
    as_zero(s, n, &one);
    formula *f = &u->of[u->n];
    if (one.failed) st = bri_no_memory(err, "simulate");
    else st = br_expr_compile(one.text ? one.text : "", one.used, vars.text, CODE, f->code, &f->n, &why);
    if (st && st != BR_E_NOMEM)
      st = bri_fail(err, st, "%sevent %.*s: %.180s", dash, n < 60 ? (int)n : 60, s, why.msg);
    (void)snprintf(f->text, sizeof f->text, "%.*s", n < 60 ? (int)n : 60, s);
    u->n++;
    s += n + (s[n] == ',');
  }
  bri_buf_free(&vars), bri_buf_free(&one);
  if (st) bri_user_events_free(u);
  else *out = u;
  return st;
}

void bri_user_events_free(struct bri_user_events *u)
{
  if (!u) return;
  bri_free(u->state);
  bri_free(u->x);
  bri_free(u);
}

static void ask(void *ctx, double t, const double *x, double *g)
{
  struct bri_user_events *u = ((bri_answer *)ctx)->user;
  for (size_t k = 0; k + 1 < u->nvar; k++) u->x[k] = x[u->state[k]];
  u->x[u->nvar - 1] = t;
  for (size_t i = 0; i < u->n; i++) g[i] = br_expr_value(u->of[i].code, u->of[i].n, u->x);
}

void bri_user_events_set(bri_answer *b)
{
  if (!b->user) return;
  b->set.nuser = b->user->n;
  b->set.user = ask;
}

const char *bri_user_event_text(const bri_answer *b, size_t i)
{
  return b->user && i < b->user->n ? b->user->of[i].text : NULL;
}

/* ---- true stick ---- */

static double load_at(const br_plant *p, size_t c, double t, double u)
{
  double n = p->load[c], dn = 0, h = 1;
  if (p->loads && p->loads[c].eval) p->loads[c].eval(p->loads[c].ctx, t, -1, &n, &dn);
  if (p->along && p->along[c].eval) p->along[c].eval(p->along[c].ctx, u, 1, &h, &dn);
  return n * h;
}

/* Level of contact c at t in state x, pushed to a side. */
static double level(const br_plant *p, size_t c, double t, const double *x, int side)
{
  double u = p->free ? x[p->nq + c] : 0;
  while (p->then && t > p->t_then) p = p->then;
  for (size_t l = 0; l < p->nq && !p->free; l++) u += p->Cu[c * p->nq + l] * x[l];
  return bri_level(p, c, load_at(p, c, t, u), &u, side);
}

int bri_is_true_stick(const br_plant *p) { return bri_any_holds(p); }

double bri_breakaway(const br_plant *p, const br_event *ev)
{
  const int side = ev->direction < 0 ? -1 : 1;
  return side * level(p, ev->index, ev->t, ev->x, side);
}
