// SPDX-License-Identifier: MIT
#include "bv/convex_hull.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "math/predicates.hpp"

namespace graze::bv {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

bool lexicographically_less(const Vec3& a, const Vec3& b) {
  return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

int orient(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const int s = math::orient3d_filter(a, b, c, d, 0);
  return s != 0 ? s : math::orient3d(a, b, c, d);
}

/// The axis along which the projected triangle keeps a positive area; 3 if its corners are collinear.
int projection(const Vec3& a, const Vec3& b, const Vec3& c) {
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    if (math::orient2d(a[u], a[v], b[u], b[v], c[u], c[v]) != 0) return axis;
  }
  return 3;
}

class Quickhull {
 public:
  explicit Quickhull(std::span<const Vec3> points) : points_(points) {}

  ConvexHull run() {
    const int dimension = find_base();
    ConvexHull hull;
    if (dimension == 3) {
      grow();
      hull = collect();
    } else if (dimension == 2) {
      hull = flat();
    } else {
      hull.corners = {base_[0]};
      if (dimension == 1) hull = segment();
    }
    hull.dimension = dimension;
    return hull;
  }

 private:
  struct Facet {
    std::array<std::uint32_t, 3> corner;  ///< counter-clockwise, seen from outside
    std::array<std::uint32_t, 3> across;  ///< the facet beyond the edge from corner k to corner k + 1
    std::uint32_t outside = none;         ///< its list of points above its plane, each in one list only
    bool alive = true, visible = false;
  };
  struct HorizonEdge {
    std::uint32_t from, to, beyond;  ///< `beyond`: the facet that is kept
  };

  const Vec3& at(std::uint32_t i) const { return points_[i]; }
  int side(const Facet& f, std::uint32_t p) const {
    return orient(at(f.corner[0]), at(f.corner[1]), at(f.corner[2]), at(p));
  }

  /// The accepted point with the largest measure; ties go to the lexicographically smallest coordinates.
  template <class Measure, class Accept>
  std::uint32_t furthest(const Measure& measure, const Accept& accept) const {
    std::uint32_t best = none;
    double most = -1;
    for (std::uint32_t i = 0; i < points_.size(); ++i) {
      const double m = measure(at(i));
      if (m > most || (m == most && lexicographically_less(at(i), at(best)))) {
        most = m;
        best = i;
      }
    }
    if (best != none && accept(at(best))) return best;
    // Double precision chose a point that `accept` rejects (or overflowed): any accepted point will do.
    for (std::uint32_t i = 0; i < points_.size(); ++i)
      if (accept(at(i))) return i;
    return none;
  }

  /// Finds up to four affinely independent points. Returns the dimension of the set.
  int find_base() {
    std::uint32_t first = 0;
    for (std::uint32_t i = 1; i < points_.size(); ++i)
      if (lexicographically_less(at(i), at(first))) first = i;
    base_[0] = first;
    const Vec3& a = at(first);
    base_[1] = furthest([&](const Vec3& p) { return dot(p - a, p - a); }, [&](const Vec3& p) { return !(p == a); });
    if (base_[1] == none) return 0;
    const Vec3& b = at(base_[1]);
    base_[2] = furthest(
        [&](const Vec3& p) {
          const Vec3 n = cross(b - a, p - a);
          return dot(n, n);
        },
        [&](const Vec3& p) { return projection(a, b, p) < 3; });
    if (base_[2] == none) return 1;
    const Vec3& c = at(base_[2]);
    const Vec3 n = cross(b - a, c - a);
    base_[3] = furthest([&](const Vec3& p) { return std::fabs(dot(n, p - a)); },
                        [&](const Vec3& p) { return orient(a, b, c, p) != 0; });
    return base_[3] == none ? 2 : 3;
  }

  ConvexHull segment() const {
    std::uint32_t last = base_[0];
    for (std::uint32_t i = 0; i < points_.size(); ++i)
      if (lexicographically_less(at(last), at(i))) last = i;
    return {1, {std::min(base_[0], last), std::max(base_[0], last)}, {{0, 1}}, {}, {}};
  }

  /// All points are exactly coplanar, so a projection loses nothing. Andrew's monotone chain, without collinear
  /// corners.
  ConvexHull flat() const {
    const int axis = projection(at(base_[0]), at(base_[1]), at(base_[2]));
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    std::vector<std::uint32_t> order(points_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
      const Vec3 &p = at(i), &q = at(j);
      return p[u] != q[u] ? p[u] < q[u] : p[v] != q[v] ? p[v] < q[v] : i < j;
    });
    std::vector<std::uint32_t> ring;
    const auto chain = [&](auto begin, auto end) {
      const std::size_t base = ring.size();
      for (auto i = begin; i != end; ++i) {
        const Vec3& p = at(*i);
        while (ring.size() >= base + 2) {
          const Vec3 &q = at(ring[ring.size() - 2]), &r = at(ring.back());
          if (math::orient2d(q[u], q[v], r[u], r[v], p[u], p[v]) > 0) break;
          ring.pop_back();
        }
        ring.push_back(*i);
      }
      ring.pop_back();
    };
    chain(order.begin(), order.end());
    chain(order.rbegin(), order.rend());
    ConvexHull hull = indexed(ring, [&](auto&& add) {
      for (std::size_t i = 0; i < ring.size(); ++i) add(ring[i], ring[(i + 1) % ring.size()]);
    });
    for (const auto& edge : hull.edges) hull.ring.push_back(edge[0]);
    return hull;
  }

  /// Sorts the corners and renames the edges that `for_each_edge` gives.
  template <class Edges>
  ConvexHull indexed(std::vector<std::uint32_t> corners, const Edges& for_each_edge) const {
    ConvexHull hull;
    std::sort(corners.begin(), corners.end());
    hull.corners = std::move(corners);
    for_each_edge([&](std::uint32_t a, std::uint32_t b) {
      hull.edges.push_back({place_in(hull, a), place_in(hull, b)});
    });
    return hull;
  }

  /// The position of a point among the hull's corners.
  static std::uint32_t place_in(const ConvexHull& hull, std::uint32_t v) {
    return static_cast<std::uint32_t>(std::lower_bound(hull.corners.begin(), hull.corners.end(), v) -
                                      hull.corners.begin());
  }

  void start() {
    auto [a, b, c, d] = base_;
    if (orient(at(a), at(b), at(c), at(d)) > 0) std::swap(b, c);  // now d is below (a, b, c)
    facets_ = {{{a, b, c}, {1, 2, 3}}, {{b, a, d}, {0, 3, 2}}, {{c, b, d}, {0, 1, 3}}, {{a, c, d}, {0, 2, 1}}};
    next_.assign(points_.size(), none);
    by_start_.assign(points_.size(), none);
    for (std::uint32_t p = 0; p < points_.size(); ++p)
      if (p != a && p != b && p != c && p != d) assign(p, 0);
  }

  /// Assigns the point to the first facet, from `first` on, whose plane it is above. If there is none, the point is
  /// inside: the segment from a point above a removed facet to that facet crosses the new surface first.
  void assign(std::uint32_t p, std::size_t first) {
    for (std::size_t f = first; f < facets_.size(); ++f) {
      if (!facets_[f].alive || side(facets_[f], p) <= 0) continue;
      next_[p] = facets_[f].outside;
      facets_[f].outside = p;
      return;
    }
  }

  void grow() {
    start();
    for (std::size_t f = 0; f < facets_.size(); ++f)  // new ones come at the end
      if (facets_[f].alive && facets_[f].outside != none) add(static_cast<std::uint32_t>(f), top(facets_[f]));
  }

  /// The point of the facet's list that is furthest above it, in double precision: this affects only the insertion
  /// order.
  std::uint32_t top(const Facet& f) const {
    const Vec3 &a = at(f.corner[0]), n = cross(at(f.corner[1]) - a, at(f.corner[2]) - a);
    std::uint32_t best = f.outside;
    double most = dot(n, at(best) - a);
    for (std::uint32_t p = next_[best]; p != none; p = next_[p]) {
      const double h = dot(n, at(p) - a);
      if (h > most || (h == most && lexicographically_less(at(p), at(best)))) {
        most = h;
        best = p;
      }
    }
    return best;
  }

  void add(std::uint32_t seen, std::uint32_t p) {
    find_horizon(seen, p);
    const std::size_t first = facets_.size();
    for (const HorizonEdge& e : horizon_) {
      by_start_[e.from] = static_cast<std::uint32_t>(facets_.size());
      facets_.push_back({{e.from, e.to, p}, {e.beyond, none, none}});
    }
    for (std::size_t i = first; i < facets_.size(); ++i) {
      Facet& f = facets_[i];
      const auto self = static_cast<std::uint32_t>(i);
      f.across[1] = by_start_[f.corner[1]];
      facets_[f.across[1]].across[2] = self;
      Facet& beyond = facets_[f.across[0]];
      for (std::size_t k = 0; k < 3; ++k)
        if (beyond.corner[k] == f.corner[1] && beyond.corner[(k + 1) % 3] == f.corner[0]) beyond.across[k] = self;
    }
    for (const std::uint32_t f : visible_) {
      std::uint32_t q = facets_[f].outside;
      facets_[f].outside = none;
      while (q != none) {
        const std::uint32_t following = next_[q];
        if (q != p) assign(q, first);
        q = following;
      }
    }
  }

  /// The facets that have p strictly above them, and the edges around this set. The set is connected, because p is
  /// outside a convex body and the signs are exact. A facet whose plane contains p is kept.
  void find_horizon(std::uint32_t seen, std::uint32_t p) {
    visible_.assign(1, seen);
    horizon_.clear();
    facets_[seen].visible = true;
    for (std::size_t i = 0; i < visible_.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        const Facet& f = facets_[visible_[i]];
        const std::uint32_t g = f.across[k];
        if (facets_[g].visible) continue;
        if (side(facets_[g], p) > 0) {
          facets_[g].visible = true;
          visible_.push_back(g);
        } else {
          horizon_.push_back({f.corner[k], f.corner[(k + 1) % 3], g});
        }
      }
    for (const std::uint32_t f : visible_) facets_[f].alive = false;
  }

  ConvexHull collect() const {
    std::vector<std::uint32_t> corners;
    for (const Facet& f : facets_)
      if (f.alive) corners.insert(corners.end(), f.corner.begin(), f.corner.end());
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    ConvexHull hull = indexed(std::move(corners), [&](auto&& add_edge) {
      for (const Facet& f : facets_)
        for (std::size_t k = 0; f.alive && k < 3; ++k)
          if (f.corner[k] < f.corner[(k + 1) % 3]) add_edge(f.corner[k], f.corner[(k + 1) % 3]);
    });
    for (const Facet& f : facets_)
      if (f.alive)
        hull.facets.push_back({place_in(hull, f.corner[0]), place_in(hull, f.corner[1]), place_in(hull, f.corner[2])});
    return hull;
  }

  std::span<const Vec3> points_;
  std::array<std::uint32_t, 4> base_{none, none, none, none};
  std::vector<Facet> facets_;
  std::vector<std::uint32_t> next_;      // per point: the next point of the same facet's list
  std::vector<std::uint32_t> by_start_;  // per point: the new facet whose first corner it is
  std::vector<std::uint32_t> visible_;
  std::vector<HorizonEdge> horizon_;
};

}  // namespace

ConvexHull convex_hull(std::span<const Vec3> points) { return Quickhull(points).run(); }

}  // namespace graze::bv
