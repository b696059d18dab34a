# SPDX-License-Identifier: Apache-2.0
# Install rules.  Everything is found relative to the files that name it, so that an installed tree can be
# moved (tests/consume moves one).
include(CMakePackageConfigHelpers)
set(bri_cmakedir "${CMAKE_INSTALL_LIBDIR}/cmake/bristle")
set(bri_pcdir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# The static library names its own dependencies, so it has an export file of its own: users of the shared one
# need no development package of, say, SUNDIALS.
install(TARGETS bristle_core bristle_shared EXPORT bristle LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(TARGETS bristle_static EXPORT bristle_static ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
if(TARGET bristle)
  install(TARGETS bristle RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(FILES ${BRI_PUBLIC_HEADERS} "${BRI_GEN}/include/bristle/version.h"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/bristle")
# Kernels keep their paths ("core/num.h", "models/lugre/lugre.h") under a folder of their own.  It must not be
# include/bristle itself: with that on the include path, bristle's signal.h would hide the system's.
foreach(room IN ITEMS core models systems)
  if(EXISTS "${PROJECT_SOURCE_DIR}/${room}")
    install(DIRECTORY ${room} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/bristle/kernel"
            FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN "*.def" PATTERN "core/*.c" PATTERN "models/rt.c")
  endif()
endforeach()
if(EXISTS "${PROJECT_SOURCE_DIR}/src/control/kernel.c")
  install(FILES src/control/kernel.c DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/bristle/kernel/src/control")
endif()
install(DIRECTORY "${BRI_GEN}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" OPTIONAL FILES_MATCHING PATTERN "*.1")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

install(EXPORT bristle NAMESPACE br:: DESTINATION "${bri_cmakedir}" FILE bristleTargets.cmake)
install(EXPORT bristle_static NAMESPACE br:: DESTINATION "${bri_cmakedir}" FILE bristleStaticTargets.cmake)
configure_package_config_file(cmake/bristleConfig.cmake.in "${BRI_GEN}/bristleConfig.cmake"
                              INSTALL_DESTINATION "${bri_cmakedir}")
# Before 1.0 a minor release may break the API.
write_basic_package_version_file("${BRI_GEN}/bristleConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${BRI_GEN}/bristleConfig.cmake" "${BRI_GEN}/bristleConfigVersion.cmake"
        DESTINATION "${bri_cmakedir}")

# pkg-config: prefix from the file's own place; what only a static link needs is private.
set(BRI_PC_PRIVATE "-lm")
if(BRI_PART_LIBRARIES MATCHES "SUNDIALS")
  string(PREPEND BRI_PC_PRIVATE "-lsundials_cvodes -lsundials_nvecserial ")
endif()
foreach(part IN ITEMS YAML HDF5 MATIO)
  if(BRI_${part}_LIBRARY AND BRI_${part}_LIBRARY IN_LIST BRI_PART_LIBRARIES)
    get_filename_component(bri_name "${BRI_${part}_LIBRARY}" NAME_WE)
    string(REGEX REPLACE "^lib" "-l" bri_name "${bri_name}")
    string(PREPEND BRI_PC_PRIVATE "${bri_name} ")
  endif()
endforeach()
if(BRI_PART_LIBRARIES MATCHES "OpenMP")
  string(PREPEND BRI_PC_PRIVATE "${OpenMP_C_FLAGS} ")
endif()
file(RELATIVE_PATH BRI_PC_PREFIX "/p/${bri_pcdir}" "/p")
string(REGEX REPLACE "/$" "" BRI_PC_PREFIX "${BRI_PC_PREFIX}")
foreach(pc IN ITEMS bristle bristle-core)
  configure_file(cmake/${pc}.pc.in "${BRI_GEN}/${pc}.pc" @ONLY)
  install(FILES "${BRI_GEN}/${pc}.pc" DESTINATION "${bri_pcdir}")
endforeach()
