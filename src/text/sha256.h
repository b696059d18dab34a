/* SPDX-License-Identifier: Apache-2.0
 * sha256.h - checksums of texts and files (FIPS 180-4), as 64 digits. */
#ifndef BRI_TEXT_SHA256_H
#define BRI_TEXT_SHA256_H
#include <stddef.h>

#include "bristle/status.h"

enum { BRI_SHA_TEXT = 65 };
void bri_sha256_text(const void *data, size_t n, char hex[BRI_SHA_TEXT]);
BR_CHECKED br_status bri_sha256_file(const char *path, char hex[BRI_SHA_TEXT], br_err *err);

#endif
