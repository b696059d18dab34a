#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A question is asked once: function and command give the same bits, for every example of the catalogue.
set -u
. "$BR_SOURCE_DIR/tests/python/have.sh"
exec "$BR_PYTHON" "$BR_SOURCE_DIR/tests/python/same.py" "$BRISTLE" "$BR_SOURCE_DIR"
