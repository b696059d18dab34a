# SPDX-License-Identifier: Apache-2.0
# A misspelt option stops the configure step and names the option; the next run is not haunted by it.
set -euo pipefail
dir=$PWD/probe
rm -rf "$dir"
common=(-S "$BR_SOURCE_DIR" -B "$dir" -DCMAKE_C_COMPILER="$CC" -DBR_OPTIONAL=OFF -DBR_TESTS=OFF -DBR_BENCH=OFF)
if "$CMAKE" "${common[@]}" -DBR_SANITISE=address >out.log 2>&1; then
  echo "BR_SANITISE was accepted"
  exit 1
fi
grep -q 'unknown option BR_SANITISE=address' out.log || { cat out.log; exit 1; }
"$CMAKE" "${common[@]}" >out.log 2>&1 || { echo "second run failed:"; cat out.log; exit 1; }
if "$CMAKE" "${common[@]}" -DBR_CMOCKA=maybe >out.log 2>&1; then
  echo "BR_CMOCKA=maybe was accepted"
  exit 1
fi
grep -q 'expected AUTO, ON or OFF' out.log || { cat out.log; exit 1; }
rm -rf "$dir"
