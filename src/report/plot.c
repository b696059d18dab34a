/* SPDX-License-Identifier: Apache-2.0
 * plot.c - pictures: data, gnuplot script and picture, put in place together. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../text/file.h"
#include "plot.h"

enum {
  MOST_PANELS = 24,
  POINTS = 60000,    /* of a picture: about 1 MB of svg */
  TEX_POINTS = 12000 /* as many as TeX has room for */
};

/* ---- files ---- */

enum { DATA, SCRIPT, PICTURE, PARTS };

static const char *tail_of(const bri_file *f)
{
  const char *path = bri_file_temporary(f), *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static br_status open_parts(bri_plot_names *n, bri_file *part[PARTS], br_err *err)
{
  const char *const path[PARTS] = {n->data_path, n->script_path, n->path};
  br_status st = BR_OK;
  for (int k = 0; k < PARTS && !st; k++) st = bri_file_open(path[k], BRI_FILE_NAMED, &part[k], err);
  if (st) return st;
  n->data_part = tail_of(part[DATA]);
  n->script_part = tail_of(part[SCRIPT]);
  n->picture_part = tail_of(part[PICTURE]);
  return BR_OK;
}

static br_status write_part(bri_file *part, const char *path, bri_plot_part *print, const void *what,
                            const bri_plot_names *names, br_err *err)
{
  FILE *f = bri_file_stream(part);
  if (!f) return bri_no_memory(err, path);
  errno = 0;
  const br_status st = print(f, what, names);
  if (st) return bri_fail(err, st, "picture '%s': out of memory", names->path);
  return bri_file_flush(part, err);
}

/* gnuplot does not look whether its output got out: on a full disk it leaves half a picture and no message.
 * */
static br_status check_picture(const bri_plot_names *n, const bri_file *picture, br_err *err)
{
  const char *const end = n->form == BRI_PLOT_SVG   ? "</svg>"
                          : n->form == BRI_PLOT_PNG ? "IEND\xae\x42\x60\x82"
                                                    : "%%EOF";
  const size_t len = strlen(end);
  char tail[32] = "";
  struct stat info;
  const int fd = bri_file_descriptor(picture);
  if (fstat(fd, &info) == 0 && info.st_size > (off_t)sizeof tail) {
    ssize_t got = pread(fd, tail, sizeof tail, info.st_size - (off_t)sizeof tail);
    while (got > 0 && n->form != BRI_PLOT_PNG && (tail[got - 1] == '\n' || tail[got - 1] == '\r')) got--;
    if (got >= (ssize_t)len && memcmp(tail + got - len, end, len) == 0) return BR_OK;
  }
  return bri_fail(err, BR_E_IO, "gnuplot could not write all of '%.120s': is the disk full?", n->path);
}

/* The picture comes last: where it is new, data and script are too. */
static br_status put_in_place(bri_file *part[PARTS], br_err *err)
{
  br_status st = BR_OK;
  for (int k = 0; k < PARTS && !st; k++) {
    bri_file *f = part[k];
    part[k] = NULL;
    st = bri_file_commit(f, err);
  }
  return st;
}

static br_status check_plot(const br_plot *plot, br_err *err)
{
  int good = plot && plot->panels && plot->npanels >= 1 && plot->npanels <= MOST_PANELS;
  for (size_t p = 0; good && p < plot->npanels; p++) {
    const br_plot_panel *panel = &plot->panels[p];
    good = panel->xlabel && panel->ylabel && panel->lines && panel->nlines >= 1;
    for (size_t i = 0; good && i < panel->nlines; i++)
      good = panel->lines[i].n >= 1 && panel->lines[i].x && panel->lines[i].y;
  }
  return good ? BR_OK : bri_fail(err, BR_E_ARG, "br_plot_write: panels, axis labels or lines are missing");
}

br_status br_plot_check(const char *path, br_err *err)
{
  bri_plot_names names;
  const br_status st = bri_plot_names_of(path, &names, err);
  return st || names.form == BRI_PLOT_TEX ? st : bri_plot_find_gnuplot(err);
}

/* The one file of a picture that needs no gnuplot. */
static br_status store_alone(const bri_plot_names *names, bri_plot_part *print, const void *what, br_err *err)
{
  bri_file *file = NULL;
  br_status st = bri_file_open(names->path, BRI_FILE_NAMED, &file, err);
  if (!st) st = write_part(file, names->path, print, what, names, err);
  if (st) {
    bri_file_abort(file);
    return st;
  }
  return bri_file_commit(file, err);
}

br_status bri_plot_store(const char *path, bri_plot_part *data, bri_plot_part *script, const void *what,
                         br_err *err)
{
  bri_plot_names names;
  br_status st = bri_plot_names_of(path, &names, err);
  if (!st && names.form == BRI_PLOT_TEX) return store_alone(&names, bri_plot_tex, what, err);
  if (!st) st = bri_plot_find_gnuplot(err);
  if (st) return st;
  bri_file *part[PARTS] = {NULL, NULL, NULL};
  st = open_parts(&names, part, err);
  if (!st) st = write_part(part[DATA], names.data_path, data, what, &names, err);
  if (!st) st = write_part(part[SCRIPT], names.script_path, script, what, &names, err);
  if (!st) st = bri_plot_run(&names, err);
  if (!st) st = check_picture(&names, part[PICTURE], err);
  if (!st) st = put_in_place(part, err);
  for (int k = 0; k < PARTS; k++) bri_file_abort(part[k]);
  return st;
}

br_status br_plot_write(const char *path, const br_plot *plot, br_err *err)
{
  br_status st = br_plot_check(path, err);
  if (!st) st = check_plot(plot, err);
  if (!st) st = bri_plot_texts(plot, err);
  if (st) return st;
  bri_thin thin;
  const size_t n = strlen(path);
  const int tex = n > 4 && strcmp(path + n - 4, ".tex") == 0;
  if (bri_plot_thin(plot, tex ? TEX_POINTS : POINTS, &thin))
    st = bri_fail(err, BR_E_NOMEM, "picture '%.120s': out of memory", path);
  else st = bri_plot_store(path, bri_plot_data, bri_plot_script, &thin.plot, err);
  bri_thin_free(&thin);
  return st;
}
