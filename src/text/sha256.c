/* SPDX-License-Identifier: Apache-2.0
 * sha256.c - checksums of result files (FIPS 180-4). */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "fail.h"
#include "sha256.h"

typedef struct {
  uint32_t h[8];
  uint64_t bytes;
  unsigned char block[64];
  size_t used;
} sha;

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int n) { return (x >> n) | (x << (32 - n)); }

static void take_block(sha *s)
{
  uint32_t w[64], v[8];
  for (int i = 0; i < 16; i++) {
    const unsigned char *p = s->block + 4 * i;
    w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
  }
  for (int i = 16; i < 64; i++) {
    const uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >> 3)) + w[i - 7] +
           (turn(b, 17) ^ turn(b, 19) ^ (b >> 10));
  }
  memcpy(v, s->h, sizeof v);
  for (int i = 0; i < 64; i++) {
    const uint32_t e = v[4], a = v[0];
    const uint32_t t1 =
        v[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + K[i] + w[i];
    const uint32_t t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof v[0]);
    v[4] += t1;
    v[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) s->h[i] += v[i];
}

static void start(sha *s)
{
  static const uint32_t H[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memset(s, 0, sizeof *s);
  memcpy(s->h, H, sizeof H);
}

static void take(sha *s, const unsigned char *p, size_t n)
{
  s->bytes += n;
  while (n) {
    const size_t room = sizeof s->block - s->used, k = n < room ? n : room;
    memcpy(s->block + s->used, p, k);
    s->used += k;
    p += k;
    n -= k;
    if (s->used == sizeof s->block) {
      take_block(s);
      s->used = 0;
    }
  }
}

static void end(sha *s, char hex[BRI_SHA_TEXT])
{
  const uint64_t bits = 8 * s->bytes;
  const unsigned char one = 0x80, zero = 0;
  unsigned char length[8];
  for (int i = 0; i < 8; i++) length[i] = (unsigned char)(bits >> (56 - 8 * i));
  take(s, &one, 1);
  while (s->used != 56) take(s, &zero, 1);
  take(s, length, 8);
  for (int i = 0; i < 8; i++) (void)snprintf(hex + 8 * i, 9, "%08x", (unsigned)s->h[i]);
}

void bri_sha256_text(const void *data, size_t n, char hex[BRI_SHA_TEXT])
{
  sha s;
  start(&s);
  take(&s, data, n);
  end(&s, hex);
}

br_status bri_sha256_file(const char *path, char hex[BRI_SHA_TEXT], br_err *err)
{
  unsigned char piece[16384];
  sha s;
  size_t n = 0;
  start(&s);
  errno = 0;
  FILE *f = fopen(path, "rb");
  if (!f) return bri_fail(err, BR_E_IO, "cannot read '%s': %s", path, strerror(errno));
  while ((n = fread(piece, 1, sizeof piece, f)) > 0) take(&s, piece, n);
  const int bad = ferror(f);
  (void)fclose(f);
  if (bad) return bri_fail(err, BR_E_IO, "cannot read '%s'", path);
  end(&s, hex);
  return BR_OK;
}
