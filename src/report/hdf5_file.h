/* SPDX-License-Identifier: Apache-2.0
 * hdf5_file.h - HDF5's own reads and writes on a descriptor of ours.  Only for builds with HDF5.
 * HDF5 cannot give up a file it failed to write: closing fails as well, and its exit handler then works on
 * what is left and crashes.  So it never learns of a failure: after the first one its writes go to memory
 * until it has closed the file, and `why` says that the file is worth nothing.  The caller looks at it after
 * every call and closes soon, so that little is kept. */
#ifndef BRI_REPORT_HDF5_FILE_H
#define BRI_REPORT_HDF5_FILE_H
#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

struct bri_hdf5_piece;
typedef struct {
  H5FD_t face; /* HDF5's part, first */
  int fd;      /* open for reading and writing, empty; stays open */
  int why;     /* errno of the first failure; 0: none */
  int in_use;
  hid_t driver;                        /* of this file */
  haddr_t space, end;                  /* what HDF5 has taken; what it has written */
  struct bri_hdf5_piece *kept, **last; /* what could not be written any more */
} bri_hdf5_disk;

/* A new HDF5 file on a zeroed *disk with fd set; *disk stays where it is until it is closed.  Negative: it
 * failed. */
hid_t bri_hdf5_file_create(bri_hdf5_disk *disk, const char *name, hid_t fcpl);
/* 1: HDF5 has let go of the file and of *disk. */
int bri_hdf5_file_close(bri_hdf5_disk *disk, hid_t out);

#endif
