/* SPDX-License-Identifier: Apache-2.0
 * Any bytes as a study file: findings or a study, never a crash, leak or endless loop. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bristle/study.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  br_study *s = NULL;
  br_err err;
  size_t n = 0;
  /* no files: a study from the fuzzer must not read the disk of the one who runs it */
  for (size_t i = 0; i + 4 < size; i++) {
    if (memcmp(data + i, "csv:", 4) == 0 || memcmp(data + i, "mult", 4) == 0 ||
        memcmp(data + i, "smoo", 4) == 0 || memcmp(data + i, "exte", 4) == 0)
      return 0;
  }
  if (br_study_load_memory((const char *)data, size, "fuzz.yaml", NULL, &s, &err) == BR_OK) {
    if (br_study_runs(s) == 0 || br_study_notes(s, &n) == NULL || n != 0) __builtin_trap();
  }
  br_study_destroy(s);
  return 0;
}
