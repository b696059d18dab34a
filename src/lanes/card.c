/* SPDX-License-Identifier: Apache-2.0
 * card.c - an ensemble on the GPUs of this machine, by a library that is loaded when it is asked for
 * (src/lanes/device.h).  Members become lanes here, as on the CPU; what all of them share is sent once, what
 * differs by rows. */
#define _POSIX_C_SOURCE 200809L /* readlink */
#include "card.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/alloc.h"
#if defined(__unix__) && !defined(__wasm__)
#include <dlfcn.h>
#include <unistd.h>
#define BRI_CAN_LOAD 1
#else
#define BRI_CAN_LOAD 0
#endif

#define LIBRARY "libbristle_cuda.so"
enum {
  ROWS = BR_LANE_ROWS,
  ELEMENTS = 64, /* at most */
  PATH = 1024,
  MOST_CARDS = 64
};

/* ---- the library ---- */

#if BRI_CAN_LOAD
/* Beside the program, where it is installed, or where the loader looks; BRISTLE_CUDA names another file. */
static void *load(size_t size, char *why)
{
  static const char *const PLACES[] = {"/" LIBRARY, "/../lib/" LIBRARY, "/../cuda/" LIBRARY};
  const char *own = getenv("BRISTLE_CUDA");
  char program[PATH], path[PATH + 40];
  void *found = NULL;
  if (own && own[0]) found = dlopen(own, RTLD_NOW | RTLD_LOCAL);
  else {
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = 0;
    char *end = strrchr(program, '/');
    if (end) *end = 0;
    for (size_t k = 0; k < sizeof PLACES / sizeof PLACES[0] && end && !found; k++) {
      (void)snprintf(path, sizeof path, "%s%s", program, PLACES[k]);
      if (access(path, R_OK) == 0) found = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    if (!found) found = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  }
  if (!found) {
    const char *said = dlerror();
    (void)snprintf(why, size, "%.200s", said ? said : LIBRARY " cannot be loaded");
  }
  return found;
}
#endif

const bri_card *bri_card_here(int *cards, size_t size, char *why)
{
  *cards = 0;
#if BRI_CAN_LOAD
  void *library = load(size, why);
  if (!library) return NULL;
  const bri_card *(*open_it)(void) = NULL;
  void *symbol = dlsym(library, BRI_CARD_SYMBOL);
  memcpy(&open_it, &symbol, sizeof open_it); /* ISO C knows no cast from an object to a function */
  const bri_card *card = open_it ? open_it() : NULL;
  if (!card || card->version != BRI_CARD_VERSION || card->rows != ROWS) {
    (void)snprintf(why, size, LIBRARY " belongs to another build of bristle");
    return NULL;
  }
  *cards = card->count(size, why);
  if (*cards > MOST_CARDS) *cards = MOST_CARDS;
  return *cards > 0 ? card : NULL;
#else
  (void)snprintf(why, size, "this build loads no libraries");
  return NULL;
#endif
}

/* ---- members of one call ---- */

typedef struct {
  double base[ROWS + ELEMENTS], *in; /* [n_in][members] */
  short place[ROWS + ELEMENTS];
  size_t n_in, room;
} gathered;

/* Row r differs from now on: what went before had the base's number. */
static int spread(gathered *g, size_t r, size_t members, size_t before)
{
  if (g->n_in == g->room) {
    const size_t room = g->room ? 2 * g->room : 16;
    double *in = (double *)bri_realloc(g->in, room * members * sizeof *in);
    if (!in) return 1;
    g->in = in, g->room = room;
  }
  double *row = g->in + g->n_in * members;
  for (size_t m = 0; m < before; m++) row[m] = g->base[r];
  g->place[r] = (short)g->n_in++;
  return 0;
}

/* Lane i of the block is member m of those that are sent. */
static int keep(gathered *g, const br_lane_block *b, size_t i, size_t m, size_t members)
{
  const double *rows = (const double *)(const void *)b;
  for (size_t r = 0; r < ROWS + (size_t)b->count; r++) {
    const double x = r < ROWS ? rows[r * BR_LANE_WIDTH + i] : b->store[(r - ROWS) * b->stride + i];
    if (m == 0) g->base[r] = x, g->place[r] = -1;
    else if (g->place[r] < 0 && memcmp(&x, &g->base[r], sizeof x) != 0 && spread(g, r, members, m)) return 1;
    if (g->place[r] >= 0) g->in[(size_t)g->place[r] * members + m] = x;
  }
  return 0;
}

/* The answer of member k as a lane again. */
static void answer(br_lane_block *b, const double *out, const double *ends, size_t n, size_t k)
{
  double *const to[] = {b->over,  b->t,       b->reversals, b->sticks, b->rested,  b->steps,
                        b->tries, b->returns, b->first,     b->last,   b->nearest, b->farthest};
  for (size_t r = 0; r < sizeof to / sizeof to[0]; r++) to[r][0] = out[r * n + k];
  for (size_t l = 0; l < BR_LANE_STATES; l++) {
    b->y[l][0] = out[(BRI_CARD_Y + l) * n + k];
    b->lo[l][0] = out[(BRI_CARD_LO + l) * n + k];
    b->hi[l][0] = out[(BRI_CARD_HI + l) * n + k];
  }
  for (size_t e = 0; e < (size_t)b->count; e++) b->store[e] = ends[e * n + k];
  if (b->count > 0) b->y[3][0] = b->y[3][0] + b->y[2][0], b->y[2][0] = 0; /* the travel is in them */
}

/* Everything that one call works with. */
typedef struct {
  const bri_lane_run *r;
  size_t first, n, sent; /* members; those that could be started */
  br_lane_block *b;
  double *spar, *mpar, *out, *ends, store[ELEMENTS];
  size_t *member; /* [sent] */
  gathered g;
} call;

static void free_call(call *c)
{
  bri_free(c->b);
  bri_free(c->spar);
  bri_free(c->out);
  bri_free(c->ends);
  bri_free(c->member);
  bri_free(c->g.in);
}

static br_status make_call(call *c)
{
  const br_ensemble *e = c->r->e;
  c->b = (br_lane_block *)bri_calloc(1, sizeof *c->b);
  c->spar = (double *)bri_calloc(e->sys->slots + e->mod->slots + 1, sizeof *c->spar);
  c->out = (double *)bri_malloc_array(c->n, BRI_CARD_ROWS * sizeof *c->out);
  c->member = (size_t *)bri_malloc_array(c->n, sizeof *c->member);
  const int elements = c->r->lane->kind == BR_LANE_ELEMENTS;
  const size_t count = elements ? bri_lane_nz(e, c->r->lane) : 0;
  if (elements) c->ends = (double *)bri_malloc_array(c->n, count * sizeof *c->ends);
  if (!c->b || !c->spar || !c->out || !c->member || (elements && !c->ends)) return BR_E_NOMEM;
  c->mpar = c->spar + e->sys->slots;
  bri_lane_set_up(e, c->b);
  bri_lane_set_elements(e, c->r->lane, c->store, 1, c->b);
  return BR_OK;
}

/* Members that can be started are gathered; of the others it is said why not. */
static br_status gather(call *c)
{
  const bri_lane_run *r = c->r;
  br_lane_block *b = c->b;
  for (size_t m = c->first; m < c->first + c->n; m++) {
    const br_status st =
        bri_lane_fill(r->e, r->lane, &r->frame, r->nx, r->out->lo || r->out->hi, m, c->spar, c->mpar, b, 0);
    if (st != BR_OK) bri_lane_put_none(r, m, st);
    else if (b->over[0] != 0) bri_lane_put(r, b, 0, m, BR_OK); /* no time to pass */
    else {
      if (keep(&c->g, b, 0, c->sent, c->n)) return BR_E_NOMEM;
      c->member[c->sent++] = m;
    }
  }
  return BR_OK;
}

static br_status fail(br_err *err, br_status code, const char *text)
{
  if (!err) return code;
  *err = (br_err){code, -1, ""};
  (void)snprintf(err->msg, sizeof err->msg, "%s", text);
  return code;
}

br_status bri_card_piece(const bri_lane_run *r, size_t first, size_t n, size_t *tries, br_err *err)
{
  call c = {.r = r, .first = first, .n = n};
  char why[200] = "";
  br_status st = make_call(&c);
  const int special = st ? -1 : bri_lane_choose(r, first, first + n, c.spar, c.mpar);
  for (size_t m = first; m < first + n && !st && special < 0; m++) bri_lane_put_none(r, m, BR_E_UNSUPPORTED);
  if (!st && special >= 0) st = gather(&c);
  if (!st && special >= 0 && c.sent > 0) {
    /* rows were laid out for n members; fewer may have been sent */
    for (size_t k = 1; k < c.g.n_in && c.sent < n; k++)
      memmove(c.g.in + k * c.sent, c.g.in + k * n, c.sent * sizeof *c.g.in);
    const bri_card_work w = {r->lane->model,  special,      r->measures, r->e->single, c.sent,
                             c.g.base,        c.g.place,    c.g.in,      c.g.n_in,     c.b->rtol,
                             c.b->most_tries, c.b->watched, c.b->fixed,  c.b->driven,  (size_t)c.b->count,
                             c.b->spring,     c.b->limit,   c.ends,      c.out};
    if (r->card->run(&w, sizeof why, why)) st = BR_E_IO;
    for (size_t k = 0; k < c.sent && !st; k++) {
      answer(c.b, c.out, c.ends, c.sent, k);
      *tries += (size_t)c.b->tries[0];
      bri_lane_put(r, c.b, 0, c.member[k], c.b->over[0] == 1 ? BR_OK : BR_E_CONVERGE);
    }
  }
  free_call(&c);
  if (st == BR_E_NOMEM) return fail(err, st, "out of memory for lanes");
  return st ? fail(err, st, why) : BR_OK;
}
