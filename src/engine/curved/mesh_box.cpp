// SPDX-License-Identifier: MIT
#include "engine/curved/mesh_box.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/curved/scaling.hpp"
#include "math/vectors.hpp"

namespace graze::engine::curved {

bool enters_box(const Vec3& half, const Vec3& p, const Vec3& q, std::uint32_t& face, double& at) {
  at = 0;
  bool found = false;
  double leave = 1;
  for (int k = 0; k < 3; ++k) {
    const double d = q[k] - p[k];
    if (d == 0) {
      if (!(std::fabs(p[k]) < half[k])) return false;
      continue;
    }
    const double in = (std::copysign(half[k], -d) - p[k]) / d, out = (std::copysign(half[k], d) - p[k]) / d;
    if (in > at) {
      at = in;
      face = 2 * static_cast<std::uint32_t>(k) + (d < 0 ? 1u : 0u);
      found = true;
    }
    leave = std::min(leave, out);
  }
  return found && at < leave;
}

/// The corner that only this triangle of the face has is nearer, with lengths measured in sides of the box.
std::uint32_t triangle_of_face(const Mesh& box, std::uint32_t face, const Vec3& half, const Vec3& p) {
  const auto [t0, t1] = box.triangles_of(PolygonId{face});
  const auto triangles = box.triangles();
  double least = math::infinity;
  std::uint32_t best = t0;
  for (std::uint32_t t = t0; t < t1; ++t) {
    const std::uint32_t other = t == t0 ? t1 - 1 : t0;
    for (const std::uint32_t v : triangles[t]) {
      if (std::find(triangles[other].begin(), triangles[other].end(), v) != triangles[other].end()) continue;
      double d = 0;
      for (int k = 0; k < 3; ++k)
        if (half[k] > 0) {
          const double x = (box.positions()[v][k] - p[k]) / half[k];
          d += x * x;
        }
      if (d < least) least = d, best = t;
    }
  }
  return best;
}

namespace {

/// Everything in the box's frame. A corner there is within `error` of the exact one: as for shape::rounding, relative
/// to the largest coordinate.
class MeshBox {
 public:
  MeshBox(const body::BodyData& mesh, const body::BodyData& box, const math::RelativePlacement& placement,
          Counters& counters)
      : mesh_(mesh), box_(box), half_(box.core->half), t_(placement.translation()), counters_(counters) {
    const std::array<double, 9>& r = placement.rotation();
    for (int k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(k);
      axis_[i] = {r[i], r[3 + i], r[6 + i]};
      size_in_mesh_[k] =
          half_.x * std::fabs(r[3 * i]) + half_.y * std::fabs(r[3 * i + 1]) + half_.z * std::fabs(r[3 * i + 2]);
    }
    const Box3& bounds = mesh.mesh.box();
    const double largest =
        std::max(math::largest(bounds.lo), math::largest(bounds.hi)) + placement.shift() + box.core->reach();
    error_ = 0x1p-39 * largest;
    const body::FloatFrame& frame = mesh.tree.frame;
    usable_ = largest > 0x1p-300 && largest < 0x1p300 && frame.exponent > -300 && frame.exponent < 300;
    if (!usable_) return;
    // Boxes of the tree are asked in its own units, so that nothing is to be computed of each before.
    const double unit = power_of_two(-frame.exponent);
    t_in_tree_ = (t_ - frame.centre) * unit;
    half_in_tree_ = half_ * unit;
    size_in_tree_ = size_in_mesh_ * unit;
    error_in_tree_ = error_ * unit;
  }

  MeshBoxAnswer look() {
    if (!usable_) return {};
    std::array<std::uint32_t, 256> stack;  // a path of a tree of eight children each
    std::size_t size = 0;
    stack[size++] = 0;
    while (size > 0) {
      const bvh::WideNode& node = mesh_.tree.tree.nodes[stack[--size]];
      ++counters_.node_pairs;
      struct Child {
        int index;
        double off;
      };
      std::array<Child, bvh::WideNode::width> near;
      std::size_t n = 0;
      for (int i = 0; i < node.count; ++i) {
        ++counters_.box_tests;
        if (const double off = off_surface(node, i); off >= 0) near[n++] = {i, off};
      }
      if (node.bottom) {
        for (std::size_t i = 0; i < n; ++i) {
          if (look_at(mesh_.tree.triangle(node.first + static_cast<std::uint32_t>(near[i].index)))) return answer_;
        }
        continue;
      }
      if (size + n > stack.size()) return {};
      // The one whose middle is nearest to the surface comes first: there crossings are.
      std::sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(n),
                [](const Child& x, const Child& y) { return x.off != y.off ? x.off > y.off : x.index > y.index; });
      for (std::size_t i = 0; i < n; ++i) stack[size++] = node.first + static_cast<std::uint32_t>(near[i].index);
    }
    answer_.kind = open_ ? MeshBoxAnswer::Kind::unknown : MeshBoxAnswer::Kind::apart;
    return answer_;
  }

 private:
  Vec3 in_box(const Vec3& x) const {
    const Vec3 d = x - t_;
    return {dot(axis_[0], d), dot(axis_[1], d), dot(axis_[2], d)};
  }

  /// How far the middle of a box of the tree is from the surface, roughly. Negative: it is apart from the box along a
  /// normal of one of the two, or inside, where nothing crosses the surface (but then the bodies are in contact). The
  /// bounds are widened by 2^-21, as `child_box` does.
  double off_surface(const bvh::WideNode& node, int child) {
    Vec3 middle, size;
    for (int k = 0; k < 3; ++k) {
      const double lo = static_cast<double>(node.low(k, child)), hi = static_cast<double>(node.high(k, child));
      size[k] = 0.5 * (hi - lo) + 0x1p-21;
      middle[k] = 0.5 * (lo + hi) - t_in_tree_[k];
      if (std::fabs(middle[k]) > size[k] + size_in_tree_[k] + error_in_tree_) return -1;
    }
    double beyond = -math::infinity, deepest = -math::infinity;
    for (int k = 0; k < 3; ++k) {
      const Vec3& a = axis_[static_cast<std::size_t>(k)];
      const double reach = size.x * std::fabs(a.x) + size.y * std::fabs(a.y) + size.z * std::fabs(a.z);
      const double out = std::fabs(dot(a, middle)) - half_in_tree_[k];
      if (out > reach + error_in_tree_) return -1;
      beyond = std::max(beyond, out);
      deepest = std::max(deepest, out + reach);
    }
    if (deepest < -error_in_tree_) {
      open_ = true;
      return -1;
    }
    return std::fabs(beyond);
  }

  /// Are all corners beyond the box along n? Whatever n is: only the products are rounded, which the margin covers.
  bool apart_along(const Vec3& n, const Vec3* y) const {
    const double size = std::fabs(n.x) + std::fabs(n.y) + std::fabs(n.z);
    const double reach =
        half_.x * std::fabs(n.x) + half_.y * std::fabs(n.y) + half_.z * std::fabs(n.z) + 2 * error_ * size;
    const double a = dot(n, y[0]), b = dot(n, y[1]), c = dot(n, y[2]);
    return std::min({a, b, c}) > reach || std::max({a, b, c}) < -reach;
  }

  bool apart(const Vec3* y) const {
    const Vec3 edges[3] = {y[1] - y[0], y[2] - y[1], y[0] - y[2]};
    if (apart_along(cross(edges[0], edges[1]), y)) return true;
    for (const Vec3& e : edges)
      if (apart_along({0, -e.z, e.y}, y) || apart_along({e.z, 0, -e.x}, y) || apart_along({-e.y, e.x, 0}, y))
        return true;
    return false;
  }

  /// True: it seems to cross the surface.
  bool look_at(std::uint32_t triangle) {
    ++counters_.triangle_tests;
    const Vec3 y[3] = {in_box(mesh_.corner(triangle, 0)), in_box(mesh_.corner(triangle, 1)),
                       in_box(mesh_.corner(triangle, 2))};
    for (int k = 0; k < 3; ++k) {
      const double limit = half_[k] + 2 * error_;
      if (std::min({y[0][k], y[1][k], y[2][k]}) > limit || std::max({y[0][k], y[1][k], y[2][k]}) < -limit) return false;
    }
    for (std::size_t i = 0; i < 3; ++i)
      for (const std::size_t j : {(i + 1) % 3, (i + 2) % 3}) {
        std::uint32_t face;
        double at;
        if (!enters_box(half_, y[i], y[j], face, at)) continue;
        answer_ = {MeshBoxAnswer::Kind::crossing, triangle,
                   triangle_of_face(box_.mesh, face, half_, y[i] + (y[j] - y[i]) * at)};
        return true;
      }
    open_ = open_ || !apart(y);
    return false;
  }

  const body::BodyData& mesh_;
  const body::BodyData& box_;
  Vec3 half_, t_;
  Counters& counters_;
  std::array<Vec3, 3> axis_;  ///< of the box, in the mesh's frame
  Vec3 size_in_mesh_;         ///< how far the box reaches along the mesh's axes
  double error_ = 0;
  Vec3 t_in_tree_, half_in_tree_, size_in_tree_;  ///< the same in the units of the mesh's tree
  double error_in_tree_ = 0;
  bool usable_ = false;
  bool open_ = false;  ///< something may touch, or is inside
  MeshBoxAnswer answer_;
};

}  // namespace

MeshBoxAnswer look_at_box(const body::BodyData& mesh, const body::BodyData& box,
                          const math::RelativePlacement& placement, Counters& counters) {
  return MeshBox(mesh, box, placement, counters).look();
}

}  // namespace graze::engine::curved
