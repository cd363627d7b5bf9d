// SPDX-License-Identifier: MIT
// The sources of graze::gpu are compiled twice: by nvcc for the device, and by the compiler of the library for its
// tests, where loops take the place of the lanes (warp.hpp). No fused multiply-add in either, so both give the same
// bits.
#pragma once

#ifdef __CUDACC__
#define GRAZE_DEVICE __host__ __device__ __forceinline__
/// Before a loop: its body is not repeated, for code that must stay small.
#define GRAZE_ROLLED _Pragma("unroll 1")
#else
#define GRAZE_DEVICE inline
#define GRAZE_ROLLED
#endif
