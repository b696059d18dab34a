/* SPDX-License-Identifier: Apache-2.0
 * card.h - ensembles on a GPU, where there is one.  Internal. */
#ifndef BRI_LANES_CARD_H
#define BRI_LANES_CARD_H
#include "device.h"
#include "run.h"

/* The library and how many cards it finds; NULL and why not. */
const bri_card *bri_card_here(int *cards, size_t size, char *why);
/* Members first.. of a run whose card is set, on the next card in turn.  Also BR_E_IO: the card failed. */
BR_CHECKED br_status bri_card_piece(const bri_lane_run *r, size_t first, size_t n, size_t *tries,
                                    br_err *err);

#endif
