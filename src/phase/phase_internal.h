/* SPDX-License-Identifier: Apache-2.0
 * phase_internal.h - the analysis object and the parameters it may vary. */
#ifndef BRI_PHASE_INTERNAL_H
#define BRI_PHASE_INTERNAL_H
#include "branch.h"
#include "bristle/phase.h"

enum { BRI_EVENTS = 64, BRI_NOTES = 6, BRI_NOTE = 160 };

struct br_phase {
  br_phase_problem problem;
  bri_plane p; /* F >= 0: mirrored */
  double sign; /* of F: multiplies v and z */
  int vary;    /* index for bri_plane_vary */
  int local;   /* made by br_phase_create_local() */
  double a, b;
  bri_line line; /* at the problem's own values */
  br_phase_event event[BRI_EVENTS];
  size_t nevent, nnote;
  char note[BRI_NOTES][BRI_NOTE];
};

/* Parameters by name: index for bri_plane_vary, or -1 with a message. */
enum { BRI_VARY_SIGMA1 = 1 };
int bri_vary_find(const br_model *m, const char *name, br_err *err);
/* Is x allowed for that parameter? */
br_status bri_vary_check(const br_model *m, const bri_plane *p, int which, double x, br_err *err);
const char *bri_vary_name(int which);
void bri_vary_set(bri_plane *p, int which, double x);

/* The plane at a value of the varied parameter, and the sign of its force. */
br_status bri_plane_at(const br_phase *ph, double value, bri_plane *p, double *sign, br_err *err);
void bri_event_add(br_phase *ph, br_phase_event e);
void bri_phase_note_add(br_phase *ph, const char *format, ...) __attribute__((format(printf, 2, 3)));
br_phase_event bri_event_new(br_phase_event_type type, double value);
void bri_loop_text(const bri_section *s, size_t size, char *text);

/* Events of ph->line, entered into ph. */
void bri_events_along_sigma1(br_phase *ph);
/* Events along any parameter but sigma1; folds of equilibria among them. */
void bri_scan_events(br_phase *ph);
void bri_scan_folds(br_phase *ph);
void bri_scan_hopf(br_phase *ph);

/* Folds that were missed or that rounding made, by the number of cycles between events. */
void bri_audit(br_phase *ph);

/* All events along sigma1 = a..b with parameter `which` at y (curves.c); out: BRI_EVENTS. */
BR_CHECKED br_status bri_phase_slice(const bri_plane *p, int which, double y, double a, double b,
                                     br_phase_event *out, size_t *n, br_err *err);

#endif
