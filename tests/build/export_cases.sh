# SPDX-License-Identifier: Apache-2.0
# The controllers that test_export.sh and test_export_builds.sh export; sourced.  each_case COMMAND...: calls it with
# name, system, model, set, tracked, noise, delay and the controller's options for every case.
paper=m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1
bristles=sigma0=1e4,sigma1=80,Fc=1,Fs=1.5,vs=0.01
motor=sigma0=20,sigma1=0.1,Fc=0.05,Fs=0.08,vs=0.1

# name | system | model | set | tracked | noise on v | delay | options of the controller
cases="
fl    |pulled_block|lugre|$paper|v|0|0|--controller feedback_linearization
ideal |pulled_block|lugre|$paper|v|0|0|--controller feedback_linearization --bristle true
printed|pulled_block|lugre|$paper|v|0|0|--controller feedback_linearization --law published --bristle true
fl_i  |pulled_block|lugre|$paper|v|0|0|--controller feedback_linearization --integral --limit u=20
slide |pulled_block|lugre|$paper|v|0|0|--controller sliding_mode
bare  |driven_block|lugre|m=1,$bristles|v|0|0|--controller sliding_mode --gains phi=0,eta=5
smooth|pulled_block|lugre|$paper|v|1e-3|0|--controller sliding_mode_implicit
watch |pulled_block|lugre|$paper|v|0|0|--controller observer
watch_i|pulled_block|lugre|$paper|v|1e-3|1e-3|--controller observer --integral --limit u=50
learn |pulled_block|lugre|$paper|v|1e-3|0|--controller adaptive --integral
learn_x|mass_spring|lugre|m=1.7,ks=3,$bristles|x|0|0|--controller adaptive
ahead |pulled_block|lugre|$paper|v|0|0|--controller feedforward --integral
ahead_x|mass_spring|maxwell_slip|m=1,ks=3,k=1000,1800,2600,Delta=0.0015,0.0024,0.0033|x|0|0|--controller feedforward
pi    |driven_block|dahl|m=1,sigma0=1e4,Fc=1|v|0|0|--controller pi --limit u=3
pid   |mass_spring|lugre|m=1,ks=3,$bristles|x|0|0|--controller pid --gains kp=30,ki=40,kd=6
outer |pulled_block|lugre|$paper|v|0|0|--controller cascade_pi --limit u=50
outer_x|mass_spring|lugre|m=1,ks=3,$bristles|x|0|0|--controller cascade_pi --gains kp=100,ki=100,inner=20
axis  |dc_motor|lugre|$motor|theta|0|0|--controller observer --integral
turn  |dc_motor|lugre|$motor|omega|0|0|--controller adaptive
knee  |mass_spring|bouc_wen|m=1,ks=3,fp=1,uy=0.001|v|0|0|--controller feedback_linearization --integral
block |driven_block|gms|m=1|v|0|0|--controller observer
stick |driven_block|coulomb|m=1,Fc=1,Fs=1.5,vs=0.01|v|0|0|--controller feedforward --integral
memory|pulled_block|dahl|m=1.7,k=3,sigma0=1e4,Fc=1,gamma=0.7|v|0|0|--controller feedback_linearization
"

each_case() {
  local name system model set tracked noise delay options
  while IFS='|' read -r name system model set tracked noise delay options; do
    # shellcheck disable=SC2086
    [ -z "$name" ] || "$@" "${name// /}" "$system" "$model" "$set" "$tracked" "$noise" "$delay" $options
  done <<<"$cases"
}
