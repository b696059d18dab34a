/* SPDX-License-Identifier: Apache-2.0
 * shortest.h - the shortest decimal of a double, in 128-bit integers. */
#ifndef BRI_TEXT_SHORTEST_H
#define BRI_TEXT_SHORTEST_H

/* Digits d1 d2 .. dn of the shortest decimal d1.d2..dn * 10^e10 that reads back as x, the one nearest to x of
 * several, without trailing zeros.  For finite x from 1e-11 to 1e16; returns n, or 0 where it does not apply
 * (other x, no 128-bit integers) and the caller must go another way. */
int bri_shortest(double x, char digits[20], int *e10);

#endif
