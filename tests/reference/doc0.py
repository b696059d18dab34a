# SPDX-License-Identifier: Apache-2.0
"""Numbers of the studies of document 0 that loops.json does not have, at 30 digits (needs mpmath); no line of it is
Bristle's.  The arcs y -> s g + (y - s g) exp(-a L) of docs/corrections.md#000-1, composed; integrals by quadrature."""
import sys
from mpmath import asin, cos, exp, findroot, mp, mpf, pi, quad, sin

mp.dps = 30


class Loop:
    """Steady loop of LuGre through turning points u at speed v (0: the limit)."""

    def __init__(self, u, sigma0, Fs, Fc=1, sigma1=0, sigma2=0, vs=1, delta=1, v=0):
        self.u = [mpf(x) for x in u]
        self.v, self.sigma1, self.sigma2 = mpf(v), mpf(sigma1), mpf(sigma2)
        self.g = Fc + (mpf(Fs) - Fc) * exp(-(self.v / vs) ** delta) if v else mpf(Fs)
        self.a = mpf(sigma0) / self.g
        n = len(self.u)
        self.L = [abs(self.u[(i + 1) % n] - self.u[i]) for i in range(n)]
        self.s = [1 if self.u[(i + 1) % n] > self.u[i] else -1 for i in range(n)]
        b = mpf(0)
        for s, L in zip(self.s, self.L):
            b = self.arc(b, s, L)
        self.Y = [b / (1 - exp(-self.a * sum(self.L)))]
        for s, L in zip(self.s, self.L):
            self.Y.append(self.arc(self.Y[-1], s, L))

    def arc(self, Y, s, L):
        return s * self.g + (Y - s * self.g) * exp(-self.a * L)

    def force(self, Y, s):
        return Y + self.sigma1 * self.v * (s - Y / self.g) + self.sigma2 * self.v * s

    def work(self):
        return sum(quad(lambda r: s * self.force(self.arc(Y, s, r), s), [0, L])
                   for Y, s, L in zip(self.Y, self.s, self.L))

    def gap(self):
        """y back at u[1] on the way from u[2] to u[3], less y at u[1]."""
        d = self.u[1] - self.u[2]
        return self.arc(self.arc(self.Y[1], -1, d), 1, d) - self.Y[1]


def show(name, x):
    print(f"{name} = {mp.nstr(x, 17)}")


def bimodal(umin2=mpf("0.5")):
    return [0, 1, umin2, mpf("1.5")]


def family():
    for sigma0 in ("0.5", "1", "2", "6", "20"):
        q = Loop(bimodal(), mpf(sigma0), 2)
        show(f"family sigma0={sigma0} gap", q.gap())
        show(f"family sigma0={sigma0} extra", q.work() - Loop([0, mpf("1.5")], mpf(sigma0), 2).work())
    for Fs in ("1.2", "2", "4"):
        q = Loop(bimodal(), 6, mpf(Fs))
        show(f"family Fs={Fs} gap", q.gap())
        show(f"family Fs={Fs} extra", q.work() - Loop([0, mpf("1.5")], 6, mpf(Fs)).work())
    for umin2 in ("0.1", "0.3", "0.5", "0.7", "0.9"):
        q = Loop(bimodal(mpf(umin2)), 6, 2)
        show(f"family umin2={umin2} gap", q.gap())
        show(f"family umin2={umin2} extra", q.work() - Loop([0, mpf("1.5")], 6, 2).work())
    show("extra major", Loop([0, mpf("1.5")], 6, 2).work())


def remark():
    base = dict(sigma0=6, Fs=2, Fc=1, sigma1=1, sigma2=0, vs=1, delta=1)
    other = {"base": {}, "sigma1=0": {"sigma1": 0}, "sigma1=3": {"sigma1": 3}, "sigma2=0.5": {"sigma2": mpf("0.5")},
             "vs=0.1": {"vs": mpf("0.1")}, "delta=2": {"delta": 2}, "Fc=0.2": {"Fc": mpf("0.2")}}
    for name, change in other.items():
        show(f"remark {name} slow", Loop(bimodal(), **{**base, **change}).work())
        show(f"remark {name} fast", Loop(bimodal(), **{**base, **change}, v=mpf("0.5")).work())


def input_of_figure2():
    """u = A (1 - cos) and a second harmonic, phases such that t = 0 is the smallest value; bimodal."""
    A, B, p = mpf("0.5"), mpf("0.5"), mpf("-0.4")
    q, w = asin(-A * sin(p) / (2 * B)), pi / 2
    c = A * cos(p) + B * cos(q)
    u = lambda t: c - A * cos(w * t + p) - B * cos(2 * w * t + q)
    du = lambda t: A * w * sin(w * t + p) + 2 * B * w * sin(2 * w * t + q)
    print("amplitude,frequency_Hz,phase_rad")
    for a, f, phase in ((A, mpf("0.25"), p - pi / 2), (B, mpf("0.5"), q - pi / 2), (c, mpf(0), pi / 2)):
        print(",".join(mp.nstr(x, 17) for x in (a, f, phase)))
    t1, t2, t3 = findroot(du, 1.1), findroot(du, 1.84), findroot(du, 2.81)
    t5 = findroot(lambda t: u(t) - u(t1), (2.2, 2.4), solver="anderson")
    for name, x in (("t1", t1), ("t2", t2), ("t3", t3), ("t5", t5), ("u1", u(t1)), ("u2", u(t2)), ("u3", u(t3)),
                    ("rho5", u(t1) + 2 * (u(t1) - u(t2))), ("path", 2 * (u(t1) - u(t2) + u(t3)))):
        show(f"fig2 {name}", x)


def example2(scale, z0=0, fine=2000):
    """Settled y_gamma of example 2 over the limit: largest distance, Hausdorff distance of the graphs (unit width, height
    of the limit), and the largest distance from z0 over the first period."""
    v = 1 / mpf(scale)
    slow, fast = Loop([0, 1], 1, 2), Loop([0, 1], 1, 2, sigma1=1, v=v)
    H = slow.Y[1] - slow.Y[2]
    parts = [mpf(k) / 400 for k in range(401)]
    sup = max(abs(fast.force(fast.arc(Y, s, r), s) - slow.arc(Z, s, r))
              for Y, Z, s in zip(fast.Y, slow.Y, slow.s) for r in parts)

    def away(p, q):
        """Largest distance of a point of loop p from the lines of loop q, in double precision; p is halved where the
        distance, which changes by no more than the way, may still be larger."""
        curve = lambda c, arc, r: (float(r if arc == 0 else 1 - r), float(c.force(c.arc(c.Y[arc], c.s[arc], r), c.s[arc]) / H))
        Q = [[curve(q, arc, mpf(k) / fine) for k in range(fine + 1)] for arc in (0, 1)]

        def near(x, y):
            best = 9.0
            for line in Q:
                for (ax, ay), (bx, by) in zip(line, line[1:]):
                    dx, dy = bx - ax, by - ay
                    part = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
                    best = min(best, (x - ax - part * dx) ** 2 + (y - ay - part * dy) ** 2)
            return best ** 0.5

        worst, todo = 0.0, []
        for arc in (0, 1):
            ends = [(r, near(*curve(p, arc, r))) for r in (mpf(k) / 32 for k in range(33))]
            worst = max([worst] + [d for _, d in ends])
            todo += [(arc, a, b) for a, b in zip(ends, ends[1:])]
        while todo:
            arc, (a, da), (b, db) = todo.pop()
            (ax, ay), (bx, by) = curve(p, arc, a), curve(p, arc, b)
            if (da + db + 1.01 * ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5) / 2 <= worst * (1 + 1e-7):
                continue
            mid = (a + b) / 2
            d = near(*curve(p, arc, mid))
            worst = max(worst, d)
            todo += [(arc, (a, da), (mid, d)), (arc, (mid, d), (b, db))]
        return worst

    show(f"example2 scale={scale} settled", sup)
    show(f"example2 scale={scale} graphs", mpf(max(away(fast, slow), away(slow, fast))))
    # from z0: first period of both, the arcs rise then fall
    worst = mpf(0)
    Y, Z = mpf(z0), mpf(z0)
    for period in range(30):
        for s in (1, -1):
            for r in parts:
                worst = max(worst, abs(fast.force(fast.arc(Y, s, r), s) - slow.arc(Z, s, r)))
            Y, Z = fast.arc(Y, s, 1), slow.arc(Z, s, 1)
    show(f"example2 scale={scale} z0={z0} transient", worst)


if __name__ == "__main__":
    for part in sys.argv[1:] or ("family", "remark", "input_of_figure2", "examples"):
        if part == "examples":
            for scale in (1, 10):
                example2(scale, z0="0.5")
        else:
            globals()[part]()
