# SPDX-License-Identifier: Apache-2.0
# Whoever does not look at a status is named by the compiler: every public function that returns one says so (BR_TRY).
set -u
: "${CC:?}" "${BR_SOURCE_DIR:?}" "${BR_BUILD_DIR:?}"
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
left=$(grep -n 'BR_API br_status' "$BR_SOURCE_DIR"/include/bristle/*.h)
[ -z "$left" ] || fail "write BR_TRY in place of BR_API: $left"
for room in text report study table signal param; do
  left=$(grep -nE '^br_status bri_' "$BR_SOURCE_DIR/src/$room"/*.h | grep -v bri_text_fail)
  [ -z "$left" ] || fail "write BR_CHECKED in front: $left"
done
cat >ignored.c <<'END'
#include "bristle/study.h"
void ignores(br_study *s);
void ignores(br_study *s) { br_study_run(s, 0, 0); }
END
"$CC" -std=c11 -c -o ignored.o -I"$BR_SOURCE_DIR/include" ignored.c 2>err || fail "does not compile: $(cat err)"
grep -q 'ignoring return value' err || fail "the compiler says nothing: $(cat err)"
[ $failures -eq 0 ]
