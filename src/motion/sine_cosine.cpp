// SPDX-License-Identifier: MIT
#include <cmath>

#include "motion/path.hpp"

namespace graze::motion {

namespace {

// pi / 2 in three parts of 33 bits: a product with an integer below 2^20 is exact.
constexpr double half_pi_1 = 0x1.921fb544p+0;
constexpr double half_pi_2 = 0x1.0b4611a6p-34;
constexpr double half_pi_3 = 0x1.3198a2ep-69;
constexpr double two_over_pi = 0x1.45f306dc9c883p-1;

// Taylor series for |r| <= pi/4 + 2^-20: the truncation error is below 2^-62 and 2^-67; evaluated by Horner's rule each
// loses less than 2 units of 2^-53.
double sine(double r) {
  const double z = r * r;
  double p = 1.0 / 355687428096000.0;
  p = p * z - 1.0 / 1307674368000.0;
  p = p * z + 1.0 / 6227020800.0;
  p = p * z - 1.0 / 39916800.0;
  p = p * z + 1.0 / 362880.0;
  p = p * z - 1.0 / 5040.0;
  p = p * z + 1.0 / 120.0;
  p = p * z - 1.0 / 6.0;
  return r + r * z * p;
}

double cosine(double r) {
  const double z = r * r;
  double p = -1.0 / 6402373705728000.0;
  p = p * z + 1.0 / 20922789888000.0;
  p = p * z - 1.0 / 87178291200.0;
  p = p * z + 1.0 / 479001600.0;
  p = p * z - 1.0 / 3628800.0;
  p = p * z + 1.0 / 40320.0;
  p = p * z - 1.0 / 720.0;
  p = p * z + 1.0 / 24.0;
  return 1.0 - (0.5 * z - z * z * p);
}

}  // namespace

SineCosine sine_cosine(double x) {
  // k is found by rounding. It may be off by one where x is nearly halfway, which only makes r slightly larger.
  const double k = std::nearbyint(x * two_over_pi);
  // The first difference is exact (both numbers are close to each other or k = 0); the rounding of the others is below
  // 2^-53 in total.
  const double r = ((x - k * half_pi_1) - k * half_pi_2) - k * half_pi_3;
  const double s = sine(r), c = cosine(r);
  switch (static_cast<long>(k) & 3) {
    case 0: return {s, c};
    case 1: return {c, -s};
    case 2: return {-s, -c};
    default: return {-c, s};
  }
}

}  // namespace graze::motion
