// SPDX-License-Identifier: MIT
#include "engine/collide/fan_nodes.hpp"

#include <algorithm>
#include <cmath>

#include "math/vectors.hpp"

namespace graze::engine::collide {

namespace {

constexpr std::uint32_t many = 64;  // triangles around a vertex that make a fan worthwhile

}  // namespace

FanNodes::FanNodes(const body::BodyData& body) : positions_(body.mesh.positions()), uses_(body.mesh.vertex_count(), 0) {
  std::uint32_t most = 0;
  for (const Triangle& t : body.mesh.triangles())
    for (const std::uint32_t v : t) most = std::max(most, ++uses_[v]);
  for (const Vec3& x : positions_) largest_ = std::max(largest_, math::largest(x));
  // Otherwise squares might overflow or underflow.
  if (most < many || !(largest_ > 1e-140 && largest_ < 1e140)) return;
  const std::span<const bvh::WideNode> nodes = body.tree.tree.nodes;
  nodes_.resize(nodes.size());
  for (std::size_t i = nodes.size(); i-- > 0;)  // children are stored after their parents
    nodes_[i] = nodes[i].bottom ? around_triangles(body, nodes[i]) : around_children(nodes[i]);
}

/// The hub is the corner with most triangles.
bool FanNodes::fan_of(const Triangle& t, Fan& fan) const {
  Triangle sorted = t;
  std::sort(sorted.begin(), sorted.end(),
            [&](std::uint32_t x, std::uint32_t y) { return uses_[x] != uses_[y] ? uses_[x] > uses_[y] : x < y; });
  const auto [hub, second, third] = sorted;
  if (uses_[hub] < many || hub == second || second == third) return false;
  fan.hub = hub;
  fan.corners = {positions_[third], positions_[third]};
  if (uses_[second] >= many)
    fan.second = second;
  else
    fan.corners = united(fan.corners, {positions_[second], positions_[second]});
  for (const std::uint32_t v : {second, third}) {
    const Vec3 d = positions_[v] - positions_[hub];
    const double length = math::norm(d);
    if (!(length > 1e-140)) return false;
    const Vec3 unit = d * (1 / length);
    fan.directions = v == second ? VectorBox{unit, unit} : united(fan.directions, {unit, unit});
  }
  return true;
}

bool FanNodes::add(const Fan& fan, Node& node) const {
  for (int i = 0; i < node.count; ++i) {
    Fan& old = node.fans[i];
    if (old.hub != fan.hub) continue;
    old.directions = united(old.directions, fan.directions);
    if (old.second == fan.second) {
      old.corners = united(old.corners, fan.corners);
    } else {
      old.corners = united(all_corners(old), all_corners(fan));
      old.second = no_vertex;
    }
    return true;
  }
  if (node.count == 2) return false;
  node.fans[node.count++] = fan;
  return true;
}

FanNodes::Node FanNodes::around_triangles(const body::BodyData& body, const bvh::WideNode& bottom) const {
  Node node;
  for (std::uint32_t i = 0; i < bottom.count; ++i) {
    Fan fan;
    if (!fan_of(body.mesh.triangles()[body.tree.triangle(bottom.first + i)], fan) || !add(fan, node)) return {};
  }
  return node;
}

FanNodes::Node FanNodes::around_children(const bvh::WideNode& parent) const {
  Node node;
  for (const Node& child : std::span(nodes_.data() + parent.first, parent.count)) {
    if (child.count == 0) return {};
    for (int i = 0; i < child.count; ++i)
      if (!add(child.fans[i], node)) return {};
  }
  return node;
}

VectorBox FanNodes::all_corners(const Fan& fan) const {
  if (fan.second == no_vertex) return fan.corners;
  return united(fan.corners, {positions_[fan.second], positions_[fan.second]});
}

/// Error bounds, with u = 2^-53 and M the largest coordinate: a difference has an error of at most 2 M u and is at most
/// 2 M, so 2^-47 M covers it and the products (see `height_on_one_side`). Coordinates of directions are at most 1 with
/// an error below 2^-50. A coordinate of a cross product of differences is at most 8 M^2, with an error below 32 M^2 u.
bool FanNodes::meet_only_in_shared(const Fan& a, const Fan& b) const {
  if (a.hub != b.hub) {
    const VectorBox p = all_corners(a), q = all_corners(b);
    const VectorBox at_a{positions_[a.hub], positions_[a.hub]}, at_b{positions_[b.hub], positions_[b.hub]};
    return height_on_one_side<4, 0>({{{minus(p, q)}, {minus(at_a, at_b)}, {minus(p, at_b)}, {minus(at_a, q)}}},
                                    0x1p-47 * largest_) > 0;
  }
  if (a.second != no_vertex && a.second == b.second) {
    const Vec3 from = positions_[a.hub], edge = positions_[a.second] - from;
    return height_on_one_side<2, 0>({{{crossed(minus(a.corners, {from, from}), edge)},
                                      {negative(crossed(minus(b.corners, {from, from}), edge))}}},
                                    0x1p-45 * largest_ * largest_) > 0;
  }
  return height_on_one_side<2, 0>({{{a.directions}, {negative(b.directions)}}}, 0x1p-47) > 0;
}

bool FanNodes::meet_only_in_shared(std::uint32_t node_a, std::uint32_t node_b) const {
  const Node &a = nodes_[node_a], &b = nodes_[node_b];
  if (a.count == 0 || b.count == 0) return false;
  for (int i = 0; i < a.count; ++i)
    for (int j = 0; j < b.count; ++j)
      if (!meet_only_in_shared(a.fans[i], b.fans[j])) return false;
  return true;
}

}  // namespace graze::engine::collide
