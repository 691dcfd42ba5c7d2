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

# What most programs parse of other projects, for target_precompile_headers.
set(livi_precompiled_headers <Eigen/Core>
  <experimental/simd> <algorithm> <chrono> <functional> <iostream> <map> <numbers> <optional>
  <random> <sstream>)

# livi_light_optimisation(TARGET): for code whose compilation, not its run, takes the time (multiprecision, tests).
function(livi_light_optimisation target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
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

# livi_add_test(SOURCE LABEL [NO_MAIN] [LIBRARIES ...]): one GoogleTest program, named by the file, one ctest entry per
# case; NO_MAIN: one of the libraries has the main program. The longest case takes 8 s; one that hangs is ended and named,
# also under sanitizers or on a slow machine.
# livi_tests builds all of them, and what they run.
function(livi_add_test source label)
  cmake_parse_arguments(ARG "NO_MAIN" "" "LIBRARIES" ${ARGN})
  get_filename_component(name ${source} NAME_WE)
  livi_add_program(${name} ${source} LIBRARIES GTest::gtest $<$<NOT:$<BOOL:${ARG_NO_MAIN}>>:GTest::gtest_main> ${ARG_LIBRARIES})
  livi_light_optimisation(${name})
  add_dependencies(livi_tests ${name})
  gtest_discover_tests(${name} TEST_PREFIX "${name}." PROPERTIES LABELS ${label} TIMEOUT 300 DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60)
endfunction()
