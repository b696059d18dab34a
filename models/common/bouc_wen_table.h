/* SPDX-License-Identifier: Apache-2.0
 * bouc_wen_table.h - the parameters, class and passivity that bouc_wen and its relatives share, once. */
#ifndef BR_BOUC_WEN_TABLE_H
#define BR_BOUC_WEN_TABLE_H

/* Loop shape, force and stiffness: what every Bouc-Wen element has. */
#define BR_BOUC_WEN_SHAPE(P)                                                                 \
  P(A, "1", 1.0, BR_ABOVE(0), BR_NOHI, "initial slope dz/du, in 1/uy")                       \
  P(beta, "1", 0.5, BR_NOLO, BR_NOHI, "weight of the dissipative term, multiplies sgn(v z)") \
  P(gamma, "1", 0.5, BR_NOLO, BR_NOHI, "weight of the elastic-shape term")                   \
  P(eta, "1", 2.0, BR_ABOVE(0), BR_NOHI, "knee sharpness")                                   \
  P(fp, "N", 1.0, BR_ABOVE(0), BR_NOHI, "plastic force")                                     \
  P(uy, "m", 1.0, BR_ABOVE(0), BR_NOHI, "yield displacement")                                \
  P(kappa, "1", 0.0, BR_FROM(0), BR_UPTO(1), "post-yield to pre-yield stiffness ratio")
#define BR_BOUC_WEN_PARAMS(P, V, E) \
  BR_BOUC_WEN_SHAPE(P)              \
  P(inv_d0, "1", 0.0, BR_FROM(0), BR_NOHI, "1/d0 of the degradation law; 0 = no degradation")

/* beta = gamma = 0 leaves a spring */
#define BR_BOUC_WEN_IS_SPRING(p) (BR_EQ((p)->beta, BR_K(0)) && BR_EQ((p)->gamma, BR_K(0)))
#define BR_BOUC_WEN_CLASS(p, c)                                                        \
  ((c)->duhem = BR_BOUC_WEN_IS_SPRING(p) ? BR_DUHEM_SEMILINEAR : BR_DUHEM_GENERALIZED, \
   (c)->rate_dependent = 0,                                                            \
   (c)->continuity = BR_LT((p)->eta, BR_K(1)) && !BR_BOUC_WEN_IS_SPRING(p) ? BR_CONTINUOUS : BR_LIPSCHITZ)
#define BR_BOUC_WEN_PASSIVE(p) (BR_LT(BR_K(0), (p)->beta) && !BR_LT((p)->beta, BR_ABS((p)->gamma)))
#define BR_BOUC_WEN_PASSIVE_TEXT "beta > 0 and -beta <= gamma <= beta"

#endif
