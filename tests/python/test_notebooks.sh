#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The notebooks of examples/notebooks run from the first cell to the last.
set -u
. "$BR_SOURCE_DIR/tests/python/have.sh"
"$BR_PYTHON" -c 'import numpy' 2>/dev/null || { echo 'skip: python3-numpy is not installed'; exit 77; }
exec "$BR_PYTHON" "$BR_SOURCE_DIR/tests/python/notebooks.py" "$BR_SOURCE_DIR"/examples/notebooks/*.ipynb
