# SPDX-License-Identifier: Apache-2.0
# Language level, warnings, sanitizers and the flags behind "same bits everywhere".
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
include(CheckCCompilerFlag)
include(CheckLibraryExists)

if(NOT CMAKE_C_COMPILER_ID MATCHES "^(GNU|Clang|AppleClang)$")
  message(WARNING "compiler ${CMAKE_C_COMPILER_ID} is untested: the same-bits promise covers gcc and clang")
endif()

# Kernels: no contraction (a*b+c rounds twice on every target); without the other two flags gcc would not turn
# selects into vector code.  Never -ffast-math.  -O3 in optimised builds; dev, asan, coverage keep their level.
set(BRI_KERNEL_FLAGS -ffp-contract=off -fno-trapping-math -fno-math-errno
                     "$<$<CONFIG:Release,RelWithDebInfo>:-O3>")
# Scalar kernels take one sample after the other: gcc's vectoriser and its searches for common terms across branches gain
# them nothing (tests/models/speed), and cost a quarter of the compiler's time.
set(BRI_SCALAR_FLAGS
    "$<$<AND:$<CONFIG:Release,RelWithDebInfo>,$<C_COMPILER_ID:GNU>>:-O2;-fno-gcse;-fno-tree-pre;-fno-tree-vectorize>")
# Of -O3 host code needs -O2 alone, which spares the compiler a quarter of its time, but for loops over the stages of a step;
# what reads and writes text needs -O1.  Whoever asks for another level than -O3 gets that.
set(BRI_HOST_FLAGS -ffp-contract=off)
set(BRI_STAGES "/src/(solve/radau|phase/stiff|phase/flow)[.]c$")
set(BRI_WORDS "/cli/|/src/(catalogue|fmu|lab|pages|param|preset|record|report|study|yaml)/|/src/(control|fit|loop|phase|response|sense|sweep)/analysis[a-z_]*[.]c$")
# bri_levels(SOURCES...): each with the level it needs
function(bri_levels)
  if(NOT CMAKE_C_FLAGS_RELEASE MATCHES "-O3")
    return()
  endif()
  foreach(source IN LISTS ARGN)
    set(level -O2)
    if(source MATCHES "${BRI_STAGES}")
      set(level -O3 $<$<C_COMPILER_ID:GNU>:-fno-gcse>)
    elseif(source MATCHES "${BRI_WORDS}")
      set(level -O1)
    endif()
    set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS "$<$<CONFIG:Release>:${level}>")
  endforeach()
endfunction()
# Host code is C11 plus POSIX (clock, files, terminal); kernels get plain C11.
set(BRI_HOST_DEFINITIONS _POSIX_C_SOURCE=200809L)

set(BRI_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes
                 -Wno-missing-field-initializers) # rows of tables say what differs from zero
set(BRI_KERNEL_WARNINGS -Wdouble-promotion) # a double literal in f32 code would change bits between targets
set(BRI_TEST_WARNINGS -Wall -Wextra -Wshadow -Wno-unused-parameter) # cmocka hands every test a state
if(BR_WERROR)
  list(APPEND BRI_WARNINGS -Werror)
  list(APPEND BRI_TEST_WARNINGS -Werror)
endif()

if(BR_SANITIZE)
  set(bri_san -fsanitize=${BR_SANITIZE} -fno-omit-frame-pointer)
  if(BR_SANITIZE MATCHES "undefined")
    list(APPEND bri_san -fno-sanitize-recover=all)
    if(BR_SANITIZE MATCHES "address") # which knows the size of every object
      list(APPEND bri_san -fno-sanitize=object-size)
    endif()
  endif()
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # gcc warns falsely about code its own sanitizers insert (gcc manual, -fsanitize); clang and plain builds judge.
    list(APPEND BRI_WARNINGS -Wno-maybe-uninitialized)
    list(APPEND BRI_TEST_WARNINGS -Wno-maybe-uninitialized)
  endif()
  add_compile_options(${bri_san})
  add_link_options(${bri_san})
endif()
if(BR_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "BR_FUZZ=ON needs clang as the C compiler, this is ${CMAKE_C_COMPILER_ID}")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(BR_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()

check_c_compiler_flag(-fcx-fortran-rules BRI_CC_CX_FORTRAN_RULES)
mark_as_advanced(BRI_CC_CX_FORTRAN_RULES)
check_library_exists(m cos "" BRI_LIBM)
mark_as_advanced(BRI_LIBM)
