#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is asked of an ensemble against closed forms and single runs, its files by name, parts that do not fit, what launchers
# say that cannot be.
set -u
command -v python3 >/dev/null || { echo "skip: no python3"; exit 77; }
rm -rf work_asks && mkdir work_asks && cd work_asks || exit 1
faults=0
no() { echo "FAIL: $*"; faults=$((faults + 1)); }
B=$BRISTLE
Q=(sweep --system mass_spring --model viscous --set ks=4,sigma2=0.5 --quiet)

# ---- where members start, and from when on they are measured ----
"$B" "${Q[@]}" --list m=1,2 --t-end 4 --init x=1 --transient 0 --measure x_max,x_min --csv a.csv || no "members with a start"
"$B" "${Q[@]}" --list m=1,2 --t-end 4 --init x=1 --transient 3 --measure x_max,x_min --csv b.csv || no "members behind a transient"
"$B" "${Q[@]}" --list m=1,2 --t-end 4 --init x=1 --measure x_max,x_min --csv c.csv || no "members behind the default"
python3 - <<'PY' || no "numbers of members"
import csv, math
def read(name): return [{k.split(" ")[0]: float(v) for k, v in r.items()} for r in csv.DictReader(open(name))]
def x(m, t):
    d = 0.25 / m; w = math.sqrt(4 / m - d * d)
    return math.exp(-d * t) * (math.cos(w * t) + d / w * math.sin(w * t))
for name, t0 in (("a.csv", 0), ("b.csv", 3), ("c.csv", 2)):
    for r in read(name):
        xs = [x(r["m"], t0 + (4 - t0) * i / 20000) for i in range(20001)]
        assert abs(r["x_max"] - max(xs)) < 1e-5 and abs(r["x_min"] - min(xs)) < 1e-5, (name, r, max(xs), min(xs))
PY

"$B" "${Q[@]}" --list m=1,2 --t-end 4 --init x=1 --transient 3 --measure x_max,window.from,window.x_max --csv d.csv || no "a window of members"
python3 - <<'PY' || no "windows of members"
import csv
for r in csv.DictReader(open("d.csv")):
    r = {k.split(" ")[0]: float(v) for k, v in r.items()}
    assert r["window.from"] == 3 and abs(r["window.x_max"] - r["x_max"]) < 1e-5, r
PY

# ---- formulas of what is swept and of other measures; what lanes cannot do ----
"$B" "${Q[@]}" --list m=1,2 --t-end 1 --init x=1 --measure 'x_max,y=x_max*m,v_max' --csv f.csv || no "a formula"
python3 - <<'PY' || no "numbers of a formula"
import csv
for r in csv.DictReader(open("f.csv")):
    r = {k.split(" ")[0]: float(v) for k, v in r.items()}
    assert r["y"] == r["x_max"] * r["m"] and r["x_max"] > 0, r
PY
"$B" sweep --system pulled_block --model lugre --set vp=0.1 --input N:sine:0.1,1Hz,0,1 --list m=1,2 --t-end 1 --engine lanes \
  --csv - >out 2>err && no "lanes with a load that varies"
grep -q 'lanes hold the load' err || no "lanes with a load say: $(cat err)"

# a threshold is of what is measured there, and no matter for a number of a plain run
"$B" "${Q[@]}" --list m=1,2 --t-end 4 --init x=1 --threshold 0.1 --measure x_max,final.x,extremes.x.max --csv g.csv || no "a threshold beside a plain number"
python3 - <<'PY' || no "numbers of plain runs"
import csv
for r in csv.DictReader(open("g.csv")):
    r = {k.split(" ")[0]: float(v) for k, v in r.items()}
    assert r["extremes.x.max"] == 1 and -1 < r["final.x"] < 1, r
PY

# ---- numbers of inputs that are not there ----
"$B" "${Q[@]}" --input sine:1,2Hz --list input.q=1,2 --t-end 1 --csv - >out 2>err && no "a letter that a sine does not have"
grep -q "'input.q'" err || no "a letter that is not there says: $(cat err)"
"$B" "${Q[@]}" --input sine:1,2Hz --list input.9=1,2 --t-end 1 --csv - >out 2>err && no "a ninth number of a sine"

# ---- files: by name; parts that do not fit ----
L=("${Q[@]}" --list m=1,2,3,4 --block 1 --measure x_max)
for name in .csv .h5 x.txt xcsv; do
  "$B" "${L[@]}" --t-end 1 --out "$name" 2>err && no "a file called $name"
  grep -q 'must end in' err || no "a file called $name says: $(cat err)"
done
"$B" merge m.csv 2>err && no "a merge of nothing"
grep -q 'expected OUT SHARD' err || no "a merge of nothing says: $(cat err)"
kinds=csv
"$B" --version --json 2>/dev/null | tr -d ' \n' | grep -q '"name":"hdf5","in":true' && kinds="csv h5"
for H in $kinds; do
  "$B" "${L[@]}" --t-end 4 --out all.$H || no "a file called .$H"
  for i in 1 2 3; do "$B" "${L[@]}" --t-end 4 --shard $i/3 --out p$i.$H || no "part $i ($H)"; done
  "$B" "${L[@]}" --t-end 5 --shard 3/3 --out q3.$H || no "a part of another sweep ($H)"
  "$B" merge m.$H p1.$H p2.$H 2>err && no "a merge without the last part ($H)"
  grep -q 'members 2 to 3 are missing' err || no "a merge without the last part says: $(cat err)"
  "$B" merge m.$H p1.$H p2.$H q3.$H 2>err && no "a merge of two sweeps ($H)"
  grep -q 'not parts of one sweep' err || no "a merge of two sweeps says: $(cat err)"
  [ -e m.$H ] && no "a refused merge leaves a file ($H)"
  "$B" merge m.$H p3.$H p1.$H p2.$H --quiet || no "a merge ($H)"
  cmp all.$H m.$H || no "a merged file is not that of one process ($H)"
  "$B" "${L[@]}" --t-end 4 --shard 1/1 --out p.$H && "$B" merge n.$H p.$H --quiet && cmp all.$H n.$H || no "one part that is all ($H)"
done
case $kinds in *h5)
  "$B" "${L[@]}" --t-end 4 --out all.hdf5 && cmp all.h5 all.hdf5 || no "a file called .hdf5"
  "$B" merge n.h5 m.h5 --quiet && cmp m.h5 n.h5 || no "a merge of a merged file" ;;
esac
sed 's/$/\r/' p2.csv >crlf.csv; "$B" merge n.csv p1.csv crlf.csv p3.csv --quiet && cmp all.csv n.csv || no "a part with other line ends"
# a part in CSV says what it is in its first line, a whole sweep has none; what says nothing is no part
[ "$(head -n 1 all.csv | cut -d, -f1)" = member ] || no "the first line of a sweep: $(head -n 1 all.csv)"
head -n 1 p2.csv | grep -q '^# part of a sweep: first 1, count 1, members 4, ' || no "the first line of a part: $(head -n 1 p2.csv)"
sed 1d p2.csv >bare.csv; sed '1s/question ./question /' p2.csv >short.csv; sed '1s/$/0/' p2.csv >long.csv;
sed '1s/members [0-9]*/members 4.5/' p2.csv >half.csv; sed '1s/members [0-9]*/members nan/' p2.csv >nan.csv; sed '1s/first [0-9]*/first -1/' p2.csv >before.csv; : >empty.csv
for f in bare short long nan half before empty all; do
  "$B" merge x.csv p1.csv $f.csv p3.csv 2>err && no "a merge with $f.csv"
  grep -q "'$f.csv' does not say which part.*--shard I/N --out" err || no "a merge with $f.csv says: $(cat err)"
done
# a part whose columns have other names or units; one that lacks a member in its middle
sed '2s/x_max \[m\]/x_max [mm]/' p2.csv >unit.csv; sed '2s/x_max/x_min/' p2.csv >name.csv
for f in unit name; do
  cmp -s p2.csv $f.csv && no "$f.csv is no other part"
  "$B" merge x.csv p1.csv $f.csv p3.csv 2>err && no "a merge with $f.csv"
  grep -q 'not parts of one sweep' err || no "a merge with $f.csv says: $(cat err)"
done
"$B" "${L[@]}" --t-end 4 --shard 1/2 --out h1.csv && "$B" "${Q[@]}" --list m=1,2,3,4,5,6 --block 1 --measure x_max --t-end 4 --shard 1/1 --out whole.csv
sed '5d' whole.csv >hole.csv; "$B" merge x.csv hole.csv 2>err && no "a part that lacks a member"
grep -q "'hole.csv' lacks member 2" err || no "a part that lacks a member says: $(cat err)"
"$B" merge x.csv p1.csv p2.csv none.csv 2>err; [ $? -eq 1 ] || no "a merge with a part that is not there"
[ -e x.csv ] && no "a merge of what is no part leaves a file"

# ---- launchers: a rank that cannot be is none ----
PMI_RANK=5 PMI_SIZE=3 timeout 20 "$B" "${L[@]}" --t-end 1 --out r1.csv || no "rank 5 of 3"
PMI_RANK=1x PMI_SIZE=3 timeout 20 "$B" "${L[@]}" --t-end 1 --out r2.csv || no "rank 1x"
PMI_RANK=1 PMI_SIZE=99999999 timeout 20 "$B" "${L[@]}" --t-end 1 --out r3.csv || no "ten million ranks"
"$B" "${L[@]}" --t-end 1 --out r.csv || no "a sweep without a launcher"
for i in 1 2 3; do cmp r.csv r$i.csv || no "a rank that cannot be changes the file ($i)"; done

# ---- endings by kind: only those that came, and why for those that failed ----
"$B" "${Q[@]}" --list m=1,-2,3 --t-end 1 --measure x_max --json >e.json || no "a member that fails"
python3 - <<'PY' || no "endings"
import json
r = json.load(open("e.json"))
assert r["by_status"] == {"ok": 2, "range": 1}, r
assert [(f["member"], f["status"]) for f in r["failures"]] == [(1, "range")], r
PY

# ---- points: a row each, numbered from 1 ----
"$B" "${Q[@]}" --list m=1,2 --input sine:1,1Hz --t-end 20 --strobe 1s --points 3 --measure x_max --csv p.csv || no "points"
python3 - <<'PY' || no "numbers of points"
import csv
rows = [{k.split(" ")[0]: float(v) for k, v in r.items()} for r in csv.DictReader(open("p.csv"))]
names = list(rows[0])
assert [r[names[2]] for r in rows] == [1, 2, 3, 1, 2, 3], rows
PY

exit $((faults > 0))
