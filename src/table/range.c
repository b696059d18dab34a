/* SPDX-License-Identifier: Apache-2.0
 * range.c - "NAME=A:B" taken apart. */
#include "range.h"

#include <string.h>

int bri_range_split(const char *text, bri_range *r)
{
  const char *equals = text ? strchr(text, '=') : NULL, *colon = equals ? strchr(equals, ':') : NULL;
  if (!colon) return 0;
  *r = (bri_range){.name = text, .n = (size_t)(equals - text)};
  r->text[0] = equals + 1, r->length[0] = (size_t)(colon - equals) - 1;
  r->text[1] = colon + 1, r->length[1] = strlen(colon + 1);
  return r->n > 0 && r->length[0] > 0 && r->length[1] > 0;
}

br_status bri_range_numbers(bri_range *r, br_err *err)
{
  br_status st = BR_OK;
  for (int i = 0; i < 2 && !st; i++)
    st = br_quantity_parse(r->text[i], r->length[i], &r->x[i], &r->unit[i], &r->has_unit[i], err);
  return st;
}
