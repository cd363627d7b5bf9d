// SPDX-License-Identifier: MIT
#include "engine/first_contact/clocks/axis_ranges.hpp"

#include <algorithm>
#include <cmath>

#include "core/limits.hpp"
#include "math/vectors.hpp"

namespace graze::engine::first_contact {

namespace {

using math::norm;

Vec3 along_own_axes(const std::array<double, 9>& r, const Vec3& n) {
  return {r[0] * n.x + r[3] * n.y + r[6] * n.z, r[1] * n.x + r[4] * n.y + r[7] * n.z,
          r[2] * n.x + r[5] * n.y + r[8] * n.z};
}

/// The axis of the last rotation of a body; zero if it has none.
Vec3 axis_of(const motion::Path& path, const motion::Instant& now, const motion::JointAxes& axes) {
  Vec3 w = path.bounds().twist ? now.w : Vec3{};
  if (const motion::DirectedBounds* d = path.directed())
    for (std::size_t i = 0; i < d->count; ++i)
      if (const Vec3 x{axes.w[i][0], axes.w[i][1], axes.w[i][2]}; dot(x, x) > 0x1p-200) w = x;
  const double size = norm(w);
  return size > 0x1p-100 && size < 0x1p100 ? w * (1 / size) : Vec3{};
}

/// Along n, over the whole motion: the velocity of the reference point at the start, by how much the reference point
/// deviates from it at most, and by how much n turns as the body sees it.
struct Along {
  double velocity, deviation, turn;
};
std::optional<Along> along(const motion::Path& path, const motion::Instant& now, const motion::JointAxes& axes,
                           const Vec3& n) {
  constexpr double up = 1 + 0x1p-40;
  if (path.bounds().twist) return Along{dot(n, now.v), 0, norm(cross(n, now.w)) * up + 0x1p-50 * norm(now.w)};
  const motion::DirectedBounds* d = path.directed();
  if (!d) return std::nullopt;
  const motion::DirectedRise rise = motion::directed_rise(*d, axes, n, 1);
  return Along{dot(n, axes.slide), (rise.speed + rise.growth) * up, (rise.turn_speed + rise.turn_growth) * up};
}

}  // namespace

void AxisRanges::Ranges::fill(const body::BodyData& body, const Vec3& along, const Vec3& reference, double shift,
                              double widening) {
  const auto nodes = body.tree.tree.nodes;
  low.resize(nodes.size());
  high.resize(nodes.size());
  core::Poll poll;
  for (std::size_t k = nodes.size(); k-- > 0;) {  // children come after their parents
    poll.rarely();
    const bvh::WideNode& node = nodes[k];
    low[k] = math::infinity;
    high[k] = -math::infinity;
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      if (!node.bottom) {
        low[k] = std::min(low[k], low[i]);
        high[k] = std::max(high[k], high[i]);
        continue;
      }
      for (std::size_t corner = 0; corner < 3; ++corner) {
        const double x = shift + dot(along, body.corner(body.tree.triangle(i), corner) - reference);
        low[k] = std::min(low[k], x - widening);
        high[k] = std::max(high[k], x + widening);
      }
    }
  }
}

std::optional<AxisRanges> AxisRanges::make(const body::BodyData& a, const body::BodyData& b,
                                           const Kinematics& kinematics, double most) {
  const motion::Path &path_a = kinematics.a(), &path_b = kinematics.b();
  const Moment m = kinematics.at(0);
  for (const Vec3& n : {axis_of(path_a, m.a, m.axes_a), axis_of(path_b, m.b, m.axes_b)}) {
    if (n == Vec3{}) continue;
    const std::optional<Along> of_a = along(path_a, m.a, m.axes_a, n), of_b = along(path_b, m.b, m.axes_b, n);
    if (!of_a || !of_b) continue;
    const double turned = of_a->turn * farthest(a.mesh.box(), path_a.reference()) +
                          of_b->turn * farthest(b.mesh.box(), path_b.reference());
    const double moved = std::fabs(of_a->velocity - of_b->velocity) + of_a->deviation + of_b->deviation;
    const double widening = (turned + moved) * (1 + 0x1p-40);
    if (!(widening <= most)) continue;
    AxisRanges ranges(n, kinematics.rounding());
    ranges.a_.fill(a, along_own_axes(m.a.r, n), path_a.reference(), dot(n, m.a.o), widening);
    ranges.b_.fill(b, along_own_axes(m.b.r, n), path_b.reference(), dot(n, m.b.o), 0);
    return ranges;
  }
  return std::nullopt;
}

}  // namespace graze::engine::first_contact
