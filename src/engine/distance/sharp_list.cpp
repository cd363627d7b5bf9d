// SPDX-License-Identifier: MIT
#include "engine/distance/sharp_list.hpp"

#include <algorithm>
#include <cmath>

#include "core/limits.hpp"
#include "math/vectors.hpp"

namespace graze::engine::distance {

using math::DoubleDouble;

namespace {

/// The corner of the box that is furthest from the origin.
Vec3 furthest(const Box3& box) {
  const auto larger = [](double lo, double hi) { return std::max(std::fabs(lo), std::fabs(hi)); };
  return {larger(box.lo.x, box.hi.x), larger(box.lo.y, box.hi.y), larger(box.lo.z, box.hi.z)};
}

}  // namespace

SharpList::SharpList(const DistanceQuery& q) : q_(q), placement_(q.pose_a, q.pose_b) {
  // One bound for all corners: B's coordinates in A's frame are below their 1-norm and the shift.
  const Vec3 b = furthest(q.b.mesh.box());
  error_ = placement_.error(b) * (1 + 0x1p-50);
  size_ = std::max(math::largest(furthest(q.a.mesh.box())), (b.x + b.y + b.z + placement_.shift()) * (1 + 0x1p-50));
  usable_ = size_ > 0x1p-190 && size_ < 0x1p190;
}

SharpList::Corner& SharpList::corner(bool of_b, std::uint32_t vertex) {
  Corner& c = (of_b ? b_ : a_)[vertex % kept];
  if (c.vertex == vertex) return c;
  const Vec3& x = (of_b ? q_.b : q_.a).mesh.positions()[vertex];
  c.vertex = vertex;
  c.place = of_b ? placement_.place(x) : math::DoubleDoubleVec3(x);
  c.along.reset();
  return c;
}

const DoubleDouble& SharpList::along(bool of_b, std::uint32_t vertex, const prim::SharpDirection& d) {
  Corner& c = corner(of_b, vertex);
  if (!c.along) c.along = dot(d.n, c.place);
  return *c.along;
}

void SharpList::forget_directions() {
  for (auto* corners : {&a_, &b_})
    for (Corner& c : *corners) c.along.reset();
}

std::optional<prim::SharpBracket> SharpList::bracket(const Candidate& c) {
  prim::SharpCorners s;
  for (std::size_t k = 0; k < 3; ++k) {
    s.a[k] = corner(false, q_.a.mesh.triangles()[c.a][k]).place;
    s.b[k] = corner(true, q_.b.mesh.triangles()[c.b][k]).place;
  }
  s.error = error_;
  s.size = size_;
  return prim::sharp_bracket(s, c.closest);
}

double SharpList::lower_along(const Candidate& c, const prim::SharpDirection& d) {
  const Triangle &ta = q_.a.mesh.triangles()[c.a], &tb = q_.b.mesh.triangles()[c.b];
  DoubleDouble highest = along(false, ta[0], d), lowest = along(true, tb[0], d);
  for (std::size_t k = 1; k < 3; ++k) {
    const DoubleDouble &x = along(false, ta[k], d), &y = along(true, tb[k], d);
    if (highest < x) highest = x;
    if (y < lowest) lowest = y;
  }
  return prim::sharp_gap(d, highest, lowest, error_, size_);
}

std::optional<SharpList::Nearest> SharpList::nearest(const CandidateList& list, double relative_error,
                                                     Counters& counters) {
  if (!usable_ || list.empty()) return std::nullopt;
  const auto first = std::min_element(list.begin(), list.end(),
                                      [](const Candidate& x, const Candidate& y) { return x.rounded < y.rounded; });
  const Candidate* best = &*first;
  ++counters.triangle_distances;
  std::optional<prim::SharpBracket> found = bracket(*best);
  if (!found || !(found->lower > 0)) return std::nullopt;  // most likely a crossing, which no bracket can settle
  forget_directions();
  double least = found->lower;
  core::Poll poll;
  for (const Candidate& c : list) {
    poll.rarely();
    // Most of the others are kept away by the same plane.
    double lower = lower_along(c, found->direction);
    if (!(found->upper - lower <= relative_error * lower) && &c != best) {
      ++counters.triangle_distances;
      const std::optional<prim::SharpBracket> own = bracket(c);
      if (!own) return std::nullopt;
      lower = std::max(lower, own->lower);
      if (own->upper < found->upper) {
        found = own;
        best = &c;
        forget_directions();
      }
    }
    if (!(lower > 0)) return std::nullopt;
    least = std::min(least, lower);
  }
  if (!(found->upper - least <= relative_error * least)) return std::nullopt;
  return Nearest{*best, found->rounded};
}

}  // namespace graze::engine::distance
