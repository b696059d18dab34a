# SPDX-License-Identifier: Apache-2.0
# Friction in MuJoCo's joints: one wheel follows 'bristle simulate', at first order in the step; an arm of two links is held
# by friction off the vertical.
set -euo pipefail
here=$BR_SOURCE_DIR/targets/mujoco
if ! [ -e /usr/include/mujoco/mujoco.h ]; then
  echo "skip: no libmujoco-dev (installed with CI=1)"
  exit 77
fi
lib=$BR_BUILD_DIR/libbristle.so
build() {
  "${CC:-cc}" -O2 -Wall -Wextra -Werror -I"$BR_SOURCE_DIR/include" -I"$BR_BUILD_DIR/generated/include" "$here/$1.c" "$here/bristle_mujoco.c" \
    "$lib" -Wl,-rpath,"$BR_BUILD_DIR" -lmujoco -lm -o "$1"
}
build one_joint
build two_link
one() { # MODEL SET LARGEST
  local model=$1 set=$2 want got off
  want=$("$BRISTLE" simulate --system mass_spring --model "$model" --set "m=1,ks=2,$set" --init v=1 --t-end 2 --json |
    python3 -c 'import json, sys; f = json.load(sys.stdin)["final"]; print(repr(f["x"]), repr(f["v"]))')
  for step in 2e-4 1e-4; do
    got=$(./one_joint "$here/wheel.xml" "$model" "$set" 1 2 $step)
    off=$(python3 -c 'import sys; a = list(map(float, sys.argv[1:])); print(max(abs(a[0] - a[2]), abs(a[1] - a[3])))' $want $got)
    echo "$model at $step s: off by $off (rad, rad/s)"
    [ $step = 2e-4 ] && coarse=$off
  done
  python3 - "$coarse" "$off" "$3" <<'PY'
import sys
coarse, fine, largest = map(float, sys.argv[1:])
assert fine < largest, "too far off"
assert 1.6 < coarse / fine < 2.5, "not of first order"
PY
}
one lugre sigma0=1000,sigma1=10,sigma2=0.1,Fc=0.2,Fs=0.3,vs=0.05 1e-3
one maxwell_slip k=20,40,Delta=10mm,20mm 1e-3
one gms k=200,300,alpha=0.4,0.6,Fc=0.2,Fs=0.3,vs=0.05 1e-3
./two_link "$here/arm.xml" 10 | tee arm.txt
python3 - <<'PY'
words = open("arm.txt").read().split()
angle, speed = float(words[3]), float(words[5])
assert abs(speed) < 1e-5 and 0.01 < abs(angle) < 1, "friction does not hold the arm off the vertical"
PY
