#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The soak as a test: a minute of random questions with CI set, ten seconds otherwise; the seeds differ from day
# to day and are printed, and the cases that once disagreed are asked first.
set -u
command -v python3 >/dev/null || { echo "skip: python3 is not here"; exit 77; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rc=0
while read -r seed relation; do
  python3 "$here/soak.py" --seed "$seed" --cases 1 --only "$relation" || rc=1
done < <(grep -v '^#' "$here/seeds.txt")
python3 "$here/soak.py" --seconds "$([ -n "${CI:-}" ] && echo 60 || echo 10)" || rc=1
exit $rc
