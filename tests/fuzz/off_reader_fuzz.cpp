// SPDX-License-Identifier: MIT
#include "reader_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return graze::fuzz::read_any_bytes(data, size, graze::MeshFormat::off);
}
