# SPDX-License-Identifier: Apache-2.0
# Batches are vector code whatever compiler made them: counts scalar and packed arithmetic in the block function of every
# model and case, in the objects of this very build.  A compiler that gives up on a loop (gcc 13 and 14 did on seven models
# while selects were written as ?:) is noticed here, not in a bill.
set -euo pipefail
command -v objdump >/dev/null || { echo "skip: objdump is not installed"; exit 77; }
cache="$BR_BUILD_DIR/CMakeCache.txt"
grep -qE '^CMAKE_BUILD_TYPE:[A-Z]*=(Release|RelWithDebInfo)$' "$cache" || { echo "skip: not an optimised build"; exit 77; }
grep -qE '^(BR_SANITIZE:[A-Z]*=.+|BR_COVERAGE:[A-Z]*=ON|BR_FUZZ:[A-Z]*=ON)$' "$cache" && { echo "skip: instrumented code"; exit 77; }
# some of these step lanes of unequal length or with a rule of their own one by one
mixed='br_(gms|haessig_friedland)_block_'
# case 0 of these reads tables or matrices of any size, lane by lane
allowed='br_(lugre|semilinear_duhem)_block_0_'
count() { # object, letter of the precision
  objdump -d --no-show-raw-insn "$1" | awk -v x="$2" -v allowed="$allowed" -v mixed="$mixed" '
    /^[0-9a-f]+ </ { f = $2; gsub(/[<>:]/, "", f); if (f ~ /_block_[0-9]_f(32|64)$/) seen[f] }
    $2 ~ ("^v?(add|sub|mul|div|fn?m|max|min|u?comi|cmp|sqrt)[a-z0-9]*p" x "$") { packed[f]++ }
    $2 ~ ("^v?(add|sub|mul|div|fn?m|max|min|u?comi|cmp|sqrt)[a-z0-9]*s" x "$") { scalar[f]++ }
    END {
      for (f in seen) {
        n++; p = packed[f] + 0; s = scalar[f] + 0
        if (f !~ allowed && (p < 5 || p < (f ~ mixed ? 0.4 : 1.2) * s)) { bad++; printf "%s: %d scalar and %d packed instructions\n", f, s, p }
      }
      if (n < 25) { bad++; printf "only %d block functions found\n", n }
      printf "%d block functions, %d of them not vector code\n", n, bad + 0
      exit bad > 0
    }'
}
found=0 bad=0
for isa in avx2 avx512; do
  for type in f64:d f32:s; do
    object="$BR_BUILD_DIR/CMakeFiles/bri_batch_$isa.dir/models/batch_${type%:*}.c.o"
    [ -f "$object" ] || continue
    found=1
    echo "$isa ${type%:*}:"
    count "$object" "${type#*:}" || bad=1
  done
done
[ "$found" = 1 ] || { echo "skip: no batches for wide registers in this build"; exit 77; }
exit $bad
