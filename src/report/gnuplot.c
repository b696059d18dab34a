/* SPDX-License-Identifier: Apache-2.0
 * gnuplot.c - names of the files of a picture; start gnuplot and read what it complains about. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include "../text/escape.h"
#include "plot.h"

enum { FORMS = 4 };
static const char *const ENDS[FORMS] = {
    [BRI_PLOT_SVG] = ".svg", [BRI_PLOT_PNG] = ".png", [BRI_PLOT_PDF] = ".pdf", [BRI_PLOT_TEX] = ".tex"};

br_status bri_plot_names_of(const char *path, bri_plot_names *n, br_err *err)
{
  const char *dot = path ? strrchr(path, '.') : NULL;
  const char *slash = path ? strrchr(path, '/') : NULL;
  size_t form = 0;
  while (dot && form < FORMS && strcmp(dot, ENDS[form]) != 0) form++;
  if (!dot || form == FORMS || dot == path || (slash && dot <= slash + 1))
    return bri_fail(err, BR_E_ARG, "picture '%.120s': the name must end in " BRI_PLOT_ENDS, path ? path : "");
  for (const char *c = slash ? slash + 1 : path; *c; c += bri_shown_length(c)) { /* what gnuplot will see */
    if (bri_shown_length(c)) continue;
    return bri_fail(err, BR_E_ARG,
                    "picture '%.160s': a name without control characters, in UTF-8, is expected", path);
  }
  const int stem = (int)(dot - path);
  if (stem + 16 >= BRI_PLOT_PATH) return bri_fail(err, BR_E_SIZE, "picture: the path is too long");
  const size_t tail = slash ? (size_t)(slash + 1 - path) : 0;
  n->form = (bri_plot_form)form;
  (void)snprintf(n->path, sizeof n->path, "%.*s%s", stem, path, ENDS[form]);
  (void)snprintf(n->data_path, sizeof n->data_path, "%.*s.dat", stem, path);
  (void)snprintf(n->script_path, sizeof n->script_path, "%.*s.gp", stem, path);
  n->picture_part = n->data_part = n->script_part = "";
  (void)snprintf(n->dir, sizeof n->dir, "%.*s", tail ? (int)tail : 1, tail ? path : ".");
  n->picture = n->path + tail;
  n->data = n->data_path + tail;
  n->script = n->script_path + tail;
  return BR_OK;
}

br_status bri_plot_find_gnuplot(br_err *err)
{
  const char *path = getenv("PATH");
  char full[BRI_PLOT_PATH];
  while (path && *path) {
    const size_t n = strcspn(path, ":");
    const int k = snprintf(full, sizeof full, "%.*s/gnuplot", n ? (int)n : 1, n ? path : ".");
    if (k > 0 && (size_t)k < sizeof full && access(full, X_OK) == 0) return BR_OK;
    path += n + (path[n] == ':');
  }
  return bri_fail(err, BR_E_UNSUPPORTED,
                  "gnuplot is not installed (Debian package gnuplot-nox): no pictures; tables need nothing");
}

/* out="./PICTURE";dat="./DATA": the script draws from and to the parts this time. */
char *bri_plot_assignments(const bri_plot_names *n)
{
  const char *const name[] = {n->picture_part, n->data_part};
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (!f) return NULL;
  for (size_t i = 0; i < 2; i++) {
    char path[BRI_PLOT_PATH + 16];
    (void)snprintf(path, sizeof path, "./%s", name[i]);
    (void)fputs(i ? ";dat=" : "out=", f);
    bri_gnuplot_text(f, path);
  }
  const int bad = ferror(f);
  if (fclose(f) == 0 && !bad) return text;
  free(text);
  return NULL;
}

/* In the child: only calls that are safe between fork and exec. */
static void child(const bri_plot_names *n, int out, char *const argv[], pid_t parent)
{
#ifdef __linux__
  /* it must not write on, into a folder that is somebody else's by then, when this program is killed */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(126);
#else
  (void)parent;
#endif
  if (chdir(n->dir) != 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(126);
  (void)execvp("gnuplot", argv);
  _exit(127);
}

/* First line of what gnuplot said, for the message. */
static void first_line(int fd, size_t size, char *buf)
{
  char rest[512];
  size_t used = 0;
  for (;;) {
    const int keep = used + 1 < size;
    const ssize_t k = keep ? read(fd, buf + used, size - 1 - used) : read(fd, rest, sizeof rest);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) break;
    if (keep) used += (size_t)k;
  }
  buf[used] = '\0';
  const size_t blank = strspn(buf, " \t\r\n");
  memmove(buf, buf + blank, used - blank + 1);
  buf[strcspn(buf, "\r\n")] = '\0';
  static const char MARK[] = ".bristle-", END[] = ".part"; /* names of parts are none the caller knows */
  for (char *at = buf, *end; (at = strstr(at, MARK)) != NULL && (end = strstr(at, END)) != NULL;)
    memmove(at, end + sizeof END - 1, strlen(end + sizeof END - 1) + 1);
}

br_status bri_plot_run(const bri_plot_names *n, br_err *err)
{
  char script[BRI_PLOT_PATH + 16], said[160];
  char gnuplot[] = "gnuplot", bare[] = "-d", option[] = "-e"; /* -d: no ~/.gnuplot, the same everywhere */
  int fd[2], status = 0;
  char *sets = bri_plot_assignments(n);
  if (!sets) return bri_fail(err, BR_E_NOMEM, "picture '%s': out of memory", n->path);
  (void)snprintf(script, sizeof script, "./%s", n->script_part); /* the name may start with a dash */
  char *const argv[] = {gnuplot, bare, option, sets, script, NULL};
  if (pipe(fd) != 0) {
    free(sets);
    return bri_fail(err, BR_E_IO, "cannot start gnuplot: %s", strerror(errno));
  }
  for (int k = 0; k < 2; k++)
    (void)fcntl(fd[k], F_SETFD, FD_CLOEXEC); /* a child of another thread would keep it open */
  const pid_t parent = getpid(), pid = fork();
  if (pid == 0) child(n, fd[1], argv, parent);
  free(sets);
  (void)close(fd[1]);
  if (pid < 0) {
    (void)close(fd[0]);
    return bri_fail(err, BR_E_IO, "cannot start gnuplot: %s", strerror(errno));
  }
  first_line(fd[0], sizeof said, said);
  (void)close(fd[0]);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return BR_OK;
  return bri_fail(err, BR_E_IO, "gnuplot could not draw '%.100s': %s", n->path,
                  said[0]               ? said
                  : WIFSIGNALED(status) ? "it was stopped"
                                        : "no message");
}
