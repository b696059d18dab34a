# SPDX-License-Identifier: Apache-2.0
# The checked list of the interface is the public headers: the shared library shows exactly the functions that they declare,
# each with the version of the interface; and every one of them appears in an example that is compiled and run.
set -euo pipefail
command -v nm >/dev/null || { echo "skip: nm is not installed"; exit 77; }
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
exec python3 - "$BR_SOURCE_DIR" "$BR_BUILD_DIR/libbristle.so" <<'PY'
import glob, os, re, subprocess, sys
source, library = sys.argv[1:3]
strip = lambda text: re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
declared = {}
for path in sorted(glob.glob(f"{source}/include/bristle/*.h")) + [f"{os.path.dirname(library)}/generated/include/bristle/version.h"]:
    for name in re.findall(r"\bBR_(?:API|TRY)\b[^;{}()]*?\b(br_\w+)\s*\(", strip(open(path, encoding="utf-8").read())):
        declared[name] = os.path.basename(path)
shown = dict(line.split()[-1].partition("@")[::2] for line in subprocess.run(
    ["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout.splitlines())
shown = {n: v for n, v in shown.items() if n.startswith("br_")}
faults = [f"{n} ({declared[n]}) is declared, but the library does not show it" for n in sorted(set(declared) - set(shown))]
faults += [f"{n} is shown, but no public header declares it" for n in sorted(set(shown) - set(declared))]
faults += [f"{n} has no version" for n, v in sorted(shown.items()) if sys.platform == "linux" and not v.lstrip("@").startswith("BRISTLE_")]
used = set()
for path in glob.glob(f"{source}/examples/*.c"):
    used |= set(re.findall(r"\bbr_\w+", strip(open(path, encoding="utf-8").read())))
missing = sorted(n for n in declared if n not in used)
print(f"{len(declared)} functions declared and shown, {len(declared) - len(missing)} in examples, {len(missing)} without")
faults += [f"{n} ({declared[n]}) has no example" for n in missing]
print("\n".join(faults))
sys.exit(bool(faults))
PY
