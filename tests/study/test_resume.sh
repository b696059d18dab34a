# SPDX-License-Identifier: Apache-2.0
# kill -9 at ten random moments of a run, --resume each time: in the end every file equals, bit for bit, that of
# a run nobody disturbed, and at no moment is there half a file under a final name.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
if ! "$BRISTLE" --version | grep -qE '^ *yaml +yes'; then
  echo "skip: this build has no libyaml"
  exit 77
fi
rm -rf resume_files && mkdir resume_files && cd resume_files || exit 1
hdf5=
"$BRISTLE" --version | grep -qE '^ *hdf5 +yes' && hdf5=--hdf5
{
  echo 'title: many runs'
  echo 'model: bouc_wen'
  echo 'input: sine:3,1Hz'
  echo 'trace: {t-end: 2 s, dt: 0.5 ms}'
  echo 'runs:'
  for i in $(seq 1 24); do echo "  run$i: {set: {beta: 0.$((50 + i)), eta: $((1 + i % 4))}}"; done
} >many.yaml

start=$(date +%s%N)
"$BRISTLE" run many.yaml --out whole --quiet $hdf5 || exit 1
whole_ms=$((($(date +%s%N) - start) / 1000000))
echo "undisturbed: $whole_ms ms"

# One record per finished run: at every kill each record must belong to complete tables.
half_files() {
  local f
  for f in killed/*.json; do
    [ -e "$f" ] || continue
    tail -c 2 "$f" | grep -q '}' || { echo "half a record: $f"; return 1; }
  done
  return 0
}

RANDOM=20260715
kills=0 tries=0
while [ $kills -lt 10 ] && [ $tries -lt 60 ]; do
  tries=$((tries + 1))
  "$BRISTLE" run many.yaml --out killed --quiet $hdf5 --resume &
  pid=$!
  ms=$((RANDOM % (whole_ms / 3 + 20) + 1))
  sleep "0.$(printf '%03d' $((ms < 999 ? ms : 999)))"
  if kill -9 $pid 2>/dev/null; then
    kills=$((kills + 1))
    wait $pid 2>/dev/null
    half_files || exit 1
  else
    wait $pid || { echo "a resumed run failed"; exit 1; }
    rm -rf killed # it was done: begin again, so that there is something to kill
  fi
done
echo "kills: $kills, runs finished at the last one: $(ls killed/run*.json 2>/dev/null | wc -l) of 24"
[ $kills -eq 10 ] || { echo "could not kill it ten times"; exit 1; }
"$BRISTLE" run many.yaml --out killed --quiet $hdf5 --resume || exit 1
ls killed | grep -q '\.part$' && { echo "temporary files stay behind"; exit 1; }
diff -r whole killed || { echo "the resumed results differ"; exit 1; }
echo "$(ls whole | wc -l) files, all equal"
