/* SPDX-License-Identifier: Apache-2.0
 * heading.c - name and unit of a column heading. */
#include <string.h>

#include "reader.h"

/* Unit suffixes taken from "name_unit".  Left out on purpose: _in and _min (input, minimum), _h, _c. */
static const char *const SUFFIXES[] = {"s",   "ms",  "us",  "m",   "cm",   "mm",  "um",  "nm",   "inch",
                                       "ft",  "N",   "kN",  "mN",  "lbf",  "Nm",  "bar", "mbar", "Pa",
                                       "kPa", "MPa", "psi", "rad", "mrad", "deg", "rpm", "Hz",   "kHz",
                                       "g",   "kg",  "A",   "mA",  "V",    "mV",  "W",   "K"};

static int is_suffix(const char *s, size_t n)
{
  for (size_t k = 0; k < sizeof SUFFIXES / sizeof SUFFIXES[0]; k++)
    if (strlen(SUFFIXES[k]) == n && memcmp(SUFFIXES[k], s, n) == 0) return 1;
  return 0;
}

static void trim(const char **s, size_t *n)
{
  while (*n && ((*s)[0] == ' ' || (*s)[0] == '\t')) ++*s, --*n;
  while (*n && ((*s)[*n - 1] == ' ' || (*s)[*n - 1] == '\t')) --*n;
}

/* The word that ends at s[n): start of it, behind the last underscore; 0 when there is none. */
static size_t last_word(const char *s, size_t n)
{
  while (n && s[n - 1] != '_') n--;
  return n;
}

/* "Kx_N_s_per_mm" -> "Kx", "N s/mm"; "t_s" -> "t", "s"; "v_m_s" -> no unit, because nothing says whether m s
 * or m/s is meant.  The first word is always the name. */
static void suffix_unit(bri_heading *h)
{
  const char *s = h->name;
  size_t start = last_word(s, h->name_n);
  if (start < 2 || !is_suffix(s + start, h->name_n - start)) return;

  const size_t below = start;
  size_t numerator = 0, count = 1, per = 0;
  size_t at = start;
  for (;;) { /* walk left over unit words and one "per" */
    const size_t end = at - 1;
    const size_t word = last_word(s, end);
    if (end - word == 3 && memcmp(s + word, "per", 3) == 0 && !per) {
      per = word;
      numerator = count;
    } else if (word >= 2 && is_suffix(s + word, end - word)) {
      count++;
    } else {
      break;
    }
    at = word;
    if (word < 2) break;
  }
  if (per == 0) {
    if (count > 1) return;
    at = start;
  } else if (numerator != 1 || at < 2) {
    return; /* more than one word behind "per", or no name left */
  }

  char *u = h->unit, *stop = h->unit + sizeof h->unit - 2;
  if (per) {
    if (per > at) {
      for (size_t k = at; k < per - 1 && u < stop; k++) *u++ = s[k] == '_' ? ' ' : s[k];
    } else {
      *u++ = '1';
    }
    *u++ = '/';
  }
  if (below < h->name_n && (size_t)(stop - u) > h->name_n - below) {
    memcpy(u, s + below, h->name_n - below);
    u += h->name_n - below;
    *u = '\0';
    h->name_n = at - 1;
  } else {
    h->unit[0] = '\0';
  }
}

void bri_table_heading(const char *s, size_t n, bri_heading *out)
{
  trim(&s, &n);
  out->name = s;
  out->name_n = n;
  out->unit[0] = '\0';
  if (n >= 2 && (s[n - 1] == ']' || s[n - 1] == ')')) {
    const char open = s[n - 1] == ']' ? '[' : '(';
    size_t k = n - 1, depth = 1;
    while (k && depth) { /* the bracket that matches the last one: "x (N/(m s))" */
      k--;
      if (s[k] == s[n - 1]) depth++;
      if (s[k] == open) depth--;
    }
    const char *u = s + k + 1;
    size_t nu = depth ? 0 : n - k - 2;
    trim(&u, &nu);
    br_unit known;
    /* "x (left)" is a name with a remark, "x [counts]" is a unit nobody can convert. */
    const int is_unit = open == '[' || (nu && br_unit_parse(u, nu, &known, NULL) == BR_OK);
    if (depth == 0 && is_unit && nu < sizeof out->unit) {
      memcpy(out->unit, u, nu);
      out->unit[nu] = '\0';
      out->name_n = k;
      trim(&out->name, &out->name_n);
      return;
    }
  }
  suffix_unit(out);
}
