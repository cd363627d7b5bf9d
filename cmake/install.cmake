# SPDX-License-Identifier: MIT
# Install rules: the library, its headers, a CMake package (find_package(graze CONFIG)) and graze.pc; the programs, their
# manual pages and shell completion. Each rule names its component, from which cmake/packages.cmake makes packages.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(graze_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/graze)
install(TARGETS graze EXPORT grazeTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT graze_dev
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT graze_library NAMELINK_COMPONENT graze_dev
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT graze_library)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/graze DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT graze_dev
  FILES_MATCHING PATTERN "*.hpp")
install(EXPORT grazeTargets NAMESPACE graze:: DESTINATION ${graze_package_dir} COMPONENT graze_dev)

if(APPLE)
  set(graze_origin "@loader_path")
else()
  set(graze_origin "$ORIGIN")
endif()
if(TARGET graze_cli)
  # The command finds the library beside it wherever the prefix is moved to.
  set_target_properties(graze_cli PROPERTIES INSTALL_RPATH "${graze_origin}/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS graze_cli graze_verify RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT graze_tools)
endif()

# The pages of `graze view`, `graze report` and `graze play`, if scripts/web has built them. Without them the commands draw
# pictures only, and say so.
if(TARGET graze_cli)
  install(FILES ${PROJECT_BINARY_DIR}/web/viewer.html ${PROJECT_BINARY_DIR}/web/play.html DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/graze COMPONENT graze_tools
    OPTIONAL)
endif()

# Manual pages and shell completion are written by the command itself, from the options that --help prints.
if(TARGET graze_cli AND NOT CMAKE_CROSSCOMPILING AND NOT GRAZE_SANITIZE)
  set(graze_pages)
  function(graze_page folder name)  # arguments of graze...
    set(file ${PROJECT_BINARY_DIR}/pages/${name})
    add_custom_command(OUTPUT ${file} COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/pages
      COMMAND graze_cli ${ARGN} > ${file} DEPENDS graze_cli VERBATIM)
    install(FILES ${file} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/${folder} COMPONENT graze_tools)
    set(graze_pages ${graze_pages} ${file} PARENT_SCOPE)
  endfunction()
  graze_page(man/man1 graze.1 man graze)
  graze_page(man/man1 graze-verify.1 man graze-verify)
  graze_page(bash-completion/completions graze completion bash)
  graze_page(zsh/site-functions _graze completion zsh)
  add_custom_target(graze_pages ALL DEPENDS ${graze_pages})
  # bash-completion loads a file by the program's name.
  install(FILES ${PROJECT_BINARY_DIR}/pages/graze RENAME graze-verify
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions COMPONENT graze_tools)
endif()

if(TARGET graze_assimp)
  set_target_properties(graze_assimp PROPERTIES INSTALL_RPATH "${graze_origin}")
  install(TARGETS graze_assimp EXPORT grazeAssimpTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT graze_assimp_dev
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT graze_assimp NAMELINK_COMPONENT graze_assimp_dev
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT graze_assimp)
  install(EXPORT grazeAssimpTargets NAMESPACE graze:: DESTINATION ${graze_package_dir} COMPONENT graze_assimp_dev)
endif()

if(TARGET graze_robot)
  set_target_properties(graze_robot PROPERTIES INSTALL_RPATH "${graze_origin}")
  install(TARGETS graze_robot EXPORT grazeRobotTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT graze_robot_dev
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT graze_robot NAMELINK_COMPONENT graze_robot_dev
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT graze_robot)
  install(EXPORT grazeRobotTargets NAMESPACE graze:: DESTINATION ${graze_package_dir} COMPONENT graze_robot_dev)
endif()

if(TARGET graze_gpu)
  set_target_properties(graze_gpu PROPERTIES INSTALL_RPATH "${graze_origin}")
  install(TARGETS graze_gpu EXPORT grazeGpuTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT graze_gpu_dev
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT graze_gpu NAMELINK_COMPONENT graze_gpu_dev
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT graze_gpu)
  install(EXPORT grazeGpuTargets NAMESPACE graze:: DESTINATION ${graze_package_dir} COMPONENT graze_gpu_dev)
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/grazeConfig.cmake.in ${PROJECT_BINARY_DIR}/grazeConfig.cmake
  INSTALL_DESTINATION ${graze_package_dir})
# Until 1.0 every minor version may break its callers.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/grazeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/grazeConfig.cmake ${PROJECT_BINARY_DIR}/grazeConfigVersion.cmake
  DESTINATION ${graze_package_dir} COMPONENT graze_dev)

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
install(FILES ${PROJECT_BINARY_DIR}/graze.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT graze_dev)

if(GRAZE_TOP_LEVEL)
  include(${CMAKE_CURRENT_LIST_DIR}/packages.cmake)
endif()
