# SPDX-License-Identifier: Apache-2.0
# What 'check' of a study judges and what the program answers: exit 1 as soon as one of the checks differs, whichever it
# is, in text and in JSON; NaN differs from everything; relative and absolute tolerances are not mixed up.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
if ! "$BRISTLE" --version | grep -qE '^ *yaml +yes'; then
  echo "skip: this build has no libyaml"
  exit 77
fi
rm -rf checks && mkdir checks && cd checks || exit 1
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

# A Coulomb-like loop whose work is known: dahl, gamma 0, +-1 m, Fc 2 N: 4 Fc = 8 J.
study() { # study NAME CHECK...
  local name=$1
  shift
  { printf 'model: dahl\nset: {Fc: 2 N, sigma0: 1e6 N/m, gamma: 1}\ninput: "turning:-1,1"\nloop: {}\ncheck:\n'
    for c in "$@"; do printf '  - %s\n' "$c"; done; } >"$name.yaml"
}
# judged CODE AGREEING NAME: exit code in text, quiet and JSON, the counted line, JSON's verdicts, the manifest.
judged() {
  local code=$1 agree=$2 name=$3 got all
  all=$(grep -c 'quantity:' "$name.yaml")
  "$BRISTLE" run "$name.yaml" --no-plots --out "out_$name" >text 2>err
  got=$?
  [ $got -eq "$code" ] || fail "$name: exit $got, expected $code: $(cat err)"
  grep -q "^$agree of $all checks agree" text || fail "$name: '$(tail -2 text | head -1)', expected $agree of $all"
  "$BRISTLE" run "$name.yaml" --no-plots --out "out_$name" --quiet >/dev/null 2>&1
  got=$?
  [ $got -eq "$code" ] || fail "$name --quiet: exit $got, expected $code"
  "$BRISTLE" run "$name.yaml" --no-plots --out "out_$name" --json >json 2>err
  got=$?
  [ $got -eq "$code" ] || fail "$name --json: exit $got, expected $code"
  [ "$(grep -c '"pass": true' json)" -eq "$agree" ] || fail "$name --json: $(grep -c '"pass": true' json) pass, not $agree"
  [ "$(grep -c '"pass": false' json)" -eq $((all - agree)) ] || fail "$name --json: wrong number of differences"
  grep -q "\"checks_failed\": $((all - agree))," "out_$name/manifest.json" || fail "$name: manifest: $(grep checks "out_$name/manifest.json")"
}

good='{quantity: work, value: 8, tolerance: 0.01, source: closed form}'
bad='{quantity: work, value: 9, tolerance: 0.01, source: wrong on purpose}'
study all_good "$good" "$good"
judged 0 2 all_good
grep -q '"reference": 8,' json || fail "--json: the reference is no number: $(grep reference json)"
grep -q '"tolerance": 0.01,' json || fail "--json: tolerance: $(grep tolerance json)"
study above '{quantity: work, value: 7.5, tolerance: 0.01, source: s}' # obtained minus reference
judged 1 0 above
grep -qE '"difference": 0\.4999' json || fail "sign of a difference: $(grep difference json)"
study coarse '{quantity: work, value: 0, tolerance: 100, source: s}' # what its tolerance does not let one trust is 0
"$BRISTLE" run coarse.yaml --no-plots --quiet --out out_coarse --index index.md || fail 'an index'
grep -q '| 0 | 0 | below' index.md && ! grep -q '7\.99' index.md || fail "digits that are not to be trusted: $(cat index.md)"
study first_bad "$bad" "$good"
judged 1 1 first_bad
study last_bad "$good" "$bad"
judged 1 1 last_bad
# 1e-2 of 8 J is 0.08 J; the work is 8 J less about 8e-6 J.
study relative '{quantity: work, value: 8.05, relative: 0.01, source: s}' '{quantity: work, value: 8.05, tolerance: 0.01, source: s}'
judged 1 1 relative
study small '{quantity: y_max, value: 2.01, relative: 0.001, source: s}' '{quantity: y_max, value: 2.01, tolerance: 0.011, source: s}'
judged 1 1 small
study columns '{quantity: loop.y.last, value: -2, tolerance: 0.01, source: last of a column}' '{quantity: loop.y.max, value: 2, tolerance: 0.01, source: s}' '{quantity: loop.y.min, value: -2, tolerance: 0.01, source: s}'
judged 0 3 columns
study negative '{quantity: y_min, value: -2.01, relative: 0.01, source: s}'
judged 0 1 negative
study text '{quantity: duhem_class, value: semilinear, source: s}' '{quantity: duhem_class, value: generalized, source: s}'
sed -i 's/^input:.*//; s/^loop:.*/classify: {}/' text.yaml
judged 1 1 text

# An override that changes the run takes its checks away: exit 0, own state, no difference counted; the same value again, or
# an option of another analysis, does not.
overridden() { # overridden NAME N SET: N checks of NAME are not applicable under --set SET
  local name=$1 n=$2 got left
  left=$(($(grep -c 'quantity:' "$name.yaml") - n))
  "$BRISTLE" run "$name.yaml" --set "$3" --no-plots --out "out_$name" >text 2>err
  got=$?
  [ $got -eq 0 ] || fail "$name --set $3: exit $got: $(cat err)"
  grep -q "^$left of $left checks agree" text || fail "$name --set $3: $(tail -2 text), expected $left of $left"
  [ "$(grep -c 'not applicable: overridden$' text)" -eq $((n + (n > 0))) ] || fail "$name --set $3: $(cat text)"
  "$BRISTLE" run "$name.yaml" --set "$3" --no-plots --out "out_$name" --json >json 2>err || fail "$name --set $3 --json: exit $?"
  [ "$(grep -c '"state": "overridden"' json)" -eq "$n" ] || fail "$name --set $3 --json: $(grep state json)"
  [ "$(grep -c '"pass": null' json)" -eq "$n" ] || fail "$name --set $3 --json: $(grep pass json)"
  grep -q "\"checks_failed\": 0," "out_$name/manifest.json" || fail "$name --set $3: the manifest counts a difference"
  grep -q "\"checks_overridden\": $n," "out_$name/manifest.json" || fail "$name --set $3: manifest: overridden"
  [ "$n" -eq 0 ] || grep -q 'class="soft">not applicable: overridden' "out_$name/report.html" || fail "$name --set $3: not grey"
}
overridden all_good 2 Fc=3
overridden all_good 2 loop.samples=7
overridden all_good 0 Fc=2
overridden all_good 0 'Fc=2000 mN'
study gone '{quantity: rate.1.steady, value: 0, tolerance: 1e9, source: s}' # of two distances one is left
sed -i 's/^loop:.*/loop: {scales: [10, 20]}/; s/^input:.*/input: "sine:1,1"/' gone.yaml
judged 0 1 gone
overridden gone 1 loop.scales=10
cat >two.yaml <<'END'
model: dahl
set: {Fc: 2 N, sigma0: 1e6 N/m}
runs:
  a: {input: "turning:-1,1", loop: {}}
  b: {input: "sine:1,1", trace: {t-end: 1}}
check:
  - {run: a, quantity: work, value: 8, tolerance: 0.01, source: s}
  - {run: b, quantity: samples, value: 1001, tolerance: 0, source: s}
END
judged 0 2 two
overridden two 1 trace.t-end=2
cat >own.yaml <<'END' # a run with a model of its own does not inherit 'set', but an override reaches it
model: dahl
set: {Fc: 2 N, sigma0: 1e6 N/m}
input: "turning:-1,1"
runs:
  a: {loop: {}}
  b: {model: lugre, loop: {}}
check:
  - {run: a, quantity: work, value: 8, tolerance: 0.01, source: s}
  - {run: b, quantity: work, value: 0, tolerance: 1e9, source: s}
END
judged 0 2 own
overridden own 2 Fc=1.1
PATH=/nonexistent "$BRISTLE" run all_good.yaml --out out_bare >text 2>err || fail "without gnuplot: exit $?"
grep -q 'no pictures: gnuplot' err || fail "without gnuplot: nothing is said: $(cat err)"

# NaN differs from everything: a Hopf point has no distance from a homoclinic orbit.
cat >nan.yaml <<'END'
model: lugre
system: driven_block
set: {m: 1, F: 5.704, Fc: 1, Fs: 5, vs: 2, delta: 2, sigma0: 5, sigma2: 1.6}
phase: {vary: "sigma1=4.9:5", diagram: "no"}
check:
  - {quantity: events.distance.last, value: 0, tolerance: 1e300, source: s}
END
judged 1 0 nan
"$BRISTLE" run nan.yaml --no-plots --out out_nan --resume --quiet 2>err
[ $? -eq 1 ] || fail "NaN of a kept record passes its check: $(cat err)"

# A name that is not there is an error of the study, not a difference.
study unknown '{quantity: wrok, value: 8, tolerance: 1, source: s}'
"$BRISTLE" run unknown.yaml --no-plots --out out_unknown >text 2>err
[ $? -eq 1 ] || fail "unknown quantity: exit $?"
grep -q "unknown.yaml:[0-9]*:[0-9]*: .*'wrok'; did you mean 'work'" err || fail "unknown quantity: $(cat err)"
# One run against another: rms distance of a column over the other's range; the loop of twice the force is twice as high.
runs() { # runs NAME CHECK
  { printf 'model: dahl\nset: {Fc: 2, sigma0: 20, gamma: 1}\ninput: "turning:-1,1"\nloop: {samples: 50}\n'
    printf 'runs:\n  one: {}\n  half: {set: {Fc: 1, sigma0: 10}}\n  fine: {loop: {samples: 60}}\n'
    printf 'summary: {work done: work, "a|b": nothing}\ncheck:\n  - %s\n' "$2"; } >"$1.yaml"
}
runs half '{run: half, quantity: y, from: one, value: 0, tolerance: 1e-12, source: s}'
judged 1 0 half
d=$(sed -n 's/.*"obtained": \([0-9.e-]*\),.*/\1/p' json | head -1)
runs itself '{run: one, quantity: y, from: one, value: 0, tolerance: 0, unit: deg, source: s}'
judged 0 1 itself
grep -q '"unit": "deg"' json || fail "--json: the unit asked for: $(grep unit json)"
awk -v d="$d" 'BEGIN { exit !(d > 0.2 && d <= 0.25) }' || fail "half the force lies $d of the range away"
grep -q 'work done' out_itself/report.md || fail 'no summary in the report'
grep -q 'work done' out_itself/report.html || fail 'no summary in the page'
for c in 'quantity: y, from: none_such' 'quantity: nothing, from: half' 'quantity: y, from: fine'; do
  runs wrong "{run: one, $c, value: 0, source: s}"
  "$BRISTLE" run wrong.yaml --no-plots --quiet --out out_wrong 2>err && fail "$c is taken"
  grep -qE "there is no run|has no column|rows" err || fail "$c: $(cat err)"
done

[ "$failures" -eq 0 ]
