# SPDX-License-Identifier: Apache-2.0
# Exported headers in builds of all kinds: models alone, as C++, with fused multiply-add allowed, in single precision,
# and without a C library; their self-tests must pass.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
. "$BR_SOURCE_DIR/tests/build/export_cases.sh"
dir=$PWD/export_builds_files
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
failures=0 checks=0 names=
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
warn="-Wall -Wextra -Wpedantic -Wshadow -Werror"

# Models alone, all of them in both precisions: the self-test compares with the real-time stepper, bit for bit.
# Square roots (bouc_wen_biaxial) are instructions only where errno need not be set.
: >models.c
calls=
for model in $(sed -n 's/^#define BR_MODEL //p' "$BR_SOURCE_DIR/models/models.def"); do
  for precision in f64 f32; do
    n=m_${model}_$precision
    "$BRISTLE" export c --model "$model" --precision $precision --output "$n.h" --quiet || fail "$n: export"
    echo "#include \"$n.h\"" >>models.c
    calls="$calls  if (${n}_selftest()) return 1;
"
  done
done
[ "$(wc -l <models.c)" -ge 24 ] || fail "only $(wc -l <models.c) models exported"
printf 'int main(void)\n{\n%s  return 0;\n}\n' "$calls" >>models.c
for cc in "$CC" ${BR_CLANG:+"$BR_CLANG"}; do
  for level in -O0 -O3; do
    checks=$((checks + 1))
    # shellcheck disable=SC2086
    { "$cc" -std=c99 $level $warn -Wdouble-promotion -fno-math-errno models.c -o models && ./models; } ||
      fail "$(basename "$cc") $level: models alone"
    wants=$(nm -u models | awk '{print $NF}' | grep -vE '^(_|__)|@GLIBC') # the program's own start-up aside
    [ -z "$wants" ] || fail "$(basename "$cc") $level: models ask for $wants"
  done
done

# Controllers in both precisions.
both() { # as tests/build/export_cases.sh says
  local name=$1 common=(--system "$2" --model "$3" --set "$4" --track "$5")
  shift 7
  names="$names $name"
  "$BRISTLE" export c "${common[@]}" "$@" --output "$name.h" --quiet || fail "$name: export"
  "$BRISTLE" export c "${common[@]}" "$@" --precision f32 --output "${name}_f32.h" --quiet || fail "$name: export in f32"
}
each_case both
headers() { for n in $names; do echo "#include \"$n$1.h\""; done; }
{ headers _f32; echo "int main(void) {"; for n in $names; do echo "  if (${n}_f32_selftest()) return 1;"; done
  echo "  return 0; }"; } >single.c
{ headers ''; headers _f32; echo "int main() {"; for n in $names; do echo "  if (${n}_selftest()) return 1;"; done
  echo "  return 0; }"; } >both.cc

# As C++, fused multiply-add allowed, single precision: compiled clean, self-tests pass.
for cxx in g++ clang++; do
  command -v $cxx >/dev/null || { echo "skip: $cxx is not here"; continue; }
  checks=$((checks + 1))
  # shellcheck disable=SC2086
  { $cxx -std=c++17 -O1 $warn both.cc -o both && ./both; } || fail "$cxx"
done
for cc in "$CC" ${BR_CLANG:+"$BR_CLANG"}; do
  checks=$((checks + 1))
  # shellcheck disable=SC2086
  { "$cc" -std=c99 -O1 $warn -Wdouble-promotion single.c -o single && ./single; } || fail "$cc: single precision"
  # gcc contracts by default; clang does within an expression, and with -ffp-contract=fast whatever a header says
  if grep -qw fma /proc/cpuinfo 2>/dev/null; then
    checks=$((checks + 1))
    # shellcheck disable=SC2086
    { "$cc" -std=c11 -O1 -mfma -x c both.cc -o both && ./both; } || fail "$cc: contraction"
  fi
done

# No C library: only the compiler's own complex helpers may be missing, and only where dF/dt is needed.
for n in $names; do
  kind=plain && grep -q 'BRX_KERNEL_.*_c64' "$n.h" && kind=slopes
  printf '#include "%s.h"\ndouble f_%s(%s_t *c, const br_control_ref *r, const br_control_meas *m, double h);
double f_%s(%s_t *c, const br_control_ref *r, const br_control_meas *m, double h) { return %s_update(c, r, m, h); }\n' \
    "$n" "$n" "$n" "$n" "$n" "$n" >>$kind.c
done
for cc in "$CC" ${BR_CLANG:+"$BR_CLANG"}; do
  for level in -O0 -O3; do
    for kind in plain slopes; do
      checks=$((checks + 1))
      "$cc" -std=c11 -ffreestanding -fno-stack-protector $level -c $kind.c -o $kind.o || fail "$kind: freestanding"
      wants=$(nm -u $kind.o | awk '{print $NF}' | grep -v '^_GLOBAL_OFFSET_TABLE_$')
      [ $kind = slopes ] && wants=$(grep -vE '^__(mul|div)dc3$' <<<"$wants")
      [ -z "$wants" ] || fail "$(basename "$cc") $level: $kind asks for $wants"
    done
  done
done
# Cortex-M4, single precision: nothing but the complex helpers, and no double precision.
arm=(--target=thumbv7em-none-eabihf -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard -ffreestanding)
if [ -n "${BR_CLANG:-}" ] && echo 'int x;' | "$BR_CLANG" "${arm[@]}" -x c -c - -o arm.o 2>/dev/null; then
  for n in pid watch fl smooth; do
    checks=$((checks + 1))
    printf '#include "%s_f32.h"\nfloat f(%s_f32_t *c, const br_control_f32_ref *r, const br_control_f32_meas *m);
float f(%s_f32_t *c, const br_control_f32_ref *r, const br_control_f32_meas *m)
{ return %s_f32_update(c, r, m, %s_f32_SAMPLE); }\n' "$n" "$n" "$n" "$n" "$n" >arm.c
    "$BR_CLANG" "${arm[@]}" -std=c11 -O2 $warn -Wdouble-promotion -c arm.c -o arm.o || fail "$n: Cortex-M4"
    wants=$(nm -u arm.o | awk '{print $NF}' | grep -vE '^__(mul|div)sc3$')
    [ -z "$wants" ] || fail "Cortex-M4: $n asks for $wants"
  done
else echo "skip: no clang for Cortex-M4"; fi
echo "$checks checks, $failures failed"
[ $checks -gt 0 ] && [ $failures -eq 0 ] || exit 1
cd .. && rm -rf "$dir"
