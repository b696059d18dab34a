/* SPDX-License-Identifier: Apache-2.0
 * analysis_maps.c - the case map over two parameters: cells, and strips between borders for the picture. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "question.h"
#include "strips.h"

static int alive(void *ctx, double done)
{
  bri_question *q = ctx;
  return br_sink_alive(q->out, 0.3 + 0.7 * done, NULL) != BR_OK;
}

/* Number of a case in tables, the same in every map: the cases of document 2, then others by name.  The map
 * itself counts its names in the order it meets them, which depends on threads. */
static void number_cases(char names[BR_CASE_NAMES][BR_CASE_NAME], size_t n, unsigned char *number)
{
  static const char *const KNOWN[] = {"none",   "Sup",      "Sub_F",    "Sub_HC",
                                      "Sup_HC", "Sup_F_HC", "Sub_F_HC", "Sub_HC_HC"};
  enum { KNOWN_CASES = sizeof KNOWN / sizeof KNOWN[0] };
  int other[BR_CASE_NAMES];
  for (size_t i = 0; i < n; i++) {
    other[i] = 1;
    for (int k = 0; k < KNOWN_CASES; k++)
      if (strcmp(names[i], KNOWN[k]) == 0) number[i] = (unsigned char)k, other[i] = 0;
  }
  for (size_t i = 0; i < n; i++) {
    unsigned char before = KNOWN_CASES;
    for (size_t k = 0; k < n; k++)
      if (other[k] && strcmp(names[k], names[i]) < 0) before++;
    if (other[i]) number[i] = before;
  }
}

enum { WORDS = BR_CASE_NAMES + 8 };
typedef struct {
  unsigned char *cell, number[BR_CASE_NAMES];
  char cases[BR_CASE_NAMES][BR_CASE_NAME];
  size_t n, count, found[BR_CASE_NAMES]; /* points per side; names; cells of each */
} case_map;

static void words_of(const case_map *m, const char *words[WORDS])
{
  for (size_t k = 0; k < m->count; k++)
    words[m->number[k]] = strcmp(m->cases[k], "none") == 0 ? "no Hopf point" : m->cases[k];
}

static br_status map_table(bri_question *q, case_map *m, br_err *err)
{
  const br_column head[] = {{q->vary.name, q->vary.unit}, {q->vary2.name, q->vary2.unit}, {"case", "1"}};
  const char *words[WORDS] = {NULL};
  const size_t n = m->n;
  words_of(m, words);
  const br_table_head h = {.name = "map",
                           .shape = bri_phase_shape(q, "map"),
                           .ncol = 3,
                           .columns = head,
                           .rows = n * n,
                           .names = words,
                           .nnames = WORDS};
  br_status st = br_put_table(q->out, &h, err);
  for (size_t i = 0; i < n && !st; i++) {
    for (size_t j = 0; j < n && !st; j++) {
      const unsigned char k = m->cell[i * n + j];
      const double row[] = {q->vary.a + (q->vary.b - q->vary.a) * (double)i / (double)(n - 1),
                            q->vary2.a + (q->vary2.b - q->vary2.a) * (double)j / (double)(n - 1),
                            m->number[k]};
      m->found[k]++;
      st = br_put_row(q->out, row, err);
    }
  }
  return st ? st : br_put_end(q->out, err);
}

br_status bri_strips_put(bri_question *q, const char *table, const bri_strips_names *names,
                         const bri_strip *strip, size_t n, br_err *err)
{
  const br_table_head h = {.name = table,
                           .shape = BR_TABLE_FILE,
                           .ncol = 4,
                           .columns = names->head,
                           .names = names->name,
                           .nnames = names->names};
  br_status st = br_put_table(q->out, &h, err);
  for (size_t i = 0; i < n; i++) {
    for (int k = 0; k < strip[i].n && !st; k++) {
      const unsigned char kind = strip[i].kind[k];
      const double row[] = {strip[i].x, strip[i].y[k], strip[i].y[k + 1],
                            kind < names->numbers ? (double)names->number[kind] : (double)NAN};
      st = br_put_row(q->out, row, err);
    }
  }
  return st ? st : br_put_end(q->out, err);
}

/* The same with borders where they are; of a very fine map from a grid of its own. */
static br_status map_strips(bri_question *q, case_map *m, br_case_map_settings set, br_err *err)
{
  const int fine = m->n > BRI_STRIPS_MOST / 2;
  char top[BRI_PHASE_NAME + 4];
  (void)snprintf(top, sizeof top, "%s_to", q->vary2.name);
  const br_column head[] = {
      {q->vary.name, q->vary.unit}, {q->vary2.name, q->vary2.unit}, {top, q->vary2.unit}, {"case", "1"}};
  const char *words[WORDS] = {NULL};
  size_t n = 0;
  bri_strip *strip = bri_phase_get(q, BRI_STRIPS_MOST * sizeof *strip);
  if (!strip) return bri_phase_no_memory(err);
  if (fine) set.n1 = set.n2 = BRI_STRIPS_MOST / 4;
  const br_status st =
      bri_case_strips(&q->problem, &set, fine ? NULL : m->cell, m->cases, &m->count, strip, &n, err);
  number_cases(m->cases, m->count, m->number);
  words_of(m, words);
  const bri_strips_names names = {head, words, WORDS, m->number, m->count};
  return st ? st : bri_strips_put(q, "map_strips", &names, strip, n, err);
}

br_status bri_phase_map(bri_question *q, br_err *err)
{
  case_map *m = bri_phase_get(q, sizeof *m);
  if (!m) return bri_phase_no_memory(err);
  m->n = q->grid >= 2 ? q->grid : 60;
  m->cell = bri_phase_get(q, m->n * m->n);
  if (!m->cell) return bri_phase_no_memory(err);
  const br_case_map_settings set = {q->vary.name, q->vary2.name, q->vary.a, q->vary.b,
                                    q->vary2.a,   q->vary2.b,    m->n,      m->n,
                                    q->threads,   alive,         q};
  br_status st = br_phase_case_map(&q->problem, &set, m->cell, m->cases, &m->count, err);
  if (st) return st;
  number_cases(m->cases, m->count, m->number);
  st = map_table(q, m, err);
  for (size_t k = 0; k < m->count && !st; k++)
    br_put_number(q->out, "1", (double)m->found[k], "map.cells.%s", m->cases[k]);
  return st || !br_sink_wants(q->out, "map_strips") ? st : map_strips(q, m, set, err);
}
