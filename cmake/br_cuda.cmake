# SPDX-License-Identifier: Apache-2.0
# libbristle_cuda.so: lanes of ensembles on a GPU (targets/cuda), where nvcc is found.  The program loads it at run time, so
# nothing links it.  Part of every build with BR_NVCC=ON; else by hand, target `cuda`: it takes nvcc a while.  Machine code
# for Hopper, and an intermediate form from which the driver makes that of any card since Turing.
set(bri_cuda_out "${CMAKE_CURRENT_BINARY_DIR}/libbristle_cuda.so")
file(GLOB bri_cuda_parts CONFIGURE_DEPENDS core/*.h core/*.inc models/*/*.h models/*/*.inc targets/cuda/*.cuh targets/cuda/*.h
     src/lanes/*.def src/lanes/device.h)
add_custom_command(
  OUTPUT "${bri_cuda_out}"
  COMMAND
    "${BRI_NVCC}" -std=c++17 -O3 -fmad=false -gencode=arch=compute_90,code=sm_90 -gencode=arch=compute_75,code=compute_75
    -Xcompiler -fPIC,-fvisibility=hidden,-ffp-contract=off -shared -cudart static -I "${PROJECT_SOURCE_DIR}"
    "${PROJECT_SOURCE_DIR}/targets/cuda/device.cu" "${PROJECT_SOURCE_DIR}/targets/cuda/device_f32.cu" -o "${bri_cuda_out}"
  DEPENDS targets/cuda/device.cu targets/cuda/device_f32.cu ${bri_cuda_parts}
  COMMENT "Building libbristle_cuda.so"
  VERBATIM)
if(BR_NVCC STREQUAL "ON")
  set(bri_cuda_all ALL)
else()
  set(bri_cuda_all)
endif()
add_custom_target(cuda ${bri_cuda_all} DEPENDS "${bri_cuda_out}")
install(FILES "${bri_cuda_out}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" OPTIONAL)
