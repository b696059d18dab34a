/* SPDX-License-Identifier: Apache-2.0
 * test_f32.c - every kernel's f32 instance (firmware, GPU) beside its f64 face over a random motion. */
#include "kit.h"

#include "core/stamp.h"

#define F32_STR_(x) #x
#define F32_STR(x) F32_STR_(x)

/* Length scale of a motion that exercises the model, m. */
static double f32_length(const br_model *m)
{
  if (m->axes != 1 || !(m->flags & BR_MODEL_EXACT_STEP)) return 0.05;
  const kit k = kit_open(m->name);
  return kit_length(&k);
}

#define BR_REAL float
#define BR_SFX _f32
#include "models/common/stribeck.inc"
#define BR_VISIT "tests/models/f32_case.inc"
#include "models/models.def"
#undef BR_VISIT

int main(void)
{
  const struct CMUnitTest tests[] = {
#define BR_VISIT "tests/models/f32_list.inc"
#include "models/models.def"
#undef BR_VISIT
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
