# SPDX-License-Identifier: Apache-2.0
# bristle loop as a user meets it: valid loops are answered, what the answer says of their stability.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
dir=$PWD/loop_files
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
. "$BR_SOURCE_DIR/tests/cli/expect.sh"
has() { grep -qE -- "$1" out || fail "output lacks '$1': $(cat out)"; }
quiet() { [ ! -s err ] || fail "$* prints on stderr: $(cat err)"; }
value() { sed -n "s/^ *\"$1\": \([^,]*\),*$/\1/p" out | head -1; }
within() { awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { d = a - b; exit !(d <= t && -d <= t) }' || fail "$4: $1 for $2"; }

# --- multipliers: a complex pair of radius exp(-0.1), kept elements, no "repels" out of rounding ----------------
expect 0 '' loop --model semilinear_duhem --input turning:0,1 --json \
  --set n=2,Ap=-0.05,20,-1,-0.05,Am=0.05,0,0,0.05,Bp=0,0,Bm=0,0,Ep=1,0,Em=1,0,C=1,0
quiet 'a loop that attracts'; has '"attracting": true'; within "$(value contraction)" 0.90483741803595957 1e-12 radius
expect 0 '' loop --model maxwell_slip --set k=1,Delta=1 --input turning:0,0.3
has 'a deviation  is kept'
expect 0 'repels' loop --model bouc_wen --set beta=-0.25,gamma=1.25,eta=1 --input turning:-0.3,0.3

# --- valid loops ------------------------------------------------------------------------------------------------
for turning in 0,0.3,0.2,0.7 0.1,0.7,0.4 -1,0.7; do
  expect 0 '' loop --model maxwell_slip --set k=1,Delta=1 --input "turning:$turning" --json; quiet "$turning"
done
for u in 1e-5 0.01 0.03 0.1 0.3 0.7 1; do # Dahl as formulas, without complex instance, against the closed form
  expect 0 '' loop --model duhem --input "turning:-$u,$u,0" --json; quiet "duhem $u"
  w=$(value work) c=$(value contraction)
  expect 0 '' loop --model dahl --input "turning:-$u,$u,0" --json
  within "$w" "$(value work)" 1e-9 "work of duhem at $u"; within "$c" "$(value contraction)" 1e-9 "contraction at $u"
done
expect 0 '' loop --model duhem_lugre --set eta=8 --input turning:0,0.01; quiet 'duhem_lugre eta=8'
expect 0 '' loop --model duhem_lugre --set eta=8 --input turning:0,0.3,0.2,0.7 --json; quiet 'duhem_lugre eta=8'

# --- the way into the loop: time for K periods, not for K^2 -------------------------------------------------------
SECONDS=0
expect 0 '' loop --model bouc_wen --input turning:-1,1,0.2,0.7 --periods 60 --json
[ "$SECONDS" -lt 60 ] || fail "--periods 60 took $SECONDS s"

# --- states at the start that no motion brings about; a stick fraction needs a speed that counts as slow --------
expect 0 'note: F = 2 N lies outside its bound' loop --model dahl --input turning:-1,1 --periods 2 --init F=2 --quiet
expect 0 'note: z = -1.5 lies outside' loop --model bouc_wen --input turning:-1,1 --periods 2 --init z=-1.5,D=30 --quiet
expect 0 'brings it beyond 1.5e-05 m' simulate --system mass_spring --model lugre --init z=1 --t-end 0.001 --quiet
expect 0 '' simulate --system mass_spring --model lugre --init x=1,v=1 --t-end 0.001 --quiet; quiet 'a position has no bound'
expect 0 '' loop --model dahl --input turning:-1,1 --periods 2 --init F=0.74 --quiet; quiet 'a state inside its bound'
S=(simulate --system mass_spring --model dahl --set m=1,ks=1 --input sine:1N,0.2Hz --cycle)
expect 0 '' "${S[@]}"; has 'no threshold for the stick fraction'
expect 0 '' "${S[@]}" --json; has '"stick_fraction": null'; has '"note": "no threshold'
expect 0 '' "${S[@]}" --threshold 0.01 --json; has '"threshold": 0.01,'; has '"stick_fraction": 0\.00[0-9]+'
expect 2 'must be > 0' "${S[@]}" --threshold 0
expect 2 'stick fraction of --cycle or --window' simulate --system mass_spring --model dahl --t-end 1 --threshold 0.1

# --- what switches in every period: the work of Coulomb friction is its path; LuGre as the trace of three periods --------
expect 0 '' loop --model coulomb --set Fc=1,Fs=1,sigma2=0 --input triangle:1mm,1Hz --waveform --switch 0.5s:Fc=0.5,Fs=0.5 --json
within 0.003 "$(value work)" 1e-12 'coulomb that switches'
L=(--model lugre --set sigma0=1e5,sigma1=300,sigma2=0.1,Fc=1,Fs=2,vs=0.001 --input sine:1mm,1Hz)
expect 0 '' loop "${L[@]}" --waveform --switch 0.5s:Fc=2 --json; work=$(value work)
has '"dissipation": null'
"$BRISTLE" trace "${L[@]}" --t-end 3 --switch 0.5s:Fc=2 --switch 1s:Fc=1 --switch 1.5s:Fc=2 --switch 2s:Fc=1 --switch 2.5s:Fc=2 \
  --measures --csv - --quiet | awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "work [J]") w = i} $1 == 2 {a = $w} $1 == 3 {printf "%.15g\n", $w - a}' >switched.txt
within "$(cat switched.txt)" "$work" 1e-9 'lugre that switches'
expect 2 'add --waveform' loop "${L[@]}" --switch 0.5s:Fc=2
expect 2 'within one period' loop "${L[@]}" --waveform --switch 1.5s:Fc=2

# --- classify ------------------------------------------------------------------------------------------------------
expect 0 '' classify --model bouc_wen --set beta=0,gamma=1; has 'energy +reversible, no hysteresis'
expect 0 '' classify --model dahl --set gamma=0.98; has 'rate independent, continuous'
expect 0 '' classify --model gms --set k=1e4,alpha=1; has 'active: work -1\.[0-9]+e-05 J a cycle'; has 'searched: 33 loops'
expect 0 '' classify --model gms --set k=1e4,alpha=1 --json; has '"kind": "schedule"'; has '"searched"'

[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
