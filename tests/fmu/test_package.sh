# SPDX-License-Identifier: Apache-2.0
# An FMU as a file: its descriptions hold to the rules of the standard, judged by another XML parser than ours; its
# sources build without any option into a binary with every function of the standard.
set -euo pipefail
"$BRISTLE" export fmu --model lugre --output probe.fmu >probe.txt 2>&1 || {
  grep -q 'no libzip' probe.txt || { cat probe.txt; exit 1; }
  echo "skip: this build has no libzip"
  exit 77
}
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }

python3 - "$BRISTLE" <<'PY'
import json, re, subprocess, sys, xml.etree.ElementTree as xml, zipfile
program = sys.argv[1]

def names(what):
    text = subprocess.run([program, what, "--json"], check=True, capture_output=True, text=True).stdout
    return [row["name"] for row in json.loads(text)[what]]

def check(path, version, kinds):
    z = zipfile.ZipFile(path)
    assert z.testzip() is None
    files = set(z.namelist())
    top = xml.fromstring(z.read("modelDescription.xml"))
    assert top.get("fmiVersion") == f"{version}.0"
    listed = list(top.find("ModelVariables"))
    ref = [int(v.get("valueReference")) for v in listed]
    assert len({v.get("name") for v in listed}) == len(listed) == len(set(ref)), "names and references are unique"
    units = {u.get("name") for u in top.iter("Unit")}
    initials = set()
    for v in listed:
        real = v.find("Real") if version == 2 else v
        unit, cause, initial = real.get("unit"), v.get("causality"), v.get("initial")
        assert unit is None or unit in units, f"unit {unit} of {v.get('name')} is defined"
        needs = cause in ("input", "parameter") or initial == "exact"
        assert (real.get("start") is not None) == needs, f"start of {v.get('name')}"
        assert cause not in ("input", "independent") or initial is None
        if initial == "calculated" and not v.get("name").startswith("event["):
            initials.add(int(v.get("valueReference")))
    place = (lambda e: ref[int(e.get("index")) - 1]) if version == 2 else (lambda e: int(e.get("valueReference")))
    s = top.find("ModelStructure")
    rows = lambda two, three: [place(e) for e in (s.iterfind(f"{two}/Unknown") if version == 2 else s.iterfind(three))]
    outputs, rates = rows("Outputs", "Output"), rows("Derivatives", "ContinuousStateDerivative")
    assert outputs == [r for v, r in zip(listed, ref) if v.get("causality") == "output"]
    derived = [r for v, r in zip(listed, ref)
               if (v.find("Real") if version == 2 else v).get("derivative") is not None]
    assert rates == derived
    assert set(rows("InitialUnknowns", "InitialUnknown")) == initials
    for kind in ("ModelExchange", "CoSimulation"):
        element = top.find(kind)
        assert (element is not None) == (kind in kinds), kind
        if element is None:
            continue
        name = element.get("modelIdentifier")
        folder = "linux64" if version == 2 else "x86_64-linux"
        assert not sys.maxsize > 2**32 or any(f.startswith("binaries/") and f.endswith(f"/{name}.so") for f in files), folder
        if version == 2:
            for f in element.iter("File"):
                assert "sources/" + f.get("name") in files, f.get("name")
    if version == 3:
        build = xml.fromstring(z.read("sources/buildDescription.xml"))
        sources = [f.get("name") for f in build.iter("SourceFile")]
        assert sources and all("sources/" + f in files for f in sources)
    return z

count = 0
for version in (2, 3):
    for model in names("models") if version == 3 else ["lugre", "gms", "maxwell_slip"]:
        args = [program, "export", "fmu", "--model", model, "--fmi", str(version), "--output", "m.fmu"]
        subprocess.run(args, check=True, capture_output=True)
        check("m.fmu", version, ("ModelExchange", "CoSimulation"))
        count += 1
    for system in names("systems") if version == 2 else ["chain"]:
        model = "bouc_wen_biaxial" if system == "two_axis" else "lugre"
        args = [program, "export", "fmu", "--model", model, "--system", system, "--fmi", str(version), "--kind", "cs",
                "--output", "m.fmu"]
        subprocess.run(args, check=True, capture_output=True)
        check("m.fmu", version, ("CoSimulation",))
        count += 1
print(f"{count} descriptions hold")
check("probe.fmu", 3, ("ModelExchange", "CoSimulation")).extractall("probe")
PY

# Without any option: the sources are standard C.
cd probe/sources
units=$(sed -n 's/.*<SourceFile name="\([^"]*\)".*/\1/p' buildDescription.xml)
mkdir -p objects
# shellcheck disable=SC2016
printf '%s\n' $units | xargs -P "$(nproc 2>/dev/null || echo 1)" -I{} sh -c '${CC:-cc} -fPIC -c "$1" -o objects/"$(echo "$1" | tr / _)".o' _ {}
"${CC:-cc}" -shared objects/*.o -o built.so -lm
python3 - <<'PY'
import ctypes
lib = ctypes.CDLL("./built.so")
lib.fmi3GetVersion.restype = lib.fmi2GetVersion.restype = ctypes.c_char_p
assert lib.fmi3GetVersion() == b"3.0" and lib.fmi2GetVersion() == b"2.0"
lib.fmi3InstantiateModelExchange.restype = ctypes.c_void_p
import re
token = re.search('instantiationToken="([^"]*)"', open("../modelDescription.xml").read()).group(1).encode()
lib.fmi3InstantiateModelExchange.argtypes = [ctypes.c_char_p] * 3 + [ctypes.c_bool] * 2 + [ctypes.c_void_p] * 2
assert lib.fmi3InstantiateModelExchange(b"a", token, b"../resources", 0, 0, None, None)
assert not lib.fmi3InstantiateModelExchange(b"a", b"other", b"../resources", 0, 0, None, None)
PY
echo "sources build without options"
