#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The wheel: same bytes twice, a RECORD that holds, no undefined library symbol but Python's, and a fresh environment that
# installs it without network and runs it without NumPy.  CI=1: the sdist too, built by its own backend.
set -eu
. "$BR_SOURCE_DIR/tests/python/have.sh"
rm -rf dist dist2 venv
for out in dist dist2; do
  "$BR_PYTHON" "$BR_SOURCE_DIR/targets/python/dist.py" wheel "$BR_BUILD_DIR/python/bristle" $out
  "$BR_PYTHON" "$BR_SOURCE_DIR/targets/python/dist.py" sdist $out
done
diff -r dist dist2
wheel=$(echo dist/bristle-*.whl)
"$BR_PYTHON" - "$wheel" "$BR_VERSION" <<'PY'
import base64, csv, hashlib, io, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
names = z.namelist()
assert z.testzip() is None
info = f"bristle-{sys.argv[2]}.dist-info"
rows = list(csv.reader(io.StringIO(z.read(f"{info}/RECORD").decode())))
assert [r[0] for r in rows] == names, (rows, names)
for name, digest, size in rows[:-1]:
    data = z.read(name)
    want = "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    assert digest == want and int(size) == len(data), name
assert rows[-1] == [f"{info}/RECORD", "", ""]
assert f"Version: {sys.argv[2]}\n" in z.read(f"{info}/METADATA").decode()
for wanted in ("__init__.py", "__init__.pyi", "py.typed", "_core.abi3.so"):
    assert f"bristle/{wanted}" in names, wanted
print(len(names), "files")
PY
# The extension shows one name, and takes from Python only what the stable ABI of 3.11 has.
shown=$(nm -D --defined-only "$BR_BUILD_DIR/python/bristle/_core.abi3.so" | awk '{print $NF}')
[ "$shown" = PyInit__core ] || { echo "exported: $shown"; exit 1; }
if [ ! -d "$(dirname "$("$BR_PYTHON" -c 'import os; print(os.__file__)')")/ensurepip" ]; then
  echo 'skip: python3-venv is not installed'
  exit 77
fi
unset PYTHONPATH
"$BR_PYTHON" -m venv venv
venv/bin/python -m pip install -q --no-index --disable-pip-version-check --no-deps "$wheel"
cd venv
bin/python - "$BRISTLE" <<'PY'
import array, json, math, subprocess, sys
import bristle
assert "venv" in bristle.__file__, bristle.__file__
try:
    import numpy
    raise SystemExit("this environment was to have no NumPy")
except ImportError:
    pass
r = bristle.loop(model="lugre", sigma0=6, sigma1=1, sigma2=0, Fc=1, Fs=2, vs=1, delta=1, input="bimodal:0,1,0.5,1.5")
line = "loop --model lugre --set sigma0=6,sigma1=1,sigma2=0,Fc=1,Fs=2,vs=1,delta=1 --input bimodal:0,1,0.5,1.5 --json"
want = json.loads(subprocess.run([sys.argv[1], *line.split()], capture_output=True, text=True, check=True).stdout)
have = r.to_dict()
have.pop("seconds"), want.pop("seconds")
assert have == want
assert r.minor[0].gap == want["minor"][0]["gap"]
t = [k / 100 for k in range(101)]
u = [1e-3 * math.sin(6 * x) for x in t]
a, b = bristle.trace(model="lugre", input=(t, u)), bristle.trace(model="lugre", input=array.array("d", u), dt=0.01)
assert len(a.F) == 101 and max(abs(x - y) for x, y in zip(a.F, b.F)) < 1e-6
c = bristle.trace(model="lugre", input=lambda x: 1e-3 * math.sin(6 * x), t_end=1, dt=0.01)
assert max(abs(x - y) for x, y in zip(c.F, b.F)) < 1e-6
m = bristle.Model("dahl")
F = m.force(u, 1e-3)
assert list(F) == [m.step(v, 1e-3) for v in u]
try:
    bristle.loop(model="lugree", input="sine:1,1")
    raise SystemExit("no error")
except bristle.Error as e:
    assert "did you mean 'lugre'?" in str(e)
print("fine without NumPy")
PY
cd ..
[ -n "${CI:-}" ] || exit 0
# The sdist is complete and its backend builds it; how fast the code is does not matter here.
venv/bin/python -m pip install -q --no-index --disable-pip-version-check --no-build-isolation --force-reinstall \
  --config-settings=cmake='-DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DBR_VARIANTS=base' dist/bristle-*.tar.gz
(cd venv && bin/python -c 'import bristle; print(bristle.loop(model="dahl", input="sine:1mm,1Hz").work)')
