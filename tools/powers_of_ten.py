#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Print src/text/powers.c: 10^k as 128 bits and a power of two, from exact integers.

10^k = f 2^e with f in [2^127, 2^128); the table holds f rounded down, and rounded up for -27 <= k < 0, as reading
wants it (src/text/decimal.h); writing adds one to whatever is not exact (src/text/shortest.c).
"""
FIRST, LAST = -342, 324  # reading goes from 10^-342 to 10^308, writing from 10^-292 to 10^324


def significand(k):
    if k >= 0:
        power = 10**k
        shift = power.bit_length() - 128
        return power >> shift if shift >= 0 else power << -shift
    power = 10**-k
    shift = power.bit_length() + 127
    if (1 << shift) // power >> 128:
        shift -= 1
    return (1 << shift) // power + (1 if k >= -27 else 0)


def main():
    print("/* SPDX-License-Identifier: Apache-2.0")
    print(" * powers.c - 10^k in 128 bits; written by tools/powers_of_ten.py, not by hand. */")
    print('#include "powers.h"\n')
    print("/* clang-format off */")
    print("const uint64_t bri_powers[BRI_POWER_LAST - BRI_POWER_FIRST + 1][2] = {")
    for k in range(FIRST, LAST + 1):
        f = significand(k)
        assert f >> 127 == 1 and f & (2**64 - 1) != 2**64 - 1  # normalised; adding one never carries
        end = "\n" if (k - FIRST) % 2 or k == LAST else ""
        lead = " " if (k - FIRST) % 2 == 0 else ""
        print(f"{lead} {{0x{f >> 64:016x}, 0x{f & (2**64 - 1):016x}}},", end=end)
    print("};")


main()
