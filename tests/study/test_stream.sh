# SPDX-License-Identifier: Apache-2.0
# A record of a million samples, in and out: memory stays below 100 MB.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
if ! "$BRISTLE" --version | grep -qE '^ *yaml +yes'; then
  echo "skip: this build has no libyaml"
  exit 77
fi
command -v python3 >/dev/null || { echo "skip: no python3 to measure memory"; exit 77; }
if grep -qE 'BR_SANITIZE:[A-Z]+=.+' "${BR_BUILD_DIR:-.}/CMakeCache.txt" 2>/dev/null; then
  echo "skip: sanitizers need memory of their own"
  exit 77
fi
rm -rf stream_files && mkdir stream_files && cd stream_files || exit 1
awk 'BEGIN { print "t [s],x [mm]"; for (i = 0; i < 1000000; i++) printf "%.6f,%.9f\n", i / 1000, sin(i / 317) + 0.3 * sin(i / 41) }' >record.csv
cat >long.yaml <<'Y'
title: a million samples
model: lugre
input: csv:record.csv
trace:
check:
  - {quantity: samples, value: 1000000}
Y
python3 - "$BRISTLE" <<'P'
import resource, subprocess, sys, time
t = time.time()
rc = subprocess.call([sys.argv[1], "run", "long.yaml", "--out", "out", "--quiet"])
mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(f"exit {rc}, {mb:.0f} MB, {time.time() - t:.1f} s")
sys.exit(0 if rc == 0 and mb < 100 else 1)
P
rc=$?
rows=$(wc -l <out/trace.csv)
[ "$rows" -eq 1000001 ] || { echo "table has $rows lines"; exit 1; }
rm -f record.csv out/trace.csv
exit $rc
