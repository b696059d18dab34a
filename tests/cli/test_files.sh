# SPDX-License-Identifier: Apache-2.0
# Files of the commands: links, pipes and devices as targets; outputs that are inputs; full disks; signals.
# After each call only what was asked for is there, and it is whole.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}" "${BR_SOURCE_DIR:?}"
. "$BR_SOURCE_DIR/tests/cli/expect.sh"
dir=$PWD/files_test
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
has() { "$BRISTLE" --version | grep -qE "^ *$1 +yes"; }
hdf5=0 yaml=0 gnuplot=0
has hdf5 && hdf5=1
has yaml && yaml=1
command -v gnuplot >/dev/null && gnuplot=1
# only NAMES...: nothing else lies in the folder
only() {
  local names
  names=$(ls -A | grep -vxE 'out|err' | sort | tr '\n' ' ')
  [ "$names" = "$(printf "%s\n" "$@" | sed "/^$/d" | sort | tr "\n" " ")" ] || fail "files are '$names', expected '$*'"
}
is_link() { [ -L "$1" ] || fail "$1 is no link any more"; }
ok=(trace --model dahl --input sine:1,1 --t-end 1 --dt 0.01 --quiet)
export=(export c --model lugre --name joint --quiet)
"$BRISTLE" "${ok[@]}" --csv - >../whole.csv || exit 1

# --- standard output by its names ----------------------------------------------------------------------------------
for name in - /dev/stdout /dev/fd/1 /proc/self/fd/1; do
  [ "$name" = - ] || [ -e "$name" ] || continue
  "$BRISTLE" trace --model dahl --input sine:1,1 --t-end 1 --dt 0.01 --csv "$name" >f || fail "--csv $name fails"
  cmp -s f ../whole.csv || fail "--csv $name > f: $(wc -c <f) bytes"
  echo first >f
  "$BRISTLE" "${export[@]}" --output "$name" >>f || fail "--output $name fails"
  [ "$(head -1 f)" = first ] && grep -q lugre f || fail "--output $name >> f"
done
"$BRISTLE" "${ok[@]}" --csv /dev/stdout | cmp -s - ../whole.csv || fail '--csv /dev/stdout into a pipe'
expect 2 'both want standard output' trace --model dahl --input sine:1,1 --csv /dev/stdout --json
expect 2 'cannot go to standard output' "${ok[@]}" --hdf5 -
expect 2 'must end in .svg, .png, .pdf or .tex' "${ok[@]}" --plot -
expect 2 '--man-dir -: the pages need a folder' help --man-dir -
"$BRISTLE" new - >f && grep -q '^model: lugre' f || fail 'new -'
if [ $yaml = 1 ]; then
  "$BRISTLE" new s.yaml >out && mv s.yaml ../index.yaml
  for name in - /dev/stdout; do
    "$BRISTLE" run ../index.yaml --out ../index --no-plots --index "$name" >f || fail "--index $name fails"
    [ "$(head -1 f)" = '# Studies' ] && ! grep -q '^report:' f || fail "--index $name: $(head -1 f)"
    for other in --json --term; do
      expect 2 'both want standard output' run ../index.yaml --out ../index --no-plots --index "$name" $other
    done
  done
  expect 2 '--out -: results need a folder' run ../index.yaml --out -
  rm -rf ../index ../index.yaml
fi
rm -f f && only

# --- links are followed, pipes written through, what was planted stays ---------------------------------------------
mkdir real && echo old >real/t && ln -s real/t t.csv && ln -s t.csv t2.csv && ln -s real/new.h n.h
expect 0 '' "${ok[@]}" --csv t2.csv
cmp -s real/t ../whole.csv || fail 'the file behind two links'
expect 0 '' "${export[@]}" --output n.h
[ -s real/new.h ] || fail 'the file a link leads to is not made'
is_link t.csv && is_link t2.csv && is_link n.h
[ "$(ls real)" = "$(printf 'new.h\nt')" ] || fail "in the folder of the link: $(ls real)"
mkfifo p
for k in 1 2; do
  cat p >got &
  [ $k = 1 ] && expect 0 '' "${ok[@]}" --csv p
  [ $k = 2 ] && expect 0 '' "${export[@]}" --output p
  wait
  [ -p p ] || fail 'a pipe was replaced'
  [ $k = 1 ] && { cmp -s got ../whole.csv || fail 'a table through a pipe'; }
  [ $k = 2 ] && { cmp -s got real/new.h || fail 'a header through a pipe'; }
done
rm -rf real t.csv t2.csv n.h p got
echo mine >victim
for end in csv svg gp dat h5 h; do ln -s victim "x.$end.part" && ln -s victim "x.$end.0.part"; done
planted=$(ls | grep -vxE 'out|err')
expect 0 '' "${ok[@]}" --csv x.csv
expect 0 '' "${export[@]}" --output x.h
[ $hdf5 = 0 ] || expect 0 '' "${ok[@]}" --hdf5 x.h5
if [ $hdf5 = 1 ]; then # the command in a file can be pasted into a shell
  expect 0 '' "${ok[@]}" --hdf5 "it's b.h5"
  grep -aqF -- "--hdf5 'it'\\''s b.h5'" "it's b.h5" || fail 'the command line in a file is not quoted'
  rm -f "it's b.h5"
fi
[ $gnuplot = 0 ] || expect 0 '' "${ok[@]}" --plot x.svg
[ "$(cat victim)" = mine ] || fail 'a planted link let a foreign file be written'
rm -f x.csv x.h x.h5 x.svg x.gp x.dat
[ "$(ls | grep -vxE 'out|err')" = "$planted" ] || fail "planted links are gone: $(ls)"
rm -f victim x.*
if [ $gnuplot = 1 ]; then # three files through links, one into another folder
  mkdir real && ln -s real/y.svg y.svg && ln -s /dev/null y.dat && mkfifo y.gp
  cat y.gp >got &
  expect 0 '' "${ok[@]}" --plot y.svg
  wait
  tail -c 10 real/y.svg | grep -q '</svg>' && grep -q 'set terminal' got || fail 'a picture through links'
  is_link y.svg && is_link y.dat && [ -p y.gp ] || fail 'links of a picture'
  rm -rf real y.* got
fi
only

# --- an output that is an input, or another output: exit 2, nothing computed, nothing written -----------------------
cp ../whole.csv in.csv && cp in.csv keep && ln in.csv hard.csv && ln -s in.csv soft.csv
refused() { expect 2 "$@" && cmp -s in.csv keep || fail "$*: the input is gone"; }
for spec in csv:in.csv:t,u csv:in.csv smooth:in.csv:t,u csv:./hard.csv csv:soft.csv multisine:in.csv; do
  for to in in.csv ./in.csv hard.csv soft.csv "$dir/in.csv" ../files_test/in.csv; do
    refused 'would overwrite' trace --model dahl --input "$spec" --csv "$to"
  done
done
refused 'would overwrite' simulate --system mass_spring --model dahl --input Fe:csv:in.csv:t,u --t-end 1 --csv in.csv
refused 'would overwrite' control --system pulled_block --model lugre --controller pid --gains kp=1 \
  --reference csv:in.csv:t,u --t-end 1 --csv in.csv
for to in csv out; do
  refused 'would overwrite' sweep --system pulled_block --model lugre --set m=1,vp=1 --t-end 0.1 --file in.csv --$to ./in.csv
  refused 'would overwrite' fit in.csv --model dahl --$([ $to = csv ] && echo csv || echo header) soft.csv
done
refused 'both want' "${ok[@]}" --csv a.csv --hdf5 ./a.csv
refused 'both want' "${ok[@]}" --csv a.dat --plot a.svg
refused 'both want' "${ok[@]}" --csv b/../a.gp --plot a.png
refused 'both want' "${ok[@]}" --hdf5 a.svg --plot a.svg
refused 'both want' loop --model dahl --input sine:1,1 --csv a.dat --plot ./a.svg
refused 'both want' phase --system driven_block --model lugre --set m=1,F=5.704 --vary sigma1=0.1:12 \
  --diagram a.svg --portrait a.png
refused 'would overwrite' trace --model dahl --input csv:in.csv:t,u --plot in.svg --csv in.csv
"$BRISTLE" "${ok[@]}" --csv f >f 2>err
[ $? -eq 2 ] && grep -q 'both want' err || fail "--csv f > f: $(cat err)"
rm -f f
only in.csv keep hard.csv soft.csv
if [ $yaml = 1 ]; then
  printf 'title: t\nmodel: dahl\ninput: csv:in.csv:t,u\ntrace: {}\nruns: {in: {}, b: {}}\n' >base.yaml
  printf 'extends: base.yaml\n' >study.yaml && printf 'extends: base.yaml\n' >s2.yaml
  sed 's/in: {}/manifest: {}/' base.yaml >twice.yaml
  printf 'plots: {p: {file: p.dat, x: 1, y: 2}}\n' | cat base.yaml - | sed 's/in: {}/a: {}/' >drawn.yaml
  cp in.csv p.dat
  cp study.yaml study.keep && echo mine >film.part
  printf 'runs:\n  a: {model: dahl, input: "csv:in.csv:t,u", trace: {}}
  b: {system: pulled_block, model: lugre, set: {m: 1, vp: 1}, sweep: {grid: "k=1:2:2", out: in.csv}}\n' >members.yaml
  files=$(ls)
  same() {
    cmp -s study.yaml study.keep && cmp -s in.csv keep && cmp -s p.dat keep || fail "$*: an input is gone"
    [ "$(ls)" = "$files" ] || fail "$*: files are $(ls)"
  }
  expect 2 "which is read" run study.yaml --out . && same 1
  expect 2 "which is read" run s2.yaml --out . && same 2 # its input is the table of a run
  expect 2 "which is read" run s2.yaml --out r --index s2.yaml && same 3
  expect 2 "which is read" run s2.yaml --out r --index ./base.yaml && same 4
  expect 2 "both want" run s2.yaml --out r --index r/report.md && same 5
  expect 2 "both want" run twice.yaml --out r && same 6
  expect 2 "which is read" run drawn.yaml --out . && same 7
  expect 2 "which is read" run s2.yaml twice.yaml --out . --index twice.yaml && same 8
  expect 2 "which is read" run members.yaml --out r && same members
  expect 0 "" run s2.yaml --out . --no-plots --quiet --set sigma0=2 --index list.md --check && same 9
  sed 's/in: {}/a: {}/' base.yaml >fine.yaml
  expect 0 "" run fine.yaml --out . --no-plots --quiet
  [ "$(cat film.part)" = mine ] || fail "a foreign .part file is gone"
  cmp -s in.csv keep || fail 'run --out .: the input is gone'
  rm -f ./*.yaml ./*.json report.* a.csv b.csv film.part study.keep p.dat
fi
only in.csv keep hard.csv soft.csv
rm -f in.csv keep hard.csv soft.csv

# --- a study that is there already stays ------------------------------------------------------------------------------
echo mine >s.yaml && ln -s nowhere.yaml l.yaml
expect 2 'there already' new s.yaml
[ "$(cat s.yaml)" = mine ] || fail 'new replaced a study'
expect 0 '' new l.yaml
[ -s nowhere.yaml ] || fail 'new through a link'
rm -f s.yaml l.yaml nowhere.yaml

# --- a full disk: exit 1 and the reason, nothing left -------------------------------------------------------------------
full() { # full KB ARGUMENTS...
  local kb=$1 got
  shift
  (ulimit -f "$kb" && "$BRISTLE" "$@") 2>&1 >/dev/null </dev/null | cat >err
  got=${PIPESTATUS[0]}
  [ $got -eq 1 ] || fail "full disk at $kb kB: $*: exit $got ($(head -1 err))"
  grep -qiE 'too large|No space|disk full' err || fail "full disk: $*: no reason: $(cat err)"
  only
}
long=(trace --model dahl --input sine:1,1 --t-end 20 --dt 0.001 --quiet)
for kb in 0 4 60 300; do
  full $kb "${long[@]}" --csv x.csv
  [ $hdf5 = 0 ] || full $kb "${long[@]}" --hdf5 x.h5
  [ $hdf5 = 0 ] || full $kb "${long[@]}" --hdf5 x.h5 --csv x.csv
  [ $gnuplot = 0 ] || [ $kb -gt 60 ] || full $kb "${long[@]}" --plot x.svg # thinned, a picture needs less than 300 kB
done
[ $gnuplot = 0 ] || full 20 trace --model dahl --input sine:1,1 --quiet --plot x.svg
[ $gnuplot = 0 ] || full 8 trace --model dahl --input sine:1,1 --t-end 1 --dt 0.01 --quiet --plot x.png
full 4 "${export[@]}" --output x.h
full 0 new x.yaml
mkdir man && (ulimit -f 1 && "$BRISTLE" help --man-dir man) >out 2>err && fail 'man pages on a full disk'
[ -z "$(ls -A man | grep part)" ] && rm -r man || fail "man pages: $(ls -A man)"
if [ $yaml = 1 ]; then
  "$BRISTLE" new s.yaml >out && mv s.yaml ../full.yaml
  for kb in 0 1 20 100; do
    (ulimit -f $kb && "$BRISTLE" run ../full.yaml --out r --quiet $([ $hdf5 = 1 ] && echo --hdf5)) 2>&1 | cat >err
    got=${PIPESTATUS[0]}
    [ $got -eq 1 ] || fail "run on a full disk, $kb kB: exit $got ($(cat err))"
    [ -z "$(ls -A r | grep -E 'part|lock')" ] || fail "run on a full disk leaves $(ls -A r)"
    [ -e r/manifest.json ] && fail 'a failed run has a manifest'
  done
  expect 0 '' run ../full.yaml --out r --quiet --resume
  # freed memory that is still looked at has other bytes in it
  printf 'model: dahl\ninput: sine:1,1\ntrace: {t-end: 2}\nruns: {a: {}, b: {}, c: {}}\n' >three.yaml
  [ $hdf5 = 0 ] || (export MALLOC_PERTURB_=165 && exec "$BRISTLE" run three.yaml --out r --no-plots --hdf5 --quiet) ||
    fail 'HDF5 looks at memory that was freed'
  rm three.yaml
  rm -rf r
fi
[ ! -w /dev/full ] || expect 1 'No space' "${export[@]}" --output /dev/full

# --- what may not be written (root may write everything) ------------------------------------------------------------------
if [ "$(id -u)" -ne 0 ]; then
  echo old >ro.csv && chmod 444 ro.csv
  expect 1 'ermission denied' "${ok[@]}" --csv ro.csv
  [ "$(cat ro.csv)" = old ] || fail 'a read-only file was replaced'
  rm -f ro.csv
  mkdir ro && chmod 555 ro
  expect 1 'ermission denied' "${ok[@]}" --csv ro/x.csv
  expect 1 'ermission denied' "${export[@]}" --output ro/x.h
  expect 1 'ermission denied' new ro/x.yaml
  [ $hdf5 = 0 ] || expect 1 'ermission denied' "${ok[@]}" --hdf5 ro/x.h5
  [ $gnuplot = 0 ] || expect 1 'ermission denied' "${ok[@]}" --plot ro/x.svg
  [ $yaml = 0 ] || expect 1 'ermission denied' run ../full.yaml --out ro
  [ $yaml = 0 ] || expect 1 'ermission denied' run ../full.yaml --out ro/r
  expect 1 'ermission denied' help --man-dir ro
  [ -z "$(ls -A ro)" ] || fail "in a read-only folder: $(ls -A ro)"
  rmdir ro
fi
only

# --- standard output is full or closed: what is printed never lands in a file of ours -------------------------------------
"$BRISTLE" new s.yaml >out && mv s.yaml ..
printing=("${ok[@]/--quiet/--json}" --csv x.csv)
for c in "${printing[*]}" "export c --model dahl" "models --json" "run ../s.yaml --out r --no-plots --json"; do
  [ $yaml = 1 ] || [ "${c#run}" = "$c" ] || continue
  if [ -w /dev/full ]; then
    "$BRISTLE" $c >/dev/full 2>err
    [ $? -eq 1 ] && grep -q 'No space' err || fail "$c >/dev/full: $(cat err)"
  fi
  (exec >&- && "$BRISTLE" $c 2>err)
  [ $? -eq 1 ] && grep -qi 'bad file' err || fail "$c >&-: $(cat err)"
  [ ! -e x.csv ] || cmp -s x.csv ../whole.csv || fail "$c >&-: x.csv is spoilt"
  rm -rf x.csv r
done
rm -f ../s.yaml
only

# --- signals: nothing stays, whether the program answers or is ended by a second one -----------------------------------------
endless=(trace --model bouc_wen --input sine:1,1 --t-end 1e6 --dt 0.001)
faults="SEGV ABRT" # and QUIT, which a shell has ignored in what it starts with "&"
grep -q __asan_init "$BRISTLE" && faults=ABRT # a sanitizer has a handler of its own
for signal in INT TERM HUP 'TERM TERM' PIPE XCPU $faults; do
  "$BRISTLE" "${endless[@]}" --csv x.csv $([ $hdf5 = 1 ] && echo --hdf5 x.h5) >out 2>err &
  pid=$!
  for _ in $(seq 100); do [ -n "$(ls x.csv.* 2>/dev/null)" ] && break || sleep 0.05; done
  [ -n "$(ls x.csv.* 2>/dev/null)" ] || fail "$signal: the run did not start to write"
  for s in $signal; do kill -$s $pid 2>/dev/null; done
  wait $pid
  got=$?
  case $signal in
    PIPE | XCPU | SEGV | ABRT) [ $got -eq $((128 + $(kill -l $signal))) ] || fail "signal $signal: exit $got" ;;
    *) [ $got -eq 130 ] || fail "signal $signal: exit $got, expected 130 ($(cat err))" ;;
  esac
  only
done
# killed for good: the next call into the folder takes away what is left, and nothing else
"$BRISTLE" "${endless[@]}" --csv x.csv >out 2>err &
pid=$!
for _ in $(seq 100); do [ -n "$(ls x.csv.* 2>/dev/null)" ] && break || sleep 0.05; done
kill -9 $pid && wait $pid 2>/dev/null
echo mine >film.part
[ ! -e x.csv ] || fail 'half a file after kill -9'
expect 0 '' "${ok[@]}" --csv y.csv
only y.csv film.part
cd .. && rm -rf "$dir" whole.csv full.yaml
[ $failures -eq 0 ] || { echo "$failures failed"; exit 1; }
