// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "gpu/buffer.hpp"

namespace graze::gpu {

/// Sorts keys by their lowest `bits` bits (the others are 0), with values, which keep the order of equal keys, or
/// without. CUB does it on the device: it comes with CUDA, and no sort of ours would be faster.
class Sorter {
 public:
  void keys(const Stream& stream, const std::uint64_t* in, std::uint64_t* out, std::size_t n, int bits);
  void pairs(const Stream& stream, const std::uint64_t* keys_in, std::uint64_t* keys_out, const std::uint32_t* in,
             std::uint32_t* out, std::size_t n, int bits);
  std::size_t bytes() const { return room_.bytes(); }

 private:
  Buffer<unsigned char> room_;
};

}  // namespace graze::gpu
