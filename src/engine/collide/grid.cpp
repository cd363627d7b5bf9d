// SPDX-License-Identifier: MIT
#include "engine/collide/grid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <graze/core/portability.hpp>

namespace graze::engine::collide {

namespace {

constexpr int bits = 17;  // per coordinate, in its own body's units
constexpr std::int64_t limit = 1 << 19;

/// The exponent of the lowest set bit of a nonzero double.
int lowest_bit(double x) {
  const auto raw = core::bit_cast<std::uint64_t>(x);
  const auto biased = static_cast<int>(raw >> 52 & 0x7ff);
  const std::uint64_t mantissa = (raw & 0xfffffffffffffu) | (biased > 0 ? std::uint64_t{1} << 52 : 0);
  return std::max(biased, 1) - 1075 + std::countr_zero(mantissa);
}

}  // namespace

Grid::Grid(const Mesh& mesh) {
  int low = std::numeric_limits<int>::max();
  double most = 0;
  for (const Vec3& x : mesh.positions())
    for (int i = 0; i < 3; ++i) {
      if (x[i] == 0) continue;
      low = std::min(low, lowest_bit(x[i]));
      most = std::max(most, std::fabs(x[i]));
      if (std::ilogb(most) - low >= bits) return;  // rejects a scanned or rotated model at its first vertices
    }
  if (most == 0) low = 0;
  exponent = low;
  largest = static_cast<std::int32_t>(std::ldexp(most, -low));
  for (const Vec3& x : mesh.positions()) {
    const auto whole = [low](double v) { return static_cast<std::int32_t>(std::ldexp(v, -low)); };
    vertices.push_back({whole(x.x), whole(x.y), whole(x.z)});
  }
  if (!vertices.empty()) lo = hi = vertices[0];
  for (const auto& x : vertices)
    for (std::size_t i = 0; i < 3; ++i) {
      lo[i] = std::min(lo[i], x[i]);
      hi[i] = std::max(hi[i], x[i]);
    }
  valid = true;
}

CommonGrid::CommonGrid(const Grid& a, const Grid& b, const math::RelativePlacement& placement) : a_(a), b_(b) {
  if (!a.valid || !b.valid || !placement.is_axis_permutation()) return;
  int unit = std::min(a.exponent, b.exponent);
  for (int i = 0; i < 3; ++i)
    if (placement.translation()[i] != 0) unit = std::min(unit, lowest_bit(placement.translation()[i]));
  if (a.exponent - unit > bits || b.exponent - unit > bits) return;
  shift_a_ = a.exponent - unit;
  shift_b_ = b.exponent - unit;
  for (int i = 0; i < 3; ++i) {
    const double t = std::ldexp(placement.translation()[i], -unit);
    if (!(std::fabs(t) < static_cast<double>(limit))) return;
    const auto k = static_cast<std::size_t>(i);
    t_[k] = static_cast<std::int64_t>(t);
    for (std::size_t j = 0; j < 3; ++j)
      if (const double r = placement.rotation()[3 * k + j]; r != 0) {
        from_[k] = j;
        sign_[k] = r > 0 ? 1 : -1;
      }
    if ((std::int64_t{b.largest} << shift_b_) + std::abs(t_[k]) > limit) return;
  }
  unit_ = std::ldexp(1.0, unit);
  usable_ = (std::int64_t{a.largest} << shift_a_) <= limit;
}

bool CommonGrid::boxes_only_touch() const {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int64_t a_lo = std::int64_t{a_.lo[i]} << shift_a_, a_hi = std::int64_t{a_.hi[i]} << shift_a_;
    const std::int64_t one = sign_[i] * (std::int64_t{b_.lo[from_[i]]} << shift_b_) + t_[i],
                       other = sign_[i] * (std::int64_t{b_.hi[from_[i]]} << shift_b_) + t_[i];
    if (a_hi <= std::min(one, other) || std::max(one, other) <= a_lo) return true;
  }
  return false;
}

}  // namespace graze::engine::collide
