# Installation, so that find_package(livi) gives livi::livi and the compiled libraries, livi::battery, livi::report, livi::vectorised and livi::foreign.
# Included at the end of the top CMakeLists.txt, when all targets exist.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Everything below is part of the library.
if(NOT LIVI_BUILD_LIBRARY)
  return()
endif()

# The compiled libraries that were built.
set(LIVI_COMPILED)
set(livi_exported livi)
foreach(library scalar files heat_bath battery catalogue report pages documents vectorised foreign)
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

install(DIRECTORY ${PROJECT_SOURCE_DIR}/lib/livi DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "livi_judge.h")
install(TARGETS ${livi_exported} EXPORT livi_targets)
install(EXPORT livi_targets NAMESPACE livi:: FILE livi-targets.cmake DESTINATION ${livi_cmake_folder})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/livi-config.cmake.in ${PROJECT_BINARY_DIR}/cmake/livi-config.cmake
  INSTALL_DESTINATION ${livi_cmake_folder} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a new minor version may break its users.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/livi-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/livi-config.cmake ${PROJECT_BINARY_DIR}/cmake/livi-config-version.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindMPFR.cmake DESTINATION ${livi_cmake_folder})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/livi)
