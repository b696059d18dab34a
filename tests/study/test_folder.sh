# SPDX-License-Identifier: Apache-2.0
# A results folder and several processes: two runs at once, kills at random moments, leftovers, locks of the dead.
# BR_ROUNDS and BR_KILLS: how many of each (default 3 and 8).
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
if ! "$BRISTLE" --version | grep -qE '^ *yaml +yes'; then
  echo "skip: this build has no libyaml"
  exit 77
fi
rm -rf folder_files && mkdir folder_files && cd folder_files || exit 1
hdf5=
"$BRISTLE" --version | grep -qE '^ *hdf5 +yes' && hdf5=--hdf5
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
printf 'title: t\nmodel: dahl\ninput: sine:1,1Hz\ntrace: {t-end: 2 s, dt: 1 ms}\nruns: {a: {}, b: {set: {sigma0: 2}}}\n' >s.yaml
start=$(date +%s%N)
"$BRISTLE" run s.yaml --out whole --quiet $hdf5 || exit 1
ms=$((($(date +%s%N) - start) / 1000000))
strange() { ls -A "$1" 2>/dev/null | grep -E '\.part$|lock'; }
[ -z "$(strange whole)" ] || fail "a run leaves $(strange whole)"

# --- a second run into a folder in use: refused, with the process -----------------------------------------------------
printf 'title: t\nmodel: bouc_wen\ninput: sine:1,1Hz\ntrace: {t-end: 100000 s, dt: 1 ms}\n' >endless.yaml
"$BRISTLE" run endless.yaml --out used --quiet 2>/dev/null &
pid=$!
for _ in $(seq 200); do [ -n "$(ls used/*.part 2>/dev/null)" ] && break || sleep 0.05; done
"$BRISTLE" run s.yaml --out used --quiet >out 2>err
[ $? -eq 1 ] && grep -q "in use by process $pid:" err || fail "second run: $(cat err)"
"$BRISTLE" run s.yaml --out ./used/../used --quiet --resume >out 2>err
[ $? -eq 1 ] && grep -q "process $pid:" err || fail "second run by another name: $(cat err)"
[ -n "$(ls used/*.part 2>/dev/null)" ] || fail 'the second run took away what the first is writing'
kill -9 $pid && wait $pid 2>/dev/null
[ -n "$(strange used)" ] || fail 'nothing is left by kill -9: the test is of no use'
echo mine >used/film.part
"$BRISTLE" run s.yaml --out used --quiet $hdf5 || fail 'the lock of a dead process blocks'
[ "$(strange used)" = film.part ] || fail "after the next run: $(strange used)"
rm used/film.part && diff -r whole used >/dev/null || fail "results behind a killed run differ: $(diff -rq whole used | head -3)"

# --- two at once: each succeeds or is refused, and what is there is whole ------------------------------------------------
refusals=0
for i in $(seq "${BR_ROUNDS:-3}"); do
  rm -rf both
  "$BRISTLE" run s.yaml --out both --quiet $hdf5 2>err1 &
  first=$!
  "$BRISTLE" run s.yaml --out both --quiet $hdf5 2>err2
  two=$?
  wait $first
  one=$?
  for k in "$one err1" "$two err2"; do
    set -- $k
    [ "$1" -eq 0 ] || { [ "$1" -eq 1 ] && grep -q 'in use by' "$2" && refusals=$((refusals + 1)); } ||
      fail "two at once: exit $1 ($(cat "$2"))"
  done
  [ $one -eq 0 ] || [ $two -eq 0 ] || fail 'two at once: none went through'
  diff -r whole both >/dev/null || fail "two at once, round $i: $(diff -rq whole both | head -3)"
done
echo "two at once: ${BR_ROUNDS:-3} rounds, $refusals refused"

# --- kill -9 at random moments: every name is absent, old or whole; the next run goes through -------------------------------
RANDOM=20261115
kills=0
for i in $(seq $((4 * ${BR_KILLS:-8}))); do
  [ $kills -lt "${BR_KILLS:-8}" ] || break
  if [ $((RANDOM % 2)) -eq 0 ]; then rm -rf killed; fi # over old results, or into a new folder
  "$BRISTLE" run s.yaml --out killed --quiet $hdf5 &
  pid=$!
  wait_ms=$((RANDOM % (ms + 20) + 1))
  sleep "$(printf '%d.%03d' $((wait_ms / 1000)) $((wait_ms % 1000)))"
  kill -9 $pid 2>/dev/null && kills=$((kills + 1))
  wait $pid 2>/dev/null
  for f in killed/*; do
    case $f in
      *.part | 'killed/*') ;;
      *) cmp -s "$f" "whole/${f#killed/}" || fail "kill after $wait_ms ms: $f is no whole file" ;;
    esac
  done
  if [ $((i % 4)) -eq 0 ]; then
    "$BRISTLE" run s.yaml --out killed --quiet $hdf5 --resume || fail "the run behind a kill fails"
    diff -r whole killed >/dev/null || fail "the run behind a kill differs: $(diff -rq whole killed | head -3)"
  fi
done
"$BRISTLE" run s.yaml --out killed --quiet $hdf5 --resume || fail "the run behind the last kill fails"
diff -r whole killed || fail "the run behind the last kill differs"
echo "kills: $kills"
cd .. && rm -rf folder_files
[ $failures -eq 0 ] || { echo "$failures failed"; exit 1; }
