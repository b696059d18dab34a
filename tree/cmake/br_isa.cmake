# SPDX-License-Identifier: Apache-2.0
# Instruction-set variants: models/batch_*.c and path_*.c are compiled once per variant with -DBR_ISA=<name>; every
# library source sees BR_HAVE_ISA_<name>=1 for those that were built, and the dispatcher picks one at run time.
# The plain variants give the same bits as scalar code; the *_fast ones contract a*b+c and do not.
set(bri_avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mprefer-vector-width=512)
# Contraction is off, so no FMA is formed but where the source asks for one: lanes, core/lane.h
# (tests/build/test_contraction.sh looks at the machine code).
set(BRI_ISA_FLAGS_base)
set(BRI_ISA_FLAGS_base_fast -ffp-contract=fast -DBR_CONTRACTED=1)
set(BRI_ISA_FLAGS_avx2 -mavx2 -mfma)
set(BRI_ISA_FLAGS_avx2_fast -mavx2 -mfma -ffp-contract=fast -DBR_CONTRACTED=1)
set(BRI_ISA_FLAGS_avx512 ${bri_avx512})
set(BRI_ISA_FLAGS_avx512_fast ${bri_avx512} -mfma -ffp-contract=fast -DBR_CONTRACTED=1)

set(bri_isa_all base base_fast)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  check_c_compiler_flag("-mavx2 -mfma" BRI_CC_AVX2)
  list(JOIN bri_avx512 " " bri_flags)
  check_c_compiler_flag("${bri_flags}" BRI_CC_AVX512)
  mark_as_advanced(BRI_CC_AVX2 BRI_CC_AVX512)
  if(BRI_CC_AVX2)
    list(APPEND bri_isa_all avx2 avx2_fast)
  endif()
  if(BRI_CC_AVX512)
    list(APPEND bri_isa_all avx512 avx512_fast)
  endif()
endif()

if(BR_VARIANTS STREQUAL "all")
  set(BRI_ISA_LIST ${bri_isa_all})
elseif(BR_VARIANTS STREQUAL "portable")
  set(BRI_ISA_LIST base base_fast)
elseif(BR_VARIANTS STREQUAL "base") # "fast" then means the plain kernels
  set(BRI_ISA_LIST base)
else()
  string(REPLACE "," ";" bri_wanted "base,base_fast,${BR_VARIANTS}") # the fall-back is always there
  list(REMOVE_DUPLICATES bri_wanted)
  foreach(isa IN LISTS bri_wanted)
    if(NOT isa IN_LIST bri_isa_all)
      message(FATAL_ERROR "BR_VARIANTS: no variant '${isa}' here; possible: ${bri_isa_all}")
    endif()
  endforeach()
  set(BRI_ISA_LIST ${bri_wanted})
endif()
set(BRI_ISA_DEFINITIONS)
foreach(isa IN LISTS BRI_ISA_LIST)
  list(APPEND BRI_ISA_DEFINITIONS BR_HAVE_ISA_${isa}=1)
endforeach()
