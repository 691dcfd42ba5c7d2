# Installation in three components: `programs`, `dev` (the library, so that find_package(livi) gives livi::livi and the compiled libraries,
# livi::battery, livi::report, livi::vectorised and livi::judge) and `python`. Included at the end of the top CMakeLists.txt, when all
# targets exist. The target livi_installed builds everything that is installed.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The library.
set(LIVI_COMPILED)
set(livi_exported livi)
if(LIVI_BUILD_LIBRARY)
  foreach(library scalar files heat_bath battery catalogue report vectorised judge)
    if(TARGET livi_${library})
      list(APPEND LIVI_COMPILED ${library})
      list(APPEND livi_exported livi_${library})
    endif()
  endforeach()
  # A compiled library makes the package one of this architecture.
  if(LIVI_COMPILED)
    set(livi_cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/livi)
  else()
    set(livi_cmake_folder ${CMAKE_INSTALL_DATADIR}/cmake/livi)
  endif()

  install(DIRECTORY ${PROJECT_SOURCE_DIR}/lib/livi ${PROJECT_SOURCE_DIR}/judge/livi DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
    FILES_MATCHING PATTERN "*.hpp" PATTERN "livi_judge.h" PATTERN water_starts EXCLUDE)
  install(TARGETS ${livi_exported} EXPORT livi_targets COMPONENT dev)
  install(EXPORT livi_targets NAMESPACE livi:: FILE livi-targets.cmake DESTINATION ${livi_cmake_folder} COMPONENT dev)

  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/livi-config.cmake.in ${PROJECT_BINARY_DIR}/cmake/livi-config.cmake
    INSTALL_DESTINATION ${livi_cmake_folder} NO_SET_AND_CHECK_MACRO)
  # Before 1.0 a new minor version may break its users.
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/livi-config-version.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/cmake/livi-config.cmake ${PROJECT_BINARY_DIR}/cmake/livi-config-version.cmake
    ${PROJECT_SOURCE_DIR}/cmake/FindMPFR.cmake DESTINATION ${livi_cmake_folder} COMPONENT dev)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/your_own_integrator DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/livi-dev/examples
    COMPONENT dev)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/livi-dev RENAME copyright COMPONENT dev)
endif()

# The programs, with manual pages if help2man is there, and with completions for bash. Both are made from what the programs print, so
# that a compilation for another machine needs an emulator.
set(livi_programs)
foreach(program compare judge simulate validate water)
  if(TARGET livi-${program})
    list(APPEND livi_programs livi-${program})
  endif()
endforeach()
set(livi_program_files)
if(livi_programs)
  install(TARGETS ${livi_programs} DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
  find_program(LIVI_HELP2MAN help2man)
  if(NOT LIVI_HELP2MAN)
    message(STATUS "No manual pages: they need help2man")
  endif()
  set(livi_packaging ${PROJECT_SOURCE_DIR}/packaging)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/packaging/completions)
  foreach(program ${livi_programs})
    set(completion ${PROJECT_BINARY_DIR}/packaging/completions/${program})
    add_custom_command(OUTPUT ${completion} COMMAND ${livi_packaging}/bash_completion $<TARGET_FILE:${program}> ${completion}
      DEPENDS ${program} ${livi_packaging}/bash_completion VERBATIM COMMENT "Completion of ${program}")
    install(FILES ${completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT programs)
    list(APPEND livi_program_files ${completion})
    if(LIVI_HELP2MAN)
      set(page ${PROJECT_BINARY_DIR}/packaging/${program}.1.gz)
      set(include ${livi_packaging}/manual/${program}.h2m)
      add_custom_command(OUTPUT ${page}
        COMMAND ${livi_packaging}/manual_page ${LIVI_HELP2MAN} $<TARGET_FILE:${program}> ${include} ${PROJECT_VERSION} ${page}
        DEPENDS ${program} ${include} ${livi_packaging}/manual_page VERBATIM COMMENT "Manual page of ${program}")
      install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT programs)
      list(APPEND livi_program_files ${page})
    endif()
  endforeach()
  install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/docs/protocol.md ${PROJECT_SOURCE_DIR}/docs/judge.md
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/livi COMPONENT programs)
endif()

# The Python module, in the folder below the prefix where python3 looks for modules: one of its own folders, or else the one that it has
# below this prefix. Debian's package manager owns another folder than users do.
if(NOT DEFINED LIVI_PYTHON_FOLDER)
  set(livi_python_folder lib/python3/dist-packages)
  find_package(Python3 COMPONENTS Interpreter QUIET)
  if(Python3_FOUND)
    execute_process(COMMAND ${Python3_EXECUTABLE} -c "import os, site, sys, sysconfig
prefix = sys.argv[1]
folders = [folder for folder in site.getsitepackages() if folder.startswith(os.path.join(prefix, 'lib', ''))]
folders.append(sysconfig.get_path('purelib', 'posix_prefix', {'base': prefix}))
print(os.path.relpath(folders[0], prefix), end='')" ${CMAKE_INSTALL_PREFIX}
      OUTPUT_VARIABLE livi_python_folder COMMAND_ERROR_IS_FATAL ANY)
  endif()
endif()
set(LIVI_PYTHON_FOLDER ${livi_python_folder} CACHE STRING "Folder of livi_judge.py, below the prefix of the installation")
set(livi_python_examples ${PROJECT_SOURCE_DIR}/examples/judge/python)
install(FILES ${livi_python_examples}/livi_judge.py DESTINATION ${LIVI_PYTHON_FOLDER} COMPONENT python)
install(FILES ${livi_python_examples}/livi_judge.py DESTINATION lib/python3/dist-packages COMPONENT python_debian EXCLUDE_FROM_ALL)
install(FILES ${livi_python_examples}/my_step.py DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-livi/examples COMPONENT python)
install(FILES ${livi_python_examples}/my_step.py DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-livi/examples
  COMPONENT python_debian EXCLUDE_FROM_ALL)

# The licence, under the name that Debian gives it, once for each package.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/livi RENAME copyright COMPONENT programs)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-livi RENAME copyright COMPONENT python_debian
  EXCLUDE_FROM_ALL)

add_custom_target(livi_program_files ALL DEPENDS ${livi_program_files})
add_custom_target(livi_installed)
list(TRANSFORM LIVI_COMPILED PREPEND livi_ OUTPUT_VARIABLE livi_libraries)
add_dependencies(livi_installed livi_program_files ${livi_programs} ${livi_libraries})
if(LIVI_BUILD_TESTS)
  add_dependencies(livi_tests_standard livi_installed)
endif()
if(PROJECT_IS_TOP_LEVEL AND LIVI_BUILD_LIBRARY AND livi_programs)
  include(${CMAKE_CURRENT_LIST_DIR}/livi_package.cmake)
endif()
