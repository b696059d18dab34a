#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write src/solve/radau_tables.inc: Radau IIA methods of 3 and 5 stages (orders 5, 9).

Everything follows from the nodes, the roots of d^(s-1)/dx^(s-1) [x^(s-1) (x-1)^s]; computed with 60 digits.
Usage: tools/radau_tables.py > src/solve/radau_tables.inc
"""
import textwrap

import mpmath as mp

mp.mp.dps = 60


def nodes(s):
    """Roots of the Radau polynomial on (0, 1]; the last one is 1."""
    poly = [mp.mpf(0)] * (2 * s)  # coefficients of x^(s-1) (x-1)^s, ascending
    for k in range(s + 1):
        poly[s - 1 + k] += mp.binomial(s, k) * (-1) ** (s - k)
    for _ in range(s - 1):
        poly = [k * poly[k] for k in range(1, len(poly))]
    return sorted(mp.re(r) for r in mp.polyroots(poly[::-1], maxsteps=500, extraprec=200))


def tables(s):
    c = nodes(s)
    # collocation: sum_j A_ij c_j^(k-1) = c_i^k / k
    V = mp.matrix(s, s)
    R = mp.matrix(s, s)
    for i in range(s):
        for k in range(s):
            V[i, k] = c[i] ** k
            R[i, k] = c[i] ** (k + 1) / (k + 1)
    A = R * V ** -1
    E, Q = mp.eig(A ** -1)
    order = sorted(range(s), key=lambda i: (abs(mp.im(E[i])), mp.re(E[i])))
    real = order[0]
    gamma = mp.re(E[real])
    cols = [[mp.re(Q[i, real] / Q[s - 1, real]) for i in range(s)]]
    alpha, beta = [], []
    for i in order[1:]:
        if mp.im(E[i]) > 0:
            continue  # the eigenvector of alpha - i beta is used, so that w1 + i w2 sees alpha + i beta
        alpha.append(mp.re(E[i]))
        beta.append(-mp.im(E[i]))
        v = [Q[r, i] / Q[s - 1, i] for r in range(s)]
        cols.append([mp.re(x) for x in v])
        cols.append([mp.im(x) for x in v])
    T = mp.matrix(s, s)
    for j in range(s):
        for i in range(s):
            T[i, j] = cols[j][i]
    Ti = T ** -1
    # embedded formula of order s with node 0 and weight 1/gamma there
    g0 = 1 / gamma
    rhs = mp.matrix([mp.mpf(1) / (k + 1) - (g0 if k == 0 else 0) for k in range(s)])
    bhat = mp.lu_solve(V.T, rhs)
    b = A[s - 1, :].T
    e = ((bhat - b).T * A ** -1)
    # polynomial through 0 and the stages: a_k, k = 1..s
    P = mp.matrix(s, s)
    for i in range(s):
        for k in range(s):
            P[i, k] = c[i] ** (k + 1)
    Pi = P ** -1
    return c, b, e, gamma, alpha, beta, T, Ti, Pi


def braces(values):
    """Numbers in braces, wrapped to the line length of the house."""
    text = ", ".join(mp.nstr(v, 20, min_fixed=-1, max_fixed=3) for v in values)
    return "{" + "\n     ".join(textwrap.wrap(text, 100)) + "}"


def row(values):
    return braces(values)


def mat(M, s):
    return braces(M[i, j] for i in range(s) for j in range(s))


print("/* SPDX-License-Identifier: Apache-2.0")
print(" * radau_tables.inc - written by tools/radau_tables.py, do not edit: Radau IIA with 3 and 5 stages.")
print(" * Fields in the order of bri_radau_table. */")
for s in (3, 5):
    c, b, e, gamma, alpha, beta, T, Ti, Pi = tables(s)
    print(f"{{{s},")
    print("    " + row(c) + ",\n    " + row(b) + ",\n    " + row(e) + ",")
    print("    " + mp.nstr(gamma, 20) + ",")
    print("    " + row(alpha) + ",\n    " + row(beta) + ",")
    print("    " + mat(T, s) + ",\n    " + mat(Ti, s) + ",\n    " + mat(Pi, s) + "},")
