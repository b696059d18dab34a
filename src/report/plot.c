/* SPDX-License-Identifier: Apache-2.0
 * plot.c - pictures: data, gnuplot script and picture, put in place together. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../text/fail.h"
#include "plot.h"

enum { MOST_PANELS = 24 };

/* ---- files ---- */

static br_status finish(FILE *f, const char *path, br_err *err)
{
  const int bad = ferror(f), closed = fclose(f);
  if (!bad && closed == 0) return BR_OK;
  return bri_text_fail(err, BR_E_IO, -1, "cannot write '%s': %s", path, strerror(errno ? errno : EIO));
}

static br_status write_parts(const bri_plot_names *names, bri_plot_part *data, bri_plot_part *script,
                             const void *what, br_err *err)
{
  errno = 0;
  FILE *f = fopen(names->data_part, "w");
  if (!f) return bri_text_fail(err, BR_E_IO, -1, "cannot write '%s': %s", names->data_part, strerror(errno));
  br_status part = data(f, what, names);
  br_status st = finish(f, names->data_part, err);
  if (!st && part) st = bri_text_fail(err, part, -1, "picture '%s': out of memory", names->path);
  if (st) return st;
  f = fopen(names->script_part, "w");
  if (!f)
    return bri_text_fail(err, BR_E_IO, -1, "cannot write '%s': %s", names->script_part, strerror(errno));
  part = script(f, what, names);
  st = finish(f, names->script_part, err);
  return !st && part ? bri_text_fail(err, part, -1, "picture '%s': out of memory", names->path) : st;
}

static br_status put_in_place(const bri_plot_names *n, br_err *err)
{
  if (rename(n->data_part, n->data_path) == 0 && rename(n->script_part, n->script_path) == 0 &&
      rename(n->picture_part, n->path) == 0) {
    return BR_OK;
  }
  return bri_text_fail(err, BR_E_IO, -1, "cannot write '%s': %s", n->path, strerror(errno));
}

static br_status check_plot(const br_plot *plot, br_err *err)
{
  int good = plot && plot->panels && plot->npanels >= 1 && plot->npanels <= MOST_PANELS;
  for (size_t p = 0; good && p < plot->npanels; p++) {
    const br_plot_panel *panel = &plot->panels[p];
    good = panel->xlabel && panel->ylabel && panel->lines && panel->nlines >= 1;
    for (size_t i = 0; good && i < panel->nlines; i++) {
      good = panel->lines[i].n >= 1 && panel->lines[i].x && panel->lines[i].y;
    }
  }
  return good ? BR_OK
              : bri_text_fail(err, BR_E_ARG, -1, "br_plot_write: panels, axis labels or lines are missing");
}

br_status br_plot_check(const char *path, br_err *err)
{
  bri_plot_names names;
  const br_status st = bri_plot_names_of(path, &names, err);
  return st ? st : bri_plot_find_gnuplot(err);
}

br_status bri_plot_store(const char *path, bri_plot_part *data, bri_plot_part *script, const void *what,
                         br_err *err)
{
  bri_plot_names names;
  br_status st = bri_plot_names_of(path, &names, err);
  if (!st) st = bri_plot_find_gnuplot(err);
  if (st) return st;
  st = write_parts(&names, data, script, what, err);
  if (!st) st = bri_plot_run(&names, err);
  if (!st) st = put_in_place(&names, err);
  if (st) {
    (void)remove(names.data_part);
    (void)remove(names.script_part);
    (void)remove(names.picture_part);
  }
  return st;
}

br_status br_plot_write(const char *path, const br_plot *plot, br_err *err)
{
  br_status st = br_plot_check(path, err);
  if (!st) st = check_plot(plot, err);
  if (!st) st = bri_plot_texts(plot, err);
  return st ? st : bri_plot_store(path, bri_plot_data, bri_plot_script, plot, err);
}
