# Debian packages, one for each component of livi_install.cmake, made by cpack: livi, livi-dev and python3-livi.
set(CPACK_GENERATOR DEB)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_ALL programs dev python_debian)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
# Each package has its own first line of the description; CPack would put this one before it.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The livi authors")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME livi)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SUGGESTS "livi-dev, python3-livi")
set(CPACK_DEBIAN_PROGRAMS_DESCRIPTION "test bench for numerical integrators
livi-judge checks whether an integrator has the properties that it declares:
its order, symplecticity, time-reversibility, conserved momenta, stability and
cost. The integrator is a program in any language or a shared library.
.
livi-simulate and livi-water run mechanical systems and clusters of water
with structure-preserving integrators. livi-compare and livi-validate check
the reports of experiments.")

# As livi-config.cmake asks for them.
set(CPACK_DEBIAN_DEV_PACKAGE_NAME livi-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
  "libboost-dev (>= 1.74), libeigen3-dev (>= 3.4), libhwy-dev (>= 1.0), libmpfr-dev (>= 4.0), librandom123-dev, nlohmann-json3-dev (>= 3.11)")
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "cmake (>= 3.25), g++ (>= 4:12)")
set(CPACK_DEBIAN_DEV_DESCRIPTION "structure-preserving integrators for C++20
Symplectic, variational and time-reversible integrators for mechanical
systems, constrained systems, rigid bodies and thermostats, and the battery
of tests that judges an integrator in C++.
.
This package has the headers, the static libraries, the files for
find_package(livi) in CMake, and the C header for shared libraries that
livi-judge judges.")

set(CPACK_DEBIAN_PYTHON_DEBIAN_PACKAGE_NAME python3-livi)
set(CPACK_DEBIAN_PYTHON_DEBIAN_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_DEBIAN_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_DEBIAN_PACKAGE_DEPENDS python3)
set(CPACK_DEBIAN_PYTHON_DEBIAN_PACKAGE_RECOMMENDS livi)
set(CPACK_DEBIAN_PYTHON_DEBIAN_DESCRIPTION "Python client of livi-judge
The module livi_judge makes a program that livi-judge can judge from a Python
function that computes one time step.")
set(CPACK_DEBIAN_PYTHON_DEBIAN_PACKAGE_CONTROL_EXTRA
  "${PROJECT_SOURCE_DIR}/packaging/python3-livi/postinst;${PROJECT_SOURCE_DIR}/packaging/python3-livi/prerm")
include(CPack)
