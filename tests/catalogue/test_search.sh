#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A word that is no name lists what fits; a name with a slip of the pen is still told of.
set -u
fail=0
lists() { # command word: names that must be there; - names that must not
  local out; out=$("$BRISTLE" "$1" "$2") || { echo "$1 $2: exit $?"; fail=1; return; }
  for n in $3; do grep -q "^$n " <<<"$out" || { echo "$1 $2: no $n"; fail=1; }; done
  for n in $4; do grep -q "^$n " <<<"$out" && { echo "$1 $2: $n"; fail=1; }; done
}
lists models stribeck "coulomb lugre gms" "dahl maxwell_slip"
lists models str "coulomb lugre" "dahl" # three letters are enough
lists models STRIBECK "lugre" "dahl"
lists models damping "viscous coulomb karnopp lugre gms" "dahl bouc_wen"
lists models atomic "tomlinson" "haessig_friedland"
lists models prandtl "tomlinson" "maxwell_slip"
lists models asperity "haessig_friedland reset_integrator" "tomlinson"
lists models reset "reset_integrator" "haessig_friedland"
lists models stiction "coulomb lugre" "dahl"
lists models "bristle" "lugre haessig_friedland" "coulomb"
lists systems spring "pulled_block mass_spring" "driven_block"
lists systems motor "dc_motor" "driven_block"
# words of other tongues, each with those that are meant
for w in robot servo; do lists systems $w "dc_motor" "driven_block two_axis"; done
lists systems belt "pulled_block" "driven_block"
lists systems earthquake "chain" "pulled_block"
lists systems oscillator "pulled_block mass_spring" "driven_block"
lists systems table "two_axis" "chain"
lists models table "bouc_wen_biaxial" "bouc_wen"
for w in breakaway drycontact; do lists models $w "coulomb lugre" "viscous maxwell_slip"; done
for w in preisach iwan jenkins ishlinskii; do lists models $w "maxwell_slip gms" "lugre"; done
lists models presliding "lugre maxwell_slip" "viscous coulomb"
lists models hysteresis "duhem semilinear_duhem" "viscous"
for w in yielding damper isolator; do lists models $w "bouc_wen bouc_wen_biaxial" "lugre"; done
lists models lubricated "viscous lugre" "dahl"
lists models afm "tomlinson" "dahl"
lists models bearing "dahl" "lugre"
refused() { "$BRISTLE" "$1" "$2" >out 2>err; [ $? -eq 2 ] && [ ! -s out ] && grep -q "$3" err || { echo "$1 $2:"; cat out err; fail=1; }; }
refused models lugr "did you mean 'lugre'"
refused models qwertz "unknown model"
refused models "-_ " "unknown"
refused models xy "unknown"
refused models st "unknown" # two letters would fit almost everything
refused systems sp "unknown"
refused systems pulled_blok "did you mean 'pulled_block'"
"$BRISTLE" models stribeck --json >/dev/null 2>&1 && { echo "a word with --json passes"; fail=1; }
# programs ask for names: a list for people is none
for w in "models stribeck" "systems motor" "models table" "systems robot"; do
  "$BRISTLE" $w --json >out 2>err
  [ $? -eq 2 ] && [ ! -s out ] && grep -q "unknown ${w%%s *} '${w##* }'" err ||
    { echo "$w --json:"; cat out err; fail=1; }
done
for w in "models lugre" "systems dc_motor"; do
  "$BRISTLE" $w --json | grep -q "\"name\": \"${w##* }\"" || { echo "$w --json"; fail=1; }
done
lists presets puma "puma560_joint1 puma560_joint6" "doc1 doc2"
lists presets "MR DAMPER" "vargas_mr_0v_1_1" "puma560_joint1"
lists presets dc_motor "doc4_fig08 doc4_fig10" "doc0"
"$BRISTLE" presets puma560_joint2 | grep -q '^  source ' || { echo "presets: one by its name is shown with its source"; fail=1; }
[ "$("$BRISTLE" presets puma --json | grep -c '"name"')" -eq 6 ] || { echo "presets puma --json"; fail=1; }
refused presets puna "unknown preset"
refused presets "" "unknown preset"
refused loop -m "write --model"
exit $fail
