# SPDX-License-Identifier: Apache-2.0
# tools/setup on machines we do not have: everything is missing, apt-get and id are stand-ins that keep a record.
set -euo pipefail
rm -rf bin calls updated broken built pid
mkdir bin
bash=$(command -v bash)
ln -s "$bash" bin/bash
for tool in env mktemp rm tail; do ln -s "$(command -v $tool)" "bin/$tool"; done
stand_in() { printf '#!%s\n%s\n' "$bash" "$2" >"bin/$1" && chmod +x "bin/$1"; }
setup() { env -u BR_SETUP PATH="$PWD/bin" "$bash" "$BR_SOURCE_DIR/tools/setup" "$@" >out.txt 2>&1; }
fail() { echo "$1"; cat out.txt; exit 1; }
line='apt-get install -y --no-install-recommends .*ninja-build'

# Not root, no sudo: the exact line, an error, and no apt call.
stand_in id 'echo 1000'
stand_in apt-get "echo \"\$*\" >>'$PWD/calls'"
if setup build; then fail "setup succeeded without rights"; fi
grep -qE "sudo $line" out.txt || fail "no line to run"
[ ! -e calls ] || fail "apt-get was called without rights"

# Root, empty package lists: install fails, update, install again.
stand_in id 'echo 0'
stand_in apt-get "echo \"\$*\" >>'$PWD/calls'; [ -e '$PWD/updated' ] || { [[ \$* == *update* ]] && : >'$PWD/updated'; }"
rm -f updated
setup build || fail "setup failed as root"
[ "$(grep -c install calls)" -eq 2 ] && [ "$(grep -c update calls)" -eq 1 ] || fail "calls: $(cat calls)"
grep -q ninja-build calls || fail "ninja-build was not asked for"

# Root, but the archive cannot be reached: an error that names the line.
rm -f calls
stand_in apt-get 'exit 100'
if setup build; then fail "setup succeeded although apt-get failed"; fi
grep -q 'apt-get' out.txt || fail "no line after a failed install"

# Sudo without password.
stand_in id 'echo 1000'
stand_in sudo 'shift; exec "$@"'
stand_in true ''
stand_in apt-get "echo \"\$*\" >>'$PWD/calls'"
setup build || fail "setup failed with sudo"
grep -q ninja-build calls || fail "sudo did not reach apt-get"

# Only asked: no apt call; nothing missing: nothing to do.
rm -f calls
if setup --check build; then fail "nothing is said to be missing"; fi
if [ -e calls ]; then fail "a question installed something"; fi

# While packages come, kernels are compiled; where they do not come, that is an error and nothing goes on.
stand_in id 'echo 0'
stand_in apt-get "echo \"\$*\" >>'$PWD/calls'; sleep 0.3; [[ ! -e '$PWD/broken' || \$* != *gnuplot* ]]"
stand_in cmake "echo \"\$*\" >>'$PWD/built'; if [[ \$* == *--build* ]]; then echo \$\$ >'$PWD/pid'; sleep \$(cat '$PWD/long'); echo done >>'$PWD/built'; fi"
for tool in sleep cat dirname; do ln -s "$(command -v $tool)" "bin/$tool"; done
begin() { env -u BR_SETUP PATH="$PWD/bin" "$bash" "$BR_SOURCE_DIR/tools/begin" "$@" >out.txt 2>&1; }
echo 0.1 >long
begin native build || fail "begin failed"
grep -q -- '--preset native -DBR_OPTIONAL=OFF' built && grep -q done built || fail "kernels were not built: $(cat built)"
rm -f built && : >broken && echo 60 >long
SECONDS=0
if begin native build; then fail "begin succeeded without packages"; fi
[ $SECONDS -lt 30 ] || fail "begin waited for the kernels after packages failed"
for ((i = 0; i < 50; i++)); do kill -0 "$(cat pid)" 2>/dev/null || break; sleep 0.1; done
[ $i -lt 50 ] || fail "kernels go on compiling after packages failed"
grep -q 'apt-get' out.txt || fail "no line after a failed install"

if setup nonsense; then fail "unknown set accepted"; fi
env BR_SETUP=skip PATH="$PWD/bin" "$bash" "$BR_SOURCE_DIR/tools/setup" build >out.txt || fail "BR_SETUP=skip failed"
