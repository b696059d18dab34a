/* SPDX-License-Identifier: Apache-2.0
 * analysis_map.c - 'simulate', the hysteresis map: displacement of the first contact against the driven
 * input. */
#include <stdio.h>
#include <string.h>

#include "answer.h"
#include "base/alloc.h"

enum { MOST = 8000 }; /* points; of longer runs every 2nd, 4th, .. row */

/* The state that the contact's velocity is the rate of: x of v, x1 of v1, theta of omega; -1: none. */
static int position(const bri_answer *b)
{
  const int v = br_plant_velocity(b->plant, 0);
  const char *rate = v >= 0 ? br_plant_state(b->plant, (size_t)v) : "";
  char name[BRI_ANSWER_NAME];
  if (strcmp(rate, "omega") == 0) return br_plant_index(b->plant, "theta");
  (void)snprintf(name, sizeof name, "x%s", rate[0] == 'v' ? rate + 1 : "");
  return rate[0] == 'v' ? br_plant_index(b->plant, name) : -1;
}

int bri_map_columns(const bri_answer *b, size_t *input)
{
  const int x = position(b);
  size_t k = 0;
  while (k < b->ninput && !br_job_input(b->job, k)) k++;
  *input = 0;
  if (x < 0 || k == b->ninput) return -1;
  *input = bri_answer_first(b) + b->nstate + b->nforce + k;
  return (int)bri_answer_first(b) + x;
}

void bri_map_open(bri_answer *b)
{
  const int y = bri_map_columns(b, &b->map.x);
  if (y < 0 || !br_sink_wants(b->out, "map")) return;
  b->map.y = (size_t)y;
  b->map.stride = 1;
  b->map.at = bri_calloc(MOST, sizeof *b->map.at);
}

/* The row that has just been made. */
void bri_map_row(bri_answer *b)
{
  if (!b->map.at || b->map.seen++ % b->map.stride) return;
  if (b->map.n == MOST) { /* every other one goes */
    for (size_t i = 0; i < MOST / 2; i++) memcpy(b->map.at[i], b->map.at[2 * i], sizeof b->map.at[i]);
    b->map.n = MOST / 2;
    b->map.stride *= 2;
    if ((b->map.seen - 1) % b->map.stride) return;
  }
  b->map.at[b->map.n][0] = b->row[b->map.x];
  b->map.at[b->map.n++][1] = b->row[b->map.y];
}

br_status bri_map_put(bri_answer *b, br_err *err)
{
  if (!b->map.at || b->map.n < 2) return BR_OK;
  const br_column columns[] = {b->columns[b->map.x], b->columns[b->map.y]};
  const br_table_head head = {"map", BR_TABLE_FILE, 2, columns, b->map.n};
  br_status st = br_put_table(b->out, &head, err);
  for (size_t i = 0; i < b->map.n && !st; i++) st = br_put_row(b->out, b->map.at[i], err);
  return st ? st : br_put_end(b->out, err);
}
