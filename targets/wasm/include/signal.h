/* SPDX-License-Identifier: Apache-2.0
 * signal.h - a page gets no signals: masks hold nothing, other processes are not there. */
#ifndef BR_WASM_SIGNAL_H
#define BR_WASM_SIGNAL_H
#include_next <signal.h>

#include <errno.h>
#include <__typedef_sigset_t.h>
#define sigfillset(set) ((void)(*(set) = 0), 0)
#ifndef SIGKILL
#define SIGKILL 9
#endif
#define kill(pid, number) ((void)(pid), errno = ESRCH, -1)
#endif
