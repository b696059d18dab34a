#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The soak as a test: a minute of random questions with CI set, ten seconds otherwise, from a fixed seed, so that
# a change is judged by its own faults (tools/soak draws new ones); cases that once disagreed are asked first.
set -u
command -v python3 >/dev/null || { echo "skip: python3 is not here"; exit 77; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rc=0
while read -r seed relation; do
  only=()
  [ "$relation" = any ] || only=(--only "$relation")
  python3 "$here/soak.py" --seed "$seed" --cases 1 "${only[@]}" || rc=1
done < <(grep -v '^#' "$here/seeds.txt")
python3 "$here/soak.py" --seed 1000000 --cases 200 --seconds "$([ -n "${CI:-}" ] && echo 60 || echo 10)" || rc=1
exit $rc
