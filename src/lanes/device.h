/* SPDX-License-Identifier: Apache-2.0
 * device.h - what libbristle_cuda.so offers: lanes of ensembles on the cards of this machine.  The program
 * loads it at run time (src/lanes/card.c), so that one program serves machines with and without a GPU. */
#ifndef BRI_CUDA_DEVICE_H
#define BRI_CUDA_DEVICE_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

/* A row of core/lane.h's block is one number of a lane.  Rows of an answer, in this order. */
enum {
  BRI_CARD_OVER,
  BRI_CARD_T,
  BRI_CARD_REVERSALS,
  BRI_CARD_STICKS,
  BRI_CARD_RESTED,
  BRI_CARD_STEPS,
  BRI_CARD_TRIES,
  BRI_CARD_RETURNS,
  BRI_CARD_FIRST,
  BRI_CARD_LAST,
  BRI_CARD_NEAREST,
  BRI_CARD_FARTHEST,
  BRI_CARD_Y,
  BRI_CARD_LO = BRI_CARD_Y + 4,
  BRI_CARD_HI = BRI_CARD_LO + 4,
  BRI_CARD_ROWS = BRI_CARD_HI + 4
};
enum { BRI_CARD_VERSION = 3 };

typedef struct {
  const char *model;             /* and case of its assume() */
  int special, measures, single; /* single: in f32 */
  size_t members;
  const double *base; /* [rows + count] the lane that all members start from, its elements behind it, */
  const short *place; /* [rows + count] where they differ: row of `in`, else -1 */
  const double *in;   /* [n_in][members] */
  size_t n_in;
  double rtol, most_tries, watched; /* as in core/lane.h */
  int fixed, driven;
  size_t count;                 /* elements, 0: none; */
  const double *spring, *limit; /* [count], */
  double *ends;                 /* [count][members] their deflections in the end */
  double *out;                  /* [BRI_CARD_ROWS][members] */
} bri_card_work;

typedef struct {
  int version;
  size_t rows; /* of a lane: both sides were built from the same headers */
  /* How many cards there are; 0 and why not. */
  int (*count)(size_t size, char *why);
  void (*name)(int card, size_t size, char *name);
  /* Run a piece of an ensemble on the next card in turn; calls from several threads work side by side.  0, or
   * 1 and why not. */
  int (*run)(const bri_card_work *w, size_t size, char *why);
} bri_card;

/* The one symbol of the library. */
const bri_card *bri_card_open(void);
#define BRI_CARD_SYMBOL "bri_card_open"

#ifdef __cplusplus
}
#endif
#endif
