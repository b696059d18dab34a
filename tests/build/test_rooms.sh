# SPDX-License-Identifier: Apache-2.0
# Files are found by folder: a small tree with one file of each kind is built and tested, then a room is added
# and the next build picks it up by itself.
set -euo pipefail
tree=$PWD/tree
rm -rf "$tree"
mkdir -p "$tree"/{models,cli,src/base,src/one,tests/one,tests/fuzz/corpus_one,bench}
cd "$BR_SOURCE_DIR"
cp -r CMakeLists.txt CMakePresets.json cmake include LICENSE "$tree"
rm -f "$tree"/include/bristle/*.h
cp include/bristle/export.h "$tree/include/bristle"
cp src/base/version.c "$tree/src/base"
cp tests/CMakeLists.txt "$tree/tests" && cp bench/CMakeLists.txt "$tree/bench" && cp tests/fuzz/replay_main.c "$tree/tests/fuzz"
cd "$tree"
# One object per variant, each with its own name; the dispatcher sees which exist.
cat >models/batch_one.c <<'C'
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
int JOIN(bri_one_, BR_ISA)(void);
int JOIN(bri_one_, BR_ISA)(void) { return 1; }
C
cat >models/batch.c <<'C'
int bri_one_base(void);
int bri_one_base_fast(void);
#ifdef BR_HAVE_ISA_avx2
int bri_one_avx2(void);
#else
#define bri_one_avx2() 0
#endif
int bri_pick(void);
int bri_pick(void) { return bri_one_base() + bri_one_base_fast() + bri_one_avx2(); }
C
# The one file of which the tests have their own object; every other object is the library's.
cat >src/base/alloc.c <<'C'
int bri_alloc_kind(void);
int bri_alloc_kind(void)
{
#ifdef BR_TESTING
  return 7;
#else
  return 1;
#endif
}
C
cat >src/one/one.c <<'C'
int bri_alloc_kind(void);
int bri_one(void);
#ifdef BR_TESTING
#error "compiled for the tests alone"
#endif
int bri_one(void) { return bri_alloc_kind(); }
C
cat >cli/main.c <<'C'
#include <stdio.h>
#include "bri_config.h"
#include "bristle/version.h"
#define ROW(name, in, detail, purpose) printf("%s %d %s (%s)\n", #name, in, detail, purpose);
int bri_one(void);
int bri_pick(void);
int main(void)
{
  printf("bristle %s\n", br_version());
  BR_PARTS_LIST(ROW)
  return bri_one() == 1 && bri_pick() >= 2 ? 0 : 1; /* the program has the library's allocator */
}
C
cat >tests/one/test_case.c <<'C'
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
int bri_one(void);
static void testing_build(void **state) { assert_int_equal(bri_one(), 7); }
int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(testing_build)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
C
echo '[ -x "$BRISTLE" ] && [ -n "$CC" ] && "$BRISTLE" | grep -q "^cmocka 1"' >tests/one/test_script.sh
echo 'echo "skip: on purpose"; exit 77' >tests/one/test_skipped.sh
cat >tests/fuzz/fuzz_one.c <<'C'
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return size > 0 && data[0] == 1 ? 0 : 0; }
C
echo x >tests/fuzz/corpus_one/seed
echo 'int main(void) { return 0; }' >bench/bench_one.c

run() { "$@" >log.txt 2>&1 || { cat log.txt; exit 1; }; }
configure=("$CMAKE" -S . -B b -DCMAKE_C_COMPILER="$CC" -DBR_WERROR=ON)
run "${configure[@]}"
run "$CMAKE" --build b
run ctest --test-dir b --output-on-failure
for name in program/version headers/version.h-c11 one/case one/script fuzz/one; do
  grep -qE "$name \.+ +Passed" log.txt || { echo "$name did not pass or did not run"; cat log.txt; exit 1; }
done
grep -qE 'one/skipped \.+\*\*\*Skipped' log.txt || { echo "exit 77 is not a skip"; cat log.txt; exit 1; }
[ -x b/bristle ] && [ -x b/bench/bench_one ] || { echo "program or benchmark missing"; exit 1; }

# A room that appears later, and a test that fails: both must be noticed without a new configure.
mkdir -p src/two
echo 'int bri_two(void); int bri_two(void) { return 2; }' >src/two/two.c
echo 'exit 3' >tests/one/test_failing.sh
sleep 1 # file times of a coarse file system
run "$CMAKE" --build b
grep -q bri_two <<<"$(nm b/libbristle.a)" || { echo "new room not picked up"; exit 1; }
if ctest --test-dir b >log.txt 2>&1; then echo "a failing test was not noticed"; exit 1; fi
grep -qE '\(Failed\)' log.txt && [ "$(grep -c '(Failed)' log.txt)" -eq 1 ] || { cat log.txt; exit 1; }
rm -rf "$tree"
