/* SPDX-License-Identifier: Apache-2.0
 * shortest.h - the shortest decimal of a double. */
#ifndef BRI_TEXT_SHORTEST_H
#define BRI_TEXT_SHORTEST_H
#include <stddef.h>

/* Room bri_shortest() writes to; the text itself, without terminator, has at most 24 characters. */
enum { BRI_SHORTEST_ROOM = 64 };

/* br_format_double() into a buffer with room to spare: whole blocks are copied and cut by the length
 * returned. */
size_t bri_shortest(double value, char buf[BRI_SHORTEST_ROOM]);

/* The same text, sooner for one of many numbers with few decimals, such as a column of a table.  *places is
 * for this function: the decimals of the numbers before, negative: too many; start with 0. */
size_t bri_shortest_like(double x, char buf[BRI_SHORTEST_ROOM], int *places);

#endif
