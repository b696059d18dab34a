#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What README.md says under "In your own tools" works when pasted into a shell, block by block, in a folder that looks like the
# root of the repository; `make` and `tools/setup` are left out, since this build is what they make.  Python's and Octave's blocks:
# tests/python, tests/octave.
set -u
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
if grep -q '^BR_SANITIZE:[A-Z]*=[a-z]' "$BR_BUILD_DIR/CMakeCache.txt"; then echo 'skip: a sanitized library, pasted lines know nothing of'; exit 77; fi
rm -rf root && mkdir -p root/build && cd root || exit 1
ln -s "$BR_BUILD_DIR" build/release
for folder in include mechanisms targets tests; do ln -s "$BR_SOURCE_DIR/$folder" $folder; done
exec python3 - "$BR_SOURCE_DIR/README.md" <<'PY'
import re, shutil, subprocess, sys
page = open(sys.argv[1], encoding="utf-8").read()
section = page[page.index("## In your own tools"):page.index("## Models\n")]
NEEDS = [("targets/mujoco", "/usr/include/mujoco/mujoco.h"), ("qemu-system-arm", "qemu-system-arm"), ("arm-none-eabi-gcc", "arm-none-eabi-gcc")]
SAYS = {"export fmu": "all hold to the standard", "two_link": "shoulder", "element.elf": "selftest 00000000"}
have = lambda what: shutil.which(what) or what.startswith("/") and subprocess.run(["test", "-e", what]).returncode == 0
ran = 0
for block in re.findall(r"^```sh\n(.*?)^```", section, re.M | re.S):
    assert len(re.sub(r"\\\n", "", block).splitlines()) <= 5, f"more than five lines:\n{block}"
    lines = [l for l in block.splitlines() if not re.match(r"(make|tools/setup)\b", l)]
    if "env/bin" in block: continue        # python/package installs the wheel
    lacks = [what for word, what in NEEDS if word in block and not have(what)]
    if lacks:
        print(f"left out: no {lacks[0]} (installed with CI=1)")
        continue
    if "export fmu" in block and "no" in subprocess.run(["build/release/bristle", "--version"], capture_output=True, text=True).stdout.split("zip")[1].split()[0]:
        print("left out: this build has no libzip")
        continue
    said = subprocess.run(["bash", "-e", "-c", "\n".join(lines)], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    assert said.returncode == 0, f"{block}\n{said.stdout}{said.stderr}"
    want = next(text for word, text in SAYS.items() if word in block)
    assert want in said.stdout + said.stderr, f"{block}\nsays\n{said.stdout}{said.stderr}"
    print((said.stdout + said.stderr).strip().splitlines()[-1])
    ran += 1
sys.exit(ran == 0)
PY
