/* SPDX-License-Identifier: Apache-2.0
 * serve.c - files of one folder over HTTP, one request at a time, to this machine alone. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bristle/lab.h"
#include "request.h"
#include "text/fail.h"

enum { HEAD = 8192, PIECE = 65536, PATIENCE = 5000 /* ms for a request, and for each piece that is taken */ };

static const char SAFE[] =
    "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: "
    "same-origin\r\n"
    "Cache-Control: no-cache\r\nContent-Security-Policy: default-src 'none'; script-src 'self' "
    "'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; worker-src blob:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'\r\n";

static int waits(int fd, short what, int ms)
{
  struct pollfd p = {fd, what, 0};
  return poll(&p, 1, ms) > 0 && (p.revents & (what | POLLHUP | POLLERR));
}

static int send_all(int to, const char *data, size_t n)
{
  while (n) {
    if (!waits(to, POLLOUT, PATIENCE)) return 0;
    const ssize_t sent = send(to, data, n, MSG_NOSIGNAL);
    if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (sent <= 0) return 0;
    data += sent;
    n -= (size_t)sent;
  }
  return 1;
}

static const char *reason(int code)
{
  return code == 200   ? "OK"
         : code == 403 ? "Forbidden"
         : code == 404 ? "Not Found"
         : code == 405 ? "Method Not Allowed"
                       : "Bad Request";
}

static void send_head(int to, int code, const char *type, long long size)
{
  char text[1024];
  const int n =
      snprintf(text, sizeof text,
               "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %lld\r\nConnection: close\r\n%s\r\n",
               code, reason(code), type, size, SAFE);
  if (n > 0 && (size_t)n < sizeof text) (void)send_all(to, text, (size_t)n);
}

static void refuse(int to, int code)
{
  char body[64];
  const int n = snprintf(body, sizeof body, "%d %s\n", code, reason(code));
  send_head(to, code, "text/plain; charset=utf-8", n);
  (void)send_all(to, body, (size_t)n);
}

static void send_file(int to, int folder, const bri_lab_request *r)
{
  static char piece[PIECE];
  struct stat info;
  const int fd = openat(folder, r->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    refuse(to, 404);
  } else {
    long long left = (long long)info.st_size;
    ssize_t got = 1;
    send_head(to, 200, r->type, left);
    while (!r->head && left > 0 && got > 0) {
      got = read(fd, piece, left < PIECE ? (size_t)left : PIECE);
      if (got > 0 && !send_all(to, piece, (size_t)got)) break;
      left -= got;
    }
  }
  if (fd >= 0) (void)close(fd);
}

static void answer(int to, int folder)
{
  char text[HEAD + 1];
  size_t n = 0;
  int whole = 0;
  while (n < HEAD && !whole && waits(to, POLLIN, PATIENCE)) {
    const ssize_t got = recv(to, text + n, HEAD - n, 0);
    if (got <= 0) break;
    n += (size_t)got;
    text[n] = '\0';
    whole = strstr(text, "\r\n\r\n") != NULL;
    if (memchr(text, 0, n)) break; /* no head has a zero: refused below */
  }
  if (!n) return;
  text[n] = '\0';
  const bri_lab_request r = bri_lab_read(text, n);
  if (!whole || r.code != 200) refuse(to, whole ? r.code : 400);
  else send_file(to, folder, &r);
  (void)shutdown(to, SHUT_WR);
  while (waits(to, POLLIN, 200) && recv(to, text, HEAD, 0) > 0)
    continue; /* what else was sent, so that nothing is lost */
}

static br_status listen_on(int port, int *out, int *got, br_err *err)
{
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  socklen_t size = sizeof at;
  const int yes = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  *out = fd;
  if (fd >= 0)
    (void)fcntl(fd, F_SETFD, FD_CLOEXEC), (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, 16) != 0 ||
      getsockname(fd, (struct sockaddr *)&at, &size) != 0)
    return bri_fail(err, BR_E_IO, "port %d of 127.0.0.1: %s", port, strerror(errno));
  *got = ntohs(at.sin_port);
  return BR_OK;
}

br_status br_lab_serve(const char *folder, int port, void (*ready)(void *ctx, const char *address),
                       int (*stop)(void *ctx), void *ctx, br_err *err)
{
  char address[64];
  int from = -1, got = 0;
  if (port < 0 || port > 65535)
    return bri_fail(err, BR_E_RANGE, "port %d is out of range: 0 (any) to 65535", port);
  const int dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (dir < 0 || faccessat(dir, "index.html", R_OK, 0) != 0) {
    if (dir >= 0) (void)close(dir);
    return bri_fail(err, BR_E_IO, "no lab in '%.200s': 'make lab' builds one in web/dist", folder);
  }
  const br_status st = listen_on(port, &from, &got, err);
  if (!st) {
    (void)snprintf(address, sizeof address, "http://127.0.0.1:%d/", got);
    if (ready) ready(ctx, address);
  }
  while (!st && !(stop && stop(ctx))) {
    if (!waits(from, POLLIN, 200)) continue;
    const int to = accept(from, NULL, NULL);
    if (to < 0) continue;
    answer(to, dir);
    (void)close(to);
  }
  if (from >= 0) (void)close(from);
  (void)close(dir);
  return st;
}
