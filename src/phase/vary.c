/* SPDX-License-Identifier: Apache-2.0
 * vary.c - the parameters of block and model by name. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "../text/fail.h"
#include "bristle/param.h"
#include "bristle/text.h"
#include "phase_internal.h"

/* Where a name lives in a bri_plane; Fs is Fc + dF. */
static const struct {
  const char *name;
  size_t at;
} FIELDS[] = {
    {"sigma0", offsetof(bri_plane, s0)},
    {"sigma1", offsetof(bri_plane, s1)},
    {"sigma2", offsetof(bri_plane, s2)},
    {"Fc", offsetof(bri_plane, Fc)},
    {"Fs", 0},
    {"vs", offsetof(bri_plane, vs)},
    {"delta", offsetof(bri_plane, delta)},
    {"m", offsetof(bri_plane, m)},
    {"F", offsetof(bri_plane, F)},
};
enum { NFIELDS = sizeof FIELDS / sizeof FIELDS[0], FC = 3, FS = 4, MASS = 7, FORCE = 8 };

int bri_vary_find(const br_model *m, const char *name, br_err *err)
{
  const char *names[NFIELDS];
  const char *bare = strncmp(name, "model.", 6) == 0    ? name + 6
                     : strncmp(name, "system.", 7) == 0 ? name + 7
                                                        : name;
  for (int i = 0; i < NFIELDS; i++) {
    names[i] = FIELDS[i].name;
    if (strcmp(bare, FIELDS[i].name) == 0) return i;
  }
  const char *near = br_nearest_name(bare, names, NFIELDS);
  (void)bri_fail(err, BR_E_NAME,
                 "phase: cannot vary '%s' of %s%s%s%s; possible: sigma0, sigma1, sigma2, Fc, Fs, "
                 "vs, delta, m, F",
                 name, m->name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  return -1;
}

const char *bri_vary_name(int which) { return FIELDS[which].name; }

void bri_vary_set(bri_plane *p, int which, double x)
{
  if (which == FS) p->dF = x - p->Fc;
  else if (which == FC) p->dF += p->Fc - x, p->Fc = x;
  else *(double *)(void *)((char *)p + FIELDS[which].at) = x;
}

br_status bri_vary_check(const br_model *m, const bri_plane *p, int which, double x, br_err *err)
{
  const char *name = FIELDS[which].name;
  char range[80] = "a finite number";
  int good = isfinite(x);
  if (which == MASS) {
    good = good && x > 0;
    (void)snprintf(range, sizeof range, "> 0");
  } else if (which != FORCE) {
    const br_param *row = br_model_param(m, name);
    good = good && (row->lo_open ? x > row->lo : x >= row->lo) && (row->hi_open ? x < row->hi : x <= row->hi);
    (void)br_param_range(row, sizeof range, range);
  }
  bri_plane q = *p;
  if (good) bri_vary_set(&q, which, x);
  if (good && q.dF < 0) {
    good = 0;
    (void)snprintf(range, sizeof range, "such that Fs >= Fc");
  }
  if (good) return BR_OK;
  return bri_text_fail(err, BR_E_RANGE, which, "phase: %s = %.9g is out of range: must be %s", name, x,
                       range);
}
