// SPDX-License-Identifier: MIT
#include "math/relative_placement.hpp"

#include <algorithm>

#include "math/expansion.hpp"
#include "math/quat_size.hpp"
#include "math/rotation_matrix.hpp"

namespace graze::math {

namespace {

/// |q|^2 R(q / |q|) and |q|^2. For rotations that permute the axes: R itself and 1, which keeps the numbers short.
struct ExactRotation {
  std::array<Dyadic, 9> m;
  Dyadic norm;

  explicit ExactRotation(const Quat& q) {
    if (permutes_axes(q)) {
      const std::array<double, 9> r = rotation_matrix(near_unit_size(q));
      for (std::size_t i = 0; i < 9; ++i) m[i] = Dyadic(std::round(r[i]));
      norm = Dyadic(1);
      return;
    }
    const Dyadic w(q.w), x(q.x), y(q.y), z(q.z), two(2);
    const Dyadic ww = w * w, xx = x * x, yy = y * y, zz = z * z;
    m = {ww + xx - yy - zz,     two * (x * y - w * z), two * (x * z + w * y), two * (x * y + w * z), ww - xx + yy - zz,
         two * (y * z - w * x), two * (x * z - w * y), two * (y * z + w * x), ww - xx - yy + zz};
    norm = ww + xx + yy + zz;
  }
};

}  // namespace

RelativePlacement::RelativePlacement(const Pose& a, const Pose& b) : a_(a), b_(b) {
  const Quat qa = near_unit_size(a.rotation()), qb = near_unit_size(b.rotation());
  const Vec3 d = b.translation() - a.translation();
  shift_ = std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z);
  const std::array<double, 9> ra = rotation_matrix(qa);
  t_ = {ra[0] * d.x + ra[3] * d.y + ra[6] * d.z, ra[1] * d.x + ra[4] * d.y + ra[7] * d.z,
        ra[2] * d.x + ra[5] * d.y + ra[8] * d.z};
  const bool same_rotation = a.rotation() == b.rotation();
  const bool permuting = permutes_axes(qa) && permutes_axes(qb);
  if (same_rotation) {
    r_ = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  } else {
    r_ = rotation_matrix(near_unit_size(quotient_rotation(qa, qb)));
    if (permuting)
      for (double& x : r_) x = std::round(x);
  }
  if (permuting) {
    // Products of integers with d are exact. Is d itself exact?
    const auto turn = [&](std::size_t i) {
      return std::round(ra[i]) * d.x + std::round(ra[i + 3]) * d.y + std::round(ra[i + 6]) * d.z;
    };
    t_ = {turn(0), turn(1), turn(2)};
    doubles_possible_ = true;
    for (int i = 0; i < 3; ++i) {
      double sum, error;
      two_sum(b.translation()[i], -a.translation()[i], sum, error);
      if (error != 0 || !std::isfinite(sum)) doubles_possible_ = false;
    }
  } else if (same_rotation && a.translation() == b.translation()) {
    doubles_possible_ = true;  // t_ is exactly zero
  }
}

std::optional<Vec3> RelativePlacement::place_exactly(const Vec3& x) const {
  if (!doubles_possible_) return std::nullopt;
  // One term of each row is a coordinate of x, the others are zero: exact.
  const Vec3 turned{r_[0] * x.x + r_[1] * x.y + r_[2] * x.z, r_[3] * x.x + r_[4] * x.y + r_[5] * x.z,
                    r_[6] * x.x + r_[7] * x.y + r_[8] * x.z};
  Vec3 placed;
  for (int i = 0; i < 3; ++i) {
    double error;
    two_sum(turned[i], t_[i], placed[i], error);
    if (error != 0 || !std::isfinite(placed[i])) return std::nullopt;
  }
  return placed;
}

const RelativePlacement::Exact& RelativePlacement::exact() const {
  if (exact_) return *exact_;
  const ExactRotation ra(a_.rotation()), rb(b_.rotation());
  Exact e;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      e.m[3 * i + j] = ra.m[i] * rb.m[j] + ra.m[3 + i] * rb.m[3 + j] + ra.m[6 + i] * rb.m[6 + j];
  const DyadicVec3 d = DyadicVec3(b_.translation()) - DyadicVec3(a_.translation());
  const auto turn = [&](std::size_t i) { return (ra.m[i] * d.x + ra.m[3 + i] * d.y + ra.m[6 + i] * d.z) * rb.norm; };
  e.t = DyadicVec3(turn(0), turn(1), turn(2));
  e.scale = ra.norm * rb.norm;
  exact_ = std::move(e);
  return *exact_;
}

const Dyadic& RelativePlacement::scale() const { return exact().scale; }

DyadicVec3 RelativePlacement::exact_a(const Vec3& x) const { return DyadicVec3(x) * exact().scale; }

DyadicVec3 RelativePlacement::exact_b(const Vec3& x) const {
  const Exact& e = exact();
  const DyadicVec3 p(x);
  const auto row = [&](std::size_t i, const Dyadic& t) {
    return e.m[i] * p.x + e.m[i + 1] * p.y + e.m[i + 2] * p.z + t;
  };
  return {row(0, e.t.x), row(3, e.t.y), row(6, e.t.z)};
}

}  // namespace graze::math
