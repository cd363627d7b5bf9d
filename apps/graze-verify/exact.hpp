// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace verify {

/// A number m 2^e with an integer m of any length: exact sums, differences and products of doubles, without rounding.
class Exact {
 public:
  Exact() = default;
  Exact(double x) {
    if (x == 0) return;
    int exponent = 0;
    const double fraction = std::frexp(std::abs(x), &exponent);
    auto whole = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    negative_ = x < 0;
    exponent_ = exponent - 53;
    for (; whole != 0; whole >>= 32) digits_.push_back(static_cast<std::uint32_t>(whole));
  }

  /// -1, 0 or 1.
  int sign() const { return digits_.empty() ? 0 : negative_ ? -1 : 1; }

  friend Exact operator-(Exact a) {
    a.negative_ = !a.negative_;
    return a;
  }
  friend Exact operator+(const Exact& a, const Exact& b) {
    if (a.digits_.empty()) return b;
    if (b.digits_.empty()) return a;
    Exact r;
    r.exponent_ = std::min(a.exponent_, b.exponent_);
    const Digits x = shifted(a.digits_, a.exponent_ - r.exponent_), y = shifted(b.digits_, b.exponent_ - r.exponent_);
    if (a.negative_ == b.negative_) {
      r.negative_ = a.negative_;
      r.digits_ = sum(x, y);
    } else {
      const bool x_larger = !less(x, y);
      r.negative_ = x_larger ? a.negative_ : b.negative_;
      r.digits_ = x_larger ? difference(x, y) : difference(y, x);
    }
    return r;
  }
  friend Exact operator-(const Exact& a, const Exact& b) { return a + -b; }
  friend Exact operator*(const Exact& a, const Exact& b) {
    Exact r;
    if (a.digits_.empty() || b.digits_.empty()) return r;
    r.negative_ = a.negative_ != b.negative_;
    r.exponent_ = a.exponent_ + b.exponent_;
    r.digits_.assign(a.digits_.size() + b.digits_.size(), 0);
    for (std::size_t i = 0; i < a.digits_.size(); ++i) {
      std::uint64_t carry = 0;
      for (std::size_t j = 0; j < b.digits_.size(); ++j) {
        carry += std::uint64_t{a.digits_[i]} * b.digits_[j] + r.digits_[i + j];
        r.digits_[i + j] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
      r.digits_[i + b.digits_.size()] = static_cast<std::uint32_t>(carry);
    }
    trim(r.digits_);
    return r;
  }

 private:
  using Digits = std::vector<std::uint32_t>;  // least significant first; the most significant is not 0

  static void trim(Digits& d) {
    while (!d.empty() && d.back() == 0) d.pop_back();
  }
  static Digits shifted(const Digits& d, int bits) {
    const auto words = static_cast<std::size_t>(bits / 32);
    const int rest = bits % 32;
    Digits r(words + d.size() + 1, 0);
    for (std::size_t i = 0; i < d.size(); ++i) {
      const std::uint64_t wide = std::uint64_t{d[i]} << rest;
      r[words + i] |= static_cast<std::uint32_t>(wide);
      r[words + i + 1] |= static_cast<std::uint32_t>(wide >> 32);
    }
    trim(r);
    return r;
  }
  static bool less(const Digits& a, const Digits& b) {
    if (a.size() != b.size()) return a.size() < b.size();
    return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
  }
  static Digits sum(const Digits& a, const Digits& b) {
    Digits r;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()) || carry != 0; ++i) {
      carry += (i < a.size() ? a[i] : 0u);
      carry += (i < b.size() ? b[i] : 0u);
      r.push_back(static_cast<std::uint32_t>(carry));
      carry >>= 32;
    }
    return r;
  }
  /// a - b for a >= b.
  static Digits difference(const Digits& a, const Digits& b) {
    Digits r = a;
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < r.size(); ++i) {
      std::int64_t x = std::int64_t{r[i]} - (i < b.size() ? b[i] : 0u) - borrow;
      borrow = x < 0 ? 1 : 0;
      if (x < 0) x += std::int64_t{1} << 32;
      r[i] = static_cast<std::uint32_t>(x);
    }
    trim(r);
    return r;
  }

  Digits digits_;
  int exponent_ = 0;
  bool negative_ = false;
};

}  // namespace verify
