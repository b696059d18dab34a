/* SPDX-License-Identifier: Apache-2.0
 * quadrature.h - Gauss-Legendre rules on (0, 1) as lists N(node, weight): expanded in place, because kernels
 * have no static data.  The rules are symmetric; G expands a node and its mirror image. */
#ifndef BR_COMMON_QUADRATURE_H
#define BR_COMMON_QUADRATURE_H

#define BR_GAUSS_8(G)                           \
  G(0x1.454e34f533998p-6, 0x1.9ea1d04ca0374p-5) \
  G(0x1.a06d536d82f88p-4, 0x1.c76fb531d2b96p-4) \
  G(0x1.e5dad4f9af698p-3, 0x1.413c50a255615p-3) \
  G(0x1.a214dac30e32fp-2, 0x1.736360b199343p-3)

#define BR_GAUSS_16(G)                          \
  G(0x1.5b4f66ca1e083p-8, 0x1.bcddab4b7c211p-7) \
  G(0x1.c60a99e906503p-6, 0x1.fdfb1a2c1265dp-6) \
  G(0x1.132ff2bac6df4p-4, 0x1.85c4ee79cc258p-5) \
  G(0x1.f4ee8896e3653p-4, 0x1.fe7af2bad386ap-5) \
  G(0x1.874b732542e90p-3, 0x1.325f61bca3cbfp-4) \
  G(0x1.157ed32de2c47p-2, 0x1.5a6ebbb5a75fcp-4) \
  G(0x1.6fd1a8cdee642p-2, 0x1.75f8c77e0c00fp-4) \
  G(0x1.cf5a853312ac1p-2, 0x1.83feae80e4dfcp-4)

#endif
