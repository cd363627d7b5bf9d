// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include <boost/multiprecision/cpp_int.hpp>

#include <graze/math/vec3.hpp>

namespace graze::math {

/// 768 bits on the stack are enough for placed coordinates of ordinary scale; larger numbers are allocated on the heap.
using BigInt = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<768, 0, boost::multiprecision::signed_magnitude,
                                           boost::multiprecision::unchecked>,
    boost::multiprecision::et_off>;

/// m * 2^e, exactly: every double has this form, and the form is closed under + - *. No rational is needed because the
/// only denominator of a placed point, |q|^2 > 0, is multiplied out (see RelativePlacement).
class Dyadic {
 public:
  Dyadic() = default;
  explicit Dyadic(int value) : m_(value) {}
  explicit Dyadic(double value) {
    if (value == 0) return;
    int e;
    const double f = std::frexp(value, &e);
    auto m = static_cast<std::int64_t>(f * 0x1p53);
    const int zeros = std::countr_zero(static_cast<std::uint64_t>(m));
    m >>= zeros;
    m_ = m;
    e_ = e - 53 + zeros;
  }

  int sign() const { return m_.sign(); }
  bool is_zero() const { return m_.is_zero(); }
  const BigInt& mantissa() const { return m_; }
  int exponent() const { return e_; }

  friend Dyadic operator-(Dyadic a) {
    a.m_ = -a.m_;
    return a;
  }
  friend Dyadic operator+(const Dyadic& a, const Dyadic& b) {
    if (a.is_zero()) return b;
    if (b.is_zero()) return a;
    Dyadic r;
    if (a.e_ == b.e_) {
      r.m_ = a.m_ + b.m_;
      r.e_ = a.e_;
    } else if (a.e_ > b.e_) {
      r.m_ = (a.m_ << (a.e_ - b.e_)) + b.m_;
      r.e_ = b.e_;
    } else {
      r.m_ = a.m_ + (b.m_ << (b.e_ - a.e_));
      r.e_ = a.e_;
    }
    return r;
  }
  friend Dyadic operator-(const Dyadic& a, const Dyadic& b) { return a + (-b); }
  friend Dyadic operator*(const Dyadic& a, const Dyadic& b) {
    Dyadic r;
    if (a.is_zero() || b.is_zero()) return r;
    r.m_ = a.m_ * b.m_;
    r.e_ = a.e_ + b.e_;
    return r;
  }
  friend bool operator<(const Dyadic& a, const Dyadic& b) { return (a - b).sign() < 0; }

 private:
  BigInt m_ = 0;
  int e_ = 0;
};

struct DyadicVec3 {
  Dyadic x, y, z;

  DyadicVec3() = default;
  DyadicVec3(Dyadic px, Dyadic py, Dyadic pz) : x(std::move(px)), y(std::move(py)), z(std::move(pz)) {}
  explicit DyadicVec3(const Vec3& p) : x(p.x), y(p.y), z(p.z) {}
  const Dyadic& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};

inline DyadicVec3 operator-(const DyadicVec3& a, const DyadicVec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline DyadicVec3 operator+(const DyadicVec3& a, const DyadicVec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline DyadicVec3 operator*(const DyadicVec3& a, const Dyadic& s) { return {a.x * s, a.y * s, a.z * s}; }
inline Dyadic dot(const DyadicVec3& a, const DyadicVec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline DyadicVec3 cross(const DyadicVec3& a, const DyadicVec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// The sign of the determinant |b - a, c - a, d - a|.
inline int orient3d(const DyadicVec3& a, const DyadicVec3& b, const DyadicVec3& c, const DyadicVec3& d) {
  return dot(cross(b - a, c - a), d - a).sign();
}

/// num / den as a double, with a relative error below 2^-60 before the final rounding; den > 0. Saturates at the ends
/// of the range of doubles.
double ratio(const Dyadic& num, const Dyadic& den);
/// sqrt(num / den), in the same way; num >= 0, den > 0.
double sqrt_ratio(const Dyadic& num, const Dyadic& den);

}  // namespace graze::math
