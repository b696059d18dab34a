#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every function of the headers that ends something takes NULL: whoever failed half way frees all he might have made.
set -eu
list=$(grep -rhoE 'void br_[a-z0-9_]+_(destroy|free|close|release)\([a-z_]+ \*' "$BR_SOURCE_DIR/include/bristle" | sed -E 's/void ([a-z0-9_]+)\(.*/\1/' | sort -u)
[ "$(wc -l <<<"$list")" -ge 20 ] || { echo "only these were found: $list"; exit 1; }
{
  printf '#include <stdio.h>\n#include "bristle/bristle.h"\nint main(void)\n{\n'
  for f in $list; do printf '  puts("%s"), (void)fflush(stdout), %s(NULL);\n' "$f" "$f"; done
  printf '  return 0;\n}\n'
} >null.c
"$CC" -std=c11 -Wall -Wextra null.c -I"$BR_SOURCE_DIR/include" -I"$BR_BUILD_DIR/generated/include" -L"$BR_BUILD_DIR" -lbristle -lm \
  -Wl,-rpath,"$BR_BUILD_DIR" -o null
./null >ended.txt || { echo "$(tail -1 ended.txt)(NULL) fails"; exit 1; }
echo "$(wc -l <ended.txt) functions take NULL"
