/* SPDX-License-Identifier: Apache-2.0
 * version.c - the version compiled into the library, against which a program can check its header. */
#include "bristle/version.h"

const char *br_version(void) { return BR_VERSION_STRING; }
