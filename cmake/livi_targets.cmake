# Compile options shared by every target of this project; never exported to users.
add_library(livi_options INTERFACE)
target_compile_options(livi_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow $<$<BOOL:${LIVI_WERROR}>:-Werror>
  # Contraction of a*b+c differs between machines; results are the same with and without FMA hardware.
  -ffp-contract=off
  # g++ 12 takes the resizing of Eigen's vectors for a use after free, here and there; the address sanitizer sees real ones.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-use-after-free>
  # g++ looks for memory to give back only when it has taken 1 GB: the largest programs need 150 MB more of it (1.2 GB) and a
  # tenth less of the time. The code is the same.
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1048576>)

# Headers of other projects that most sources parse, compiled once for each kind of target: livi_full_headers, livi_light_headers,
# livi_test_headers and livi_plain_test_headers. None of this project's, so that none is included unseen. JSON is not among them: half a
# second for everyone instead of one for the few that parse it.
set(livi_shared_headers <Eigen/Core> <experimental/simd> <algorithm> <chrono> <functional> <iostream> <map> <numbers> <optional> <random>
  <sstream> <vector>)
# livi_add_headers(NAME OPTIMISATION [TEST])
function(livi_add_headers name optimisation)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/cmake/${name}.cpp CONTENT "// Made by CMake: a source for ${name}.\n")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/cmake/${name}.cpp)
  target_link_libraries(${name} PRIVATE livi_options Eigen3::Eigen)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:${optimisation}>)
  target_precompile_headers(${name} PRIVATE ${livi_shared_headers})
  if(ARGN)
    target_link_libraries(${name} PRIVATE GTest::gtest)
    target_precompile_headers(${name} PRIVATE <gtest/gtest.h>)
  endif()
endfunction()

# livi_compile_together(TARGET GROUP SOURCE...): these sources are compiled as one. What they share, headers and instances of templates, is
# compiled once, and no two of them may give the same name to different things. CMAKE_UNITY_BUILD=OFF compiles each alone.
function(livi_compile_together target group)
  if(NOT DEFINED CMAKE_UNITY_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
  set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${group})
endfunction()

# livi_light_optimisation(TARGET): for code whose compilation, not its run, takes the time.
function(livi_light_optimisation target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_precompile_headers(${target} REUSE_FROM livi_light_headers)
endfunction()

# livi_test_optimisation(TARGET KIND): of a target that uses GoogleTest. KIND is OPTIMISED for what computes for long; ALONE for what is
# compiled without the shared headers, because it defines something before them or has flags of its own; empty for what runs for less than
# a second or two, which is compiled without optimisation in half of the time. What takes the time in its run, arithmetic of many digits
# and the battery, is compiled elsewhere. Values do not depend on it.
function(livi_test_optimisation target kind)
  if(kind STREQUAL OPTIMISED)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    target_precompile_headers(${target} REUSE_FROM livi_test_headers)
  else()
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
    if(NOT kind STREQUAL ALONE)
      target_precompile_headers(${target} REUSE_FROM livi_plain_test_headers)
    endif()
  endif()
endfunction()

# livi_full_optimisation(TARGET): for code that is measured. Not everywhere: g++ 12 warns falsely at -O3.
function(livi_full_optimisation target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O3>)
endfunction()

# livi_add_program(NAME SOURCE [LIBRARIES ...]): an executable of this project.
function(livi_add_program name source)
  cmake_parse_arguments(ARG "" "" "LIBRARIES" ${ARGN})
  add_executable(${name} ${source})
  # Programs of this project share headers by their path from the top: "study/program/command_line.hpp".
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE livi_options livi::livi ${ARG_LIBRARIES})
endfunction()

# The tiers of tests: docs/testing.md. A tier is a label of ctest; livi_tests_TIER builds what the tests of a tier run.
set(livi_tiers quick standard nightly bench)

# livi_set_tier(TIER TEST...): the one label of each of these entries of ctest. The time limit is for programs that hang. No busy machine meets it.
function(livi_set_tier tier)
  if(NOT tier IN_LIST livi_tiers)
    message(FATAL_ERROR "'${tier}' is not a tier of tests; allowed: ${livi_tiers} (of ${ARGN})")
  endif()
  set_tests_properties(${ARGN} PROPERTIES LABELS ${tier} TIMEOUT 3600)
endfunction()

# livi_add_test(NAME TIER SOURCES source... [KIND kind] [NO_MAIN] [NIGHTLY cases] [COST seconds] [LIBRARIES ...] [ARGUMENTS ...]): a GoogleTest
# program and its entry of ctest. KIND: see livi_test_optimisation. NO_MAIN: a source or a library has the main program. NIGHTLY: a filter of
# GoogleTest; an entry NAME.nightly of the nightly tier runs these cases and NAME the others. COST: ctest starts tests with a high cost first.
# ARGUMENTS: of the program.
# Several sources are compiled in batches, which takes a fifth less of the compiler than one by one. For this reason each source has a
# namespace with its own name. CMAKE_UNITY_BUILD=OFF compiles them one by one.
function(livi_add_test name tier)
  cmake_parse_arguments(ARG "NO_MAIN" "KIND;NIGHTLY;COST" "SOURCES;LIBRARIES;ARGUMENTS" ${ARGN})
  livi_add_program(${name} "${ARG_SOURCES}" LIBRARIES GTest::gtest $<$<NOT:$<BOOL:${ARG_NO_MAIN}>>:GTest::gtest_main> ${ARG_LIBRARIES})
  livi_test_optimisation(${name} "${ARG_KIND}")
  list(LENGTH ARG_SOURCES count)
  if(count GREATER 1 AND NOT DEFINED CMAKE_UNITY_BUILD)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 4)
  endif()
  add_dependencies(livi_tests_${tier} ${name})
  if(ARG_NIGHTLY)
    livi_add_cases(${name} ${tier} ${name} "-${ARG_NIGHTLY}" ${ARG_ARGUMENTS})
    livi_add_cases(${name}.nightly nightly ${name} "${ARG_NIGHTLY}" ${ARG_ARGUMENTS})
    add_dependencies(livi_tests_nightly ${name})
  else()
    livi_add_cases(${name} ${tier} ${name} "*" ${ARG_ARGUMENTS})
  endif()
  if(ARG_COST)
    set_tests_properties(${name} PROPERTIES COST ${ARG_COST})
  endif()
endfunction()

# livi_add_cases(NAME TIER PROGRAM FILTER [ARGUMENT...]): an entry of ctest that runs the cases of a GoogleTest program that a filter selects. A
# filter that selects none fails.
function(livi_add_cases name tier program filter)
  add_test(NAME ${name} COMMAND ${program} "--gtest_filter=${filter}" ${ARGN})
  livi_set_tier(${tier} ${name})
  set_tests_properties(${name} PROPERTIES FAIL_REGULAR_EXPRESSION "PASSED  . 0 tests")
endfunction()
