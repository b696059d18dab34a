/* SPDX-License-Identifier: Apache-2.0
 * file.h - the one way in which a file is made.
 * A new file is written under a name nobody else can have ("NAME.bristle-<random>.part" in the same folder,
 * made exclusively), put on disk and renamed: at every moment the final name is absent, the old file or the
 * whole new one.  A link at the final name is followed and its file replaced; a device, a pipe or an open
 * descriptor (/dev/stdout) is written through; a folder, or a file that may not be written, is refused.
 * Alloc: bri_file_open().  Threads: a bri_file belongs to one thread at a time. */
#ifndef BRI_TEXT_FILE_H
#define BRI_TEXT_FILE_H
#include <stdio.h>

#include "fail.h"

typedef struct bri_file bri_file;

enum {
  BRI_FILE_STREAM = 0, /* bytes in their order, by bri_file_stream() */
  BRI_FILE_NAMED = 1,  /* filled by its temporary name, which is in the folder of path, or at any place of the
                          descriptor; a device or a pipe gets the whole at the end */
  BRI_FILE_NEW = 2     /* a stream; nothing may be there yet */
};

/* *out is NULL on error.  BR_E_IO, BR_E_NOMEM; BR_E_ARG: something is there already (BRI_FILE_NEW). */
BR_CHECKED br_status bri_file_open(const char *path, int how, bri_file **out, br_err *err);
/* NULL where there is no memory; it belongs to f. */
FILE *bri_file_stream(bri_file *f);
/* Into the stream; commit says what went wrong. */
void bri_file_put(bri_file *f, const void *bytes, size_t n);
/* What was printed to the stream reaches the file.  Set errno to 0 before printing: it says what went wrong.
 * */
BR_CHECKED br_status bri_file_flush(bri_file *f, br_err *err);
int bri_file_descriptor(const bri_file *f);
/* The temporary name, absolute; NULL where a device is written through. */
const char *bri_file_temporary(const bri_file *f);
/* Put the file in place.  f is gone in any case. */
BR_CHECKED br_status bri_file_commit(bri_file *f, br_err *err);
/* Give the file up: the final name stays as it was.  NULL is fine. */
void bri_file_abort(bri_file *f);

/* ---- temps.c ---- */
enum { BRI_TEMP_NAME = 160 };
/* A random name that starts with that of a file, letters, digits and "._-" only; seed changes it where there
 * is no source of randomness. */
void bri_temp_name(const char *of, unsigned seed, char name[BRI_TEMP_NAME]);
/* Take away what killed programs have left in a folder: files with a name of the above kind that no living
 * writer holds. */
void bri_temps_sweep(const char *folder);
/* Names that bri_temps_remove() removes; path must stay until it is forgotten.  0: the list is full; 0 of
 * forgetting: bri_temps_remove() has just taken the name, path must stay for ever. */
int bri_temps_remember(const char *path);
int bri_temps_forget(const char *path);
/* Files that got their final name, or devices and pipes that were opened; may be asked by a signal handler.
 * */
void bri_temps_placed(void);
size_t bri_temps_in_place(void);
/* For the signal handler of a program that is about to end: remove every temporary file that is being
 * written.  Calls only what is allowed there. */
void bri_temps_remove(void);

#endif
