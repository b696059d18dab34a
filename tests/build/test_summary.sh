# SPDX-License-Identifier: Apache-2.0
# tools/summary counts right: cases, whole-program failures, both kinds of skip, failed builds, and nothing at all.
set -euo pipefail
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }
summary=$BR_SOURCE_DIR/tools/summary
rm -rf in
mkdir in
case_xml() { # NAME STATUS EXTRA TEXT
  printf '<testcase name="%s" status="%s">%s<system-out>%s</system-out></testcase>\n' "$1" "$2" "$3" "$4"
}
# expect CODE LAST: exit code and last line
expect() {
  local rc=0
  python3 "$summary" in >out.txt || rc=$?
  [ "$rc" -eq "$1" ] || { echo "exit $rc, expected $1"; cat out.txt; exit 1; }
  [ "$(tail -1 out.txt)" = "$2" ] || { echo "last line '$(tail -1 out.txt)', expected '$2'"; exit 1; }
}

expect 1 "0 passed, 1 failed, 0 skipped" # nothing ran is a failure

good="[ RUN      ] a
[       OK ] a
[ RUN      ] b
skip: no reference data
[  SKIPPED ] b
[==========] 2 test(s) run.
[  PASSED  ] 1 test(s).
[  SKIPPED ] 1 test(s), listed below:
[  SKIPPED ] b"
printf 'release: tests\t0\tlog\n' >in/steps.tsv
{
  echo '<testsuite>'
  case_xml t/one run '' "$good"
  case_xml t/two notrun '<skipped message="SKIP_RETURN_CODE=77"/>' 'skip: no node'
  case_xml t/three run '' 'a script
skip: GPU: no device
ok'
  echo '</testsuite>'
} >in/release.xml
expect 0 "2 passed, 0 failed, 3 skipped" # a case, a whole test, and what a test that passed left out
grep -q '^  release   2 passed, 0 failed, 3 skipped' out.txt || { cat out.txt; exit 1; }
grep -q 'no reference data: release: t/one:b' out.txt || { cat out.txt; exit 1; }
grep -q 'no node: release: t/two' out.txt || { cat out.txt; exit 1; }
grep -q '^  GPU: no device: release: t/three' out.txt || { cat out.txt; exit 1; } # left out, and still passed

bad="[       OK ] a
[  ERROR   ] --- 1 != 2
[  FAILED  ] b
[  PASSED  ] 1 test(s).
[  FAILED  ] 1 test(s), listed below:
[  FAILED  ] b"
printf 'asan: build\t0\tlog\nasan: tests\t8\tlog\nminimal: build\t2\tlog\n' >>in/steps.tsv
{
  echo '<testsuite>'
  case_xml t/one fail '<failure message=""/>' "$bad"
  case_xml t/missing notrun '<skipped message="Unable to find executable"/>' 'Unable to find executable'
  case_xml t/crash fail '<failure message=""/>' '[       OK ] a'
  echo '</testsuite>'
} >in/asan.xml
expect 1 "4 passed, 4 failed, 3 skipped" # one case, one program not there, one crash, one build

# A second try counts where it passed, and is named; a case that fails twice stays failed.
{
  echo '<testsuite>'
  case_xml t/one fail '<failure message=""/>' "$bad"
  case_xml t/crash run '' '[       OK ] a'
  echo '</testsuite>'
} >in/asan.again.xml
expect 1 "4 passed, 3 failed, 3 skipped"
grep -A1 'only at the second try' out.txt | grep -q '^  asan: t/crash' || { cat out.txt; exit 1; }
! grep -q 'try.*t/one' out.txt
