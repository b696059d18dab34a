#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Units wherever a number is typed, units of what is written, and what is said where a guess would be wrong.
set -u
rm -rf units && mkdir units && cd units || exit 1
bad=0
fail() { echo "FAILED: $*"; bad=1; }
# expect CODE WORDS ARGS...: exit code, and words on stdout or stderr
expect() {
  local code=$1 words=$2 got=0
  shift 2
  "$BRISTLE" "$@" >out 2>&1 || got=$?
  [ "$got" = "$code" ] || fail "$*: exit $got, expected $code: $(head -3 out)"
  grep -qF -- "$words" out || fail "$*: no '$words' in: $(head -5 out)"
}
S=(control --system mass_spring --model lugre --set m=1,ks=0 --track x --controller pid --reference step:1mm --t-end 50ms --sample 1ms)
same() { # the same answer with and without units
  "$BRISTLE" "${S[@]}" --json "$1" "$2" >a.json 2>&1 && "$BRISTLE" "${S[@]}" --json "$1" "$3" >b.json 2>&1 || fail "$*: $(cat a.json b.json | head -2)"
  cmp -s a.json b.json || fail "$1 $2 and $3 differ"
}
same --gains tf=1ms,kp=3N/m,ki=4N/mm/s tf=1e-3,kp=3,ki=4e3
same --noise x=1um,v=1mm/s x=1e-6,v=1e-3
same --limit u=10N u=10
same --window 10ms:40ms 0.01:0.04
expect 2 "--gains tf has dimension m, but it is in s" "${S[@]}" --gains tf=1mm
expect 2 "--gains kp has dimension m kg s^-2" "${S[@]}" --gains kp=3N
expect 2 "--noise x has dimension m kg s^-2, but it is in m" "${S[@]}" --noise x=1N
expect 2 "--limit u has dimension m, but it is in N" "${S[@]}" --limit u=1mm
expect 2 "--mismatch Fc is a number without unit" "${S[@]}" --mismatch Fc=1N
expect 2 "Fc is in N" "${S[@]}" --map m.svg --vary Fc=1m:2m --vary2 kp=1:2

# what a guess would get wrong
expect 2 "has dimension m kg s^-2, but the motion needs m" trace --model dahl --input sine:1N,1
expect 2 "has dimension m, but vp needs m/s" simulate --system pulled_block --model dahl --input vp:step:1mm --t-end 1
printf 't_s,acc_g,v [m/s],N_N\n0,0,1,2\n1,1,2,3\n2,0,1,2\n' >r.csv
expect 2 "no column fits the motion, which needs m: it has t [s], acc [g], v [m/s], N [N]" trace --model dahl --input csv:r.csv
expect 2 "column 'N' is in N (m kg s^-2), but the motion needs m" trace --model dahl --input csv:r.csv:t,N
expect 2 "column 'v' is in m/s (m s^-1), but the motion needs m" trace --model dahl --input csv:r.csv:v
expect 2 "must be > 0" trace --model lugre --input sine:1mm,1Hz --load 0
expect 0 "--waveform follows the input in its own time" loop --model lugre --input sine:1mm,1Hz
expect 0 "nothing moves pulled_block: its input vp" simulate --system pulled_block --model lugre --set m=1,k=2 --t-end 1
printf 't;x;note\n0;0,5;a\n1;1,5;b\n2;0,25;c\n' >c.csv
expect 0 "decimal comma, columns separated by semicolons" trace --model dahl --input csv:c.csv
expect 0 "the motion: column 'x', no unit, taken as m" trace --model dahl --input csv:c.csv --decimal ,
expect 2 "it has t, x (text), note (text)" trace --model dahl --input csv:c.csv --decimal .

# units of what is written
"$BRISTLE" trace --model dahl --input sine:1mm,1Hz --units mm,ms,mN --csv u.csv --quiet || fail "--units"
[ "$(head -1 u.csv)" = "t [ms],u [mm],v [m/s],F [mN],F_state [mN]" ] || fail "head of a table: $(head -1 u.csv)"
awk -F, '$2 + 0 > m {m = $2 + 0} $1 + 0 > t {t = $1 + 0} END {exit !(m > 0.99 && m < 1.01 && t > 900 && t < 1e5)}' u.csv || fail "numbers in mm and ms"
"$BRISTLE" trace --model dahl --input sine:1mm,1Hz --units mm,ms,mN --csv - | cmp -s - u.csv || fail "--csv - with units"
"$BRISTLE" trace --model dahl --input sine:1mm,1Hz --units mm --json | cmp -s - <("$BRISTLE" trace --model dahl --input sine:1mm,1Hz --json) ||
  fail "JSON is not in SI"
words="u         mm                 -1               1" # the summary too
expect 0 "$words" trace --model dahl --input sine:1mm,1Hz --units mm,ms,mN
expect 0 "dt = 1 ms" trace --model dahl --input sine:1mm,1Hz --units mm,ms,mN
expect 0 "-7.49975001 to 7.49975001 mN" loop --model dahl --input sine:1mm,1Hz --units um,mN
expect 0 "max 1, at the end 0.999793019 mm" "${S[@]}" --units mm
expect 2 "two units of the same dimension" trace --model dahl --input sine:1mm,1Hz --units mm,um
expect 2 "unknown unit 'xx'" trace --model dahl --input sine:1mm,1Hz --units xx
[ $bad = 0 ] && echo "units: ok"
exit $bad
