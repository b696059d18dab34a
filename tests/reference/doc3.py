# SPDX-License-Identifier: Apache-2.0
"""Numbers of the studies of document 3 that loops.json does not have; no line of it is Bristle's.  Loops of (5)-(7) by
quadrature at 30 digits (needs mpmath), histories by a Runge-Kutta rule of order 4 with steps of 1e-4 s and less, halved
at the corners of the input."""
import math
import sys


def steady(U, eta, beta, gamma, A=1):
    """Largest z and work of the loop of (7) between -U and U: docs/corrections.md#003-1."""
    from mpmath import findroot, mp, mpf, quad
    mp.dps = 30
    eta, beta, gamma, A = mpf(eta), mpf(beta), mpf(gamma), mpf(A)
    up, back = beta + gamma, gamma - beta
    way = lambda Z: (quad(lambda z: 1 / (A - up * z**eta), [0, Z / 2, 0.9 * Z, Z])
                     + quad(lambda z: 1 / (A - back * z**eta), [0, Z / 2, Z]))
    top = (A / up) ** (1 / eta)
    lo, hi = top / 10**6, top * (1 - mpf(10) ** -14)
    for _ in range(90):
        mid = (lo + hi) / 2
        lo, hi = (mid, hi) if way(mid) < 2 * U else (lo, mid)
    Z = lo
    work = 2 * (quad(lambda z: z / (A - up * z**eta), [0, Z / 2, 0.9 * Z, Z])
                - quad(lambda z: z / (A - back * z**eta), [0, Z / 2, Z]))
    return mp.nstr(Z, 17), mp.nstr(work, 17)


def rk4(rate, y, t0, t1, n):
    h = (t1 - t0) / n
    for k in range(n):
        t = t0 + k * h
        a = rate(t, y)
        b = rate(t + h / 2, [p + h / 2 * q for p, q in zip(y, a)])
        c = rate(t + h / 2, [p + h / 2 * q for p, q in zip(y, b)])
        d = rate(t + h, [p + h * q for p, q in zip(y, c)])
        y = [p + h / 6 * (a1 + 2 * b1 + 2 * c1 + d1) for p, a1, b1, c1, d1 in zip(y, a, b, c, d)]
    return y


def show(name, *x):
    print(name, "=", *(f"{v:.15g}" if isinstance(v, float) else v for v in x))


def loops():
    for eta in ("0.5", "1", "2", "4.5"):
        show(f"ext1 eta={eta}", *steady(2, eta, 1, 0))
    for beta in ("1", "0.75", "0.5", "0.25", "0.1"):
        show(f"ext2 beta={beta}", *steady(1, 2, beta, str(1 - float(beta))))
    for A in ("1", "4", "25"):
        show(f"ext3 A={A}", *steady(2, 2, str(float(A) / 2), str(float(A) / 2), A))


PATH = [(0, 0, 0), (2, 2, 0), (4, 2, 2), (8, -2, 2), (12, -2, -2), (16, 2, -2)]  # t, ux, uy


def combined():
    """bouc_wen_biaxial, isotropic, everything at once, along a square."""
    A, beta, gamma, eta, fp, uy, kappa, inv_d0 = 1.2, 0.8, 0.4, 1.5, 2.0, 0.5, 0.05, 0.02
    y = [0.0, 0.0, 0.0]
    for (t0, ax, ay), (t1, bx, by) in zip(PATH, PATH[1:]):
        v = ((bx - ax) / (t1 - t0) / uy, (by - ay) / (t1 - t0) / uy)

        def rate(t, y):
            z = y[:2]
            dot, size = z[0] * v[0] + z[1] * v[1], math.hypot(*z)
            a = (beta * abs(dot) + gamma * dot) * size ** (eta - 2) if size > 0 else 0.0
            return [A * v[0] - a * z[0], A * v[1] - a * z[1], a * size]

        y = rk4(rate, y, t0, t1, 20000)
        f = [fp / (1 + y[2] * inv_d0) * ((1 - kappa) * z + kappa * u / uy) for z, u in zip(y, (bx, by))]
        show(f"combined t={t1}", *y, *f)


def friction(u, v, corners, fc, g0, vs, Ts, kappa=0.0, inv_d0=0.0, steps=20000):
    """(12)-(14), eta = 1, beta = 1, gamma = 0, with hardening and degradation; the force at each corner."""
    q = lambda s: g0 / (1 + math.exp(-((s / vs) ** 2)))
    dz = lambda t, z, s: s - abs(s) * z * q(s)
    y, out = [0.0, 0.0], []
    for t0, t1 in zip(corners, corners[1:]):
        e = 1e-12 * (t1 - t0)
        inside = lambda t: v(min(max(t, t0 + e), t1 - e))
        y = rk4(lambda t, y: [dz(t, y[0], inside(t)), abs(inside(t) - dz(t, y[0], inside(t)))], y, t0, t1, steps)
        s = inside(t1)
        out.append(fc * g0 / (1 + y[1] * inv_d0) * ((1 - kappa) * (y[0] + Ts * dz(t1, y[0], s)) + kappa * u(t1)))
    return y, out


def histories():
    accelerate = (lambda t: 0.25e-3 * t * t, lambda t: 0.5e-3 * t)
    zig = [0, 3, 9, 15, 21]
    turn = lambda t: 1.0 if t < 3 or 9 < t < 15 else -1.0
    place = lambda t: t if t <= 3 else 6 - t if t <= 9 else t - 12 if t <= 15 else 18 - t
    y, f = friction(place, turn, zig, 1, 2, 0.5, 0.05, 0.1, 0.05)
    show("hardening friction", *y, *f)
    for g0 in (1, 4):
        for Ts in (0.0, 0.05, 2.0):
            y, f = friction(lambda t: 0.0, lambda t: 2.0 * t, [0, 0.05, 0.5, 2, 5], 1, g0, 1.0, Ts)
            show(f"g0={g0} Ts={Ts}", *f)


def damage():
    """z' = (1 - |z|^2 (sgn(u' z)/2 + 1/2) (1 + c1 D)) u', D' = |u' - z'|, f = c2 z/(1 + c3 D): a yield force and a knee that
    both go down with the damage."""
    c1, c2, c3 = 0.1, 2.0, 0.05
    y = [0.0, 0.0]
    for t0, t1, v in ((0, 3, 1.0), (3, 9, -1.0), (9, 15, 1.0), (15, 21, -1.0)):
        def rate(t, y):
            part = y[0] ** 2 * (0.5 * math.copysign(1, v * y[0]) + 0.5) * (1 + c1 * y[1])
            return [(1 - part) * v, part * abs(v)]
        y = rk4(rate, y, t0, t1, 40000)
        show(f"damage t={t1}", *y, c2 * y[0] / (1 + c3 * y[1]))


if __name__ == "__main__":
    for part in sys.argv[1:] or ("loops", "combined", "histories", "damage"):
        globals()[part]()
