/* SPDX-License-Identifier: Apache-2.0
 * turned.h - units of the same quantities in rotation. */
#ifndef BRI_TABLE_TURNED_H
#define BRI_TABLE_TURNED_H

/* The unit of the same quantity in rotation: rad for m, N m for N; any other as it is.  unit may be NULL. */
const char *bri_unit_turned(const char *unit);

#endif
