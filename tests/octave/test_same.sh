#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The examples of the catalogue in Octave and as commands: the same bits in every number, text and flag.
set -u
. "$BR_SOURCE_DIR/tests/octave/have.sh"
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
python3 "$BR_SOURCE_DIR/tests/octave/same.py" write "$BRISTLE" >examples.m || exit 1
cp "$BR_SOURCE_DIR/tests/octave/flat.m" .
octave examples.m >answers.txt 2>errors.txt || { head -5 errors.txt; exit 1; }
python3 "$BR_SOURCE_DIR/tests/octave/same.py" compare "$BRISTLE"
