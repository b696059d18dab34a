/* SPDX-License-Identifier: Apache-2.0
 * system.h - the run-time face of a mechanism.
 *
 * A mechanism is written once, as a kernel header under systems/.  It knows nothing of friction models: it
 * has one or more contacts, says how the relative motion (u, v) of each contact follows from its states, and
 * how the contact forces enter its equations.  Any friction model may sit in a contact.  Users' own
 * mechanisms are the same struct filled by hand and passed by address (examples/mechanism.c).
 *
 * Units: SI.  Alloc: none.  Threads: a br_system and a prepared parameter block are read-only and may be
 * shared. Sign: a contact force F > 0 opposes v > 0. */
#ifndef BR_SYSTEM_H
#define BR_SYSTEM_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/model.h"
#include "bristle/status.h"
BR_C_BEGIN

enum {
  BR_SYSTEM_LINEAR =
      1, /* rate is affine in states, inputs and forces: matrices are taken once.  Without it rate may
                         * depend on the states in any way; motion, and how forces enter, are always affine */
  BR_SYSTEM_FREE =
      2, /* no state holds the contact position: the solver integrates u' = v where a model asks */
  BR_SYSTEM_GIVEN = 4, /* contact motion is prescribed by the input */
  BR_SYSTEM_ROTARY = 8 /* forces are torques and positions angles */
};

/* An input: a number held constant (def unless set) or driven by a signal. */
typedef struct {
  const char *name, *unit, *doc;
  double def;
} br_system_input;

/* Something shown that the equations let fall below what they are true for: a cable that pushes. */
typedef struct {
  const char *name; /* of the row of `shown` */
  double least;
  const char *text; /* what it means */
} br_system_limit;

/* Required in a mechanism of one's own: name, axes, nstate, ncontact, motion, rate; show with nshown; rows
 * where their count is not 0.  Everything else may be NULL or 0 (power: needed for energies only).  Checked
 * like a model's, see bristle/model.h.
 * Functions over a parameter block `par` (double[slots]).  w and dw: inputs and their rates; q: states;
 * u, v, F: [contact][axis].  All arrays are owned by the caller. */
typedef struct br_system {
  const char *name, *title;
  unsigned flags; /* BR_SYSTEM_* */
  int axes;       /* axes of every contact: 1 or 2 */
  const br_param *params;
  size_t nparam, slots; /* slots: numbers in a parameter block, derived ones included */
  const br_system_input *inputs;
  size_t ninput;
  const br_state *states; /* mechanism states; a row with max_len > 1 stands for name1, name2, ... */
  size_t nrows, nq;       /* rows of `states`; largest number of mechanism states */
  size_t max_contact;     /* largest number of contacts */
  const br_state *shown;  /* quantities that are not states but are reported as such (prescribed u, v) */
  size_t nshown;

  void (*defaults)(void *par);
  br_status (*check)(const void *par, br_err *err);
  void (*prepare)(void *par);
  size_t (*nstate)(const void *par);               /* mechanism states in use */
  size_t (*ncontact)(const void *par);             /* contacts in use */
  double (*load)(const void *par, size_t contact); /* normal-load factor of a contact; NULL: 1 */
  void (*motion)(const void *par, const double *w, const double *dw, const double *q, double *u, double *v);
  void (*rate)(const void *par, const double *w, const double *dw, const double *q, const double *F,
               double *dq);
  double (*energy)(const void *par, const double *q); /* J stored; NULL: none */
  double (*power)(const void *par, const double *w, const double *dw, const double *q,
                  const double *F);                 /* W in */
  double (*loss)(const void *par, const double *q); /* W lost in dampers; NULL: 0 */
  void (*show)(const void *par, const double *w, const double *dw, const double *q, double *out);
  /* A mechanism that is not affine gives d rate / d q there, row major nstate*nstate; F may be stale, so a
   * mechanism with slopes must be affine in F, and its motion affine in q.  NULL: affine. */
  void (*slopes)(const void *par, const double *w, const double *dw, const double *q, const double *F,
                 double *A);
  const br_system_limit *limits; /* what is shown should not fall below these; NULL: none */
  size_t nlimits;
  /* For mechanisms made at run time (bristle/mechanism.h); all may be NULL or 0. */
  const double *initial; /* [slots] the block with the defaults, where defaults is NULL */
  double (*stored)(const void *par, const double *w, const double *dw,
                   const double *q); /* as energy, where the inputs count too */
  double (*lost)(const void *par, const double *w, const double *dw, const double *q); /* as loss, likewise */
  /* Where rate has a kink in the states: functions that pass zero there, which the solver locates. */
  size_t (*nkink)(const void *par);
  void (*kinks)(const void *par, const double *w, const double *dw, const double *q, double *g);
  size_t clock; /* 1 + index of the input that is the time itself; 0: none */
  const unsigned char
      *turns; /* [max_contact] 1: this contact turns, where some do and some slide; NULL: as the flag says */
  /* A mechanism alone (br_plant_create_alone()): velocity below which its own rates change, m/s; 0 or NULL:
   * none. */
  double (*scale)(const void *par, size_t contact);
} br_system;

/* All built-in mechanisms, in the order of systems/systems.def; *count receives their number. */
BR_API const br_system *const *br_systems(size_t *count);
/* Find a built-in mechanism by name; NULL when unknown. */
BR_API const br_system *br_system_find(const char *name);

BR_C_END
#endif
