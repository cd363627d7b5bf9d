# SPDX-License-Identifier: MIT
# Tests that are not GoogleTest programs: the layers, the format, the headers, what users compile. Labels: checks, consumers.
if(GRAZE_SANITIZE)
  return()  # examples, sources, what is installed: once is enough
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(scripts ${PROJECT_SOURCE_DIR}/scripts)

# The C++ examples of README.md and docs/, compiled and run as readers would: against the public API alone.
file(GLOB_RECURSE pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md)
file(GLOB readme CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/README.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${readme} ${pages})
execute_process(COMMAND ${Python3_EXECUTABLE} ${scripts}/readme_example.py ${PROJECT_BINARY_DIR}/page_examples
  OUTPUT_VARIABLE page_examples OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" page_examples "${page_examples}")
file(GLOB examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.cpp)
foreach(source ${page_examples} ${examples})
  get_filename_component(name ${source} NAME_WE)
  add_executable(example_${name} ${source})
  target_link_libraries(example_${name} PRIVATE graze::graze)
  add_test(NAME example_${name} COMMAND example_${name} WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
  set_tests_properties(example_${name} PROPERTIES LABELS "examples;quick")
endforeach()
add_executable(example_cloth ${PROJECT_SOURCE_DIR}/examples/cloth/main.cpp)
target_link_libraries(example_cloth PRIVATE graze::graze)
add_test(NAME example_cloth COMMAND example_cloth)
add_test(NAME example_cloth_frames COMMAND ${CMAKE_COMMAND} -DCLOTH=$<TARGET_FILE:example_cloth>
  -DGRAZE=$<TARGET_FILE:graze_cli> -DFOLDER=${PROJECT_BINARY_DIR}/cloth_frames
  -P ${CMAKE_CURRENT_LIST_DIR}/cloth_frames.cmake)
set_tests_properties(example_cloth example_cloth_frames PROPERTIES LABELS "examples;quick")

add_test(NAME layers COMMAND ${Python3_EXECUTABLE} ${scripts}/check_layers)
add_test(NAME format COMMAND ${scripts}/check_format)
add_test(NAME headers COMMAND ${scripts}/check_headers)
add_test(NAME scripts COMMAND ${Python3_EXECUTABLE} ${scripts}/selftest.py)
set(checks layers format headers scripts)
if(GRAZE_BUILD_SHARED)
  add_test(NAME exports COMMAND ${Python3_EXECUTABLE} ${scripts}/check_exports $<TARGET_FILE:graze>)
  list(APPEND checks exports)
endif()
set_tests_properties(${checks} PROPERTIES LABELS checks)

foreach(way install find_package pkg_config packages source_tree)
  add_test(NAME consumer_${way} COMMAND ${PROJECT_SOURCE_DIR}/tests/consumers/run ${way} ${PROJECT_SOURCE_DIR}
    ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/consumers/${way})
  set_tests_properties(consumer_${way} PROPERTIES LABELS consumers SKIP_RETURN_CODE 77)
endforeach()
set_tests_properties(consumer_install PROPERTIES FIXTURES_SETUP graze_installed)
set_tests_properties(consumer_find_package consumer_pkg_config PROPERTIES FIXTURES_REQUIRED graze_installed)
