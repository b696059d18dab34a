/* SPDX-License-Identifier: Apache-2.0
 * foreign_hdf5.c - columns of an HDF5 file: vectors, matrices, tables of records; units from an attribute. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "bri_config.h"
#include "foreign.h"
#include "text/fail.h"

#if BR_WITH_HDF5
#include <hdf5.h>

enum { MOST_COLUMNS = 64 };

typedef struct {
  bri_foreign_set *set;
  int full;
} visit;

/* Attribute 'unit' or 'units' of a data set. */
static void unit_of(hid_t data, size_t size, char *unit)
{
  static const char *const NAMES[] = {"unit", "units"};
  unit[0] = '\0';
  for (int i = 0; i < 2 && !unit[0]; i++) {
    if (H5Aexists(data, NAMES[i]) <= 0) continue;
    const hid_t a = H5Aopen(data, NAMES[i], H5P_DEFAULT), type = a >= 0 ? H5Aget_type(a) : -1;
    if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0) {
      char *text = NULL;
      const hid_t as = H5Tcopy(H5T_C_S1);
      (void)H5Tset_size(as, H5T_VARIABLE);
      (void)H5Tset_cset(as, H5Tget_cset(type));
      if (H5Aread(a, as, &text) >= 0 && text) (void)snprintf(unit, size, "%s", text);
      (void)H5Tclose(as);
    } else if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tget_size(type) < 64) {
      char text[65] = "";
      if (H5Aread(a, type, text) >= 0) (void)snprintf(unit, size, "%.30s", text);
    }
    if (type >= 0) (void)H5Tclose(type);
    if (a >= 0) (void)H5Aclose(a);
  }
  if (strcmp(unit, "1") == 0) unit[0] = '\0';
}

static int is_number(hid_t type)
{
  const H5T_class_t c = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
  return c == H5T_INTEGER || c == H5T_FLOAT;
}

static void take_vector(visit *v, hid_t data, hid_t memory, const char *name, const char *unit, size_t rows)
{
  bri_foreign_column *c = bri_foreign_add(v->set, name, unit, rows);
  if (!c) v->full = 1;
  else if (H5Dread(data, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, c->x) < 0) {
    v->set->n--;
    bri_free(c->x);
  }
}

/* rows * columns, row by row; MATLAB writes them the other way round. */
static void take_matrix(visit *v, hid_t data, const char *name, const char *unit, size_t rows, size_t columns)
{
  const int turned = H5Aexists(data, "MATLAB_class") > 0;
  const size_t n = turned ? columns : rows, m = turned ? rows : columns;
  if (m > MOST_COLUMNS || n == 0 || m == 0 || n > 100000000 / m) return;
  double *all = bri_malloc_array(n * m, sizeof *all);
  if (!all || H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) < 0) {
    bri_free(all);
    return;
  }
  for (size_t j = 0; j < m && !v->full; j++) {
    char full[BRI_FOREIGN_NAME];
    (void)snprintf(full, sizeof full, "%.70s%zu", name, j + 1);
    bri_foreign_column *c = bri_foreign_add(v->set, full, unit, n);
    v->full = !c;
    for (size_t i = 0; c && i < n; i++) c->x[i] = turned ? all[j * n + i] : all[i * m + j];
  }
  bri_free(all);
}

/* A table of records: one column for each member that is a number. */
static void take_members(visit *v, hid_t data, hid_t type, size_t rows)
{
  const int n = H5Tget_nmembers(type);
  for (int i = 0; i < n && !v->full; i++) {
    char *name = H5Tget_member_name(type, (unsigned)i);
    const hid_t member = H5Tget_member_type(type, (unsigned)i);
    const hid_t memory = name && is_number(member) ? H5Tcreate(H5T_COMPOUND, sizeof(double)) : -1;
    if (memory >= 0 && H5Tinsert(memory, name, 0, H5T_NATIVE_DOUBLE) >= 0)
      take_vector(v, data, memory, name, NULL, rows);
    if (memory >= 0) (void)H5Tclose(memory);
    if (member >= 0) (void)H5Tclose(member);
    if (name) (void)H5free_memory(name);
  }
}

static void take(visit *v, hid_t data, const char *name)
{
  const hid_t type = H5Dget_type(data), space = H5Dget_space(data);
  hsize_t dims[2] = {0, 1};
  char unit[32];
  const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
  if ((rank == 1 || rank == 2) && H5Sget_simple_extent_dims(space, dims, NULL) >= 0) {
    unit_of(data, sizeof unit, unit);
    if (dims[0] > 100000000 || dims[1] > 100000000) v->full = 1;
    else if (is_number(type) && (rank == 1 || dims[0] == 1 || dims[1] == 1))
      take_vector(v, data, H5T_NATIVE_DOUBLE, name, unit, (size_t)(dims[0] * dims[1]));
    else if (is_number(type)) take_matrix(v, data, name, unit, (size_t)dims[0], (size_t)dims[1]);
    else if (rank == 1 && type >= 0 && H5Tget_class(type) == H5T_COMPOUND)
      take_members(v, data, type, (size_t)dims[0]);
  }
  if (space >= 0) (void)H5Sclose(space);
  if (type >= 0) (void)H5Tclose(type);
}

static herr_t on_object(hid_t root, const char *name, const H5O_info_t *info, void *ctx)
{
  visit *v = ctx;
  if (info->type != H5O_TYPE_DATASET) return 0;
  const hid_t data = H5Dopen2(root, name, H5P_DEFAULT);
  if (data < 0) return 0;
  take(v, data, name);
  (void)H5Dclose(data);
  return v->full;
}

br_status bri_foreign_hdf5(const char *path, bri_foreign_set *set, br_err *err)
{
  visit v = {set, 0};
  (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return bri_fail(err, BR_E_PARSE, "'%.80s' is no HDF5 file that can be read", path);
  const herr_t st = H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, on_object, &v);
  (void)H5Fclose(file);
  if (v.full)
    return bri_fail(err, BR_E_SIZE, "'%.80s' has more than %d columns or 100 million numbers", path,
                    (int)BRI_FOREIGN_COLUMNS);
  return st < 0 ? bri_fail(err, BR_E_PARSE, "'%.80s' is a damaged HDF5 file", path) : BR_OK;
}
#else
br_status bri_foreign_hdf5(const char *path, bri_foreign_set *set, br_err *err)
{
  (void)set;
  return bri_fail(err, BR_E_UNSUPPORTED, "'%.80s': no libhdf5 in this build", path);
}
#endif
