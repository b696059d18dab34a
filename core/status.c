/* SPDX-License-Identifier: Apache-2.0
 * status.c - messages of the status codes, expanded from the one list. */
#include "bristle/status.h"

const char *br_status_text(br_status code)
{
  switch (code) {
#define BR_STATUS_CASE(name, value, text) \
  case name: return text;
    BR_STATUS_LIST(BR_STATUS_CASE)
#undef BR_STATUS_CASE
  }
  return "unknown status";
}
