/* SPDX-License-Identifier: Apache-2.0
 * keys.c - the keys of a study file, each once: for the check, the schema and the help. */
#include <string.h>

#include "study.h"
#include "bristle/expr.h"
#include "bristle/text.h"
#include "bristle/unit.h"
#include "kinds.h"
#include "text/choice.h"

static const br_study_key STUDY[] = {
    {"title", BR_KEY_TEXT, NULL, "one line: heading of the report"},
    {"about", BR_KEY_TEXT, NULL, "a few sentences for the report"},
    {"source", BR_KEY_MAP, NULL, "document and figure this study reproduces"},
    {"extends", BR_KEY_TEXT, NULL, "another study file; this one comes on top of it, key by key"},
    {"model", BR_KEY_TEXT, NULL, "friction model"},
    {"system", BR_KEY_TEXT, NULL, "mechanism, for analyses that move one"},
    {"mechanism", BR_KEY_MAP, NULL,
     "a mechanism of one's own, in place of 'system': bodies, connections, contacts"},
    {"preset", BR_KEY_TEXT, NULL, "published set by name: model, mechanism and values; 'set' comes on top"},
    {"set", BR_KEY_MAP, NULL, "parameters by name; values are SI or carry a unit, or are formulas"},
    {"input", BR_KEY_TEXT_OR_MAP, NULL,
     "motion, e.g. sine:1mm,2Hz or expr:1e-3*sin(2*pi*t); for two axes {x: SPEC, y: SPEC}; of a mechanism: "
     "its inputs by name"},
    {"init", BR_KEY_TEXT_OR_MAP, NULL, "states at the start; zero where not given; 'settled' (trace)"},
    {"runs", BR_KEY_MAP, NULL, "several runs by name, each on top of the keys above"},
    {"plots", BR_KEY_MAP, NULL, "pictures by name; default: one that suits the analysis"},
    {"check", BR_KEY_LIST, NULL, "quantities with their reference values"},
    {"summary", BR_KEY_MAP, NULL,
     "table of the report, a row for each run: headings, each with the quantity that stands below it"},
    {"output", BR_KEY_MAP, NULL, "which files are written"},
};
static const br_study_key RUN[] = {
    {"label", BR_KEY_TEXT, NULL, "how pictures and tables call the run; default its name"},
    {"model", BR_KEY_TEXT, NULL, "friction model; the study's 'set' and 'init' then do not apply"},
    {"system", BR_KEY_TEXT, NULL, "mechanism; the study's 'set' and 'init' then do not apply"},
    {"mechanism", BR_KEY_MAP, NULL, "that of the study"},
    {"preset", BR_KEY_TEXT, NULL, "published set; the study's 'model', 'set' and 'init' then do not apply"},
    {"set", BR_KEY_MAP, NULL, "parameters on top of those of the study"},
    {"input", BR_KEY_TEXT_OR_MAP, NULL, "motion in place of the study's"},
    {"init", BR_KEY_TEXT_OR_MAP, NULL, "states on top of those of the study"},
};
static const br_study_key SOURCE[] = {
    {"document", BR_KEY_TEXT, NULL, "document it comes from"},
    {"figure", BR_KEY_TEXT, NULL, "figure or table in that document"},
    {"note", BR_KEY_TEXT, NULL, "what differs from the printed figure, and why"},
};
static const br_study_key PLOT[] = {
    {"kind", BR_KEY_CHOICE, BRI_KIND_CHOICES,
     "what is drawn when 'lines' does not say: a picture of an analysis or of a table; default lines"},
    {"title", BR_KEY_TEXT, NULL, "over the picture or panel"},
    {"run", BR_KEY_TEXT, NULL, "run that lines take which name none; default: all"},
    {"table", BR_KEY_TEXT, NULL, "table that lines take which name none; default the main one"},
    {"file", BR_KEY_TEXT, NULL, "a CSV file beside the study in place of a table"},
    {"x", BR_KEY_TEXT, NULL, "column along the axis"},
    {"y", BR_KEY_TEXT, NULL, "column upwards"},
    {"value", BR_KEY_TEXT, NULL, "column shown as colour or region"},
    {"fit", BR_KEY_TEXT, NULL, "column of the fit, for kind fit"},
    {"xlabel", BR_KEY_TEXT, NULL, "what the axis shows; default the column's name"},
    {"ylabel", BR_KEY_TEXT, NULL, "what the upward axis shows"},
    {"valuelabel", BR_KEY_TEXT, NULL, "what the colours show"},
    {"xunit", BR_KEY_TEXT, NULL, "unit shown in place of the column's; numbers stay (see xfactor)"},
    {"yunit", BR_KEY_TEXT, NULL, "unit shown in place of the column's"},
    {"xrange", BR_KEY_TEXT, NULL, "A:B, in the unit of the column; default from the data"},
    {"yrange", BR_KEY_TEXT, NULL, "A:B, in the unit of the column; default from the data"},
    {"scale", BR_KEY_CHOICE, "linear|logx|logy|loglog", "axes; default linear"},
    {"under", BR_KEY_CHOICE, "no|yes", "below the panel before it, with the same axis; default no"},
    {"lines", BR_KEY_LIST, NULL, "what is drawn; default every run's main table"},
    {"also", BR_KEY_LIST, NULL, "lines drawn on top of those of the kind"},
    {"panels", BR_KEY_LIST, NULL, "several panels with the keys above, instead of one"},
};
static const br_study_key LINE[] = {
    {"run", BR_KEY_TEXT, NULL, "default: all runs"},
    {"table", BR_KEY_TEXT, NULL,
     "table of the run; a '*' at the end takes all that start so; default the main one"},
    {"file", BR_KEY_TEXT, NULL, "a CSV file beside the study in place of a table, e.g. a measurement"},
    {"x", BR_KEY_TEXT, NULL, "column, default that of the panel"},
    {"y", BR_KEY_TEXT, NULL, "column, default that of the panel"},
    {"value", BR_KEY_TEXT, NULL, "column shown as colour or region, default that of the panel"},
    {"minus", BR_KEY_TEXT, NULL, "column taken from y"},
    {"label", BR_KEY_TEXT, NULL,
     "written at the line, \"\" for nothing; default the run's label where there are several runs"},
    {"style", BR_KEY_CHOICE, BRI_STYLE_CHOICES, "how it is drawn; 'frame': not at all, it sets the ranges"},
    {"colour", BR_KEY_NUMBER, NULL, "0..6, place in the palette; default by order"},
    {"most", BR_KEY_NUMBER, NULL, "draws so many tables of a run at most; default all"},
    {"joined", BR_KEY_CHOICE, "no|yes", "tables of a run one after the other, as one line; default no"},
    {"xfactor", BR_KEY_NUMBER, NULL, "the column times this; default 1"},
    {"yfactor", BR_KEY_NUMBER, NULL, "the column times this; default 1"},
    {"xoffset", BR_KEY_NUMBER, NULL, "added behind the factor; default 0"},
};
static const br_study_key CHECK[] = {
    {"run", BR_KEY_TEXT, NULL, "run it belongs to; needed where there are several"},
    {"quantity", BR_KEY_TEXT, NULL, "name as in the run's record, e.g. minor.0.gap"},
    {"from", BR_KEY_TEXT, NULL,
     "another run: 'quantity' is a column, compared by its rms distance from that run's, over its range"},
    {"value", BR_KEY_TEXT, NULL, "reference: a number, with or without unit, or a text"},
    {"tolerance", BR_KEY_NUMBER, NULL, "largest difference, in the unit of the quantity; default 0"},
    {"relative", BR_KEY_NUMBER, NULL, "largest difference relative to the value, instead"},
    {"unit", BR_KEY_TEXT, NULL,
     "unit to print: for numbers that are used in another one than their parameter has"},
    {"figure", BR_KEY_TEXT, NULL, "figure in place of the study's"},
    {"source", BR_KEY_TEXT, NULL, "where the reference comes from"},
};
static const br_study_key OUTPUT[] = {
    {"hdf5", BR_KEY_CHOICE, "no|yes", "all tables in one HDF5 file as well"},
    {"png", BR_KEY_CHOICE, "no|yes", "pictures as png as well as svg"},
    {"units", BR_KEY_TEXT, NULL,
     "units of tables and pictures, one for each dimension, e.g. mm,kN,deg; default SI"},
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

const br_study_key *br_study_keys(br_keys part, size_t *n)
{
  static const struct {
    const br_study_key *rows;
    size_t n;
  } parts[] = {
      [BR_KEYS_STUDY] = {STUDY, COUNT(STUDY)},    [BR_KEYS_RUN] = {RUN, COUNT(RUN)},
      [BR_KEYS_SOURCE] = {SOURCE, COUNT(SOURCE)}, [BR_KEYS_PLOT] = {PLOT, COUNT(PLOT)},
      [BR_KEYS_LINE] = {LINE, COUNT(LINE)},       [BR_KEYS_CHECK] = {CHECK, COUNT(CHECK)},
      [BR_KEYS_OUTPUT] = {OUTPUT, COUNT(OUTPUT)},
  };
  if ((size_t)part >= COUNT(parts)) {
    if (n) *n = 0;
    return NULL;
  }
  if (n) *n = parts[part].n;
  return parts[part].rows;
}

const br_study_key *bri_study_key_of(br_keys part, const char *name)
{
  size_t n = 0;
  const br_study_key *rows = br_study_keys(part, &n);
  for (size_t i = 0; i < n; i++)
    if (strcmp(rows[i].name, name) == 0) return &rows[i];
  return NULL;
}

/* ---- checks that the tables allow ---- */

static const char *found(const bri_node *n)
{
  return n->kind == BRI_MAP     ? "a map"
         : n->kind == BRI_SEQ   ? "a list"
         : bri_node_is_empty(n) ? "nothing"
                                : "a text";
}

static void wrong_kind(br_study *s, const bri_node *n, const char *what)
{
  if (n->kind == BRI_SCALAR && !bri_node_is_empty(n))
    bri_note(&s->notes, n->at, "'%s' is '%.60s'; expected %s", n->key ? n->key : "entry", n->text, what);
  else bri_note(&s->notes, n->at, "'%s' is %s; expected %s", n->key ? n->key : "entry", found(n), what);
}

/* Texts that name or label something stand on one line. */
static void check_line(br_study *s, const bri_node *n, const br_study_key *key)
{
  static const char *const LONG[] = {"about", "note", "source"};
  for (size_t i = 0; i < COUNT(LONG); i++)
    if (strcmp(key->name, LONG[i]) == 0) return;
  if (n->kind == BRI_SCALAR && strpbrk(n->text, "\n\t"))
    bri_note(&s->notes, n->at, "'%s' is '%.60s'; expected one line without tabs", key->name, n->text);
}

static void check_kind(br_study *s, const bri_node *n, const br_study_key *key)
{
  double x = 0;
  const int text = n->kind == BRI_SCALAR && !bri_node_is_empty(n);
  check_line(s, n, key);
  switch (key->kind) {
  case BR_KEY_TEXT:
    if (!text && !(n->kind == BRI_SCALAR && strcmp(key->name, "label") == 0)) wrong_kind(s, n, "a text");
    break;
  case BR_KEY_NUMBER: (void)bri_study_number(s, n, key->name, &x); break;
  case BR_KEY_CHOICE: bri_study_choice(s, n, key); break;
  case BR_KEY_MAP:
    if (n->kind != BRI_MAP && !bri_node_is_empty(n)) wrong_kind(s, n, "a map of NAME: VALUE");
    break;
  case BR_KEY_LIST:
    if (n->kind != BRI_SEQ && !bri_node_is_empty(n))
      wrong_kind(s, n, "a list of entries that start with '- '");
    break;
  case BR_KEY_TEXT_OR_MAP:
    if (!text && n->kind != BRI_MAP) wrong_kind(s, n, "a text or a map of NAME: TEXT");
    break;
  }
}

/* Is it a parameter of some model?  Then it only stands in the wrong place. */
static int is_parameter(const char *name)
{
  size_t n = 0;
  const br_model *m = NULL;
  for (size_t i = 0; (m = br_all_models(i)) != NULL; i++)
    if (br_model_param(m, name)) return 1;
  const br_system *const *systems = br_systems(&n);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < systems[i]->nparam; k++)
      if (strcmp(systems[i]->params[k].name, name) == 0) return 1;
  return 0;
}

static void unknown_key(br_study *s, const bri_node *e, const char *what, br_keys part, int with_analyses)
{
  const char *names[64];
  size_t n = 0, k = 0;
  char list[256];
  const br_study_key *rows = br_study_keys(part, &n);
  for (; k < n; k++) names[k] = rows[k].name;
  for (size_t i = 0; with_analyses && br_catalogue(i) && k < COUNT(names); i++)
    names[k++] = br_catalogue(i)->name;
  const char *near = br_nearest_name(e->key, names, k);
  if (with_analyses && is_parameter(e->key) && !(near && strcmp(near, e->key) == 0)) {
    bri_note(&s->notes, e->key_at, "%s has no key '%.60s'; parameters stand under 'set'", what, e->key);
    return;
  }
  if (near) {
    bri_note(&s->notes, e->key_at, "%s has no key '%.60s'; did you mean '%s'?", what, e->key, near);
    return;
  }
  bri_note(&s->notes, e->key_at, "%s has no key '%.60s'; it has %s", what, e->key,
           bri_join(names, k, sizeof list, list));
}

void bri_study_check_map(br_study *s, const bri_node *map, const char *what, br_keys part, int with_analyses)
{
  if (map->kind != BRI_MAP) {
    if (!bri_node_is_empty(map)) wrong_kind(s, map, "a map of NAME: VALUE");
    return;
  }
  for (const bri_node *e = map->first; e; e = e->next) {
    const br_study_key *key = bri_study_key_of(part, e->key);
    if (key) check_kind(s, e, key);
    else if (with_analyses && br_analysis_find(e->key)) {
      if (e->kind != BRI_MAP && !bri_node_is_empty(e)) wrong_kind(s, e, "a map of OPTION: VALUE, or nothing");
    } else {
      unknown_key(s, e, what, part, with_analyses);
    }
  }
}

static int is_letter_or_digit(char c)
{
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

int bri_study_good_name(br_study *s, const bri_node *e, const char *what, const char *signs)
{
  enum { MOST = 63 };
  size_t n = 0;
  while (is_letter_or_digit(e->key[n]) || (e->key[n] && strchr(signs, e->key[n]))) n++;
  if (n && n <= MOST && !e->key[n] && e->key[0] != '.' && e->key[0] != '-') return 1;
  bri_note(&s->notes, e->key_at,
           "%s '%.80s': expected letters, digits and %s, at most %d, with no '.' or '-' in front", what,
           e->key, signs, MOST);
  return 0;
}

int bri_study_number(br_study *s, const bri_node *n, const char *what, double *x)
{
  br_unit unit;
  br_err err;
  if (n->kind != BRI_SCALAR) {
    wrong_kind(s, n, "a number");
    return 0;
  }
  if (br_quantity_parse(n->text, strlen(n->text), x, &unit, NULL, &err)) {
    bri_note(&s->notes, n->at, "'%s' is '%.60s'; expected a number", what, n->text);
    return 0;
  }
  return 1;
}

void bri_study_choice(br_study *s, const bri_node *n, const br_study_key *key)
{
  const int text = n->kind == BRI_SCALAR;
  char buf[BRI_CHOICE];
  if (text && bri_choice_index(key->choices, n->text, strlen(n->text)) >= 0) return;
  const char *near = text ? bri_choice_near(key->choices, n->text, strlen(n->text), buf) : NULL;
  bri_note(&s->notes, n->at, "'%s' is '%.60s'; expected one of %s%s%s%s", key->name,
           text ? n->text : found(n), key->choices, near ? "; did you mean '" : "", near ? near : "",
           near ? "'?" : "");
}
