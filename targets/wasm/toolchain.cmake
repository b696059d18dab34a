# SPDX-License-Identifier: Apache-2.0
# clang, lld and wasi-libc as Debian has them, and what POSIX has beyond wasi-libc as headers beside this file.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_SYSROOT /usr)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(here "${CMAKE_CURRENT_LIST_DIR}/include")
set(CMAKE_C_FLAGS_INIT "-I${here} -include ${here}/missing.h -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_PROCESS_CLOCKS \
-D_WASI_EMULATED_GETPID -mnontrapping-fptoint -msign-ext -Wno-gnu-include-next -ffunction-sections -fdata-sections")
