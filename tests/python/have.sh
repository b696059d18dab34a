# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests of the Python package: is there one in this build?
[ -n "${BR_PYTHON:-}" ] || { echo 'skip: no python3 with Python.h (python3-dev)'; exit 77; }
if [ ! -e "$BR_BUILD_DIR/python/bristle/__init__.pyi" ]; then
  echo 'skip: this build has no Python package (python/asan tests it there)'
  exit 77
fi
export PYTHONPATH=$BR_BUILD_DIR/python PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg
