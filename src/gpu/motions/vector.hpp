// SPDX-License-Identifier: MIT
// Vectors and the few operations of the kernels about motions. Products are added by explicit fused operations: one
// rounding instead of two, the same bits on the device and on the CPU, and every bound that allows for two covers it.
#pragma once

#include <cmath>

#include "gpu/device_code.hpp"

// A function that is called, not repeated in place: code that warps repeat is to stay in the instruction cache.
#ifdef __CUDACC__
#define GRAZE_DEVICE_CALL __host__ __device__ __noinline__
#else
#define GRAZE_DEVICE_CALL inline
#endif

namespace graze::gpu {

GRAZE_DEVICE float mul_add(float a, float b, float c) { return ::fmaf(a, b, c); }
GRAZE_DEVICE double mul_add(double a, double b, double c) { return ::fma(a, b, c); }

template <class T>
GRAZE_DEVICE T larger(T a, T b) {
  return a > b ? a : b;
}
template <class T>
GRAZE_DEVICE T smaller(T a, T b) {
  return a < b ? a : b;
}
template <class T>
GRAZE_DEVICE T magnitude(T a) {
  return a < 0 ? -a : a;
}

// Quick ones, with a relative error below 2^-20. Of 0: the quotient is infinite or NaN, the root is 0.
GRAZE_DEVICE float quotient_of(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fdividef(a, b);
#else
  return a / b;
#endif
}
GRAZE_DEVICE float inverse_root_of(float a) {
#ifdef __CUDA_ARCH__
  return rsqrtf(a);
#else
  return 1 / std::sqrt(a);
#endif
}
GRAZE_DEVICE float root_of(float a) { return a > 0 ? a * inverse_root_of(a) : 0; }

template <class T>
struct Vector {
  T x, y, z;

  GRAZE_DEVICE friend Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  GRAZE_DEVICE friend Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  GRAZE_DEVICE friend Vector operator-(const Vector& a) { return {-a.x, -a.y, -a.z}; }
  GRAZE_DEVICE friend Vector operator*(const Vector& a, T s) { return {a.x * s, a.y * s, a.z * s}; }
};
using VectorF = Vector<float>;
using VectorD = Vector<double>;

template <class T>
GRAZE_DEVICE T dot(const Vector<T>& a, const Vector<T>& b) {
  return mul_add(a.z, b.z, mul_add(a.y, b.y, a.x * b.x));
}
template <class T>
GRAZE_DEVICE Vector<T> cross(const Vector<T>& a, const Vector<T>& b) {
  return {mul_add(a.y, b.z, -(a.z * b.y)), mul_add(a.z, b.x, -(a.x * b.z)), mul_add(a.x, b.y, -(a.y * b.x))};
}
/// a + s b.
template <class T>
GRAZE_DEVICE Vector<T> along(const Vector<T>& a, T s, const Vector<T>& b) {
  return {mul_add(s, b.x, a.x), mul_add(s, b.y, a.y), mul_add(s, b.z, a.z)};
}
/// The sum of the sizes of the entries: not below the length.
template <class T>
GRAZE_DEVICE T sum_of_sizes(const Vector<T>& a) {
  return magnitude(a.x) + magnitude(a.y) + magnitude(a.z);
}
/// How far a box with these half sides reaches along n.
template <class T>
GRAZE_DEVICE T reach(const Vector<T>& n, const Vector<T>& half) {
  return mul_add(magnitude(n.z), half.z, mul_add(magnitude(n.y), half.y, magnitude(n.x) * half.x));
}
GRAZE_DEVICE VectorF to_float(const VectorD& a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}
GRAZE_DEVICE VectorD to_double(const VectorF& a) { return {a.x, a.y, a.z}; }
GRAZE_DEVICE float length(const VectorF& a) { return root_of(dot(a, a)); }

/// A matrix by rows.
template <class T>
struct Rows {
  Vector<T> x, y, z;
};
template <class T>
GRAZE_DEVICE Vector<T> turned(const Rows<T>& r, const Vector<T>& a) {
  return {dot(r.x, a), dot(r.y, a), dot(r.z, a)};
}
template <class T>
GRAZE_DEVICE Vector<T> turned_back(const Rows<T>& r, const Vector<T>& a) {
  return {mul_add(r.z.x, a.z, mul_add(r.y.x, a.y, r.x.x * a.x)), mul_add(r.z.y, a.z, mul_add(r.y.y, a.y, r.x.y * a.x)),
          mul_add(r.z.z, a.z, mul_add(r.y.z, a.y, r.x.z * a.x))};
}
GRAZE_DEVICE Rows<float> to_float(const Rows<double>& r) { return {to_float(r.x), to_float(r.y), to_float(r.z)}; }

}  // namespace graze::gpu
