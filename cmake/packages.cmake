# SPDX-License-Identifier: MIT
# Debian packages by `cpack` (docs/install.md): libgrazeX.Y with the shared library, libgraze-dev, graze-tools; with assimp
# also libgraze-assimpX.Y and libgraze-assimp-dev. Names and versions follow from project(VERSION) in CMakeLists.txt.
set(GRAZE_MAINTAINER "The graze authors <maintainers@graze.invalid>" CACHE STRING
  "Who maintains the packages; whoever publishes some puts in a name and an address")

set(graze_abi ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})  # as in SOVERSION
set(graze_release "${PROJECT_VERSION}-1")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME graze)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "${GRAZE_MAINTAINER}")
set(CPACK_PACKAGE_VENDOR "graze")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${GRAZE_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/src/io/assimp
    ${PROJECT_BINARY_DIR}/src/robot/urdf)

# graze_package(COMPONENT NAME SECTION SUMMARY DESCRIPTION DEPENDS): what shared libraries need is added by dpkg-shlibdeps.
set(CPACK_COMPONENTS_ALL)
set(graze_texts "Every answer is certified, or says that it is not.")
macro(graze_package component name section summary description depends)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${description} ${graze_texts}")
  # In a package, and not in `cmake --install` as a whole.
  install(FILES ${PROJECT_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${name}
    COMPONENT ${component} EXCLUDE_FROM_ALL)
endmacro()

file(STRINGS ${PROJECT_SOURCE_DIR}/LICENSE graze_licence)
list(FILTER graze_licence INCLUDE REGEX "^Copyright")
string(REGEX REPLACE "^Copyright \\(c\\) " "" graze_copyright "${graze_licence}")
file(READ ${PROJECT_SOURCE_DIR}/LICENSE graze_licence)
string(REGEX REPLACE "^MIT License\n\nCopyright[^\n]*\n\n" "" graze_licence "${graze_licence}")
string(STRIP "${graze_licence}" graze_licence)
string(REPLACE "\n\n" "\n.\n" graze_licence "${graze_licence}")
string(REPLACE "\n" "\n " graze_licence "${graze_licence}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/copyright.in ${PROJECT_BINARY_DIR}/copyright @ONLY)

if(GRAZE_BUILD_SHARED)
  graze_package(graze_library libgraze${graze_abi} libs "collision detection that never misses - shared library"
    "Which bodies of triangle meshes touch, when first, where, and with which features." "")
  set(graze_dev_depends "libgraze${graze_abi} (= ${graze_release})")
else()  # a static library brings what it links to
  set(graze_dev_depends libhwy-dev)
  if(GRAZE_PARALLEL STREQUAL "TBB")
    string(APPEND graze_dev_depends ", libtbb-dev")
  endif()
  if(GRAZE_WITH_ZLIB)
    string(APPEND graze_dev_depends ", zlib1g-dev")
  endif()
endif()
graze_package(graze_dev libgraze-dev libdevel "collision detection that never misses - development files"
  "Headers, a CMake package and graze.pc; C++20 is needed." "${graze_dev_depends}")
if(TARGET graze_cli)
  set(graze_tools_depends "")
  if(GRAZE_BUILD_SHARED)
    set(graze_tools_depends "libgraze${graze_abi} (= ${graze_release})")
    foreach(reader assimp robot)  # the command reads what they read
      if(TARGET graze_${reader})
        string(APPEND graze_tools_depends ", libgraze-${reader}${graze_abi} (= ${graze_release})")
      endif()
    endforeach()
  endif()
  graze_package(graze_tools graze-tools science "collision detection that never misses - command line"
    "The command graze, and graze-verify, which checks proofs and shares no code with the library." "${graze_tools_depends}")
endif()
if(TARGET graze_assimp)
  if(GRAZE_BUILD_SHARED)
    graze_package(graze_assimp libgraze-assimp${graze_abi} libs "collision detection that never misses - reader by assimp"
      "Reads whatever assimp reads." "libgraze${graze_abi} (= ${graze_release})")
    set(graze_assimp_depends "libgraze-assimp${graze_abi} (= ${graze_release}), libgraze-dev (= ${graze_release})")
  else()
    set(graze_assimp_depends "libassimp-dev, libgraze-dev (= ${graze_release})")
  endif()
  graze_package(graze_assimp_dev libgraze-assimp-dev libdevel
    "collision detection that never misses - reader by assimp, development files"
    "The component assimp of the CMake package graze." "${graze_assimp_depends}")
endif()
if(TARGET graze_robot)
  if(GRAZE_BUILD_SHARED)
    set(graze_robot_needs "libgraze${graze_abi} (= ${graze_release})")
    if(TARGET graze_assimp)
      string(APPEND graze_robot_needs ", libgraze-assimp${graze_abi} (= ${graze_release})")
    endif()
    graze_package(graze_robot libgraze-robot${graze_abi} libs "collision detection that never misses - reader of robots"
      "Reads robots from URDF and SRDF." "${graze_robot_needs}")
    set(graze_robot_depends "libgraze-robot${graze_abi} (= ${graze_release}), libgraze-dev (= ${graze_release})")
  else()
    set(graze_robot_depends "liburdfdom-dev, libtinyxml2-dev, libgraze-dev (= ${graze_release})")
  endif()
  graze_package(graze_robot_dev libgraze-robot-dev libdevel
    "collision detection that never misses - reader of robots, development files"
    "The component robot of the CMake package graze." "${graze_robot_depends}")
endif()
foreach(component ${CPACK_COMPONENTS_ALL})  # only where there is something to look at
  if(component MATCHES "_dev$")
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_SHLIBDEPS OFF)
  else()
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_SHLIBDEPS ON)
  endif()
endforeach()
include(CPack)
