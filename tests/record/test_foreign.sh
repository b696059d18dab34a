#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Records in .mat and HDF5 files: the same numbers as from CSV; damaged files are refused and crash nothing.
set -u
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
rm -rf foreign && mkdir foreign && cd foreign || exit 1
exec python3 - "$BRISTLE" "${CI:-}" <<'PY'
import json, random, struct, subprocess, sys
bristle, long = sys.argv[1], bool(sys.argv[2])
parts = subprocess.run([bristle, "--version"], capture_output=True, text=True).stdout
bad = 0

def fail(what):
    global bad
    bad += 1
    print("FAILED:", what)

def ask(spec, *more, model="dahl"):
    return subprocess.run([bristle, "trace", "--model", model, "--input", spec, "--json", *more], capture_output=True,
                          text=True, errors="replace", timeout=120)

n = 40
t = [0.01 * i for i in range(n)]
x = [1e-3 * ((i * 7) % 11) for i in range(n)]
open("run.csv", "w").write("t_s,x_m\n" + "".join(f"{a!r},{b!r}\n" for a, b in zip(t, x)))
want = json.loads(ask("csv:run.csv").stdout)

# ---- MATLAB, version 5: a column vector, a row vector, a structure ----
def element(kind, data):
    return struct.pack("<II", kind, len(data)) + data + b"\0" * (-len(data) % 8)
def matrix(name, rows, columns, values):
    return element(14, element(6, struct.pack("<II", 6, 0)) + element(5, struct.pack("<ii", rows, columns)) +
                   element(1, name.encode()) + element(9, struct.pack(f"<{len(values)}d", *values)))
def structure(name, fields):
    names = b"".join(k.encode().ljust(32, b"\0") for k in fields)
    body = (element(6, struct.pack("<II", 2, 0)) + element(5, struct.pack("<ii", 1, 1)) + element(1, name.encode()) +
            struct.pack("<HHi", 5, 4, 32) + element(1, names))
    return element(14, body + b"".join(matrix("", len(v), 1, v) for v in fields.values()))
head = b"MATLAB 5.0 MAT-file, made by a test".ljust(124) + struct.pack("<HH", 0x0100, 0x4D49)
mat = head + matrix("t_s", n, 1, t) + matrix("x_m", 1, n, x) + matrix("gain", 1, 1, [2.0])
open("run.mat", "wb").write(mat)
open("struct.mat", "wb").write(head + structure("run", {"t_s": t, "x_m": x}))
if any(l.split()[:2] == ["matio", "yes"] for l in parts.splitlines()):
    for name in ("run.mat", "struct.mat"):
        got = ask(f"csv:{name}")
        if got.returncode or any(json.loads(got.stdout)[k] != want[k] for k in "tuF"):
            fail(f"{name}: {got.stderr or 'other numbers than from CSV'}")
    got = ask("csv:run.mat:t,y")
    if got.returncode != 2 or "it has t [s], x [m]" not in got.stderr: fail(f"names of a .mat file: {got.stderr}")
else:
    got = ask("csv:run.mat")
    if got.returncode != 2 or "libmatio" not in got.stderr: fail(f"no libmatio: {got.stderr}")

# ---- HDF5, as the program writes it ----
files = {"run.mat": mat}
made = subprocess.run([bristle, "trace", "--model", "dahl", "--input", "csv:run.csv", "--hdf5", "run.h5", "--quiet"])
if made.returncode == 0:
    got = ask("csv:run.h5:t,u")
    if got.returncode or any(json.loads(got.stdout)[k] != want[k] for k in "tuF"):
        fail(f"run.h5: {got.stderr or 'other numbers than from CSV'}")
    got = ask("csv:run.h5:t,F")
    if got.returncode != 2 or "column 'F' is in N" not in got.stderr: fail(f"unit of an HDF5 column: {got.stderr}")
    files["run.h5"] = open("run.h5", "rb").read()
else: print("no HDF5 in this build")

# ---- damaged: cut off, and with wrong bytes ----
rng = random.Random(7)
for name, data in files.items():
    for k in range(600 if long else 24):
        b = bytearray(data)
        if k % 4 == 0: del b[rng.randrange(16, len(b)):]
        else:
            for _ in range(rng.choice((1, 2, 8, 64))): b[rng.randrange(8 if name.endswith("5") else 20, len(b))] = rng.randrange(256)
        open("bad", "wb").write(b)
        got = ask("csv:bad")
        if got.returncode not in (0, 1, 2) or (got.returncode and "bristle trace:" not in got.stderr):
            fail(f"damaged {name}, {k}: exit {got.returncode}, {got.stderr[:200]}")
print("records from other files:", "ok" if not bad else f"{bad} failed")
sys.exit(bad > 0)
PY
