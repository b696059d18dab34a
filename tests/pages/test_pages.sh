# SPDX-License-Identifier: Apache-2.0
# Pages of studies: the front page of a folder, what every study's page tells about its runs, digits, folded tables, texts of
# strangers, faults of _report.yaml.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
if ! "$BRISTLE" --version | grep -qE '^ *yaml +yes'; then
  echo "skip: this build has no libyaml"
  exit 77
fi
rm -rf pages && mkdir pages && cd pages || exit 1
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
has() { grep -qF -- "$2" "$1" || fail "$1 lacks: $2"; }
lacks() { ! grep -qF -- "$2" "$1" || fail "$1 has: $2"; }
before() { [ "$(grep -nF -- "$2" "$1" | head -1 | cut -d: -f1)" -lt "$(grep -nF -- "$3" "$1" | head -1 | cut -d: -f1)" ] || fail "$1: '$2' not before '$3'"; }

mkdir s
cat >s/_report.yaml <<'Y'
title: A shelf
about: Two papers <b>bold</b>, sigma0.
documents:
  "7": {title: On <i>loops</i>, authors: A. Nobody, about: What it is about.}
Y
cat >s/one.yaml <<'Y'
title: One & only
about: The first sentence. The second one.
source: {document: 7, figure: 3}
model: lugre
set: {sigma0: 6 N/m, Fc: 1, Fs: 2, vs: 1}
input: turning:-1,1
loop: {}
check:
  - {quantity: work, value: 5, tolerance: 5, source: rough}
Y
cat >s/two.yaml <<'Y'
title: Two
source: {document: 7}
system: mass_spring
model: dahl
set: {m: 1, ks: 2, sigma0: 3, Fc: 1}
input: {Fe: "sine:1,0.5"}
runs:
  soft: {set: {ks: 1}, simulate: {t-end: 2}}
  hard: {set: {ks: 4}, simulate: {t-end: 2}}
Y
printf 'title: Three\nabout: %s\nmodel: dahl\nset: {sigma0: 3, Fc: 1}\ninput: "turning:-1,1"\nloop: {}\ncheck:\n  - {quantity: work, value: 99.123456789012345, tolerance: 1e-14, source: wrong}\n' "$(yes word | head -60 | tr '\n' ' ')" >s/zzz.yaml
"$BRISTLE" run s --out r >text 2>err
[ $? -eq 1 ] || fail "exit $?: $(cat err)"

# the front page
f=r/report.html
has $f '<h1>A shelf</h1>'
has $f 'Two papers &lt;b&gt;bold&lt;/b&gt;, σ<sub>0</sub>.'
has $f 'Document 7: On &lt;i&gt;loops&lt;/i&gt;'
has $f 'A. Nobody'
has $f '<p>The first sentence.</p>'
lacks $f 'The second one'
has $f '<a href="one/report.html">'
has $f '✓ 1 of 1'
has $f '✗ 0 of 1'
has $f 'shown, not checked'
has $f 'Further studies'
before $f 'Document 7' '<h2>Further studies'
before $f '<article' '<table'
grep -q '<details><summary><span class="ok">1 of 1 checks agree' $f || fail 'checks that agree are folded'
grep -q '<details open><summary><span class="bad">0 of 1 checks agree' $f || fail 'checks that differ are open'
lacks $f '<script'
[ "$(grep -c '<h2>Document 7' $f)" -eq 1 ] || fail 'a document stands once'
has $f 'Document 7</a> <span class="soft">2 studies</span> <span class="ok">1 of 1</span>'
has $f 'Further studies</a> <span class="soft">1 study</span> <span class="bad">0 of 1</span>'
has $f '<span class="bad">✗ 1 of 2 checks agree</span>'
has $f '<td class="n">99.12345679</td>' # ten digits, whatever the tolerance
has $f "<p>$(yes word | head -36 | tr '\n' ' ')…</p>" # 180 bytes, whole words

# the page of a study
f=r/one/report.html
has $f 'document 7, figure 3 of On &lt;i&gt;loops&lt;/i&gt;, A. Nobody'
has $f '<td>σ<sub>0</sub></td><td class="wrap">6</td><td>N/m</td>'
has $f '<msub><mi>σ</mi><mn>0</mn></msub>'
has $f '<tr><td>σ<sub>0</sub>' # given; the rest is grey
has $f '<tr class="soft"><td>δ</td><td class="wrap">2</td>'
has $f 'turning:-1,1'
has $f 'closed-form: fixed point of the period map'
grep -qE 'estimate [0-9.]+e-[0-9]+ N' $f || fail 'no error estimate'
grep -qE '<td class="n">5</td><td class="n">[0-9]</td>' $f || fail "digits beyond the tolerance: $(grep -oE '<td class="n">5</td>.{40}' $f)"
if command -v gnuplot >/dev/null; then before $f '<svg' '<table'; fi
f=r/two/report.html
has $f 'soft: 1; hard: 4'
has $f 'Mechanism mass_spring'
has $f 'relative tolerance 1e-13'
has $f 'energy not explained'
for run in soft hard; do
  steps=$(sed -n 's/.*"stats.steps".*"value": \([0-9]*\).*/\1/p' r/two/$run.json)
  has $f ", $steps steps</td>"
done
lacks $f 'simulate.t.min' # extremes of columns are for checks
[ "$(grep -c '<td>k<sub>s</sub></td>' $f)" -eq 1 ] || fail 'a parameter of two runs stands once'
f=r/report.md
before $f '# A shelf' '## Document 7'
before $f '## Document 7' '### One'

# faults of _report.yaml are told with their place, before the page is there
bad() { # bad TEXT MESSAGE
  printf '%b' "$1" >s/_report.yaml
  rm -f r/report.html
  "$BRISTLE" run s --out r --resume --no-plots --quiet >text 2>err
  [ $? -eq 1 ] && grep -qF -- "$2" err || fail "'$1': $(cat err)"
  [ ! -e r/report.html ] || fail "'$1': a page all the same"
}
bad 'title: [a]\n' "_report.yaml:1:8: 'title': expected a text"
bad 'titel: x\n' "_report.yaml:1:1: the page has no key 'titel'; it has title, about and documents"
bad 'documents: {"7": {name: x}}\n' "a document has no key 'name'"
bad 'documents: {"7": {title: x}, "8": {name: x}}\n' "a document has no key 'name'" # of any of them
bad 'documents: {"7": {title: x}, "8": {about: x}, "9": {titel: x}}\n' "a document has no key 'titel'"
bad 'documents: [1]\n' 'expected a map'
bad 'title: "\n' '_report.yaml:'
head -c 70000 /dev/zero | tr '\0' 'x' >s/_report.yaml
"$BRISTLE" run s --out r --resume --no-plots --quiet >text 2>err && fail 'a page of 70 kB'
"$BRISTLE" run s/one.yaml --out q --index s/_report.yaml --quiet >text 2>err && fail 'an index replaces the page of the folder'
grep -q 'both' err || grep -q 'report' err || fail "why not: $(cat err)"
rm s/_report.yaml
"$BRISTLE" run s --out r --resume --no-plots --quiet >text 2>err
has r/report.html '<h1>s</h1>'
# pictures of every kind by name, those of analyses among them
printf 'model: lugre\nsystem: driven_block\nset: {m: 1, F: 5.704, Fc: 1, Fs: 5, vs: 2, delta: 2, sigma0: 5, sigma1: 8.25, sigma2: 1.6}\nphase: {vary: "sigma1=8.2:8.3"}\nplots:\n  d: {kind: bifurcation}\n' >kind.yaml
"$BRISTLE" run kind.yaml --out k --quiet 2>err || fail "a picture of an analysis by its name: $(cat err)"
printf 'model: dahl\nset: {sigma0: 3, Fc: 1}\ninput: "turning:-1,1"\nloop: {}\ncheck:\n  - {quantity: method, value: closed-form, source: s}\n' >word.yaml
"$BRISTLE" run word.yaml --out w --no-plots --quiet 2>err || fail "a check of a text: $(cat err)"
has w/report.html '<td class="n">closed-form</td><td class="n">closed-form</td>'
# a mechanism given as text is drawn, in the colours of the page; runs go by the names of their files
"$BRISTLE" run "$BR_SOURCE_DIR/studies/modelica_clutches.yaml" --out m --no-plots --quiet 2>err || fail "a mechanism as text: $(cat err)"
has m/report.html '<h3>Mechanism coupled_clutches</h3>'
has m/report.html 'contact 2: clutch2 karnopp'
has m/report.html 'stroke="var(--c1)"'
[ "$(grep -c '#1f2933\|#b3541e\|#eef3f8\|#fdf1e3\|#52606d' m/report.html)" -eq 0 ] || fail 'a colour of its own in the drawing'
has m/report.html 'static level, F<sub>s</sub> &gt;= F<sub>c</sub>'
printf 'model: dahl\nset: {sigma0: 3, Fc: 1}\ninput: "turning:-1,1"\nruns:\n  a: {label: same, loop: {}}\n  b: {label: same, set: {Fc: 2}, loop: {}}\n' >twins.yaml
"$BRISTLE" run twins.yaml --out t --no-plots --quiet 2>err || fail "twins: $(cat err)"
has t/report.html '<tr><td>a</td><td>loop</td>'
has t/report.html '<tr><td>b</td><td>loop</td>'
[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
