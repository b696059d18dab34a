/* SPDX-License-Identifier: Apache-2.0
 * emit.c - writing an exported header: text, numbers with all their bits, packed sources. */
#include "emit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../base/packed.h"

enum { PATH = 128, DEEP = 8 };

static void put(bri_emit *e, const char *text, size_t n)
{
  if (!e->stopped && n && e->put(e->ctx, text, n)) e->stopped = 1;
}

void bri_emit_text(bri_emit *e, const char *text) { put(e, text, strlen(text)); }

void bri_emit_printf(bri_emit *e, const char *fmt, ...)
{
  char line[2048];
  va_list args;
  va_start(args, fmt);
  const int n = vsnprintf(line, sizeof line, fmt, args);
  va_end(args);
  if (n > 0 && (size_t)n < sizeof line) put(e, line, (size_t)n);
  else if (n != 0 && !e->missing) e->missing = "a line, too long,"; /* never half a line */
}

void bri_emit_comment(bri_emit *e, const char *text)
{
  for (; *text; text++) {
    put(e, *text == '\n' ? "\n * " : text, *text == '\n' ? 4 : 1);
    if ((text[0] == '*' && text[1] == '/') || (text[0] == '/' && text[1] == '*')) put(e, " ", 1);
  }
}

void bri_emit_real(bri_emit *e, double x)
{
  const double value = e->f32 ? (double)(float)x : x;
  char text[64];
  if (isnan(value)) bri_emit_text(e, e->f32 ? "__builtin_nanf(\"\")" : "__builtin_nan(\"\")");
  else if (isinf(value)) bri_emit_printf(e, "%s__builtin_inf%s()", value < 0 ? "-" : "", e->f32 ? "f" : "");
  else if (value == floor(value) && fabs(value) < 1e6 && !(value == 0 && signbit(value)))
    bri_emit_printf(e, "%d.0%s", (int)value, e->f32 ? "f" : "");
  else {
    const int n = snprintf(text, sizeof text, "%a", value);
    for (int i = 0; i < n; i++)
      if (!strchr("0123456789abcdefxp+-", text[i])) text[i] = '.'; /* the locale's own mark */
    bri_emit_printf(e, "%s%s", text, e->f32 ? "f" : "");
  }
}

/* ---- packed sources ---- */

static const bri_packed_file *find(const char *path)
{
  for (const bri_packed_file *f = bri_packed; f->path; f++)
    if (strcmp(f->path, path) == 0) return f;
  return NULL;
}

/* name as written in the file at `from`, as a path from the root: "../x" climbs. */
static void resolve(const char *from, const char *name, size_t n, char out[PATH])
{
  char joined[2 * PATH];
  const char *slash = strrchr(from, '/');
  const int dir = slash ? (int)(slash - from) + 1 : 0;
  (void)snprintf(joined, sizeof joined, "%.*s%.*s", dir, from, (int)(n < PATH ? n : PATH - 1), name);
  size_t used = 0;
  for (char *part = joined; *part;) {
    const size_t len = strcspn(part, "/");
    if (len == 2 && part[0] == '.' && part[1] == '.') {
      if (used > 0) used--; /* the slash */
      while (used > 0 && out[used - 1] != '/') used--;
    } else if (used + len + 2 < PATH) {
      memcpy(out + used, part, len);
      used += len;
      if (part[len]) out[used++] = '/';
    }
    part += len;
    if (*part) part++;
  }
  out[used] = '\0';
}

static void source(bri_emit *e, const char *path, int depth);

/* An include in its place; 0: not one of ours. */
static int included(bri_emit *e, const char *path, const char *line, size_t n, int depth)
{
  static const char word[] = "#include ";
  char target[PATH];
  if (n < sizeof word || memcmp(line, word, sizeof word - 1) != 0) return 0;
  const char *name = line + sizeof word - 1;
  if (*name == '"') {
    const char *end = (const char *)memchr(name + 1, '"', n - sizeof word);
    if (!end) return 0;
    resolve(path, name + 1, (size_t)(end - name) - 1, target);
  } else if (strncmp(name, "BR_KERNEL_PATH(", 15) == 0) {
    (void)snprintf(target, sizeof target, "models/%s/%s.h", e->model, e->model);
  } else {
    return 0;
  }
  source(e, target, depth + 1);
  return 1;
}

static void source(bri_emit *e, const char *path, int depth)
{
  const bri_packed_file *f = find(path);
  if (!f || depth > DEEP) {
    if (!e->missing) e->missing = "a kernel source";
    return;
  }
  const char *at = (const char *)f->text, *end = at + f->size;
  bri_emit_printf(e, "/* ---- %s ---- */\n", path);
  while (at < end) {
    const char *stop = (const char *)memchr(at, '\n', (size_t)(end - at));
    const size_t n = stop ? (size_t)(stop - at) + 1 : (size_t)(end - at);
    if (!included(e, path, at, n, depth)) put(e, at, n);
    at += n;
  }
}

void bri_emit_source(bri_emit *e, const char *path) { source(e, path, 0); }

double bri_emit_uniform(unsigned long long *state)
{
  *state = *state * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(*state >> 11) * (1.0 / 9007199254740992.0);
}
