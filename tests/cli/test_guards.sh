# SPDX-License-Identifier: Apache-2.0
# Guards of the command line, each by what a user would see without it: which files of a folder are studies, where results go,
# lists given twice, words left over, a full disk or no memory, whose fault a failure is.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
dir=$PWD/guards_files
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
. "$BR_SOURCE_DIR/tests/cli/expect.sh"
loop=(loop --model dahl --input turning:-1,1)

expect 2 '--model is given twice' "${loop[@]}" --model lugre
expect 2 '--set 3: starts without NAME=' loop --model maxwell_slip --input turning:-1,1 --set k=1,2 --set 3
expect 2 "unexpected argument 'rest'" "${loop[@]}" rest
expect 2 '--json takes no argument' "${loop[@]}" --json=yes
expect 2 '--csv: empty argument' "${loop[@]}" --csv ''
expect 2 '--model needs an argument' loop --input turning:-1,1 --model --json
expect 2 '--csv - and --json both want standard output' "${loop[@]}" --json --csv -
expect 2 'has dimension m' trace --model dahl --input sine:1,1 --t-end 3mm
expect 0 '' "${loop[@]}" --transient 2 # the older name of --periods
cp out older && expect 0 '' "${loop[@]}" --periods 2 && cmp -s out older || fail 'an older name asks something else'
expect 2 'no study given' run
expect 0 '' models -- lugre
expect 2 "unknown model '--json'" models -- --json
expect 2 'unknown option' models -json
expect 0 '' loop --model --model -h # help wins over mistakes
expect 2 'cannot export' export fortran
expect 2 '--sample = 0 s is out of range: must be > 0' export c --model lugre --sample 0
expect 2 'has dimension m' export c --system pulled_block --model lugre --controller pi --sample 3mm
expect 2 'out of range' trace --model dahl --input sine:1,1 --t-end 1 --dt 0 # what an analysis refuses is bad input,
expect 2 'no reversal' loop --model lugre --input step:1                     # whenever it finds out,
expect 2 'without period' loop --model lugre --input ramp:1
expect 1 '' simulate --system mass_spring --model dahl --cycle              # what it cannot find is not
expect 0 'lies outside its bound' trace --model dahl --set sigma0=1,Fc=1 --input sine:1,1 --t-end 0.1 --init F=1.01
expect 0 '' trace --model dahl --set sigma0=1,Fc=1 --input sine:1,1 --t-end 0.1 --init F=-1
! grep -q 'outside its bound' err || fail "a start at the bound: $(cat err)"
expect 0 'lies outside its bound' trace --model dahl --set sigma0=1,Fc=1 --input sine:1,1 --t-end 0.1 --init F=-1.01
expect 0 '' export c --model lugre --output 2nd-axis.h --quiet
grep -q 'c2nd_axis_step' 2nd-axis.h || fail "a file name with a digit: $(ls)"
if [ -w /dev/full ]; then
  "$BRISTLE" "${loop[@]}" >/dev/full 2>err
  [ $? -eq 1 ] && [ -s err ] || fail "standard output on a full disk: exit $?: $(cat err)"
fi

# A refused request for memory is nobody's mistake: exit 1, never 2.
if ${CC:-cc} -shared -fPIC -o refuse.so "$BR_SOURCE_DIR/tests/campaign/fail_alloc.c" 2>/dev/null &&
  LD_PRELOAD=./refuse.so "$BRISTLE" --version >/dev/null 2>&1; then
  refused=0
  for k in $(seq 2 4 78); do # from the setting up of the program to the answer
    LD_PRELOAD=./refuse.so BR_FAIL_AT=$k BR_FAIL_LAST=$k "$BRISTLE" "${loop[@]}" --set sigma0=5 >out 2>err
    code=$?
    [ $code -le 1 ] || fail "no memory for request $k: exit $code: $(cat err)"
    refused=$((refused + code))
  done
  [ $refused -gt 15 ] || fail "$refused of 20 refused requests are told"
fi

if "$BRISTLE" --version | grep -qE '^ *yaml +yes'; then
  # parts ("_") and hidden files are no studies; two studies of one name cannot share a folder
  mkdir many other
  printf 'model: dahl\ninput: "turning:-1,1"\nloop: {}\n' | tee many/b.yaml many/a.yml other/b.yaml many/_part.yaml many/.old.yaml >many/notes.txt
  expect 0 '' run many --no-plots --quiet
  [ "$(ls -d results/many/*/ | tr '\n' ' ')" = 'results/many/a/ results/many/b/ ' ] || fail "studies of a folder: $(ls -d results/many/*/)"
  expect 0 '' run many/a.yml other/b.yaml --no-plots --quiet
  [ -d results/studies/b ] || fail "results of several files: $(ls results)"
  expect 2 'have the same name' run many other --no-plots --quiet --out twice
  [ ! -e twice ] || fail 'a folder was made all the same'
  mkdir none && expect 2 "folder 'none' has no study files" run none
  expect 2 'both want standard output' run many --index - --json
  expect 2 'standard output is none' run many --out -
fi
# Ctrl-C is heard by the work itself, not only by the clock that ends what does not listen: here that clock stands still.
# heard ARGUMENTS...: a call that would take hours
heard() {
  local code
  LD_PRELOAD=./still.so "$BRISTLE" "$@" >/dev/null 2>err &
  local pid=$!
  sleep 0.4
  kill -INT $pid 2>/dev/null && kill -TERM $pid 2>/dev/null || fail "$*: ends by itself: $(cat err)" # two at once are one
  for _ in $(seq 200); do kill -0 $pid 2>/dev/null && sleep 0.05 || break; done
  kill -9 $pid 2>/dev/null && fail "$*: Ctrl-C is not heard"
  wait $pid 2>/dev/null
  code=$?
  [ $code -eq 130 ] && grep -q interrupted err || fail "$*: exit $code: $(cat err)"
}
echo 'int setitimer(int w, const void *n, void *o) { return (void)w, (void)n, (void)o, 0; }' >still.c
if ${CC:-cc} -shared -fPIC -o still.so still.c 2>/dev/null && LD_PRELOAD=./still.so "$BRISTLE" --version >/dev/null 2>&1; then
  heard trace --model bouc_wen --input sine:1,1 --t-end 1e8 --dt 1e-3
  printf 'model: bouc_wen\ninput: sine:1,1Hz\ntrace: {t-end: 100000000 s, dt: 1 ms}\n' >endless.yaml
  # at a terminal gnuplot gets the signal too, and its end is no failure then
  mkdir bin && printf '#!/bin/sh\necho $$ >plotter.new && mv plotter.new plotter && exec sleep 60\n' >bin/gnuplot && chmod +x bin/gnuplot
  PATH=$PWD/bin:$PATH LD_PRELOAD=./still.so "$BRISTLE" "${loop[@]}" --plot p.svg >/dev/null 2>err &
  pid=$!
  for _ in $(seq 200); do [ -e plotter ] && break || sleep 0.02; done
  kill -INT $pid && kill "$(cat plotter)"
  wait $pid
  code=$?
  [ $code -eq 130 ] && grep -q interrupted err || fail "gnuplot hears Ctrl-C: exit $code: $(cat err)"
  if "$BRISTLE" --version | grep -qE '^ *yaml +yes'; then heard run endless.yaml --out endless --quiet; fi
fi
cd ..
[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
rm -rf "$dir"
