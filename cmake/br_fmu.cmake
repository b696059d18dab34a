# SPDX-License-Identifier: Apache-2.0
# FMUs: the binary that goes into every FMU, from the sources that go with it, and both as bytes in the library.
# BRI_FMU_UNITS is the one list: what is compiled here is what importers compile elsewhere.
if(NOT BRI_PARTS_DEFINES MATCHES "BR_WITH_ZIP 1") # what write.c was told
  return()
endif()
set(BRI_FMU_UNITS
    targets/fmi/fmi2.c targets/fmi/fmi3.c targets/fmi/both.c targets/fmi/instance.c targets/fmi/motion.c targets/fmi/state.c
    src/fmu/element.c src/fmu/layout.c src/fmu/recipe.c
    core/status.c core/elementary.c models/models.c models/duhem.c models/face.c systems/systems.c)
foreach(room_files IN ITEMS
        "base alloc" "text buf choice escape fail nearest number powers shortest" "param list params slide valid value"
        "expr compile coulomb_expr duhem_expr gms_expr laws lugre_expr mixed period range real search" "table unit"
        "mechanism book carry run" "signal formula knots pwl samples signal step"
        "solve alone band cvode drive events field fixed mode moving named observe path plant radau rodas segment solver step varied")
  string(REPLACE " " ";" files "${room_files}")
  list(POP_FRONT files room)
  foreach(f IN LISTS files)
    list(APPEND BRI_FMU_UNITS src/${room}/${f}.c)
  endforeach()
endforeach()

# What the sources include: everything of these folders that is no unit.
file(GLOB bri_fmu_headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" core/*.h core/*.inc models/*.h models/*.inc
     models/*.def models/*/*.h models/*/*.inc systems/*.h systems/*.inc systems/*.def systems/*/*.h systems/*/*.inc
     include/bristle/*.h src/base/*.h src/text/*.h src/param/*.h src/expr/*.h src/expr/*.inc src/table/*.h src/signal/*.h
     src/mechanism/carry.h src/mechanism/law.h src/mechanism/mechanism.h src/yaml/node.h
     src/solve/*.h src/solve/*.inc src/fmu/layout.h targets/fmi/*.h)

# A configuration without optional parts: an FMU needs the C library alone.
set(bri_fmu_gen "${BRI_GEN}/fmu")
file(MAKE_DIRECTORY "${bri_fmu_gen}")
file(CONFIGURE OUTPUT "${bri_fmu_gen}/bri_config.h" CONTENT "/* SPDX-License-Identifier: Apache-2.0
 * bri_config.h - an FMU holds no optional parts. */
#define BR_WITH_SUNDIALS 0
#define BR_WITH_ZIP 0
")

set(bri_fmu_platform2 linux${CMAKE_SIZEOF_VOID_P})
string(REPLACE "linux8" "linux64" bri_fmu_platform2 "${bri_fmu_platform2}")
string(REPLACE "linux4" "linux32" bri_fmu_platform2 "${bri_fmu_platform2}")
set(bri_fmu_platform3 "${CMAKE_SYSTEM_PROCESSOR}-linux")
# --- bytes: the assembler reads the files, so that no text of them passes through here --------------------------
set(bri_rows)
set(bri_asm)
set(bri_files)
set(bri_count 0)
macro(bri_take path file)
  string(APPEND bri_asm "BRI_TAKE(${bri_count}, \"${file}\")\n")
  string(APPEND bri_rows "  {\"${path}\", bri_fmu_at_${bri_count}, bri_fmu_end_${bri_count}},\n")
  list(APPEND bri_files "${file}")
  math(EXPR bri_count "${bri_count} + 1")
endmacro()
foreach(path IN LISTS BRI_FMU_UNITS bri_fmu_headers)
  bri_take("${path}" "${PROJECT_SOURCE_DIR}/${path}")
endforeach()
bri_take("include/bristle/version.h" "${BRI_GEN}/include/bristle/version.h")
bri_take("bri_config.h" "${bri_fmu_gen}/bri_config.h")
set(bri_last ${bri_count})
set(bri_source_rows "${bri_rows}")
bri_take("binary" "${bri_fmu_gen}/bristle_fmu.so")
set(bri_license ${bri_count})
bri_take("license" "${PROJECT_SOURCE_DIR}/LICENSE")
list(JOIN BRI_FMU_UNITS "\",\n  \"" bri_units)
file(CONFIGURE OUTPUT "${bri_fmu_gen}/files.c" @ONLY CONTENT [[/* made by cmake/br_fmu.cmake */
#include "fmu/fmu.h"
#define BRI_TAKE(i, file)                                                                                \
  __asm__(".pushsection .rodata\n.globl bri_fmu_at_" #i "\n.hidden bri_fmu_at_" #i "\nbri_fmu_at_" #i ":\n" \
          ".incbin \"" file "\"\n.globl bri_fmu_end_" #i "\n.hidden bri_fmu_end_" #i "\nbri_fmu_end_" #i ":\n" \
          ".byte 0\n.popsection\n");                                                                      \
  extern const char bri_fmu_at_##i[], bri_fmu_end_##i[];
@bri_asm@
const bri_fmu_file bri_fmu_files[] = {
@bri_source_rows@  {0, 0, 0}};
const bri_fmu_file bri_fmu_binary = {"binary", bri_fmu_at_@bri_last@, bri_fmu_end_@bri_last@};
const bri_fmu_file bri_fmu_license = {"license", bri_fmu_at_@bri_license@, bri_fmu_end_@bri_license@};
const char *const bri_fmu_units[] = {
  "@bri_units@", 0};
const char bri_fmu_platform2[] = "@bri_fmu_platform2@", bri_fmu_platform3[] = "@bri_fmu_platform3@";
]])
set(BRI_FMU_FILES ${bri_files})

# The module: objects of the library, but for the units that know the optional parts, and the face to the importer.
function(bri_fmu_module)
  set(own)
  set(wanted)
  foreach(unit IN LISTS BRI_FMU_UNITS)
    file(STRINGS "${PROJECT_SOURCE_DIR}/${unit}" config REGEX "include .*bri_config\\.h" LIMIT_COUNT 1)
    if(config OR unit MATCHES "^targets/")
      list(APPEND own "${PROJECT_SOURCE_DIR}/${unit}")
    else()
      string(REPLACE "." "\\." unit "${unit}")
      list(APPEND wanted "/${unit}\\.")
    endif()
  endforeach()
  list(JOIN wanted "|" wanted)
  set(objects $<TARGET_OBJECTS:bri_kernels> $<TARGET_OBJECTS:bri_host> $<TARGET_OBJECTS:bri_alloc>)
  add_library(bri_fmu_binary MODULE ${own} "$<FILTER:${objects},INCLUDE,${wanted}>")
  set_target_properties(bri_fmu_binary PROPERTIES PREFIX "" OUTPUT_NAME bristle_fmu C_VISIBILITY_PRESET hidden
                        LIBRARY_OUTPUT_DIRECTORY "${bri_fmu_gen}")
  target_include_directories(bri_fmu_binary BEFORE PRIVATE "${bri_fmu_gen}" "${PROJECT_SOURCE_DIR}"
                             "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src" "${BRI_GEN}/include")
  target_compile_definitions(bri_fmu_binary PRIVATE ${BRI_HOST_DEFINITIONS})
  target_compile_options(bri_fmu_binary PRIVATE ${BRI_KERNEL_FLAGS} ${BRI_WARNINGS})
  file(WRITE "${bri_fmu_gen}/exports.map" "{ global: fmi2*; fmi3*; local: *; };\n")
  target_link_options(bri_fmu_binary PRIVATE "-Wl,--version-script=${bri_fmu_gen}/exports.map" "-Wl,-Bsymbolic"
                      "$<$<CONFIG:Release,MinSizeRel>:-s;-Wl,-z,defs>") # a unit that is missing above shows here
  target_link_libraries(bri_fmu_binary PRIVATE $<$<BOOL:${BRI_LIBM}>:m>)
  set_source_files_properties("${bri_fmu_gen}/files.c" PROPERTIES OBJECT_DEPENDS "${BRI_FMU_FILES}" GENERATED ON)
  bri_objects(bri_fmu_files HOST "${bri_fmu_gen}/files.c")
endfunction()
