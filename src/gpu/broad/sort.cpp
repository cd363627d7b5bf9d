// SPDX-License-Identifier: MIT
#include "gpu/broad/sort.hpp"

#ifdef __CUDACC__
#include <cub/device/device_radix_sort.cuh>
#else
#include <algorithm>
#include <numeric>
#include <vector>
#endif

namespace graze::gpu {

#ifdef __CUDACC__

namespace {

void check_sort(cudaError_t error) {
  if (error != cudaSuccess) fail("sorting on the GPU", error);
}

}  // namespace

void Sorter::keys(const Stream& stream, const std::uint64_t* in, std::uint64_t* out, std::size_t n, int bits) {
  const auto s = static_cast<cudaStream_t>(stream.handle());
  std::size_t bytes = 0;
  check_sort(cub::DeviceRadixSort::SortKeys(nullptr, bytes, in, out, n, 0, bits, s));
  room_.grow(bytes);
  check_sort(cub::DeviceRadixSort::SortKeys(room_.data(), bytes, in, out, n, 0, bits, s));
}
void Sorter::pairs(const Stream& stream, const std::uint64_t* keys_in, std::uint64_t* keys_out, const std::uint32_t* in,
                   std::uint32_t* out, std::size_t n, int bits) {
  const auto s = static_cast<cudaStream_t>(stream.handle());
  std::size_t bytes = 0;
  check_sort(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys_in, keys_out, in, out, n, 0, bits, s));
  room_.grow(bytes);
  check_sort(cub::DeviceRadixSort::SortPairs(room_.data(), bytes, keys_in, keys_out, in, out, n, 0, bits, s));
}

#else

void Sorter::keys(const Stream&, const std::uint64_t* in, std::uint64_t* out, std::size_t n, int) {
  std::copy(in, in + n, out);
  std::sort(out, out + n);
}
void Sorter::pairs(const Stream&, const std::uint64_t* keys_in, std::uint64_t* keys_out, const std::uint32_t* in,
                   std::uint32_t* out, std::size_t n, int) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return keys_in[x] < keys_in[y]; });
  for (std::size_t i = 0; i < n; ++i) {
    keys_out[i] = keys_in[order[i]];
    out[i] = in[order[i]];
  }
}

#endif

}  // namespace graze::gpu
