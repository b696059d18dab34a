/* SPDX-License-Identifier: Apache-2.0
 * missing.h - what POSIX has and wasi-libc has not, in front of every file; missing.c has the functions. */
#ifndef BR_WASM_MISSING_H
#define BR_WASM_MISSING_H
#define F_DUPFD_CLOEXEC 0
#define fchmod(fd, mode) ((void)(fd), (void)(mode), 0)
char *realpath(const char *path, char *out);
unsigned geteuid(void);
int flock(int fd, int how);
#endif
