/* SPDX-License-Identifier: Apache-2.0
 * spec_file.h - the file that the text of a signal names. */
#ifndef BRI_SIGNAL_SPEC_FILE_H
#define BRI_SIGNAL_SPEC_FILE_H
#include <stddef.h>

#include "bristle/signal.h"

/* 1: the text names a file, spec[*from] .. spec[*from + *n - 1]; columns behind it are left out,
 * and so is a name in front, "x:csv:FILE".  0: none. */
int bri_signal_file(const char *spec, size_t *from, size_t *n);
/* What headings say of a signal, *n characters: its text, of a file the name without folders. */
const char *bri_signal_title(const char *spec, size_t *n);

#endif
