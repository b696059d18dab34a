# SPDX-License-Identifier: Apache-2.0
# bristle export as a user meets it: exit codes, messages, files; the bits are judged by tests/build/test_export.sh.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
dir=$PWD/export_cli_files
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
. "$BR_SOURCE_DIR/tests/cli/expect.sh"
has() { grep -qF -- "$1" "$2" || fail "$2 lacks '$1'"; }
block=(export c --system pulled_block --model lugre
  --set m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1)

expect 2 'what to export is missing' export
expect 2 "cannot export 'fortran'" export fortran
expect 2 "set of the model lugre, not of 'dahl'" export fmu --model dahl --preset doc1 --output no.fmu
expect 2 "unknown preset 'doc'; did you mean" export fmu --preset doc --output no.fmu
expect 2 "--fmi belongs to 'bristle export fmu'" export c --model lugre --fmi 3
expect 2 "--kind belongs to 'bristle export fmu'" export c --model lugre --kind me
expect 2 '--output FILE.fmu is missing' export fmu --model lugre
expect 2 '--output FILE.fmu is missing' export fmu --model lugre --output -
expect 2 '--fmi 4' export fmu --model lugre --fmi 4 --output no.fmu
expect 2 '--kind mi is unknown' export fmu --model lugre --kind mi --output no.fmu
expect 2 'does not belong to an FMU' export fmu --model lugre --precision f32 --output no.fmu
expect 2 '--controller NAME is missing: --system belongs to one' "${block[@]}"
expect 2 '--controller NAME is missing: --limit belongs to one' export c --model lugre --limit u=1
expect 2 '--model NAME is missing' export c
expect 2 "did you mean 'lugre'" export c --model lugr
expect 2 'sigma0 = -1 N/m' export c --model lugre --set sigma0=-1
expect 2 "did you mean 'observer'" "${block[@]}" --controller observr
expect 2 "did you mean 'sliding_mode_implicit'" "${block[@]}" --controller sliding_mode_implict
expect 2 '--system NAME is missing' export c --model lugre --controller pi
expect 2 '--model NAME is missing' export c --system pulled_block --controller pi
expect 2 "has no state 'teta'; did you mean 'theta'" export c --system dc_motor --model lugre --track teta --controller pid
expect 2 '--precision f16 is unknown' "${block[@]}" --controller pi --precision f16
expect 2 '--sample = 0 s is out of range' "${block[@]}" --controller pi --sample 0
expect 2 'must be a C identifier' "${block[@]}" --controller pi --name 1st
expect 2 'must be a C identifier' "${block[@]}" --controller pi --name br_me
expect 2 'must be a C identifier' "${block[@]}" --controller pi --name 'a"b'
expect 2 'law published belongs to' "${block[@]}" --controller observer --law published
expect 2 'law published is written for' export c --system pulled_block --model dahl --controller feedback_linearization --law published
expect 2 'cascade_pi needs an inner quantity' export c --system driven_block --model lugre --controller cascade_pi
expect 2 'track its velocity or position' "${block[@]}" --controller feedforward --track l
expect 2 'cannot be controlled here' export c --system chain --model lugre --controller pi
expect 2 'no poles to place' "${block[@]}" --controller pid --integral
expect 2 "--gains" "${block[@]}" --controller pi --gains kq=1
expect 2 'phi = -1 is out of range' "${block[@]}" --controller sliding_mode --gains phi=-1
expect 2 'out of range: must be < 0' "${block[@]}" --controller observer --poles=-1,2
expect 1 'nofolder' "${block[@]}" --controller pi --output nofolder/x.h
[ "$(ls)" = $'err\nout' ] || fail "files were left: $(ls | tr '\n' ' ')"

# standard output and a file hold the same; the name comes from the file; the command is in the header
expect 0 '' "${block[@]}" --controller observer --integral --poles=-90,-80,-70 --limit u=50 --name my_axis
cp out first
expect 0 '' "${block[@]}" --controller observer --integral --poles=-90,-80,-70 --limit u=50 --output my-axis.h
has 'my_axis_update()' out
sed '/^ \*   --name my_axis$/d; s/ --name my_axis$//' first | cmp -s - my-axis.h ||
  { diff first my-axis.h | head -5; fail "output differs from the file"; }
has ' --poles=-90,-80,-70' my-axis.h
has 'sigma0 = 2900 N/m: bristle stiffness' my-axis.h
has 'poles of e, 1/s' my-axis.h
has 'limit = 50' my-axis.h
has 'my_axis_q_v = 1, /* m/s: velocity of the block */' my-axis.h
grep -qE 'malloc|printf|math\.h|string\.h' my-axis.h && fail 'the header mentions the C library'
[ "$(awk 'length > 1000' my-axis.h | wc -l)" -eq 0 ] || fail 'endless lines'
expect 0 '' "${block[@]}" --controller pi --output quiet.h --quiet
[ -s out ] && fail '--quiet printed something'
# an older file survives a failure
cp quiet.h before.h
expect 2 'out of range' "${block[@]}" --controller pi --gains kp=-1 --output quiet.h
cmp -s quiet.h before.h || fail 'an old file was touched'
# a model alone
expect 0 '' export c --model lugre --set sigma0=2.4e4 --precision f32 --output joint.h
has 'joint_step()' out
has 'sigma0 = 24000 N/m: bristle stiffness' joint.h
has 'BRX_FN float joint_step(joint_t *e, float load, const float u, const float v, float h)' joint.h
# every controller that there is can be named
for name in $("$BRISTLE" export --help | tr -s ' \n' ' ' | sed 's/.*one of \(.*\) --law.*/\1/'); do
  expect 0 '' "${block[@]}" --controller "$name" --output all.h --quiet
done
[ $failures -eq 0 ] || exit 1
cd .. && rm -rf "$dir"
