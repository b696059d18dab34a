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

# Every model, every mechanism, both versions, both kinds and one alone.
python3 - "$BRISTLE" "$BR_SOURCE_DIR/tests/fmu" "$BR_SOURCE_DIR/mechanisms" <<'PY'
import json, pathlib, shutil, subprocess, sys, zipfile
program = sys.argv[1]
sys.path.insert(0, sys.argv[2])
from validate import validate

def export(*options):
    subprocess.run([program, "export", "fmu", "--output", "m.fmu", "--quiet", *options], check=True)

def names(what):
    text = subprocess.run([program, what, "--json"], check=True, capture_output=True, text=True).stdout
    return [row["name"] for row in json.loads(text)[what]]

asked = [("--model", m) for m in names("models")]
asked += [("--system", s, "--model", "bouc_wen_biaxial" if s == "two_axis" else "lugre") for s in names("systems")]
asked += [("--model", "dahl", "--set", "gamma=0.5"), ("--preset", "doc4_fig12_si"), ("--model", "lugre", "--kind", "me"),
          ("--system", "chain", "--model", "gms", "--kind", "cs"),
          ("--model", "duhem", "--set", "f11=2-2*x1,g1=v,h=x1"), ("--model", "coulomb", "--set", "back=2"),
          ("--model", "coulomb", "--set", "g=1+0.5*exp(-abs(v))"), ("--model", "lugre", "--set", "g=1+0.5*exp(-abs(v))")]
asked += [("--system", str(f), *(["--model", "lugre"] if f.stem == "pulled_block" else []))
          for f in sorted(pathlib.Path(sys.argv[3]).glob("*.yaml"))]
# another model than that of the text: its values are none of this one's
asked += [("--system", f"{sys.argv[3]}/servo_axis.yaml", "--model", "dahl")]
for options in asked:
    for version in ("2", "3"):
        export(*options, "--fmi", version)
        problems = validate("m.fmu")
        assert not problems, f"{options}, FMI {version}: {problems}"
print(f"{2 * len(asked)} FMUs hold to the standard")

# A validator that finds nothing is worth nothing: each of these is wrong.
BREAKS = {2: [(' causality="input"', ' causality="input" initial="exact"'), ("<Outputs>", "<Outputs><Unknown index=\"1\"/>"),
              ('derivative="', 'derivative="9'), (' start="', ' begin="'), ("</ModelStructure>", "</ModelStructure><Extra/>"),
              ('numberOfEventIndicators="', 'numberOfEventIndicators="-'), ('<File name="', '<File name="no/')],
          3: [('kg="1"', 'kg="2"'), ('name="z"', 'name="Fc"'), ('valueReference="3"', 'valueReference="4"'),
              ('causality="local"', 'causality="parameter"'), ("    <InitialUnknown", "    <Initial"), ('unit="N/m"', 'unit="kN/m"'),
              ('min="0"', 'min="1e9"'), ('<Unit name="s">', '<Unit name="K"><BaseUnit K="1"/></Unit><Unit name="s">'),
              ('variability="tunable"', 'variability="continuous"'), ('providesDirectionalDerivatives', 'providesDirectionalDerivative')]}
for version, breaks in BREAKS.items():
    export("--model", "lugre", "--fmi", str(version))
    good = zipfile.ZipFile("m.fmu")
    for old, new in breaks:
        with zipfile.ZipFile("bad.fmu", "w") as bad:
            for name in good.namelist():
                data = good.read(name)
                if name == "modelDescription.xml":
                    assert old.encode() in data, old
                    data = data.replace(old.encode(), new.encode(), 1)
                bad.writestr(name, data)
        assert validate("bad.fmu"), f"FMI {version}: {old} -> {new} is not noticed"
problems = validate("probe.fmu", binary=True)
assert not problems, problems
zipfile.ZipFile("probe.fmu").extractall("probe")
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

# Linked statically: only the functions of the standard take the prefix, so two FMUs share all other objects.
for v in 2 3; do
  unit=$(printf '%s\n' $units | grep "fmi$v\.c$")
  "${CC:-cc}" -DFMI${v}_FUNCTION_PREFIX=joint_ -c "$unit" -o joint$v.o
  "${CC:-cc}" -DFMI${v}_FUNCTION_PREFIX=joint_ -DFMI${v}_OVERRIDE_FUNCTION_PREFIX=slide_ -c "$unit" -o slide$v.o
  for name in joint slide; do # every one, under its name
    nm -g --defined-only "objects/$(echo "$unit" | tr / _).o" | awk '{print "'$name'_" $3}' | sort >wanted
    nm -g --defined-only $name$v.o | awk '{print $3}' | sort | cmp - wanted || { echo "FMI $v: names without the prefix $name"; exit 1; }
  done
done
rm objects/*fmi2.c.o objects/*fmi3.c.o
cat >host.c <<'C'
#include <string.h>
const char *joint_fmi2GetVersion(void), *slide_fmi2GetVersion(void), *joint_fmi3GetVersion(void), *slide_fmi3GetVersion(void);
int main(void)
{
  return strcmp(joint_fmi2GetVersion(), "2.0") || strcmp(slide_fmi2GetVersion(), "2.0") || strcmp(joint_fmi3GetVersion(), "3.0") ||
         strcmp(slide_fmi3GetVersion(), "3.0");
}
C
"${CC:-cc}" host.c joint2.o slide2.o joint3.o slide3.o objects/*.o -o host -lm && ./host
echo "function prefixes of FMI 2.0 and 3.0"
