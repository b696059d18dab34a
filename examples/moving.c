/* SPDX-License-Identifier: Apache-2.0
 * moving.c - a mechanism as a page that moves; an element that starts in the steady state of its motion. */
#include <stdio.h>

#include "bristle/bristle.h"

static br_result *answered(br_job *job, const br_picture *picture, br_err *err)
{
  br_result *r = NULL;
  if (br_job_check(job, err) || br_result_create(BR_TABLE_ARRAYS, &r, err)) return NULL;
  if (picture) br_picture_want(picture, r);
  br_sink out = br_result_sink(r);
  if (br_job_run(job, &out, err)) return br_result_destroy(r), NULL;
  return r;
}

/* A block pulled by a spring sticks and slips. */
static int block(br_err *err)
{
  const br_analysis *simulate = br_analysis_find("simulate");
  const br_picture *page = simulate->pictures;
  br_job *job = NULL;
  while (!page->moves) page++;
  if (br_animation_check("example_block.html", err) || br_job_create(simulate, &job, err) ||
      br_job_set(job, "preset", "doc1", NULL, err) || br_job_set(job, "set", "vp=0.5", NULL, err) ||
      br_job_set(job, "t-end", "8s", NULL, err) || br_job_set(job, page->option, "yes", NULL, err))
    return 1;
  br_result *r = answered(job, page, err);
  if (!r || br_animation_write("example_block.html", "a block, pulled", NULL, r, err)) return 1;
  printf("example_block.html moves: the block ends at l = %.6g m\n", br_result_real(r, "final.l"));
  br_result_destroy(r);
  br_job_destroy(job);
  return remove("example_block.html");
}

/* Where a motion is periodic, the transient can be left out. */
static int element(br_err *err)
{
  br_job *job = NULL;
  if (br_job_create(br_analysis_find("trace"), &job, err) || br_job_set(job, "model", "lugre", NULL, err) ||
      br_job_set(job, "input", "sine:1mm,1Hz", NULL, err) || br_job_set(job, "init", "settled", NULL, err) ||
      br_job_set(job, "dt", "0.25s", NULL, err))
    return 1;
  br_result *r = answered(job, NULL, err);
  if (!r) return 1;
  if (!br_job_settled(job)) return 1;
  printf("%s\n", br_result_text(r, "start"));
  br_result_destroy(r);
  br_job_destroy(job);
  return 0;
}

int main(void)
{
  br_err err = {BR_OK, -1, ""};
  if (block(&err) || element(&err)) return fprintf(stderr, "%s\n", err.msg), 1;
  return 0;
}
