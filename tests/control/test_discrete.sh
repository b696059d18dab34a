# SPDX-License-Identifier: Apache-2.0
# Poles of a sampled loop in the z plane: with short samples those of the continuous loop, with long ones the verdict of the run.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
python3 - <<'P'
import cmath, json, os, subprocess, sys
SERVO = [os.environ["BRISTLE"], "control", "--system", "mass_spring", "--model", "lugre", "--set", "m=1,ks=0", "--track", "x",
         "--controller", "pid", "--gains", "kp=3,ki=4,kd=6,tf=1e-2"]
def ask(*more):
    got = subprocess.run([*SERVO, *more], capture_output=True, text=True)
    return (json.loads(got.stdout) if got.returncode == 0 and "--json" in more else None), got.stdout + got.stderr
bad = 0
def fail(text):
    global bad
    bad += 1
    print("FAILED:", text)
def sliding(h, *more):
    got, told = ask("--reference", "step:1", "--t-end", "0.05" if h < 0.01 else str(2 * h), "--sample", str(h), "--bode", "b.svg", "--speed", "0.1", "--json", *more)
    if not got: fail(told); sys.exit(1)
    return got["bode"]["sliding"]
if "gnuplot" in subprocess.run([SERVO[0], "--version"], capture_output=True, text=True).stdout:
    b = sliding(1e-5)
    slow = sorted((complex(*p) for p in b["poles"]), key=abs)[:4]
    mine = sorted((cmath.log(complex(*p)) / 1e-5 for p in b["discrete_poles"] if abs(complex(*p)) > 1e-3), key=abs)[:4]
    for s, z in zip(sorted(slow, key=lambda p: (round(abs(p), 2), p.imag)), sorted(mine, key=lambda p: (round(abs(p), 2), p.imag))):
        if abs(s - z) > 2e-2 * abs(s): fail(f"pole {z} of a short sample, {s} of the continuous loop")
    for h, stable in ((0.05, True), (0.2, False)):
        if sliding(h)["stable"] is not stable: fail(f"sample {h} s: stable is {not stable}")
    # an input that comes a whole sample later: the same loop bears less
    most = lambda b: max(abs(complex(*p)) for p in b["discrete_poles"])
    part, whole = (most(sliding(0.05, "--delay", d)) for d in ("0.02", "0.05"))
    if not whole > 1.2 > 1.1 > part > 1.05 > 1 > most(sliding(0.05)): fail(f"delays: largest poles {part}, {whole}")
    _, told = ask("--reference", "ramp:0.1", "--t-end", "60", "--sample", "0.2")
    if "runs away" not in told: fail("the run does not say so: " + told[:200])
    _, told = ask("--reference", "ramp:0.1", "--t-end", "60", "--sample", "0.05")
    if "runs away" in told: fail("a stable loop runs away: " + told[:200])
print("poles of sampled loops:", "ok" if not bad else f"{bad} failed")
sys.exit(bool(bad))
P
