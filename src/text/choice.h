/* SPDX-License-Identifier: Apache-2.0
 * choice.h - one name of several, "a|b|c". */
#ifndef BRI_TEXT_CHOICE_H
#define BRI_TEXT_CHOICE_H
#include <stddef.h>

enum { BRI_CHOICE = 32 };
/* Index of the n characters of text; -1: it is none of them. */
int bri_choice_index(const char *choices, const char *text, size_t n);
/* The nearest of them, copied to buf; NULL: none is near. */
const char *bri_choice_near(const char *choices, const char *text, size_t n, char buf[BRI_CHOICE]);

#endif
