/* SPDX-License-Identifier: Apache-2.0
 * firmware.c - kernel headers alone: no library is linked, so anything they would need from it or from libm
 * is a link error. */
#include <signal.h>

#include "bristle/version.h"
#include "core/num.h"

int main(void)
{
  volatile double one = 1.0;
  double e = brn_exp_f64(one);
  if (signal(SIGINT, SIG_DFL) == SIG_ERR) return 1;
  return BR_VERSION_MAJOR >= 0 && e > 2.718281828459044 && e < 2.718281828459047 ? 0 : 1;
}
