// SPDX-License-Identifier: MIT
// Included by core/portability.hpp on processors without SSE2. The same names and the same bits as core/lanes_sse2.hpp.
#pragma once

#include <cstdint>
#include <cstring>

namespace graze::core::plain {

/// Four floats.
struct alignas(16) Float4 {
  float v[4];
};

template <class F>
inline Float4 each4(F f) {
  return {{f(0), f(1), f(2), f(3)}};
}
inline Float4 splat(float x) { return {{x, x, x, x}}; }
inline Float4 load3(const float* p) { return {{p[0], p[1], p[2], 0.0f}}; }
inline Float4 operator+(Float4 a, Float4 b) {
  return each4([&](int i) { return a.v[i] + b.v[i]; });
}
inline Float4 operator-(Float4 a, Float4 b) {
  return each4([&](int i) { return a.v[i] - b.v[i]; });
}
inline Float4 operator*(Float4 a, Float4 b) {
  return each4([&](int i) { return a.v[i] * b.v[i]; });
}
/// Returns b if either operand is NaN or if both are equal.
inline Float4 max(Float4 a, Float4 b) {
  return each4([&](int i) { return a.v[i] > b.v[i] ? a.v[i] : b.v[i]; });
}
inline Float4 min(Float4 a, Float4 b) {
  return each4([&](int i) { return a.v[i] < b.v[i] ? a.v[i] : b.v[i]; });
}
inline Float4 negate(Float4 a) {
  return each4([&](int i) { return -a.v[i]; });
}
inline Float4 clear_last(Float4 a) { return {{a.v[0], a.v[1], a.v[2], 0.0f}}; }
inline void truncate(Float4 a, std::int32_t out[4]) {
  for (int i = 0; i < 4; ++i) out[i] = static_cast<std::int32_t>(a.v[i]);
}
inline void store(Float4 a, float out[4]) { std::memcpy(out, a.v, sizeof a.v); }

/// Half the surface area of a box with these edge lengths.
inline float half_area(Float4 e) { return (e.v[0] * e.v[1] + e.v[1] * e.v[2]) + e.v[2] * e.v[0]; }

/// Two doubles.
struct alignas(16) Double2 {
  double v[2];
};

inline Double2 splat(double x) { return {{x, x}}; }
inline Double2 load(const double* p) { return {{p[0], p[1]}}; }
inline Double2 operator+(Double2 a, Double2 b) { return {{a.v[0] + b.v[0], a.v[1] + b.v[1]}}; }
inline Double2 operator*(Double2 a, Double2 b) { return {{a.v[0] * b.v[0], a.v[1] * b.v[1]}}; }
/// Returns b if either operand is NaN or if both are equal.
inline Double2 max(Double2 a, Double2 b) {
  return {{a.v[0] > b.v[0] ? a.v[0] : b.v[0], a.v[1] > b.v[1] ? a.v[1] : b.v[1]}};
}
inline Double2 exchange(Double2 a) { return {{a.v[1], a.v[0]}}; }
/// Bit i is set if the i-th doubles are equal.
inline unsigned equal_bits(Double2 a, Double2 b) { return (a.v[0] == b.v[0] ? 1u : 0u) | (a.v[1] == b.v[1] ? 2u : 0u); }
inline void store(Double2 a, double out[2]) { std::memcpy(out, a.v, sizeof a.v); }

}  // namespace graze::core::plain
