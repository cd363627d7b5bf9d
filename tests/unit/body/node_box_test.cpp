// SPDX-License-Identifier: MIT
#include "body/node_box.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <graze/mesh/make.hpp>

#include "math/vectors.hpp"

namespace graze::body {
namespace {

void expect_inside(const NodeBox& box, const Vec3& x) {
  for (int k = 0; k < 3; ++k) ASSERT_LE(std::fabs(x[k] - box.centre[k]), box.half[k]);
  ASSERT_LE(math::scaled_length(x - box.centre), box.radius);
}

/// All corners below a node, as the mesh has them.
void check(const WideTree& t, const Mesh& mesh, const bvh::WideNode& node, const NodeBox& box) {
  for (std::uint32_t i = 0; i < node.count; ++i) {
    if (!node.bottom) {
      check(t, mesh, t.tree.nodes[node.first + i], box);
      continue;
    }
    for (const std::uint32_t v : mesh.triangles()[t.triangle(node.first + i)]) expect_inside(box, mesh.positions()[v]);
  }
}

Mesh placed(const Mesh& mesh, double scale, const Vec3& offset) {
  std::vector<Vec3> positions;
  for (const Vec3& p : mesh.positions()) positions.push_back(scale * (p + offset));
  return Mesh(std::move(positions), std::vector<Triangle>(mesh.triangles().begin(), mesh.triangles().end()));
}

TEST(NodeBox, HoldsEveryCornerOfANodeAndOfItsChildren) {
  const Mesh knot = make::torus_knot({.p = 2, .q = 3, .triangles = 700});
  for (const double scale : {0x1p-900, 0x1p-30, 1.0, 0x1p900})
    for (const Vec3& offset : {Vec3{}, Vec3{1e6, -3e5, 0.1}, Vec3{0, 1e12, 0}}) {
      const Mesh mesh = placed(knot, scale, offset);
      const WideTree t(mesh, 1);
      for (const bvh::WideNode& n : t.tree.nodes) {
        check(t, mesh, n, node_box(t, n));
        for (int i = 0; i < n.count; ++i) {
          const NodeBox box = node_box(t, n, i);
          const auto item = n.first + static_cast<std::uint32_t>(i);
          if (!n.bottom)
            check(t, mesh, t.tree.nodes[item], box);
          else
            for (const std::uint32_t v : mesh.triangles()[t.triangle(item)]) expect_inside(box, mesh.positions()[v]);
        }
      }
    }
}

}  // namespace
}  // namespace graze::body
