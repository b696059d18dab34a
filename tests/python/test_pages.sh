#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Python in README.md and docs/: every block works when pasted, one after the other in one session per page.
set -u
. "$BR_SOURCE_DIR/tests/python/have.sh"
exec "$BR_PYTHON" - "$BR_SOURCE_DIR" <<'PY'
import glob, re, sys
try:
    import numpy
except ImportError:
    print("skip: python3-numpy is not installed"); sys.exit(77)
try:
    import matplotlib, pandas
    drawn = True
except ImportError:
    drawn = False
ran = 0
for path in [f"{sys.argv[1]}/README.md", *sorted(glob.glob(f"{sys.argv[1]}/docs/**/*.md", recursive=True))]:
    space = {}
    for block in re.findall(r"^```python\n(.*?)^```", open(path, encoding="utf-8").read(), re.M | re.S):
        if not drawn and re.search(r"\.plot\(|\.frame\(|matplotlib|pandas", block):
            print(f"{path}: a block left out, no matplotlib or pandas"); continue
        exec(compile(block, path, "exec"), space)
        ran += 1
        for line in block.splitlines():            # "expression   # value": the value is what it gives
            m = re.match(r"^(\S.*?)\s{2,}# (-?[0-9][^ ]*)$", line)
            if m and not re.match(r"\w+ = ", line):
                got = eval(m.group(1), space)
                assert abs(got - float(m.group(2))) <= 1e-4 * abs(got), (path, line, got)
print(f"{ran} blocks")
sys.exit(ran < 5)
PY
