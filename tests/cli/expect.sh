# SPDX-License-Identifier: Apache-2.0
# expect.sh - read by the tests of commands.  expect CODE PART ARGUMENTS...: run bristle, output in `out` and `err`;
# PART must stand in err, and a failed command prints nothing on stdout.
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
expect() {
  local code=$1 part=$2 got
  shift 2
  "$BRISTLE" "$@" >out 2>err </dev/null
  got=$?
  [ "$got" -eq "$code" ] || fail "bristle $*: exit $got, expected $code ($(head -1 err))"
  [ -z "$part" ] || grep -qF -- "$part" err || fail "bristle $*: stderr lacks '$part': $(cat err)"
  if [ "$code" -ne 0 ] && [ -s out ]; then fail "bristle $*: printed on stdout although it failed"; fi
}
