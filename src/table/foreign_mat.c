/* SPDX-License-Identifier: Apache-2.0
 * foreign_mat.c - columns of a MATLAB file (version 5 to 7): vectors, matrices, fields of structures. */
#include <stdio.h>

#include "bri_config.h"
#include "foreign.h"
#include "text/fail.h"

#if BR_WITH_MATIO
#include <matio.h>

enum { DEPTH = 4, MOST_COLUMNS = 64 };

static double number(const matvar_t *v, size_t i)
{
  switch (v->data_type) {
  case MAT_T_DOUBLE: return ((const double *)v->data)[i];
  case MAT_T_SINGLE: return (double)((const float *)v->data)[i];
  case MAT_T_INT8: return (double)((const mat_int8_t *)v->data)[i];
  case MAT_T_UINT8: return (double)((const mat_uint8_t *)v->data)[i];
  case MAT_T_INT16: return (double)((const mat_int16_t *)v->data)[i];
  case MAT_T_UINT16: return (double)((const mat_uint16_t *)v->data)[i];
  case MAT_T_INT32: return (double)((const mat_int32_t *)v->data)[i];
  case MAT_T_UINT32: return (double)((const mat_uint32_t *)v->data)[i];
  case MAT_T_INT64: return (double)((const mat_int64_t *)v->data)[i];
  case MAT_T_UINT64: return (double)((const mat_uint64_t *)v->data)[i];
  default: return 0;
  }
}

static int numeric(const matvar_t *v)
{
  return v->class_type >= MAT_C_DOUBLE && v->class_type <= MAT_C_UINT64 && !v->isComplex && v->rank == 2 &&
         v->data && v->dims && v->data_size > 0 && v->dims[0] > 0 && v->dims[1] > 0;
}

static int take(const matvar_t *v, const char *name, bri_foreign_set *set)
{
  const size_t rows = v->dims[0] == 1 ? v->dims[1] : v->dims[0], columns = v->dims[0] == 1 ? 1 : v->dims[1];
  if (columns > MOST_COLUMNS || rows > v->nbytes / (size_t)v->data_size / columns) return 1;
  for (size_t j = 0; j < columns; j++) {
    char full[BRI_FOREIGN_NAME];
    if (columns > 1) (void)snprintf(full, sizeof full, "%.100s%zu", name, j + 1);
    else (void)snprintf(full, sizeof full, "%.118s", name);
    bri_foreign_column *c = bri_foreign_add(set, full, NULL, rows);
    if (!c) return 0;
    for (size_t i = 0; i < rows; i++) c->x[i] = number(v, j * rows + i);
  }
  return 1;
}

static int walk(matvar_t *v, const char *name, int depth, bri_foreign_set *set)
{
  if (numeric(v)) return take(v, name, set);
  if (v->class_type != MAT_C_STRUCT || depth >= DEPTH) return 1;
  const unsigned n = Mat_VarGetNumberOfFields(v);
  char *const *names = Mat_VarGetStructFieldnames(v);
  for (unsigned i = 0; names && i < n && i < BRI_FOREIGN_COLUMNS; i++) {
    char full[BRI_FOREIGN_NAME];
    matvar_t *field = Mat_VarGetStructFieldByIndex(v, i, 0);
    (void)snprintf(full, sizeof full, "%.58s.%.58s", name, names[i]);
    if (field && !walk(field, full, depth + 1, set)) return 0;
  }
  return 1;
}

br_status bri_foreign_mat(const char *path, bri_foreign_set *set, br_err *err)
{
  mat_t *file = Mat_Open(path, MAT_ACC_RDONLY);
  matvar_t *v = NULL;
  int room = 1;
  if (!file) return bri_fail(err, BR_E_PARSE, "'%.80s' is no .mat file that libmatio can read", path);
  while (room && (v = Mat_VarReadNext(file)) != NULL) {
    room = walk(v, v->name ? v->name : "", 0, set);
    Mat_VarFree(v);
  }
  (void)Mat_Close(file);
  return room ? BR_OK
              : bri_fail(err, BR_E_SIZE, "'%.80s' has more than %d columns or 100 million numbers", path,
                         (int)BRI_FOREIGN_COLUMNS);
}
#else
br_status bri_foreign_mat(const char *path, bri_foreign_set *set, br_err *err)
{
  (void)set;
  return bri_fail(err, BR_E_UNSUPPORTED, "'%.80s': no libmatio in this build", path);
}
#endif
