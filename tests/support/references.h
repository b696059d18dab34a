/* SPDX-License-Identifier: Apache-2.0
 * references.h - models against independent reference numbers (tests/reference/loops.json).
 * Every key of a family is read, its parameters are taken from the key itself, the element is moved
 * accordingly and the result compared to max(1e-9 of the size, 100 times the reference's own error).  A key
 * of a family that no rule understands fails the test: nothing is skipped silently. */
#ifndef SUPPORT_REFERENCES_H
#define SUPPORT_REFERENCES_H
#include <stddef.h>

#include "json.h"
#include "motion.h"

#define REF_MOST 64 /* numbers in one entry */

typedef struct {
  size_t entries;
  double worst; /* largest error over its tolerance */
  char worst_key[160];
} ref_tally;

/* A rule compares one entry and counts it; 0: it does not know the key. */
typedef int ref_rule(ref_tally *sum, const char *key, const json *entry);

/* Group set-up and tear-down of cmocka: the file; without it ref_family skips. */
int ref_load(void **state);
int ref_drop(void **state);
/* Run `rule` over all entries whose key starts with prefix. */
void ref_family(const char *prefix, ref_rule *rule);

/* The number behind "name=" in a key; name follows '/' or '_' or starts the key (so "eta" is not "beta"). */
int ref_in_key(const char *key, const char *name, double *x);
double ref_need(const char *key, const char *name);
int ref_ends(const char *key, const char *tail);

void ref_compare(ref_tally *sum, const json *entry, const double *got, size_t n);
void ref_compare_one(ref_tally *sum, const json *entry, double got);
/* State (or force) at the positions listed beside the value, from rest at 0. */
void ref_virgin(ref_tally *sum, const json *e, motion *q, int want_force);

/* The periodic loop of a rate-independent element between -U and U. */
typedef struct {
  double at_top[2];  /* state and force at u = +U */
  double at_zero[2]; /* the same at u = 0, rising */
  double zero_at;    /* u where the first state is zero, rising */
  double energy;     /* per cycle */
  double multiplier; /* of a half cycle */
  motion bottom;     /* at u = -U, rising */
} ref_loop;

/* The loop of the last call is kept: neighbouring keys ask for the same one. */
const ref_loop *ref_loop_of(const motion *q, double U, double speed);
int ref_loop_rule(ref_tally *sum, const char *key, const json *e, const ref_loop *L);

#endif
