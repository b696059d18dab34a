/* SPDX-License-Identifier: Apache-2.0
 * layout.c - which positions are states.
 *
 * Springs, stops and formulas ask for differences of positions.  Bodies that they join form a group.  Where
 * the group holds the ground (a fixed body, one moved by its position, or a formula that names a position)
 * positions are absolute; elsewhere they are counted from one body of the group, which may move on for ever:
 * a block that is pulled over a table has a stretch, and an equilibrium, and no position. */

#include "base/alloc.h"
#include "mechanism.h"

static int top_of(int *up, int i)
{
  while (up[i] != i) i = up[i] = up[up[i]];
  return i;
}

static void join(int *up, int a, int b) { up[top_of(up, a)] = top_of(up, b); }

/* Body i is asked for its position, relative to what it is joined with; a follower only from the ground. */
static void ask(const draft *d, int *up, int i, int ground)
{
  const draft_body *b = &d->bodies[i];
  if (b->follows < 0) return;
  join(up, i, ground);
  join(up, b->follows, ground);
}

static void join_elements(const draft *d, int *up, int ground)
{
  for (size_t i = 0; i < d->nelem; i++) {
    const draft_elem *e = &d->elems[i];
    const int spring = e->kind == ELEM_SPRING && e->p[0] >= 0;
    if (e->kind == ELEM_PENDULUM) join(up, e->a, ground), ask(d, up, e->a, ground);
    if (!spring && e->kind != ELEM_GAP) continue;
    join(up, e->a, e->b);
    ask(d, up, e->a, ground), ask(d, up, e->b, ground);
  }
  for (size_t i = 0; i < d->nform; i++)
    for (int k = 0; k < d->forms[i].nvar; k++) {
      const int *var = d->forms[i].var[k], body = var[1];
      if (var[0] == VAR_X) join(up, body, ground), ask(d, up, body, ground);
      if (var[0] != VAR_STRETCH) continue;
      const draft_elem *e = &d->elems[var[1]];
      join(up, e->a, e->b >= 0 ? e->b : ground);
      ask(d, up, e->a, ground);
      if (e->b >= 0) ask(d, up, e->b, ground);
    }
}

/* The body that positions of each group are counted from; -1: the ground. */
static void choose(const draft *d, int *up, int ground, int *origin, int *size)
{
  for (int i = 0; i <= (int)d->nbody; i++) origin[i] = -1, size[i] = 0;
  for (int i = 0; i < (int)d->nbody; i++) {
    const int g = top_of(up, i);
    size[g]++;
    if (g == top_of(up, ground)) continue;
    if (origin[g] < 0 || (d->bodies[i].moved && !d->bodies[origin[g]].moved)) origin[g] = i;
  }
}

static int has_position(const draft *d, int i, int *up, int ground, const int *origin, const int *size)
{
  const draft_body *b = &d->bodies[i];
  const int g = top_of(up, i);
  if (b->fixed || b->moved == MOVED_POSITION || b->follows >= 0) return 0;
  return g == top_of(up, ground) ? 1 : size[g] > 1 && origin[g] != i;
}

int bri_mech_layout(draft *d)
{
  const int n = (int)d->nbody, ground = n;
  int *up = bri_calloc((size_t)n + 1, 3 * sizeof *up), *origin = up + n + 1, *size = origin + n + 1;
  d->pos = bri_calloc((size_t)n + 1, 2 * sizeof *d->pos);
  if (!up || !d->pos) return bri_free(up), 0;
  for (int i = 0; i <= n; i++) up[i] = i;
  for (int i = 0; i < n; i++) {
    const draft_body *b = &d->bodies[i];
    if (b->fixed || b->moved == MOVED_POSITION || bri_node_find(b->node, "x")) {
      join(up, i, ground);
      ask(d, up, i, ground);
    }
  }
  join_elements(d, up, ground);
  choose(d, up, ground, origin, size);
  d->nx = d->nd = 0;
  for (int i = 0; i < n; i++) {
    if (!has_position(d, i, up, ground, origin, size)) continue;
    d->pos[2 * d->nx] = i;
    d->pos[2 * d->nx + 1] = origin[top_of(up, i)];
    d->bodies[i].jx = (int)d->nx++;
  }
  for (int i = 0; i < n; i++)
    if (!d->bodies[i].fixed && !d->bodies[i].moved && d->bodies[i].follows < 0)
      d->bodies[i].jv = (int)(d->nx + d->nd++);
  for (int i = 0; i < n; i++) {
    draft_body *b = &d->bodies[i];
    if (b->follows < 0) continue;
    b->jv = d->bodies[b->follows].jv;
    if (top_of(up, i) == top_of(up, ground)) b->jx = d->bodies[b->follows].jx;
  }
  for (size_t i = 0; i < d->ncontact; i++)
    d->free |= top_of(up, d->contacts[i].a) != top_of(up, d->contacts[i].b);
  bri_free(up);
  return 1;
}
