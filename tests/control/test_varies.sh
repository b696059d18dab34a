# SPDX-License-Identifier: Apache-2.0
# Closed loops over a plant that varies: the load as an input, parameters that switch; in commands and in studies.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
rm -rf varies && mkdir varies && cd varies || exit 1
fail() { echo "FAILED: $*"; exit 1; }
BASE=(control --system pulled_block --model lugre --controller pi --gains kp=20,ki=30 --reference step:1 --t-end 2 --json)
SET=m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,vs=0.1,delta=1
ask() { "$BRISTLE" "${BASE[@]}" "${@:2}" >"$1.json" || fail "$*"; }
for how in c s; do
  [ $how = s ] && more=(--sample 1ms) || more=()
  ask ${how}plain --set $SET,Fc=2.94,Fs=5.88 ${more[@]+"${more[@]}"}
  ask ${how}two --set $SET,Fc=2.94,Fs=5.88 --input N:2 ${more[@]+"${more[@]}"}
  ask ${how}twice --set $SET,Fc=5.88,Fs=11.76 ${more[@]+"${more[@]}"}
  ask ${how}load --set $SET,Fc=2.94,Fs=5.88 --switch 0.5s:load=2 ${more[@]+"${more[@]}"}
  ask ${how}levels --set $SET,Fc=2.94,Fs=5.88 --switch 0.5s:Fc=5.88,Fs=11.76 ${more[@]+"${more[@]}"}
  ask ${how}jump --set $SET,Fc=2.94,Fs=5.88 --input 'N:expr:1+(t>=0.5)' ${more[@]+"${more[@]}"}
  ask ${how}wave --set $SET,Fc=2.94,Fs=5.88 --input 'N:sine:0.5,1Hz,0,1' ${more[@]+"${more[@]}"}
done
ask fine --set $SET,Fc=2.94,Fs=5.88 --input 'N:sine:0.5,1Hz,0,1' --sample 20us
ask mass --set $SET,Fc=2.94,Fs=5.88 --switch 1s:m=2,1.5s:k=3
cat >s.yaml <<'Y'
title: a load that rises
system: pulled_block
model: lugre
set: {m: 1, k: 2, sigma0: 2900, sigma1: 107, sigma2: 0, vs: 0.1, delta: 1, Fc: 2.94, Fs: 5.88}
runs:
  jump:
    input: {N: 'expr:1+(t>=0.5)'}
    control: {controller: pi, gains: 'kp=20,ki=30', reference: 'step:1', t-end: 2}
  levels:
    control: {controller: pi, gains: 'kp=20,ki=30', reference: 'step:1', t-end: 2, switch: '0.5s:Fc=5.88,Fs=11.76'}
Y
"$BRISTLE" run s.yaml --out out --quiet >log 2>&1 || fail "study: $(cat log)"
python3 - <<'P' || exit 1
import glob, json
def of(n):
    return json.load(open(n + '.json'))
K = ('error_rms', 'error_max', 'error_end', 'peak_control', 'rms_control')
def near(a, b, most):
    for k in K:
        assert abs(a[k] - b[k]) <= most * abs(b[k]), (k, a[k], b[k])
for h in 'cs':
    near(of(h + 'two'), of(h + 'twice'), 1e-9)      # the load scales both levels
    near(of(h + 'load'), of(h + 'levels'), 1e-9)    # the same by three ways
    near(of(h + 'jump'), of(h + 'levels'), 1e-9)
    assert abs(of(h + 'load')['error_rms'] - of(h + 'plain')['error_rms']) > 0.01
    assert of(h + 'wave')['hunting']['verdict'] == 'not asked'
near(of('fine'), of('cwave'), 1e-3)                 # samples of 20 us against none
assert abs(of('mass')['error_end'] - of('cplain')['error_end']) > 0.01
text = ''.join(open(f).read() for f in glob.glob('out/*.json'))
assert text.count(repr(of('cjump')['error_rms'])) >= 1, 'the study says something else'
P
no() { local words=$1; shift; "$BRISTLE" "${BASE[@]}" --set $SET,Fc=2.94,Fs=5.88 "$@" >out.txt 2>err; [ $? -eq 2 ] && grep -q -- "$words" err || fail "$*: $(cat err)"; }
no 'is what the controller moves; --input N:SPEC' --input vp:sine:1,1
no "'vp' is what the controller moves" --switch 1s:vp=3
no 'no contact of that number' --input N2:3
no 'must be a number >= 0' --switch 1s:load=-1
no 'about a plant that stays' --input N:2 --bode b.svg
no 'falls below zero at t = 1 s' --input 'N:expr:1-t'
no 'did you mean' --switch 1s:Fcc=3
[ ! -e b.svg ] || fail 'files left behind'
echo ok
