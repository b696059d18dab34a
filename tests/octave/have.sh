# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests of the MEX function: is there one in this build?
if [ -z "${BR_OCTAVE:-}" ] || [ ! -e "$BR_BUILD_DIR/octave/bristle.mex" ]; then
  echo 'skip: no Octave with mex.h (octave-dev; CI=1 installs it), or a build with sanitizers'
  exit 77
fi
octave() { "$BR_OCTAVE" --no-gui --quiet --norc --path "$BR_BUILD_DIR/octave" "$@"; }
