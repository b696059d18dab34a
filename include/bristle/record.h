/* SPDX-License-Identifier: Apache-2.0
 * record.h - measured records: a file, the columns that are wanted of it, and what was done to them.
 *
 * One reader for every command.  A record is a CSV file (separator, decimal mark, header and units are
 * found), a MATLAB .mat file or an HDF5 file.  Columns are chosen by role: the caller says a name (with or
 * without its unit), a number counted from 1, or nothing; then the unit decides, and the usual names where
 * units do not.  Dimensions are checked, gaps are named and refused above a limit, and every choice and every
 * repair is one line of the notes.  Steps behind the file name change the record:
 * "run.csv|window:1s:9s|offset:-3mm|lowpass:20Hz".
 *
 * Units: everything that comes out is SI.  Alloc: br_record_load().  Threads: a record never changes after
 * loading. */
#ifndef BR_RECORD_H
#define BR_RECORD_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/status.h"
#include "bristle/table.h"
BR_C_BEGIN

typedef enum {
  BR_ROLE_TIME,
  BR_ROLE_POSITION,
  BR_ROLE_VELOCITY,
  BR_ROLE_ACCELERATION,
  BR_ROLE_FORCE,
  BR_ROLE_LOAD,
  BR_ROLES
} br_role;
enum { BR_RECORD_CHANNELS = 12 }; /* most columns of one record */

/* What is wanted: one column for each channel. */
typedef struct {
  const char *what;   /* what messages call it: "position" */
  const char *unit;   /* SI unit of what is needed; NULL: any */
  int rotary;         /* 1: rad for m and N m for N are as good */
  const char *names;  /* usual names, best first: "x|u|position"; NULL: none */
  const char *column; /* name, "x_mm", or number from 1; NULL or "": choose; "-": none */
  int optional;       /* 1: no error where no column fits; it is not there then */
} br_channel;
/* The usual row of a role: what, unit, names; column NULL; optional 0; rotary 1. */
BR_API br_channel br_channel_of(br_role role);

typedef struct {
  char decimal;     /* '.', ',' or 0: detect (default) */
  double gap_limit; /* s (rows where there is no time): longer gaps are refused; 0: see below (default) */
  int no_steps;     /* 1: a bar belongs to the file name; default 0 */
  size_t main; /* channel that "scale:2" and "offset:3" mean where several are loaded; 0: they must name it */
} br_record_options;
BR_API br_record_options br_record_options_default(void);
/* Gaps are missing cells and pauses of more than 3 usual intervals between two rows.  The limit is the
 * hundredth part of the record, at least 10 usual intervals; the step "gaps:2s" sets another.  What is no
 * longer is bridged by a straight line and noted; rows with the time of the row before are merged to their
 * mean and noted; time that runs back is refused. */

typedef struct br_record br_record;

/* Load.  channels[0] must be the time (column "-": a record without time, in the order of its rows), n <=
 * BR_RECORD_CHANNELS. text: FILE or FILE|STEP|...; a time channel that is optional is absent where no column
 * fits.  Returns BR_OK; BR_E_IO; BR_E_PARSE; BR_E_NAME (with the columns there are); BR_E_UNIT-like faults as
 * BR_E_PARSE naming column, unit, needed unit and the columns that fit; BR_E_RANGE (a gap beyond the limit,
 * time that runs back, an empty window); BR_E_UNSUPPORTED (.mat or HDF5 without the library); BR_E_NOMEM.
 * *out is NULL on error. */
BR_TRY br_status br_record_load(const char *text, const br_channel *channels, size_t n,
                                const br_record_options *opt, br_record **out, br_err *err);
/* The same of bytes in memory that hold a CSV file; name: what messages call it, and its steps. */
BR_TRY br_status br_record_load_memory(const char *bytes, size_t size, const char *name,
                                       const br_channel *channels, size_t n, const br_record_options *opt,
                                       br_record **out, br_err *err);
BR_API void br_record_destroy(br_record *record); /* NULL is fine */

BR_API size_t br_record_rows(const br_record *record);
BR_API size_t br_record_columns(const br_record *record); /* that the file has */
/* Has it a time?  Without one channel 0 holds the numbers of the rows, from 0. */
BR_API int br_record_timed(const br_record *record);
/* Usual interval of the file, s; 0 without time. */
BR_API double br_record_dt(const br_record *record);
/* br_record_rows() numbers in SI, all finite; NULL where an optional channel is absent. */
BR_API const double *br_record_data(const br_record *record, size_t channel);
/* Name of the column, and its unit as written ("" where none); NULL where absent. */
BR_API const char *br_record_name(const br_record *record, size_t channel);
BR_API const char *br_record_unit(const br_record *record, size_t channel);
/* What was chosen, found and done, one line each, for 'data' of a result; NULL behind the last. */
BR_API const char *br_record_note(const br_record *record, size_t i);

/* Choose columns of a loaded table: index[k] of channels[k], -1 where absent.  notes (may be NULL) is told
 * each choice that no unit has made. */
BR_TRY br_status br_columns_choose(const br_table *table, const char *label, const br_channel *channels,
                                   size_t n, int *index, void (*note)(void *ctx, const char *text), void *ctx,
                                   br_err *err);

/* One line for each step of the grammar, for help texts; i from 0, NULL behind the last. */
typedef struct {
  const char *name;    /* "lowpass" */
  const char *grammar; /* "lowpass:20Hz" */
  const char *doc;
} br_record_step;
BR_API const br_record_step *br_record_steps(size_t i);

BR_C_END
#endif
