/* SPDX-License-Identifier: Apache-2.0
 * loop_print.c - the result of `bristle loop` as text and as JSON. */
#include <math.h>
#include <stdio.h>

#include "json.h"
#include "loop_job.h"

enum { ROWS = 20 }; /* of each table on the screen */

static const char *method_text(br_loop_method m)
{
  return m == BR_LOOP_CLOSED_FORM ? "closed-form" : "period-map";
}

/* ---- JSON ---- */

static void json_minors(json *j, const loop_job *b)
{
  json_array(j, "minor");
  for (size_t i = 0; i < b->sum.n_minor; i++) {
    const br_minor *m = &b->minor[i];
    json_object(j, NULL);
    json_number(j, "start_reversal", (double)m->start_reversal);
    json_number(j, "u_start", m->u_start);
    json_number(j, "u_turn", m->u_turn);
    json_number(j, "rho_start", m->rho_start);
    json_number(j, "rho_end", m->rho_end);
    json_number(j, "y_start", m->y_start);
    json_number(j, "y_end", m->y_end);
    json_number(j, "gap", m->gap);
    json_number(j, "work", m->work);
    json_number(j, "dissipation", m->dissipation);
    if (m->parent == BR_NO_PARENT) json_null(j, "parent");
    else json_number(j, "parent", (double)m->parent);
    json_end(j);
  }
  json_end(j);
}

static void json_extras(json *j, const loop_job *b)
{
  if (b->nscales) {
    json_array(j, "rate");
    for (size_t k = 0; k < b->nscales; k++) {
      json_object(j, NULL);
      json_number(j, "scale", b->rate[k].scale);
      json_number(j, "transient", b->rate[k].transient);
      json_number(j, "transient_at", b->rate[k].transient_at);
      json_number(j, "steady", b->rate[k].steady);
      json_number(j, "periods", b->rate[k].periods);
      json_end(j);
    }
    json_end(j);
  }
  if (b->periods) {
    json_array(j, "transient");
    for (size_t k = 0; k < b->periods; k++) {
      json_object(j, NULL);
      json_number(j, "period", (double)k);
      json_number(j, "distance", b->distance[k]);
      json_end(j);
    }
    json_end(j);
  }
  if (b->wave) {
    const br_wave_result *r = br_wave_get(b->wave);
    json_object(j, "wave");
    json_numbers(j, "t", r->t, r->n);
    json_numbers(j, "u", r->u, r->n);
    json_numbers(j, "y", r->y, r->n);
    json_end(j);
  }
}

int loop_print_json(const loop_job *b)
{
  const br_loop_summary *s = &b->sum;
  json j;
  json_init(&j);
  json_object(&j, NULL);
  json_text(&j, "method", method_text(s->method));
  json_number(&j, "path_length", s->path_length);
  json_array(&j, "turning");
  for (size_t i = 0; i < s->n_turning; i++) {
    json_object(&j, NULL);
    json_number(&j, "u", b->turning[i].u);
    json_number(&j, "y", b->turning[i].y);
    json_number(&j, "rho", b->turning[i].rho);
    json_end(&j);
  }
  json_end(&j);
  json_number(&j, "work", s->work);
  json_number(&j, "dissipation", s->dissipation);
  json_minors(&j, b);
  json_number(&j, "error", s->error);
  json_number(&j, "y_min", s->y_min);
  json_number(&j, "y_max", s->y_max);
  json_number(&j, "contraction", s->contraction);
  json_bool(&j, "attracting", s->contraction < 1);
  json_number(&j, "iterations", s->iterations);
  json_number(&j, "seconds", b->seconds);
  json_extras(&j, b);
  json_end(&j);
  return json_print(&j) ? CLI_OK : CLI_FAILED;
}

/* ---- text ---- */

static void print_speed(const loop_job *b)
{
  if (b->wave) (void)printf("in its own time");
  else if (b->set.frequency > 0) (void)printf("%.9g periods a second", b->set.frequency);
  else (void)printf("quasi-static");
  if (b->wave && b->wave_set.tau > 0) (void)printf(" behind a filter of %.9g s", b->wave_set.tau);
}

static void print_more(size_t shown, size_t all, const char *what)
{
  if (all > shown) (void)printf("  ... and %zu more %s; --json or --csv has all\n", all - shown, what);
}

static void print_turning(const loop_job *b)
{
  const size_t n = b->sum.n_turning, shown = n > ROWS ? ROWS : n;
  (void)printf("\n  %8s  %14s  %18s  %14s\n", "turning", "u, m", "y, N", "rho, m");
  for (size_t i = 0; i < shown; i++)
    (void)printf("  %8zu  %14.9g  %18.12g  %14.9g\n", i, b->turning[i].u, b->turning[i].y, b->turning[i].rho);
  print_more(shown, n, "turning points");
}

static void print_minor(const loop_job *b)
{
  const size_t n = b->sum.n_minor, shown = n > ROWS ? ROWS : n;
  double largest = 0;
  if (n == 0) {
    (void)printf("\n  no minor loops\n");
    return;
  }
  (void)printf("\n  %8s  %6s  %12s  %12s  %13s  %13s  %13s  %13s  %13s\n", "minor at", "inside", "u_start, m",
               "u_turn, m", "y_start, N", "y_end, N", "gap, N", "work, J", "dissipated, J");
  for (size_t i = 0; i < n; i++) {
    const br_minor *m = &b->minor[i];
    largest = fmax(largest, fabs(m->gap));
    if (i >= shown) continue;
    (void)printf("  %8zu  ", m->start_reversal);
    if (m->parent == BR_NO_PARENT) (void)printf("%6s", "-");
    else (void)printf("%6zu", b->minor[m->parent].start_reversal);
    (void)printf("  %12.7g  %12.7g  %13.7g  %13.7g  %13.6g  %13.7g  ", m->u_start, m->u_turn, m->y_start,
                 m->y_end, m->gap, m->work);
    if (isfinite(m->dissipation)) (void)printf("%13.7g\n", m->dissipation);
    else (void)printf("%13s\n", "-");
  }
  print_more(shown, n, "minor loops");
  const double size = fmax(fabs(b->sum.y_min), fabs(b->sum.y_max));
  if (largest > 1e-12 * size + 10 * b->sum.error)
    (void)printf(
        "  Minor loops of %s do not close: u comes back, the force does not (gap up to %.4g N). Work and\n"
        "  dissipation of such an open arc differ, and neither is an area.\n",
        b->m->name, largest);
  else (void)printf("  All minor loops close (largest gap %.2g N).\n", largest);
}

static void print_extras(const loop_job *b)
{
  if (b->nscales) {
    (void)printf("\n  distance to the quasi-static limit, largest |y_G - y| from rest and once settled\n");
    (void)printf("  %12s  %16s  %14s  %16s  %8s\n", "G", "from rest, N", "at t, s", "settled, N", "periods");
    for (size_t k = 0; k < b->nscales; k++)
      (void)printf("  %12.7g  %16.10g  %14.7g  %16.10g  %8d\n", b->rate[k].scale, b->rate[k].transient,
                   b->rate[k].transient_at, b->rate[k].steady, b->rate[k].periods);
  }
  if (b->periods) {
    (void)printf("\n  transient: largest |y - steady| in each period\n  %12s  %16s\n", "period",
                 "distance, N");
    for (size_t k = 0; k < b->periods; k++) (void)printf("  %12zu  %16.10g\n", k, b->distance[k]);
  }
}

void loop_print_text(const loop_job *b)
{
  const br_loop_summary *s = &b->sum;
  (void)printf("%s under %.200s, ", b->m->name, cli_shown(b->spec));
  print_speed(b);
  (void)printf(": %s\n", s->method == BR_LOOP_CLOSED_FORM ? "closed form" : "fixed point of the period map");
  (void)printf("  work         %.15g J a period\n", s->work);
  if (isfinite(s->dissipation)) (void)printf("  dissipation  %.15g J a period\n", s->dissipation);
  else
    (void)printf("  dissipation  not defined: no stored energy %s\n",
                 b->wave && b->wave_set.tau > 0 ? "behind a filter" : "in this model");
  (void)printf("  force        %.9g to %.9g N, error about %.2g N\n", s->y_min, s->y_max, s->error);
  (void)printf("  path         %.9g m a period, %zu turning points, %zu minor loop%s\n", s->path_length,
               s->n_turning, s->n_minor, s->n_minor == 1 ? "" : "s");
  if (s->contraction == 1) (void)printf("  a deviation  is kept: part of the memory never fades\n");
  else
    (void)printf("  a deviation  %s to %.4g of itself in a period\n",
                 s->contraction < 1 ? "shrinks" : "grows", s->contraction);
  print_turning(b);
  print_minor(b);
  print_extras(b);
}
