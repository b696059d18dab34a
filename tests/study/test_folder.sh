# SPDX-License-Identifier: Apache-2.0
# A results folder and several processes: a second run, leftovers, locks of the dead.  Two at once and kills at random
# moments: tests/campaign.
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
"$BRISTLE" run s.yaml --out whole --quiet $hdf5 || exit 1
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

cd .. && rm -rf folder_files
[ $failures -eq 0 ] || { echo "$failures failed"; exit 1; }
