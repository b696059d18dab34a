# SPDX-License-Identifier: Apache-2.0
# A slice of tools/campaign alloc; a larger one with CI set.
set -u
command -v python3 >/dev/null || { echo "skip: python3 is not here"; exit 77; }
exec python3 "$BR_SOURCE_DIR/tests/campaign/campaign.py" alloc --slice "$([ -n "${CI:-}" ] && echo 12 || echo 3)"
