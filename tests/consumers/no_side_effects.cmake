# SPDX-License-Identifier: MIT
# Included before and after graze by projects that include graze: what is theirs must be as it was.
set(watched CMAKE_BUILD_TYPE CMAKE_CXX_FLAGS CMAKE_CXX_FLAGS_RELEASE CMAKE_CXX_STANDARD CMAKE_CXX_VISIBILITY_PRESET
  CMAKE_POSITION_INDEPENDENT_CODE CMAKE_RUNTIME_OUTPUT_DIRECTORY CMAKE_LIBRARY_OUTPUT_DIRECTORY CMAKE_EXPORT_COMPILE_COMMANDS
  CMAKE_CXX_COMPILER_LAUNCHER CMAKE_MODULE_PATH BUILD_SHARED_LIBS BUILD_TESTING)
foreach(property COMPILE_OPTIONS COMPILE_DEFINITIONS INCLUDE_DIRECTORIES LINK_OPTIONS TESTS)
  get_directory_property(directory_${property} ${property})
  list(APPEND watched directory_${property})
endforeach()
get_cmake_property(cached CACHE_VARIABLES)
set(options "")  # switches that a user would see in ccmake
foreach(name ${cached})
  get_property(type CACHE ${name} PROPERTY TYPE)
  if(type STREQUAL "BOOL" AND NOT name MATCHES "^(GRAZE_|_|CMAKE_)")
    list(APPEND options ${name})
  endif()
endforeach()
list(APPEND watched options)

foreach(name ${watched})
  if(NOT graze_is_included)
    set(before_${name} "${${name}}")
  elseif(NOT "${${name}}" STREQUAL "${before_${name}}")
    message(SEND_ERROR "including graze changed ${name} from '${before_${name}}' to '${${name}}'")
  endif()
endforeach()
foreach(target graze_cli core_tests)
  if(graze_is_included AND TARGET ${target})
    message(SEND_ERROR "including graze brought the target ${target}")
  endif()
endforeach()
