# SPDX-License-Identifier: Apache-2.0
"""The friction elements a second time, in the quasi-static limit, for the soak alone: written from the
equations of the documents, with closed forms where there are any, sharing nothing with the library.

An element has a list of states `z`, `force(z, u)` in N, and `arc(z, u, direction, length)` -> (z, work): the
states and the work in J behind a straight path of that length (m), v -> 0."""
import math


def crossed(element, size, cycle):
    """The fixed point of one state that forgets: its period map is monotone, so what a period adds has one zero,
    found by the Illinois rule until it is down to rounding."""
    def gain(x):
        return travel(element, [x], cycle)[0][0] - x
    lo, hi = -size, size
    a, b = gain(lo), gain(hi)
    for _ in range(100):
        mid = (lo * b - hi * a) / (b - a) if b < 0 < a else 0.5 * (lo + hi)
        here = gain(mid)
        if mid in (lo, hi) or here == 0 or hi - lo <= 2e-16 * size:
            return [mid]
        if here > 0:
            lo, a, b = mid, here, b * 0.5
        else:
            hi, b, a = mid, here, a * 0.5
    return [mid]


def lengths(cycle):
    return [abs(b - a) for a, b in zip(cycle, cycle[1:])]


class Dahl:
    """dF/du = sigma0 |w|^gamma sgn w,  w = 1 - s F/Fc."""

    def __init__(self, p):
        self.a, self.level, self.gamma = p["sigma0"] / p["Fc"], p["Fc"], p.get("gamma", 1)
        self.start = [0.0]

    def force(self, z, u):
        return z[0]

    def arc(self, z, u, s, length):
        a, g, level = self.a, self.gamma, self.level
        w = 1 - s * z[0] / level
        sign = math.copysign(1.0, w)
        w0 = abs(w)
        if w0 == 0:
            w1, moment = 0.0, 0.0
        elif g == 1:
            w1 = w0 * math.exp(-a * length)
            moment = -w0 * math.expm1(-a * length) / a
        else:
            # |w|^(1-gamma) falls (gamma < 1) or grows (gamma > 1) linearly along the path
            k = (g - 1) * a * length * w0 ** (g - 1)
            if k <= -1:
                w1 = 0.0
            else:
                w1 = w0 * math.exp(math.log1p(k) / (1 - g))
            if g == 2:
                moment = math.log1p(k) / a
            elif w1 == 0.0:
                moment = w0 ** (2 - g) / (a * (2 - g))
            else:  # (w0^(2-g) - w1^(2-g)) / (a (2-g)) without cancellation
                moment = -w0 ** (2 - g) * math.expm1((2 - g) / (1 - g) * math.log1p(k)) / (a * (2 - g))
        z1 = s * level * (1 - sign * w1)
        if abs(w0 - w1) < 0.5 * w0:  # little has changed: the difference is the better number
            z1 = z[0] + s * level * sign * (w0 - w1)
        return [z1], level * (length - sign * moment)

    def fixed(self, z, cycle):
        return crossed(self, self.level, cycle)


class LuGre(Dahl):
    """In the limit v -> 0 the bristle is Dahl's element at the static level."""

    def __init__(self, p):
        super().__init__({"sigma0": p["sigma0"], "Fc": p["Fs"]})


class MaxwellSlip:
    """Springs behind sliders: each deflection is clipped."""

    def __init__(self, p):
        self.k, self.reach = p["k"], p["Delta"]
        self.start = [0.0] * len(self.k)

    def force(self, z, u):
        return math.fsum(k * x for k, x in zip(self.k, z))

    def arc(self, z, u, s, length):
        out, work = [], []
        for k, reach, x in zip(self.k, self.reach, z):
            stick = min(length, max(0.0, reach - s * x))
            end = x + s * length if stick == length else s * reach
            work.append(k * (s * x * stick + stick * stick / 2))
            work.append(k * reach * (length - stick))
            out.append(end)
        return out, math.fsum(work)

    def fixed(self, z, cycle):
        for _ in range(3):  # what slips has forgotten after one period, what does not slips never
            z = travel(self, z, cycle)[0]
        return z


class GMS(MaxwellSlip):
    """In the limit v -> 0 each slider has its share of the static level."""

    def __init__(self, p):
        super().__init__({"k": p["k"], "Delta": [a * p["Fs"] / k for a, k in zip(p["alpha"], p["k"])]})


class BlimanSorine:
    """Two exponentials over the path."""

    def __init__(self, p):
        self.parts = [(p["f1"], p["eta"] * p["eps"]), (-p["f2"], p["eps"])]
        self.start = [0.0, 0.0]

    def force(self, z, u):
        return z[0] + z[1]

    def arc(self, z, u, s, length):
        out, work = [], 0.0
        for (level, scale), x in zip(self.parts, z):
            gone = -math.expm1(-length / scale)
            out.append(x + (s * level - x) * gone)
            work += s * (s * level * length - (s * level - x) * scale * gone)
        return out, work

    def fixed(self, z, cycle):
        """Each state is affine over a period: x -> P(0) + x exp(-path/scale)."""
        zero = travel(self, [0.0, 0.0], cycle)[0]
        return [x / -math.expm1(-sum(lengths(cycle)) / scale) for x, (_, scale) in zip(zero, self.parts)]


class Numeric:
    """One state with dz/du = slope(z, s), integrated with the work by extrapolated midpoint steps between the
    kinks of the slope; behind the point where the slope is below rounding the state stands still."""

    def __init__(self):
        self.start = [0.0]

    kinks = (0.0,)

    def force(self, z, u):
        return self.factor * z[0] + self.tangent * u

    tangent = 0.0  # N/m
    longest = None  # m, of a step where the slope changes faster than over `relaxes`
    # set by each element: factor (N), size (largest |z|), relaxes (m, over which z nears its level)

    def arc(self, z, u, s, length):
        x, done, work, h = z[0], 0.0, 0.0, length
        while done < length:
            slope = self.slope(x, s)
            if abs(slope) * self.relaxes <= 4e-16 * self.size:
                work += x * s * (length - done)
                break
            h = min(h, length - done, self.longest or self.relaxes)  # longer ones would not be stable near the level
            x1, w1, error = self._step(x, s, h)
            stop = self._kink(x, x1)
            if stop is not None and h > 1e-14 * length:  # walk up to the kink, then step over it
                h = self._until(x, s, h, stop)
                x1, w1, error = self._step(x, s, h)
                if error < 1:
                    x1 = stop
            if not error < 1 and h > 1e-15 * length:
                h *= 0.5
                continue
            x, work, done = x1, work + w1 * s, done + h
            h *= 3.0 if error < 1e-4 else 1.3
        return [x], self.factor * work + self.tangent * (s * u * length + length * length / 2)

    def fixed(self, z, cycle):
        return crossed(self, self.size, cycle)

    def _kink(self, x, x1):
        for k in self.kinks:
            if (x - k) * (x1 - k) < 0:
                return k
        return None

    def _until(self, x, s, h, stop):
        """The path at which x reaches stop, by bisection of one extrapolated step."""
        lo, hi = 0.0, h
        for _ in range(80):
            mid = 0.5 * (lo + hi)
            if (self._step(x, s, mid)[0] - stop) * (x - stop) > 0:
                lo = mid
            else:
                hi = mid
        return hi

    def _step(self, x, s, h):
        """Gragg's midpoint rule with 2, 4, .. 12 parts, extrapolated: x, integral of x, error over allowed."""
        rows, counts = [], (2, 4, 6, 8, 10, 12)
        for i, n in enumerate(counts):
            d = h / n
            a, wa = x, 0.0
            b, wb = x + d * s * self.slope(x, s), d * x
            for _ in range(n - 1):
                a, b = b, a + 2 * d * s * self.slope(b, s)
                wa, wb = wb, wa + 2 * d * a
            row = [(0.5 * (a + b + d * s * self.slope(b, s)), 0.5 * (wa + wb + d * b))]
            if not (abs(row[0][0]) < 1e3 * self.size):
                return x, 0.0, math.inf
            for j in range(i):
                f = (n / counts[i - j - 1]) ** 2 - 1
                row.append(tuple(p + (p - q) / f for p, q in zip(row[j], rows[-1][j])))
            rows.append(row)
        (x1, w1), (x0, w0) = rows[-1][-1], rows[-1][-2]
        # some roundings of what there is; the last row is far better than its difference to the one before
        fine = 4e-15 * (abs(x) + abs(x1)) + 1e-17 * self.size
        error = max(abs(x1 - x0) / fine, abs(w1 - w0) / (fine * h))
        return x1, w1, error


class BoucWen(Numeric):
    def __init__(self, p):
        super().__init__()
        self.A, self.beta, self.gamma, self.eta, self.uy = p["A"], p["beta"], p["gamma"], p["eta"], p["uy"]
        self.factor = p["fp"] * (1 - p["kappa"])
        self.tangent = p["fp"] * p["kappa"] / p["uy"]
        self.size = (self.A / (self.beta + self.gamma)) ** (1 / self.eta)
        self.relaxes = self.size * self.uy / (self.A * self.eta)

    def slope(self, z, s):
        weight = self.gamma + self.beta * (s if z > 0 else -s if z < 0 else 0)
        return (self.A - abs(z) ** self.eta * weight) / self.uy


class DuhemLuGre(BoucWen):
    def __init__(self, p):
        q = p["g0"] / 2
        super().__init__({"A": 1, "beta": p["beta"] * q, "gamma": p["gamma"] * q, "eta": p["eta"], "uy": 1,
                          "fp": p["fc"] * p["g0"] ** (1 / p["eta"]), "kappa": 0})


class Elastoplastic(Numeric):
    def __init__(self, p):
        super().__init__()
        self.factor, self.zm, self.ba = p["sigma0"], p["Fs"] / p["sigma0"], p["z_ba"]
        self.size = self.relaxes = self.zm
        self.kinks = (0.0, self.ba, -self.ba)
        self.longest = min(self.zm, 2 / math.pi * (self.zm - self.ba))  # the slope falls over the plastic zone

    def slope(self, z, s):
        x = s * z
        if x <= self.ba:
            return 1.0
        if x >= self.zm:
            return 1 - x / self.zm
        return 1 - math.cos(math.pi / 2 * (self.zm - x) / (self.zm - self.ba)) ** 2 * x / self.zm


class Semilinear:
    """One state: dx/du = A x + E, other numbers for each direction."""

    def __init__(self, p):
        self.up, self.down = (p["Ap"][0], p["Ep"][0]), (p["Am"][0], p["Em"][0])
        self.start = [0.0]

    def force(self, z, u):
        return z[0]

    def arc(self, z, u, s, length):
        a, e = self.up if s > 0 else self.down
        end = -e / a
        gone = -math.expm1(a * s * length)
        return [z[0] + (end - z[0]) * gone], s * (end * length) - s * (end - z[0]) * gone / (-a * s)

    def fixed(self, z, cycle):
        rate = sum((b - a) * (self.up if b > a else self.down)[0] for a, b in zip(cycle, cycle[1:]))
        return [travel(self, [0.0], cycle)[0][0] / -math.expm1(rate)]


KINDS = {"dahl": Dahl, "lugre": LuGre, "maxwell_slip": MaxwellSlip, "gms": GMS, "bliman_sorine": BlimanSorine,
         "bouc_wen": BoucWen, "duhem_lugre": DuhemLuGre, "lugre_elastoplastic": Elastoplastic,
         "semilinear_duhem": Semilinear}


def travel(element, z, points):
    """Through points[0], points[1], ...: states at the end, work of each arc, force at each end."""
    works, forces = [], []
    for a, b in zip(points, points[1:]):
        z, w = element.arc(z, a, 1 if b > a else -1, abs(b - a))
        works.append(w)
        forces.append(element.force(z, b))
    return z, works, forces


def settled(element, points, at, kept):
    """States of the periodic motion at points[0]; the zero state stands at `at`.  kept: a period changes nothing."""
    z = list(element.start)
    if at != points[0]:
        z, _, _ = travel(element, z, [at, points[0]])
    return travel(element, z, list(points) + [points[0]])[0] if kept else element.fixed(z, list(points) + [points[0]])
