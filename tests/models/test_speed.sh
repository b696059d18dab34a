# SPDX-License-Identifier: Apache-2.0
# No batch takes more than a quarter of its scalar's time, whatever the model and case: measured in turns, the least of all
# rounds, and a fifth more for a machine that is never quiet.
set -euo pipefail
cache="$BR_BUILD_DIR/CMakeCache.txt"
grep -qE '^CMAKE_BUILD_TYPE:[A-Z]*=(Release|RelWithDebInfo)$' "$cache" || { echo "skip: not an optimised build"; exit 77; }
grep -qE '^(BR_SANITIZE:[A-Z]*=.+|BR_COVERAGE:[A-Z]*=ON|BR_FUZZ:[A-Z]*=ON)$' "$cache" && { echo "skip: instrumented code"; exit 77; }
bench="$BR_BUILD_DIR/bench/bench_models"
[ -x "$bench" ] || { echo "skip: bench_models is not built"; exit 77; }
for try in 1 2 3; do
  "$bench" --seconds 0.05 --most 0.3 > speed.txt && status=0 || status=1
  grep -q '^instruction set: avx512' speed.txt || { echo "skip: no registers of 512 bits here"; exit 77; }
  [ "$status" = 0 ] && exit 0
done
cat speed.txt
exit 1
