// SPDX-License-Identifier: MIT
// Included by core/portability.hpp on processors with SSE2, which every x86-64 processor has. core/lanes_plain.hpp has
// the same names without it; both give the same bits (tests/unit/core/lanes_test.cpp).
#pragma once

#include <cstdint>

#include <emmintrin.h>

namespace graze::core::sse2 {

/// Four floats.
struct alignas(16) Float4 {
  __m128 v;
};

inline Float4 splat(float x) { return {_mm_set1_ps(x)}; }
inline Float4 load3(const float* p) { return {_mm_setr_ps(p[0], p[1], p[2], 0.0f)}; }
inline Float4 operator+(Float4 a, Float4 b) { return {_mm_add_ps(a.v, b.v)}; }
inline Float4 operator-(Float4 a, Float4 b) { return {_mm_sub_ps(a.v, b.v)}; }
inline Float4 operator*(Float4 a, Float4 b) { return {_mm_mul_ps(a.v, b.v)}; }
/// Returns b if either operand is NaN or if both are equal.
inline Float4 max(Float4 a, Float4 b) { return {_mm_max_ps(a.v, b.v)}; }
inline Float4 min(Float4 a, Float4 b) { return {_mm_min_ps(a.v, b.v)}; }
inline Float4 negate(Float4 a) { return {_mm_xor_ps(a.v, _mm_set1_ps(-0.0f))}; }
inline Float4 clear_last(Float4 a) { return {_mm_and_ps(a.v, _mm_castsi128_ps(_mm_setr_epi32(-1, -1, -1, 0)))}; }
inline void truncate(Float4 a, std::int32_t out[4]) {
  _mm_store_si128(reinterpret_cast<__m128i*>(out), _mm_cvttps_epi32(a.v));
}
inline void store(Float4 a, float out[4]) { _mm_storeu_ps(out, a.v); }

/// Half the surface area of a box with these edge lengths.
inline float half_area(Float4 edges) {
  const __m128 turned = _mm_shuffle_ps(edges.v, edges.v, _MM_SHUFFLE(3, 0, 2, 1));  // y z x
  const __m128 p = _mm_mul_ps(edges.v, turned);                                     // xy yz zx
  const __m128 p1 = _mm_shuffle_ps(p, p, _MM_SHUFFLE(3, 3, 3, 1));
  const __m128 p2 = _mm_movehl_ps(p, p);
  return _mm_cvtss_f32(_mm_add_ss(_mm_add_ss(p, p1), p2));
}

/// Two doubles.
struct alignas(16) Double2 {
  __m128d v;
};

inline Double2 splat(double x) { return {_mm_set1_pd(x)}; }
inline Double2 load(const double* p) { return {_mm_loadu_pd(p)}; }
inline Double2 operator+(Double2 a, Double2 b) { return {_mm_add_pd(a.v, b.v)}; }
inline Double2 operator*(Double2 a, Double2 b) { return {_mm_mul_pd(a.v, b.v)}; }
/// Returns b if either operand is NaN or if both are equal.
inline Double2 max(Double2 a, Double2 b) { return {_mm_max_pd(a.v, b.v)}; }
inline Double2 exchange(Double2 a) { return {_mm_shuffle_pd(a.v, a.v, 1)}; }
/// Bit i is set if the i-th doubles are equal.
inline unsigned equal_bits(Double2 a, Double2 b) {
  return static_cast<unsigned>(_mm_movemask_pd(_mm_cmpeq_pd(a.v, b.v)));
}
inline void store(Double2 a, double out[2]) { _mm_storeu_pd(out, a.v); }

}  // namespace graze::core::sse2
