/* SPDX-License-Identifier: Apache-2.0
 * motion_thin.c - a record with fewer samples, for the long part of a search.  An input that is held keeps
 * its impulse: what acted between two samples that are kept is replaced by its mean over time. */

#include "base/alloc.h"
#include "motion.h"
#include "text/fail.h"

/* Mean over time of a column from sample a to sample b. */
static double mean(const bri_motion_data *d, const double *w, size_t a, size_t b)
{
  double sum = 0;
  for (size_t k = a; k < b; k++) sum += (d->t[k + 1] - d->t[k]) * (d->hold ? w[k] : 0.5 * (w[k] + w[k + 1]));
  return sum / (d->t[b] - d->t[a]);
}

br_status bri_motion_thin(const bri_motion_data *d, const size_t part[2], size_t stride, bri_motion_data *out,
                          br_err *err)
{
  const size_t n = (part[1] - 1 - part[0]) / stride + 1, columns = 1 + d->ninput + d->nchannel;
  *out = *d;
  out->n = n, out->own = bri_malloc_array(n, columns * sizeof(double));
  if (!out->own) return bri_no_memory(err, "fit");
  double *t = out->own, *w = t + n, *y = w + d->ninput * n;
  for (size_t k = 0; k < n; k++) t[k] = d->t[part[0] + k * stride];
  for (size_t i = 0; i < d->ninput; i++, w += n) {
    if (!d->inputs[i]) continue;
    out->inputs[i] = w;
    for (size_t k = 0; k < n; k++) { /* held: from here to the next; straight: around it */
      const size_t at = part[0] + k * stride, half = d->hold ? 0 : stride / 2, end = at + stride - half;
      const size_t a = at > part[0] + half ? at - half : part[0], b = end < part[1] ? end : part[1] - 1;
      w[k] = b > a ? mean(d, d->inputs[i], a, b) : d->inputs[i][at];
    }
  }
  for (size_t c = 0; c < d->nchannel; c++, y += n) {
    out->channel[c].y = y;
    for (size_t k = 0; k < n; k++) y[k] = d->channel[c].y[part[0] + k * stride];
  }
  out->t = t;
  return BR_OK;
}
