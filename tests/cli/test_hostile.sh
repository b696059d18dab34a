# SPDX-License-Identifier: Apache-2.0
# Names, labels and headings of a stranger: nothing of them is run, nothing reaches the terminal as a command.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}" "${BR_SOURCE_DIR:?}"
rm -rf hostile && mkdir hostile && cd hostile || exit 1
. "$BR_SOURCE_DIR/tests/cli/expect.sh"
has() { "$BRISTLE" --version | grep -qE "^ *$1 +yes"; }
esc=$'\x1b' csi=$'\xc2\x9b'

# Bytes that a terminal obeys, in what the last command printed (line ends are its own).
clean() {
  if LC_ALL=C grep -qaP '[\x00-\x08\x0b-\x1f\x7f\x80-\x84]\[|\x1b|\x07|\xc2[\x80-\x9f]' out err; then
    fail "$*: control characters reach the terminal: $(cat -v out err | head -3)"
  fi
}

# ---- messages: the name is there, escaped ----
for name in "${esc}[31mred" "${esc}]0;title"$'\x07' "${csi}2J" $'a\nb'; do
  shown=$(printf '%s' "$name" | LC_ALL=C sed 's/\x1b/\\x1b/g; s/\x07/\\x07/g; s/\xc2\x9b/\\xc2\\x9b/g; :a;N;$!ba;s/\n/\\x0a/g')
  expect 2 "$shown" "$name" && clean command
  expect 2 "$shown" trace --model "$name" --input sine:1mm,1Hz && clean --model
  expect 2 "$shown" trace --model dahl --input "$name:1" && clean --input
  expect 2 "$shown" trace --model dahl --set "$name=1" --input sine:1mm,1Hz && clean --set
  expect 2 "$shown" trace --model dahl --input "csv:$name" && clean "csv file"
  expect 2 "$shown" trace "--$name" && clean option
  expect 2 "$shown" simulate --model dahl --system "$name" && clean --system
  expect 2 "$shown" models "$name" && clean models
  expect 1 "$shown" trace --model dahl --input sine:1mm,1Hz --csv "nowhere/$name" && clean --csv
  printf 't,%s\n0,0\n1,1\n' "${name//$'\n'/$'\x01'}" >heading.csv
  expect 2 "control character" trace --model dahl --input csv:heading.csv && clean heading
  if has yaml; then
    mkdir -p study && printf 'model: nothing\ntrace: {}\n' >"study/$name.yaml"
    expect 2 "$shown.yaml:1:8" run "study/$name.yaml" && clean "study file"
    printf '"%s": 1\n' "\\e[31m" >key.yaml
    expect 2 '\x1b[31m' run key.yaml && clean "YAML key"
    rm -rf study
  fi
done

# ---- a summary shows the input that was asked for ----
printf 't,u\n0,0\n1,1\n' >"${esc}[31m.csv"
expect 0 "" trace --model dahl --input "csv:${esc}[31m.csv" && clean summary
grep -qF '\x1b[31m.csv' out || fail "summary: the name is not shown"
rm -f "${esc}[31m.csv"

# ---- a byte order mark, as editors on Windows write it, and their line ends ----
if has yaml; then
  printf '\xef\xbb\xbfmodel: dahl\r\ninput: sine:1mm,1Hz\r\ntrace: {}\r\n' >mark.yaml
  expect 0 "" run --check mark.yaml
fi

if ! command -v gnuplot >/dev/null; then
  echo "skip: no gnuplot"
  [ "$failures" -eq 0 ] && exit 77
  exit 1
fi

# ---- --plot: any name that can be shown is a file name, nothing else ----
mkdir plot && cd plot || exit 1
for name in '<touch pwned' '|touch pwned;:' '`touch pwned`' "it's" "'';x" 'a "b"' '-x' '~' '$x' 'sp ace ä' 'x\' '%d' '#' '@x'; do
  expect 0 "" trace --model dahl --input sine:1mm,1Hz --plot "$name.svg"
  for e in svg gp dat; do [ -s "$name.$e" ] || fail "--plot '$name.svg': no $name.$e"; done
  [ -e pwned ] || [ -e pwned.dat.part ] && fail "--plot '$name.svg' ran a command"
  # the script that stays draws the same again
  mv "./$name.svg" first.svg && gnuplot -d "./$name.gp" 2>err && cmp -s first.svg "./$name.svg" || fail "redraw $name: $(cat err)"
  rm -f ./*
done
for name in $'<touch\tpwned' $'|touch\tpwned;:' $'a\nsystem "touch pwned"\n' $'\xff'; do
  expect 2 "control characters" trace --model dahl --input sine:1mm,1Hz --plot "$name.svg" && clean --plot
done
[ -z "$(find . -name '*pwned*')" ] || fail "--plot ran a command"
cd ..

# ---- pictures of phase are made in memory: no TMPDIR is needed; no gnuplot is told before anything is computed ----
block=m=1,F=5.704,Fc=1,Fs=5,vs=2,delta=2,sigma0=5,sigma2=1.6
(export TMPDIR=/nonexistent && "$BRISTLE" phase --system driven_block --model lugre --set $block \
  --vary F=4:6 --vary2 sigma2=1:2 --map m.svg --grid 3 --events no --quiet >out 2>err) && [ -s m.svg ] ||
  fail "phase --map without a TMPDIR: $(cat err)"
(export PATH=/nonexistent && /usr/bin/timeout 20 "$BRISTLE" phase --system driven_block --model lugre --set $block \
  --vary F=0.1:8 --vary2 sigma2=1:2 --map n.svg --grid 400 >out 2>err)
[ $? -eq 1 ] && grep -q gnuplot err || fail "phase --map without gnuplot: $(cat err)"

# ---- ~/.gnuplot has no say ----
mkdir home && echo "set title 'mine'; set print 'touched'; print 'x'" >home/.gnuplot
(HOME=$PWD/home && export HOME && "$BRISTLE" trace --model dahl --input sine:1mm,1Hz --plot home/p.svg --quiet) ||
  fail "with a ~/.gnuplot"
[ ! -e home/touched ] && [ ! -e touched ] || fail "~/.gnuplot was read"

# ---- labels, units and headings of a study come out as they are ----
if has yaml; then
  cat >labels.yaml <<'END'
title: "{/Symbol a}^2 x_1 @a `touch pwned` <script>alert(1)</script> & %d"
about: "<b>bold</b> | *x* `code`"
model: dahl
input: sine:1mm,1Hz
runs:
  a: {label: "''; system('touch pwned')", trace: {}}
  b: {label: '"; system("touch pwned"); "', trace: {}}
plots:
  p:
    title: "T {/Symbol a}^2 x_1 @a `touch pwned` %d"
    x: u
    y: F
    xlabel: "'; system('touch pwned'); '"
    ylabel: "\\"
    yunit: "`touch pwned`"
    lines: [{}, {file: in.csv, x: "`touch pwned`", y: "'q'", label: "rgb(0, 114, 178)"}]
END
  printf '`touch pwned`,'"'q'"'\n0,0\n1e-3,1\n' >in.csv
  expect 0 "" run labels.yaml --out results --term --png
  [ -z "$(find . -name '*pwned*')" ] || fail "a label ran a command"
  for text in 'T {/Symbol a}^2 x_1 @a `touch pwned` %d' "'; system('touch pwned'); '" "''; system('touch pwned')" \
    '"; system("touch pwned"); "' 'rgb(0, 114, 178)'; do
    grep -qF ">$text" results/p.svg || fail "p.svg lacks '$text'"
  done
  grep -q '<script>alert\|<b>bold' results/report.html results/report.md && fail "markup of a study is in the report"
  grep -qF '>rgb(0, 114, 178)<' results/report.html || fail "a label that looks like a colour was painted"
  grep -qF '&lt;b&gt;bold&lt;/b&gt; \| \*x\* \`code\`' results/report.md || fail "report.md: 'about' is not escaped"
fi

echo "$failures failures"
[ "$failures" -eq 0 ]
