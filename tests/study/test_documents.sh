# SPDX-License-Identifier: Apache-2.0
# The pages docs/documents/*.md: every study and every correction is reached, links hold, every quoted number is printed.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
if ! command -v python3 >/dev/null; then
  echo "skip: no python3"
  exit 77
fi
rm -rf documents_files && mkdir documents_files && cd documents_files || exit 1
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
script="$BR_SOURCE_DIR/tests/study/documents.py"
python3 -B "$script" "$BR_SOURCE_DIR" "$BRISTLE" || fail "a page is not as docs/documents/README.md says"

# The script sees what is wrong: each line breaks a copy of page 0 and names the complaint.
mkdir -p copy && cp -r "$BR_SOURCE_DIR/docs" "$BR_SOURCE_DIR/studies" "$BR_SOURCE_DIR/models" copy/
page=copy/docs/documents/0.md
broken() { # EDIT COMPLAINT
  cp "$BR_SOURCE_DIR/docs/documents/0.md" $page
  sed -i -E "$1" $page
  cmp -s "$BR_SOURCE_DIR/docs/documents/0.md" $page && fail "nothing to break: $1"
  python3 -B "$script" copy - 0 >out.txt && fail "not noticed: $1"
  grep -q -- "$2" out.txt || fail "another complaint than '$2': $(grep FAILED out.txt)"
}
broken 's/doc0_fig13/doc0_fig12/g' 'study doc0_fig13 is no item'
broken 's/#000-3\)/#000-2)/g' 'correction 000-3 is not reached'
broken 's/^Derivation\. /See there. /' 'has no paragraph'
broken 's/0\.50615884/0.50615994/' 'has no check of\|is quoted, but not'
broken 's/^\| Figure 7 /| Picture 7 /' 'figures \[7\] are no items'
broken 's/\| full \|/| fine |/' "verdict 'fine'"
broken 's/doc0_fig11\.yaml/doc0_fig99.yaml/g' 'no such file'
[ $failures -eq 0 ] || exit 1
