# SPDX-License-Identifier: Apache-2.0
# The flags behind "same bits everywhere" took effect: no fused multiply-add in the machine code of the plain
# variants and the kernels, some in the contracted ones, and each variant really uses its registers.  Two uses are
# allowed: core/num_vec.h adds by a fused a * 1 + b (the same rounding, on the multiplier's pipe) in the AVX-512
# blocks of element models, and the tries of lanes ask for them (br_lane_fma of core/lane.h: the same bits wherever it runs).
set -euo pipefail
command -v objdump >/dev/null || { echo "skip: objdump is not installed"; exit 77; }
case $(uname -m) in x86_64) ;; *) echo "skip: looks at x86-64 machine code only"; exit 77 ;; esac
# gcc fuses from -O2 on: a debug build has nothing to look at
grep -q '^CMAKE_BUILD_TYPE:.*=Rel' "$BR_BUILD_DIR/CMakeCache.txt" ||
  { echo "skip: machine code is judged in release builds"; exit 77; }
cd "$BR_BUILD_DIR/CMakeFiles"
# count PATTERN DIR: matching instructions in all objects below DIR
count() { find "$2" -name '*.o' -exec objdump -d --no-show-raw-insn {} + | grep -cE "$1" || true; }
fma='vfn?m(add|sub)'
# allowed DIR: how many stand in the blocks of element models, in tries of lanes and their judgement
allowed() {
  find "$1" -name '*.o' -exec objdump -d --no-show-raw-insn {} + | awk -v fma="$fma" '
    /^[0-9a-f]+ </ { inside = $2 ~ /maxwell_slip_block|_pair_(try|steps)_|<(judge|plain|waves)[_a-z0-9]*>/ }
    inside && $0 ~ fma { n++ } END { print n + 0 }'
}
bad=0
for dir in bri_*.dir; do
  [ -n "$(find "$dir" -name '*.o' | head -1)" ] || continue
  n=$(count "$fma" "$dir")
  case $dir in
    bri_batch_base_fast.dir) ;; # x86-64 without extensions has no such instruction
    *_fast.dir) [ "$n" -gt 0 ] || { echo "$dir: contracted, yet no fused multiply-add"; bad=1; } ;;
    *) [ "$n" -eq "$(allowed "$dir")" ] || { echo "$dir: $n fused multiply-adds, more than those of element blocks and lanes"; bad=1; } ;;
  esac
  case $dir in
    *avx512*) [ "$(count '%zmm' "$dir")" -gt 0 ] || { echo "$dir: no 512-bit register used"; bad=1; } ;;
    *avx2*) [ "$(count '%ymm' "$dir")" -gt 0 ] || { echo "$dir: no 256-bit register used"; bad=1; }
      [ "$(count '%zmm' "$dir")" -eq 0 ] || { echo "$dir: 512-bit registers in AVX2 code"; bad=1; } ;;
    *) [ "$(count '%[yz]mm' "$dir")" -eq 0 ] || { echo "$dir: wide registers in portable code"; bad=1; } ;;
  esac
  echo "$dir: $n fused multiply-adds"
done
exit $bad
