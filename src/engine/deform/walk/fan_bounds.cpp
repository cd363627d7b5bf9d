// SPDX-License-Identifier: MIT
#include "engine/deform/walk/fan_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "core/chunks.hpp"
#include "engine/deform/tree/tree_branches.hpp"
#include "math/vectors.hpp"

namespace graze::engine::deform {

using collide::height_on_one_side;
using collide::VectorBox;

namespace {

constexpr std::size_t many_in_fan = 64;  // triangles around a vertex that make a fan worthwhile

VectorBox point(const Vec3& x) { return {x, x}; }

VectorBox mean(const VectorBox& a, const VectorBox& b) { return {a.lo * 0.5 + b.lo * 0.5, a.hi * 0.5 + b.hi * 0.5}; }

/// An upper bound of the lengths of all vectors in the box, but for rounding.
double longest(const VectorBox& b) {
  return math::norm({std::max(-b.lo.x, b.hi.x), std::max(-b.lo.y, b.hi.y), std::max(-b.lo.z, b.hi.z)});
}

}  // namespace

void FanBounds::refit(const Topology& topology, const PatchTree& tree, const DopTree& dops, int threads) {
  topology_ = &topology;
  dops_ = &dops;
  bool fans = false;
  for (std::uint32_t v = 0; v < topology.vertex_count(); ++v) fans |= topology.around(v).size() >= many_in_fan;
  nodes_.resize(fans ? tree.nodes.size() : 0);
  if (!fans) return;
  bottom_up(tree, threads, [&](std::uint32_t i) {
    const PatchNode& n = tree.nodes[i];
    Node node;
    bool usable = true;
    if (n.is_leaf()) {
      for (std::uint32_t k = n.begin; k < n.end && usable; ++k) {
        Fan fan;
        usable = fan_of(topology.triangle(tree.items[k]), fan) && add(fan, node);
      }
    } else {
      for (const Node* child : {&nodes_[n.child], &nodes_[n.child + 1]}) {
        usable &= child->count > 0;
        for (int k = 0; k < child->count && usable; ++k) usable = add(child->fans[k], node);
      }
    }
    if (!usable) node.count = 0;
    nodes_[i] = node;
  });
  std::uint32_t count = 0;
  for (Node& node : nodes_)
    for (int k = 0; k < node.count; ++k) node.fans[k].seen = count++;
  seen_.resize(count);
  core::in_chunks(nodes_.size(), threads, [&](std::size_t i) {
    for (int k = 0; k < nodes_[i].count; ++k) seen_[nodes_[i].fans[k].seen] = seen(nodes_[i].fans[k]);
  });
}

FanBounds::Seen FanBounds::seen(const Fan& fan) const {
  Seen s{};
  Vec3 edge[2];
  VectorBox x[2];
  for (int e = 0; e < 2; ++e) {
    const Vec3 from = position(fan.hub, e);
    s.largest[e] = static_cast<float>(math::largest(from));
    for (int k = 0; k < 3; ++k)
      s.largest[e] = std::max({s.largest[e], std::fabs(fan.corners.lo[e][k]), std::fabs(fan.corners.hi[e][k])});
    x[e] = minus(box(fan.corners, e), point(from));
    if (fan.second == Topology::none) continue;
    const Vec3 to = position(fan.second, e);
    s.largest[e] = std::max(s.largest[e], static_cast<float>(math::largest(to)));
    edge[e] = to - from;
    s.reach[e] = std::max(longest(x[e]), longest(minus(x[e], point(edge[e]))));
  }
  if (fan.second == Topology::none) {
    s.corners[0] = x[0];
    s.corners[1] = x[1];
  } else {
    s.corners[0] = crossed(x[0], edge[0]);
    s.corners[1] = mean(crossed(x[0], edge[1]), crossed(x[1], edge[0]));
    s.corners[2] = crossed(x[1], edge[1]);
  }
  return s;
}

void FanBounds::widen(CornerBounds& bounds, std::uint32_t vertex) const {
  const VertexProjection& p = dops_->vertex(vertex);
  for (int e = 0; e < 2; ++e)
    for (int k = 0; k < 3; ++k) {
      bounds.lo[e][k] = std::min(bounds.lo[e][k], p.at[e][k]);
      bounds.hi[e][k] = std::max(bounds.hi[e][k], p.at[e][k]);
    }
}

/// The hub is the corner with most triangles. A loose edge from a to b is the triangle a, b, b: one corner beside the
/// hub.
bool FanBounds::fan_of(const Triangle& t, Fan& fan) const {
  const auto uses = [&](std::uint32_t v) { return topology_->around(v).size(); };
  Triangle sorted = t;
  std::sort(sorted.begin(), sorted.end(),
            [&](std::uint32_t x, std::uint32_t y) { return uses(x) != uses(y) ? uses(x) > uses(y) : x < y; });
  const auto [hub, second, third] = sorted;
  if (uses(hub) < many_in_fan || hub == second) return false;
  fan.hub = hub;
  const VertexProjection& p = dops_->vertex(third);
  for (int e = 0; e < 2; ++e)
    for (int k = 0; k < 3; ++k) fan.corners.lo[e][k] = fan.corners.hi[e][k] = p.at[e][k];
  if (uses(second) >= many_in_fan && second != third) {
    fan.second = second;
    fan.third = third;
  } else {
    widen(fan.corners, second);
  }
  return true;
}

FanBounds::CornerBounds FanBounds::all_corners(const Fan& fan) const {
  CornerBounds all = fan.corners;
  if (fan.second != Topology::none) widen(all, fan.second);
  return all;
}

bool FanBounds::add(const Fan& fan, Node& node) const {
  for (int i = 0; i < node.count; ++i) {
    Fan& old = node.fans[i];
    if (old.hub != fan.hub) continue;
    const bool same = old.second == fan.second;
    const CornerBounds more = same ? fan.corners : all_corners(fan);
    if (!same) {
      old.corners = all_corners(old);
      old.second = Topology::none;
    }
    if (!same || old.third != fan.third) old.third = Topology::none;
    for (int e = 0; e < 2; ++e)
      for (int k = 0; k < 3; ++k) {
        old.corners.lo[e][k] = std::min(old.corners.lo[e][k], more.lo[e][k]);
        old.corners.hi[e][k] = std::max(old.corners.hi[e][k], more.hi[e][k]);
      }
    return true;
  }
  if (node.count == 2) return false;
  node.fans[node.count++] = fan;
  return true;
}

VectorBox FanBounds::box(const CornerBounds& bounds, int end) const {
  const float *lo = bounds.lo[end], *hi = bounds.hi[end];
  return {{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}};
}

Vec3 FanBounds::position(std::uint32_t v, int end) const {
  const float* at = dops_->vertex(v).at[end];
  return {at[0], at[1], at[2]};
}

/// Half of what two fans must be apart along a direction, for vertices as rounded to single precision: four times the
/// rounding of their coordinates (2^-24 of the largest) and 0.7 of the margin. So features that are at least four of it
/// apart are apart by more than the margin. Rounding errors in double precision are far below that.
double FanBounds::slack(const Fan& a, const Fan& b, int ends) const {
  const Seen &x = seen_[a.seen], &y = seen_[b.seen];
  float largest = std::max(x.largest[0], y.largest[0]);
  if (ends == 2) largest = std::max({largest, x.largest[1], y.largest[1]});
  return double{dops_->slack()} + 0x1p-22 * largest;
}

bool FanBounds::apart(const Fan& a, const Fan& b, int ends) const {
  if (a.hub == b.hub && a.second == b.second) {
    if (a.second == Topology::none) return apart_at_hub(a, b, ends);
    // Of the same face no two features are without a common vertex; but at the start it meets itself.
    const bool same_face = ends == 2 && a.third == b.third && a.third != Topology::none;
    return same_face || apart_at_edge(a, b, ends);
  }
  return apart_at_hubs(a, b, ends);
}

bool FanBounds::apart_at_hub(const Fan& a, const Fan& b, int ends) const {
  const Seen &x = seen_[a.seen], &y = seen_[b.seen];
  const double least = 4 * slack(a, b, ends);
  if (ends == 1) return height_on_one_side<2, 0>({{{x.corners[0]}, {negative(y.corners[0])}}}, least) > 0;
  return height_on_one_side<2, 1>({{{x.corners[0], x.corners[1]}, {negative(y.corners[0]), negative(y.corners[1])}}},
                                  least) > 0;
}

/// With different hubs, or one of them with a second hub.
bool FanBounds::apart_at_hubs(const Fan& a, const Fan& b, int ends) const {
  const CornerBounds p = all_corners(a), q = all_corners(b);
  collide::MovingVectors<4, 1> u;
  for (int e = 0; e < ends; ++e) {
    const VectorBox at_a = point(position(a.hub, e)), at_b = point(position(b.hub, e));
    u.of[0][e] = minus(box(p, e), at_b);
    u.of[1][e] = minus(at_a, box(q, e));
    u.of[2][e] = minus(box(p, e), box(q, e));
    u.of[3][e] = minus(at_a, at_b);
  }
  const double least = 4 * slack(a, b, ends);
  if (a.hub != b.hub) {
    if (ends == 2) return height_on_one_side(u, least) > 0;
    return height_on_one_side<4, 0>({{{u.of[0][0]}, {u.of[1][0]}, {u.of[2][0]}, {u.of[3][0]}}}, least) > 0;
  }
  if (ends == 2) return height_on_one_side<2, 1>({{{u.of[0][0], u.of[0][1]}, {u.of[1][0], u.of[1][1]}}}, least) > 0;
  return height_on_one_side<2, 0>({{{u.of[0][0]}, {u.of[1][0]}}}, least) > 0;
}

/// Triangles (p, q, x) and (p, q, y), e = q - p. For any m, which may move linearly, the plane through p and q whose
/// normal is e cross m has x on its positive side if m . ((x - p) cross e) > 0, a product of two linear functions of
/// time and m; y is on the other side if the same is negative. With |m|_1 at most 1, x and y are at least h = height /
/// max |e| from the plane; so is one from the other's face. Now the edges from p to x and from q to y: points at
/// fractions s and r of them are at least (s + r) h from each other, because they are on different sides, and at least
/// |e| - (s + r) L, where L bounds the edges' lengths. The larger of the two is at least h |e| / (h + L).
bool FanBounds::apart_at_edge(const Fan& a, const Fan& b, int ends) const {
  const Seen &x = seen_[a.seen], &y = seen_[b.seen];
  const Vec3 first = position(a.second, 0) - position(a.hub, 0);
  Vec3 last = first;
  double reach = std::max(x.reach[0], y.reach[0]);
  if (ends == 2) {
    last = position(a.second, 1) - position(a.hub, 1);
    reach = std::max({reach, x.reach[1], y.reach[1]});
  }
  const Vec3 along = first + last;
  const double longest_edge = std::max(math::norm(first), math::norm(last));
  const double shortest_edge = std::min(dot(first, along), dot(last, along)) / math::norm(along);
  // A coordinate of a cross product is at most 2 `reach` `longest_edge`, with an error of at most 2^-50 of that.
  const double least = 0x1p-45 * reach * longest_edge;
  double height;
  if (ends == 1)
    height = height_on_one_side<2, 0>({{{x.corners[0]}, {negative(y.corners[0])}}}, least);
  else
    height = height_on_one_side<2, 2>({{{x.corners[0], x.corners[1], x.corners[2]},
                                        {negative(y.corners[0]), negative(y.corners[1]), negative(y.corners[2])}}},
                                      least);
  const double h = height / longest_edge;
  const double needed = 4.01 * slack(a, b, ends);
  return h > needed && h * shortest_edge / (h + reach) > needed;
}

bool FanBounds::apart(std::uint32_t node_a, std::uint32_t node_b, int ends) const {
  const Node &a = nodes_[node_a], &b = nodes_[node_b];
  if (a.count == 0 || b.count == 0) return false;
  for (int i = 0; i < a.count; ++i)
    for (int j = 0; j < b.count; ++j)
      if (!apart(a.fans[i], b.fans[j], ends)) return false;
  return true;
}

}  // namespace graze::engine::deform
