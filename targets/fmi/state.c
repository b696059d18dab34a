/* SPDX-License-Identifier: Apache-2.0
 * state.c - everything of an instance that changes with time as a row of numbers, and back; its recipe's
 * file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../src/base/alloc.h"
#include "../../src/text/fail.h"
#include "instance.h"

enum { HEAD = 7, PER_CONTACT = 8 };

size_t bri_fmi_saved(const bri_fmi *f)
{
  const br_plant *p = f->plant;
  return HEAD + f->layout.nparam + 3 * p->nw + p->nx + p->ny + PER_CONTACT * p->nk + 3 * p->nc * p->nz +
         p->nkink;
}

void bri_fmi_save(const bri_fmi *f, double *to)
{
  const br_plant *p = f->plant;
  const size_t n = 3 * p->nc * p->nz;
  *to++ = f->t, *to++ = f->load, *to++ = f->position[0], *to++ = f->position[1];
  *to++ = f->running;
  *to++ = f->stale;
  *to++ = f->phase;
  for (size_t i = 0; i < f->layout.n; i++) {
    const bri_fmu_var *v = &f->layout.vars[i];
    double x[64] = {0};
    size_t many;
    if (v->kind != BRI_FMU_PARAM) continue;
    if (br_params_get(f->recipe.params, v->param, sizeof x / sizeof *x, x, &many, NULL))
      x[v->index] = v->start;
    *to++ = x[v->index];
  }
  for (size_t i = 0; i < p->nw; i++, to += 3) memcpy(to, &f->drives[i], 3 * sizeof *to);
  memcpy(to, f->x, (p->nx + p->ny) * sizeof *to);
  to += p->nx + p->ny;
  for (size_t j = 0; j < p->nk; j++) {
    const bri_contact *c = &f->mode.c[j];
    *to++ = c->sign, *to++ = c->stuck, *to++ = c->rest, *to++ = c->moved;
    *to++ = c->u0, *to++ = c->next, *to++ = c->way, *to++ = c->flips;
  }
  if (n) memcpy(to, f->mode.z0, n * sizeof *to);
  if (p->nkink) memcpy(to + n, f->mode.stop, p->nkink * sizeof *to);
}

/* Bytes from a stranger may say anything. */
static int whole(double x) { return fabs(x) <= 1 << 20 ? (int)x : 0; }

br_status bri_fmi_restore(bri_fmi *f, const double *from, br_err *err)
{
  br_status st = BR_OK;
  const double *head = from, *row = from + HEAD;
  const int phase = whole(head[6]), mine = f->exchange ? BRI_FMI_CONTINUOUS : BRI_FMI_STEPS;
  const int fits = (BRI_FMI_ANY & ~(BRI_FMI_CONTINUOUS | BRI_FMI_STEPS)) | mine;
  if (phase <= 0 || phase & (phase - 1) || !(phase & fits))
    return bri_fail(err, BR_E_ARG, "this is not a state of such an instance");
  for (size_t i = 0; i < f->layout.n && !st; i++) {
    const bri_fmu_var *v = &f->layout.vars[i];
    const unsigned reference = (unsigned)i;
    double now = 0;
    if (v->kind != BRI_FMU_PARAM) continue;
    st = bri_fmi_get(f, reference, &now, err);
    if (!st && now != *row) st = bri_fmi_set(f, reference, *row, err);
    row++;
  }
  if (!st && f->stale && head[5] == 0) { /* the plant of the saved parameters */
    st = br_params_finish(f->recipe.params, err);
    f->running = 0;
    if (!st) st = bri_fmi_rates(f, err);
  }
  if (st) return st;
  const br_plant *p = f->plant;
  f->t = head[0], f->load = head[1], f->position[0] = head[2], f->position[1] = head[3];
  f->running = head[4] != 0;
  f->phase = phase;
  for (size_t i = 0; i < p->nw; i++, row += 3) f->drives[i] = (bri_fmi_drive){row[0], row[1], row[2]};
  memcpy(f->x, row, (p->nx + p->ny) * sizeof *row);
  row += p->nx + p->ny;
  for (size_t j = 0; j < p->nk; j++, row += PER_CONTACT)
    f->mode.c[j] = (bri_contact){.sign = row[0] < 0 ? -1 : 1,
                                 .stuck = row[1] != 0,
                                 .rest = row[2] != 0,
                                 .moved = row[3] != 0,
                                 .u0 = row[4],
                                 .next = row[5],
                                 .way = row[6],
                                 .flips = whole(row[7])};
  const size_t n = 3 * p->nc * p->nz;
  if (n) memcpy(f->mode.z0, row, n * sizeof *row);
  for (size_t i = 0; i < p->nkink; i++) f->mode.stop[i] = row[n + i] < 0 ? -1 : 1;
  f->plant->load[0] = f->recipe.element ? f->load : f->plant->load[0];
  f->current = f->untouched = 0;
  return BR_OK;
}

/* ---- the recipe's file ---- */

static int hex(char c)
{
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* "file:///a%20b", "file:/a", "file://localhost/a" or a path. */
static void to_path(const char *location, char *path)
{
  if (strncmp(location, "file:", 5) == 0) {
    location += 5;
    if (strncmp(location, "//", 2) == 0) {
      const char *slash = strchr(location + 2, '/');
      location = slash ? slash : location;
    }
    for (; *location; location++) {
      const int up = *location == '%' ? hex(location[1]) : -1, low = up >= 0 ? hex(location[2]) : -1;
      if (low >= 0) *path++ = (char)(16 * up + low), location += 2;
      else *path++ = *location;
    }
    *path = '\0';
  } else {
    strcpy(path, location);
  }
}

br_status bri_fmi_read_recipe(const char *location, char **text, size_t *size, br_err *err)
{
  enum { MOST = 1 << 26 };
  static const char NAME[] = "/recipe.txt";
  *text = NULL;
  if (!location) return bri_fail(err, BR_E_ARG, "the importer names no resource folder");
  char *path = bri_malloc(strlen(location) + sizeof NAME);
  FILE *in = NULL;
  long size_of = 0;
  if (path) {
    to_path(location, path);
    size_t n = strlen(path);
    while (n && path[n - 1] == '/') path[--n] = '\0';
    memcpy(path + n, NAME, sizeof NAME);
    in = fopen(path, "rb");
    size_of = !in || fseek(in, 0, SEEK_END) ? -1 : ftell(in);
  }
  if (in && size_of >= 0 && size_of < MOST && !fseek(in, 0, SEEK_SET))
    *text = bri_malloc((size_t)size_of + 1);
  br_status st = BR_OK;
  if (path && !in) st = bri_fail(err, BR_E_IO, "cannot read %.150s", path);
  else if (!path || (!*text && size_of >= 0 && size_of < MOST))
    st = bri_fail(err, BR_E_NOMEM, "out of memory");
  else if (!*text || (*size = fread(*text, 1, (size_t)size_of + 1, in)) != (size_t)size_of || ferror(in))
    st = bri_fail(err, BR_E_IO, "%.150s cannot be read or is too long", path);
  if (in) (void)fclose(in);
  bri_free(path);
  if (st) bri_free(*text), *text = NULL;
  return st;
}
