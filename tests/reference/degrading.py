# SPDX-License-Identifier: Apache-2.0
"""Reference numbers of tests/trace/test_degrading.c; no line of it is Bristle's.  bouc_wen_baber_noori and bouc_wen_asymmetric along
the corners of u in m: dz/du and de/du (or dD/du) over the way by scipy's DOP853 (relative tolerance 1e-13), ended at reversals and where
z passes 0, so that no kink lies within a step, and again by Radau (1e-11).  Printed: z, e (or D) at each corner, and how far both
methods differ.  Needs numpy and scipy: python3 tests/reference/degrading.py"""
import numpy as np
from scipy.integrate import solve_ivp

CORNERS = [0, 2, -2, 3, -3, 0.5]


def baber_noori(P, side, sign):
    """side: of the motion, sign: of z on this stretch; over the way x in the direction of motion."""
    def rate(x, y):
        z, e = y
        a, nu, s = P["A"] - P["delta_A"] * e, 1 + P["delta_nu"] * e, 1 + P["delta_eta"] * e
        zu = (a / (nu * (P["beta"] + P["gamma"]))) ** (1 / P["eta"])
        z1 = P["zeta_s"] * (1 - np.exp(-P["p"] * e))
        z2 = (P["psi0"] + P["delta_psi"] * e) * (P["lam"] + z1)
        h = 1 - z1 * np.exp(-((z * side - P["q"] * zu) / z2) ** 2)
        lost = nu * max(z * sign, 0.0) ** P["eta"] * (P["beta"] * side * sign + P["gamma"])
        return [side * h * (a - lost) / (P["uy"] * s), side * z / P["uy"]]
    return rate


def asymmetric(P, side, sign):
    def rate(x, y):
        lost = max(y[0] * sign, 0.0) ** P["eta"] * (P["beta"] * side * sign + P["gamma"] + P["phi"] * (side + sign))
        return [side * (P["A"] - lost) / P["uy"], abs(lost) / P["uy"]]
    return rate


def leg(law, P, y, side, way, method, rtol):
    at = 0.0
    while True:
        sign = side if y[0] == 0 else np.sign(y[0])
        def zero(x, y):
            return y[0]
        zero.terminal, zero.direction = sign != side, side
        r = solve_ivp(law(P, side, sign), (at, way), y, method=method, rtol=rtol, atol=1e-15, events=zero)
        if r.status != 1:
            return r.y[:, -1]
        at, y = r.t[-1], np.array([0.0, r.y[1, -1]])


def path(name, law, P):
    both = []
    for method, rtol in (("DOP853", 1e-13), ("Radau", 1e-11)):
        y, rows = np.zeros(2), []
        for a, b in zip(CORNERS, CORNERS[1:]):
            y = leg(law, P, y, np.sign(b - a), abs(b - a), method, rtol)
            rows.append(y)
        both.append(np.array(rows))
    for b, y in zip(CORNERS[1:], both[0]):
        print(f"{name} {b:g} {y[0]:.15g} {y[1]:.15g}")
    print(f"{name}: both methods within {np.max(np.abs(both[0] - both[1])):.1e}")


BN = dict(A=1, beta=0.6, gamma=0.3, eta=1, uy=1, delta_A=0, delta_nu=0, delta_eta=0, zeta_s=0, q=0.1, p=1, psi0=0.1, delta_psi=0, lam=0.5)
if __name__ == "__main__":
    path("pinch", baber_noori, {**BN, "zeta_s": 0.9, "q": 0.2, "p": 0.8, "psi0": 0.2, "delta_psi": 0.01, "lam": 0.4})
    path("all", baber_noori, {**BN, "eta": 1.7, "uy": 0.5, "delta_A": 0.004, "delta_nu": 0.03, "delta_eta": 0.05, "zeta_s": 0.95,
                              "q": 0.15, "p": 0.5, "psi0": 0.25, "delta_psi": 0.005, "lam": 0.3})
    path("lean", asymmetric, dict(A=1.2, beta=0.7, gamma=0.2, eta=1.6, uy=0.8, phi=0.25))
    path("lean2", asymmetric, dict(A=1, beta=0.5, gamma=0.4, eta=2, uy=1, phi=-0.3))
