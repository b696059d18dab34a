#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measured records (../shared/data beside the repository, or $BR_SHARED/data): error on unseen data no larger than promised.
set -u
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
data=${BR_SHARED:-$BR_SOURCE_DIR/../shared}/data
[ -d "$data" ] || { echo 'skip: no measured records (BR_SHARED/data)'; exit 77; }
exec python3 - "$BRISTLE" "$data" <<'PY'
import json, subprocess, sys
bristle, data = sys.argv[1:]
SEAL = "--time t_s --position x_mm --force F_N --load p_bar --train 0.15:0.55 --test 0.55:1"
DAMPER = "--time t_s --position x_mm --force F_N --train 1.5s:100s --test 1.5s:100s"
SLIP = "--time t_s --position x_um --force F_N --train 13s:54s --test 13s:54s"
PATH = "--time - --position x --force F --train 0:1 --test 0:1"
CASES = [  # file, options, key, most
    ("pneumatic_seal/O-ring257_1bar.csv", f"--model lugre {SEAL}", "rel_test", 0.0825),
    ("pneumatic_seal/O-ring257_5bar.csv", f"--model lugre {SEAL}", "rel_test", 0.0825),
    ("mr_damper/0V_ensaio1_1.csv", f"--model dahl {DAMPER}", "rel_test", 0.126),
    ("mr_damper/0V_ensaio1_1.csv", f"--model bouc_wen {DAMPER}", "rel_test", 0.093),
    ("mr_damper/0p88V_ensaio1_2_2.csv", f"--model dahl {DAMPER}", "rel_test", 0.107),
    ("mr_damper/0p88V_ensaio1_2_2.csv", f"--model bouc_wen {DAMPER}", "rel_test", 0.093),
    ("microslip/microslip_first60s.csv", f"--model maxwell_slip --elements 4 {SLIP}", "rmse_test", 0.1032),
    ("metal_damper/ufp_damper.csv", f"--model maxwell_slip --elements 6 {PATH}", "rel_test", 0.0366),
]
bad = 0
for file, options, key, most in CASES:
    run = subprocess.run([bristle, "fit", f"{data}/{file}", "--json", *options.split()], capture_output=True, text=True)
    if run.returncode:
        print(f"{file} {options}: {run.stderr}"); bad += 1; continue
    r = json.loads(run.stdout)
    fine = r[key] <= most and r["data"] and all(p["unit"] for p in r["parameters"].values())
    bad += not fine
    print(f"{'ok ' if fine else 'BAD'} {file} {r['model']}: {key} {r[key]:.4g}, at most {most}; {r['seconds']:.2f} s")
sys.exit(bad > 0)
PY
