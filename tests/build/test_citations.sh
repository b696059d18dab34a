#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every correction that a study, a test or a page cites stands in docs/corrections.md under that anchor.
set -u
cd "$BR_SOURCE_DIR" || exit 1
bad=0 n=0
while read -r anchor; do
  n=$((n + 1))
  grep -qF "<a id=\"$anchor\"></a>" docs/corrections.md || { echo "docs/corrections.md#$anchor is cited, but not there"; bad=1; }
done < <(grep -rhoE 'docs/corrections\.md#[0-9A-Za-z-]+' studies tests models systems docs src README.md | sed 's/.*#//' | sort -u)
[ "$n" -ge 10 ] || { echo "only $n citations found: the search is broken"; bad=1; }
exit $bad
