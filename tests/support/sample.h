/* SPDX-License-Identifier: Apache-2.0
 * sample.h - random but valid parameters and motions for any model, for tests of properties. */
#ifndef SUPPORT_SAMPLE_H
#define SUPPORT_SAMPLE_H
#include "support/motion.h"
#include "support/rng.h"

/* An element of the model with random parameters that pass check(), prepared, at rest.  Values lie within a
 * factor of two of the defaults; whatever would break a range or a rule keeps its default. */
void sample_element(motion *q, const char *model, rng *r);

/* Own scales of the element: the displacement from rest at which its stiffness has halved, m (1 for static
 * maps), and a velocity at which its rate dependence shows, m/s. */
double sample_length(const motion *q);
double sample_speed(const motion *q);

/* One leg of a random walk: velocity (about `speed`, in a random direction of the model's axes) and
 * duration. */
double sample_leg(const motion *q, rng *r, double length, double speed, double *v);

#endif
