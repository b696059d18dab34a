# SPDX-License-Identifier: Apache-2.0
# Ctrl-C and SIGTERM: every command ends at once with 130, says so, and leaves neither files nor folders behind.
# Each line would take longer than ten seconds.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}" "${BR_SOURCE_DIR:?}"
. "$BR_SOURCE_DIR/tests/cli/expect.sh"
dir=$PWD/stop_test
rm -rf "$dir" && mkdir -p "$dir/tmp" "$dir/work" && cd "$dir/work" || exit 1
export TMPDIR=$dir/tmp
has() { "$BRISTLE" --version | grep -qE "^ *$1 +yes"; }
yaml=0 gnuplot=0
has yaml && yaml=1
command -v gnuplot >/dev/null && gnuplot=1
most=500 # ms that an answer may take
[ "${BR_SLOW:-0}" = 0 ] || most=5000

# The time of an answer is what the process still uses of a processor, or the clock where that is less: a loaded machine
# may let it wait, and the clock alone is asked for no more than three seconds.
cpu() { awk '{ print ($14 + $15) * 10 }' "/proc/$1/stat" 2>/dev/null || echo 0; }
now() { echo $((${EPOCHREALTIME/./} / 1000)); }

# await PID FROM: wait for its end, three seconds at most; sets code and took
await() {
  while kill -0 "$1" 2>/dev/null && [ $(($(now) - $2)) -lt $((6 * most)) ]; do sleep 0.01; done
  took=$(($(now) - $2))
  kill -KILL "$1" 2>/dev/null
  wait "$1" 2>/dev/null
  code=$?
}

# stops SIGNAL MS ARGUMENTS...: start, let it use MS of a processor, send; it must be at work then
stops() {
  local signal=$1 work=$2 pid code from used=0 took
  shift 2
  "$BRISTLE" "$@" >../out 2>../err </dev/null &
  pid=$!
  from=$(now)
  while kill -0 "$pid" 2>/dev/null && [ "$used" -lt "$work" ] && [ $(($(now) - from)) -lt 20000 ]; do
    sleep 0.01
    used=$(cpu "$pid")
  done
  kill -0 "$pid" 2>/dev/null || { wait "$pid"; fail "bristle $*: ended by itself with $? ($(head -1 ../err))"; return; }
  from=$(now)
  kill -"$signal" "$pid"
  while kill -0 "$pid" 2>/dev/null && [ $(($(now) - from)) -lt $((6 * most)) ] &&
    [ $(($(cpu "$pid") - used)) -le "$most" ]; do sleep 0.01; done
  took=$(($(now) - from))
  if kill -0 "$pid" 2>/dev/null; then
    kill -KILL "$pid"
    wait "$pid" 2>/dev/null
    fail "bristle $*: no answer to SIG$signal within $took ms"
    rm -rf ./* "${TMPDIR:?}"/*
    return
  fi
  wait "$pid"
  code=$?
  [ "$code" -eq 130 ] || fail "bristle $*: exit $code, expected 130 ($(head -1 ../err))"
  grep -q "^bristle $1: interrupted" ../err || fail "bristle $*: does not say that it was interrupted: $(cat ../err)"
  [ ! -s ../out ] || fail "bristle $*: printed on stdout although it was interrupted"
  [ -z "$(ls -A .)" ] || fail "bristle $*: leaves $(ls -A .)"
  [ -z "$(ls -A "$TMPDIR")" ] || fail "bristle $*: leaves $(ls -A "$TMPDIR") in TMPDIR"
  rm -rf ./* "${TMPDIR:?}"/*
}

block=(--system driven_block --model lugre --set m=1,Fc=1,Fs=5,vs=2,delta=2,sigma0=5,sigma2=1.6)
pulled=(--system pulled_block --model lugre
  --set m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1)
servo=(--system mass_spring --model lugre --set m=1,ks=0 --track x --controller pid --gains kp=3,ki=4,kd=6,tf=1e-3
  --reference step:1)

stops INT 50 trace --model bouc_wen --input sine:1,1 --t-end 1e6 --csv t.csv
stops TERM 50 trace --model dahl --input sine:1,1 --t-end 1e12 --dt 1e9
stops INT 50 trace --model bouc_wen --input chirp:1,1,1e6,1e6 --t-end 1e6 --dt 1e6
stops TERM 50 loop --model bouc_wen --input sine:1,1 --samples 1000000 --csv l.csv
stops INT 50 loop --model bouc_wen --input sine:1,1 --waveform --samples 1000000 --csv l.csv
stops TERM 50 loop --model bouc_wen --set eta=1.5 --input sine:1,1 --filter 100 --scales 1,10
stops INT 50 loop --model bouc_wen --input sine:1,1 --periods 1000 --samples 1000000
stops INT 50 classify
stops TERM 50 phase "${block[@]}" --set F=5.704,sigma1=8.25 --vary sigma2=1.2:2
stops INT 50 simulate "${pulled[@]}" --set vp=2 --t-end 1e6 --csv s.csv
stops TERM 50 simulate --system mass_spring --model dahl --input sine:1N,0.016Hz --t-end 1e9 --solver fixed
stops INT 50 control "${servo[@]}" --t-end 1e6
stops TERM 50 control --compare
stops INT 50 control "${pulled[@]}" --controller pi --gains kp=1,ki=1 --tune all --reference step:1 --t-end 5 \
  --sample 1ms --limit u=50
if [ "$gnuplot" = 1 ]; then
  stops INT 50 control "${servo[@]}" --t-end 50 --map m.svg --vary ki=1:10 --vary2 Fs/Fc=1.2:2 --grid 30
fi
if [ "$gnuplot$yaml" = 11 ]; then
  stops INT 250 phase "${block[@]}" --set F=5.704 --vary F=5.6:5.8 --vary2 sigma2=1:2 --map m.svg --grid 400
  stops TERM 250 phase "${block[@]}" --set F=5.704 --vary F=1:8 --hopf m.svg --grid 2000
fi

# --- what does not ask for signals is ended all the same: here a reader that does not read ---------------------------
mkfifo ../pipe
exec 9<>../pipe
"$BRISTLE" trace --model dahl --input sine:1,1 --t-end 100 --csv - >../pipe 2>../err &
pid=$!
sleep 0.5 # the pipe is full now
from=$(now)
kill -INT "$pid"
await "$pid" "$from"
exec 9>&-
[ "$code" -ne 0 ] && [ "$took" -lt $((4 * most)) ] || fail "a full pipe: exit $code after $took ms"

# --- gnuplot does not end: neither files nor the folder of tables stay, after one signal or two ----------------------
# hangs SIGNALS ARGUMENTS...: a call that waits for gnuplot
hangs() {
  local signals=$1
  shift
  PATH=$dir/bin:$PATH "$BRISTLE" "$@" 2>../err >../out &
  pid=$!
  for _ in $(seq 200); do [ -e ../drawing ] && break; sleep 0.02; done
  [ -e ../drawing ] || fail "bristle $*: gnuplot was not started"
  from=$(now)
  kill -INT "$pid"
  [ "$signals" = 1 ] || { sleep 0.25 && kill -INT "$pid"; }
  await "$pid" "$from"
  [ "$code" -eq 130 ] && [ "$took" -lt $((3 * most)) ] || fail "waiting for gnuplot: exit $code after $took ms"
  [ "$signals" = 2 ] || grep -q "bristle $1: interrupted, no file was written" ../err || fail "says $(cat ../err)"
  [ -z "$(ls -A .)" ] || fail "waiting for gnuplot: leaves $(ls -A .)"
  [ -z "$(ls -A "$TMPDIR")" ] || fail "waiting for gnuplot: leaves $(ls -A "$TMPDIR") in TMPDIR"
  rm -rf ./* "${TMPDIR:?}"/* ../drawing
}
if [ "$gnuplot" = 1 ]; then
  mkdir ../bin
  printf '#!/bin/sh\n: >"%s/drawing"\nexec sleep 60\n' "$dir" >../bin/gnuplot
  chmod +x ../bin/gnuplot
  hangs 1 loop --model dahl --input sine:1,1 --plot p.svg
  hangs 2 loop --model dahl --input sine:1,1 --plot p.svg
  if [ "$yaml" = 1 ]; then
    hangs 1 phase "${block[@]}" --set F=5.704 --vary sigma1=8:9 --diagram d.svg
    hangs 2 phase "${block[@]}" --set F=5.704 --vary sigma1=8:9 --diagram d.svg
  fi
  # with the table in place the message must not say that there is none
  PATH=$dir/bin:$PATH "$BRISTLE" trace --model dahl --input sine:1,1 --csv c.csv --plot p.svg 2>../err >../out &
  pid=$!
  for _ in $(seq 500); do [ -e ../drawing ] && break; sleep 0.02; done
  kill -INT "$pid"
  await "$pid" "$(now)"
  if [ -e c.csv ]; then grep -q 'interrupted; what is finished stays' ../err; else grep -q 'no file was' ../err; fi ||
    fail "trace --csv --plot with $(ls) says: $(cat ../err)"
  rm -rf ./* ../drawing
fi

# --- runs of a study: what is finished stays, and --resume goes on to the same bits ----------------------------------
if [ "$yaml" = 1 ]; then
  cat >../s.yaml <<'YAML'
title: long
model: dahl
input: sine:1,1
runs:
  short: {trace: {t-end: 3}}
  long: {model: bouc_wen, trace: {t-end: 2000, dt: 0.05}}
YAML
  "$BRISTLE" run ../s.yaml --out ../whole --no-plots --quiet || fail 'the study does not run'
  "$BRISTLE" run ../s.yaml --out ../cut --no-plots --quiet 2>../err &
  pid=$!
  for _ in $(seq 100); do [ -e ../cut/short.json ] && break; sleep 0.02; done
  kill -TERM "$pid"
  await "$pid" "$(now)"
  [ "$code" -eq 130 ] || fail "run: exit $code, expected 130"
  grep -q 'bristle run: interrupted; what is finished stays, --resume goes on' ../err || fail "run says: $(cat ../err)"
  [ -e ../cut/short.json ] && [ ! -e ../cut/long.json ] || fail "run: $(ls -A ../cut)"
  [ -z "$(ls -A ../cut | grep -F .part)" ] || fail 'run: a temporary file is left'
  "$BRISTLE" run ../s.yaml --out ../cut --no-plots --quiet --resume || fail 'run --resume'
  for f in short.csv long.csv; do
    cmp -s "../whole/$f" "../cut/$f" || fail "run --resume: $f differs"
  done
fi

# --- what will take long is named before it begins ------------------------------------------------------------------
# names PART ARGUMENTS...: PART stands on stderr within a moment, while the command works
names() {
  local part=$1
  shift
  : >../err
  "$BRISTLE" "$@" >../out 2>../err </dev/null &
  pid=$!
  for _ in $(seq 300); do { grep -q note: ../err || ! kill -0 "$pid" 2>/dev/null; } && break; sleep 0.01; done
  kill -INT "$pid" 2>/dev/null
  wait "$pid" 2>/dev/null
  grep -qE -- "note: $part" ../err || fail "bristle $*: stderr lacks 'note: $part': $(cat ../err)"
}
names 'about 2e\+12 reversals' trace --model dahl --input sine:1,1 --t-end 1e12 --dt 1e9
names 'about 1e\+12 reversals' trace --model dahl --input chirp:1,1,1e6,1e6 --t-end 1e6 --dt 1e6
names 'about 1e\+11 rows' trace --model dahl --input sine:1,1 --t-end 1e9 --dt 0.01 --csv t.csv
names 'about 1e\+12 steps' simulate --system mass_spring --model dahl --t-end 1e9 --solver fixed
names 'about 3.2e\+07 reversals' simulate --system mass_spring --model dahl --input sine:1N,0.016Hz --t-end 1e9
names 'about 1e\+09 samples' control "${servo[@]}" --sample 1ms --t-end 1e6
names 'about 2e\+09 points' loop --model bouc_wen --input sine:1,1 --periods 1000 --samples 1000000
names 'about 1.2e\+06 runs' control --compare --samples 100000
if [ "$gnuplot" = 1 ]; then
  names 'about 5e\+05 runs' control "${servo[@]}" --t-end 50 --map m.svg --vary ki=1:10 --vary2 Fs/Fc=1.2:2 --grid 500
  names 'about 1e\+06 cells' phase "${block[@]}" --set F=5.704 --vary F=5.6:5.8 --vary2 sigma2=1:2 --map m.svg --grid 1000
  names 'about 2.5e\+07 points' phase "${block[@]}" --set F=5.704 --vary F=1:8 --hopf m.svg --grid 5000
  expect 2 '--grid = 1e9 is out of range' phase "${block[@]}" --set F=5.704 --vary F=1:8 --hopf m.svg --grid 1e9
fi
expect 2 '1e+30 steps' simulate --system mass_spring --model dahl --input sine:1N,1Hz --t-end 1 --solver fixed --dt 1e-30
expect 2 '1e+15 samples' trace --model dahl --input sine:1,1 --t-end 1e12
expect 0 '' trace --model dahl --input sine:1,1 --t-end 10 --quiet
[ ! -s err ] || fail "a short trace says $(cat err)"

[ "$failures" -eq 0 ] && echo "ok"
exit "$((failures > 0))"
