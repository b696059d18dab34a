# SPDX-License-Identifier: Apache-2.0
# What simulate is asked for by text: laws with true stick as formulas, loads by contact, switches, events of formulas,
# starts as 'final' prints them, motions by their rates, elements of rotation.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
rm -rf asks && mkdir asks && cd asks || exit 1
cat >asks.py <<'P'
import json, math, os, subprocess, sys
B = os.environ["BRISTLE"]
def run(*args):
    return subprocess.run([B, *args], capture_output=True, text=True, timeout=60)
def ask(*args):
    r = run(*args, "--json")
    assert r.returncode == 0, (args, r.stderr)
    return json.loads(r.stdout)
def refuse(word, *args):
    r = run(*args)
    assert r.returncode == 2 and word in r.stderr, (args, r.returncode, r.stderr)
def near(a, b, tol=1e-9):
    assert abs(a - b) <= tol * max(1, abs(b)), (a, b)
block = ("simulate", "--system", "driven_block", "--model", "coulomb")
# levels by direction: 1.2 N forwards, 0.96 N backwards
near(ask(*block, "--set", "m=1,Fc=1.2,Fs=1.2,back=0.8,sigma2=0,F=1.1", "--t-end", "1")["final"]["v"], 0)
near(ask(*block, "--set", "m=1,Fc=1.2,Fs=1.2,back=0.8,sigma2=0,F=-1.1", "--t-end", "1")["final"]["v"], -0.14)
# a break-away factor: F = t releases it at 1.5 s; then v = integral of t - 1
d = ask(*block, "--set", "m=1,g=1,rise=1.5,sigma2=0", "--input", "F:ramp:1", "--t-end", "2")
near(d["sticks"][0]["to"], 1.5, 1e-12), near(d["sticks"][0]["breakaway"], 1.5), near(d["final"]["v"], 0.375)
# a level that grows with the way: 1/2 v^2 = u + 5 u^2 where it stops
d = ask(*block, "--set", "m=1,g=1+10*abs(u),sigma2=0", "--init", "v=1", "--t-end", "2")
near(d["final"]["u"], (math.sqrt(11) - 1) / 10, 1e-12)
# the Stribeck law as a formula is the law
law = ("--input", "sine:3,0.3", "--t-end", "4")
a = ask("simulate", "--system", "mass_spring", "--model", "coulomb", "--set", "g=1+0.5*exp(-abs(v)/0.1),sigma2=0.1", *law)
b = ask("simulate", "--system", "mass_spring", "--model", "coulomb", "--set", "Fc=1,Fs=1.5,delta=1,vs=0.1,sigma2=0.1", *law)
near(a["final"]["x"], b["final"]["x"], 1e-11)
refuse("must be >= 0", *block, "--set", "g=-1", "--t-end", "1")
# loads by contact; a contact between two masses has a name
chain = ("simulate", "--system", "chain", "--model", "coulomb", "--set",
         "m=1,1,k=100,100,system.c=0,0,contact=1,2,against=0,1,load=1,1", "--input", "Fe:sine:4,1", "--t-end", "1")
assert {e["state"] for e in ask(*chain)["events"]} == {"v1", "contact2"}
assert ask(*chain, "--input", "N2:9")["event_types"]["slip"] < ask(*chain)["event_types"]["slip"]
refuse("no contact of that number", *chain, "--input", "N3:9")
refuse("negative", *chain, "--input", "N1:expr:0.5-t")
refuse("must be >= 0", *chain, "--input", "N1:-1")
# a switch is two runs, the second from what 'final' of the first prints
one = ("simulate", "--system", "mass_spring", "--model", "dahl")
d = ask(*one, "--set", "m=1,ks=2", "--init", "x=1", "--t-end", "0.5")["final"]
e = ask(*one, "--set", "m=1,ks=5", "--init", ",".join(f"{k}={v!r}" for k, v in d.items()), "--t-end", "1")["final"]
f = ask(*one, "--set", "m=1,ks=2", "--init", "x=1", "--switch", "0.5s:ks=5", "--t-end", "1.5")
for k in e: near(f["final"][k], e[k], 1e-12)
near(f["energy"]["residual"], 0, 1e-13)
assert ask(*one, "--init", "x=1", "--switch", "0.1:Fc=2,load=3", "--switch", "0.2s:m=2", "--t-end", "0.3")["final"]["v"] < 0
for text, word in (("load=2", "expected T:NAME"), ("0.2:m=2,0.1:m=3", "ascend"), ("0.1:q=2", "q"), ("0.1:load=-1", "load"),
                   ("-1:m=2", "no time"), ("0.1:m=-1", "m")):
    refuse(word, *one, "--init", "x=1", "--t-end", "1", "--switch", text)
# zeros of formulas, with the state there
d = ask("simulate", "--system", "mass_spring", "--model", "dahl", "--init", "x=1", "--event", "x=0.5", "--event",
        "v=max(-0.3,-t)", "--t-end", "1")
assert [e["event"] for e in d["events"] if e["type"] == "user"] and d["event_types"]["user"] >= 2
for e in d["events"]:
    if e.get("event") == "x=0.5": near(e["state"]["x"], 0.5, 1e-12)
refuse("unknown name 'q'", *one, "--event", "q=1", "--t-end", "1")
# a motion by its rate, in a trace
d = ask("trace", "--model", "dahl", "--input", "v:pwl:0,0,1,2,3,-2,4,0", "--dt", "0.5")
near(max(d["u"]), 2, 1e-14), near(d["u"][-1], 0, 1e-14)
refuse("m/s", "trace", "--model", "dahl", "--input", "v:sine:1mm,1Hz")
# rotation stays rotation
r = run("trace", "--model", "dahl", "--set", "sigma0=5Nm/rad,Fc=1Nm", "--input", "sine:1deg,1Hz", "--csv", "-")
assert r.stdout.startswith("t [s],u [rad],v [rad/s],F [N m],F_state [N m]"), r.stdout[:80]
refuse("do not mix", "trace", "--model", "dahl", "--set", "sigma0=5Nm/rad,Fc=1N", "--input", "sine:1deg,1Hz")
refuse("needs rad", "trace", "--model", "dahl", "--set", "sigma0=5Nm/rad", "--input", "sine:1mm,1Hz")
# loops of a load that closes with the motion: Coulomb's area is the mean of the load over the way
d = ask("loop", "--model", "coulomb", "--set", "Fs=1,sigma2=0", "--waveform", "--input", "triangle:1,1Hz", "--input",
        "N:sine:0.5,1Hz,0,1")
near(d["work"], 4, 1e-9)
refuse("--waveform", "loop", "--model", "dahl", "--input", "sine:1,1", "--input", "N:sine:0.5,1Hz,0,1")
refuse("whole periods", "loop", "--model", "dahl", "--waveform", "--input", "sine:1,1", "--input", "N:sine:0.5,0.7,0,1")
refuse("choose one", "trace", "--model", "dahl", "--load", "2", "--input", "sine:1,1", "--input", "N:2")
P
python3 asks.py || exit 1
echo ok
