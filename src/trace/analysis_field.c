/* SPDX-License-Identifier: Apache-2.0
 * analysis_field.c - analysis 'field': slopes of the first state against displacement, for both directions.
 * */
#include <math.h>
#include <string.h>

#include "analysis/rows.h"
#include "base/alloc.h"
#include "bristle/trace.h"
#include "bristle/unit.h"
#include "text/fail.h"

static const br_option OPTIONS[] = {
    BRI_NUMBER("z-from", "Z", NULL, "lowest state, in its unit; default -1", .def = "-1"),
    BRI_NUMBER("z-to", "Z", NULL, "highest state; default 1", .def = "1"),
    BRI_NUMBER("u-from", "U", "m", "lowest displacement; default -2 m", .def = "-2"),
    BRI_NUMBER("u-to", "U", "m", "highest displacement; default 2 m", .def = "2"),
    BRI_COUNT("nz", "N", 2, 1e6, "arrows along the state; default 11", .def = "11"),
    BRI_COUNT("nu", "N", 2, 1e6, "arrows along the displacement; default 11", .def = "11"),
    BRI_ROW_LOAD(1),
};

static const br_result_row RESULTS[] = {
    {"field.slope_min", "1", "smallest dz/du of motion forward"},
    {"field.slope_max", "1", "largest"},
    {"back.slope_min", "1", "smallest dz/du of motion backward"},
    {"back.slope_max", "1", "largest"},
    {"field", "", "u, z, slope of motion forward: tail and head of each arrow", BR_RESULT_TABLE},
    {"back", "", "the same of motion backward", BR_RESULT_TABLE},
};

static const br_picture_line LINES[] = {{"field", "vectors"}, {"back", "vectors"}};
static const br_picture_panel PANELS[] = {{"u", "z", "displacement u", "state z", NULL, LINES, 2}};

static const br_example EXAMPLES[] = {
    {"bristle field --model bouc_wen --set beta=0.25,gamma=0.75 --json", "slopes on the usual grid"},
    {"bristle field --model lugre --z-from -20um --z-to 20um --u-from -1mm --u-to 1mm --nu 5 --nz 5 --csv -",
     "arrows as a table"},
    {NULL, NULL},
};

/* Everything a run needs. */
typedef struct {
  const br_job *job;
  br_sink *out;
  double z0, u0, cell_z, cell_u; /* first arrow, distances of the grid */
  size_t nz, nu;
  double *z, *dz; /* [m->nz] */
} question;

/* One arrow as two rows, tail at the grid point and head: 0.45 cells along (du, dz) = (+-1, slope). */
static br_status put_arrow(const question *q, double u, double z, double sign, double *slope, br_err *err)
{
  q->z[0] = z;
  br_job_model(q->job)->rate(br_job_par(q->job), br_job_number(q->job, "load"), &u, &sign, q->z, q->dz);
  *slope = q->dz[0] / sign;
  const double a = sign, b = sign * *slope * q->cell_u / q->cell_z, length = 0.45 / sqrt(a * a + b * b);
  const double tail[] = {u, z, *slope};
  const double head[] = {u + length * a * q->cell_u, z + length * b * q->cell_z, *slope};
  const br_status st = br_put_row(q->out, tail, err);
  return st ? st : br_put_row(q->out, head, err);
}

static br_status put_field(const question *q, const char *name, unsigned shape, double sign, br_err *err)
{
  const char *paths[2][3] = {{"field.u", "field.z", "field.slope"}, {"back.u", "back.z", "back.slope"}},
             *const *path = paths[sign < 0];
  const br_column columns[] = {
      {"u", "m", path[0]}, {"z", br_job_model(q->job)->states[0].unit, path[1]}, {"slope", "1", path[2]}};
  const br_table_head head = {name, shape | BR_TABLE_FILE | BR_TABLE_ARRAYS, 3, columns, 2 * q->nz * q->nu};
  double slope = 0, lo = INFINITY, hi = -INFINITY;
  br_status st = br_put_table(q->out, &head, err);
  for (size_t i = 0; i < q->nz && !st; i++) {
    for (size_t j = 0; j < q->nu && !st; j++) {
      st = put_arrow(q, q->u0 + q->cell_u * (double)j, q->z0 + q->cell_z * (double)i, sign, &slope, err);
      lo = fmin(lo, slope);
      hi = fmax(hi, slope);
    }
    if (!st) st = br_sink_alive(q->out, 0.5 * ((double)i / (double)q->nz + (sign < 0)), err);
  }
  br_put_number(q->out, "1", lo, "%s.slope_min", name);
  br_put_number(q->out, "1", hi, "%s.slope_max", name);
  return st ? st : br_put_end(q->out, err);
}

static br_status run(const br_job *job, br_sink *out, br_err *err)
{
  const size_t n = br_job_model(job)->nz;
  question q = {.job = job,
                .out = out,
                .z0 = br_job_number(job, "z-from"),
                .u0 = br_job_number(job, "u-from"),
                .nz = br_job_count(job, "nz"),
                .nu = br_job_count(job, "nu")};
  q.cell_z = (br_job_number(job, "z-to") - q.z0) / (double)(q.nz - 1);
  q.cell_u = (br_job_number(job, "u-to") - q.u0) / (double)(q.nu - 1);
  q.z = bri_calloc(2 * n, sizeof *q.z);
  if (!q.z) return bri_no_memory(err, "field");
  q.dz = q.z + n;
  br_status st = put_field(&q, "field", BR_TABLE_MAIN, 1, err);
  if (!st) st = put_field(&q, "back", 0, -1, err);
  bri_free(q.z);
  return st;
}

/* ---- rules ---- */

/* A unit that is written must be that of the state. */
static br_status check_unit(const br_job *job, const char *option, const char *unit, br_err *err)
{
  const char *text = br_job_text(job, option);
  br_unit has, wanted;
  double x = 0;
  int given = 0;
  if (!br_quantity_parse(text, strlen(text), &x, &has, &given, NULL) && given &&
      !br_unit_parse(unit, strlen(unit), &wanted, NULL) && !br_unit_same(&has, &wanted))
    return bri_fail(err, BR_E_PARSE, "%s = %.60s: the state is in %s", option, text, unit);
  return BR_OK;
}

static br_status check(const br_job *job, br_err *err)
{
  const br_model *m = br_job_model(job);
  const size_t arrows = br_job_count(job, "nz") * br_job_count(job, "nu");
  if (m->nstate(br_job_par(job)) < 1 || !m->rate)
    return bri_fail(err, BR_E_UNSUPPORTED, "field: %s has no state to draw", m->name);
  br_status st = check_unit(job, "z-from", m->states[0].unit, err);
  if (!st) st = check_unit(job, "z-to", m->states[0].unit, err);
  if (st) return st;
  if (!(br_job_number(job, "z-from") < br_job_number(job, "z-to")))
    return bri_fail(err, BR_E_RANGE, "z-from = %s must be below z-to = %s", br_job_text(job, "z-from"),
                    br_job_text(job, "z-to"));
  if (!(br_job_number(job, "u-from") < br_job_number(job, "u-to")))
    return bri_fail(err, BR_E_RANGE, "u-from = %s must be below u-to = %s", br_job_text(job, "u-from"),
                    br_job_text(job, "u-to"));
  if (arrows > 1000000) return bri_fail(err, BR_E_RANGE, "nz * nu = %zu arrows: at most 1e6", arrows);
  return BR_OK;
}

const br_analysis bri_analysis_field = {
    .name = "field",
    .summary = "slopes of the first state against displacement, for both directions of motion",
    .method = "the model's own rate",
    .accuracy = "rounding",
    .text = "Gives dz/du of the first state on a grid of displacements and states, for motion forward "
            "(field) and backward (back) at 1 m/s; the other states are zero. Each arrow has two rows, its "
            "tail at the grid point and its head.\n\nJSON: {field: {u, z, slope, slope_min, slope_max}, "
            "back: {...}}.",
    .needs = BR_NEEDS_MODEL,
    .tables = "field",
    BRI_ROWS(OPTIONS, RESULTS),
    .picture = {PANELS, BRI_LENGTH(PANELS), .title = "Slopes of the state"},
    .examples = EXAMPLES,
    .check = check,
    .run = run,
};
