/* SPDX-License-Identifier: Apache-2.0
 * names.c - names of state numbers: z, or z1, z2, ... for as many as the parameters ask for. */
#include <stdio.h>

#include "bristle/trace.h"

const char *br_state_name(const br_model *m, const void *par, size_t index, size_t size, char *buf,
                          const char **unit)
{
  if (!m || !par || !buf || size == 0) return NULL;
  size_t fixed = 0;
  for (size_t r = 0; r < m->nstates_rows; r++) fixed += m->states[r].max_len == 1;
  const size_t n = m->nstate(par), vectors = m->nstates_rows - fixed;
  /* what the scalar rows leave is shared by the vector rows, each as long as the others */
  const size_t each = vectors && n > fixed ? (n - fixed) / vectors : 0;
  if (index >= n) return NULL;
  for (size_t r = 0; r < m->nstates_rows; r++) {
    const br_state *s = &m->states[r];
    const size_t len = s->max_len == 1 ? 1 : each;
    if (index >= len) {
      index -= len;
      continue;
    }
    if (s->max_len == 1) (void)snprintf(buf, size, "%s", s->name);
    else (void)snprintf(buf, size, "%s%zu", s->name, index + 1);
    if (unit) *unit = s->unit;
    return buf;
  }
  return NULL;
}
