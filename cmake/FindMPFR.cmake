# SPDX-License-Identifier: MIT
# MPFR, correctly rounded floating-point numbers of any precision, and GMP, on which it stands (Debian: libmpfr-dev). Gives MPFR::MPFR.
# Installed with the library, whose users link it, too.
find_path(MPFR_INCLUDE_FOLDER mpfr.h)
find_library(MPFR_LIBRARY mpfr)
find_library(MPFR_GMP_LIBRARY gmp)
mark_as_advanced(MPFR_INCLUDE_FOLDER MPFR_LIBRARY MPFR_GMP_LIBRARY)
if(MPFR_INCLUDE_FOLDER)
  file(STRINGS ${MPFR_INCLUDE_FOLDER}/mpfr.h MPFR_VERSION REGEX "define MPFR_VERSION_STRING")
  string(REGEX REPLACE ".*\"([0-9.]+).*" "\\1" MPFR_VERSION "${MPFR_VERSION}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MPFR REQUIRED_VARS MPFR_LIBRARY MPFR_GMP_LIBRARY MPFR_INCLUDE_FOLDER VERSION_VAR MPFR_VERSION
  REASON_FAILURE_MESSAGE "it is what Debian calls libmpfr-dev")
if(MPFR_FOUND AND NOT TARGET MPFR::MPFR)
  add_library(MPFR::MPFR UNKNOWN IMPORTED)
  set_target_properties(MPFR::MPFR PROPERTIES IMPORTED_LOCATION ${MPFR_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${MPFR_INCLUDE_FOLDER}
    INTERFACE_LINK_LIBRARIES ${MPFR_GMP_LIBRARY})
endif()
