# SPDX-License-Identifier: Apache-2.0
# core/ compiled freestanding needs nothing from outside: no libc, no libm, no run-time support of the compiler.
set -euo pipefail
command -v nm >/dev/null || { echo "skip: nm is not installed"; exit 77; }
cd "$BR_SOURCE_DIR"
out=$OLDPWD
rc=0
for cc in "$CC" ${BR_CLANG:+"$BR_CLANG"}; do
  for level in -O0 -O2 -Os; do
    rm -f "$out"/*.o
    for source in core/*.c; do
      "$cc" -std=c11 -ffreestanding -fno-stack-protector -ffp-contract=off -fno-math-errno $level -Wall -Wextra -Werror \
        -Iinclude -I. -I"$BR_BUILD_DIR/generated/include" -c "$source" -o "$out/$(basename "$source").o"
    done
    # What one file of core takes from another is fine; what none of them has is not.
    undefined=$(comm -23 <(nm -u "$out"/*.o | awk 'NF==2{print $2}' | sort -u) \
      <(nm -g --defined-only "$out"/*.o | awk 'NF==3{print $3}' | sort -u) | grep -v '^_GLOBAL_OFFSET_TABLE_$' || true)
    if [ -n "$undefined" ]; then
      echo "$(basename "$cc") $level: undefined: $undefined"
      rc=1
    fi
  done
done
exit $rc
