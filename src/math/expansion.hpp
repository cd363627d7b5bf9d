// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace graze::math {

/// Exact sums of doubles (Shewchuk 1997): components do not overlap, are stored smallest first, and zeros are omitted.
/// Exact as long as nothing overflows or underflows: `in_expansion_range` tells for which inputs that cannot happen.
template <int N>
struct Expansion {
  int n = 0;
  double v[N];

  int sign() const { return n == 0 ? 0 : v[n - 1] > 0 ? 1 : -1; }
};

/// Coordinates in this range keep a product of three differences, with all error terms, between 2^-760 and 2^610.
inline bool in_expansion_range(double x) {
  const double m = std::fabs(x);
  return m == 0 || (m >= 0x1p-200 && m <= 0x1p200);
}

inline void two_sum(double a, double b, double& sum, double& error) {
  sum = a + b;
  const double bv = sum - a;
  error = (a - (sum - bv)) + (b - bv);
}

inline void split(double a, double& hi, double& lo) {
  const double c = 0x1.0000002p27 * a;  // 2^27 + 1
  hi = c - (c - a);
  lo = a - hi;
}

inline void two_product(double a, double b, double& product, double& error) {
  product = a * b;
  double ah, al, bh, bl;
  split(a, ah, al);
  split(b, bh, bl);
  error = al * bl - (((product - ah * bh) - al * bh) - ah * bl);
}

inline Expansion<2> difference(double a, double b) {
  double hi, lo;
  two_sum(a, -b, hi, lo);
  Expansion<2> r;
  if (lo != 0) r.v[r.n++] = lo;
  if (hi != 0) r.v[r.n++] = hi;
  return r;
}

/// Shewchuk's fast expansion sum with zero elimination.
template <int N, int M>
Expansion<N + M> operator+(const Expansion<N>& e, const Expansion<M>& f) {
  Expansion<N + M> h;
  int i = 0, j = 0;
  const auto next = [&] {
    if (j >= f.n || (i < e.n && std::fabs(e.v[i]) < std::fabs(f.v[j]))) return e.v[i++];
    return f.v[j++];
  };
  if (e.n + f.n == 0) return h;
  double q = next();
  while (i < e.n || j < f.n) {
    double sum, error;
    two_sum(q, next(), sum, error);
    if (error != 0) h.v[h.n++] = error;
    q = sum;
  }
  if (q != 0) h.v[h.n++] = q;
  return h;
}

template <int N>
Expansion<N> operator-(Expansion<N> e) {
  for (int i = 0; i < e.n; ++i) e.v[i] = -e.v[i];
  return e;
}

template <int N, int M>
Expansion<N + M> operator-(const Expansion<N>& e, const Expansion<M>& f) {
  return e + (-f);
}

/// Shewchuk's scale expansion with zero elimination.
template <int N>
Expansion<2 * N> operator*(const Expansion<N>& e, double b) {
  Expansion<2 * N> h;
  if (e.n == 0 || b == 0) return h;
  double q, error;
  two_product(e.v[0], b, q, error);
  if (error != 0) h.v[h.n++] = error;
  for (int i = 1; i < e.n; ++i) {
    double product, product_error, sum;
    two_product(e.v[i], b, product, product_error);
    two_sum(q, product_error, sum, error);
    if (error != 0) h.v[h.n++] = error;
    two_sum(product, sum, q, error);
    if (error != 0) h.v[h.n++] = error;
  }
  if (q != 0) h.v[h.n++] = q;
  return h;
}

template <int N, int M>
Expansion<2 * N * M> operator*(const Expansion<N>& e, const Expansion<M>& f) {
  Expansion<2 * N * M> total;
  for (int j = 0; j < f.n; ++j) {
    const auto sum = total + e * f.v[j];  // never longer than 2 N (j + 1) components
    total.n = sum.n;
    for (int i = 0; i < sum.n; ++i) total.v[i] = sum.v[i];
  }
  return total;
}

}  // namespace graze::math
