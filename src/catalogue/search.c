/* SPDX-License-Identifier: Apache-2.0
 * search.c - models and mechanisms by a word: what their tables say about themselves, and what people call
 * it. */
#include <ctype.h>
#include <stddef.h>

#include "search.h"

/* A word that the tables do not use, and one that they do. */
static const char *const SAID[][2] = {
    {"stiction", "static"},    {"breakaway", "static"},   {"presliding", "deflection"},
    {"preisach", "Maxwell"},   {"iwan", "Maxwell"},       {"jenkins", "Maxwell"},
    {"ishlinskii", "Maxwell"}, {"hysteresis", "Duhem"},   {"yielding", "yield"},
    {"damper", "Bouc-Wen"},    {"isolator", "Bouc-Wen"},  {"damping", "viscous"},
    {"lubricated", "viscous"}, {"drycontact", "Coulomb"}, {"afm", "Tomlinson"},
    {"bearing", "Dahl"},       {"servo", "motor"},        {"robot", "motor"},
    {"belt", "pulled"},        {"earthquake", "masses"},  {"oscillator", "spring"},
    {"table", "biaxial"},      {"atomic", "Tomlinson"},   {"asperity", "bond"},
};

/* The next letter or digit, small; 0 at the end: hyphens, blanks and underlines do not count. */
static int next(const char **s)
{
  while (**s && !isalnum((unsigned char)**s)) ++*s;
  return **s ? tolower((unsigned char)*(*s)++) : 0;
}

static int begins(const char *text, const char *word)
{
  for (int c = next(&word); c; c = next(&word))
    if (next(&text) != c) return 0;
  return 1;
}

static int has(const char *text, const char *word)
{
  for (; text && *text; text++)
    if (isalnum((unsigned char)*text) && begins(text, word)) return 1;
  return 0;
}

static int rows_have(const br_param *rows, size_t n, const char *word)
{
  for (size_t i = 0; i < n; i++)
    if (has(rows[i].doc, word)) return 1;
  return 0;
}

static int states_have(const br_state *rows, size_t n, const char *word)
{
  for (size_t i = 0; i < n; i++)
    if (has(rows[i].doc, word)) return 1;
  return 0;
}

/* Too short a word, or none, fits nothing. */
static const char *meant(const char *word)
{
  const char *s = word;
  size_t letters = 0;
  while (next(&s)) letters++;
  if (letters < 3) return NULL;
  for (size_t i = 0; i < sizeof SAID / sizeof SAID[0]; i++)
    if (begins(SAID[i][0], word) && begins(word, SAID[i][0])) return SAID[i][1];
  return word;
}

int bri_model_fits(const br_model *m, const char *word)
{
  const char *w = meant(word);
  return w && (has(m->name, w) || has(m->title, w) || rows_have(m->params, m->nparam, w) ||
               states_have(m->states, m->nstates_rows, w));
}

int bri_system_fits(const br_system *s, const char *word)
{
  const char *w = meant(word);
  return w && (has(s->name, w) || has(s->title, w) || rows_have(s->params, s->nparam, w) ||
               states_have(s->states, s->nrows, w));
}
