// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include <graze/math/interval.hpp>

#include "math/dyadic.hpp"

namespace graze::math {

/// A polynomial in t of degree at most 4 with integer coefficients, lowest first. Only its zeros and signs matter, so
/// most operations may multiply it by a positive number.
class IntegerPolynomial {
 public:
  static constexpr int max_degree = 4;

  IntegerPolynomial() = default;
  /// a + b t
  IntegerPolynomial(BigInt a, BigInt b);

  /// -1 for the zero polynomial.
  int degree() const { return degree_; }
  bool is_zero() const { return degree_ < 0; }
  const BigInt& operator[](int i) const { return c_[static_cast<std::size_t>(i)]; }

  friend IntegerPolynomial operator+(const IntegerPolynomial& a, const IntegerPolynomial& b);
  friend IntegerPolynomial operator-(const IntegerPolynomial& a, const IntegerPolynomial& b);
  /// The degrees must add up to at most 4.
  friend IntegerPolynomial operator*(const IntegerPolynomial& a, const IntegerPolynomial& b);

  IntegerPolynomial derivative() const;
  /// Divided by the greatest common divisor of its coefficients.
  IntegerPolynomial primitive() const;
  /// The greatest common divisor, primitive: its zeros are the common zeros. Neither operand may be 0.
  friend IntegerPolynomial common_divisor(IntegerPolynomial a, IntegerPolynomial b);
  /// A polynomial with the same zeros, each simple. Not for 0.
  IntegerPolynomial square_free() const;

  /// The sign at t = k / 2^s.
  int sign_at(const BigInt& k, int s) const;

  /// Bernstein coefficients over [k, k + 1] / 2^s times a positive number.
  struct Bernstein {
    std::array<BigInt, max_degree + 1> b;
    int degree = 0;

    int sign(int i) const { return b[static_cast<std::size_t>(i)].sign(); }
    /// The sign of the first (last) coefficient that is not 0: the sign just inside the interval's ends. 0 only for the
    /// zero polynomial.
    int first_sign() const;
    int last_sign() const;
    /// The number of sign changes, ignoring zeros. Descartes' rule: the number of zeros inside, the ends excluded,
    /// counted with multiplicity, equals this number or is less by an even number.
    int changes() const;
    /// -1 or 1 if that is proved to be the sign everywhere inside (the ends excluded, as the basis is positive there);
    /// else 0.
    int certain_sign() const;
    /// The left and right half, by de Casteljau's algorithm without its division.
    std::array<Bernstein, 2> halves() const;
  };
  Bernstein bernstein(const BigInt& k, int s) const;

 private:
  void trim();

  std::array<BigInt, max_degree + 1> c_;
  int degree_ = -1;
};

/// One zero of a polynomial in [0, 1]: exactly k / 2^s, or the only one strictly between k / 2^s and (k + 1) / 2^s.
class UnitRoot {
 public:
  /// Only `unit_roots` constructs them.
  UnitRoot(const IntegerPolynomial& p, BigInt k, int s, int sign_before);

  /// The exact sign of q at this zero.
  int sign_of(const IntegerPolynomial& q);
  /// An enclosure of the zero by doubles at most 2^-52 apart; equal if it is k / 2^s with s at most 52.
  Interval enclosure();

 private:
  bool is_point() const { return sign_before_ == 0; }
  void refine();

  IntegerPolynomial p_;
  BigInt k_;
  int s_;
  int sign_before_;  ///< of p between k / 2^s and the zero; 0: the zero is k / 2^s
};

/// All zeros of p in [0, 1], ascending, each once. Not for p = 0.
std::vector<UnitRoot> unit_roots(const IntegerPolynomial& p);

}  // namespace graze::math
