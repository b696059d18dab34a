/* SPDX-License-Identifier: Apache-2.0
 * board.h - what the measuring program needs of its machine. */
#ifndef BOARD_H
#define BOARD_H
void board_print(const char *text);
void board_exit(int code);
/* A counter that falls by one every BOARD_TICK instructions under qemu -icount shift=0; 24 bits. */
unsigned board_ticks(void);
#define BOARD_TICK 40 /* 25 MHz, one instruction a nanosecond */
#endif
