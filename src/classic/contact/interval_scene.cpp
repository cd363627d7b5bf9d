// SPDX-License-Identifier: MIT
#include "classic/contact/interval_scene.hpp"

#include <algorithm>
#include <cmath>

#include "math/vectors.hpp"

#include <graze/core/portability.hpp>

namespace graze::classic::contact {
namespace {

using math::largest;

double largest(const Box3& b) { return std::max(largest(b.lo), largest(b.hi)); }

/// For a caller-defined motion the placement refers to the body's origin.
Vec3 reference_of(const motion::Path& path) { return path.kinematic() ? path.reference() : Vec3{}; }

/// A power of two that scales lengths to near 1, if products of six of them might overflow or underflow; otherwise 1.
double scale_for(double size) {
  if (!(size > 0) || !std::isfinite(size)) return 1;
  const int exponent = std::ilogb(size);
  if (exponent > -60 && exponent < 60) return 1;
  return std::scalbn(1.0, std::clamp(-exponent, -1000, 1000));
}

}  // namespace

IntervalScene::IntervalScene(const motion::Path& a, const Box3& box_a, const motion::Path& b, const Box3& box_b,
                             double tolerance_, double rounding_)
    : a_(a), b_(b), kinematic_(a.kinematic() && b.kinematic()), known_(256) {
  units_.origin = a.placement(0).apply(reference_of(a));
  if (!is_finite(units_.origin)) units_.origin = {};
  double size = std::max(largest(box_a), largest(box_b));
  size = std::max({size, largest(reference_of(a)), largest(reference_of(b))});
  for (const motion::Path* path : {&a, &b}) {
    for (const double t : {0.0, 1.0}) {
      const Vec3 at = path->placement(t).apply(reference_of(*path)) * 0.5 - units_.origin * 0.5;
      size = std::max(size, largest(at));
    }
  }
  units_.scale = scale_for(size);
  tolerance = tolerance_ * units_.scale;
  rounding = rounding_ * units_.scale;
  reference_a_ = reference_of(a) * units_.scale;
  reference_b_ = reference_of(b) * units_.scale;
  if (!(reference_a_ == Vec3{}) || !(reference_b_ == Vec3{})) {
    // x - reference is rounded in each coordinate, by 2^-53 of the magnitudes of its terms.
    local_error_ =
        0x1p-50 * ((largest(box_a) + largest(box_b)) * units_.scale + largest(reference_a_) + largest(reference_b_));
  }
  body_a_ = speeds(a);
  body_b_ = speeds(b);
}

IntervalScene::Speeds IntervalScene::speeds(const motion::Path& path) const {
  if (!path.kinematic()) return {};
  const motion::Bounds& bounds = path.bounds();
  Speeds s{bounds.speed * units_.scale, bounds.turn_speed, {}};
  const motion::Instant now = path.at(0, units_.origin);
  const double w = std::sqrt(dot(now.w, now.w));
  if (!bounds.twist || !(w > 0)) return s;
  // A twist rotates about an axis that is fixed in the body as well.
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    s.axis[k] = (now.r[i] * now.w.x + now.r[3 + i] * now.w.y + now.r[6 + i] * now.w.z) / w;
  }
  return s;
}

const IntervalFrames& IntervalScene::over(double lo, double hi) {
  const std::uint64_t mixed = (core::bit_cast<std::uint64_t>(lo) * 0x9E3779B97F4A7C15u) ^
                              (core::bit_cast<std::uint64_t>(hi) * 0xC2B2AE3D27D4EB4Fu);
  IntervalFrames& f = known_[(mixed >> 40) % known_.size()];
  if (f.lo_ == lo && f.hi_ == hi) return f;
  f.lo_ = lo;
  f.hi_ = hi;
  f.a_ = prim::over(a_, lo, hi, units_);
  f.b_ = prim::over(b_, lo, hi, units_);
  f.b_in_a = prim::relative(f.a_, f.b_);
  f.b_in_a.rest += local_error_;
  f.local_error_ = local_error_;
  f.has_a_in_b_ = false;
  return f;
}

const prim::MovingFrame& IntervalFrames::a_in_b() const {
  if (!has_a_in_b_) {
    a_in_b_ = prim::relative(b_, a_);
    a_in_b_.rest += local_error_;
    has_a_in_b_ = true;
  }
  return a_in_b_;
}

IntervalScene::Place IntervalScene::place(const motion::Path& path, double t) const {
  if (path.kinematic()) {
    const motion::Instant now = path.at(t, units_.origin);
    return {now.r, now.o * units_.scale};
  }
  const Placement p = path.placement(t);
  return {p.r, (p.t - units_.origin) * units_.scale};
}

IntervalScene::Placed IntervalScene::place(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, double t) const {
  const Place at_a = place(a_, t), at_b = place(b_, t);
  Placed placed;
  for (std::size_t k = 0; k < 3; ++k) {
    placed.a[k] = at_a.apply(a[k]);
    placed.b[k] = at_b.apply(b[k]);
  }
  return placed;
}

}  // namespace graze::classic::contact
