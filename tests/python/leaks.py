# SPDX-License-Identifier: Apache-2.0
"""leaks: what of a report of the leak sanitizer is the extension's own.  usage: leaks.py REPORT

The interpreter keeps at its end what it likes, so all of its own is let pass; a block that a frame of the extension has
asked for itself and that nobody holds is a leak.  Exit 1 with those blocks."""
import re
import sys

blocks = re.split(r"\n\s*\n", open(sys.argv[1], encoding="utf-8", errors="replace").read())
leaks = [b for b in blocks if re.match(r"\s*(Direct|Indirect) leak of", b)]
bad = []
for block in leaks:
    frames = [line for line in block.splitlines() if re.match(r"\s+#\d", line)]
    asked = [line for line in frames if "interceptor" not in line and "libsanitizer" not in line][:1]
    if asked and "_core.abi3.so" in asked[0] and block.lstrip().startswith("Direct"):
        bad.append(block)
for block in bad:
    print(block)
print(f"{len(bad)} of {len(leaks)} blocks left over are the extension's")
sys.exit(1 if bad else 0)
