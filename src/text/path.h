/* SPDX-License-Identifier: Apache-2.0
 * path.h - what a path stands for: links followed, also where nothing is there yet.  Alloc: none. */
#ifndef BRI_TEXT_PATH_H
#define BRI_TEXT_PATH_H
#include <sys/stat.h>

enum { BRI_PATH = 4096 };

typedef struct {
  char path[BRI_PATH]; /* the file itself: no link is left at its end */
  int exists;
  struct stat info; /* where it exists */
  int descriptor;   /* >= 0: /dev/stdout and the like, an open file of this process */
} bri_place_of;

/* Follow the links at the end of a path, dangling ones too.  0, or an errno. */
int bri_path_follow(const char *path, bri_place_of *at);
/* The one absolute name: folders that are there by their real names, what is missing behind them as it is
 * written.  0, or an errno. */
int bri_path_real(const char *path, char out[BRI_PATH]);
/* 1: "-" or a name of standard output, /dev/stdout and the like. */
int bri_path_is_stdout(const char *path);
/* Every folder of the path that is missing.  0, or an errno. */
int bri_path_make(const char *path);
/* Folder of a path with the slash behind it, "./" where there is none.  0, or ENAMETOOLONG. */
int bri_path_folder(const char *path, char out[BRI_PATH]);

#endif
