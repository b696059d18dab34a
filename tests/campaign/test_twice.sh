# SPDX-License-Identifier: Apache-2.0
# A slice of tools/campaign twice; a larger one with CI set.
set -u
command -v python3 >/dev/null || { echo "skip: python3 is not here"; exit 77; }
exec python3 "$BR_SOURCE_DIR/tests/campaign/campaign.py" twice "$([ -n "${CI:-}" ] && echo 20 || echo 4)" --seed 20261115
