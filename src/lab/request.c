/* SPDX-License-Identifier: Apache-2.0
 * request.c - a request is hostile text: its line is a method, a path and a version; of a path only one plain
 * name stays. */
#include "request.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const struct {
  const char *end, *type;
} TYPES[] = {{".html", "text/html; charset=utf-8"},
             {".js", "text/javascript; charset=utf-8"},
             {".css", "text/css; charset=utf-8"},
             {".LICENSE", "text/plain; charset=utf-8"}};

/* Letters, digits, '_', '-' and '.', which is not the first. */
static int plain(const char *s, size_t n)
{
  if (!n || s[0] == '.') return 0;
  for (size_t i = 0; i < n; i++)
    if (!isalnum((unsigned char)s[i]) && s[i] != '_' && s[i] != '-' && s[i] != '.') return 0;
  return 1;
}

/* Pages of other names that resolve to this machine must not read it: the host is an address of loopback, or
 * localhost. */
static int own_host(const char *text, size_t n)
{
  static const char *const HOSTS[] = {"127.0.0.1", "localhost", "[::1]"};
  for (const char *line = text; line && line < text + n; line = strchr(line, '\n')) {
    while (*line == '\n') line++;
    if (strncasecmp(line, "host:", 5) != 0) continue;
    line += 5;
    while (*line == ' ') line++;
    for (size_t i = 0; i < sizeof HOSTS / sizeof HOSTS[0]; i++) {
      const size_t k = strlen(HOSTS[i]);
      if (strncasecmp(line, HOSTS[i], k) == 0 && (line[k] == ':' || line[k] == '\r' || line[k] == '\n'))
        return 1;
    }
    return 0;
  }
  return 0;
}

bri_lab_request bri_lab_read(const char *text, size_t n)
{
  bri_lab_request r = {.code = 400, .type = "text/plain; charset=utf-8"};
  if (memchr(text, 0, n)) return r;
  const char *path = strchr(text, ' ');
  if (!path || memchr(text, '\n', (size_t)(path - text))) return r;
  r.head = strncmp(text, "HEAD ", 5) == 0;
  if (!r.head && strncmp(text, "GET ", 4) != 0) return r.code = 405, r;
  path++;
  const size_t whole = strcspn(path, " \r\n"), used = strcspn(path, " ?#\r\n");
  if (path[0] != '/' || strncmp(path + whole, " HTTP/1.", 8) != 0) return r;
  if (!own_host(text, n)) return r.code = 403, r;
  const char *name = used == 1 ? "index.html" : path + 1;
  const size_t size = used == 1 ? strlen(name) : used - 1;
  if (size >= sizeof r.name || !plain(name, size)) return r.code = 404, r;
  memcpy(r.name, name, size);
  for (size_t i = 0; i < sizeof TYPES / sizeof TYPES[0]; i++) {
    const size_t k = strlen(TYPES[i].end);
    if (size > k && strcmp(r.name + size - k, TYPES[i].end) == 0)
      return r.type = TYPES[i].type, r.code = 200, r;
  }
  return r.code = 404, r;
}
