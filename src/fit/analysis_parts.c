/* SPDX-License-Identifier: Apache-2.0
 * analysis_parts.c - the parts of a record that an option names: A:B, shares of it or times. */
#include "analysis_parts.h"

#include <string.h>

#include "bristle/unit.h"
#include "text/fail.h"

/* One end: a part of the record, or a time. */
static br_status read_end(const br_job *job, const char *option, const char *s, size_t n,
                          const br_fit_record *r, size_t *at, br_err *err)
{
  br_unit unit, second;
  br_err why = {BR_OK, -1, ""};
  double x = 0;
  int has_unit = 0;
  if (n == 0 || br_quantity_parse(s, n, &x, &unit, &has_unit, &why) || br_unit_parse("s", 1, &second, &why))
    return bri_fail(err, BR_E_PARSE,
                    "%s%s: '%.*s' is no number; expected A:B, parts from 0 to 1 or times with a unit",
                    br_job_dash(job), option, bri_text_width(n), s);
  if (has_unit && !br_unit_same(&unit, &second))
    return bri_fail(err, BR_E_PARSE, "%s%s: '%.*s' is no time", br_job_dash(job), option, bri_text_width(n),
                    s);
  if (has_unit && r && !r->t)
    return bri_fail(err, BR_E_ARG, "%s%s: the record has no time: write parts from 0 to 1", br_job_dash(job),
                    option);
  if (!has_unit && (x < 0 || x > 1))
    return bri_fail(err, BR_E_RANGE,
                    "%s%s = %.9g is out of range: parts go from 0 to 1, times carry a unit (%.9gs)",
                    br_job_dash(job), option, x, x);
  if (!r) return BR_OK;
  *at = 0;
  if (!has_unit) *at = (size_t)(x * (double)r->n + 0.5);
  while (has_unit && *at < r->n && r->t[*at] < x) ++*at;
  return BR_OK;
}

/* r NULL: the text alone. */
br_status bri_fit_part(const br_job *job, const char *option, const br_fit_record *r, size_t part[2],
                       br_err *err)
{
  const char *text = br_job_text(job, option), *colon = text ? strchr(text, ':') : NULL;
  if (!text) return BR_OK;
  if (!colon)
    return bri_fail(err, BR_E_PARSE, "%s%s = %.60s: must be A:B with A < B", br_job_dash(job), option, text);
  br_status st = read_end(job, option, text, (size_t)(colon - text), r, &part[0], err);
  if (!st) st = read_end(job, option, colon + 1, strlen(colon + 1), r, &part[1], err);
  if (!st && r && part[0] >= part[1])
    st = bri_fail(err, BR_E_RANGE, "%s%s = %.60s: no samples between", br_job_dash(job), option, text);
  return st;
}

br_status bri_fit_told(br_status st, br_err *err)
{
  if (st != BR_E_IO) return st;
  if (err) err->code = BR_E_ARG;
  return BR_E_ARG;
}
