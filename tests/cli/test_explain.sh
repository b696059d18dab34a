#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bristle explain: every entry of docs/glossary.md is found by each of its names, and its text is that of the page.
set -uo pipefail
. "$BR_SOURCE_DIR/tests/cli/expect.sh"
count=0
while IFS= read -r names; do
  IFS=',' read -ra list <<<"$names"
  for name in "${list[@]}"; do
    name=${name# }
    expect 0 '' explain "$name"
    head -1 out | grep -qxF "$names" || fail "explain $name prints '$(head -1 out)'"
    [ "$(wc -l <out)" -ge 2 ] || fail "explain $name has no text"
    count=$((count + 1))
  done
done < <(sed -n 's/^### //p' "$BR_SOURCE_DIR/docs/glossary.md")
[ "$count" -ge 60 ] || fail "only $count names"
expect 0 '' explain HUNTING; grep -q 'never comes to rest' out || fail 'large letters'
expect 0 '' explain dahl; grep -q '^Dahl model' out && grep -q '^a model: ' out || fail 'a model by its name alone'
expect 0 '' explain sigma1; grep -q 'sigma1 of lugre, N s/m: ' out || fail 'a parameter'
expect 0 '' explain vp; grep -q 'vp of pulled_block, input' out || fail 'an input'
expect 2 "did you mean 'hunting'" explain huntin
expect 2 "'bristle explain' lists them" explain xyzzyx
expect 0 '' models lugre; grep -qF 'dz/dt = v - σ₀ |v| z / (n g(v))' out || fail 'equations of lugre'
grep -qF 'dz/dt = v - sigma0 |v| z / (n g(v))' "$BR_SOURCE_DIR/models/lugre/README.md" || fail 'the README has other equations'
expect 0 '' systems pulled_block; grep -q "m v' = k l - F" out || fail 'equations of pulled_block'
for shell in bash zsh fish; do
  "$BRISTLE" help --completion $shell >one && "$BRISTLE" completion $shell | cmp -s - one || fail "help --completion $shell"
done
echo "$count names, $failures failures"
[ "$failures" -eq 0 ]
