#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Ensembles: members agree with single runs; one file, however it came about: threads, shards, processes, kills.
set -u
command -v python3 >/dev/null || { echo "skip: no python3"; exit 77; }
rm -rf work && mkdir work && cd work || exit 1
faults=0
no() { echo "FAIL: $*"; faults=$((faults + 1)); }
B=$BRISTLE
BLOCK=(--system pulled_block --model lugre --set m=1,k=2,sigma0=2900,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1)
Q=(sweep "${BLOCK[@]}" --grid sigma1=50:150:6,vp=1:3:10 --t-end 8 --engine solver --quiet)
H=h5; "$B" --version --json 2>/dev/null | tr -d ' \n' | grep -q '"name":"hdf5","in":true' || H=csv

# ---- numbers: those of simulate, and of its cycle ----
"$B" sweep "${BLOCK[@]}" --list sigma1=107 --grid vp=2:3:2 --t-end 30 --transient 10 --rtol 1e-10 \
  --measure v_max,v_min,period,stick_fraction,final.v,v_end,cycle.period,cycle.v_max,cycle.stick_fraction,swing='max(v_max, 0)-v_min' \
  --csv n.csv --quiet || no "a sweep of two members"
python3 - <<'PY' || no "numbers of members"
import csv, sys
rows = list(csv.reader(open("n.csv")))
head = [h.split(" ")[0] for h in rows[0]]
for r in rows[1:]:
    x = dict(zip(head, map(float, r)))
    assert abs(x["v_max"] - x["cycle.v_max"]) < 1e-7, x
    assert abs(x["period"] - x["cycle.period"]) < 1e-6, x
    assert abs(x["stick_fraction"] - x["cycle.stick_fraction"]) < 0.03, x
    assert abs(x["final.v"] - x["v_end"]) < 1e-7, x
    assert x["swing"] > x["v_max"], x
    assert x["status"] == 0
PY

# ---- cost: how far each member is from a record ----
"$B" simulate "${BLOCK[@]}" --set sigma1=107,vp=2 --t-end 10 --rtol 1e-10 --output-dt 0.02 --csv rec.csv --quiet || no "a record"
C=(sweep "${BLOCK[@]}" --list sigma1=80,107 --set vp=2 --t-end 10 --quiet)
"$B" "${C[@]}" --measured v:csv:rec.csv:t,v --measure cost,measured.bias,twice=2*cost --csv c.csv || no "cost"
one=$("$B" simulate "${BLOCK[@]}" --set sigma1=80,vp=2 --t-end 10 --rtol 1e-6 --measured v:csv:rec.csv:t,v --json)
python3 - "$one" <<'PY' || no "cost of members"
import csv, json, sys
one = json.loads(sys.argv[1])["measured"]
a, b = list(csv.DictReader(open("c.csv")))
assert abs(float(a["cost"]) - one["rms"]) < 1e-9 and abs(float(a["measured.bias"]) - one["bias"]) < 1e-9, (a, one)
assert float(a["cost"]) > 1e-2 and float(b["cost"]) < 1e-5 and float(a["twice"]) == 2 * float(a["cost"]), (a, b)
PY
"$B" "${C[@]}" --measure cost --csv - 2>err && no "cost without a record"
grep -q -- '--measured names' err || no "cost without a record says: $(cat err)"
"$B" "${C[@]}" --measured v:csv:rec.csv:t,v --measure v_max --csv - 2>err && no "a record that nothing is compared with"
grep -q "'cost' does" err || no "a record for nothing says: $(cat err)"

# ---- constant exponential steps: those of simulate ----
X=(--preset doc1 --t-end 10 --solver fixed --dt 1e-3)
"$B" sweep "${X[@]}" --list sigma1=80,107 --set vp=2 --measure v_end,l_end,z_end,v_max,steps --transient 3.00005 --csv x.csv --quiet || no "fixed steps"
one=$("$B" simulate "${X[@]}" --set vp=2,sigma1=107 --json)
python3 - "$one" <<'PY' || no "fixed steps of members"
import csv, json, sys
one = json.loads(sys.argv[1])
row = {k.split(" ")[0]: float(v) for k, v in list(csv.DictReader(open("x.csv")))[1].items()}
assert 10001 <= row["steps"] <= 10002, row  # one is cut where measuring begins
assert abs(row["v_max"] - one["extremes"]["v"]["max"]) < 1e-4, (row, one["extremes"])
for k in "vlz":
    assert abs(row[k + "_end"] - one["final"][k]) < 2e-5 * abs(one["final"][k]), (k, row, one["final"])
PY
"$B" sweep "${X[@]}" --list sigma1=80,107 --set vp=2 --measure v_end --transient 3 --csv x.csv --quiet
python3 - "$one" <<'PY' || no "the same steps, other numbers"
import csv, json, sys
row = [float(r["v_end [m/s]"]) for r in csv.DictReader(open("x.csv"))]
assert abs(row[1] - json.loads(sys.argv[1])["final"]["v"]) < 1e-12, row
PY
"$B" sweep "${X[@]}" --list sigma1=80,107 --set vp=2 --measure events --csv - 2>err && no "fixed steps without lanes"
grep -q 'fixed needs vector lanes' err || no "fixed steps without lanes say: $(cat err)"

# ---- one file ----
"$B" "${Q[@]}" --out one.$H --threads 1 || no "one thread"
"$B" "${Q[@]}" --out two.$H --threads 2 --block 7 || no "two threads"
cmp one.$H two.$H || no "threads and blocks change the file"
for i in 1 2 3; do "$B" "${Q[@]}" --out s$i.$H --shard $i/3 || no "shard $i"; done
"$B" merge m.$H s3.$H s1.$H s2.$H --quiet || no "merge"
cmp one.$H m.$H || no "shards change the file"
"$B" merge m2.$H s3.$H s1.$H --quiet 2>err && no "merge without a shard"
grep -q missing err || no "merge says: $(cat err)"
[ -e m2.$H ] && no "half a merge"
"$B" merge m2.$H s1.$H s2.$H s2.$H s3.$H --quiet 2>err && no "merge with a shard twice"
"$B" "${Q[@]}" --out other.$H --shard 1/2 --rtol 1e-5 || no "another shard"
"$B" merge m2.$H other.$H s2.$H s3.$H --quiet 2>err && no "merge of two sweeps"

# ---- vector lanes: the same file in any blocks, the solver's numbers ----
L=(sweep "${BLOCK[@]}" --grid sigma1=20:200:6,vp=0.3:6:15 --t-end 40 --measure v_max,v_min,l_end,period,stick_fraction,regime --quiet)
"$B" "${L[@]}" --out l1.csv --threads 1 --engine lanes || no "lanes"
"$B" "${L[@]}" --out l2.csv --threads 2 --block 7 || no "lanes in small blocks"
cmp l1.csv l2.csv || no "threads and blocks change what lanes compute"
"$B" "${L[@]}" --out l3.csv --engine solver || no "the same by the solver"
python3 - <<'PY' || no "lanes and solver differ"
import csv, math
a, b = ([list(map(float, r)) for r in list(csv.reader(open(f)))[1:]] for f in ("l1.csv", "l3.csv"))
assert len(a) == len(b) == 90
for x, y in zip(a, b):
    for k, (p, q) in enumerate(zip(x, y)):
        assert math.isnan(p) == math.isnan(q) and not abs(p - q) > 1e-4 * (1 + abs(q)), (k, x, y)
PY
# numbers of the mechanism vary from member to member as well
M=(sweep --preset doc1 --set vp=2 --grid m=0.5:2:16,k=1:4:16 --t-end 5 --measure l_end --quiet --threads 1)
for e in lanes solver; do "$B" "${M[@]}" --out "m_$e.csv" --engine $e || no "members with masses of their own by $e"; done
python3 - <<'PY' || no "members share a mechanism"
import csv
a, b = ([float(r[3]) for r in list(csv.reader(open(f"m_{e}.csv")))[1:]] for e in ("lanes", "solver"))
assert len(set(a)) == 256 and all(abs(p - q) < 1e-4 * (1 + abs(q)) for p, q in zip(a, b)), (a, b)
PY
W=(sweep --system mass_spring --model coulomb --set m=1,ks=4,Fc=1,Fs=1.5 --input sine:4N,0.1Hz --grid input.f=0.05:0.6:6,input.A=3:6:2 --t-end 50
   --measure x_max,period,stick_fraction,x_end --quiet)
"$B" "${W[@]}" --engine lanes --out w1.csv && "$B" "${W[@]}" --engine solver --out w2.csv || no "a driven sweep"
head -1 w1.csv | grep -q 'input.f \[Hz\],input.A \[N\]' || no "units of a drive: $(head -1 w1.csv)"
python3 - <<'PY' || no "lanes and solver differ under a drive"
import csv
a, b = ([list(map(float, r)) for r in list(csv.reader(open(f)))[1:]] for f in ("w1.csv", "w2.csv"))
assert len(a) == len(b) == 12 and all((p != p and q != q) or abs(p - q) < 1e-4 * (1 + abs(q)) for x, y in zip(a, b) for p, q in zip(x, y))
PY
"$B" sweep "${BLOCK[@]}" --grid sigma1=1:2:2 --t-end 1 --measure F_max --engine lanes --quiet 2>err && no "lanes measure no force"
grep -q F_max err || no "lanes say: $(cat err)"

# ---- a GPU that is not there is an error where it is asked for, and nothing where it is not; words unless --json ----
S=(sweep "${BLOCK[@]}" --grid sigma1=50:60:2 --set vp=2 --t-end 1)
BRISTLE_CUDA=$PWD/none.so "$B" "${S[@]}" --device gpu >out 2>err && no "a card that is not there"
grep -q 'device gpu.*none.so' err || no "without a card: $(cat err)"
BRISTLE_CUDA=$PWD/none.so "$B" "${S[@]}" --device auto >out 2>err || no "auto without a card: $(cat err)"
grep -q '^pulled_block with lugre: 2 members, 2 ok' out && grep -q 'by lanes on cpu' out || no "in words: $(cat out)"

# ---- killed at several places, and gone on ----
for after in 1 5 23 59; do
  rm -rf k.$H k.$H.journal
  "$B" "${Q[@]}" --out k.$H --threads 1 --block 1 & pid=$!
  until [ "$(stat -c %s k.$H.journal/part-0 2>/dev/null || echo 0)" -ge $((after * 50)) ] || ! kill -0 $pid 2>/dev/null; do :; done
  kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null
  "$B" "${Q[@]}" --out k.$H --block 1 || no "going on after a kill"
  cmp one.$H k.$H || no "a kill changes the file"
  [ -e k.$H.journal ] && no "a journal is left"
done
# what is torn does not count
rm -f k.$H; "$B" "${Q[@]}" --out k.$H --threads 1 --block 1 & pid=$!
until [ "$(stat -c %s k.$H.journal/part-0 2>/dev/null || echo 0)" -ge 500 ] || ! kill -0 $pid 2>/dev/null; do :; done
kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null
if [ -e k.$H.journal/part-0 ]; then
  hit=1
  printf 'x' | dd of=k.$H.journal/part-0 bs=1 seek=100 conv=notrunc 2>/dev/null
  "$B" "${Q[@]}" --out k.$H --rtol 1e-5 2>err; [ $? -eq 2 ] || no "another sweep in a journal"
  grep -q 'another sweep' err || no "another sweep says: $(cat err)"
fi
"$B" "${Q[@]:0:${#Q[@]}-1}" --out k.$H --block 1 >/dev/null 2>err && cmp one.$H k.$H || no "a damaged block"
[ -z "${hit:-}" ] || grep -q 'damaged and computed again' err || no "a damaged block says: $(cat err)"

# ---- processes of a launcher: the first leads ----
rm -rf r.$H
OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 PMIX_NAMESPACE=j1 "$B" "${Q[@]}" --block 1 --out r.$H --json >r1.out & pid=$!
OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 PMIX_NAMESPACE=j1 "$B" "${Q[@]}" --block 1 --out r.$H --json >r0.out || no "rank 0"
wait $pid || no "rank 1"
[ -s r1.out ] && no "rank 1 talks"
grep -q '"members": 60' r0.out || no "rank 0 says: $(cat r0.out)"
cmp one.$H r.$H || no "two processes change the file"
[ -e r.$H.journal ] && no "a journal is left by two processes"
OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 "$B" "${Q[@]}" --out s1.$H --shard 1/3 || no "a shard under a launcher"
# one is killed: the other takes what it had taken
rm -f r.$H
OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 PMIX_NAMESPACE=j2 "$B" "${Q[@]}" --block 1 --out r.$H & first=$!
OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 PMIX_NAMESPACE=j2 "$B" "${Q[@]}" --block 1 --out r.$H & pid=$!
until [ -e r.$H.journal/hello-j2-1 ] || ! kill -0 $pid 2>/dev/null; do :; done
kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null
wait $first || no "the first process without the second"
cmp one.$H r.$H || no "a killed process changes the file"

# ---- members that fail say why, and nobody else notices ----
"$B" sweep --system pulled_block --model lugre --set m=1,k=2,Fc=1,vs=0.1,vp=1 --grid Fs=0.5:1.5:5 --t-end 2 --json >f.json || no "refused members"
grep -q '"range": 2' f.json || no "by_status: $(cat f.json)"
grep -q "Fs" f.json || no "no reason: $(cat f.json)"

# ---- Lyapunov exponents that are known: a damped oscillator -c/2m, a cycle 0 ----
"$B" sweep --system mass_spring --model lugre --set m=1,ks=1,sigma0=1e3,sigma1=0,sigma2=0.2,Fc=1e-6,Fs=1.1e-6 --input sine:1N,0.3Hz \
  --list x=1 --t-end 400 --measure lyapunov --csv y.csv --quiet || no "an exponent"
"$B" sweep --preset doc1 --list vp=1 --t-end 600 --measure lyapunov --csv z.csv --quiet || no "the exponent of a cycle"
awk -F, 'FNR == 2 { want = FILENAME == "y.csv" ? -0.1 : 0; if ($3 - want > 0.01 || want - $3 > 0.01) exit 1 }' y.csv z.csv || no "exponents: $(tail -n 1 y.csv z.csv)"

# ---- points: once a period of the drive ----
"$B" sweep --system mass_spring --model coulomb --set m=1,ks=1,Fc=1,Fs=1.5 --input sine:4N,0.1Hz --grid input.f=0.1:0.2:2 \
  --t-end 100 --points 3 --measure events --csv p.csv --quiet || no "points"
[ "$(wc -l <p.csv)" -eq 7 ] || no "rows of points: $(cat p.csv)"
# a member has several rows, in one file or in shards
P=(sweep "${BLOCK[@]}" --grid vp=1:2:4 --t-end 20 --strobe 2s --points 3 --measure v_max --set sigma1=107 --block 1 --quiet)
"$B" "${P[@]}" --out p0.$H || no "points in a file"
for i in 1 2; do "$B" "${P[@]}" --out p$i.$H --shard $i/2 || no "points in shard $i"; done
"$B" merge pm.$H p2.$H p1.$H --quiet || no "merge of points"
cmp p0.$H pm.$H || no "shards change a file of points"
"$B" merge px.$H p2.$H --quiet 2>err && no "merge of points without a shard"
cut -d, -f4 p.csv | sed -n 2,4p | tr '\n' ' ' | grep -q '^70 80 90 $' || no "times of points: $(cut -d, -f4 p.csv | tr '\n' ' ')"
# a parameter, a state at the start and a drawn number from a file
printf 'member,k [N/m],init.v [mm/s]\n0,2,1000\n1,3,0\n' >f.csv
"$B" sweep "${BLOCK[0]}" pulled_block --model lugre --set m=1,vp=1 --file f.csv --t-end 1e-3 --transient 0 --measure v_max --csv o.csv --quiet || no "a file"
sed -n 2p o.csv | grep -q '^0,2,1,1,0$' || no "values of a file: $(cat o.csv)"

# ---- refusals: exit 2, a reason, no file ----
refuse() { # what it says, words...
  local says=$1; shift
  "$B" sweep "${BLOCK[@]}" "$@" --quiet >/dev/null 2>err; local rc=$?
  [ $rc -eq 2 ] || no "exit $rc: $*"
  grep -q -- "$says" err || no "$* says: $(cat err)"
}
refuse 'nothing is swept' --t-end 1
refuse 'both held' --grid k=1:2:3
refuse 'did you mean' --grid sigma1=1:2:3 --measure v_maxx
refuse 'no number of simulate' --grid sigma1=1:2:3 --measure finl.v
refuse 'h5 or .csv' --grid sigma1=1:2:3 --out map.dat
refuse 'expected I/N' --grid sigma1=1:2:3 --out map.csv --shard 0/4
refuse 'fewer blocks' --grid sigma1=1:2:3 --out map.csv --shard 7/9
refuse 'of dimension m, but is in N s.m' --grid sigma1=1m:2m:3
refuse 'add --out' --grid sigma1=1:2:100000000
refuse 'must end before' --grid sigma1=1:2:3 --t-end 1 --transient 2
refuse 'precision f32: rtol = 1e-06' --grid sigma1=1:2:3 --precision f32 --rtol 1e-6
refuse 'precision f32: the ordinary solver' --grid sigma1=1:2:3 --precision f32 --engine solver
refuse 'made in f64 only' --grid sigma1=1:2:3 --precision f32 --solver fixed
refuse "'nosuch'" --grid nosuch=1:2:3
refuse 'no name for a formula' --grid sigma1=1:2:3 --measure 'a-b=v_max'
many=v_max,$(seq -s, -f 'm%g=v_max' 64)
refuse 'more than 64 measures' --grid sigma1=1:2:3 --measure "$many"
"$B" sweep "${BLOCK[@]}" --list vp=1 --set sigma1=107 --t-end 1 --measure "${many%,*}" --csv many.csv --quiet || no "64 measures"
refuse 'two columns' --grid sigma1=1:2:3 --measure v_max,v_max
refuse 'has no such number' --grid input.9=1:2:3 --input vp:sine:1,1
[ -e map.csv ] || [ -e map.csv.journal ] && no "a refused sweep leaves files"
"$B" "${Q[@]}" --out nowhere/map.csv 2>err; [ $? -eq 1 ] || no "a folder that is not there"
exit $((faults > 0))
