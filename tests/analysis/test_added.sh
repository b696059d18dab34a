#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# "Add an analysis in 30 minutes", as CONTRIBUTING has it: its file and its line of analyses.def, compiled beside the program's own
# objects, give command, help, man page, JSON, CSV, HDF5, picture, study section with a check, schema and completion.
set -euo pipefail
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
command -v ninja >/dev/null || { echo "skip: no ninja to ask for the compiler's line"; exit 77; }
commands=$BR_BUILD_DIR/compile_commands.json
[ -f "$commands" ] && [ -f "$BR_BUILD_DIR/build.ninja" ] || { echo 'skip: not a build by ninja with its commands'; exit 77; }
rm -rf added && mkdir added && cd added

# The block of CONTRIBUTING that names itself, without the indent of its list.
python3 - "$BR_SOURCE_DIR/CONTRIBUTING.md" >analysis_ratio.c <<'PY'
import sys, textwrap
blocks = [b.split("```")[0] for b in open(sys.argv[1], encoding="utf-8").read().split("```c\n")[1:]]
sys.stdout.write(next(textwrap.dedent(b) for b in blocks if "analysis_ratio.c" in b))
PY
cp -r "$BR_SOURCE_DIR/src/analysis" list
echo 'BRI_ANALYSIS(ratio)' >>list/analyses.def

# Compiled as the build compiles the file that reads the list, linked as it links the program: what stands before the archive wins.
python3 - "$commands" "$BR_SOURCE_DIR" "$BR_BUILD_DIR" "$PWD" <<'PY'
import json, shlex, subprocess, sys
commands, source, build, here = sys.argv[1:]
row = next(r for r in json.load(open(commands)) if r["file"].endswith("src/analysis/catalogue.c"))
words = shlex.split(row["command"])
def compiled(path, output):
    line = words[:words.index("-o")] + ["-o", output, "-c", path]
    subprocess.run([w for w in line if w != "-Werror"] + ["-Werror"], cwd=row["directory"], check=True)
compiled(f"{here}/list/catalogue.c", f"{here}/catalogue.o")
compiled(f"{here}/analysis_ratio.c", f"{here}/ratio.o")
line = subprocess.run(["ninja", "-C", build, "-t", "commands", "bristle"], check=True, capture_output=True, text=True).stdout
link = shlex.split(next(l for l in reversed(line.splitlines()) if " -o bristle " in l))
if "libbristle.a" not in link:
    print("skip: the program is not linked with the archive")
    sys.exit(77)
link = link[:link.index("&&", 2)] if "&&" in link[2:] else link
link = [w for w in link if w not in (":", "&&")]
link[link.index("bristle")] = f"{here}/bristle"
at = link.index("libbristle.a")
subprocess.run(link[:at] + [f"{here}/catalogue.o", f"{here}/ratio.o"] + link[at:], cwd=build, check=True)
PY

fail() { echo "$1"; exit 1; }
ratio=(./bristle ratio --model dahl --input sine:1mm,1Hz)
"${ratio[@]}" --json --csv ratio.csv --hdf5 ratio.h5 >ratio.json
"$BRISTLE" loop --model dahl --input sine:1mm,1Hz --json >loop.json
python3 - <<'PY'
import csv, json
ratio, loop = json.load(open("ratio.json")), json.load(open("loop.json"))
assert ratio["dissipated"] == loop["dissipation"], (ratio, loop["dissipation"])
rows = list(csv.reader(line for line in open("ratio.csv") if not line.startswith("#")))
u, y = ([float(r[rows[0].index(name)]) for r in rows[1:] if r] for name in ("u [m]", "y [N]"))
assert len(u) == 201 and abs(max(u) - 1e-3) < 1e-12, len(u)
swing = sum(abs(b - a) * (abs(p) + abs(q)) / 2 for a, b, p, q in zip(u, u[1:], y, y[1:]))
assert abs(swing - ratio["swing"]) < 1e-12 * swing, (swing, ratio["swing"])
assert 0 < ratio["ratio"] == ratio["dissipated"] / ratio["swing"]
PY
"${ratio[@]}" --csv - --points 50 | grep -vc '^#' >rows
[ "$(cat rows)" -eq 52 ] || fail "a heading and 51 rows are wanted"
! ./bristle ratio --model dahl --input sine:1mm,1Hz --points 1 2>err || fail "one point was taken"
grep -q -- '--points' err || fail "the message does not name the option"
./bristle ratio --help >help && grep -q 'points along the cycle' help || fail "help"
mkdir man && ./bristle help --man-dir man && grep -q 'points along the cycle' man/bristle-ratio.1 || fail "man page"
./bristle analyses --json | python3 -c '
import json, sys
row = next(a for a in json.load(sys.stdin)["analyses"] if a["name"] == "ratio")
assert row["options"][0]["max"] == 1e6 and [r["unit"] for r in row["results"]][:3] == ["J", "J", "1"], row' || fail "catalogue"
./bristle schema >schema.json && grep -q '"ratio"' schema.json || fail "schema"
./bristle completion bash >complete && grep -q '\bratio\b' complete || fail "completion"
if [[ $("$BRISTLE" --version) =~ yaml:?\ *yes ]]; then
  cat >first.yaml <<'YAML'
title: how much of the swing is lost
model: dahl
input: sine:1mm,1Hz
ratio:
check:
  - {quantity: dissipated, value: DISSIPATION, relative: 1e-12}
YAML
  sed -i "s/DISSIPATION/$(python3 -c 'import json; print(repr(json.load(open("loop.json"))["dissipation"]))')/" first.yaml
  ./bristle run first.yaml --out out >study && grep -q '1 of 1 checks agree' study || fail "study"
fi
if command -v gnuplot >/dev/null; then
  "${ratio[@]}" --plot ratio.svg --quiet && grep -q 'displacement u' ratio.svg || fail "picture"
  [ ! -d out ] || [ -s out/ratio.svg ] || fail "picture of the study"
fi
rm -rf list man
