#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Structs, vectors, matrices in; tables out; errors; the page of docs/ and the lines of README.md.
set -eu
. "$BR_SOURCE_DIR/tests/octave/have.sh"
cat >api.m <<'M'
e = struct ('model', 'lugre', 'sigma0', 6, 'sigma1', 1, 'sigma2', 0, 'Fc', 1, 'Fs', 2, 'vs', 1, 'delta', 1);
e.input = 'bimodal:0,1,0.5,1.5';
a = bristle ('loop', e);
b = bristle ('loop', 'set', 'sigma0=6,sigma1=1,sigma2=0,Fc=1,Fs=2,vs=1,delta=1', 'model', 'lugre', 'input', e.input);
assert (a.minor.gap, b.minor.gap);
assert (isfield (a, 'turning') && numel (a.turning) == 4);
assert (! isfield (a, 'tables'));
c = bristle ('loop', 'model', 'maxwell_slip', 'k', [1 1.8 2.6], 'Delta', [1.5e-3; 2.4e-3; 3.3e-3], 'input', 'turning:0,5mm,2mm,6mm', 'tables', true);
assert (size (c.tables.loop.u, 2) == 1 && numel (c.tables.loop.u) > 100);
t = linspace (0, 1, 501)';
u = 1e-3 * sin (2 * pi * t);
x = bristle ('trace', 'model', 'lugre', 'input', [t u]);
assert (x.t, t); assert (x.u, u);
y = bristle ('trace', 'model', 'lugre', 'input', struct ('u', [t u]));
assert (x.F, y.F);
z = bristle ('trace', 'model', 'bouc_wen_biaxial', 'input', struct ('x', 'sine:1,1', 'y', [t u]), 'dt', 0.1, 't_end', 1);
assert (numel (z.u.x), 11);
p = bristle ('control', 'system', 'mass_spring', 'model', 'lugre', 'm', 1, 'ks', 0, 'track', 'x', 'controller', 'pid', ...
             'gains', struct ('kp', 3, 'ki', 4, 'kd', 6), 'reference', 'step:1', 't_end', 1, 'window', [0.5 1]);
assert (p.error_rms > 0);
s = bristle ('steady', 'model', 'dahl', 'from_', 0.1, 'to', 0.2, 'points', int32 (3));
assert (numel (s.F), 3);
k = {'simulate', 'system', 'mass_spring', 'model', 'dahl', 'input', 'sine:1,1', 't_end', 1};
f = bristle (k{:}, 'tables', false);
assert (! isfield (f, 'tables') && isfield (bristle (k{:}, 'tables', true), 'tables'));
w = {'loop', 'model', 'lugre', 'input', 'sine:1mm,1Hz', 'tables', true, 'waveform'}; % an option that is denied is none
assert (bristle (w{:}, false).tables, bristle (w{1:end - 1}).tables);
assert (! isequal (bristle (w{:}, true).tables, bristle (w{:}, false).tables));
d = bristle ('fit', 'file', 'sample:dahl', 'model', 'dahl'); % lists of texts are cells, of numbers columns
assert (iscellstr (d.data) && numel (d.data) > 1 && ! isempty (strfind (d.data{1}, 'made by a model')));
m = bristle ('models');
assert (any (strcmp (cellfun (@(q) q.name, num2cell (m.models), 'UniformOutput', false)(:), 'lugre')) || iscell (m.models));
bad = {{'loop', 'model', 'lugree', 'input', 'sine:1,1'}, "did you mean 'lugre'";
       {'lop'}, "did you mean 'loop'";
       {'loop', 'model', 'lugre', 'input', 'sine:1,1', 'frequency', -1}, 'out of range';
       {'loop', 'model'}, 'names and values in turn';
       {'loop', 1, 2}, 'names and values in turn';
       {'trace', 'model', 'lugre', 'input', [t(end:-1:1) u]}, '--input';
       {'trace', 'model', 'lugre', 'input', @sin}, '--input|input';
       {3}, 'first argument'; {}, 'first argument'};
for i = 1:rows (bad)
  try
    bristle (bad{i, 1}{:});
    error ('no error from %d', i);
  catch err
    assert (! isempty (regexp (err.message, bad{i, 2})), err.message);
    assert (strcmp (err.identifier, 'bristle:input'), err.identifier);
  end_try_catch
endfor
assert (bristle ('version'), strtrim (fileread ('version.txt')));
assert (bristle ('help', 'steady'), 'steady');
assert (bristle ('steady', 'model', 'dahl', 'from_', 0.1, 'to', 0.2, 'points', 3, 'Fc', []).F, bristle ('steady', 'model', 'dahl', 'from_', 0.1, 'to', 0.2, 'points', 3).F);
kinds = {{'simulate', 'system', 'mass_spring', 'model', 'dahl', 'cycle', true}, 'bristle:failed'; % computed, and none found
         {'wave', 'model', 'dahl', 'input', 'sine:1,1'}, 'bristle:input'}; % of studies alone
for i = 1:rows (kinds)
  id = '';
  try
    bristle (kinds{i, 1}{:});
  catch err
    id = err.identifier;
  end_try_catch
  assert (id, kinds{i, 2});
endfor
lastwarn ('', '');
bristle ('trace', 'model', 'lugre', 'input', 'sine:1,1', 'dt', 0.01, 't_end', 1);
[text, id] = lastwarn ();
assert (strcmp (id, 'bristle:note') && ! isempty (strfind (text, 'a spike of the states')), [id ': ' text]);
printf ("fine\n");
M
echo "$BR_VERSION" >version.txt
octave api.m
# Ctrl-C: the computation, which would take hours, ends, and Octave hears of it.
cat >stop.m <<'M'
printf ("go\n"); fflush (stdout);
bristle ('trace', 'model', 'lugre', 'input', 'sine:1mm,1Hz', 't_end', 1e7, 'dt', 1e-3);
printf ("went on\n");
M
rm -f stop.txt
timeout --foreground -s KILL 60 python3 - "$BR_OCTAVE" "$BR_BUILD_DIR/octave" <<'PY'
import signal, subprocess, sys, time
p = subprocess.Popen([sys.argv[1], "--no-gui", "--quiet", "--norc", "--path", sys.argv[2], "stop.m"], stdout=subprocess.PIPE,
                     stderr=subprocess.STDOUT, text=True)
assert p.stdout.readline() == "go\n"
time.sleep(1)
p.send_signal(signal.SIGINT)
try:
    out, _ = p.communicate(timeout=30)
except subprocess.TimeoutExpired:
    p.kill()
    raise SystemExit("Ctrl-C was not heard")
assert "bristle: interrupted" in out, out
PY
# Pages: the folder is that of this build.
for page in README.md docs/octave.md; do
  awk '/^```octave$/{on=1; next} /^```$/{on=0} on' "$BR_SOURCE_DIR/$page" | sed "s#addpath build/release/octave#addpath $BR_BUILD_DIR/octave#" >page.m
  [ -s page.m ] || { echo "$page has no block of Octave"; exit 1; }
  octave page.m
done
