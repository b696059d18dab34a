/* SPDX-License-Identifier: Apache-2.0
 * rodas.h - one step of Rodas5P (order 5, linearly implicit, stiffly accurate, dense output).  Internal. */
#ifndef BRI_RODAS_H
#define BRI_RODAS_H
#include "radau.h"

typedef struct {
  size_t n;
  double *K; /* [8][n] */
  double *E, *u, *f, *ft;
  size_t *piv;
} bri_rodas;

BR_CHECKED br_status bri_rodas_create(const br_plant *p, bri_rodas *r);
void bri_rodas_destroy(bri_rodas *r);
/* Arguments and result as bri_radau_step(); no iteration, so it needs no guess. */
int bri_rodas_step(bri_rodas *r, const br_plant *p, bri_work *k, const bri_mode *m, double t, const double *y,
                   const double *f0, double h, const double *tol, bri_step *out);

#endif
