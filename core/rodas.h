/* SPDX-License-Identifier: Apache-2.0
 * rodas.h - the numbers of Rodas5P (G. Steinebach, BIT Numer. Math. 63:27, 2023), once: order 5, linearly implicit,
 * stiffly accurate, eight stages.  In the form without matrix products
 *   (I/(h gamma) - J) K_i = f(t + c_i h, u_i) + sum_j C_ij K_j / h + h d_i f_t,      u_i = y + sum_j a_ij K_j;
 * the last two stages continue u_6 by K_6 and K_7, the result by K_8, which is also the error.  Dense output:
 *   y(x) = (1-x) y0 + x (y1 + (1-x) (q0 + x (q1 + x q2))),  q_i = sum_j H_ij K_j,  x = 0..1.
 * Rows are lists X(j, number), stages counted from 0, so that a table and a sum without indices come from the same row. */
#ifndef BR_RODAS_H
#define BR_RODAS_H

#define BR_RODAS_GAMMA 0.21193756319429014
#define BR_RODAS_SECOND 0.6358126895828704
#define BR_RODAS_TIME(X) \
  X(0, 0)                \
  X(1, BR_RODAS_SECOND) X(2, 0.4095798393397535) X(3, 0.9769306725060716) X(4, 0.4288403609558664) X(5, 1)
#define BR_RODAS_D0 0.21193756319429014
#define BR_RODAS_D1 -0.42387512638858027
#define BR_RODAS_D2 -0.3384627126235924
#define BR_RODAS_D3 1.8046452872882734
#define BR_RODAS_D4 2.325825639765069
#define BR_RODAS_SLOPE(X) \
  X(0, BR_RODAS_D0) X(1, BR_RODAS_D1) X(2, BR_RODAS_D2) X(3, BR_RODAS_D3) X(4, BR_RODAS_D4)
#define BR_RODAS_A1(X) X(0, 3.0)
#define BR_RODAS_A2(X) X(0, 2.849394379747939) X(1, 0.45842242204463923)
#define BR_RODAS_A3(X) X(0, -6.954028509809101) X(1, 2.489845061869568) X(2, -10.358996098473584)
#define BR_RODAS_A4(X) \
  X(0, 2.8029986275628964) X(1, 0.5072464736228206) X(2, -0.3988312541770524) X(3, -0.04721187230404641)
#define BR_RODAS_A5(X)     \
  X(0, -7.502846399306121) \
  X(1, 2.561846144803919) X(2, -11.627539656261098) X(3, -0.18268767659942256) X(4, 0.030198172008377946)
#define BR_RODAS_C1(X) X(0, -14.155112264123755)
#define BR_RODAS_C2(X) X(0, -17.97296035885952) X(1, -2.859693295451294)
#define BR_RODAS_C3(X) X(0, 147.12150275711716) X(1, -1.41221402718213) X(2, 71.68940251302358)
#define BR_RODAS_C4(X) \
  X(0, 165.43517024871676) X(1, -0.4592823456491126) X(2, 42.90938336958603) X(3, -5.961986721573306)
#define BR_RODAS_C5(X)     \
  X(0, 24.854864614690072) \
  X(1, -3.0009227002832186) X(2, 47.4931110020768) X(3, 5.5814197821558125) X(4, -0.6610691825249471)
#define BR_RODAS_C6(X)      \
  X(0, 30.91273214028599)   \
  X(1, -3.1208243349937974) \
  X(2, 77.79954646070892) X(3, 34.28646028294783) X(4, -19.097331116725623) X(5, -28.087943162872662)
#define BR_RODAS_C7(X)      \
  X(0, 37.80277123390563)   \
  X(1, -3.2571969029072276) \
  X(2, 112.26918849496327)  \
  X(3, 66.9347231244047) X(4, -40.06618937091002) X(5, -54.66780262877968) X(6, -9.48861652309627)
#define BR_RODAS_H0(X)                                                                                \
  X(0, 25.948786856663858)                                                                            \
  X(1, -2.5579724845846235)                                                                           \
  X(2, 10.433815404888879)                                                                            \
  X(3, -2.3679251022685204) X(4, 0.524948541321073) X(5, 1.1241088310450404) X(6, 0.4272876194431874) \
      X(7, -0.17202221070155493)
#define BR_RODAS_H1(X)                                                                                \
  X(0, -9.91568850695171)                                                                             \
  X(1, -0.9689944594115154)                                                                           \
  X(2, 3.0438037242978453)                                                                            \
  X(3, -24.495224566215796) X(4, 20.176138334709044) X(5, 15.98066361424651) X(6, -6.789040303419874) \
      X(7, -6.710236069923372)
#define BR_RODAS_H2(X)                                                                                  \
  X(0, 11.419903575922262)                                                                              \
  X(1, 2.8879645146136994)                                                                              \
  X(2, 72.92137995996029)                                                                               \
  X(3, 80.12511834622643) X(4, -52.072871366152654) X(5, -59.78993625266729) X(6, -0.15582684282751913) \
      X(7, 4.883087185713722)
#define BR_RODAS_NUMBER(j, x) x,
#endif
