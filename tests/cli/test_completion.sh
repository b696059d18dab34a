# SPDX-License-Identifier: Apache-2.0
# Completion scripts: every command and every option that the help tells is offered, with the values that the tables know; a
# shell that is there must take its script.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
for shell in bash zsh fish; do "$BRISTLE" completion $shell >"script.$shell" || fail "$shell: exit $?"; done
"$BRISTLE" completion tcsh >out 2>err
[ $? -eq 2 ] || fail "an unknown shell is taken"
grep -q "unknown shell 'tcsh'.*bash, zsh or fish" err || fail "unknown shell: $(cat err)"
"$BRISTLE" completion >out 2>err
[ $? -eq 2 ] || fail "no shell is taken"

# shellcheck disable=SC1091
. ./script.bash || fail "bash does not take its script"
offered() { # offered WORD...: what bash offers for the last of them, one a line
  COMP_WORDS=(bristle "$@") COMP_CWORD=$# COMPREPLY=()
  _bristle
  printf '%s\n' "${COMPREPLY[@]}"
}
has() { # has WANTED WORD...
  local wanted=$1
  shift
  grep -qxe "$wanted" <<<"$(offered "$@")" || fail "bristle $*: '$wanted' is not offered"
}
commands=$("$BRISTLE" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
for c in $commands; do
  has "$c" ''
  for o in $("$BRISTLE" "$c" --help | sed -n 's/^  \(--[a-z0-9-]*\).*/\1/p'); do
    has "$o" "$c" --
    grep -qE "from $c' -l ${o#--} |$o\$" script.fish || [ "$o" = --help ] || fail "fish: $c $o"
  done
done
has lugre trace --model lug
has dahl models da
has two_axis simulate --system two
has loop analyses lo
has trace help tr
has fish completion f
[ -z "$(offered trace --model xyz)" ] || fail "a name that is none is offered"
[ -z "$(offered loop --csv '')" ] || fail "files are left to the shell"
for c in $commands; do grep -q "^    $c) case" script.zsh || fail "zsh: $c"; done
if command -v zsh >/dev/null; then zsh -n script.zsh || fail "zsh does not take its script"; fi
if command -v fish >/dev/null; then fish -n script.fish || fail "fish does not take its script"; fi
[ $failures -eq 0 ] || exit 1
