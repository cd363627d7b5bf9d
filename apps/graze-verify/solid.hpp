// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "separation.hpp"
#include "tokens.hpp"

namespace verify {

/// A closed surface at t = 0, used to test whether points are inside: a ray from an inside point crosses an odd number
/// of triangles. Vertices at the same position are merged.
class Solid {
 public:
  /// A piece of a body, which is a mesh. `items` are those of the body that belong to it.
  Solid(const Body& body, const Range& vertices, const Range& items, char name) {
    const Mat r = body.motion.rotation(0);
    const Vec path = body.motion.path(0), reference = vec(body.motion.reference().data());
    using Key = std::array<Real, 6>;
    std::map<Key, std::uint32_t> known;
    std::vector<std::uint32_t> place_of(vertices.size());
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      const Vec& x = body.geometry.vertices[vertices.first + v];
      const Key key{x[0].lo, x[0].hi, x[1].lo, x[1].hi, x[2].lo, x[2].hi};
      const auto [at, fresh] = known.emplace(key, static_cast<std::uint32_t>(known.size()));
      place_of[v] = at->second;
      if (fresh) places_.push_back(path + r * (x - reference));
    }
    for (std::size_t i = items.first; i < items.last; ++i) {
      const auto& t = body.geometry.items[i].triangle;
      triangles_.push_back(
          {place_of[t[0] - vertices.first], place_of[t[1] - vertices.first], place_of[t[2] - vertices.first]});
    }
    check_closed(name);
  }

  /// One point of each connected component.
  std::vector<Vec> parts() const {
    std::vector<std::uint32_t> piece(places_.size());
    std::iota(piece.begin(), piece.end(), 0u);
    const auto root = [&](std::uint32_t v) {
      while (piece[v] != v) v = piece[v] = piece[piece[v]];
      return v;
    };
    for (const auto& t : triangles_)
      for (const std::uint32_t v : t) piece[root(v)] = root(t[0]);
    std::vector<Vec> out;
    std::vector<bool> taken(places_.size());
    for (const auto& t : triangles_)
      if (const std::uint32_t p = root(t[0]); !taken[p]) taken[p] = true, out.push_back(places_[t[0]]);
    return out;
  }

  /// True if the point is inside; it must not be on the surface. Rays that may pass through an edge, as far as
  /// intervals can decide, are discarded and others are tried.
  bool holds(const Vec& point) const {
    std::uint64_t state = 1;
    const auto chance = [&] {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return static_cast<double>(static_cast<int>(state >> 52)) - 2047.5;
    };
    for (int i = 0; i < 64; ++i) {
      const double x = chance(), y = chance(), z = chance();
      bool inside = false;
      if (crosses_odd(point, {Interval(x), Interval(y), Interval(z)}, inside)) return inside;
    }
    throw Rejected("no ray tells whether one body starts inside the other");
  }

 private:
  static int sign(const Interval& x) { return x.lo > 0 ? 1 : x.hi < 0 ? -1 : 0; }

  void check_closed(char name) const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> odd;
    for (const auto& t : triangles_)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t u = t[k], v = t[(k + 1) % 3];
        if (u == v) continue;
        bool& is_odd = odd[{std::min(u, v), std::max(u, v)}];
        is_odd = !is_odd;
      }
    for (const auto& [edge, is_odd] : odd)
      if (is_odd) throw Rejected(std::string("body ") + name + " is not closed: it has no inside");
  }

  /// Returns false if the ray is too close to an edge to decide. With u the corners relative to the point, the line
  /// along d meets the triangle if the three d . (u x v) have one sign. The intersection is in the direction of d if
  /// det u has the same sign: it is at d det u / (their sum).
  bool crosses_odd(const Vec& point, const Vec& d, bool& odd) const {
    odd = false;
    for (const auto& t : triangles_) {
      const std::array<Vec, 3> u{places_[t[0]] - point, places_[t[1]] - point, places_[t[2]] - point};
      int above = 0, below = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const int side = sign(dot(d, cross(u[k], u[(k + 1) % 3])));
        above += side > 0;
        below += side < 0;
      }
      if (above > 0 && below > 0) continue;
      if (above < 3 && below < 3) return false;
      const int ahead = sign(dot(u[0], cross(u[1], u[2])));
      if (ahead == 0) return false;
      if (ahead == (above == 3 ? 1 : -1)) odd = !odd;
    }
    return true;
  }

  std::vector<Vec> places_;
  std::vector<std::array<std::uint32_t, 3>> triangles_;
};

/// The meshes among the pieces of a body as solids, and points of all its pieces: one of each connected component.
struct SolidBody {
  std::vector<Solid> solids;
  std::vector<Vec> points;

  SolidBody(const Subject& subject, const Body& body, char name) {
    std::size_t item = 0;
    for (std::size_t i = 0; i < subject.pieces.size(); ++i) {
      const Piece& piece = subject.pieces[i];
      const Geometry& g = body.geometry;
      const std::size_t first = g.first_vertex[i];
      const Range vertices{first, i + 1 < g.first_vertex.size() ? g.first_vertex[i + 1] : g.vertices.size()};
      if (piece.shape) {  // a point of its core; that of a half-space is on its surface
        const Vec centre = 0.5L * (g.vertices[vertices.first] + g.vertices[vertices.last - 1]);
        points.push_back(body.motion.path(0) +
                         body.motion.rotation(0) * (centre - vec(body.motion.reference().data())));
        ++item;
        continue;
      }
      const std::size_t begin = item;
      while (item < g.items.size() && g.items[item].solid == Geometry::none &&
             g.items[item].triangle[0] >= vertices.first && g.items[item].triangle[0] < vertices.last)
        ++item;
      solids.emplace_back(body, vertices, Range{begin, item}, name);
      for (const Vec& point : solids.back().parts()) points.push_back(point);
    }
  }

  bool holds(const Vec& point) const {
    for (const Solid& s : solids)
      if (s.holds(point)) return true;
    return false;
  }
};

/// Rejects if a connected component of either body is inside a mesh of the other at t = 0. The surfaces have been
/// proved apart from t = 0 on, so each component is entirely inside or entirely outside, and this does not change as
/// long as they are apart. Nothing is inside a shape: shapes have been separated as solids.
inline void check_start_outside(const Subject& subject_a, const Body& a, const Subject& subject_b, const Body& b) {
  const SolidBody solid_a(subject_a, a, 'a'), solid_b(subject_b, b, 'b');
  for (const Vec& point : solid_a.points)
    if (solid_b.holds(point)) throw Rejected("body a, or a part of it, starts inside b");
  for (const Vec& point : solid_b.points)
    if (solid_a.holds(point)) throw Rejected("body b, or a part of it, starts inside a");
}

}  // namespace verify
