# SPDX-License-Identifier: Apache-2.0
# 256 kB of stack suffice for every command, pictures and deep texts included.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
if nm -D "$BRISTLE" 2>/dev/null | grep -q __asan_init || ! (ulimit -s 256 && "$BRISTLE" --version >/dev/null); then
  echo "skip: instrumented programs need more stack"
  exit 77
fi
rm -rf stack && mkdir stack && cd stack || exit 1
failures=0
ulimit -s 256
run() {
  local code=$1 got
  shift
  "$BRISTLE" "$@" >out 2>err
  got=$?
  [ "$got" -eq "$code" ] || { echo "FAILED: bristle ${*:0:200}: exit $got: $(head -c 300 err)"; failures=$((failures + 1)); }
}
has() { "$BRISTLE" --version | grep -qE "^ *$1 +yes"; }
plot=() table=()
command -v gnuplot >/dev/null && plot=(--plot p.svg)
has hdf5 && table=(--hdf5 t.h5)
run 0 trace --model lugre --input sine:1mm,1Hz --csv t.csv "${table[@]}" "${plot[@]}"
run 0 trace --model bouc_wen_biaxial --input x:sine:1mm,1Hz --input y:sine:1mm,1Hz "${plot[@]}"
run 0 loop --model maxwell_slip --input bimodal:-1mm,1mm,-0.5mm,1.5mm "${plot[@]}"
run 0 loop --model lugre --input sine:1mm,1Hz --waveform --samples 100
run 0 classify --model dahl
run 0 simulate --model lugre --system chain --t-end 0.1 --csv s.csv "${plot[@]}"
run 0 simulate --model lugre --system pulled_block --t-end 0.1 --solver fixed --dt 1ms
has cvode && run 0 simulate --model lugre --system pulled_block --t-end 0.1 --solver cvode
run 0 phase --model lugre --system pulled_block --vary vp=0.3:0.32
run 0 control --model lugre --system pulled_block --controller pid --reference step:1 --t-end 0.1 "${plot[@]}"
run 0 control --model lugre --system pulled_block --controller pid --reference step:1 --t-end 0.1 --sample 1ms
run 0 export c --model lugre --output x.h
for command in models systems schema help; do run 0 "$command"; done
run 2 trace --model dahl --input "expr:$(printf '(%.0s' $(seq 1 2000))t"
run 2 trace --model dahl --input "expr:$(printf -- '-%.0s' $(seq 1 4000))t"
if has yaml; then
  run 0 new n.yaml
  run 0 run n.yaml --out o --term
  printf '%s' "$(printf '[%.0s' $(seq 1 5000))" >deep.yaml
  run 2 run deep.yaml
  printf 'set:\n%s' "$(for i in $(seq 1 200); do printf '%*sk:\n' "$i" ''; done)" >nested.yaml
  run 2 run nested.yaml
fi
[ "$failures" -eq 0 ]
