# SPDX-License-Identifier: Apache-2.0
"""The fit of bench_fit.c by SciPy: FILE (t v F), yardstick.c, seconds of Bristle from the data and from the same start.

From the data alone, as Bristle does it (21 starts looked at, three followed), and from a start 30 % beside the truth."""
import ctypes, os, subprocess, sys, tempfile, time

try:
    import numpy as np
    from scipy.integrate import solve_ivp
    from scipy.optimize import least_squares
except ImportError:
    print("scipy: not here, no comparison")
    sys.exit(0)

file, source, own, near = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
t, v, F = np.loadtxt(file).T
v = np.ascontiguousarray(v[:-1])
h, truth = t[1] - t[0], np.array([4e5, 60, 40, 12, 18, 2e-3])
folder = tempfile.mkdtemp()
library = os.path.join(folder, "yard.so")
subprocess.run(["cc", "-O3", "-march=native", "-shared", "-fPIC", source, "-lm", "-o", library], check=True)
yard = ctypes.CDLL(library).yard_lugre_square
double_p = ctypes.POINTER(ctypes.c_double)


class Lugre(ctypes.Structure):
    _fields_ = [(n, ctypes.c_double) for n in ("sigma0", "sigma1", "sigma2", "Fc", "Fs", "vs", "delta")]


out = np.empty(len(v))


def compiled(x):
    s0, s1, s2, Fc, Fs, vs = np.exp(x[:6])
    z = ctypes.c_double(0)
    yard(ctypes.byref(Lugre(s0, s1, s2, Fc, Fs, vs, 2)), ctypes.c_double(h), ctypes.c_size_t(len(v)),
         v.ctypes.data_as(double_p), ctypes.byref(z), out.ctypes.data_as(double_p))
    return out + x[6] - F[1:]


def integrated(x):
    s0, s1, s2, Fc, Fs, vs = np.exp(x[:6])
    g = lambda w: Fc + (Fs - Fc) * np.exp(-(w / vs) ** 2)
    at = lambda s: v[min(int(s / h), len(v) - 1)]
    rate = lambda s, z: [at(s) - s0 * abs(at(s)) / g(at(s)) * z[0]]
    z = solve_ivp(rate, (t[0], t[-1]), [0.0], method="LSODA", t_eval=t[1:], rtol=1e-6, atol=1e-10).y[0]
    return s0 * z + s1 * (v - s0 * np.abs(v) / g(v) * z) + s2 * v + x[6] - F[1:]


start = np.append(np.log(truth * 1.3), 2.0)
best = float("inf")
for _ in range(3):
    began = time.process_time()
    r = least_squares(compiled, start, x_scale="jac")
    best = min(best, time.process_time() - began)
rmse = np.sqrt(np.mean(r.fun ** 2))
print(f"scipy least_squares, compiled kernel, start 30 % beside the truth: {1e3 * best:.1f} ms, {r.nfev} steps, rmse {rmse:.4f} N: "
      f"{best / near:.1f} times Bristle's from the same start, {best / own:.1f} times its time from the data alone")


def from_data():
    low, high = np.quantile(F, [0.02, 0.98])
    level, fast, stroke = (high - low) / 2, np.quantile(np.abs(v), 0.9), np.ptp(np.cumsum(v) * h)
    ends = []
    for speed in (0.5 * fast, 0.1 * fast, 0.02 * fast):
        starts = [np.append(np.log([level / (way * stroke), 0.03 * level / speed, 0.05 * level / speed, level, 1.2 * level, speed]),
                            (high + low) / 2) for way in (0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0.0003)]
        ends.append(least_squares(compiled, min(starts, key=lambda x: np.sum(compiled(x) ** 2)), x_scale="jac"))
    return min(ends, key=lambda e: e.cost)


began = time.process_time()
r = from_data()
took = time.process_time() - began
print(f"scipy least_squares, compiled kernel, starts from the data as here: {1e3 * took:.1f} ms, "
      f"rmse {np.sqrt(np.mean(r.fun ** 2)):.4f} N: {took / own:.1f} times Bristle's")
began = time.process_time()
r = least_squares(integrated, start, x_scale="jac", max_nfev=2)
took = time.process_time() - began
print(f"scipy least_squares, solve_ivp, its first two steps alone: {took:.1f} s: more than {took / near:.0f} times Bristle's")
