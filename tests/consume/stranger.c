/* SPDX-License-Identifier: Apache-2.0
 * stranger.c - smallest program on the installed library: header and library must be of one version, and the
 * system's own headers must not be hidden by Bristle's. */
#include <bristle/status.h>
#include <bristle/version.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
  if (signal(SIGINT, SIG_DFL) == SIG_ERR) return 1; /* <signal.h> is really the system's */
  printf("%s %s\n", br_version(), br_status_text(BR_OK));
  return strcmp(br_version(), BR_VERSION_STRING) == 0 && strcmp(br_status_text(BR_OK), "success") == 0 ? 0
                                                                                                       : 1;
}
