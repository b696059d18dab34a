# SPDX-License-Identifier: Apache-2.0
# Section 'control' of a study: the numbers of 'bristle control' with the same options, bit for bit; errors name the
# option; a reference from a file is found beside the study and counts for --resume.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
if ! "$BRISTLE" --version | grep -qE '^ *yaml +yes'; then
  echo "skip: this build has no libyaml"
  exit 77
fi
command -v python3 >/dev/null || { echo "skip: no python3 to read JSON"; exit 77; }
rm -rf control_files && mkdir control_files && cd control_files || exit 1
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
paper="m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1"
cat >base.yaml <<'Y'
model: lugre
system: pulled_block
set: {m: 1, k: 2, sigma0: 2900, sigma1: 107, sigma2: 0, Fc: 2.94, Fs: 5.88, vs: 0.1, delta: 1}
Y

# same NAME "options of the command" "options of the study"
same() {
  { echo "extends: base.yaml"; echo "control: {$3}"; } >"$1.yaml"
  # shellcheck disable=SC2086
  "$BRISTLE" control --system pulled_block --model lugre --set "$paper" $2 --json --csv "$1.csv" >"$1.json" 2>"$1.err" ||
    { fail "$1: command: $(cat "$1.err")"; return; }
  "$BRISTLE" run "$1.yaml" --out "$1" --quiet || { fail "$1: study"; return; }
  python3 - "$1.json" "$1/control.json" <<'P' || fail "$1: numbers differ"
import json, sys
a = json.load(open(sys.argv[1]))
b = {q["name"]: q["value"] for q in json.load(open(sys.argv[2]))["quantities"]}
bad = [k for k in ("error_rms", "error_max", "error_end", "peak_control", "rms_control", "settling_time")
       if a[k] != b.get(k)]
bad += [] if ("yes" if a["hunting"]["found"] else "no") == b["hunting.found"] else ["hunting"]
bad += [k for k in ("amplitude", "period") if a["hunting"]["found"] and a["hunting"][k] != b["hunting." + k]]
if bad: print(bad, a, b)
sys.exit(bool(bad))
P
  cmp <(tail -n +2 "$1.csv") <(tail -n +2 "$1/control.csv") || fail "$1: tables differ"
}
same step "--controller feedback_linearization --poles=-35,-30 --reference step:1 --t-end 1" \
  'controller: feedback_linearization, poles: [-35, -30], reference: "step:1", t-end: 1'
same published "--controller feedback_linearization --law published --reference ramp:0.1 --t-end 20 --bristle true" \
  'controller: feedback_linearization, law: published, reference: "ramp:0.1", t-end: 20 s, bristle: "true"'
same sampled "--controller observer --integral --reference sine:1,0.1 --t-end 3 --window 1:3 --sample 1ms --delay 1ms
  --noise v=1e-3 --limit u=50 --mismatch sigma0=1.2,Fc=0.8,m=1.1 --seed 7" \
  'controller: observer, integral: "yes", reference: "sine:1,0.1", t-end: 3, window: "1:3", sample: 1 ms, delay: 1 ms,
   noise: v=1e-3, limit: u=50, mismatch: "sigma0=1.2,Fc=0.8,m=1.1", seed: 7'
same gains "--controller pi --gains kp=30,ki=5 --reference step:0.5 --t-end 4 --track v --output-dt 0.1" \
  'controller: pi, gains: "kp=30,ki=5", reference: "step:0.5", t-end: 4, track: v, output-dt: 0.1'
same scaled "--controller feedback_linearization --bristle true --mismatch z=1.001 --reference step:0.2 --t-end 1" \
  'controller: feedback_linearization, bristle: "true", mismatch: z=1.001, reference: "step:0.2", t-end: 1'

# wrong "part of the message" "options of the study"
wrong() {
  { echo "extends: base.yaml"; echo "control: {$2}"; } >wrong.yaml
  "$BRISTLE" run wrong.yaml --out wrong --quiet >wrong.txt 2>&1 && fail "accepted: $2"
  grep -qF -- "$1" wrong.txt || fail "$2: $(cat wrong.txt)"
}
good='controller: pi, reference: "step:1", t-end: 1'
wrong "'controller' is missing" 'reference: "step:1", t-end: 1'
wrong "did you mean 'pi'" 'controller: pii, reference: "step:1", t-end: 1'
wrong "'t-end' is missing" 'controller: pi, reference: "step:1"'
wrong "'reference' is missing" 'controller: pi, t-end: 1'
wrong "did you mean 'step'" 'controller: pi, reference: "stop:1", t-end: 1'
wrong "did you mean 'kp'" "$good, gains: kq=3"
wrong "no poles to place" "$good, integral: \"yes\""
wrong "two or three" "controller: observer, reference: \"step:1\", t-end: 1, poles: [-3]"
wrong "poles" "controller: observer, reference: \"step:1\", t-end: 1, poles: [-3, 2]"
wrong "delay belongs to a sampled controller: add sample" "$good, delay: 0.1"
wrong "noise belongs to a sampled controller: add sample" "$good, noise: v=1"
wrong "window = 3:2: must be A:B with A < B" "$good, window: \"3:2\""
wrong "'window' 2:3: must begin" "$good, window: \"2:3\""
wrong "has no state 'w'" "$good, track: w"
wrong "limit" "$good, limit: u=-1"
wrong "only 'bristle: true'" "$good, mismatch: z=2"
wrong "sigma" "$good, mismatch: sigm0=2"
wrong "seed" "$good, seed: 1.5"
wrong "did you mean 'sample'" "$good, sampel: 1"
{ echo "extends: base.yaml"; echo "set: {vp: 1}"; echo "control: {$good}"; } >held.yaml
"$BRISTLE" run held.yaml --out held --quiet >held.txt 2>&1 && fail "a held input was accepted"
grep -q "what the controller moves" held.txt || fail "held input: $(cat held.txt)"

# A reference from a file, from another folder; a changed file is computed again.
mkdir -p there && printf 't [s],r [m/s]\n0,0\n0.5,0.2\n1,0.1\n' >there/r.csv
{ echo "extends: ../base.yaml"; echo 'control: {controller: pi, reference: "csv:r.csv", t-end: 1}'; } >there/file.yaml
"$BRISTLE" run there/file.yaml --out file --quiet || fail "reference from a file"
before=$(grep '"key"' file/control.json)
"$BRISTLE" run there/file.yaml --out file --quiet --resume || fail "resume"
[ "$before" = "$(grep '"key"' file/control.json)" ] || fail "the same file has another key"
printf 't [s],r [m/s]\n0,0\n0.5,0.3\n1,0.1\n' >there/r.csv
"$BRISTLE" run there/file.yaml --out file --quiet --resume || fail "resume with another file"
[ "$before" != "$(grep '"key"' file/control.json)" ] || fail "another file has the same key"

[ "$failures" -eq 0 ] && echo "section control agrees with the command"
exit "$((failures > 0))"
