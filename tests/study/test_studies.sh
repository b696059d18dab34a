# SPDX-License-Identifier: Apache-2.0
# All studies of the repository: every check agrees, the index is up to date, the report stands alone, the schema
# and the starter study work.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
if ! "$BRISTLE" --version | grep -qE '^ *yaml +yes'; then
  echo "skip: this build has no libyaml"
  exit 77
fi
rm -rf studies_files && mkdir studies_files && cd studies_files || exit 1
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

"$BRISTLE" run "$BR_SOURCE_DIR/studies/" --out all --index index.md >out.txt 2>err.txt || fail "a check differs: $(grep DIFFERS out.txt)"
[ -s err.txt ] && fail "messages in a pipe: $(cat err.txt)"
tail -2 out.txt
# The last printed digit of a number may differ between compilers.
if command -v python3 >/dev/null; then
  python3 - "$BR_SOURCE_DIR/studies/README.md" index.md <<'P' || fail "studies/README.md: bristle run studies/ --index studies/README.md"
import re, sys
number = re.compile(r"(-?\d+(?:\.\d*)?(?:e[+-]?\d+)?)")
def unit(text):
    mantissa, _, exponent = text.partition("e")
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
def same(a, b):
    a, b = number.split(a), number.split(b)
    return len(a) == len(b) and all(
        x == y or (i % 2 and abs(float(x) - float(y)) <= 1.01 * max(unit(x), unit(y)))
        for i, (x, y) in enumerate(zip(a, b)))
old, new = (open(p, encoding="utf-8").read().splitlines() for p in sys.argv[1:])
bad = [(x, y) for x, y in zip(old, new) if not same(x, y)]
for x, y in bad[:5]: print("-", x, "\n+", y)
sys.exit(bool(bad) or len(old) != len(new))
P
fi
for f in "$BR_SOURCE_DIR"/studies/doc*.yaml; do
  name=$(basename "$f" .yaml)
  for part in manifest.json study.yaml report.html report.md; do [ -s "all/$name/$part" ] || fail "$name: no $part"; done
done
# Self-contained: nothing is fetched from elsewhere.
grep -oE '(src|href)="[^"#]*"' all/report.html | grep -E 'https?:|//' && fail "the report fetches something"
grep -q '<script' all/report.html && fail "the report has a script"
grep -q 'prefers-color-scheme: dark' all/report.html || fail "the report has no dark colours"
if command -v gnuplot >/dev/null; then
  [ "$(grep -c '<svg viewBox' all/report.html)" -ge 30 ] || fail "pictures are missing in the report"
  grep -qE 'rgb\( *[0-9]+, *[0-9]+, *[0-9]+\)' all/report.html && fail "a picture has colours that are not of the house"
fi
# The study as it was run is a study again, and gives the same.
"$BRISTLE" run all/doc0_fig11/study.yaml --out again --quiet || fail "study.yaml does not run"
cmp all/doc0_fig11/loop.csv again/loop.csv || fail "study.yaml gives other results"

# The force of steady sliding jumps at speed zero: both limits stand in the table.
[ "$(grep '^0,' all/doc1_fig01/steady.csv | tr '\n' ' ')" = "0,-5.88 0,5.88 " ] || fail "steady sliding at v = 0"

# The study in the documentation runs and agrees.
sed -n '/^```yaml/,/^```/p' "$BR_SOURCE_DIR/docs/study.md" | grep -v '^```' >documented.yaml
"$BRISTLE" run documented.yaml --quiet --out documented || fail "the study of docs/study.md"

# The schema is JSON and knows every study's keys.
"$BRISTLE" schema >schema.json || fail "schema"
if command -v python3 >/dev/null; then
  python3 - <<'P' || fail "schema is incomplete"
import json
s = json.load(open("schema.json"))
need = {"title", "model", "set", "input", "runs", "plots", "check", "trace", "loop", "phase"}
assert need <= set(s["properties"]), need - set(s["properties"])
assert "lugre" in s["properties"]["model"]["enum"]
assert s["properties"]["phase"]["properties"]["vary"]["type"] == "string"
assert "heatmap" in s["$defs"]["plot"]["properties"]["kind"]["enum"]
rule = [r for r in s["allOf"] if r["if"]["properties"]["model"]["const"] == "lugre"][0]
assert rule["then"]["properties"]["set"]["properties"]["sigma0"]["exclusiveMinimum"] == 0
P
fi

# A new study runs as it is, for every model; an existing file is left alone.
for m in $("$BRISTLE" models | awk '/^[a-z_]+ +(none|generalized|semilinear) / {print $1}'); do
  "$BRISTLE" new "new_$m" --model "$m" >/dev/null || { fail "new --model $m"; continue; }
  "$BRISTLE" run "new_$m.yaml" --no-plots --quiet --out "new_$m" 2>err.txt || fail "new study of $m: $(cat err.txt)"
done
"$BRISTLE" new new_lugre >/dev/null 2>&1 && fail "new went over an existing file"

# Sketches, overrides, JSON, mistakes.
"$BRISTLE" run new_lugre.yaml --term --out t 2>/dev/null | grep -q '⡇' || fail "no sketch"
"$BRISTLE" run new_lugre.yaml --set sigma0=2e5 --out t2 --quiet || fail "--set"
grep -q '"\?2e5' t2/study.yaml || fail "the override is not in study.yaml"
"$BRISTLE" run new_lugre.yaml --set sigma7=1 --out t3 2>err.txt
[ $? -eq 2 ] && grep -q "^--set:1:" err.txt || fail "bad --set: $(cat err.txt)"
"$BRISTLE" run nowhere.yaml 2>/dev/null; [ $? -eq 2 ] || fail "missing file"
"$BRISTLE" run new_lugre.yaml --json --out t4 >j.json || fail "--json"
if command -v python3 >/dev/null; then python3 -c 'import json; json.load(open("j.json"))' || fail "--json is no JSON"; fi
if "$BRISTLE" --version | grep -qE '^ *hdf5 +yes'; then
  "$BRISTLE" run new_lugre.yaml --hdf5 --quiet --no-plots --out h1 && "$BRISTLE" run new_lugre.yaml --hdf5 --quiet --no-plots --out h2
  cmp h1/results.h5 h2/results.h5 || fail "HDF5 files of the same study differ"
  if command -v h5dump >/dev/null; then h5dump -a /study h1/results.h5 | grep -q 'CSET_UTF8' || fail "HDF5 attribute"; fi
fi
[ $failures -eq 0 ] || exit 1
