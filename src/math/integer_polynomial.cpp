// SPDX-License-Identifier: MIT
#include "math/integer_polynomial.hpp"

#include <algorithm>
#include <utility>

namespace graze::math {
namespace {

constexpr int binomials[5][5] = {{1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 2, 1, 0, 0}, {1, 3, 3, 1, 0}, {1, 4, 6, 4, 1}};
constexpr int binomial(int n, int k) { return binomials[n][k]; }
/// The least common multiple of the binomial coefficients of degree n.
constexpr int common_binomial[5] = {1, 1, 2, 3, 12};

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

IntegerPolynomial::IntegerPolynomial(BigInt a, BigInt b) {
  c_[0] = std::move(a);
  c_[1] = std::move(b);
  degree_ = 1;
  trim();
}

void IntegerPolynomial::trim() {
  while (degree_ >= 0 && c_[at(degree_)].is_zero()) --degree_;
}

IntegerPolynomial operator+(const IntegerPolynomial& a, const IntegerPolynomial& b) {
  IntegerPolynomial r;
  r.degree_ = std::max(a.degree_, b.degree_);
  for (int i = 0; i <= r.degree_; ++i) r.c_[at(i)] = a[i] + b[i];  // coefficients beyond the degree are 0
  r.trim();
  return r;
}

IntegerPolynomial operator-(const IntegerPolynomial& a, const IntegerPolynomial& b) {
  IntegerPolynomial r;
  r.degree_ = std::max(a.degree_, b.degree_);
  for (int i = 0; i <= r.degree_; ++i) r.c_[at(i)] = a[i] - b[i];
  r.trim();
  return r;
}

IntegerPolynomial operator*(const IntegerPolynomial& a, const IntegerPolynomial& b) {
  IntegerPolynomial r;
  if (a.is_zero() || b.is_zero()) return r;
  r.degree_ = a.degree_ + b.degree_;
  for (int i = 0; i <= a.degree_; ++i)
    for (int j = 0; j <= b.degree_; ++j) r.c_[at(i + j)] += a[i] * b[j];
  return r;
}

IntegerPolynomial IntegerPolynomial::derivative() const {
  IntegerPolynomial r;
  for (int i = 1; i <= degree_; ++i) r.c_[at(i - 1)] = c_[at(i)] * i;
  r.degree_ = std::max(-1, degree_ - 1);
  return r;
}

IntegerPolynomial IntegerPolynomial::primitive() const {
  BigInt divisor = 0;
  for (int i = 0; i <= degree_; ++i) divisor = gcd(divisor, c_[at(i)]);
  IntegerPolynomial r = *this;
  for (int i = 0; i <= degree_; ++i) r.c_[at(i)] /= divisor;
  return r;
}

/// Euclid's algorithm with pseudo-remainders (times the other's leading coefficient instead of fractions).
IntegerPolynomial common_divisor(IntegerPolynomial a, IntegerPolynomial b) {
  a = a.primitive();
  b = b.primitive();
  if (a.degree_ < b.degree_) std::swap(a, b);
  while (b.degree_ > 0) {
    const BigInt lead = b[b.degree_];
    while (a.degree_ >= b.degree_) {
      const BigInt factor = a[a.degree_];
      const int shift = a.degree_ - b.degree_;
      for (int i = 0; i <= a.degree_; ++i) a.c_[at(i)] *= lead;
      for (int i = 0; i <= b.degree_; ++i) a.c_[at(i + shift)] -= factor * b[i];
      a.trim();
    }
    if (a.is_zero()) return b;
    a = a.primitive();
    std::swap(a, b);
  }
  return b;  // a constant: no common zero
}

IntegerPolynomial IntegerPolynomial::square_free() const {
  if (degree_ < 2) return *this;
  const IntegerPolynomial divisor = common_divisor(*this, derivative());
  if (divisor.degree_ < 1) return *this;
  // Both are primitive, so the quotient has integer coefficients (Gauss's lemma) and each division below is exact.
  IntegerPolynomial rest = primitive(), quotient;
  quotient.degree_ = degree_ - divisor.degree_;
  for (int shift = quotient.degree_; shift >= 0; --shift) {
    const BigInt factor = rest[shift + divisor.degree_] / divisor[divisor.degree_];
    for (int i = 0; i <= divisor.degree_; ++i) rest.c_[at(i + shift)] -= factor * divisor[i];
    quotient.c_[at(shift)] = factor;
  }
  return quotient;
}

int IntegerPolynomial::sign_at(const BigInt& k, int s) const {
  if (is_zero()) return 0;
  BigInt value = c_[at(degree_)];
  for (int i = degree_ - 1; i >= 0; --i) value = value * k + (c_[at(i)] << (s * (degree_ - i)));
  return value.sign();
}

IntegerPolynomial::Bernstein IntegerPolynomial::bernstein(const BigInt& k, int s) const {
  Bernstein r;
  r.degree = std::max(0, degree_);
  // Substitutes t = (k + x) / 2^s and multiplies by 2^(s degree): first t = x / 2^s, then Horner's shift by k.
  std::array<BigInt, max_degree + 1> x;
  for (int i = 0; i <= degree_; ++i) x[at(i)] = c_[at(i)] << (s * (degree_ - i));
  if (!k.is_zero())
    for (int i = 0; i < degree_; ++i)
      for (int j = degree_ - 1; j >= i; --j) x[at(j)] += k * x[at(j + 1)];
  const int all = common_binomial[r.degree];
  for (int i = 0; i <= degree_; ++i) x[at(i)] *= all / binomial(r.degree, i);
  for (int j = 0; j <= r.degree; ++j)
    for (int i = 0; i <= j; ++i) r.b[at(j)] += binomial(j, i) * x[at(i)];
  return r;
}

int IntegerPolynomial::Bernstein::first_sign() const {
  for (int i = 0; i <= degree; ++i)
    if (sign(i) != 0) return sign(i);
  return 0;
}

int IntegerPolynomial::Bernstein::last_sign() const {
  for (int i = degree; i >= 0; --i)
    if (sign(i) != 0) return sign(i);
  return 0;
}

int IntegerPolynomial::Bernstein::changes() const {
  int count = 0, last = 0;
  for (int i = 0; i <= degree; ++i) {
    if (sign(i) == 0) continue;
    if (last * sign(i) < 0) ++count;
    last = sign(i);
  }
  return count;
}

int IntegerPolynomial::Bernstein::certain_sign() const { return changes() == 0 ? first_sign() : 0; }

std::array<IntegerPolynomial::Bernstein, 2> IntegerPolynomial::Bernstein::halves() const {
  std::array<Bernstein, 2> half;
  half[0].degree = half[1].degree = degree;
  auto row = b;
  for (int j = 0; j <= degree; ++j) {
    // After j rounds of sums (each of which omits the division by two) the first and last number of the row are
    // coefficients of the halves, times 2^j. Here all are brought to the common factor 2^degree.
    half[0].b[at(j)] = row[0] << (degree - j);
    half[1].b[at(degree - j)] = row[at(degree - j)] << (degree - j);
    for (int i = 0; i < degree - j; ++i) row[at(i)] += row[at(i + 1)];
  }
  return half;
}

UnitRoot::UnitRoot(const IntegerPolynomial& p, BigInt k, int s, int sign_before)
    : p_(p), k_(std::move(k)), s_(s), sign_before_(sign_before) {}

void UnitRoot::refine() {
  const BigInt middle = 2 * k_ + 1;
  const int sign = p_.sign_at(middle, ++s_);
  if (sign == sign_before_ || sign == 0)
    k_ = middle;
  else
    k_ *= 2;
  if (sign == 0) sign_before_ = 0;
}

int UnitRoot::sign_of(const IntegerPolynomial& q) {
  if (q.degree() <= 0) return q.is_zero() ? 0 : q[0].sign();
  constexpr int tries = 12;  // then test whether the value is zero: refining would never end
  bool may_be_zero = true;
  for (int i = 0; !is_point(); ++i) {
    const int sign = q.bernstein(k_, s_).certain_sign();
    if (sign != 0) return sign;
    if (may_be_zero && i >= tries) {
      // A zero of the common divisor inside the interval would be a zero of p there, so it is this one, and a simple
      // one: in this case, and only then, the number of sign changes is odd.
      if (common_divisor(p_, q).bernstein(k_, s_).changes() % 2 != 0) return 0;
      may_be_zero = false;
    }
    refine();
  }
  return q.sign_at(k_, s_);
}

Interval UnitRoot::enclosure() {
  constexpr int bits = 52;
  while (!is_point() && s_ < bits) refine();
  const bool exact = is_point() && s_ <= bits;
  const BigInt low = s_ <= bits ? BigInt(k_ << (bits - s_)) : BigInt(k_ >> (s_ - bits));
  // Both are at most 2^52, so they are exactly representable as doubles.
  const double lo = std::ldexp(static_cast<double>(static_cast<std::int64_t>(low)), -bits);
  return {lo, exact ? lo : lo + std::ldexp(1.0, -bits)};
}

namespace {

/// The zeros strictly inside [k, k + 1] / 2^s; `p` must be square-free if there may be more than one.
void find_inside(const IntegerPolynomial& p, const IntegerPolynomial::Bernstein& b, const BigInt& k, int s,
                 std::vector<UnitRoot>& roots) {
  const int changes = b.changes();
  if (changes == 0) return;
  if (changes == 1) {
    roots.emplace_back(p, k, s, b.first_sign());
    return;
  }
  const auto half = b.halves();
  find_inside(p, half[0], 2 * k, s + 1, roots);
  if (half[1].sign(0) == 0) roots.emplace_back(p, 2 * k + 1, s + 1, 0);
  find_inside(p, half[1], 2 * k + 1, s + 1, roots);
}

}  // namespace

std::vector<UnitRoot> unit_roots(const IntegerPolynomial& p) {
  std::vector<UnitRoot> roots;
  const auto b = p.bernstein(0, 0);
  if (b.sign(0) == 0) roots.emplace_back(p, 0, 0, 0);
  // With one sign change the zero is simple. With more, bisection would never end at a multiple zero.
  if (b.changes() <= 1) {
    find_inside(p, b, 0, 0, roots);
  } else {
    const IntegerPolynomial simple = p.square_free();
    find_inside(simple, simple.bernstein(0, 0), 0, 0, roots);
  }
  if (b.sign(b.degree) == 0) roots.emplace_back(p, 1, 0, 0);
  return roots;
}

}  // namespace graze::math
