// SPDX-License-Identifier: MIT
#include "engine/collide/touching_normal.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "math/placed_points.hpp"
#include "math/vectors.hpp"

namespace graze::engine::collide {

namespace {

using prim::Part;

/// The bodies' vertices as points with exact sign predicates: as placed, or on a common grid.
struct SignedVertices {
  const CollideQuery& q;
  math::PlacedPoints points;

  void resize(int n) {
    if (n == 0)
      points.clear();
    else
      points.resize(n);
  }
  void add(bool b, std::uint32_t vertex) {
    if (b)
      points.add_b(q.b.mesh.positions()[vertex]);
    else
      points.add_a(q.a.mesh.positions()[vertex]);
  }
};
struct GridVertices {
  const CommonGrid& grid;
  math::WholePoints points;
  int size = 0;

  void resize(int n) { size = n; }
  void add(bool b, std::uint32_t vertex) {
    points.set(size++, b ? grid.vertex_of_b(vertex) : grid.vertex_of_a(vertex));
  }
};

template <class Vertices>
class Surroundings {
 public:
  Surroundings(const CollideQuery& q, std::uint32_t ta, std::uint32_t tb, Vertices& vertices)
      : q_(q), pair_{ta, tb}, vertices_(vertices) {}

  Vec3 normal(const prim::TriangleMeetings& m) {
    if (!around_vertex(m)) around_edges(m);
    for (const bool b : {false, true}) {
      for (const std::uint32_t t : around_[b])
        corners_[b].insert(corners_[b].end(), corners(b, t).begin(), corners(b, t).end());
      std::sort(corners_[b].begin(), corners_[b].end());
      corners_[b].erase(std::unique(corners_[b].begin(), corners_[b].end()), corners_[b].end());
    }
    for (const bool b : {false, true})
      for (const std::uint32_t t : around_[b])
        if (const int s = separates(b, t)) return normal_of(b, t) * s;
    for (int i = 0; i < m.count; ++i)
      if (prim::is_edge(m.meetings[i].a) && prim::is_edge(m.meetings[i].b))
        if (const Vec3 n = by_edges(m.meetings[i]); n != Vec3{}) return n;
    // All points are coplanar: decide by orientation, if the faces face each other.
    const Vec3 na = normal_of(false, pair_[0]), nb = normal_of(true, pair_[1]);
    return coplanar() && dot(na, nb) < 0 ? na : Vec3{};
  }

 private:
  const body::BodyData& body(bool b) const { return b ? q_.b : q_.a; }
  const Triangle& corners(bool b, std::uint32_t t) const { return body(b).mesh.triangles()[t]; }
  Vec3 placed(bool b, std::uint32_t vertex) const {
    const Vec3& x = body(b).mesh.positions()[vertex];
    return b ? q_.placement.place(x) : x;
  }
  Vec3 normal_of(bool b, std::uint32_t t) const {
    const Triangle& c = corners(b, t);
    const Vec3 o = placed(b, c[0]);
    return cross(math::of_size_one(placed(b, c[1]) - o), math::of_size_one(placed(b, c[2]) - o));
  }

  /// If a vertex is in contact: its own triangles, and the nearby triangles of the other body that contain it.
  bool around_vertex(const prim::TriangleMeetings& m) {
    for (int i = 0; i < m.count; ++i)
      for (const bool b : {false, true}) {
        const Part part = b ? m.meetings[i].b : m.meetings[i].a;
        if (!prim::is_vertex(part)) continue;
        const std::uint32_t v = corners(b, pair_[b])[static_cast<std::size_t>(prim::corner_of(part))];
        const auto own = body(b).vertex_triangles().of(v);
        around_[b].assign(own.begin(), own.end());
        for (const std::uint32_t w : corners(!b, pair_[!b]))
          for (const std::uint32_t t : body(!b).vertex_triangles().of(w))
            if (holds(!b, t, v)) around_[!b].push_back(t);
        std::sort(around_[!b].begin(), around_[!b].end());
        around_[!b].erase(std::unique(around_[!b].begin(), around_[!b].end()), around_[!b].end());
        return true;
      }
    return false;
  }

  /// Does triangle t of body b contain vertex v of the other?
  bool holds(bool b, std::uint32_t t, std::uint32_t v) {
    vertices_.resize(0);
    for (const std::uint32_t c : corners(b, t)) vertices_.add(b, c);
    vertices_.add(!b, v);
    return prim::holds_point(vertices_.points);
  }

  /// Two edges that meet in their interiors: the triangles adjacent to them.
  void around_edges(const prim::TriangleMeetings& m) {
    for (const bool b : {false, true}) {
      const Part part = b ? m.meetings[0].b : m.meetings[0].a;
      around_[b].assign(1, pair_[b]);
      if (!prim::is_edge(part)) continue;
      const Triangle& c = corners(b, pair_[b]);
      const auto k = static_cast<std::size_t>(prim::edge_of(part));
      for (const std::uint32_t t : body(b).vertex_triangles().of(c[k])) {
        const Triangle& d = corners(b, t);
        if (t != pair_[b] && std::find(d.begin(), d.end(), c[(k + 1) % 3]) != d.end()) around_[b].push_back(t);
      }
    }
  }

  /// +1 if the plane of triangle t has A's neighbourhood below or in it and B's above or in it, -1 for the reverse, 0
  /// if neither or if all points lie in it.
  int separates(bool b, std::uint32_t t) {
    vertices_.resize(0);
    for (const std::uint32_t v : corners(b, t)) vertices_.add(b, v);
    std::array<int, 2> lo{0, 0}, hi{0, 0};
    for (const bool of_b : {false, true})
      for (const std::uint32_t v : corners_[of_b]) {
        vertices_.resize(3);
        vertices_.add(of_b, v);
        const int s = vertices_.points.orient3d(0, 1, 2, 3);
        lo[of_b] = std::min(lo[of_b], s);
        hi[of_b] = std::max(hi[of_b], s);
        if (lo[of_b] < 0 && hi[of_b] > 0) return 0;
      }
    if (hi[0] <= 0 && lo[1] >= 0 && (lo[0] < 0 || hi[1] > 0)) return 1;
    if (lo[0] >= 0 && hi[1] <= 0 && (hi[0] > 0 || lo[1] < 0)) return -1;
    return 0;
  }

  /// The common perpendicular of two edges, if it separates the triangles around them; in double precision, so a corner
  /// may lie beyond it by the rounding error.
  Vec3 by_edges(const prim::Meeting& m) const {
    const auto edge = [&](bool b, Part part) {
      const Triangle& c = corners(b, pair_[b]);
      const auto k = static_cast<std::size_t>(prim::edge_of(part));
      return std::array{placed(b, c[k]), placed(b, c[(k + 1) % 3])};
    };
    const auto ea = edge(false, m.a), eb = edge(true, m.b);
    const Vec3 n = cross(math::of_size_one(ea[1] - ea[0]), math::of_size_one(eb[1] - eb[0]));
    double lo[2] = {0, 0}, hi[2] = {0, 0}, reach = 0;
    for (const bool b : {false, true})
      for (const std::uint32_t v : corners_[b]) {
        const Vec3 d = placed(b, v) - ea[0];
        const double h = dot(n, d);
        lo[b] = std::min(lo[b], h);
        hi[b] = std::max(hi[b], h);
        reach = std::max(reach, length(d));
      }
    const double slack = 1e-12 * length(n) * reach;
    if (hi[0] <= slack && lo[1] >= -slack && hi[1] - lo[0] > slack) return n;
    if (lo[0] >= -slack && hi[1] <= slack && hi[0] - lo[1] > slack) return -n;
    return {};
  }

  bool coplanar() {
    vertices_.resize(0);
    for (const bool b : {false, true})
      for (const std::uint32_t v : corners(b, pair_[b])) vertices_.add(b, v);
    for (int k = 0; k < 3; ++k)
      if (vertices_.points.orient3d(0, 1, 2, 3 + k) != 0) return false;
    return true;
  }

  const CollideQuery& q_;
  std::array<std::uint32_t, 2> pair_;
  Vertices& vertices_;
  std::array<std::vector<std::uint32_t>, 2> around_;   // triangles
  std::array<std::vector<std::uint32_t>, 2> corners_;  // of these triangles, each once
};

}  // namespace

Vec3 touching_normal(const CollideQuery& query, const CommonGrid* grid, std::uint32_t ta, std::uint32_t tb,
                     const prim::TriangleMeetings& meetings, Counters& counters) {
  if (grid) {
    GridVertices vertices{*grid, {}};
    return Surroundings(query, ta, tb, vertices).normal(meetings);
  }
  SignedVertices vertices{query, math::PlacedPoints(query.placement, counters)};
  return Surroundings(query, ta, tb, vertices).normal(meetings);
}

}  // namespace graze::engine::collide
