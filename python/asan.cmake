# SPDX-License-Identifier: MIT
# The module's own code under address sanitizer, around the engine as it is: what it does wrong with arrays, references and
# lists of the engine. Built by `scripts/test`, or `cmake --build build --target graze_python_asan`.
set(asan "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT GRAZE_SANITIZE AND UNIX AND NOT APPLE)
  foreach(library libasan.so libstdc++.so)  # before the interpreter, which knows neither
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${library} OUTPUT_VARIABLE file
      OUTPUT_STRIP_TRAILING_WHITESPACE)
    get_filename_component(file "${file}" REALPATH)
    list(APPEND asan "${file}")
  endforeach()
  list(GET asan 0 file)
  if(NOT EXISTS "${file}")
    set(asan "")
  endif()
endif()
if(NOT asan)
  add_custom_target(graze_python_asan)
  add_test(NAME python_asan COMMAND ${CMAKE_COMMAND} -E echo "skipped: needs g++ and its libasan")
  set_tests_properties(python_asan PROPERTIES LABELS sanitized_python SKIP_REGULAR_EXPRESSION "skipped:")
  return()
endif()

set(package_asan ${PROJECT_BINARY_DIR}/python-asan/graze)
pybind11_add_module(graze_python_asan MODULE NO_EXTRAS EXCLUDE_FROM_ALL ${sources})
set_target_properties(graze_python_asan PROPERTIES OUTPUT_NAME _graze LIBRARY_OUTPUT_DIRECTORY ${package_asan}
  UNITY_BUILD OFF CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_compile_definitions(graze_python_asan PRIVATE GRAZE_VERSION="${PROJECT_VERSION}")
target_compile_options(graze_python_asan PRIVATE -O0 -g1 -fsanitize=address -fno-omit-frame-pointer)
target_link_options(graze_python_asan PRIVATE -fsanitize=address)
graze_python_links(graze_python_asan)
add_dependencies(graze_python_asan graze_python_files)
add_custom_command(TARGET graze_python_asan POST_BUILD COMMAND ${CMAKE_COMMAND}
  -DFROM=${package} -DTO=${package_asan} -P ${CMAKE_CURRENT_SOURCE_DIR}/copy_package.cmake)

string(REPLACE ";" ":" preload "${asan}")
set(files memory conversions meshes questions batches world deform robot trajectory manager)
list(TRANSFORM files PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/tests/test_)
list(TRANSFORM files APPEND .py)
# How much memory is in use says nothing here, and Ctrl-C is for the module as it is shipped.
add_test(NAME python_asan COMMAND Python::Interpreter -B -m pytest -q -rfEs -p no:cacheprovider
  -k "not memory_does_not_grow and not engines_own_memory and not control_c" ${files})
set_tests_properties(python_asan PROPERTIES LABELS sanitized_python TIMEOUT 3600 ENVIRONMENT
  "PYTHONPATH=${PROJECT_BINARY_DIR}/python-asan;GRAZE_SOURCE_DIR=${PROJECT_SOURCE_DIR};LD_PRELOAD=${preload};PYTHONMALLOC=malloc;ASAN_OPTIONS=detect_leaks=0:strict_string_checks=1:detect_stack_use_after_return=1")
