# SPDX-License-Identifier: Apache-2.0
# simulate in a study: older names of its quantities, names with dots, long lists of events, the usual picture.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
if ! "$BRISTLE" --version | grep -qE '^ *yaml +yes'; then
  echo "skip: this build has no libyaml"
  exit 77
fi
rm -rf simulate && mkdir simulate && cd simulate || exit 1
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

cat >old.yaml <<'END'
runs:
  block:
    system: pulled_block
    model: lugre
    set: {m: 1, k: 2, sigma0: 2900, sigma1: 107, sigma2: 0, Fc: 2.94, Fs: 5.88, vs: 0.1, delta: 1, vp: 2}
    simulate: {t-end: 20, cycle: "yes"}
  chain:
    system: chain
    model: dahl
    set: {m: [1, 2], k: [100, 50], system.c: [1, 1], contact: [1, 2], against: [0, 1], load: [1, 1], contact2.Fc: 0.5}
    input: {Fe: "sine:3N,5Hz"}
    init: {contact2.F: 0.1 N}
    simulate: {t-end: 4}
check:
  - {run: block, quantity: events.reversal, value: 8, tolerance: 0, source: "counted in the table of events"}
  - {run: block, quantity: cycle.multipliers.0.re, value: 0, tolerance: 1, source: "it attracts"}
  - {run: block, quantity: cycle.multipliers.0.im, value: 0, tolerance: 1, source: "it attracts"}
  - {run: block, quantity: events.0.type, value: reversal, source: "it never sticks"}
  - {run: chain, quantity: final.contact2.F, value: 0, tolerance: 0.5, source: "its own Fc"}
  - {run: chain, quantity: simulate.Fe.max, value: 3, tolerance: 0.01, source: "the input"}
END
"$BRISTLE" run old.yaml --out old --quiet >text 2>err || fail "older names: $(cat err text)"
[ "$(($(wc -l <old/block-events.csv) - 1))" -eq 8 ] || fail "events of the block: $(wc -l <old/block-events.csv)"
# the page shows the first events, the record has all that JSON has
grep -q 'events\.19\.t' old/report.md || fail 'the page lacks the first events'
grep -q 'events\.20\.t' old/report.md && fail 'the page shows every event'
grep -q '"events.20.t"' old/chain.json || fail 'the record lacks later events'
cp old/report.md shown.md
"$BRISTLE" run old.yaml --out old --quiet --resume >text 2>err || fail "resume: $(cat err text)"
cmp -s old/report.md shown.md || fail 'the page of kept records shows something else'
# without 'events' the record lists the first 1000; the table and the counts have all, and so has the record with it
printf 'system: mass_spring\nmodel: dahl\ninput: "sine:50N,300Hz"\nsimulate: {t-end: 2, rtol: 1e-6}\n' >many.yaml
"$BRISTLE" run many.yaml --out many --quiet --no-plots || fail 'many events'
n=$(($(wc -l <many/simulate-events.csv) - 1))
[ $n -gt 1150 ] && grep -q "event_count.*\"value\": $n," many/simulate.json || fail "$n events in the table"
grep -q '"events.999.t"' many/simulate.json && ! grep -q '"events.1000.t"' many/simulate.json || fail 'events of the record'
"$BRISTLE" run many.yaml --set simulate.events=yes --out all --quiet --no-plots || fail 'all events'
grep -q "\"events.$((n - 1)).t\"" all/simulate.json || fail 'the record lacks events that were asked for'
[ "$("$BRISTLE" simulate --system mass_spring --model dahl --input sine:50N,300Hz --t-end 2 --rtol 1e-6 --json | grep -c '"type"')" -eq 1000 ] ||
  fail 'events of the command'
# the usual picture: a panel for each of the first four columns behind the time
if command -v gnuplot >/dev/null; then
  [ "$(grep -c 'set ylabel' old/simulate.gp)" -ge 4 ] || fail "panels: $(grep -c 'set ylabel' old/simulate.gp)"
fi
[ "$failures" -eq 0 ]
