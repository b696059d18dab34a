#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The schematics of docs/figures are what tools/schematics draws, are well-formed, and stand in a page each.
set -u
fail=0
mkdir -p drawn && "$BR_SOURCE_DIR/tools/schematics" drawn || exit 1
for f in drawn/*.svg; do
  name=$(basename "$f")
  cmp "$f" "$BR_SOURCE_DIR/docs/figures/$name" || fail=1
  python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$f" || fail=1
  grep -rqF "figures/$name" "$BR_SOURCE_DIR/docs" --include=*.md || { echo "$name stands in no page"; fail=1; }
done
[ "$(ls drawn | wc -l)" -ge 2 ] || fail=1
exit $fail
