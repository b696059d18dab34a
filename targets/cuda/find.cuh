/* SPDX-License-Identifier: Apache-2.0
 * find.cuh - visitor: the kernel of a model by its name. */
if (strcmp(model, LANE_TEXT(BR_MODEL)) == 0) return BR_M(card_kernel)(special, measures, driven);
