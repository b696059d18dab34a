#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The package as its users see it: results, arrays, callables, elements, errors, threads, Ctrl-C, stubs, pictures.
set -u
. "$BR_SOURCE_DIR/tests/python/have.sh"
exec "$BR_PYTHON" "$BR_SOURCE_DIR/tests/python/api.py" -v
