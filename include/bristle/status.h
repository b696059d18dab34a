/* SPDX-License-Identifier: Apache-2.0
 * status.h - status codes and the error record every fallible function may fill.
 * The list below is expanded to the enum here, to the messages in core/status.c and to docs/status.md,
 * so the three cannot drift.  0 is success, negative is an error, positive a normal outcome that is not
 * plain success.  The library never prints, exits or aborts. */
#ifndef BR_STATUS_H
#define BR_STATUS_H
#include <stddef.h>

#include "bristle/export.h"
BR_C_BEGIN

#define BR_STATUS_LIST(X)                                           \
  X(BR_OK, 0, "success")                                            \
  X(BR_E_ARG, -1, "bad argument")                                   \
  X(BR_E_RANGE, -2, "value outside its valid range")                \
  X(BR_E_NOMEM, -3, "out of memory")                                \
  X(BR_E_NAN, -4, "value is not a number")                          \
  X(BR_E_NAME, -5, "unknown name")                                  \
  X(BR_E_PARSE, -6, "text cannot be read")                          \
  X(BR_E_IO, -7, "file cannot be read or written")                  \
  X(BR_E_SIZE, -8, "size or length does not fit")                   \
  X(BR_E_CONVERGE, -9, "iteration did not converge")                \
  X(BR_E_UNSUPPORTED, -10, "not available for this model or build") \
  X(BR_INTERRUPTED, 1, "stopped on request")

#define BR_STATUS_ENUM(name, value, text) name = value,
typedef enum { BR_STATUS_LIST(BR_STATUS_ENUM) } br_status;
#undef BR_STATUS_ENUM

/* Detail of the last error; filled only when a function returns a negative code.
 * index: parameter, row or column the message speaks of, -1 where none applies. */
typedef struct {
  br_status code;
  int index;
  char msg[256];
} br_err;

/* How a caller ends work that takes long: asked() is called now and then, many times a second and from any
 * thread that works, and ends the work by a result other than 0, which it must go on giving.  The function
 * then returns
 * BR_INTERRUPTED and leaves nothing behind.  asked = NULL: never. */
typedef struct {
  int (*asked)(void *ctx);
  void *ctx;
} br_stop;

/* Message of a code; never NULL, "unknown status" for a number outside the list. */
BR_API const char *br_status_text(br_status code);

BR_C_END
#endif
