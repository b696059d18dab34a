#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A fit that is killed, or stopped by Ctrl-C, goes on where it was and ends with the same numbers; a state of something else, or a
# damaged one, is refused or does no harm.
set -eu
rm -rf resume && mkdir resume && cd resume
fail() { echo "$*"; exit 1; }
question=(fit sample:coulomb --system driven_block --model coulomb --fix vs=1e-3 --threads 1 --json)
fit() { "$BRISTLE" "${question[@]}" "$@"; }
plain() { grep -v '"seconds"' "$1"; }
fit >whole.json
stop_by() { # signal
  rm -f s.journal out.json
  env --default-signal=INT "$BRISTLE" "${question[@]}" --resume s.journal >out.json 2>err & pid=$!
  for _ in $(seq 400); do
    [ -s s.journal ] && break
    kill -0 $pid 2>/dev/null || break
    sleep 0.02
  done
  kill -s "$1" $pid 2>/dev/null || true
  code=0; wait $pid || code=$?
  [ -s s.journal ] || { [ "$code" = 0 ] && { echo "too fast to be stopped"; return; }; fail "$1: no state was left"; }
  [ ! -s out.json ] || fail "$1: a half answer"
  [ "$1" != INT ] || [ "$code" = 130 ] || fail "Ctrl-C: exit $code"
  lines=$(wc -l <s.journal)
  fit --resume s.journal >again.json 2>err
  grep -q "going on from 's.journal'" err || fail "$1: it started anew ($lines lines)"
  [ ! -e s.journal ] || fail "the state stays behind a finished fit"
  plain again.json | cmp - <(plain whole.json) || fail "$1: other numbers than without a stop"
}
stop_by KILL
stop_by INT
# one file, all models: those that are found are not sought again
question=(fit sample:lugre,3 --model all --threads 1 --json)
fit >whole.json
stop_by KILL
stop_by INT
# several files: those that are done are not fitted again
for k in 1 2 3; do "$BRISTLE" fit sample:dahl,$k --model dahl --csv run$k.csv --quiet; done
batch() { "$BRISTLE" fit run1.csv run2.csv "$@" --model dahl --resume b.journal --json; }
"$BRISTLE" fit run1.csv run2.csv run3.csv --model dahl --json >all.json
code=0; batch missing.csv >/dev/null 2>&1 || code=$?
[ "$code" != 0 ] && [ -s b.journal ] && [ "$(grep -c '^f[01] ' b.journal)" = 2 ] || fail "batch: $(cat b.journal)"
cp run3.csv missing.csv
batch missing.csv --threads 2 >got.json 2>err # the number of threads is no part of the question
grep -q 'going on' err || fail "batch: it started anew"
diff <(plain got.json | sed 's/missing.csv/run3.csv/') <(plain all.json) || fail "batch: other numbers"
# of another question, and no state at all
code=0; batch missing.csv nowhere.csv >/dev/null 2>&1 || code=$?
code=0; batch run3.csv >out 2>&1 || code=$?
[ "$code" = 2 ] && grep -q 'another record or other options' out || fail "another question: exit $code, $(cat out)"
printf 'x,y\n1,2\n' >b.journal
code=0; batch run3.csv >out 2>&1 || code=$?
[ "$code" = 2 ] && grep -q 'no state of a fit' out && [ "$(head -1 b.journal)" = x,y ] || fail "no state: exit $code, $(cat out)"
# damaged lines do no harm
"$BRISTLE" "${question[@]}" --resume d.journal >/dev/null 2>&1 & pid=$!
for _ in $(seq 400); do [ -s d.journal ] && break; kill -0 $pid 2>/dev/null || break; sleep 0.02; done
kill -9 $pid 2>/dev/null || true
wait $pid || true
if [ -s d.journal ]; then
  { head -1 d.journal; printf 'm0 1 5 7 nan 1e-3 9 9\nm1 1 2\nm2\nf0 \t\t\nolugre 1 0 5 nan\nodahl 1 9 1 2 0x1p3 1 2\ncoulomb\nobouc_wen 1 0 7 5 0x1p3 1 2 3 4 1e9\n'; } >e.journal
  fit --resume e.journal >again.json 2>/dev/null
  plain again.json | cmp - <(plain whole.json) || fail "damaged: other numbers"
fi
