# SPDX-License-Identifier: Apache-2.0
# Install, move the tree, then build a stranger's project against it with CMake and with pkg-config.
set -euo pipefail
here=$BR_SOURCE_DIR/tests/consume
work=$PWD/work
rm -rf "$work"
mkdir -p "$work"
"$CMAKE" --install "$BR_BUILD_DIR" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/moved" # whatever remembers the first place is now broken
prefix=$work/moved

# No file may remember where it was built or first installed.  (Debug information in the libraries may.)
if grep -rlE "$work/first|$BR_SOURCE_DIR|$BR_BUILD_DIR" "$prefix" --include='*.cmake' --include='*.pc' \
  --include='*.h'; then
  echo "the files above hold an absolute path"
  exit 1
fi

# 1. CMake.
"$CMAKE" -S "$here" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" \
  -DCMAKE_BUILD_TYPE=Release >"$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; exit 1; }
"$CMAKE" --build "$work/cmake" >"$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; exit 1; }
for program in uses_shared uses_static uses_core; do
  "$work/cmake/$program" || { echo "CMake: $program failed"; exit 1; }
done

# 2. pkg-config, shared and static.
if ! command -v pkg-config >/dev/null; then
  echo "skip: pkg-config is not installed"
  exit 77
fi
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name bristle.pc)")
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion bristle)" = "$BR_VERSION" ] || { echo "bristle.pc: wrong version"; exit 1; }
libdir=$(pkg-config --variable=libdir bristle)
# Until 1.0 a minor release may change the interface: programs ask for 0.MINOR, not for 0.
want=${BR_VERSION%%.*}
[ "$want" = 0 ] && want=${BR_VERSION%.*}
[ -e "$libdir/libbristle.so.$want" ] || { echo "libbristle.so.$want is not there: $(ls "$libdir")"; exit 1; }
# shellcheck disable=SC2046 # word splitting is what pkg-config output is for
$CC -std=c11 "$here/stranger.c" $(pkg-config --cflags --libs bristle) -o "$work/pc_shared"
LD_LIBRARY_PATH=$libdir "$work/pc_shared"
if command -v readelf >/dev/null; then
  readelf -d "$work/pc_shared" | grep -qF "[libbristle.so.$want]" ||
    { echo "SONAME: $(readelf -d "$work/pc_shared" | grep bristle)"; exit 1; }
fi
# shellcheck disable=SC2046
$CC -std=c11 "$here/stranger.c" $(pkg-config --static --cflags --libs bristle | sed "s#-lbristle#$libdir/libbristle.a#") \
  -o "$work/pc_static"
"$work/pc_static"
# shellcheck disable=SC2046
$CC -std=c11 -O2 "$here/firmware.c" $(pkg-config --cflags bristle-core) -o "$work/pc_core"
"$work/pc_core"

# 3. The installed program stands alone: it runs without the shared library.
if [ -n "${BRISTLE:-}" ]; then
  rm -f "$libdir"/libbristle.so*
  grep -qF "$BR_VERSION" <<<"$("$prefix/bin/bristle" --version)" || { echo "installed program failed"; exit 1; }
fi
rm -rf "$work"
