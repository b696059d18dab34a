#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# phase on a block whose contact holds at rest: Hopf point in closed form, end of stick-slip against an independent shooting
# (tests/reference/belt.py), sliding and sticking branches that join in a grazing cycle.
set -euo pipefail
belt="$BR_SOURCE_DIR/mechanisms/belt_oscillator.yaml"
values="m=0.538,k=6957,c=5.746,Fc=2,Fs=6,vs=0.1,delta=1,sigma2=0.2"
"$BRISTLE" phase --system "$belt" --set "$values" --vary vb=0.05:0.35 --at vb=0.22 --json >belt.json
"$BRISTLE" phase --system "$belt" --set "m=0.538,k=6957,c=0,Fc=2,Fs=6,vs=0.1,delta=1,sigma2=5.946" --vary vb=0.05:0.35 --json >still.json
"$BRISTLE" phase --system pulled_block --model coulomb --set m=0.538,k=6957,Fc=2,Fs=6,vs=0.1,delta=1,sigma2=5.946 \
  --vary vp=0.05:0.35 --json >pulled.json
"$BRISTLE" phase --system "$belt" --set "$values" --vary vb=0.3:0.35 --json >beyond.json
# sigma2 so large that sliding is stable at every speed: whatever sticks slips into it
"$BRISTLE" phase --system "$belt" --set "${values/sigma2=0.2/sigma2=60}" --vary vb=0.05:0.35 --json >damped.json
"$BRISTLE" simulate --system "$belt" --set "$values,vb=0.22" --init v=0.22 --t-end 0.5 --json >march.json
"${BR_PYTHON:-python3}" - <<'P'
import json, math
load = lambda f: json.load(open(f))
def near(what, x, y, tol):
    print(f"{what}: {x:.12g}, expected {y:.12g}, off by {abs(x - y):.1e}")
    assert abs(x - y) <= tol, what
b = load("belt.json")
kinds = [e["type"] for e in b["events"]]
assert kinds == ["hopf", "grazing"], kinds
near("Hopf point", b["events"][0]["value"], math.log(40 / 5.946) / 10, 1e-13)
near("the same, published", b["events"][0]["value"], 0.190616073, 1e-9)
near("end of stick-slip", b["events"][1]["value"], 0.271789042908, 1e-10)
assert b["events"][0]["lyapunov"] > 0  # subcritical
ends = [x["ends"] for x in b["branches"]]
assert ends == [["hopf", "grazing"], ["range", "grazing"]], ends
slide, stick = b["branches"]
near("branches join", slide["value"][-1], stick["value"][-1], 1e-9)
near("with one period", slide["period"][-1], stick["period"][-1], 1e-8)
near("and one extent", slide["v_min"][-1], stick["v_min"][-1], 1e-7)
assert max(slide["v_max"][:-1]) < 0 and abs(slide["v_max"][-1]) < 1e-9, slide["v_max"][-1]
assert set(stick["v_max"]) == {0}, set(stick["v_max"])
assert not any(slide["stable"][1:]) and all(stick["stable"])
near("from rest", b["cycle_from_rest_ends"][0], 0.271789042908, 1e-9)
near("bistable from", b["bistable"][0][0], 0.190616073, 1e-8)
near("bistable to", b["bistable"][0][1], 0.271789043, 1e-8)
sticks = [c for c in b["cycles"] if c["loop"] == "stick-slip"]
assert len(sticks) == 1 and len(b["cycles"]) == 2
# marching sticks and slips with the period of the branch
i = min(range(len(stick["value"])), key=lambda k: abs(stick["value"][k] - 0.22))
t = [e["t"] for e in load("march.json")["events"] if e["type"] == "stick"]
near("the value asked for", stick["value"][i], 0.22, 0)
near("period by marching", stick["period"][i], t[-1] - t[-2], 1e-9)
# the same block, in the frame of the belt and in that of the ground
s, p = load("still.json"), load("pulled.json")
for k in (0, 1):
    near(f"{p['events'][k]['type']} of a pulled block", p["events"][k]["value"], s["events"][k]["value"], 1e-9)
assert [x["ends"] for x in p["branches"]] == [x["ends"] for x in s["branches"]], p["branches"]
assert len(p["branches"]) == 2
near("its period where it sticks", p["branches"][1]["period"][0], s["branches"][1]["period"][0], 1e-9)
assert not load("beyond.json")["branches"] and not load("damped.json")["branches"]
P
echo ok
