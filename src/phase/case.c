/* SPDX-License-Identifier: Apache-2.0
 * case.c - the name of the bifurcation case along sigma1, from the branches of cycles and their ends. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "branch.h"

/* Is the homoclinic orbit beyond sigma1?  Where it is not known one look at the manifolds says so; where that
 * fails the motion is so stiff that the orbit lies next to the Hopf point. */
static int loop_beyond(const bri_branch *b, double sigma1)
{
  double gap = NAN, blur;
  bri_section s = b->s;
  if (isfinite(b->homoclinic)) return b->homoclinic > sigma1;
  s.half[0].c.most_steps = s.half[1].c.most_steps = BRI_MOST_STEPS / 2;
  if (sigma1 * s.p.s2 > s.p.s0 * s.p.m) bri_connection(&s, sigma1, &gap, &blur);
  else return 1; /* no loop can be below that */
  return isnan(gap) ? b->hopf.sigma1 > sigma1 : gap > 0;
}

/* The least number of folds between the ends of a branch, also where it is numerically out of reach.
 * Stable at one end and unstable at the other means an odd number.  Cycles leave a subcritical Hopf point
 * downward; if their branch ends in a homoclinic orbit above it, it must have turned. */
int bri_least_folds(const bri_branch *b)
{
  const int unstable = b->hopf.lyapunov > 0;
  if (b->s.kind == BRI_LONE) return unstable;
  /* the trace at the saddle falls with sigma1: where does it vanish? */
  bri_plane p = b->s.p;
  p.s1 = 0;
  const double at0 = bri_linear_at(&p, b->s.base.v).a1;
  p.s1 = b->hopf.sigma1;
  const double at1 = bri_linear_at(&p, b->s.base.v).a1, zero = p.s1 * at0 / (at0 - at1);
  const int unstable_end = loop_beyond(b, zero), turned = unstable == loop_beyond(b, b->hopf.sigma1);
  return turned + ((turned % 2) != (unstable != unstable_end));
}

/* Append a part of a name; what does not fit is left out. */
static void append(char *name, size_t size, const char *part)
{
  const size_t used = strlen(name);
  if (used + strlen(part) < size) (void)snprintf(name + used, size - used, "%s", part);
}

void bri_case_name(const bri_line *line, int i, size_t size, char *name)
{
  const bri_branch *b = &line->b[i];
  const int least = bri_least_folds(b);
  int folds = b->followed && b->nfold > least ? b->nfold : least;
  folds += (folds - least) % 2;
  (void)snprintf(name, size, "%s", b->hopf.lyapunov > 0 ? "Sub" : "Sup");
  for (; folds > 0; folds--) append(name, size, "_F");
  if (b->s.saddle >= 0) append(name, size, "_HC");
  if (b->s.kind == BRI_LOWER) append(name, size, "_HC");
}
