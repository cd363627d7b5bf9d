// SPDX-License-Identifier: MIT
#include <graze/body/tree_nodes.hpp>

#include <cmath>

#include "body/body_data.hpp"
#include "body/node_box.hpp"
#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "math/vectors.hpp"

namespace graze {
namespace {

using body::BodyData;
using bvh::WideNode;

void add_triangles(const BodyData& body, const WideNode& node, std::vector<std::uint32_t>& out) {
  for (std::uint32_t i = 0; i < node.count; ++i)
    if (node.bottom)
      out.push_back(body.tree.triangle(node.first + i));
    else
      add_triangles(body, body.tree.tree.nodes[node.first + i], out);
}

/// Of no length: the triangle has no area that doubles can tell.
Vec3 unit_normal(const BodyData& body, std::uint32_t triangle) {
  Vec3 edge[2];
  for (std::size_t k = 0; k < 2; ++k) {
    edge[k] = body.corner(triangle, k + 1) - body.corner(triangle, 0);
    const double size = math::scaled_length(edge[k]);  // so that products neither overflow nor vanish
    if (!(size > 0) || !std::isfinite(size)) return {};
    edge[k] = edge[k] * (1 / size);
    if (!is_finite(edge[k])) return {};
  }
  const Vec3 n = cross(edge[0], edge[1]);
  const double size = math::scaled_length(n);
  return size > 0 ? n * (1 / size) : Vec3{};
}

TreeNode seen(const BodyData& body, const WideNode& node) {
  const body::NodeBox box = node_box(body.tree, node);
  TreeNode out;
  out.box.add(box.centre - box.half);
  out.box.add(box.centre + box.half);
  std::vector<std::uint32_t> triangles;
  add_triangles(body, node, triangles);
  out.triangles = static_cast<std::uint32_t>(triangles.size());
  Vec3 sum;
  for (const std::uint32_t t : triangles) sum = sum + unit_normal(body, t);
  const double size = math::scaled_length(sum);
  if (!(size > 1e-9)) return out;
  out.normal_axis = sum * (1 / size);
  out.normal_cosine = 1;
  for (const std::uint32_t t : triangles) {
    const Vec3 n = unit_normal(body, t);
    if (n != Vec3{}) out.normal_cosine = std::fmin(out.normal_cosine, dot(n, out.normal_axis));
  }
  return out;
}

void add_level(const BodyData& body, const WideNode& node, int level, std::vector<TreeNode>& out) {
  if (level == 0 || node.bottom) return out.push_back(seen(body, node));
  for (std::uint32_t i = 0; i < node.count; ++i) add_level(body, body.tree.tree.nodes[node.first + i], level - 1, out);
}

}  // namespace

std::vector<TreeNode> tree_nodes(const Body& body, int level) {
  if (level < 0) throw Error(core::problem(ErrorCode::bad_option, "level", "must not be negative; the root is 0"));
  if (!body.has_mesh())
    throw Error(
        core::problem(ErrorCode::unsupported, "body",
                      "has no tree of triangles: it is a curved shape, a half-space or a compound; ask its pieces"));
  const core::FpGuard guard;
  std::vector<TreeNode> out;
  add_level(body.data(), body.data().tree.tree.nodes[0], level, out);
  return out;
}

}  // namespace graze
