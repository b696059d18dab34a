/* SPDX-License-Identifier: Apache-2.0
 * lab.h - the browser lab served on this machine: the files of one folder over HTTP, to loopback alone.
 *
 * Alloc: none that lasts.  Threads: one request at a time, on the caller's thread. */
#ifndef BR_LAB_H
#define BR_LAB_H
#include "bristle/export.h"
#include "bristle/status.h"
BR_C_BEGIN

/* Listen on 127.0.0.1 (port 0: any free one), tell ready() the address, and answer GET and HEAD with plain
 * files of the folder until stop() says 1 (asked several times a second).  Names that leave the folder, links
 * out of it, hidden files and hosts that are not this machine are refused.
 * Returns BR_OK after a stop; BR_E_IO: no such folder or index.html, the port is taken; BR_E_RANGE: no such
 * port. */
BR_TRY br_status br_lab_serve(const char *folder, int port, void (*ready)(void *ctx, const char *address),
                              int (*stop)(void *ctx), void *ctx, br_err *err);

BR_C_END
#endif
