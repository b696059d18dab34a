/* SPDX-License-Identifier: Apache-2.0
 * wait.h - no other program can be started: gnuplot and the readers of foreign files say that they failed. */
#ifndef BR_WASM_WAIT_H
#define BR_WASM_WAIT_H
#include <errno.h>
#include <sys/types.h>

static inline int br_wasm_no(void)
{
  errno = ENOSYS;
  return -1;
}
#define fork() ((pid_t)br_wasm_no())
#define pipe(fd) ((void)(fd), br_wasm_no())
#define dup2(from, to) ((void)(from), br_wasm_no())
#define execvp(file, argv) ((void)(argv), br_wasm_no())
#define waitpid(pid, status, how) ((void)(status), (pid_t)br_wasm_no())
#define WIFEXITED(s) ((void)(s), 0)
#define WEXITSTATUS(s) ((void)(s), 1)
#define WIFSIGNALED(s) 0
#define WTERMSIG(s) 0
#endif
