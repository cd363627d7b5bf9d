# SPDX-License-Identifier: MIT
# Install rules: the library, its headers, a CMake package (find_package(graze CONFIG)) and graze.pc.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(graze_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/graze)
install(TARGETS graze EXPORT grazeTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/graze DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT grazeTargets NAMESPACE graze:: DESTINATION ${graze_package_dir})
if(TARGET graze_cli)
  # The command finds the library beside it wherever the prefix is moved to.
  set_target_properties(graze_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS graze_cli graze_verify RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

if(TARGET graze_assimp)
  set_target_properties(graze_assimp PROPERTIES INSTALL_RPATH "$ORIGIN")
  install(TARGETS graze_assimp EXPORT grazeAssimpTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT grazeAssimpTargets NAMESPACE graze:: DESTINATION ${graze_package_dir})
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/grazeConfig.cmake.in ${PROJECT_BINARY_DIR}/grazeConfig.cmake
  INSTALL_DESTINATION ${graze_package_dir})
# Until 1.0 every minor version may break its callers.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/grazeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/grazeConfig.cmake ${PROJECT_BINARY_DIR}/grazeConfigVersion.cmake
  DESTINATION ${graze_package_dir})

# graze.pc: a shared library asks nothing of its users; a static one brings what it links to.
if(GRAZE_BUILD_SHARED)
  set(graze_pc_requires "")
  set(graze_pc_cflags "")
else()
  set(graze_pc_requires "")
  if(GRAZE_WITH_ZLIB)
    string(APPEND graze_pc_requires " zlib")
  endif()
  if(NOT GRAZE_HEADERS_FROM)
    string(APPEND graze_pc_requires " libhwy")
  endif()
  if(GRAZE_PARALLEL STREQUAL "TBB")
    string(APPEND graze_pc_requires " tbb")
  endif()
  set(graze_pc_cflags " -DGRAZE_STATIC")
endif()
foreach(kind LIB INCLUDE)
  string(TOLOWER ${kind} key)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${kind}DIR}")
    set(graze_pc_${key}dir "${CMAKE_INSTALL_${kind}DIR}")
  else()
    set(graze_pc_${key}dir "\${prefix}/${CMAKE_INSTALL_${kind}DIR}")
  endif()
endforeach()
# The prefix is worked out from where graze.pc lies, so that `cmake --install --prefix` and a moved folder both work.
file(RELATIVE_PATH graze_pc_to_prefix "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
configure_file(${CMAKE_CURRENT_LIST_DIR}/graze.pc.in ${PROJECT_BINARY_DIR}/graze.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/graze.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
