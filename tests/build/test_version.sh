# SPDX-License-Identifier: Apache-2.0
# project(VERSION) is the one place; the two files that must repeat it for other programs agree with it, and no
# other file repeats it.
set -euo pipefail
cd "$BR_SOURCE_DIR"
v=${BR_VERSION//./\\.}
grep -qE "^version: \"?$v\"?\$" CITATION.cff || { echo "CITATION.cff does not say $BR_VERSION"; exit 1; }
grep -qE "^## $v" CHANGELOG.md || { echo "CHANGELOG.md has no heading $BR_VERSION"; exit 1; }
if grep -rnE "\"$v\"" --include='*.c' --include='*.h' --include='*.in' --include='*.sh' core models systems src cli \
  include cmake tests 2>/dev/null; then
  echo "version written a second time (above)"
  exit 1
fi
