// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "gpu/stream.hpp"
#include "gpu/warp.hpp"
#ifdef __CUDACC__
#include <cuda_runtime.h>
#endif

namespace graze::gpu {

/// How many warps work at the same time, at most; kernels with more to do take it in turns.
std::uint32_t warps_at_once();
/// How many multiprocessors there are.
std::uint32_t processors_at_once();

#ifdef __CUDACC__
template <class Kernel>
__global__ void __launch_bounds__(Kernel::warps_per_block* lanes, Kernel::blocks_at_least)
    run_kernel(const Kernel kernel) {
  __shared__ typename Kernel::Scratch scratch[Kernel::warps_per_block];
  const std::uint32_t in_block = threadIdx.x / lanes;
  Warp warp;
  kernel(warp, scratch[in_block], blockIdx.x * Kernel::warps_per_block + in_block, gridDim.x * Kernel::warps_per_block);
}
#endif

/// Runs `kernel(warp, scratch, number, count)` in that many warps (rounded up to whole blocks, which `count` includes).
/// A kernel has a type `Scratch`, memory of each warp, and the constants `warps_per_block` and `blocks_at_least` (on
/// one multiprocessor at the same time).
template <class Kernel>
void launch(const Stream& stream, std::uint32_t warps, const Kernel& kernel) {
  if (warps == 0) return;
  const std::uint32_t blocks = (warps + Kernel::warps_per_block - 1) / Kernel::warps_per_block;
#ifdef __CUDACC__
  run_kernel<<<blocks, Kernel::warps_per_block * lanes, 0, static_cast<cudaStream_t>(stream.handle())>>>(kernel);
  if (const cudaError_t e = cudaGetLastError(); e != cudaSuccess) fail("starting a kernel", e);
#else
  static_cast<void>(stream);
  static thread_local typename Kernel::Scratch scratch;
  const std::uint32_t count = blocks * Kernel::warps_per_block;
  for (std::uint32_t i = 0; i < count; ++i) {
    Warp warp;
    kernel(warp, scratch, i, count);
  }
#endif
}

/// As many warps of a kernel as the device certainly holds at the same time, some times over.
template <class Kernel>
std::uint32_t filling(int times) {
  return processors_at_once() * static_cast<std::uint32_t>(Kernel::warps_per_block * Kernel::blocks_at_least * times);
}

/// Calls `body(i)` for each of n, a lane each.
template <class Body>
GRAZE_DEVICE void for_all(Warp& warp, std::uint32_t number, std::uint32_t count, std::uint64_t n, Body&& body) {
  for (std::uint64_t from = std::uint64_t{number} * lanes; from < n; from += std::uint64_t{count} * lanes)
    warp.each([&](int lane) {
      const std::uint64_t i = from + static_cast<std::uint64_t>(lane);
      if (i < n) body(i);
    });
}

/// Scratch of kernels that need none.
struct NoScratch {};

}  // namespace graze::gpu
