# SPDX-License-Identifier: Apache-2.0
# --resume keeps a run only while nothing that it was made from has changed: each ingredient is changed in turn, and the
# resumed result must be that of a fresh run and no longer that of the first.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
if ! "$BRISTLE" --version | grep -qE '^ *yaml +yes'; then
  echo "skip: this build has no libyaml"
  exit 77
fi
rm -rf resume_key && mkdir resume_key && cd resume_key || exit 1
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
run() { "$BRISTLE" run "$@" --quiet --no-plots 2>err || fail "run $*: $(cat err)"; }

# ingredient NAME FROM TO: base.yaml with FROM replaced by TO.
ingredient() {
  local name=$1 from=$2 to=$3
  rm -rf out fresh
  grep -q -- "$from" base.yaml || fail "$name: '$from' is not in the study"
  run base.yaml --out out
  cp out/r.json first.json
  touch -d 2001-01-01 out/r.csv
  run base.yaml --out out --resume
  [ "$(date -r out/r.csv +%Y)" = 2001 ] || fail "$name: an unchanged run was computed again"
  sed "s|$from|$to|" base.yaml >changed.yaml
  run changed.yaml --out out --resume
  run changed.yaml --out fresh
  cmp -s out/r.json fresh/r.json || fail "$name: --resume kept the old record"
  cmp -s out/r.csv fresh/r.csv || fail "$name: --resume kept the old table"
  cmp -s fresh/r.json first.json && fail "$name: the change has no say in the result: no test"
}

printf 't_s,u_m\n0,0\n0.1,1e-3\n0.2,-1e-3\n' >in.csv
cat >base.yaml <<'END'
runs:
  r:
    system: chain
    model: lugre
    set: {m: [1, 2], k: [100, 50], c: [0.1, 0.1], contact: [1, 2], against: [0, 0], load: [1, 1], Fc: 1, Fs: 1.5, contact2.Fc: 1.2}
    input: {Fe: "sine:3,2", base: 0.5}
    init: {x1: 0.01}
    simulate: {t-end: 0.5 s, output-dt: 0.01 s, rtol: 1e-8}
END
# the held input is a plain number of the mechanism
sed -i 's/input: {Fe: "sine:3,2", base: 0.5}/input: {Fe: "sine:3,2"}/; s/contact2.Fc: 1.2}/contact2.Fc: 1.2, base: 0.5}/' base.yaml
ingredient "model parameter" 'Fs: 1.5' 'Fs: 1.6'
ingredient "model" 'model: lugre' 'model: lugre_elastoplastic'
ingredient "mechanism parameter" 'k: \[100, 50\]' 'k: [100, 51]'
ingredient "contact parameter" 'contact2.Fc: 1.2' 'contact2.Fc: 1.3'
ingredient "held input" 'base: 0.5' 'base: 0.6'
ingredient "input" 'sine:3,2' 'sine:3,2.1'
ingredient "start" 'x1: 0.01' 'x1: 0.02'
ingredient "option" 'rtol: 1e-8' 'rtol: 1e-5'
ingredient "option of the output" 'dt: 0.01 s' 'dt: 0.02 s'

cat >base.yaml <<'END'
runs:
  r:
    system: pulled_block
    model: lugre
    set: {m: 1, k: 2}
    control: {controller: pid, reference: "step:0.1", t-end: 0.2 s, gains: "kp=10"}
END
ingredient "text option" 'step:0.1' 'step:0.2'
ingredient "gain" "kp=10" "kp=11"
ingredient "controller" 'controller: pid' 'controller: pi'
ingredient "mechanism" 'm: 1, k: 2' 'm: 1.5, k: 2'

# The table of an ensemble lies beside the study that names it, wherever the program runs; its contents are an ingredient.
mkdir -p data && printf 'k\n2\n3\n' >data/members.csv && printf 'k\n9\n' >members.csv
cat >data/sweep.yaml <<'END'
runs:
  r:
    system: pulled_block
    model: lugre
    set: {m: 1, vp: 1}
    sweep: {file: members.csv, t-end: 0.2 s, measure: v_max}
END
rm -rf out && run data/sweep.yaml --out out
[ "$(cut -d, -f2 out/r.csv | tail -n +2 | paste -sd' ')" = '2 3' ] || fail "members: $(cat out/r.csv)"
touch -d 2001-01-01 out/r.csv
run data/sweep.yaml --out out --resume
[ "$(date -r out/r.csv +%Y)" = 2001 ] || fail 'an unchanged ensemble was computed again'
printf 'k\n4\n5\n' >data/members.csv
run data/sweep.yaml --out out --resume
[ "$(cut -d, -f2 out/r.csv | tail -n +2 | paste -sd' ')" = '4 5' ] || fail 'contents of a table of members: --resume kept the old'
run out/study.yaml --out again
cmp -s out/r.csv again/r.csv || fail 'study.yaml of the results does not find the table of members'
[ "$failures" -eq 0 ]
