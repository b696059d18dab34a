#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# show.sh: on a machine with a GPU, nvcc, CMake and a C compiler: build everything there and print what docs/sweep.md, targets/cuda/README.md
# and bench/README.md say of the GPU: rates and errors of both builds, bits against the CPU, true stick and elements against the ordinary
# solver, Lorenz' ensemble, f32, hashes of the kernels.
set -euo pipefail
cd "$(dirname "$0")/../.."
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
PATH=$PATH:$(dirname "$nvcc")
export PATH BUILD=${BUILD:-build/gpu}
log=$BUILD/show.log
mkdir -p "$BUILD"
echo "== building ($(nproc) processors, $(nvidia-smi -L | head -1 | cut -d'(' -f1))"
cmake -S . -B "$BUILD" -DCMAKE_BUILD_TYPE=Release -DBR_OPTIONAL=OFF -DBR_NVCC=ON -DBR_BENCH=OFF -DBR_TESTS=OFF >"$log" 2>&1
cmake --build "$BUILD" --parallel "$(nproc)" --target bristle bristle_static cuda >>"$log" 2>&1 || { tail -20 "$log"; exit 1; }
bash targets/cuda/build.sh
B=$PWD/$BUILD/bristle

echo "== 2^20 members of document 1's block, 100 s"
for rtol in 1e-6 5e-6 8e-6; do
  for kind in fast same; do
    echo "-- $kind, rtol $rtol"
    build/cuda/lanes_$kind build/cuda/base.bin "$BUILD/$kind.bin" 1048576 $rtol
    build/cuda/base compare "$BUILD/$kind.bin" $rtol
  done
done

# f32: PAIR MODEL ARGUMENTS...: 1000 members in f32 on the card against the CPU's lanes in f32 (bits) and f64 at 1e-8, then rates of both
single() {
  local name=$1; shift
  "$B" sweep "$@" --members 1000 --precision f32 --device gpu --csv - >"$BUILD/gpu.csv" 2>"$log"
  "$B" sweep "$@" --members 1000 --precision f32 --engine lanes --device cpu --csv - >"$BUILD/lanes.csv"
  "$B" sweep "$@" --members 1000 --rtol 1e-8 --engine lanes --device cpu --csv - >"$BUILD/tight.csv"
  "$B" sweep "$@" --members 1048576 --precision f32 --device gpu --out "$BUILD/f32.csv" --json >"$BUILD/f32.json"
  "$B" sweep "$@" --members 1048576 --rtol 1e-5 --device gpu --out "$BUILD/f64.csv" --json >"$BUILD/f64.json"
  python3 - "$name" "$BUILD" <<'PY'
import csv, json, sys
name, at = sys.argv[1:]
rows = {k: list(csv.DictReader(open(f"{at}/{k}.csv"))) for k in ("gpu", "lanes", "tight")}
same = sum(a == b for a, b in zip(rows["gpu"], rows["lanes"]))
text = []
for key in (k for k in rows["gpu"][0] if "_end" in k):
    exact = [float(r[key]) for r in rows["tight"]]
    off = sorted(abs(float(a[key]) - b) / (max(exact) - min(exact)) for a, b in zip(rows["gpu"], exact))
    text.append(f"{key} median {off[len(off) // 2]:.1e}, 99 % {off[len(off) * 99 // 100]:.1e} of its range")
f32, f64 = json.load(open(f"{at}/f32.json")), json.load(open(f"{at}/f64.json"))
print(f"{name}: f32 ({f32['precision']}, {f32['engine']}) {f32['rate']:.3g} members/s, f64 at rtol 1e-5 {f64['rate']:.3g}; "
      f"{same} of {len(rows['gpu'])} with the bits of the CPU's f32; " + "; ".join(text) + f"; by_status {f32['by_status']}")
PY
}
doc1=(--system pulled_block --model lugre --set m=1,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1 --t-end 100)
echo "== f32, through 'bristle sweep' (files and transfers included)"
single "document 1's block" "${doc1[@]}" --measure v_end --design sobol --random vp=uniform:0.5:3.5,k=uniform:1:4
single "coulomb, pulled block" --system pulled_block --model coulomb --set Fc=3,Fs=4.5 --t-end 50 --measure v_end \
  --design sobol --random vp=uniform:0.1:1,k=uniform:1:4,m=uniform:0.5:2

echo "== kernels alone, f32"
for rtol in 1e-5 2e-5 5e-5; do
  build/cuda/lanes_f32 build/cuda/base32.bin "$BUILD/f32.bin" 1048576 $rtol
  build/cuda/base compare "$BUILD/f32.bin" 1e-6
done

echo "== Lorenz"
build/cuda/lorenz

# pair NAME MEMBERS-OF-THE-SOLVER ARGUMENTS...: 1000 drawn members against the ordinary solver, then rates
pair() {
  local name=$1 few=$2; shift 2
  "$B" sweep "$@" --members 1000 --rtol 1e-8 --device gpu --csv - >"$BUILD/gpu.csv" 2>"$log"
  "$B" sweep "$@" --members 1000 --rtol 1e-8 --engine lanes --csv - >"$BUILD/lanes.csv"
  "$B" sweep "$@" --members 1000 --rtol 1e-10 --engine solver --csv - >"$BUILD/solver.csv"
  "$B" sweep "$@" --members 1048576 --device gpu --out "$BUILD/big.csv" --json >"$BUILD/big.json"
  "$B" sweep "$@" --members "$few" --engine solver --threads 1 --out "$BUILD/few.csv" --json >"$BUILD/few.json"
  python3 - "$name" "$BUILD" <<'PY'
import csv, json, sys
name, at = sys.argv[1:]
rows = {k: list(csv.DictReader(open(f"{at}/{k}.csv"))) for k in ("gpu", "lanes", "solver")}
same = sum(a == b for a, b in zip(rows["gpu"], rows["lanes"]))
off = {}
for a, b in zip(rows["gpu"], rows["solver"]):
    for key in a:
        if "_end" in key and a[key] and b[key]:
            off[key] = max(off.get(key, 0), abs(float(a[key]) - float(b[key])))
big, few = json.load(open(f"{at}/big.json")), json.load(open(f"{at}/few.json"))
print(f"{name}: {len(rows['gpu'])} members, {same} with the CPU's lanes' bits; against the solver "
      + ", ".join(f"{k} {v:.2g}" for k, v in off.items())
      + f"; {big['engine']}: {big['rate']:.3g} members/s, {big['rate'] / few['rate']:.0f} times one core of the solver ({few['rate']:.0f})"
      + f" (want 50); by_status {big['by_status']}")
PY
}
echo "== true stick and elements against the ordinary solver"
drawn=(--design sobol --random)
pair "coulomb, pulled block" 4000 --system pulled_block --model coulomb --set Fc=3,Fs=4.5 --t-end 50 --measure v_end \
  "${drawn[@]}" vp=uniform:0.1:1,k=uniform:1:4,m=uniform:0.5:2
pair "karnopp, pulled block" 4000 --system pulled_block --model karnopp --t-end 50 --measure v_end \
  "${drawn[@]}" vp=uniform:0.1:1,k=uniform:1:4,m=uniform:0.5:2
pair "maxwell_slip (10), mass on a spring under a sine" 1000 --system mass_spring --model maxwell_slip --input sine:4N,0.3Hz \
  --t-end 20 --measure x_end,v_end "${drawn[@]}" input.A=uniform:1:6,system.m=uniform:0.5:2,ks=uniform:1:4
echo "== hashes of the kernels on the GPU"
"$nvcc" -x cu -std=c++17 -arch=native -O3 -fmad=false -w -Xcompiler -ffp-contract=off tests/bits/hash.c -o "$BUILD/hash"
"$BUILD/hash" >"$BUILD/hash.txt"
echo "$(comm -12 <(sort "$BUILD/hash.txt") <(sort tests/bits/golden.txt) | wc -l) of $(wc -l <tests/bits/golden.txt) equal"
