// SPDX-License-Identifier: MIT
#include "body/tree_frame.hpp"

#include <cmath>
#include <cstdint>

#include <graze/core/portability.hpp>

namespace graze::body {

namespace {

/// x 2^exponent: a multiplication if the power is representable as a double, with the same result.
double times_power(double x, int exponent) {
  if (exponent < -1000 || exponent > 1000) return std::ldexp(x, exponent);
  return x * core::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

}  // namespace

TreeFrame::TreeFrame(const math::RelativePlacement& placement, const WideTree& a, const WideTree& b) {
  const int ratio = b.frame.exponent - a.frame.exponent;
  const Vec3 centre = placement.place(b.frame.centre);
  const Vec3 d = centre - a.frame.centre;
  double shift = 0;
  for (int i = 0; i < 3; ++i) {
    const double x = times_power(d[i], -a.frame.exponent);
    t[i] = static_cast<float>(x);
    t_exact[i] = x;
    shift += std::fabs(x);
  }
  const double placed = placement.error(b.frame.centre) + 0x1p-52 * (std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z));
  const double centre_error_of_t = times_power(placed, -a.frame.exponent);
  usable = std::abs(ratio) <= 40 && shift <= 0x1p60 && centre_error_of_t <= 0x1p20;
  if (!usable) return;
  const double size = times_power(1.0, ratio);
  rho = static_cast<float>(size);
  for (std::size_t i = 0; i < 9; ++i) {
    r[i] = static_cast<float>(placement.rotation()[i]);
    r_exact[i] = size * placement.rotation()[i];
  }
  // Error of a point of B's frame (at most 1.01 in size) mapped by r_exact, whose entries are accurate to 64 eps, and
  // t_exact; six roundings; and the error of 2^-50 that the corners themselves may have in either frame.
  centre_error = static_cast<float>(1.01 * (centre_error_of_t + 0x1p-45 * (1 + size + shift)));
  for (int j = 0; j < 3; ++j) rt[j] = r[j] * t[0] + r[3 + j] * t[1] + r[6 + j] * t[2];
  error = static_cast<float>(1.01 * (0x1p-24 * (16 + 18 * size + 8 * shift) + centre_error_of_t));
  error_b = 3 * error;
  error_walk = static_cast<float>(1.01 * (0x1p-24 * (128 + 128 * size + 64 * shift) + 2 * centre_error_of_t));
}

}  // namespace graze::body
