/* SPDX-License-Identifier: Apache-2.0
 * rows.h - parameter rows that several kernels share, written once.  P is the row macro of BR_PARAMS. */
#ifndef BR_COMMON_ROWS_H
#define BR_COMMON_ROWS_H

/* Levels of sliding friction; a kernel with these rows has the rule Fs >= Fc. */
#define BR_ROW_FC(P) P(Fc, "N", 1.0, BR_ABOVE(0), BR_NOHI, "Coulomb level")
#define BR_ROW_FS(P) P(Fs, "N", 1.5, BR_ABOVE(0), BR_NOHI, "static level, Fs >= Fc")
#define BR_RULE_LEVELS(R) R(!BR_LT(p->Fs, p->Fc), Fs, "Fs >= Fc")

/* g(v) = Fc + (Fs - Fc) exp(-|v/vs|^delta), evaluated by common/stribeck.inc */
#define BR_ROWS_STRIBECK(P)                                      \
  BR_ROW_FC(P)                                                   \
  BR_ROW_FS(P)                                                   \
  P(vs, "m/s", 0.001, BR_ABOVE(0), BR_NOHI, "Stribeck velocity") \
  P(delta, "1", 2.0, BR_ABOVE(0), BR_NOHI, "Stribeck exponent")
#define BR_DERIVED_STRIBECK(D) D(dF) D(inv_vs)
#define BR_PREPARE_STRIBECK(p) ((p)->dF = (p)->Fs - (p)->Fc, (p)->inv_vs = 1 / (p)->vs)
#define BR_STRIBECK(p, v) BR_N(stribeck)((p)->Fc, (p)->dF, (p)->inv_vs, (p)->delta, v)

/* The bristle of LuGre and its relatives. */
#define BR_ROWS_BRISTLE(P)                                         \
  P(sigma0, "N/m", 1e5, BR_ABOVE(0), BR_NOHI, "bristle stiffness") \
  P(sigma1, "N s/m", 316.22776601683796, BR_FROM(0), BR_NOHI, "bristle damping")
/* dissipation >= 0 for every motion (quadratic energy); see lugre/README.md */
#define BR_BRISTLE_PASSIVE(p) (!BR_LT((p)->sigma2 * (p)->Fc, (p)->sigma1 * ((p)->Fs - (p)->Fc)))
#define BR_BRISTLE_PASSIVE_TEXT "sigma2 >= sigma1 (Fs - Fc) / Fc"

#define BR_ROW_VISCOUS(P) P(sigma2, "N s/m", 0.4, BR_FROM(0), BR_NOHI, "viscous friction")

#endif
