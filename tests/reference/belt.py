# SPDX-License-Identifier: Apache-2.0
"""End of stick-slip of a block on a belt, for tests/phase/test_belt.sh; no line of it is Bristle's.  The block leaves the belt where the
spring force reaches the static level; scipy's DOP853 (relative tolerance 1e-13) follows it over one turn of sliding, and Brent's method
finds the belt speed at which the turn just touches the belt again.  Parameters: Veraszto and Stepan, International Journal of Non-Linear
Mechanics 94 (2017) 380-391, tables 1 and 2 (m, b0, k, C, C0, cv, bs), as a public toolbox quotes them."""
import math

from scipy.integrate import solve_ivp
from scipy.optimize import brentq

M, B0, K, C, C0, CV, BS = 0.538, 5.746, 6957.0, 2.0, 6.0, 10.0, 0.2


def nearest(vb):
    """Largest block velocity less the belt's after one turn, sliding law continued through the contact."""
    def rate(t, y):
        w = vb - y[1]
        force = C + (C0 - C) * math.exp(-CV * w) + BS * w
        return [y[1], (force - B0 * y[1] - K * y[0]) / M]
    def top(t, y):
        return rate(t, y)[1]
    top.direction = -1
    r = solve_ivp(rate, (0, 0.08), [(C0 - B0 * vb) / K, vb], method="DOP853", rtol=1e-13, atol=1e-16, events=top)
    i = max(k for k, t in enumerate(r.t_events[0]) if t > 0.03)
    return r.y_events[0][i][1] - vb


if __name__ == "__main__":
    print("hopf", f"{math.log(CV * (C0 - C) / (B0 + BS)) / CV:.12g}")
    print("end of stick-slip", f"{brentq(nearest, 0.26, 0.29, xtol=1e-14):.12g}")
