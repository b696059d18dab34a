# SPDX-License-Identifier: Apache-2.0
# Dependencies point one way: a file includes what stands in its own room or in one further up this list; a public header
# counts as the room that defines its functions.  Prints the graph with -v.  The umbrella bristle.h must have every public header of the host.
set -euo pipefail
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
cd "$BR_SOURCE_DIR"
exec python3 - "${1:-}" <<'PY'
import os, re, subprocess, sys
ORDER = [  # one a line, so that two new rooms do not meet
    ["core"],
    ["models"],
    ["systems"],
    ["base"],
    ["text"],
    ["yaml"],
    ["lab"],
    ["table"],
    ["record"],
    ["expr"],
    ["param"],
    ["preset"],
    ["signal"],
    ["mechanism"],
    ["solve"],
    ["lanes"],
    ["fmu"],
    ["sense"],
    ["trace"],
    ["loop"],
    ["phase", "control"],
    ["fit"],
    ["response"],
    ["analysis"],
    ["report"],
    ["sweep"],
    ["study"],
    ["pages"],
    ["catalogue"],
    ["cli"],
]
# Why an arrow may point down: the analyses of a room stand beside its mathematics and use what an analysis is.
BESIDE = re.compile(r"^src/\w+/(analysis\w*|answer|tables|general_\w+|question|strips|beside|cycles|measured|varied|sensitivity)\.[ch]$")
rank = {room: i for i, rooms in enumerate(ORDER) for room in rooms}
faults, graph = [], {}

def room_of(path):
    parts = path.split("/")
    return parts[1] if parts[0] == "src" else parts[0]

def without_comments(path):
    return re.sub(r"/\*.*?\*/", " ", open(path, encoding="utf-8").read(), flags=re.S)

# A public header belongs to the room that defines most of its functions.
sources = {p: without_comments(p) for top in ("core", "models", "systems", "src") for d, _, names in os.walk(top)
           for p in (os.path.join(d, f) for f in names) if p.endswith(".c")}
defined = {n: room_of(p) for p, text in sources.items() for n in re.findall(r"^\w[\w *]*?\b(br_\w+)\([^;{}]*?\)\s*\{", text, re.M)}
owner = {}
for header in os.listdir("include/bristle"):
    rooms = [defined[n] for n in re.findall(r"\bBR_(?:API|TRY)\b[^;{}()]*?\b(br_\w+)\s*\(", without_comments(f"include/bristle/{header}"))
             if n in defined]
    if rooms:
        owner[header] = max(sorted(set(rooms)), key=rooms.count)
owner["status.h"] = "core"                 # every room's

files = [os.path.join(d, f) for top in ("core", "models", "systems", "src", "cli") for d, _, names in os.walk(top)
         for f in names if re.search(r"\.(c|h|inc|def)$", f)]
for path in files:
    here = room_of(path)
    if here not in rank:
        faults.append(f"{path}: the room '{here}' has no place in the list of this test")
        continue
    for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', open(path, encoding="utf-8").read(), re.M):
        found = [p for p in (os.path.normpath(os.path.join(os.path.dirname(path), name)), f"src/{name}", name)
                 if os.path.isfile(p)]
        public = name.startswith("bristle/") and owner.get(name[8:])
        if not public and not found:
            continue                       # made by the build, or a header without functions
        there = public or room_of(found[0])
        graph.setdefault(here, set()).add(there)
        if there != here and rank[there] > rank[here] and not (BESIDE.match(path) and there in ("analysis", "report")):
            faults.append(f"{path}: includes {name}: {here} stands above {there}")
if sys.argv[1] == "-v":
    for here in sorted(graph, key=lambda r: rank[r]):
        print(f"{here}: {' '.join(sorted(graph[here] - {here}, key=lambda r: rank[r]))}")
have = set(re.findall(r'"bristle/(\w+\.h)"', open("include/bristle/bristle.h").read()))
ALONE = {"bristle.h", "export.h", "control_core.h", "rt.h", "rt_flags.h"}   # firmware, or included by others
faults += [f"bristle.h lacks {h}" for h in sorted(set(os.listdir("include/bristle")) - have - ALONE)]
# README says where what is: every folder and room of the tree, so that nothing lies about and nobody searches.
readme = open("README.md", encoding="utf-8").read().split("## Where is what")[1].split("\nLearn:")[0]
tracked = subprocess.run(["git", "ls-files"], capture_output=True, text=True).stdout.split()
ROOT = {"CHANGELOG.md", "CITATION.cff", "CMakeLists.txt", "CMakePresets.json", "CONTRIBUTING.md", "LICENSE", "Makefile",
        "README.md"}
tops = {t.split("/")[0] for t in tracked if not t.startswith(".")} - ROOT
faults += [f"README, 'Where is what': nothing about {t}" for t in sorted(tops) if f"{t}/" not in readme]
faults += [f"README, 'Where is what': no room {r}" for r in sorted(os.listdir("src")) if f"`{r}`" not in readme]
print("\n".join(faults) or f"{len(files)} files, {sum(len(g) for g in graph.values())} arrows, none against the order")
sys.exit(bool(faults))
PY
