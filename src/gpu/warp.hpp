// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

#include "gpu/device_code.hpp"

namespace graze::gpu {

constexpr int lanes = 32;

/// A value of each lane: a register on the device, an array where lanes are a loop.
template <class T>
class PerLane {
 public:
#ifdef __CUDA_ARCH__
  __device__ T& operator[](int) { return value_; }
  __device__ const T& operator[](int) const { return value_; }

 private:
  T value_;
#else
  T& operator[](int lane) { return value_[lane]; }
  const T& operator[](int lane) const { return value_[lane]; }

 private:
  T value_[lanes];
#endif
};

GRAZE_DEVICE int count_bits(std::uint32_t x) {
#ifdef __CUDA_ARCH__
  return __popc(x);
#else
  return std::popcount(x);
#endif
}
/// The number of the lowest bit; x is not 0.
GRAZE_DEVICE int lowest_bit(std::uint32_t x) {
#ifdef __CUDA_ARCH__
  return __ffs(static_cast<int>(x)) - 1;
#else
  return std::countr_zero(x);
#endif
}

/// Adds to a counter that all warps share, and returns what it was.
GRAZE_DEVICE std::uint32_t fetch_add(std::uint32_t* counter, std::uint32_t n) {
#ifdef __CUDA_ARCH__
  return atomicAdd(counter, n);
#else
  return std::atomic_ref(*counter).fetch_add(n, std::memory_order_relaxed);
#endif
}
GRAZE_DEVICE std::uint64_t fetch_add(std::uint64_t* counter, std::uint64_t n) {
#ifdef __CUDA_ARCH__
  return atomicAdd(reinterpret_cast<unsigned long long*>(counter), static_cast<unsigned long long>(n));
#else
  return std::atomic_ref(*counter).fetch_add(n, std::memory_order_relaxed);
#endif
}
GRAZE_DEVICE void fetch_min(std::uint64_t* least, std::uint64_t x) {
#ifdef __CUDA_ARCH__
  atomicMin(reinterpret_cast<unsigned long long*>(least), static_cast<unsigned long long>(x));
#else
  std::atomic_ref<std::uint64_t> shared(*least);
  for (std::uint64_t old = shared.load(); x < old && !shared.compare_exchange_weak(old, x);) {
  }
#endif
}
GRAZE_DEVICE void fetch_max(std::uint64_t* most, std::uint64_t x) {
#ifdef __CUDA_ARCH__
  atomicMax(reinterpret_cast<unsigned long long*>(most), static_cast<unsigned long long>(x));
#else
  std::atomic_ref<std::uint64_t> shared(*most);
  for (std::uint64_t old = shared.load(); x > old && !shared.compare_exchange_weak(old, x);) {
  }
#endif
}

/// 32 lanes that run the same code. Between two calls every lane sees what all lanes have written before, in their
/// PerLane values as in memory that the warp has for itself. So a kernel is a sequence of such calls, and control flow
/// outside of them depends only on what all lanes know.
class Warp {
 public:
#ifdef __CUDA_ARCH__
  __device__ Warp() : lane_(static_cast<int>(threadIdx.x) & (lanes - 1)) {}
  template <class Body>
  __device__ __forceinline__ void each(Body&& body) {
    body(lane_);
    __syncwarp();
  }
  /// Bit k: what lane k says.
  template <class Body>
  __device__ __forceinline__ std::uint32_t ballot(Body&& body) {
    const std::uint32_t bits = __ballot_sync(0xFFFFFFFF, body(lane_));
    __syncwarp();  // what the lanes have read may now be written
    return bits;
  }
  /// What the function says in lane 0, for all.
  template <class Body>
  __device__ __forceinline__ auto once(Body&& body) {
    decltype(body()) x = 0;
    if (lane_ == 0) x = body();
    return __shfl_sync(0xFFFFFFFF, x, 0);
  }
  template <class T>
  __device__ __forceinline__ T from(const PerLane<T>& x, int lane) {
    return __shfl_sync(0xFFFFFFFF, x[0], lane);
  }
  /// The sum over all lanes.
  __device__ __forceinline__ std::uint32_t sum(const PerLane<std::uint32_t>& x) {
    return __reduce_add_sync(0xFFFFFFFF, x[0]);
  }
  __device__ __forceinline__ std::int32_t least(const PerLane<std::int32_t>& x) {
    return __reduce_min_sync(0xFFFFFFFF, x[0]);
  }
  __device__ __forceinline__ std::uint32_t most(const PerLane<std::uint32_t>& x) {
    return __reduce_max_sync(0xFFFFFFFF, x[0]);
  }
  /// In each lane the sum over the lanes before it.
  __device__ __forceinline__ PerLane<std::uint32_t> sums_before(const PerLane<std::uint32_t>& x) {
    std::uint32_t s = x[0];
    for (int d = 1; d < lanes; d *= 2) {
      const std::uint32_t other = __shfl_up_sync(0xFFFFFFFF, s, d);
      if (lane_ >= d) s += other;
    }
    PerLane<std::uint32_t> before;
    before[0] = s - x[0];
    return before;
  }

 private:
  int lane_;
#else
  template <class Body>
  void each(Body&& body) {
    for (int lane = 0; lane < lanes; ++lane) body(lane);
  }
  template <class Body>
  std::uint32_t ballot(Body&& body) {
    std::uint32_t bits = 0;
    for (int lane = 0; lane < lanes; ++lane) bits |= static_cast<std::uint32_t>(static_cast<bool>(body(lane))) << lane;
    return bits;
  }
  template <class Body>
  auto once(Body&& body) {
    return body();
  }
  template <class T>
  T from(const PerLane<T>& x, int lane) {
    return x[lane];
  }
  std::uint32_t sum(const PerLane<std::uint32_t>& x) {
    std::uint32_t s = 0;
    for (int lane = 0; lane < lanes; ++lane) s += x[lane];
    return s;
  }
  std::int32_t least(const PerLane<std::int32_t>& x) {
    std::int32_t s = x[0];
    for (int lane = 1; lane < lanes; ++lane) s = x[lane] < s ? x[lane] : s;
    return s;
  }
  std::uint32_t most(const PerLane<std::uint32_t>& x) {
    std::uint32_t s = x[0];
    for (int lane = 1; lane < lanes; ++lane) s = x[lane] > s ? x[lane] : s;
    return s;
  }
  PerLane<std::uint32_t> sums_before(const PerLane<std::uint32_t>& x) {
    PerLane<std::uint32_t> before;
    std::uint32_t s = 0;
    for (int lane = 0; lane < lanes; ++lane) {
      before[lane] = s;
      s += x[lane];
    }
    return before;
  }
#endif
};

}  // namespace graze::gpu
