// SPDX-License-Identifier: MIT
#include "engine/collide/star_cones.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/vectors.hpp"

namespace graze::engine::collide {

namespace {

constexpr std::uint32_t no_vertex = ~0u;
constexpr std::uint32_t many = 64;  // triangles around a vertex that make a cone worthwhile

// Directions have an error below 2^-50, angles between them, computed from both arguments of the arctangent, below
// 2^-48; a cone is merged from two such, over at most some tens of levels.
constexpr double margin = 0x1p-40;

double angle_between(const Vec3& a, const Vec3& b) { return std::atan2(math::norm(cross(a, b)), dot(a, b)); }

/// The direction from v to x; zero if double precision cannot determine it.
Vec3 direction(const Vec3& v, const Vec3& x) {
  const Vec3 d = x - v;
  const double size = std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z);
  return size > 1e-140 && size < 1e140 ? d * (1 / math::norm(d)) : Vec3{};
}

}  // namespace

StarCones::StarCones(const body::BodyData& body) {
  std::vector<std::uint32_t> uses(body.mesh.vertex_count(), 0);
  std::uint32_t most = 0;
  for (const Triangle& t : body.mesh.triangles())
    for (const std::uint32_t v : t) most = std::max(most, ++uses[v]);
  if (most < many) return;
  const std::span<const bvh::WideNode> nodes = body.tree.tree.nodes;
  cones_.resize(nodes.size());
  for (std::size_t i = nodes.size(); i-- > 0;)  // children are stored after their parents
    cones_[i] = nodes[i].bottom ? around_triangles(body, nodes[i], uses) : around_children(nodes[i]);
}

StarCones::Cone StarCones::around_triangles(const body::BodyData& body, const bvh::WideNode& bottom,
                                            const std::vector<std::uint32_t>& uses) const {
  const Cone none{no_vertex, {}, 0};
  const auto triangle = [&](std::uint32_t i) -> const Triangle& {
    return body.mesh.triangles()[body.tree.triangle(bottom.first + i)];
  };
  const Triangle& first = triangle(0);
  const std::uint32_t v = *std::max_element(first.begin(), first.end(),
                                            [&](std::uint32_t x, std::uint32_t y) { return uses[x] < uses[y]; });
  if (uses[v] < many) return none;
  const std::span<const Vec3> positions = body.mesh.positions();
  Vec3 directions[3 * bvh::WideNode::width], sum{};
  int n = 0;
  for (std::uint32_t i = 0; i < bottom.count; ++i) {
    const Triangle& t = triangle(i);
    if (std::find(t.begin(), t.end(), v) == t.end()) return none;
    for (const std::uint32_t corner : t) {
      if (corner == v) continue;
      const Vec3 d = direction(positions[v], positions[corner]);
      if (d == Vec3{}) return none;
      directions[n++] = d;
      sum = sum + d;
    }
  }
  Cone cone{v, direction({}, sum), 0};
  if (cone.axis == Vec3{}) return none;
  for (int i = 0; i < n; ++i) cone.angle = std::max(cone.angle, angle_between(cone.axis, directions[i]));
  return cone;
}

StarCones::Cone StarCones::around_children(const bvh::WideNode& node) const {
  const Cone none{no_vertex, {}, 0};
  const std::span<const Cone> children(cones_.data() + node.first, node.count);
  Vec3 sum{};
  for (const Cone& child : children) {
    if (child.vertex == no_vertex || child.vertex != children[0].vertex) return none;
    sum = sum + child.axis;
  }
  Cone cone{children[0].vertex, direction({}, sum), 0};
  if (cone.axis == Vec3{}) return none;
  for (const Cone& child : children)
    cone.angle = std::max(cone.angle, angle_between(cone.axis, child.axis) + child.angle);
  return cone;
}

bool StarCones::meet_only_in_vertex(std::uint32_t node_a, std::uint32_t node_b) const {
  const Cone &a = cones_[node_a], &b = cones_[node_b];
  if (a.vertex == no_vertex || a.vertex != b.vertex) return false;
  constexpr double right_angle = std::numbers::pi / 2;
  return a.angle < right_angle - margin && b.angle < right_angle - margin &&
         angle_between(a.axis, b.axis) > a.angle + b.angle + margin;
}

}  // namespace graze::engine::collide
