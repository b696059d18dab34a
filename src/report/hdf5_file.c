/* SPDX-License-Identifier: Apache-2.0
 * hdf5_file.c - a file driver of HDF5 that does not fail. */
#define _POSIX_C_SOURCE 200809L /* pread, pwrite */
#include "bri_config.h"

#if BR_WITH_HDF5
#include "report/hdf5_file.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "../base/alloc.h"

/* Read back over what is in the file, oldest first. */
typedef struct bri_hdf5_piece {
  struct bri_hdf5_piece *next;
  haddr_t at;
  size_t n;
  unsigned char bytes[];
} piece;

typedef bri_hdf5_disk file;

/* HDF5 opens a new file twice, one after the other. */
static H5FD_t *open_file(const char *name, unsigned flags, hid_t fapl, haddr_t most)
{
  file *const *of = H5Pget_driver_info(fapl);
  file *f = of ? *of : NULL;
  (void)name, (void)flags, (void)most;
  if (!f || f->in_use) return NULL;
  memset(&f->face, 0, sizeof f->face);
  f->in_use = 1;
  f->space = f->end = 0;
  f->kept = NULL;
  f->last = &f->kept;
  return &f->face;
}

static herr_t close_file(H5FD_t *face)
{
  file *f = (file *)face;
  while (f->kept) {
    piece *next = f->kept->next;
    bri_free(f->kept);
    f->kept = next;
  }
  f->in_use = 0;
  return 0;
}

static int compare(const H5FD_t *a, const H5FD_t *b) { return a < b ? -1 : a > b; }

/* Those of the driver that HDF5 uses for files, so that the file has the same bytes. */
static herr_t query(const H5FD_t *face, unsigned long *flags)
{
  (void)face;
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
#ifdef H5FD_FEAT_DEFAULT_VFD_COMPATIBLE
  *flags |= H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
#endif
  return 0;
}

static haddr_t get_space(const H5FD_t *face, H5FD_mem_t type)
{
  (void)type;
  return ((const file *)face)->space;
}

static herr_t set_space(H5FD_t *face, H5FD_mem_t type, haddr_t at)
{
  (void)type;
  ((file *)face)->space = at;
  return 0;
}

static haddr_t get_end(const H5FD_t *face, H5FD_mem_t type)
{
  (void)type;
  return ((const file *)face)->end;
}

static herr_t read_file(H5FD_t *face, H5FD_mem_t type, hid_t dxpl, haddr_t at, size_t n, void *to)
{
  file *f = (file *)face;
  unsigned char *bytes = to;
  size_t got = 0;
  (void)type, (void)dxpl;
  while (got < n) {
    const ssize_t k = pread(f->fd, bytes + got, n - got, (off_t)(at + got));
    if (k < 0 && errno == EINTR) continue;
    if (k < 0 && !f->why) f->why = errno ? errno : EIO;
    if (k <= 0) break;
    got += (size_t)k;
  }
  memset(bytes + got, 0, n - got); /* behind the end */
  for (const piece *p = f->kept; p; p = p->next) {
    const haddr_t from = p->at > at ? p->at : at, to_end = p->at + p->n, end = at + n;
    const haddr_t until = to_end < end ? to_end : end;
    if (from < until) memcpy(bytes + (from - at), p->bytes + (from - p->at), (size_t)(until - from));
  }
  return 0;
}

/* Without memory either, HDF5 is better off with a hole in a file that is given up than with an error. */
static void keep(file *f, haddr_t at, size_t n, const void *from)
{
  piece *p = n > SIZE_MAX - sizeof *p ? NULL : bri_malloc(sizeof *p + n);
  if (!p) return;
  p->next = NULL;
  p->at = at;
  p->n = n;
  memcpy(p->bytes, from, n);
  *f->last = p;
  f->last = &p->next;
}

static herr_t write_file(H5FD_t *face, H5FD_mem_t type, hid_t dxpl, haddr_t at, size_t n, const void *from)
{
  file *f = (file *)face;
  const unsigned char *bytes = from;
  size_t put = 0;
  (void)type, (void)dxpl;
  while (put < n && !f->why) {
    const ssize_t k = pwrite(f->fd, bytes + put, n - put, (off_t)(at + put));
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) f->why = k < 0 && errno ? errno : EIO;
    else put += (size_t)k;
  }
  if (at + n > f->end) f->end = at + n;
  if (put < n) keep(f, at + put, n - put, bytes + put);
  return 0;
}

static herr_t truncate_file(H5FD_t *face, hid_t dxpl, hbool_t closing)
{
  file *f = (file *)face;
  (void)dxpl, (void)closing;
  if (f->space != f->end && !f->why && ftruncate(f->fd, (off_t)f->space) != 0) f->why = errno ? errno : EIO;
  f->end = f->space;
  return 0;
}

static const H5FD_class_t CLASS = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)600, /* 512 and more are free for programs */
#endif
    .name = "bristle",
    .maxaddr = ((haddr_t)1 << (8 * sizeof(off_t) - 1)) - 1,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(file *),
    .open = open_file,
    .close = close_file,
    .cmp = compare,
    .query = query,
    .get_eoa = get_space,
    .set_eoa = set_space,
    .get_eof = get_end,
    .read = read_file,
    .write = write_file,
    .truncate = truncate_file,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t bri_hdf5_file_create(bri_hdf5_disk *disk, const char *name, hid_t fcpl)
{
  const hid_t driver = H5FDregister(&CLASS), fapl = H5Pcreate(H5P_FILE_ACCESS);
  hid_t out = -1;
  if (driver >= 0 && fapl >= 0 && H5Pset_driver(fapl, driver, (const void *)&disk) >= 0)
    out = H5Fcreate(name, H5F_ACC_TRUNC, fcpl, fapl);
  if (fapl >= 0) (void)H5Pclose(fapl);
  if (out >= 0) disk->driver = driver;
  else if (driver >= 0) (void)H5FDunregister(driver);
  return out;
}

/* The driver goes behind the file: HDF5's close calls it after it has dropped the file's own hold on it. */
int bri_hdf5_file_close(bri_hdf5_disk *disk, hid_t out)
{
  const hid_t driver = disk->driver;
  if (H5Fclose(out) < 0) return 0;
  (void)H5FDunregister(driver);
  return 1;
}
#else
typedef int bri_no_hdf5; /* C wants a declaration */
#endif
