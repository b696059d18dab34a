/* SPDX-License-Identifier: Apache-2.0
 * fmu.h - what the exporter's files share. */
#ifndef BRI_FMU_FMU_H
#define BRI_FMU_FMU_H
#include "../text/buf.h"
#include "bristle/fmu.h"
#include "layout.h"

typedef struct {
  const br_fmu_options *options;
  int version, kinds;
  char name[64]; /* model identifier */
  double stop;   /* of the default experiment, s */
  const bri_fmu_request *asked;
  const bri_fmu_recipe *recipe;
  const bri_fmu_layout *layout;
} bri_fmu_job;

/* describe.c: modelDescription.xml, sources/buildDescription.xml (FMI 3), documentation/index.html. */
void bri_fmu_describe(const bri_fmu_job *job, bri_buf *out);
void bri_fmu_describe_build(const bri_fmu_job *job, bri_buf *out);
void bri_fmu_document(const bri_fmu_job *job, bri_buf *out);

/* experiment.c: 1 s, or less where 500 explicit steps from the start values do not follow what happens by
 * then. */
double bri_fmu_stop(const br_plant *plant);

/* A file taken into this program when it was built (cmake/br_fmu.cmake). */
typedef struct {
  const char *path; /* from the root of the sources; NULL ends the table */
  const char *text, *end;
} bri_fmu_file;
extern const bri_fmu_file bri_fmu_files[];
extern const bri_fmu_file bri_fmu_binary;                   /* the instance's code for this platform */
extern const bri_fmu_file bri_fmu_license;                  /* of binary and sources */
extern const char *const bri_fmu_units[];                   /* sources to compile, NULL ends the list */
extern const char bri_fmu_platform2[], bri_fmu_platform3[]; /* folders of the binary in FMI 2 and 3 */

/* sources.c: a source as it stands in the FMU, its includes relative to itself, so that it compiles without
 * options; file: one of bri_fmu_files. */
void bri_fmu_source(const bri_fmu_file *file, bri_buf *out);

#endif
