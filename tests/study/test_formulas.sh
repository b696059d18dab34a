# SPDX-License-Identifier: Apache-2.0
# Formulas in study files and on the command line; a study run again from its results.
set -uo pipefail
failures=0
fail() { echo "$1"; failures=$((failures + 1)); }
rm -rf work && mkdir work && cd work || exit 1

grep -q 'unknown name .sni., did you mean .sin.' < <("$BRISTLE" trace --model dahl --input 'expr:sni(t)' 2>&1) ||
  fail "no hint for a misspelt function"

# Help names every function.
"$BRISTLE" help trace >help.txt
for f in sin tanh mod if pi; do grep -qw "$f" help.txt || fail "help trace does not name $f"; done
grep -q 'f11 .*a formula of x' < <("$BRISTLE" models duhem) || fail "models duhem"

if ! "$BRISTLE" --version | grep -qE '^ *yaml +yes'; then
  [ $failures -eq 0 ] || exit 1
  echo "skip: study files need libyaml"
  exit 77
fi

sed -n '/^```yaml/,/^```/p' "$BR_SOURCE_DIR/docs/expr.md" | grep -v '^```' >documented.yaml
"$BRISTLE" run documented.yaml --quiet --no-plots --out documented || fail "the study of docs/expr.md"
"$BRISTLE" schema >schema.json
grep -q 'expr:1e-3' schema.json && grep -q lugre_expr schema.json || fail "schema"

# Overrides with commas in formulas; laws in runs of their own.
"$BRISTLE" run documented.yaml --set 'g=max(1, min(2, 1.5 - abs(v))),sigma0=2e5' --quiet --no-plots --out over ||
  [ $? -eq 1 ] || fail "--set with a formula"
grep -q 'max(1, min(2' over/study.yaml || fail "the formula is not in study.yaml"
"$BRISTLE" run documented.yaml --set 'g=max(1, if(v >= 0, 1.5, 2)),sigma0=2e5' --quiet --no-plots --out cases 2>err.txt ||
  [ $? -eq 1 ] || fail "--set with cases in a formula: $(cat err.txt)"
grep -q 'if(v >= 0, 1.5, 2)' cases/study.yaml || fail "the cases are not in study.yaml"
"$BRISTLE" run documented.yaml --set 'g=1 + qqq' --out bad 2>err.txt
[ $? -eq 2 ] && grep -q '^--set:1:7: .*qqq' err.txt || fail "bad formula in --set: $(cat err.txt)"

# study.yaml can be run again from where it lies: files of inputs, of runs and of an extended study elsewhere.
mkdir -p data base here/deep
printf 't_s,u_m\n0,0\n0.1,1e-3\n0.2,-1e-3\n0.4,0\n' >data/a.csv
cp data/a.csv base/b.csv
printf 'model: dahl\ninput: csv:b.csv\ntrace:\n' >base/_base.yaml
cat >here/study1.yaml <<'Y'
extends: ../base/_base.yaml
title: Files in three places
runs:
  base: {}
  own: {input: "csv:../data/a.csv:t,u"}
  formula: {input: "expr:1e-3*sin(2*pi*t)"}
Y
"$BRISTLE" run here/study1.yaml --quiet --no-plots --out here/deep/results || fail "first run"
"$BRISTLE" run here/deep/results/study.yaml --quiet --no-plots --out again || fail "study.yaml cannot be run again"
(cd here/deep/results && "$BRISTLE" run study.yaml --quiet --no-plots --out ../third) || fail "run again in place"
for f in here/deep/results/*.csv; do
  cmp "$f" "again/$(basename "$f")" && cmp "$f" "here/deep/third/$(basename "$f")" || fail "another result: $f"
done
grep -q 'csv:../data/a.csv:t,u' again/study.yaml || fail "the path is not the short one: $(grep csv: again/study.yaml)"
"$BRISTLE" run again/study.yaml --quiet --no-plots --out elsewhere || fail "study.yaml of a second run"
[ "$(ls here/deep/results/*.csv | wc -l)" -eq 3 ] || fail "three tables expected"
[ $failures -eq 0 ] || exit 1
