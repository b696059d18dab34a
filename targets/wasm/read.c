/* SPDX-License-Identifier: Apache-2.0
 * read.c - a job as JSON: one flat object of texts, numbers, flags and lists of them. */
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "lab.h"

typedef struct {
  const char *at;
  char *to; /* where the next text goes: no text is longer than what it was read from */
  lab_pairs *out;
  br_err *err;
} reader;

static br_status bad(reader *r, const char *what)
{
  return bri_fail(r->err, BR_E_PARSE, "job: expected %s at '%.20s'", what, r->at);
}

static void space(reader *r)
{
  while (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r') r->at++;
}

static int hex(const char *s, uint32_t *code)
{
  *code = 0;
  for (int i = 0; i < 4; i++) {
    const char c = s[i];
    const int d = c >= '0' && c <= '9'   ? c - '0'
                  : c >= 'a' && c <= 'f' ? c - 'a' + 10
                  : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                         : -1;
    if (d < 0) return 0;
    *code = *code * 16 + (uint32_t)d;
  }
  return 1;
}

static void put_utf8(reader *r, uint32_t c)
{
  if (c < 0x80) {
    *r->to++ = (char)c;
  } else if (c < 0x800) {
    *r->to++ = (char)(0xc0 | (c >> 6));
    *r->to++ = (char)(0x80 | (c & 0x3f));
  } else {
    *r->to++ = (char)(0xe0 | (c >> 12));
    *r->to++ = (char)(0x80 | ((c >> 6) & 0x3f));
    *r->to++ = (char)(0x80 | (c & 0x3f));
  }
}

static br_status escape(reader *r)
{
  static const char FROM[] = "\"\\/bfnrt", TO[] = "\"\\/\b\f\n\r\t";
  const char c = *++r->at;
  const char *found = c ? strchr(FROM, c) : NULL;
  uint32_t code = 0;
  if (found) *r->to++ = TO[found - FROM];
  else if (c == 'u' && hex(r->at + 1, &code) && code) put_utf8(r, code), r->at += 4;
  else return bad(r, "an escape");
  r->at++;
  return BR_OK;
}

static br_status text(reader *r, const char **out)
{
  if (*r->at != '"') return bad(r, "a text");
  r->at++;
  *out = r->to;
  while (*r->at && *r->at != '"') {
    if (*r->at == '\\') {
      const br_status st = escape(r);
      if (st) return st;
    } else {
      *r->to++ = *r->at++;
    }
  }
  if (!*r->at) return bad(r, "the end of a text");
  r->at++;
  *r->to++ = '\0';
  return BR_OK;
}

static br_status add(reader *r, const char *name, const char *value)
{
  lab_pairs *p = r->out;
  lab_pair *list = bri_grown(p->list, p->n, &p->room, sizeof *list);
  if (!list) return bri_fail(r->err, BR_E_NOMEM, "out of memory");
  p->list = list;
  p->list[p->n++] = (lab_pair){name, value};
  return BR_OK;
}

static br_status value(reader *r, const char *name)
{
  static const char NUMBER[] = "+-.0123456789eE";
  const char *s = NULL;
  size_t n = 0;
  if (*r->at == '"') {
    const br_status st = text(r, &s);
    return st ? st : add(r, name, s);
  }
  if (strncmp(r->at, "true", 4) == 0) return r->at += 4, add(r, name, "yes");
  if (strncmp(r->at, "false", 5) == 0) return r->at += 5, add(r, name, "no");
  if (strncmp(r->at, "null", 4) == 0) return r->at += 4, BR_OK;
  n = strspn(r->at, NUMBER);
  if (!n) return bad(r, "a text, a number or a flag");
  s = r->to;
  memcpy(r->to, r->at, n);
  r->to += n;
  *r->to++ = '\0';
  r->at += n;
  return add(r, name, s);
}

static br_status list(reader *r, const char *name)
{
  br_status st = BR_OK;
  r->at++;
  space(r);
  while (!st && *r->at != ']') {
    st = value(r, name);
    space(r);
    if (st || *r->at == ']') break;
    if (*r->at != ',') return bad(r, "',' or ']'");
    r->at++;
    space(r);
  }
  if (!st) r->at++;
  return st;
}

static br_status member(reader *r)
{
  const char *name = NULL;
  br_status st = text(r, &name);
  if (st) return st;
  space(r);
  if (*r->at != ':') return bad(r, "':'");
  r->at++;
  space(r);
  return *r->at == '[' ? list(r, name) : value(r, name);
}

br_status lab_read(const char *json, lab_pairs *out, br_err *err)
{
  br_status st = BR_OK;
  *out = (lab_pairs){0};
  out->texts = bri_malloc(2 * strlen(json) + 1); /* a number between two commas needs a place for its end */
  if (!out->texts) return bri_fail(err, BR_E_NOMEM, "out of memory");
  reader r = {json, out->texts, out, err};
  space(&r);
  if (*r.at != '{') return bad(&r, "'{'");
  r.at++;
  space(&r);
  while (!st && *r.at != '}') {
    st = member(&r);
    space(&r);
    if (st || *r.at == '}') break;
    if (*r.at != ',') return bad(&r, "',' or '}'");
    r.at++;
    space(&r);
  }
  return st;
}

void lab_pairs_free(lab_pairs *p)
{
  bri_free(p->list);
  bri_free(p->texts);
  *p = (lab_pairs){0};
}

const char *lab_get(const lab_pairs *p, const char *name)
{
  for (size_t i = 0; i < p->n; i++)
    if (strcmp(p->list[i].name, name) == 0) return p->list[i].text;
  return NULL;
}
