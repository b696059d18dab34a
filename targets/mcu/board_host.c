/* SPDX-License-Identifier: Apache-2.0
 * board_host.c - the same on a desk computer, for comparison. */
#include <stdio.h>
#include <stdlib.h>

#include "board.h"

void board_print(const char *text) { (void)fputs(text, stdout); }
void board_exit(int code) { exit(code); }
unsigned board_ticks(void) { return 0; }
