/* SPDX-License-Identifier: Apache-2.0
 * importer.h - a small importer of FMUs: unpacks, loads, integrates by CVODE with root finding, or steps.
 * It knows an FMU by its file alone: value references come from modelDescription.xml. */
#ifndef TEST_FMU_IMPORTER_H
#define TEST_FMU_IMPORTER_H
#include <stddef.h>

enum { IMPORTER_VARS = 400 };
typedef struct {
  char name[96], causality[24], kind[16]; /* kind: state, rate, event or empty */
  unsigned reference;
  double start;
  int has_start;
} importer_var;

typedef struct {
  int version;
  void *library, *instance;
  char folder[512], token[64], identifier[64];
  importer_var vars[IMPORTER_VARS];
  size_t n, nstate, nevent;
  double stop; /* of the default experiment, s */
} importer;

/* Unpack `fmu` into `folder` and load it. */
void importer_open(importer *m, const char *fmu, const char *folder);
void importer_close(importer *m);
void importer_instance(importer *m, int co_simulation); /* a new one; initialization has begun */
void importer_free(importer *m);
void importer_ready(importer *m);                                       /* initialization ends */
const importer_var *importer_find(const importer *m, const char *name); /* NULL: none */
void importer_set(importer *m, const char *name, double value);
double importer_get(importer *m, const char *name);
int importer_try_set(importer *m, const char *name, double value); /* 0: taken */

/* Inputs in time: fill value[i] for names[i]. */
typedef struct {
  const char *const *names;
  size_t n;
  void (*at)(double t, double *value);
} importer_drive;

/* Model exchange from 0 to t_end; returns the number of events. */
size_t importer_exchange(importer *m, const importer_drive *drive, double t_end, double rtol);
/* As checkers do it: model exchange by explicit Euler, 500 steps to the default end, events where a step
 * ends, every output read at every step.  Returns the number of events. */
size_t importer_check(importer *m);
/* Co-simulation in n equal steps; the drive is asked at the start of each. */
void importer_steps(importer *m, const importer_drive *drive, double t_end, int n);
void importer_step(importer *m, double t, double h);

/* Keep and bring back the state, by way of bytes; the returned block is malloc'ed. */
void *importer_save(importer *m, size_t *size);
void importer_load(importer *m, const void *bytes, size_t size);
/* d unknown / d by. */
double importer_slope(importer *m, const char *unknown, const char *by);

#endif
