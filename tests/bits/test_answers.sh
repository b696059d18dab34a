#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Same bits everywhere, for whole answers: every example of the catalogue (`bristle analyses --json`) and every other
# command of answers.txt is run, and the hash of what it says (--json, without processor times) and of its table
# (--csv) must be that of the file.  An example that is not in the file is a failure: --update takes it in.
#   test_answers.sh               compare (BRISTLE names the program)
#   test_answers.sh --update      write answers.txt anew (needs a line under Numerics in CHANGELOG.md)
#   test_answers.sh --compilers   build the program with gcc and clang at several levels and compare each (minutes)
set -u
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

if [ "${1:-}" = --compilers ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  bad=0
  for one in "gcc -O0" "gcc -O2" "gcc -O3" "clang -O2" "clang -O3"; do
    cc=${one% *} level=${one#* }
    command -v "$cc" >/dev/null || { echo "skip: $cc is not here"; continue; }
    rm -rf "$work/build"
    cmake -S "$here/../.." -B "$work/build" -G Ninja -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_C_FLAGS_RELEASE="$level -DNDEBUG" >"$work/log" 2>&1 &&
      cmake --build "$work/build" --target bristle --parallel >>"$work/log" 2>&1 || { tail -5 "$work/log"; bad=1; continue; }
    (cd "$work" && BRISTLE=$work/build/bristle bash "$here/test_answers.sh" >"$work/log" 2>&1) || bad=1
    sed "s/^/$one: /" "$work/log"
  done
  exit $bad
fi

[ -x "${BRISTLE:-}" ] || { echo "BRISTLE does not name the program"; exit 1; }
rm -rf answers && mkdir answers && cd answers || exit 1
exec python3 - "$BRISTLE" "$here/answers.txt" "${1:-}" <<'PY'
import hashlib, json, os, resource, shlex, subprocess, sys
bristle, golden, update = sys.argv[1], sys.argv[2], sys.argv[3] == "--update"
SLOW = 10.0  # s of processor time: such an example is named in the file, but not run

def used():
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime

def digest(data): return hashlib.sha256(data).hexdigest()[:16]

def bare(line):
    """The words of a command, without its own files and --json."""
    words, out, skip = shlex.split(line), [bristle], False
    for word in words[1:]:
        if skip: skip = False
        elif word in ("--csv", "--plot", "--hdf5", "--diagram"): skip = True
        elif word not in ("--json", "--quiet"): out.append(word)
    return out

def without_times(x):
    """Numbers stay as they are written; what is measured on a clock goes."""
    if isinstance(x, dict): return {k: without_times(v) for k, v in x.items() if k.split("_")[-1] != "seconds"
                                    and not ("engine" in x and k in ("rate", "threads"))}
    return [without_times(v) for v in x] if isinstance(x, list) else x

def answer(line, has_table=True):
    """(hash of --json, hash of --csv, or of the table.csv that the command itself makes, or '-'); None where it does not
    run.  What stands before " && " is run first, as it is."""
    *first, line = line.split(" && ")
    for one in first:
        if subprocess.run([bristle] + shlex.split(one)[1:], capture_output=True).returncode != 0: return None
    if os.path.exists("table.csv"): os.remove("table.csv")
    said = subprocess.run(bare(line) + ["--json"], capture_output=True, text=True)
    if said.returncode != 0: return None
    tree = json.loads(said.stdout, parse_float=str, parse_int=str)
    said = digest(json.dumps(without_times(tree)).encode())
    if not has_table: return said, "-"
    if os.path.exists("table.csv"): return said, digest(open("table.csv", "rb").read())
    code = subprocess.run(bare(line) + ["--csv", "table.csv", "--quiet"], capture_output=True).returncode
    return said, digest(open("table.csv", "rb").read()) if code == 0 and os.path.exists("table.csv") else "-"

catalogue = json.loads(subprocess.run([bristle, "analyses", "--json"], capture_output=True, text=True, check=True).stdout)
examples = [e for a in catalogue["analyses"] if a["results"] for e in a["examples"]]
names = {a["name"] for a in catalogue["analyses"] if a["results"]}
rows = [line.rstrip("\n").split(" ", 2) for line in open(golden) if line.strip() and line[0] != "#"]
known = {command: (said, table) for said, table, command in rows}

if update:
    head = [line for line in open(golden) if line[0] == "#"]
    with open(golden + ".new", "w") as out:
        out.writelines(head)
        for line in dict.fromkeys([*examples, *(c for c in known if c not in examples)]):
            before = used()
            got = answer(line)
            word = ("fails", "-") if not got else ("slow", "-") if used() - before > SLOW else got
            out.write(f"{word[0]} {word[1]} {line}\n")
    os.replace(golden + ".new", golden)
    print(f"wrote {golden}")
    sys.exit(0)

failures = checks = 0
for line in dict.fromkeys([*examples, *known]):
    want = known.get(line)
    if not want:
        failures += 1; print(f"not in answers.txt (test_answers.sh --update takes it in): {line}"); continue
    if want[0] in ("slow", "fails"): continue
    got = answer(line, want[1] != "-")
    checks += 1
    if got != want:
        failures += 1; print(f"{line}\n  answer and table {want}, now {got}")
for name in sorted(names):
    if not any(command.split(" && ")[-1].split()[1] == name and said not in ("slow", "fails") for command, (said, _) in known.items()):
        failures += 1; print(f"no answer of '{name}' in answers.txt")
print(f"{checks} answers of {len(names)} analyses, {failures} with other bits than answers.txt")
sys.exit(failures > 0 or checks == 0)
PY
