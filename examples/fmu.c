/* SPDX-License-Identifier: Apache-2.0
 * fmu.c - a friction element as a functional mock-up unit. */
#include <stdio.h>

#include "bristle/bristle.h"

int main(void)
{
  const br_fmu_options o = {"lugre", NULL, "sigma0=1e5",
                            NULL,    3,    BR_FMU_MODEL_EXCHANGE | BR_FMU_CO_SIMULATION};
  size_t size = 0;
  br_err err;
  if (!br_fmu_available()) return printf("0 FMUs: built without libzip\n"), 0;
  if (br_fmu_write(&o, "example.fmu", &size, &err)) return (void)fprintf(stderr, "%s\n", err.msg), 1;
  printf("example.fmu: %zu bytes\n", size);
  return remove("example.fmu");
}
