/* SPDX-License-Identifier: Apache-2.0
 * slide.c - the sliding law of a true-stick model down to v = 0. */
#include <float.h>
#include <math.h>

#include "slide.h"

double bri_stick_band(const br_model *m, const double *par)
{
  const br_param *dv = br_model_param(m, "dv");
  return dv && dv->max_len == 1 ? fmax(DBL_MIN, par[dv->slot]) : DBL_MIN;
}

double bri_slide_law(const br_model *m, const double *par, double load, const double *u, double side,
                     double s, double edge)
{
  const double out = side * fmax(s, edge), far = 2 * out, none = 0;
  double F, F2;
  m->force(par, load, u, &out, &none, &none, &F);
  if (s >= edge) return F;
  m->force(par, load, u, &far, &none, &none, &F2);
  return F - (F2 - F) * (1 - s / edge);
}
