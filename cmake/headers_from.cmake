# SPDX-License-Identifier: MIT
# fmt, Boost and Highway as headers in one folder, under the names that their packages would have. Highway is then not
# linked: that works where it knows one instruction set only (64-bit Arm without SVE, WebAssembly), since nothing has to
# be chosen at run time.
foreach(name fmt::fmt-header-only Boost::headers PkgConfig::GRAZE_HWY)
  add_library(${name} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${name} INTERFACE ${GRAZE_HEADERS_FROM})
endforeach()
target_compile_definitions(fmt::fmt-header-only INTERFACE FMT_HEADER_ONLY=1)
