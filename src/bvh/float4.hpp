// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace graze::bvh {

/// Four floats that the builder processes at once: SSE2, which every x86-64 processor has, or scalar code with bitwise
/// identical results.
#if defined(__SSE2__)
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
#else
struct alignas(16) Float4 {
  float v[4];
};

template <class F>
inline Float4 lanes(F f) {
  return {{f(0), f(1), f(2), f(3)}};
}
inline Float4 splat(float x) { return {{x, x, x, x}}; }
inline Float4 load3(const float* p) { return {{p[0], p[1], p[2], 0.0f}}; }
inline Float4 operator+(Float4 a, Float4 b) {
  return lanes([&](int i) { return a.v[i] + b.v[i]; });
}
inline Float4 operator-(Float4 a, Float4 b) {
  return lanes([&](int i) { return a.v[i] - b.v[i]; });
}
inline Float4 operator*(Float4 a, Float4 b) {
  return lanes([&](int i) { return a.v[i] * b.v[i]; });
}
/// Returns b if either operand is NaN or if both are equal.
inline Float4 max(Float4 a, Float4 b) {
  return lanes([&](int i) { return a.v[i] > b.v[i] ? a.v[i] : b.v[i]; });
}
inline Float4 min(Float4 a, Float4 b) {
  return lanes([&](int i) { return a.v[i] < b.v[i] ? a.v[i] : b.v[i]; });
}
inline Float4 negate(Float4 a) {
  return lanes([&](int i) { return -a.v[i]; });
}
inline Float4 clear_last(Float4 a) { return {{a.v[0], a.v[1], a.v[2], 0.0f}}; }
inline void truncate(Float4 a, std::int32_t out[4]) {
  for (int i = 0; i < 4; ++i) out[i] = static_cast<std::int32_t>(a.v[i]);
}
inline void store(Float4 a, float out[4]) { std::memcpy(out, a.v, sizeof a.v); }

/// Half the surface area of a box with these edge lengths.
inline float half_area(Float4 e) { return (e.v[0] * e.v[1] + e.v[1] * e.v[2]) + e.v[2] * e.v[0]; }
#endif

}  // namespace graze::bvh
