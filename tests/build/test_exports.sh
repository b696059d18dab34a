# SPDX-License-Identifier: Apache-2.0
# The shared library shows br_ names and nothing else; the static one defines only br_, bri_ and brn_ names.
set -euo pipefail
lib=$BR_BUILD_DIR/libbristle.so
command -v nm >/dev/null || { echo "skip: nm is not installed"; exit 77; }
shown=$(nm -D --defined-only "$lib" | awk '{print $NF}' | sed 's/@.*//' | sort)
[ "$(grep -c '^br_' <<<"$shown")" -ge 2 ] || { echo "hardly anything exported: $shown"; exit 1; }
if grep -vE '^(br_|BRISTLE_[0-9.]+$)' <<<"$shown"; then echo "exported although internal (above)"; exit 1; fi
global=$(nm -g --defined-only "$BR_BUILD_DIR/libbristle.a" | awk 'NF==3{print $3}' | sort -u)
if grep -vE '^br(i|n)?_' <<<"$global"; then echo "global names without the project's prefix (above)"; exit 1; fi
echo "$(wc -l <<<"$shown") names exported, $(wc -l <<<"$global") global in the static library"
