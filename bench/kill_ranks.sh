#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kill_ranks.sh [KILLS] [SEED]: 'kill -9' of one process of a sweep at random moments (default 10), then the same command again until it
# ends: is the file the one of an undisturbed process, bit for bit?  Once with a process alone, once with two of mpirun.
# Needs build/release/bristle (or BRISTLE), with mpirun for the second half.
set -u
cd "$(dirname "$0")/.." || exit 1
B=$(realpath "${BRISTLE:-build/release/bristle}"); kills=${1:-10}; RANDOM=${2:-18}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work" || exit 1
Q=(sweep --preset doc1 --grid sigma1=20:200:40,vp=0.3:6:50 --t-end 40 --measure v_max,period,regime --engine lanes --block 10 --threads 1 --quiet)
"$B" "${Q[@]}" --out one.csv || exit 1
start=$(date +%s%N); "$B" "${Q[@]}" --out again.csv; took=$(( ($(date +%s%N) - start) / 1000000 ))
cmp one.csv again.csv || exit 1
echo "undisturbed: $(wc -l <one.csv) lines in $took ms"
faults=0
campaign() { # NAME COMMAND...
  local name=$1 hit=0 rounds=0; shift
  rm -rf k.csv k.csv.journal
  while [ $hit -lt "$kills" ]; do
    "$@" "$B" "${Q[@]}" --out k.csv >/dev/null 2>&1 & local job=$!
    local wait_ms=$((RANDOM % (took + took / 4 + 20)))
    sleep "$(printf '%d.%03d' $((wait_ms / 1000)) $((wait_ms % 1000)))"
    mapfile -t them < <(pgrep -f -- "$B sweep .*--out k.csv" | grep -vx "$([ "${#@}" -gt 0 ] && echo $job || echo 0)")
    if [ ${#them[@]} -gt 0 ] && kill -9 "${them[$((RANDOM % ${#them[@]}))]}" 2>/dev/null; then hit=$((hit + 1)); fi
    wait $job 2>/dev/null; rounds=$((rounds + 1))
    if [ -e k.csv ]; then # it had ended: judge, begin anew
      cmp -s one.csv k.csv || faults=$((faults + 1))
      rm -rf k.csv k.csv.journal
    fi
  done
  "$@" "$B" "${Q[@]}" --out k.csv >/dev/null 2>&1
  cmp one.csv k.csv || faults=$((faults + 1))
  [ -e k.csv.journal ] && faults=$((faults + 1)) && echo "$name: a journal is left"
  echo "$name: $hit kills in $rounds runs; same file: $(cmp -s one.csv k.csv && echo yes || echo NO)"
}
campaign "one process"
if command -v mpirun >/dev/null; then campaign "mpirun -np 2" mpirun --allow-run-as-root --oversubscribe -np 2; else echo "no mpirun here"; fi
echo "$faults faults"
[ $faults -eq 0 ]
