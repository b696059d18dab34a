/* SPDX-License-Identifier: Apache-2.0
 * analysis_put.c - equilibria, events and cycles of 'phase' as values of its answer. */
#include <math.h>
#include <stdio.h>

#include "question.h"

/* Numbers that an event or a cycle does not have are left out. */
static void number_if(br_sink *out, const char *unit, double x, const char *list, size_t i, const char *key)
{
  if (!isnan(x)) br_put_number(out, unit, x, "%s.%zu.%s", list, i, key);
}

/* Complex numbers as pairs [re, im]. */
static void put_pairs(br_sink *out, const char *unit, const char *list, size_t i, const char *key,
                      const double *re, const double *im, size_t n)
{
  for (size_t k = 0; k < n; k++) {
    br_put_number(out, unit, re[k], "%s.%zu.%s.%zu.0", list, i, key, k);
    br_put_number(out, unit, im[k], "%s.%zu.%s.%zu.1", list, i, key, k);
  }
}

void bri_put_equilibrium(bri_question *q, size_t i, double at, const br_equilibrium *e)
{
  br_sink *out = q->out;
  const int stick = e->kind == BR_EQUILIBRIUM_STICK;
  br_put_text(out, stick ? "stick" : "slip", "equilibria.%zu.kind", i);
  br_put_number(out, "m/s", e->v, "equilibria.%zu.v", i);
  br_put_number(out, "m", e->z, "equilibria.%zu.z", i);
  br_put_text(out, e->type, "equilibria.%zu.type", i);
  put_pairs(out, "1/s", "equilibria", i, "eigenvalues", e->re, e->im, 2);
  if (stick) put_pairs(out, "1/s", "equilibria", i, "eigenvalues_other_side", e->other_re, e->other_im, 2);
  br_put_number(out, "1/s2", e->a0, "equilibria.%zu.a0", i);
  br_put_number(out, "1/s", e->a1, "equilibria.%zu.a1", i);
  br_put_number(out, q->vary.unit, at, "equilibria.%zu.at", i);
}

void bri_put_steady(bri_question *q, size_t i, double at, const br_phase_steady *s)
{
  br_put_text(q->out, "slip", "equilibria.%zu.kind", i);
  br_put_number(q->out, "m/s", s->v, "equilibria.%zu.v", i);
  br_put_number(q->out, "m", s->z, "equilibria.%zu.z", i);
  br_put_text(q->out, s->type, "equilibria.%zu.type", i);
  put_pairs(q->out, "1/s", "equilibria", i, "eigenvalues", s->re, s->im, s->n);
  br_put_number(q->out, q->vary.unit, at, "equilibria.%zu.at", i);
}

static void put_event(bri_question *q, size_t i, const br_phase_event *e)
{
  br_sink *out = q->out;
  br_put_text(out, br_phase_event_name(e->type), "events.%zu.type", i);
  br_put_number(out, q->vary.unit, e->value, "events.%zu.value", i);
  number_if(out, e->type == BR_PHASE_GENERALIZED_HOPF ? "N s/m" : NULL, e->value2, "events", i, "value2");
  number_if(out, "m/s", e->v, "events", i, "v");
  number_if(out, "1/s", e->omega, "events", i, "omega");
  number_if(out, "1", e->lyapunov, "events", i, "lyapunov");
  if (e->loop[0]) br_put_text(out, e->loop, "events.%zu.loop", i);
  number_if(out, "1/s", e->saddle_quantity, "events", i, "saddle_quantity");
  number_if(out, q->vary.unit, e->distance, "events", i, "distance");
  number_if(out, q->vary.unit, e->error, "events", i, "error");
}

br_status bri_put_events(bri_question *q, const br_phase_event *e, size_t n, br_err *err)
{
  const br_column head[] = {{q->vary.name, q->vary.unit},
                            {"type", "1"},
                            {"v", "m/s"},
                            {"omega", "1/s"},
                            {"lyapunov", "1"},
                            {"saddle_quantity", "1/s"},
                            {"distance", q->vary.unit}};
  br_put(q->out, BR_VALUE_LIST, 0, "events");
  br_status st = bri_phase_open(q, "events", 7, head, err);
  for (size_t i = 0; i < n && !st; i++) {
    const double row[] = {e[i].value,    (double)e[i].type,    e[i].v,       e[i].omega,
                          e[i].lyapunov, e[i].saddle_quantity, e[i].distance};
    put_event(q, i, &e[i]);
    st = br_put_row(q->out, row, err);
  }
  return st ? st : br_put_end(q->out, err);
}

void bri_put_cycle(bri_question *q, size_t i, const br_phase_cycle *c)
{
  br_sink *out = q->out;
  br_put_number(out, q->vary.unit, c->at, "cycles.%zu.at", i);
  br_put_number(out, "s", c->period, "cycles.%zu.period", i);
  br_put_number(out, "m/s", c->v_min, "cycles.%zu.v_min", i);
  br_put_number(out, "m/s", c->v_max, "cycles.%zu.v_max", i);
  br_put_number(out, "m", c->z_min, "cycles.%zu.z_min", i);
  br_put_number(out, "m", c->z_max, "cycles.%zu.z_max", i);
  br_put_number(out, "1", c->multiplier, "cycles.%zu.multiplier", i);
  br_put_flag(out, c->stable, "cycles.%zu.stable", i);
  br_put_text(out, c->loop, "cycles.%zu.loop", i);
  number_if(out, "m/s", c->v_mean, "cycles", i, "v_mean");
  number_if(out, "W", c->lag_total, "cycles", i, "lag_total");
  number_if(out, "W", c->lag_elastic, "cycles", i, "lag_elastic");
}

void bri_put_counts(bri_question *q, size_t equilibria, size_t events, size_t cycles)
{
  br_put(q->out, BR_VALUE_ASIDE, (double)equilibria, "equilibria_count");
  br_put(q->out, BR_VALUE_ASIDE, (double)events, "events_count");
  br_put(q->out, BR_VALUE_ASIDE, (double)cycles, "cycles_count");
}

void bri_events_merge(br_phase_event *list, size_t *n, size_t room, const br_phase_event *e, size_t more)
{
  for (size_t i = 0; i < more && *n < room; i++) {
    size_t k = (*n)++;
    for (; k > 0 && list[k - 1].value > e[i].value; k--) list[k] = list[k - 1];
    list[k] = e[i];
  }
}

/* ---- the diagram as one table ---- */

br_status bri_diagram_open(bri_question *q, br_err *err)
{
  const br_column head[BRI_DIAGRAM_COLUMNS] = {{q->vary.name, q->vary.unit},
                                               {"cycle", "1"},
                                               {"branch", "1"},
                                               {"stable", "1"},
                                               {"v_min", "m/s"},
                                               {"v_max", "m/s"},
                                               {"z_min", "m"},
                                               {"z_max", "m"},
                                               {"period", "s"}};
  const br_table_head h = {
      .name = "phase", .shape = bri_phase_shape(q, "phase"), .ncol = BRI_DIAGRAM_COLUMNS, .columns = head};
  return br_put_table(q->out, &h, err);
}

br_status bri_diagram_put(bri_question *q, const bri_diagram_row *r, br_err *err)
{
  const double row[BRI_DIAGRAM_COLUMNS] = {r->value, r->cycle, (double)r->branch, r->stable, r->v_min,
                                           r->v_max, r->z_min, r->z_max,          r->period};
  return br_put_row(q->out, row, err);
}

br_status bri_event_point(bri_question *q, size_t i, const br_phase_event *e, double v, br_err *err)
{
  static const char *const WORDS[] = {[BR_PHASE_HOPF] = "Hopf",
                                      [BR_PHASE_FOLD] = "fold",
                                      [BR_PHASE_FOLD_OF_CYCLES] = "fold",
                                      [BR_PHASE_HOMOCLINIC] = "homoclinic",
                                      [BR_PHASE_PERIOD_DOUBLING] = "doubling",
                                      [BR_PHASE_GENERALIZED_HOPF] = "generalised Hopf",
                                      [BR_PHASE_GRAZING] = "grazing"};
  const br_column head[] = {{q->vary.name, q->vary.unit}, {"v", "m/s"}};
  const double *const columns[] = {&e->value, &v};
  char name[48], words[64];
  if (isnan(v)) return BR_OK;
  (void)snprintf(name, sizeof name, "%.20s%zu", br_phase_event_name(e->type), i);
  (void)snprintf(words, sizeof words, "%s %.5g", WORDS[e->type], e->value);
  return bri_phase_table(q, name, words, 2, head, columns, 1, err);
}
