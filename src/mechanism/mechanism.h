/* SPDX-License-Identifier: Apache-2.0
 * mechanism.h - what the files of this room share: the text as lists (a draft), and the program it becomes.
 *
 * The program lies in the parameter block of the mechanism, as numbers: a block may be copied, varied and
 * shared like that of any compiled mechanism, and holds no pointers.  Block: [0] place of the head, [1..np]
 * parameters, values (formulas of the parameters, computed by prepare()), the head, records, tapes. */
#ifndef BRI_MECHANISM_H
#define BRI_MECHANISM_H
#include "bristle/mechanism.h"
#include "bristle/param.h"
#include "bristle/unit.h"
#include "yaml/node.h"

enum {
  BRI_MECH_BODIES = 4096,
  BRI_MECH_ELEMENTS = 16384,
  BRI_MECH_CONTACTS = 4096,
  BRI_MECH_INPUTS = 8,
  BRI_MECH_PARAMETERS = 256,
  BRI_MECH_STATES = 64,
  BRI_MECH_OUTPUTS = 64,
  BRI_MECH_NAME = 32,
  BRI_MECH_VARS = 32 /* of one formula */
};

/* ---- the program ---- */
enum { /* the head */
       HEAD_NP,
       HEAD_NVAL,
       HEAD_VAL,
       HEAD_TAPES, /* values: tape offset and length each */
       HEAD_NX,
       HEAD_ND,
       HEAD_NS,
       HEAD_NW,
       HEAD_NBODY,
       HEAD_BODY,
       HEAD_POS,  /* [nx] body, reference */
       HEAD_MASS, /* [nd] 1 / effective mass, made by prepare() */
       HEAD_NELEM,
       HEAD_ELEM,
       HEAD_NCONTACT,
       HEAD_CONTACT,
       HEAD_NFORM,
       HEAD_FORM,
       HEAD_STATE, /* [ns] formula of the rate, of energy, power, loss (-1: none) */
       HEAD_NOUT,
       HEAD_OUT, /* formula of each output */
       HEAD_NKINK,
       HEAD_SIZE
};
enum { BODY_X, BODY_V, BODY_RATIO, BODY_INPUT, BODY_MOVED, BODY_MASS, BODY_SIZE };
enum { MOVED_NOT, MOVED_POSITION, MOVED_VELOCITY };
enum { ELEM_KIND, ELEM_A, ELEM_B, ELEM_P0, ELEM_P1, ELEM_P2, ELEM_P3, ELEM_SIZE };
typedef enum {
  ELEM_SPRING,   /* stiffness, damping, preload, rest: k (e - e0) + c e' + F0 */
  ELEM_GAP,      /* low, high, stiffness, damping: nothing in between, k d (1 + c d') at depth d */
  ELEM_PENDULUM, /* m g l: -m g l sin x */
  ELEM_CONSTANT, /* force on a */
  ELEM_FORCE     /* formula, book: on a, and against b */
} elem_kind;
enum { BOOK_IN, BOOK_INTERNAL, BOOK_LOST };
enum { CONTACT_A, CONTACT_B, CONTACT_LOAD, CONTACT_SIZE };
enum { FORM_TAPE, FORM_LEN, FORM_NVAR, FORM_VARS, FORM_SIZE }; /* vars: kind, index each */
enum { VAR_PARAMETER, VAR_INPUT, VAR_X, VAR_V, VAR_STATE, VAR_STRETCH };

/* run.c: the functions of the system. */
void bri_mech_prepare(void *par);
br_status bri_mech_check(const void *par, br_err *err);
size_t bri_mech_nstate(const void *par);
size_t bri_mech_ncontact(const void *par);
double bri_mech_load(const void *par, size_t contact);
void bri_mech_motion(const void *par, const double *w, const double *dw, const double *q, double *u,
                     double *v);
void bri_mech_rate(const void *par, const double *w, const double *dw, const double *q, const double *F,
                   double *dq);
void bri_mech_slopes(const void *par, const double *w, const double *dw, const double *q, const double *F,
                     double *A);
size_t bri_mech_nkink(const void *par);
void bri_mech_kinks(const void *par, const double *w, const double *dw, const double *q, double *g);
/* book.c */
double bri_mech_energy(const void *par, const double *w, const double *dw, const double *q);
double bri_mech_power(const void *par, const double *w, const double *dw, const double *q, const double *F);
double bri_mech_loss(const void *par, const double *w, const double *dw, const double *q);
void bri_mech_show(const void *par, const double *w, const double *dw, const double *q, double *out);

/* What both know of the block. */
typedef struct {
  const double *par, *head, *val;
} program;
/* A place in it; by way of a signed number, which is one instruction. */
static inline size_t bri_mech_at(double place) { return (size_t)(ptrdiff_t)place; }
static inline program bri_mech_program(const void *par)
{
  const double *p = (const double *)par, *head = p + bri_mech_at(p[0]);
  const program g = {p, head, p + bri_mech_at(head[HEAD_VAL])};
  return g;
}
static inline size_t bri_mech_count(program g, int field) { return bri_mech_at(g.head[field]); }
static inline const double *bri_mech_list(program g, int field) { return g.par + bri_mech_at(g.head[field]); }
static inline double bri_mech_value(program g, double slot, double other)
{
  return slot < 0 ? other : g.val[bri_mech_at(slot)];
}
double bri_mech_x(program g, const double *body, const double *w, const double *q);
double bri_mech_v(program g, const double *body, const double *w, const double *dw, const double *q);
/* Value of formula number f; slope (may be NULL): [nvar] derivatives. */
double bri_mech_formula(program g, double f, const double *w, const double *dw, const double *q,
                        double *slope);

/* ---- the draft ---- */
typedef struct {
  char name[BRI_MECH_NAME];
  const bri_node *node;
} named;

typedef struct {
  char name[BRI_MECH_NAME], x[2 * BRI_MECH_NAME], v[2 * BRI_MECH_NAME];
  const bri_node *node;
  int rotary, fixed, moved, input; /* input: of a moved one */
  int mass, ratio;                 /* value slots, -1: none */
  int follows;                     /* body, -1: none */
  int root, joined;                /* layout.c: component */
  int jx, jv;                      /* states, -1: none */
} draft_body;

typedef struct {
  char name[BRI_MECH_NAME];
  elem_kind kind;
  int a, b, p[4]; /* bodies (-1: none), values or formula */
  const bri_node *node;
} draft_elem;

typedef struct {
  int a, b, load;
  char name[BRI_MECH_NAME];
  const bri_node *item;
  int again; /* 1: the same entry of the text as the one before */
} draft_contact;

typedef struct {
  char name[BRI_MECH_NAME], unit[24], doc[96];
  double value;
  br_unit dim;
  int has_unit;
} draft_row; /* parameters, inputs */

typedef struct {
  char name[BRI_MECH_NAME], unit[24];
  const bri_node *node;
  int form[4]; /* rate, energy, power, loss; of an output the first */
} draft_state;

typedef struct {
  double *at; /* numbers: tapes */
  size_t n, room;
} numbers;

typedef struct {
  size_t tape, len;
  int nvar, var[BRI_MECH_VARS][2];
} draft_form;

typedef struct {
  size_t tape, len;
  const char *text;
} draft_value;

typedef struct {
  bri_arena *arena;
  bri_notes notes;
  int nomem;
  char name[64], title[160], model[64];
  bri_buf set;
  draft_row *params, *inputs;
  draft_body *bodies;
  draft_elem *elems;
  draft_contact *contacts;
  draft_state *states, *outputs;
  draft_form *forms;
  draft_value *values;
  size_t nparam, ninput, nbody, nelem, ncontact, nstate, noutput, nform, nvalue;
  size_t room_params, room_inputs, room_bodies, room_elems, room_contacts, room_states, room_outputs,
      room_forms, room_values;
  numbers tapes;
  bri_buf param_names, var_names;
  int clock;     /* input that is the time, -1: none */
  size_t nx, nd; /* layout.c */
  int *pos;      /* [2 nx] body, reference */
  int free, curved;
} draft;

#define BRI_MECH_NOTE(d, n, ...) bri_note(&(d)->notes, (n)->at, __VA_ARGS__)
/* Room for one more in list d->what: a pointer to it, zeroed, or NULL (d->nomem). */
#define BRI_MECH_ADD(d, list, count, room) \
  bri_mech_add(d, (void **)&(d)->list, &(d)->count, &(d)->room, sizeof *(d)->list)
void *bri_mech_add(draft *d, void **list, size_t *n, size_t *room, size_t size);

/* read.c: the section to a draft. */
void bri_mech_read(draft *d, const bri_node *section);
/* items.c: connections. */
void bri_mech_connection(draft *d, const bri_node *item);
int bri_mech_ends(draft *d, const bri_node *n, int *a, int *b); /* between: [BODY, BODY]; 0 after a note */
/* contacts.c: each contact; then, when all are read, the model and the numbers of all.  all: what `set` of
 * the section says. */
void bri_mech_contact(draft *d, const bri_node *item);
void bri_mech_models(draft *d, const bri_node *all);
int bri_mech_body(const draft *d, const char *name); /* -1: none */
/* repeat.c: a copy of an item for one number: {i}, {i+1}, {i-1} in its texts are replaced; NULL: out of
 * memory. */
bri_node *bri_mech_numbered(draft *d, const bri_node *n, long i);
int bri_mech_repeat(draft *d, const bri_node *item, long *from, long *to); /* 0 after a note */

/* value.c */
int bri_mech_good_name(draft *d, const bri_node *at, const char *name, const char *what);
/* A formula of the parameters, or a number with a unit; returns its slot, -1 after a note.  unit: what it
 * needs. */
int bri_mech_value_of(draft *d, const bri_node *n, const char *unit, int rotary);
/* A formula of parameters, inputs, states and t; returns its number, -1 after a note. */
int bri_mech_formula_of(draft *d, const bri_node *n);
int bri_mech_quantity(draft *d, const bri_node *n, draft_row *row);

/* layout.c: which states there are.  0 when out of memory. */
int bri_mech_layout(draft *d);
/* pack.c: the draft to a system. */
br_status bri_mech_pack(draft *d, br_mechanism *m, br_err *err);

struct br_mechanism {
  br_system sys;
  double *block;
  br_param *rows;
  br_system_input *inputs;
  br_state *states, *shown;
  unsigned char *turns; /* [ncontact] */
  draft d;              /* names and texts live here */
};

#endif
