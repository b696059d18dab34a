# SPDX-License-Identifier: Apache-2.0
# Exported controllers: every kind is exported, compiled by gcc and clang at -O0 and -O3 and run on the library's
# plant; each trajectory must have the bits of the study that 'bristle control' writes.  Also: as C++, with fused
# multiply-add allowed, in single precision, and without a C library.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
dir=$PWD/export_files
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
lib=$BR_BUILD_DIR
failures=0 checks=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
paper=m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1
bristles=sigma0=1e4,sigma1=80,Fc=1,Fs=1.5,vs=0.01
motor=sigma0=20,sigma1=0.1,Fc=0.05,Fs=0.08,vs=0.1

# name | system | model | set | tracked | noise on v | delay | options of the controller
cases="
fl    |pulled_block|lugre|$paper|v|0|0|--controller feedback_linearization
ideal |pulled_block|lugre|$paper|v|0|0|--controller feedback_linearization --bristle true
printed|pulled_block|lugre|$paper|v|0|0|--controller feedback_linearization --law published --bristle true
fl_i  |pulled_block|lugre|$paper|v|0|0|--controller feedback_linearization --integral --limit u=20
slide |pulled_block|lugre|$paper|v|0|0|--controller sliding_mode
bare  |driven_block|lugre|m=1,$bristles|v|0|0|--controller sliding_mode --gains phi=0,eta=5
smooth|pulled_block|lugre|$paper|v|1e-3|0|--controller sliding_mode_implicit
watch |pulled_block|lugre|$paper|v|0|0|--controller observer
watch_i|pulled_block|lugre|$paper|v|1e-3|1e-3|--controller observer --integral --limit u=50
learn |pulled_block|lugre|$paper|v|1e-3|0|--controller adaptive --integral
learn_x|mass_spring|lugre|m=1.7,ks=3,$bristles|x|0|0|--controller adaptive
ahead |pulled_block|lugre|$paper|v|0|0|--controller feedforward --integral
ahead_x|mass_spring|maxwell_slip|m=1,ks=3,k=1000,1800,2600,Delta=0.0015,0.0024,0.0033|x|0|0|--controller feedforward
pi    |driven_block|dahl|m=1,sigma0=1e4,Fc=1|v|0|0|--controller pi --limit u=3
pid   |mass_spring|lugre|m=1,ks=3,$bristles|x|0|0|--controller pid --gains kp=30,ki=40,kd=6
outer |pulled_block|lugre|$paper|v|0|0|--controller cascade_pi --limit u=50
outer_x|mass_spring|lugre|m=1,ks=3,$bristles|x|0|0|--controller cascade_pi --gains kp=100,ki=100,inner=20
axis  |dc_motor|lugre|$motor|theta|0|0|--controller observer --integral
turn  |dc_motor|lugre|$motor|omega|0|0|--controller adaptive
knee  |mass_spring|bouc_wen|m=1,ks=3,fp=1,uy=0.001|v|0|0|--controller feedback_linearization --integral
block |driven_block|gms|m=1|v|0|0|--controller observer
stick |driven_block|coulomb|m=1,Fc=1,Fs=1.5,vs=0.01|v|0|0|--controller feedforward --integral
memory|pulled_block|dahl|m=1.7,k=3,sigma0=1e4,Fc=1,gamma=0.7|v|0|0|--controller feedback_linearization
"
names=
reference=sine:0.3,0.7
while IFS='|' read -r name system model set tracked noise delay options; do
  [ -n "$name" ] || continue
  name=${name// /}
  names="$names $name"
  common=(--system "$system" --model "$model" --set "$set" --track "$tracked")
  # shellcheck disable=SC2086
  for precision in f64 f32; do
    out=$name.h && [ $precision = f32 ] && out=${name}_f32.h
    "$BRISTLE" export c "${common[@]}" $options --precision $precision --output "$out" --quiet ||
      fail "$name: export in $precision"
  done
  noises=() && [ "$noise" != 0 ] && noises=(--noise "v=$noise" --delay "$delay")
  # shellcheck disable=SC2086
  "$BRISTLE" control "${common[@]}" $options ${noises[@]+"${noises[@]}"} --reference $reference --t-end 1.5 \
    --sample 1ms --output-dt 1ms --csv "$name.csv" --quiet || fail "$name: study"
  [ "$(wc -l <"$name.csv")" -eq 1502 ] || fail "$name: the study has $(wc -l <"$name.csv") lines"
done <<<"$cases"
[ "$(for n in $names; do grep -ho '(br_control_kind)[0-9]*' "$n.h"; done | sort -u | wc -l)" -eq \
  "$("$BRISTLE" export --help | tr -s ' \n' ' ' | sed 's/.*one of \(.*\) --law.*/\1/' | wc -w)" ] ||
  fail "not every kind of controller is among the cases"

headers() { for n in $names; do echo "#include \"$n$1.h\""; done; }
{ headers ''; echo "#define CASES(X)$(for n in $names; do echo -n " X($n)"; done)"; } >cases.h
{ headers _f32; echo "int main(void) {"; for n in $names; do echo "  if (${n}_f32_selftest()) return 1;"; done
  echo "  return 0; }"; } >single.c
{ headers ''; headers _f32; echo "int main() {"; for n in $names; do echo "  if (${n}_selftest()) return 1;"; done
  echo "  return 0; }"; } >both.cc
warn="-Wall -Wextra -Wpedantic -Wshadow -Werror"

for cc in "$CC" ${BR_CLANG:+"$BR_CLANG"}; do
  for level in -O0 -O3; do
    # shellcheck disable=SC2086
    "$cc" -std=c11 $level $warn -ffp-contract=off -I. -I"$BR_SOURCE_DIR/include" -I"$lib/generated/include" \
      "$BR_SOURCE_DIR/tests/build/export_harness.c" -L"$lib" -lbristle -Wl,-rpath,"$lib" -lm -o harness ||
      { fail "$cc $level: does not compile"; continue; }
    ./harness || fail "$(basename "$cc") $level: self-test"
    same=0
    while IFS='|' read -r name system model set tracked noise delay options; do
      [ -n "$name" ] || continue
      name=${name// /}
      ./harness "$name" "$system" "$model" "$set" "$tracked" $reference 1.5 1e-3 "$noise" "$delay" >run.csv ||
        fail "$name: run"
      checks=$((checks + 1))
      if tail -n +2 "$name.csv" | cmp -s - run.csv; then same=$((same + 1))
      else fail "$(basename "$cc") $level: $name differs from the study"; fi
    done <<<"$cases"
    echo "$(basename "$cc") $level: $same trajectories bit for bit"
  done
done

# As C++, fused multiply-add allowed, single precision: compiled clean, self-tests pass.
for cxx in g++ clang++; do
  command -v $cxx >/dev/null || { echo "skip: $cxx is not here"; continue; }
  checks=$((checks + 1))
  # shellcheck disable=SC2086
  { $cxx -std=c++17 -O2 $warn both.cc -o both && ./both; } || fail "$cxx"
done
for cc in "$CC" ${BR_CLANG:+"$BR_CLANG"}; do
  checks=$((checks + 1))
  # shellcheck disable=SC2086
  { "$cc" -std=c99 -O2 $warn -Wdouble-promotion single.c -o single && ./single; } || fail "$cc: single precision"
  # gcc contracts by default; clang does within an expression, and with -ffp-contract=fast whatever a header says
  if grep -qw fma /proc/cpuinfo 2>/dev/null; then
    checks=$((checks + 1))
    # shellcheck disable=SC2086
    { "$cc" -std=c11 -O3 -mfma -x c both.cc -o both && ./both; } || fail "$cc: contraction"
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
echo "$checks checks, $failures failed"
[ $failures -eq 0 ] || exit 1
cd .. && rm -rf "$dir"
