# SPDX-License-Identifier: Apache-2.0
# Every kind of signal that reads a file: --resume sees that the file has changed, and study.yaml of the results can
# be run again.  The kinds come from the program's own list (bristle trace --help), not from one here.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
if ! "$BRISTLE" --version | grep -qE '^ *yaml +yes'; then
  echo "skip: this build has no libyaml"
  exit 77
fi
rm -rf files_of_signals && mkdir files_of_signals && cd files_of_signals || exit 1
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
record() { printf 't_s,u_m\n0,0\n0.1,%s\n0.2,-1e-3\n0.4,0\n' "$1"; }
sines() { printf 'amplitude,frequency_Hz,phase_rad\n%s,1,0\n1e-4,3,0\n' "$1"; }

kinds=$("$BRISTLE" trace --help | grep -oE '\b[a-z_]+:FILE' | sort -u)
[ "$(echo "$kinds" | wc -l)" -ge 3 ] || fail "kinds with a file: $kinds"
for kind in $kinds; do
  name=${kind%:FILE} write=record
  [ "$name" = multisine ] && write=sines
  mkdir -p "$name/data"
  printf 'model: dahl\ninput: "%s:data/in.csv"\ntrace: {t-end: 0.4 s, dt: 10 ms}\n' "$name" >"$name/s.yaml"
  $write 1e-3 >"$name/data/in.csv"
  "$BRISTLE" run "$name/s.yaml" --quiet --no-plots --out "$name/out" || fail "$name: first run"
  cp "$name/out/trace.csv" "$name/first.csv"
  touch -d '2001-01-01' "$name/out/trace.csv"
  "$BRISTLE" run "$name/s.yaml" --quiet --no-plots --out "$name/out" --resume || fail "$name: resume"
  [ "$(date -r "$name/out/trace.csv" +%Y)" = 2001 ] || fail "$name: an unchanged run was computed again"
  (cd "$name/out" && "$BRISTLE" run study.yaml --quiet --no-plots --out ../again) || fail "$name: study.yaml cannot be run again"
  cmp -s "$name/again/trace.csv" "$name/first.csv" || fail "$name: study.yaml gives another result"
  $write 2e-3 >"$name/data/in.csv"
  "$BRISTLE" run "$name/s.yaml" --quiet --no-plots --out "$name/out" --resume || fail "$name: resume with another file"
  "$BRISTLE" run "$name/s.yaml" --quiet --no-plots --out "$name/fresh" || fail "$name: fresh run"
  cmp -s "$name/out/trace.csv" "$name/fresh/trace.csv" || fail "$name: --resume kept the result of another file"
  cmp -s "$name/out/trace.csv" "$name/first.csv" && fail "$name: the file has no say in the result"
done

# An absolute path is the same from everywhere.
mkdir -p far && record 1e-3 >far/in.csv
printf 'model: dahl\ninput: "csv:%s/far/in.csv"\ntrace: {t-end: 0.4 s, dt: 10 ms}\n' "$PWD" >far/s.yaml
"$BRISTLE" run far/s.yaml --quiet --no-plots --out far/deep/out || fail "an absolute path: first run"
grep -qF "csv:$PWD/far/in.csv" far/deep/out/study.yaml || fail "an absolute path was moved: $(grep input far/deep/out/study.yaml)"
(cd far/deep/out && "$BRISTLE" run study.yaml --quiet --no-plots --out ../again) || fail "an absolute path: study.yaml cannot be run again"

# Options of analyses and plots name files too.
mkdir -p ref/data && record 1e-3 | sed 's/u_m/u [m\/s]/' >ref/data/in.csv && record 2e-3 >ref/data/other.csv
cat >ref/s.yaml <<'END'
model: dahl
system: pulled_block
control: {controller: pid, reference: "smooth:data/in.csv|offset:0m/s", t-end: 0.4 s}
plots:
  p: {x: t, y: u, lines: [{}, {file: data/other.csv, x: t, y: u}]}
END
if "$BRISTLE" run ref/s.yaml --quiet --no-plots --out ref/out 2>err; then
  (cd ref/out && "$BRISTLE" run study.yaml --quiet --no-plots --out ../again 2>../../err) ||
    fail "a reference and a file of a plot: study.yaml cannot be run again: $(cat err)"
  grep -qF 'smooth:../data/in.csv|offset:0m/s' ref/out/study.yaml || fail "the reference was not moved: $(grep reference ref/out/study.yaml)"
  grep -q 'file: ../data/other.csv' ref/out/study.yaml || fail "the file of a plot was not moved"
else
  fail "a study with a reference: $(cat err)"
fi
[ "$failures" -eq 0 ]
