/* SPDX-License-Identifier: Apache-2.0
 * batch.c - ten thousand friction elements at once: how much does a joint lose per cycle when its Coulomb
 * level and its stiffness are not known better than 30 %?  One batch, each lane with parameters of its own,
 * one pass over the motion. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bristle/batch.h"

enum { LANES = 10000, STEPS = 2000 }; /* a period of the motion in 2000 samples */

static double uniform(unsigned long long *s) /* 0..1, the same everywhere */
{
  *s = *s * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(*s >> 11) * (1.0 / 9007199254740992.0);
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Parameters of every lane: defaults, with two of them drawn. */
static int fill(const br_model *m, double *par)
{
  const br_param *Fc = br_model_param(m, "Fc"), *sigma0 = br_model_param(m, "sigma0");
  unsigned long long seed = 1;
  if (!Fc || !sigma0) return 0;
  for (size_t i = 0; i < LANES; i++) {
    double *p = par + i * m->slots;
    m->defaults(p);
    p[Fc->slot] = 1.0 * (0.7 + 0.6 * uniform(&seed));     /* N */
    p[sigma0->slot] = 1e4 * (0.7 + 0.6 * uniform(&seed)); /* N/m */
    m->prepare(p);
  }
  return 1;
}

int main(void)
{
  const br_model *m = br_model_find("dahl");
  const size_t size = m ? br_batch_size(m, BR_F64, LANES, 0) : 0;
  double *par = m ? malloc((size_t)LANES * m->slots * sizeof *par) : NULL;
  double *v = malloc(LANES * sizeof *v), *F = malloc(LANES * sizeof *F), *work = calloc(LANES, sizeof *work);
  void *mem = size ? aligned_alloc(64, (size + 63) / 64 * 64)
                   : NULL; /* the batch lives here, nothing else is allocated */
  br_batch b;
  const double h = 1.0 / STEPS, turn = 6.283185307179586;
  int bad = !par || !v || !F || !work || !mem || !fill(m, par);
  bad = bad || br_batch_init(&b, m, BR_F64, LANES, 0, par, NULL, mem, size) != BR_OK;
  for (int k = 0; k < 2 * STEPS && !bad; k++) {                   /* the second period is the steady one */
    const double speed = 1e-3 * turn * cos(turn * (k + 0.5) * h); /* 1 mm at 1 Hz */
    for (size_t i = 0; i < LANES; i++) v[i] = speed;
    bad = br_batch_run_f64(&b, BR_STRICT, 1, h, v, F) != BR_OK;
    for (size_t i = 0; i < LANES && k >= STEPS; i++) work[i] += F[i] * speed * h;
  }
  if (!bad) {
    qsort(work, LANES, sizeof *work, ascending);
    printf("%d elements on %s: loss per cycle %.4g mJ (median), 5 %% below %.4g, 5 %% above %.4g\n",
           (int)LANES, br_isa_name(), 1e3 * work[LANES / 2], 1e3 * work[LANES / 20],
           1e3 * work[LANES - LANES / 20]);
  }
  free(par), free(v), free(F), free(work), free(mem);
  return bad;
}
