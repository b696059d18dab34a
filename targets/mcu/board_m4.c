/* SPDX-License-Identifier: Apache-2.0
 * board_m4.c - start-up, semihosting and a timer of a Cortex-M4 with FPU, without any library. */
#include <stdint.h>

#include "board.h"

int main(void);
void board_reset(void);
extern uint32_t data_from[], data_start[], data_end[], bss_start[], bss_end[], stack_top[];

static void trap(void) { board_exit(3); }

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))stack_top, board_reset, trap, trap, trap, trap, trap};

#define REGISTER(address) (*(volatile uint32_t *)(address))

__attribute__((noreturn)) void board_reset(void)
{
  REGISTER(0xE000ED88) |= 0xFu << 20; /* the FPU may be used */
  __asm__ volatile("dsb\nisb");
  for (uint32_t *to = data_start, *from = data_from; to < data_end;) *to++ = *from++;
  for (uint32_t *to = bss_start; to < bss_end;) *to++ = 0;
  REGISTER(0xE000E014) = 0xFFFFFF; /* SysTick from 2^24 - 1 down, by the processor's clock, no interrupt */
  REGISTER(0xE000E018) = 0;
  REGISTER(0xE000E010) = 5;
  board_exit(main());
  for (;;) {}
}

unsigned board_ticks(void) { return REGISTER(0xE000E018); }

static int semihost(int what, const void *with)
{
  register int r0 __asm__("r0") = what;
  register const void *r1 __asm__("r1") = with;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

void board_print(const char *text) { (void)semihost(4, text); } /* SYS_WRITE0 */

void board_exit(int code)
{
  const uint32_t why[2] = {0x20026, (uint32_t)code}; /* the application's own end */
  (void)semihost(0x20, why);
  for (;;) {}
}

/* What gcc may call on its own account. */
void *memcpy(void *to, const void *from, unsigned n);
void *memcpy(void *to, const void *from, unsigned n)
{
  for (unsigned i = 0; i < n; i++) ((volatile char *)to)[i] = ((const char *)from)[i];
  return to;
}
void *memset(void *to, int c, unsigned n);
void *memset(void *to, int c, unsigned n)
{
  for (unsigned i = 0; i < n; i++) ((volatile char *)to)[i] = (char)c;
  return to;
}
