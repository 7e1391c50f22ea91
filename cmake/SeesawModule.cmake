# The flags of every target. No -ffast-math anywhere: it would invalidate the certificates.
add_library(seesaw_flags INTERFACE)
target_compile_options(seesaw_flags INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # g++ 12: false positives in its own intrinsics, strings and vectors
  target_compile_options(seesaw_flags INTERFACE -Wno-maybe-uninitialized -Wno-uninitialized -Wno-psabi -Wno-stringop-overflow -Wno-restrict
                                                -Wno-array-bounds)
endif()
if(SEESAW_WARNINGS_AS_ERRORS)
  target_compile_options(seesaw_flags INTERFACE -Werror)
endif()
# Bitwise identical results on every machine: no fused multiply-add except where the source calls fma, no instructions
# beyond the baseline (kernels with variants select one at start).
target_compile_options(seesaw_flags INTERFACE -ffp-contract=off)
target_compile_definitions(seesaw_flags INTERFACE EIGEN_NO_CPUID)  # Eigen blocks products by the cache sizes: fixed ones
if(SEESAW_SANITIZE)
  target_compile_options(seesaw_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(seesaw_flags INTERFACE -fsanitize=address,undefined)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")  # asserts enabled, line numbers for sanitizers and debuggers
if(SEESAW_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")  # instrumented code takes very long to optimize
endif()

# Headers that nearly every source includes, parsed once: modules with the same flags use the result of `base`.
set(SEESAW_PRECOMPILED <algorithm> <array> <cmath> <functional> <map> <memory> <optional> <string> <variant> <vector>
                       <fmt/format.h>)

# seesaw_module(NAME SOURCES ... DEPENDS other modules ... USES libraries ... HEADERS_OF header-only libraries ...
#             HOT; PRECOMPILE heavy headers that many sources of the module include; APART regex of sources)
# HOT: -O3 in release builds. At -O2, which compiles in about 60 % of the time, one pass of sdca on text takes 1.25 times
# as long and one of spdc 1.35 times; other modules were not measurably slower.
# Sources are compiled in groups of sixteen (CMAKE_UNITY_BUILD of the presets), which parses their headers once: names in
# their anonymous namespaces must differ within a module. APART: sources compiled alone, because they are large, or
# because what is inlined in a loop must not depend on its neighbours.
# One static library per folder of src/. A module may include only its own headers and those of the modules it depends on;
# tests/structure checks that too.
function(seesaw_module name)
  cmake_parse_arguments(MODULE "HOT" "" "SOURCES;DEPENDS;USES;HEADERS_OF;PRECOMPILE;APART" ${ARGN})
  set(target seesaw_${name})
  add_library(${target} STATIC ${MODULE_SOURCES})
  add_library(seesaw::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src> $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:seesaw_flags>)
  foreach(module IN LISTS MODULE_DEPENDS)
    target_link_libraries(${target} PUBLIC seesaw_${module})
  endforeach()
  foreach(library IN LISTS MODULE_HEADERS_OF)
    target_link_libraries(${target} PUBLIC $<BUILD_INTERFACE:${library}>)
  endforeach()
  target_link_libraries(${target} PUBLIC ${MODULE_USES})
  if(MODULE_HOT)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O3>)
  endif()
  if(MODULE_APART)
    set(apart ${MODULE_SOURCES})
    list(FILTER apart INCLUDE REGEX "${MODULE_APART}")
    set_source_files_properties(${apart} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  list(LENGTH MODULE_SOURCES sources)
  if(name STREQUAL base OR MODULE_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${SEESAW_PRECOMPILED} ${MODULE_PRECOMPILE})
  elseif(sources GREATER 3 AND NOT (MODULE_HOT OR name STREQUAL kernels))
    target_precompile_headers(${target} REUSE_FROM seesaw_base)
  endif()
  set_property(GLOBAL APPEND PROPERTY SEESAW_MODULES ${target})
endfunction()

foreach(header_only xxhash pcg)
  add_library(seesaw_headers_${header_only} INTERFACE)
endforeach()
target_include_directories(seesaw_headers_xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE_DIR})
target_include_directories(seesaw_headers_pcg SYSTEM INTERFACE ${PCG_INCLUDE_DIR})
if(SEESAW_BUILD_APP)
  add_library(seesaw_headers_toml INTERFACE)
  target_include_directories(seesaw_headers_toml SYSTEM INTERFACE ${TOMLPLUSPLUS_INCLUDE_DIR})
endif()
