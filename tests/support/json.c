/* SPDX-License-Identifier: Apache-2.0
 * json.c - recursive-descent JSON reader for tests. */
#include "support/json.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 64

typedef struct {
  const char *text, *at;
  int depth;
} reader;

static json *read_value(reader *r);

static void skip_space(reader *r)
{
  while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r') r->at++;
}

static json *new_node(json_type type)
{
  json *v = (json *)calloc(1, sizeof *v);
  if (v) v->type = type;
  return v;
}

static int hex4(const char *s, unsigned *out)
{
  unsigned x = 0;
  for (int i = 0; i < 4; i++) {
    const char c = s[i];
    if (!isxdigit((unsigned char)c)) return 0;
    x = x * 16 + (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
  }
  *out = x;
  return 1;
}

static char *put_utf8(char *to, unsigned c)
{
  if (c < 0x80) {
    *to++ = (char)c;
  } else if (c < 0x800) {
    *to++ = (char)(0xc0 | c >> 6);
    *to++ = (char)(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    *to++ = (char)(0xe0 | c >> 12);
    *to++ = (char)(0x80 | (c >> 6 & 0x3f));
    *to++ = (char)(0x80 | (c & 0x3f));
  } else {
    *to++ = (char)(0xf0 | c >> 18);
    *to++ = (char)(0x80 | (c >> 12 & 0x3f));
    *to++ = (char)(0x80 | (c >> 6 & 0x3f));
    *to++ = (char)(0x80 | (c & 0x3f));
  }
  return to;
}

/* One escape behind the backslash; NULL on error. */
static char *read_escape(reader *r, char *to)
{
  static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
  const char *hit = *r->at ? strchr(from, *r->at) : NULL;
  unsigned c, low;
  if (hit) {
    *to = into[hit - from];
    r->at++;
    return to + 1;
  }
  if (*r->at != 'u' || !hex4(r->at + 1, &c)) return NULL;
  r->at += 5;
  if (c >= 0xd800 && c < 0xdc00) { /* a pair of surrogates */
    if (r->at[0] != '\\' || r->at[1] != 'u' || !hex4(r->at + 2, &low) || low < 0xdc00 || low > 0xdfff)
      return NULL;
    c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    r->at += 6;
  }
  return put_utf8(to, c);
}

static char *read_string(reader *r)
{
  const char *end = ++r->at; /* behind the quote */
  while (*end && *end != '"') end += *end == '\\' && end[1] ? 2 : 1;
  if (*end != '"') return NULL;
  char *s = (char *)malloc((size_t)(end - r->at) + 1), *to = s; /* escapes only shrink */
  while (s && r->at < end) {
    if ((unsigned char)*r->at < 0x20) to = NULL;
    else if (*r->at == '\\') r->at++, to = read_escape(r, to);
    else *to++ = *r->at++;
    if (!to) return free(s), NULL;
  }
  if (s) *to = 0, r->at = end + 1;
  return s;
}

/* The grammar of a JSON number, stricter than strtod's. */
static json *read_number(reader *r)
{
  const char *p = r->at;
  if (*p == '-') p++;
  if (*p == '0') p++;
  else if (isdigit((unsigned char)*p))
    while (isdigit((unsigned char)*p)) p++;
  else return NULL;
  if (*p == '.') {
    if (!isdigit((unsigned char)*++p)) return NULL;
    while (isdigit((unsigned char)*p)) p++;
  }
  if (*p == 'e' || *p == 'E') {
    p++;
    if (*p == '+' || *p == '-') p++;
    if (!isdigit((unsigned char)*p)) return NULL;
    while (isdigit((unsigned char)*p)) p++;
  }
  json *v = new_node(JSON_NUMBER);
  if (v) v->number = strtod(r->at, NULL), r->at = p;
  return v;
}

static json *read_list(reader *r, json_type type)
{
  const char close = type == JSON_ARRAY ? ']' : '}';
  json *list = new_node(type);
  if (!list) return NULL;
  json **tail = &list->child;
  r->at++;
  skip_space(r);
  if (*r->at == close) return r->at++, list;
  for (;;) {
    char *key = NULL;
    if (type == JSON_OBJECT) {
      skip_space(r);
      if (*r->at != '"' || !(key = read_string(r))) break;
      skip_space(r);
      if (*r->at != ':') {
        free(key);
        break;
      }
      r->at++;
    }
    json *v = read_value(r);
    if (!v) {
      free(key);
      break;
    }
    v->key = key;
    *tail = v;
    tail = &v->next;
    list->count++;
    skip_space(r);
    if (*r->at == close) return r->at++, list;
    if (*r->at != ',') break;
    r->at++;
  }
  json_free(list);
  return NULL;
}

static json *read_value(reader *r)
{
  static const struct {
    const char *word;
    json_type type;
  } words[] = {{"null", JSON_NULL}, {"true", JSON_TRUE}, {"false", JSON_FALSE}};
  json *v = NULL;
  skip_space(r);
  if (++r->depth > MAX_DEPTH) return NULL;
  if (*r->at == '{' || *r->at == '[') v = read_list(r, *r->at == '[' ? JSON_ARRAY : JSON_OBJECT);
  else if (*r->at == '"') {
    char *s = read_string(r);
    v = s ? new_node(JSON_STRING) : NULL;
    if (v) v->string = s;
    else free(s);
  } else if (*r->at == '-' || isdigit((unsigned char)*r->at)) v = read_number(r);
  else
    for (size_t i = 0; i < 3 && !v; i++) {
      const size_t len = strlen(words[i].word);
      if (strncmp(r->at, words[i].word, len) == 0 && (v = new_node(words[i].type)) != NULL) r->at += len;
    }
  r->depth--;
  return v;
}

json *json_parse(const char *text, long *where)
{
  reader r = {text, text, 0};
  json *root = read_value(&r);
  if (root) skip_space(&r);
  if (root && *r.at) json_free(root), root = NULL;
  if (!root && where) *where = (long)(r.at - text);
  return root;
}

json *json_load(const char *path, long *where)
{
  FILE *f = fopen(path, "rb");
  json *root = NULL;
  char *text = NULL;
  long size = -1;
  if (where) *where = -1;
  if (f && fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0)
    rewind(f), text = (char *)malloc((size_t)size + 1);
  if (text && fread(text, 1, (size_t)size, f) == (size_t)size) {
    text[size] = 0;
    root = json_parse(text, where);
  }
  free(text);
  if (f) fclose(f);
  return root;
}

void json_free(json *root)
{
  while (root) {
    json *next = root->next;
    json_free(root->child);
    free(root->string);
    free(root->key);
    free(root);
    root = next;
  }
}

const json *json_get(const json *object, const char *key)
{
  if (!object || object->type != JSON_OBJECT) return NULL;
  for (const json *v = object->child; v; v = v->next)
    if (strcmp(v->key, key) == 0) return v;
  return NULL;
}

const json *json_at(const json *array, size_t i)
{
  if (!array || array->type != JSON_ARRAY) return NULL;
  const json *v = array->child;
  while (v && i-- > 0) v = v->next;
  return v;
}

double json_number(const json *v) { return v && v->type == JSON_NUMBER ? v->number : (double)NAN; }

size_t json_numbers(const json *v, double *out, size_t max)
{
  if (!v) return 0;
  if (v->type != JSON_ARRAY) {
    if (max > 0) out[0] = json_number(v);
    return 1;
  }
  size_t n = 0;
  for (const json *e = v->child; e; e = e->next, n++)
    if (n < max) out[n] = json_number(e);
  return n;
}
