#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# On a screen of 40 columns no line is wider, but for words that are; what programs read is the same on every screen.
set -uo pipefail
. "$BR_SOURCE_DIR/tests/cli/expect.sh"
export LC_ALL=C.UTF-8
narrow() {
  COLUMNS=40 "$BRISTLE" "$@" >out 2>err </dev/null || fail "bristle $*: $(cat err)"
  python3 - "$*" <<'PY' || failures=$((failures + 1))
import sys
wide = [l for l in open("out", encoding="utf-8").read().split("\n") if len(l) > 40 and " " in l.strip()]
if wide: print(f"FAILED: bristle {sys.argv[1]}: {len(wide)} lines over 40 columns: {wide[0]}")
sys.exit(1 if wide else 0)
PY
}
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
for c in models systems analyses presets 'models lugre' 'systems chain' 'analyses loop' explain --help \
  'trace --model dahl --input sine:1mm,1Hz' 'loop --model lugre --input bimodal:0,1,0.5,1.5' 'classify --model dahl' \
  'simulate --preset doc1 --set vp=2 --t-end 2 --cycle' 'steady --model lugre' 'control --help' 'trace --help' \
  'control --system mass_spring --model lugre --set m=1,ks=0 --track x --controller pid --reference step:1 --t-end 1'; do
  # shellcheck disable=SC2086
  narrow $c
done
for c in 'trace --model dahl --input sine:1mm,1Hz --json' 'trace --model dahl --input sine:1mm,1Hz --csv -' 'schema' 'completion bash' \
  'help trace --man'; do
  # shellcheck disable=SC2086
  COLUMNS=40 "$BRISTLE" $c >one 2>/dev/null && "$BRISTLE" $c | cmp -s - one || fail "$c changes with the screen"
done
COLUMNS=40 expect 2 "did you mean 'lugre'" models lugr
echo "$failures failures"
[ "$failures" -eq 0 ]
