/* SPDX-License-Identifier: Apache-2.0 */
#include "phase_job.h"
int phase_pictures(phase_job *b) { (void)b; return CLI_OK; }
