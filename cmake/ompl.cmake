# SPDX-License-Identifier: MIT
# The target graze_with_ompl, for what includes graze/ompl.hpp, if OMPL is installed. OMPL's own list of libraries names
# those of Boost by files of packages that it does not need to be there; its library brings them.
if(TARGET graze_with_ompl)
  return()
endif()
find_package(ompl 1.5 QUIET CONFIG)
if(ompl_FOUND)
  list(GET OMPL_LIBRARIES 0 ompl_library)
  add_library(graze_with_ompl INTERFACE)
  target_link_libraries(graze_with_ompl INTERFACE graze::graze ${ompl_library})
  target_include_directories(graze_with_ompl SYSTEM INTERFACE ${OMPL_INCLUDE_DIRS})
endif()
