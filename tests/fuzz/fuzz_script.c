/* SPDX-License-Identifier: Apache-2.0
 * fuzz_script.c - no text may leave its place in a gnuplot script.
 * The input is a way (first byte) and texts with zeros between them: titles, labels, units, a file name; the
 * texts go to a picture directly, as a heading of a CSV file, or as a study.  Script and data are written
 * with them and with harmless texts of the same shape: for gnuplot the words outside of strings must be the
 * same, no command may be run, and each text must be a string of its own, unchanged. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/table.h"
#include "report/plot.h"
#include "report/symbols.h"
#include "yaml/node.h"
#include "text/escape.h"

#include "support/gnuplot_lexer.c" /* targets are linked without tests/support */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TEXTS = 10, LONGEST = 32 };
typedef enum { TITLE, PANEL, XLABEL, YLABEL, XUNIT, YUNIT, SCALE, LABEL, OTHER, FILE_NAME } role;
typedef char texts[TEXTS][LONGEST + 8];

static void insist(int condition, const char *what, const char *script)
{
  if (condition) return;
  fprintf(stderr, "violated: %s in\n%s\n", what, script);
  abort();
}

/* ---- texts: as given, through a CSV heading, through YAML ---- */

static void split(const uint8_t *data, size_t size, texts t)
{
  memset(t, 0, sizeof(texts));
  for (size_t i = 0, k = 0, n = 0; i < size && k < TEXTS; i++) {
    if (data[i] == 0) k++, n = 0;
    else if (n < LONGEST) t[k][n++] = (char)data[i];
  }
}

static void take(texts t, size_t k, const char *s)
{
  if (k < TEXTS) (void)snprintf(t[k], sizeof t[k], "%.*s", LONGEST, s);
}

static int from_csv(const uint8_t *data, size_t size, texts t)
{
  br_table *table = NULL;
  if (br_table_load_memory((const char *)data, size, "fuzz.csv", NULL, &table, NULL, NULL)) return 0;
  memset(t, 0, sizeof(texts));
  for (size_t j = 0; j < br_table_columns(table) && j < TEXTS / 2; j++) {
    take(t, 2 * j, br_table_name(table, j));
    take(t, 2 * j + 1, br_table_unit_of(table, j));
    insist(!bri_find_control(t[2 * j], 0), "a heading has no control character", t[2 * j]);
  }
  br_table_destroy(table);
  return 1;
}

static void collect(const bri_node *n, texts t, size_t *k)
{
  if (n->key) take(t, (*k)++, n->key);
  if (n->kind == BRI_SCALAR) take(t, (*k)++, n->text);
  for (const bri_node *e = n->first; e; e = e->next) collect(e, t, k);
}

static int from_yaml(const uint8_t *data, size_t size, texts t)
{
  static bri_notes notes;
  bri_node *root = NULL;
  size_t k = 0;
  memset(&notes, 0, sizeof notes);
  bri_arena *arena = bri_arena_create();
  if (!arena) return 0;
  notes.arena = arena;
  const int good =
      bri_yaml_read(arena, "fuzz.yaml", (const char *)data, size, &notes, &root, NULL) == BR_OK && root;
  memset(t, 0, sizeof(texts));
  if (good) collect(root, t, &k);
  for (size_t i = 0; i < k && i < TEXTS; i++)
    insist(!bri_find_control(t[i], 1), "a text of a study has no control character", t[i]);
  bri_arena_destroy(arena);
  return good;
}

/* ---- the same shape without signs: letters, digits and characters of the same length ---- */

static void harmless(const char *s, char *out)
{
  static const char *const SAME[] = {"", "x", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
  while (*s) {
    const size_t n = bri_utf8_length(s);
    const int letter = (*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z');
    memcpy(out, n && !letter ? SAME[n] : s, n ? n : 1);
    out += n ? n : 1;
    s += n ? n : 1;
  }
  *out = '\0';
}

/* ---- script, data and assignments of a picture with these texts ---- */

static void make_names(const char *stem, bri_plot_names *names)
{
  char path[LONGEST + 16];
  (void)snprintf(path, sizeof path, "%s.svg", stem);
  if ((strchr(path, '/') || bri_plot_names_of(path, names, NULL)) && bri_plot_names_of("p.svg", names, NULL))
    abort(); /* a name that must do */
  names->picture_part = names->picture, names->data_part = names->data, names->script_part = names->script;
}

static char *write_all(texts t, char **dat)
{
  static const double x[] = {0, 1, 2, 3}, y[] = {0, 2, 1, 3};
  char label[2][LONGEST + 16];
  (void)snprintf(label[0], sizeof label[0], "1%s", t[LABEL]); /* one label serves all lines of that name */
  (void)snprintf(label[1], sizeof label[1], "2%s", t[OTHER]);
  const br_plot_line lines[] = {{x, y, 2, label[0], BR_PLOT_LINE}, {x, x, 1, label[1], BR_PLOT_POINTS}};
  const br_plot_line bare = {x, y, 2, NULL, BR_PLOT_LINE};
  br_plot_look look = {0};
  look.scale = t[SCALE], look.scale_unit = t[YUNIT];
  for (int k = 0; k <= BR_PLOT_LEVELS; k++) look.bounds[k] = k;
  const br_plot_panel panels[] = {{t[PANEL], t[XLABEL], t[YLABEL], t[XUNIT], t[YUNIT], lines, 2, &look},
                                  {NULL, t[XLABEL], t[YLABEL], NULL, NULL, &bare, 1, NULL}};
  const br_plot plot = {t[TITLE], panels, 2};
  bri_plot_names names;
  char *script = NULL;
  size_t n = 0, nd = 0;
  make_names(t[FILE_NAME], &names);
  FILE *f = open_memstream(&script, &n);
  if (!f) abort();
  char *sets = bri_plot_assignments(&names);
  if (!sets) abort();
  fprintf(f, "%s\n", sets);
  free(sets);
  bri_plot_script(f, &plot, &names);
  if (fclose(f) != 0) abort();
  f = open_memstream(dat, &nd);
  if (!f) abort();
  bri_plot_data(f, &plot, &names);
  if (fclose(f) != 0) abort();
  return script;
}

/* Is `text` the start of a string of the script, as a whole word of it? */
static void insist_on_string(const gnuplot_tokens *g, const char *before, const char *text,
                             const char *script)
{
  if (bri_symbols_any(text) || bri_symbols_any(before)) return; /* sigma0 is written in another way */
  char want[4 * LONGEST + 64], *to = want + snprintf(want, sizeof want, "\n%s", before);
  for (const char *s = text; *s;) { /* what may not be shown is seen as U+FFFD */
    const size_t n = bri_shown_length(s);
    memcpy(to, n ? s : "\xef\xbf\xbd", n ? n : 3);
    to += n ? n : 3;
    s += n ? n : 1;
  }
  *to = '\0';
  insist(strstr(g->strings, want) != NULL, "a text is a string, unchanged,", script);
}

/* Whether subscripts are read in a string depends on the string; nothing else does. */
static void strip(char *words)
{
  static const char *const WORD[] = {"noenhanced", "enhanced"};
  for (size_t k = 0; k < 2; k++)
    for (char *s = words; (s = strstr(s, WORD[k])) != NULL;)
      memmove(s, s + strlen(WORD[k]), strlen(s + strlen(WORD[k])) + 1);
}

static size_t lines_of(const char *s)
{
  size_t n = 0;
  for (; *s; s++) n += *s == '\n';
  return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  texts wild, tame;
  char *wild_dat = NULL, *tame_dat = NULL;
  if (size == 0) return 0;
  const int way = data[0] % 3;
  if (way == 0) split(data + 1, size - 1, wild);
  if (way == 1 && !from_csv(data + 1, size - 1, wild)) return 0;
  if (way == 2 && !from_yaml(data + 1, size - 1, wild)) return 0;
  for (size_t k = 0; k < TEXTS; k++) harmless(wild[k], tame[k]);
  bri_plot_names used;
  make_names(wild[FILE_NAME], &used);
  if (strcmp(used.path, "p.svg") == 0) (void)snprintf(tame[FILE_NAME], sizeof tame[FILE_NAME], "p");

  char *script = write_all(wild, &wild_dat), *plain = write_all(tame, &tame_dat);
  gnuplot_tokens a = gnuplot_lex(script), b = gnuplot_lex(plain);
  insist(!a.open && !b.open, "every string is closed", script);
  insist(!a.runs && !b.runs, "no command can be run", script);
  strip(a.words), strip(b.words);
  insist(strcmp(a.words, b.words) == 0, "the words outside of strings are the same", script);
  insist_on_string(&a, "", wild[TITLE], script);
  insist_on_string(&a, "", wild[XLABEL], script);
  insist_on_string(&a, "1", wild[LABEL], script);
  insist(strncmp(a.strings, "./", 2) == 0, "a file name starts with ./", script);
  insist(lines_of(wild_dat) == lines_of(tame_dat), "texts stay in their comment of the data", wild_dat);
  gnuplot_tokens_free(&a);
  gnuplot_tokens_free(&b);
  free(script), free(plain), free(wild_dat), free(tame_dat);
  return 0;
}
