# SPDX-License-Identifier: Apache-2.0
# tools/test blames the step that failed and no other, goes on after a failure, and two runs in one tree do not mix.
# cmake and ctest are stand-ins that fail where FAIL names them: "NAME:configure", "NAME:build" or "NAME:tests".
set -euo pipefail
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }
rm -rf tree bin
mkdir -p tree/tools bin
cp "$BR_SOURCE_DIR"/tools/{test,summary} tree/tools
cat >bin/cmake <<'SH'
#!/usr/bin/env bash
case $1 in --build) step=build name=$3 ;; *) step=configure name=$2 ;; esac
echo "error: $name:$step" # shown only where the step fails
[[ " ${FAIL:-} " != *" $name:$step "* ]]
SH
cat >bin/ctest <<'SH'
#!/usr/bin/env bash
while [ $# -gt 0 ]; do
  case $1 in --preset) name=$2 ;; --output-junit) xml=$2 ;; esac
  shift
done
until [ ! -e "${HOLD:-/nonexistent}" ]; do sleep 0.05; done
status=run
[[ " ${FAIL:-} " != *" $name:tests "* ]] || status=fail
echo "<testsuite><testcase name=\"t/one\" status=\"$status\"><system-out/></testcase></testsuite>" >"$xml"
[ $status = run ]
SH
echo 'exit 0' >bin/clang
chmod +x bin/*
PATH=$PWD/bin:$PATH

# expect CODE LAST FAILED: exit code, last line, and the list of what failed (one line, blanks between).
expect() {
  local rc=0 failed
  CI=1 tree/tools/test >out.txt 2>&1 || rc=$?
  failed=$(sed -n '/^---- failed/,/^[^ -]/s/^  //p' out.txt | sort | tr '\n' ';')
  [ "$rc" -eq "$1" ] && [ "$(tail -1 out.txt)" = "$2" ] && [ "$failed" = "$3" ] && return
  printf 'exit %s, last line "%s", failed "%s"\n' "$rc" "$(tail -1 out.txt)" "$failed"
  cat out.txt
  exit 1
}

expect 0 "5 passed, 0 failed, 0 skipped" ""
FAIL=fuzz:tests expect 1 "4 passed, 1 failed, 0 skipped" "fuzz: t/one;"
grep -q '^fuzz: build  *ok' out.txt && grep -q '^minimal: configure  *ok' out.txt || { cat out.txt; exit 1; }
FAIL=asan:build expect 1 "4 passed, 1 failed, 0 skipped" "asan: build (exit 1);"
grep -q 'error: asan:build' out.txt || { echo "the end of a failed step is not shown"; cat out.txt; exit 1; }
FAIL="release:configure minimal:tests" expect 1 "3 passed, 2 failed, 0 skipped" \
  "minimal: t/one;release: configure (exit 1);"

# held FILE: start a run whose tests wait while the file "hold" is there; returns when both lanes wait.
held() {
  rm -rf tree/build/test
  touch hold
  HOLD=$PWD/hold CI=1 tree/tools/test >"$1" 2>&1 &
  run=$!
  for _ in $(seq 400); do
    if [ "$(grep -c ':' tree/build/test/steps.tsv 2>/dev/null)" = 4 ]; then return; fi
    sleep 0.05
  done
  echo "the lanes did not get to their tests"
  cat "$1"
  exit 1
}

# Two runs in one tree: the second stops at once, and the first is none the worse for it.
held first.txt
rc=0
CI=1 tree/tools/test >second.txt 2>&1 || rc=$?
[ "$rc" -eq 1 ] && grep -q 'another run is under way' second.txt || { echo "second run: exit $rc"; cat second.txt; exit 1; }
rm hold
wait $run || { echo "the first run was disturbed"; cat first.txt; exit 1; }
[ "$(tail -1 first.txt)" = "5 passed, 0 failed, 0 skipped" ] || { cat first.txt; exit 1; }

# Results removed under a run: no step is blamed, and the whole counts as failed.
held gone.txt
rm -rf tree/build/test hold
if wait $run; then echo "a run without results passed"; cat gone.txt; exit 1; fi
grep -q 'cannot write build/test' gone.txt || { cat gone.txt; exit 1; }
