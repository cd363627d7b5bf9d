// SPDX-License-Identifier: MIT
#include "engine/first_contact/spans/feature_pairs.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_map>

#include "body/features.hpp"

namespace graze::engine::first_contact {

namespace {

constexpr std::uint8_t whole_triangle = 3;

/// The corners and edges that a triangle represents.
struct Represented {
  std::array<bool, 3> vertex{}, edge{};
};

class Representatives {
 public:
  explicit Representatives(const body::BodyData& body) : body_(body) {}

  const Represented& of(std::uint32_t triangle) {
    const auto [at, is_new] = known_.try_emplace(triangle);
    if (is_new) at->second = find(triangle);
    return at->second;
  }

 private:
  Represented find(std::uint32_t triangle) const {
    Represented r;
    const Triangle& corners = body_.mesh.triangles()[triangle];
    for (std::size_t k = 0; k < 3; ++k) {
      r.vertex[k] = body_.vertex_triangles().of(corners[k]).front() == triangle &&
                    std::find(corners.begin(), corners.begin() + static_cast<int>(k), corners[k]) ==
                        corners.begin() + static_cast<int>(k);
      r.edge[k] = is_feature(triangle, k) && !met_before(triangle, k);
    }
    return r;
  }

  bool is_feature(std::uint32_t triangle, std::size_t k) const {
    return !diagonal(triangle, k) || !body_.mesh.is_planar(body_.mesh.polygon_of(TriangleId{triangle}));
  }
  bool diagonal(std::uint32_t triangle, std::size_t k) const {
    return body_.mesh.is_diagonal(TriangleId{triangle}, static_cast<int>(k));
  }

  /// Is the same feature an edge of an earlier triangle, or an earlier edge of this one?
  bool met_before(std::uint32_t triangle, std::size_t k) const {
    const Triangle& mine = body_.mesh.triangles()[triangle];
    const std::uint32_t v = mine[k], w = mine[(k + 1) % 3];
    const bool is_diagonal = diagonal(triangle, k);
    for (const std::uint32_t t : body_.vertex_triangles().of(v)) {
      const Triangle& c = body_.mesh.triangles()[t];
      for (std::size_t j = 0; j < 3; ++j) {
        if (t == triangle && j >= k) return false;
        const bool same = (c[j] == v && c[(j + 1) % 3] == w) || (c[j] == w && c[(j + 1) % 3] == v);
        if (same && is_feature(t, j) && diagonal(t, j) == is_diagonal) return true;
      }
      if (t == triangle) return false;
    }
    return false;
  }

  const body::BodyData& body_;
  std::unordered_map<std::uint32_t, Represented> known_;
};

}  // namespace

LocalPoints ElementaryPair::points(const body::BodyData& body, std::uint32_t triangle, std::uint8_t part, bool edge) {
  if (part == whole_triangle) return {body.corner(triangle, 0), body.corner(triangle, 1), body.corner(triangle, 2)};
  const Vec3 &p = body.corner(triangle, part), &q = edge ? body.corner(triangle, (part + 1u) % 3) : p;
  return {p, q, q};
}

std::vector<ElementaryPair> elementary_pairs(const body::BodyData& a, const body::BodyData& b,
                                             std::span<const NearPair> near) {
  std::vector<ElementaryPair> pairs;
  Representatives of_a(a), of_b(b);
  constexpr prim::Part vertex[3] = {prim::Part::vertex0, prim::Part::vertex1, prim::Part::vertex2};
  constexpr prim::Part edge[3] = {prim::Part::edge0, prim::Part::edge1, prim::Part::edge2};
  for (const NearPair& n : near) {
    const Represented &x = of_a.of(n.a), &y = of_b.of(n.b);
    const auto add = [&](prim::Part pa, prim::Part pb, std::uint8_t ka, std::uint8_t kb) {
      pairs.push_back({*body::closest_feature(a.mesh, n.a, pa, b.mesh, n.b, pb), n.a, n.b, ka, kb, n.time});
    };
    for (std::uint8_t k = 0; k < 3; ++k) {
      if (x.vertex[k]) add(vertex[k], prim::Part::face, k, whole_triangle);
      if (y.vertex[k]) add(prim::Part::face, vertex[k], whole_triangle, k);
      for (std::uint8_t j = 0; x.edge[k] && j < 3; ++j)
        if (y.edge[j]) add(edge[k], edge[j], k, j);
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const ElementaryPair& p, const ElementaryPair& q) {
    return std::tie(p.feature, p.triangle_a, p.triangle_b) < std::tie(q.feature, q.triangle_a, q.triangle_b);
  });
  return pairs;
}

}  // namespace graze::engine::first_contact
