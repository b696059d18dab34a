# SPDX-License-Identifier: Apache-2.0
# Exported controllers: every kind is exported, compiled by gcc and clang at -O0 and -O3 and run on the library's
# plant; each trajectory must have the bits of the study that 'bristle control' writes.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
. "$BR_SOURCE_DIR/tests/build/export_cases.sh"
dir=$PWD/export_files
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
lib=$BR_BUILD_DIR
failures=0 checks=0 names=
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
reference=sine:0.3,2 # two reversals
t_end=0.6

study() { # as each_case says
  local name=$1 noise=$6 delay=$7 common=(--system "$2" --model "$3" --set "$4" --track "$5") noises=()
  shift 7
  names="$names $name"
  "$BRISTLE" export c "${common[@]}" "$@" --output "$name.h" --quiet || fail "$name: export"
  [ "$noise" != 0 ] && noises=(--noise "v=$noise" --delay "$delay")
  "$BRISTLE" control "${common[@]}" "$@" ${noises[@]+"${noises[@]}"} --reference $reference --t-end $t_end \
    --sample 1ms --output-dt 1ms --csv "$name.csv" --quiet || fail "$name: study"
  [ "$(wc -l <"$name.csv")" -eq 602 ] || fail "$name: the study has $(wc -l <"$name.csv") lines"
}
each_case study
[ "$(for n in $names; do grep -ho '(br_control_kind)[0-9]*' "$n.h"; done | sort -u | wc -l)" -eq \
  "$("$BRISTLE" export --help | tr -s ' \n' ' ' | sed 's/.*one of \(.*\) --law.*/\1/' | wc -w)" ] ||
  fail "not every kind of controller is among the cases"

{ for n in $names; do echo "#include \"$n.h\""; done
  echo "#define CASES(X)$(for n in $names; do echo -n " X($n)"; done)"; } >cases.h

same() { # as each_case says
  ./harness "$1" "$2" "$3" "$4" "$5" $reference $t_end 1e-3 "$6" "$7" >run.csv || fail "$1: run"
  checks=$((checks + 1))
  if tail -n +2 "$1.csv" | cut -d, -f1-6 | cmp -s - run.csv; then equal=$((equal + 1))
  else fail "$build: $1 differs from the study"; fi
}
for cc in "$CC" ${BR_CLANG:+"$BR_CLANG"}; do
  for level in -O0 -O3; do
    build="$(basename "$cc") $level" equal=0
    "$cc" -std=c11 $level -Wall -Wextra -Wpedantic -Wshadow -Werror -ffp-contract=off -I. -I"$BR_SOURCE_DIR/include" \
      -I"$lib/generated/include" "$BR_SOURCE_DIR/tests/build/export_harness.c" -L"$lib" -lbristle -Wl,-rpath,"$lib" -lm \
      -o harness || { fail "$build: does not compile"; continue; }
    ./harness || fail "$build: self-test"
    each_case same
    echo "$build: $equal trajectories bit for bit"
  done
done
echo "$checks checks, $failures failed"
[ $checks -gt 0 ] && [ $failures -eq 0 ] || exit 1
cd .. && rm -rf "$dir"
