#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Same bits with every C library: nothing of the library calls the C library's own sine, exponential, power and kin; those of
# core/elementary.h take their place.  What is exact everywhere (sqrt, fma, floor, fmod, ldexp, frexp) may be called.
set -u
root=${BR_SOURCE_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
library=${BR_BUILD_DIR:-$root/build/release}/libbristle.a
[ -e "$library" ] || { echo "skip: $library is not here"; exit 77; }
names='a?(sin|cos|tan)h?|sincos|atan2|exp(2|10|m1)?|log(2|10|1p)?|pow|cbrt|hypot|erfc?|[tl]gamma|c(abs|arg|exp|log|pow|sqrt|sin|cos|tan|sinh|cosh|tanh)'
found=$(nm -Au "$library" 2>/dev/null | awk '{print $NF, $1}' | grep -E "^($names)[fl]? " | sed -E 's/ .*:([^:]+):$/ in \1/' | sort -u)
known=$(nm "$library" 2>/dev/null | grep -c ' T bri_sin$')
[ "$known" = 1 ] || { echo "no bri_sin in $library: what was read?"; exit 1; }
[ -z "$found" ] || { echo "$found"; echo "functions of the C library: core/elementary.h has bri_sin, bri_exp, bri_pow, ..."; exit 1; }
echo "ok   $(nm -A "$library" 2>/dev/null | grep -c ' U bri_\(a\?\(sin\|cos\|tan\)h\?\|sincos\|atan2\|exp\|log\|pow\|hypot\)[0-9a-z]*$') uses of elementary functions, none of the C library's"
