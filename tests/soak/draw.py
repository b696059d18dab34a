# SPDX-License-Identifier: Apache-2.0
"""Random questions: models with parameters over decades and at their edges, motions, mechanisms.  Everything
comes out of one random.Random, so that a seed is a case."""
import math


def decades(r, lo, hi):
    """Log-uniform."""
    return math.exp(r.uniform(math.log(lo), math.log(hi)))


def edge(r, values, other):
    """One of the edge values in a third of the cases, else what other() draws."""
    return r.choice(values) if r.random() < 1 / 3 else other()


def stribeck(r):
    Fc = decades(r, 1e-2, 1e3)
    return {"Fc": Fc, "Fs": Fc * edge(r, [1.0, 1.01, 2.0], lambda: r.uniform(1, 3)),
            "vs": decades(r, 1e-4, 1), "delta": edge(r, [1.0, 2.0, 0.5], lambda: r.uniform(0.3, 3))}


def bouc_wen(r):
    beta = edge(r, [0.5, 1.0], lambda: r.uniform(0.5, 1))
    return {"A": 1.0, "beta": beta, "gamma": 1 - beta, "eta": edge(r, [1.0, 2.0], lambda: decades(r, 0.3, 12))}


def dahl(r):
    p = {"sigma0": decades(r, 1e-1, 1e6), "Fc": decades(r, 1e-3, 1e3),
         "gamma": edge(r, [1.0, 0.5, 2.0, 1.0000000001, 0.999], lambda: r.uniform(0.3, 3))}
    return p, p["Fc"] / p["sigma0"], p["Fc"]


def lugre(r):
    p = stribeck(r)
    p["sigma0"] = decades(r, 1e1, 1e6)
    p["sigma1"] = edge(r, [0.0], lambda: math.sqrt(p["sigma0"]) * decades(r, 1e-2, 1))
    p["sigma2"] = edge(r, [0.0], lambda: decades(r, 1e-2, 1) * p["Fc"])
    return p, p["Fs"] / p["sigma0"], p["Fs"]


def elastoplastic(r):
    p, length, force = lugre(r)
    p["z_ba"] = p["Fc"] / p["sigma0"] * edge(r, [0.7, 0.99, 0.05], lambda: r.uniform(0.1, 0.95))
    return p, length, force


def maxwell_slip(r):
    n = r.choice([1, 2, 3, 5, 10])
    p = {"k": [decades(r, 1, 1e4) for _ in range(n)], "Delta": [decades(r, 1e-4, 1e-2) for _ in range(n)]}
    return p, max(p["Delta"]), sum(k * d for k, d in zip(p["k"], p["Delta"]))


def gms(r):
    n = r.choice([1, 2, 4])
    share = [r.uniform(0.1, 1) for _ in range(n)]
    p = stribeck(r)
    p.update({"k": [decades(r, 1e2, 1e5) for _ in range(n)], "alpha": [a / math.fsum(share) for a in share],
              "C": decades(r, 1, 1e3), "sigma2": edge(r, [0.0], lambda: r.uniform(0, 1))})
    return p, max(a * p["Fs"] / k for a, k in zip(p["alpha"], p["k"])), p["Fs"]


def bliman_sorine(r):
    f1 = decades(r, 1e-2, 1e2)
    p = {"f1": f1, "f2": f1 * edge(r, [0.0, 0.9], lambda: r.uniform(0, 0.95)), "eps": decades(r, 1e-6, 1e-1),
         "eta": r.uniform(0.05, 0.9)}
    return p, p["eps"], f1


def bouc_wen_full(r):
    p = bouc_wen(r)
    p.update({"fp": decades(r, 1e-2, 1e4), "uy": decades(r, 1e-5, 1e1),
              "kappa": edge(r, [0.0], lambda: r.uniform(0, 0.5))})
    return p, p["uy"], p["fp"]


def duhem_lugre(r):
    p = bouc_wen(r)
    del p["A"]
    p.update({"fc": decades(r, 1e-2, 1e2), "g0": decades(r, 0.3, 10), "vs": decades(r, 1e-4, 1e-1),
              "Ts": edge(r, [0.0], lambda: decades(r, 1e-3, 1e-1))})
    return p, (2 / p["g0"]) ** (1 / p["eta"]), p["fc"] * 2 ** (1 / p["eta"])


def semilinear(r):
    a, e = decades(r, 1, 1e4), decades(r, 1, 1e4)
    b, f = a * r.uniform(0.5, 2), e * r.uniform(0.5, 2)
    return {"Ap": [-a], "Am": [b], "Ep": [e], "Em": [f]}, 1 / a, e / a


MODELS = {"dahl": dahl, "lugre": lugre, "lugre_elastoplastic": elastoplastic, "maxwell_slip": maxwell_slip, "gms": gms,
          "bliman_sorine": bliman_sorine, "bouc_wen": bouc_wen_full, "duhem_lugre": duhem_lugre,
          "semilinear_duhem": semilinear}
ODD = [m for m in MODELS if m != "semilinear_duhem"]  # F(-motion) = -F(motion)
RATE_INDEPENDENT = ["dahl", "maxwell_slip", "bliman_sorine", "bouc_wen", "semilinear_duhem"]


def model(r, names=None):
    """name, parameters, length over which it slides (m), force level (N)."""
    name = r.choice(sorted(names or MODELS))
    return (name, *MODELS[name](r))


def turning(r, length, most=8):
    """Turning points of a closed motion that passes 0, from a thousandth to a hundred thousand lengths."""
    size = length * decades(r, 1e-3, edge(r, [1e5], lambda: 30))
    if r.random() < 0.4:
        return [-size, size * edge(r, [1.0], lambda: r.uniform(0.1, 2))]
    n = 2 * r.randint(1, most // 2)
    points = [size * r.uniform(-1, 1) for _ in range(n)]
    for i in range(n):  # every second one a maximum
        if (i % 2 == 0) != (points[i] < points[i - 1]) or points[i] == points[i - 1]:
            points[i] = points[i - 1] + (size if i % 2 else -size) * r.uniform(0.05, 1)
    low = min(points)
    high = max(points)
    shift = low + (high - low) * r.uniform(0.2, 0.8)
    points = [x - shift for x in points]
    if not all((points[i] < points[i - 1]) == (i % 2 == 0) for i in range(n)):
        return [-size, size]
    return points


def spec(points):
    return "turning:" + ",".join(repr(float(x)) for x in points)
