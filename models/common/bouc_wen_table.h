/* SPDX-License-Identifier: Apache-2.0
 * bouc_wen_table.h - the parameters that bouc_wen and bouc_wen_biaxial share, once. */
#ifndef BR_BOUC_WEN_TABLE_H
#define BR_BOUC_WEN_TABLE_H

#define BR_BOUC_WEN_PARAMS(P, V, E)                                                          \
  P(A, "1", 1.0, BR_ABOVE(0), BR_NOHI, "initial slope dz/du, in 1/uy")                       \
  P(beta, "1", 0.5, BR_NOLO, BR_NOHI, "weight of the dissipative term, multiplies sgn(v z)") \
  P(gamma, "1", 0.5, BR_NOLO, BR_NOHI, "weight of the elastic-shape term")                   \
  P(eta, "1", 2.0, BR_ABOVE(0), BR_NOHI, "knee sharpness")                                   \
  P(fp, "N", 1.0, BR_ABOVE(0), BR_NOHI, "plastic force")                                     \
  P(uy, "m", 1.0, BR_ABOVE(0), BR_NOHI, "yield displacement")                                \
  P(kappa, "1", 0.0, BR_FROM(0), BR_UPTO(1), "post-yield to pre-yield stiffness ratio")      \
  P(inv_d0, "1", 0.0, BR_FROM(0), BR_NOHI, "1/d0 of the degradation law; 0 = no degradation")

#endif
