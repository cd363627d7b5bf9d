// SPDX-License-Identifier: MIT
#include "engine/first_contact/pair/kinematics.hpp"

#include <algorithm>
#include <cmath>

namespace graze::engine::first_contact {

double farthest(const Box3& box, const Vec3& from) {
  const auto reach = [](double lo, double hi, double x) { return std::max(std::fabs(lo - x), std::fabs(hi - x)); };
  return length({reach(box.lo.x, box.hi.x, from.x), reach(box.lo.y, box.hi.y, from.y),
                 reach(box.lo.z, box.hi.z, from.z)}) *
         (1 + 0x1p-50);
}

Kinematics::Kinematics(const body::BodyData& a, const motion::Path& motion_a, const body::BodyData& b,
                       const motion::Path& motion_b)
    : a_(motion_a), b_(motion_b), origin_(motion_b.at(0).o) {
  const Moment start = at(0);
  // A corner x is placed at o + r (x - reference), and is projected on a unit direction n together with its velocity v
  // + w x r. Over a step of at most 1 in time, position and travelled distance are sums of terms whose sizes add up to
  // less than `size`, and each term passes fewer than 16 roundings before a comparison; 128 eps is more than enough.
  // Acceleration bounds are not included here: the relative error of the step that they lead to is covered where the
  // step is shortened.
  double size = length(start.a.o) + length(start.b.o);
  rounding_ = 0;
  const auto add = [&](const body::BodyData& body, const motion::Path& path) {
    const motion::Bounds& m = path.bounds();
    const double r = farthest(body.mesh.box(), path.reference());
    size += r + m.speed + m.turn_speed * r;
    rounding_ += m.error + m.turn_error * r + m.velocity_error + m.turn_velocity_error * r;
  };
  add(a, a_);
  add(b, b_);
  rounding_ += 128 * 0x1p-53 * size + underflow_bound;
}

}  // namespace graze::engine::first_contact
