// SPDX-License-Identifier: MIT
#include "engine/contains/overlap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "core/limits.hpp"
#include "engine/collide/tree.hpp"
#include "engine/contains/cones.hpp"
#include "engine/contains/point_in_body.hpp"
#include "engine/contains/solid.hpp"
#include "math/vectors.hpp"
#include "prim/triangle_triangle.hpp"

namespace graze::engine::contains {

namespace {

using collide::CollideQuery;
using math::Dyadic;
using math::DyadicVec3;

/// x / w in A's frame, where all coordinates carry the placement's scale; w > 0.
struct Point {
  DyadicVec3 x;
  Dyadic w{1};
};

using Corners = std::array<DyadicVec3, 3>;

/// A ray from p is followed through the tree of a body: p and d in the tree's frame, in doubles, and how far off they
/// may be (see `misses`).
struct TreeRay {
  Vec3 from, along;
  double margin;

  /// The ray does not meet child i. `margin` covers the placement's error, the single precision of the boxes (2^-22),
  /// and the rounding of what follows: within the box around the tree, whose half side is 1, the ray in doubles is
  /// within 2^-40 of the true one.
  bool misses(const bvh::WideNode& n, int i) const {
    double enter = 0, leave = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
      const double lo = n.low(axis, i) - margin - from[axis], hi = n.high(axis, i) + margin - from[axis];
      if (std::fabs(along[axis]) < 0x1p-60) {
        if (lo > 0 || hi < 0) return true;
        continue;
      }
      const double s = lo / along[axis], t = hi / along[axis];
      enter = std::max(enter, std::min(s, t));
      leave = std::min(leave, std::max(s, t));
    }
    return enter > leave;
  }
};

class Overlap {
 public:
  explicit Overlap(const CollideQuery& q) : q_(q), back_(q.pose_b, q.pose_a), points_(q.placement, q.counters) {}

  bool exists(const TrianglePair* touching) {
    if (!q_.a.classification().even || !q_.b.classification().even) return false;  // a flat hull has no interior
    if (touching && weakly_separated(*touching)) return false;
    if (have_a_common_point()) return true;
    find_pairs();
    CollideResult inside;
    add_containment(q_, true, true, inside);
    if (inside.contained != Containment::none) return true;
    core::Poll poll;
    for (const TrianglePair& pair : pairs_) {
      poll();
      collide::load_pair(points_, q_, index(pair.a), index(pair.b));
      prim::TriangleMeetings meetings;
      prim::triangle_triangle(points_, meetings);
      for (int i = 0; i < meetings.count; ++i)
        if (meets_near(pair, meetings.meetings[i])) return true;
    }
    return false;
  }

 private:
  void find_pairs() {
    CollideOptions options;
    options.all = true;
    const CollideQuery all{q_.a, q_.b, q_.pose_a, q_.pose_b, options, q_.placement, q_.counters, q_.limits};
    CollideResult found;
    collide::Tree::run(all, found);
    if (q_.limits && q_.limits->cut()) throw core::Stopped();
    pairs_ = std::move(found.pairs);
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    by_b_ = pairs_;
    std::sort(by_b_.begin(), by_b_.end(),
              [](const TrianglePair& x, const TrianglePair& y) { return x.b != y.b ? x.b < y.b : x.a < y.a; });
  }

  /// Is the middle of one of the bodies, or of what their boxes share, inside both? Any double in B's frame is a point
  /// that can be asked about exactly, so it does not matter how the middle was rounded.
  bool have_a_common_point() {
    const math::RelativePlacement own(q_.pose_b, q_.pose_b);
    Box3 of_a;
    for (const Vec3& corner : corners_of(q_.a.mesh.box())) of_a.add(back_.place(corner));
    const Box3& of_b = q_.b.mesh.box();
    Vec3 shared;
    for (int k = 0; k < 3; ++k)
      shared[k] = 0.5 * std::max(of_a.lo[k], of_b.lo[k]) + 0.5 * std::min(of_a.hi[k], of_b.hi[k]);
    for (const Vec3& p : {shared, of_b.lo * 0.5 + of_b.hi * 0.5, of_a.lo * 0.5 + of_a.hi * 0.5})
      if (is_finite(p) && point_in_body(q_.b, own, p, q_.counters) == Location::inside &&
          point_in_body(q_.a, q_.placement, p, q_.counters) == Location::inside)
        return true;
    return false;
  }

  static std::array<Vec3, 8> corners_of(const Box3& box) {
    std::array<Vec3, 8> out;
    for (std::size_t i = 0; i < 8; ++i)
      out[i] = {i & 1 ? box.lo.x : box.hi.x, i & 2 ? box.lo.y : box.hi.y, i & 4 ? box.lo.z : box.hi.z};
    return out;
  }

  /// Is the plane of a triangle of a touching pair between the bodies? Then their interiors are on different
  /// sides of it. This is quick, and decides most convex pairs that touch.
  bool weakly_separated(const TrianglePair& pair) {
    for (const bool plane_of_b : {false, true}) {
      points_.clear();
      for (std::size_t k = 0; k < 3; ++k) {
        if (plane_of_b)
          points_.add_b(q_.b.corner(index(pair.b), k));
        else
          points_.add_a(q_.a.corner(index(pair.a), k));
      }
      int side_a = 0;
      const auto beyond = [&](int side, int sign) {  // is a vertex on the other body's side?
        if (side_a == 0 && side != 0) side_a = side * sign;
        return side * sign * side_a < 0;
      };
      const auto are_on_one_side = [&](std::span<const Vec3> points, bool of_b) {
        for (const Vec3& x : points) {
          points_.resize(3);
          const int i = of_b ? points_.add_b(x) : points_.add_a(x);
          if (beyond(points_.orient3d(0, 1, 2, i), of_b ? -1 : 1)) return false;
        }
        return true;
      };
      // The corners of a body's box, before its vertices: a plane that does not pass between them has the whole body on
      // one side. So a large floor, in whose face the plane is, does not cost as much as it has vertices.
      const auto all_on_one_side = [&](const body::BodyData& body, bool of_b) {
        const int before = side_a;
        if (are_on_one_side(corners_of(body.mesh.box()), of_b)) return true;
        side_a = before;
        return are_on_one_side(body.mesh.positions(), of_b);
      };
      // A triangle without area has no plane: then every vertex seems to be in it.
      if (all_on_one_side(q_.a, false) && all_on_one_side(q_.b, true) && side_a != 0) return true;
    }
    return false;
  }

  /// Do the interiors meet near a point that the two triangles share?
  bool meets_near(const TrianglePair& pair, const prim::Meeting& m) {
    const Triangle &ta = q_.a.mesh.triangles()[index(pair.a)], &tb = q_.b.mesh.triangles()[index(pair.b)];
    // What the point is: a vertex of A, a vertex of B, or two edges. Each point is looked at once.
    constexpr std::uint32_t none = 0xffffffff;
    std::array<std::uint32_t, 4> name{none, none, none, none};
    if (prim::is_vertex(m.a)) {
      name[0] = ta[static_cast<std::size_t>(prim::corner_of(m.a))];
    } else if (prim::is_vertex(m.b)) {
      name[1] = tb[static_cast<std::size_t>(prim::corner_of(m.b))];
    } else if (prim::is_edge(m.a) && prim::is_edge(m.b)) {
      const auto ends = [](const Triangle& t, prim::Part part) {
        const auto k = static_cast<std::size_t>(prim::edge_of(part));
        return std::minmax(t[k], t[(k + 1) % 3]);
      };
      std::tie(name[0], name[1]) = ends(ta, m.a);
      std::tie(name[2], name[3]) = ends(tb, m.b);
    } else {
      return false;  // an edge through a face: there the surfaces would cross
    }
    if (!seen_.insert(name).second) return false;
    const auto at_a = [&](std::uint32_t v) { return q_.placement.exact_a(q_.a.mesh.positions()[v]); };
    const auto at_b = [&](std::uint32_t v) { return q_.placement.exact_b(q_.b.mesh.positions()[v]); };
    if (name[1] == none) return meets_near(pair, Point{at_a(name[0])});
    if (name[0] == none) return meets_near(pair, Point{at_b(name[1])});
    const DyadicVec3 a = at_a(name[0]), u = at_a(name[1]) - a, b = at_b(name[2]), v = at_b(name[3]) - b,
                     across = cross(u, v);
    const Dyadic w = dot(across, across);
    if (w.is_zero()) return false;  // parallel edges: their ends count
    // a + s u is on the other line: s u x v = (b - a) x v.
    return meets_near(pair, Point{a * w + u * dot(cross(b - a, v), across), w});
  }

  bool meets_near(const TrianglePair& pair, const Point& p) {
    // Every triangle of A that contains p meets the given triangle of B there, so it is in the list; and vice versa.
    Surroundings around_a, around_b;
    std::vector<std::uint32_t> through_a, through_b;
    const auto from = std::lower_bound(by_b_.begin(), by_b_.end(), pair.b,
                                       [](const TrianglePair& x, TriangleId b) { return x.b < b; });
    for (auto i = from; i != by_b_.end() && i->b == pair.b; ++i)
      if (look_around(corners(false, index(i->a)), p, around_a)) through_a.push_back(index(i->a));
    const auto start = std::lower_bound(pairs_.begin(), pairs_.end(), pair.a,
                                        [](const TrianglePair& x, TriangleId a) { return x.a < a; });
    for (auto i = start; i != pairs_.end() && i->a == pair.a; ++i)
      if (look_around(corners(true, index(i->b)), p, around_b)) through_b.push_back(index(i->b));
    if (around_a.normals.empty() || around_b.normals.empty()) return false;  // only triangles without area
    if (const std::optional<DyadicVec3> n = between(around_a, around_b)) {
      // No triangle through p has points on the other body's open side of the plane. So all of that side, near p, is
      // inside the body or none of it is.
      const DyadicVec3 back = *n * Dyadic(-1);
      const auto ahead = [&](const DyadicVec3& d) { return dot(*n, d).sign() > 0; };
      const auto behind = [&](const DyadicVec3& d) { return dot(*n, d).sign() < 0; };
      if (!is_inside(false, p, *n, through_a, ahead) && !is_inside(true, p, back, through_b, behind)) return false;
    }
    Cones cones(around_a, around_b);
    return cones.any([&](const DyadicVec3& d) {
      const auto same = [&](const DyadicVec3& e) { return cones.same_cone(d, e); };
      return is_inside(false, p, d, through_a, same) && is_inside(true, p, d, through_b, same);
    });
  }

  /// The normal of a plane through p with all of A's triangles at p on one closed side and all of B's on the other;
  /// none: the one direction that is tried, between the middles of both, is not such a normal.
  static std::optional<DyadicVec3> between(const Surroundings& a, const Surroundings& b) {
    const DyadicVec3 n(middle(b.corners) - middle(a.corners));
    const auto on_side = [&](const Surroundings& s, int sign) {  // a triangle is, if its corners are
      return std::all_of(s.corners.begin(), s.corners.end(),
                         [&](const DyadicVec3& x) { return dot(n, x).sign() * sign >= 0; });
    };
    if (dot(n, n).is_zero() || !on_side(a, -1) || !on_side(b, 1)) return std::nullopt;
    return n;
  }
  /// The mean of the directions, rounded.
  static Vec3 middle(const std::vector<DyadicVec3>& directions) {
    Vec3 sum;
    for (const DyadicVec3& e : directions) {
      const Dyadic size = larger(e);
      if (size.is_zero()) continue;
      sum = sum + math::unit(Vec3{math::ratio(e.x, size), math::ratio(e.y, size), math::ratio(e.z, size)});
    }
    return math::unit(sum);
  }

  Corners corners(bool of_b, std::uint32_t t) const {
    Corners c;
    for (std::size_t k = 0; k < 3; ++k)
      c[k] = of_b ? q_.placement.exact_b(q_.b.corner(t, k)) : q_.placement.exact_a(q_.a.corner(t, k));
    return c;
  }

  /// Adds a triangle, if it contains p and has an area. True if it contains p.
  static bool look_around(const Corners& c, const Point& p, Surroundings& around) {
    const DyadicVec3 n = cross(c[1] - c[0], c[2] - c[0]);
    if (dot(n, n).is_zero()) return true;  // no area: no ray meets it in a way that counts
    if (!dot(n, p.x - c[0] * p.w).is_zero()) return false;
    std::array<bool, 3> on_edge{};
    for (std::size_t k = 0; k < 3; ++k) {
      const int side = dot(n, cross(c[(k + 1) % 3] - c[k], p.x - c[k] * p.w)).sign();
      if (side < 0) return false;
      on_edge[k] = side == 0;
    }
    around.normals.push_back(n);
    for (std::size_t k = 0; k < 3; ++k) {
      if (!on_edge[k]) continue;
      // From a corner, only the end that is not p gives a direction.
      const DyadicVec3 edge = c[(k + 1) % 3] - c[k];
      if (!on_edge[(k + 2) % 3]) around.edges.push_back(edge * Dyadic(-1));  // p is not corner k
      if (!on_edge[(k + 1) % 3]) around.edges.push_back(edge);               // p is not corner k + 1
    }
    // The corners seen from p; p itself is one of them, or inside an edge or the face, which is then between them.
    for (const DyadicVec3& corner : c) around.corners.push_back(corner * p.w - p.x);
    return true;
  }

  /// Is p + e d inside the body, for all small e > 0? `same(d)`: the answer is the same for the direction d.
  template <class Same>
  bool is_inside(bool of_b, const Point& p, const DyadicVec3& direction, const std::vector<std::uint32_t>& through,
                 const Same& same) {
    // A ray that meets an edge is replaced by another one with the same answer. Almost none does.
    std::mt19937 random(1);
    DyadicVec3 d = direction;
    for (double size = 0x1p-8;; size *= 0.5) {
      if (const std::optional<bool> odd = odd_crossings(of_b, p, d, through)) return *odd;
      do {
        const auto shift = [&](const Dyadic& x) {
          return x + Dyadic(size * (static_cast<double>(random()) * 0x1p-31 - 1)) * larger(direction);
        };
        d = {shift(direction.x), shift(direction.y), shift(direction.z)};
        size *= 0.5;
      } while (!same(d));
    }
  }
  static Dyadic larger(const DyadicVec3& v) {
    const auto magnitude = [](const Dyadic& x) { return x.sign() < 0 ? -x : x; };
    return magnitude(v.x) + magnitude(v.y) + magnitude(v.z);
  }

  /// Does the ray meet an odd number of the body's triangles, apart from those that contain p? None: it meets an edge.
  std::optional<bool> odd_crossings(bool of_b, const Point& p, const DyadicVec3& d,
                                    const std::vector<std::uint32_t>& through) {
    const body::WideTree& t = (of_b ? q_.b : q_.a).tree;
    const TreeRay ray = in_tree(of_b, p, d);
    bool odd = false;
    stack_.assign(1, 0);
    while (!stack_.empty()) {
      const bvh::WideNode& node = t.tree.nodes[stack_.back()];
      stack_.pop_back();
      for (int i = 0; i < node.count; ++i) {
        ++q_.counters.box_tests;
        if (ray.misses(node, i)) continue;
        if (!node.bottom) {
          stack_.push_back(node.first + static_cast<std::uint32_t>(i));
          continue;
        }
        const std::uint32_t triangle = t.triangle(node.first + static_cast<std::uint32_t>(i));
        if (std::find(through.begin(), through.end(), triangle) != through.end()) continue;
        ++q_.counters.ray_tests;
        const int meeting = crossing(corners(of_b, triangle), p, d);
        if (meeting < 0) return std::nullopt;
        odd ^= meeting > 0;
      }
    }
    return odd;
  }

  /// 1 if the ray from p, which is not in the triangle, meets its interior; 0 if it misses it; -1: it meets an edge, or
  /// its plane contains the ray.
  static int crossing(const Corners& c, const Point& p, const DyadicVec3& d) {
    const DyadicVec3 n = cross(c[1] - c[0], c[2] - c[0]);
    const int ahead = dot(n, c[0] * p.w - p.x).sign(), facing = dot(n, d).sign();
    if (facing == 0) return ahead == 0 && !dot(n, n).is_zero() ? -1 : 0;
    if (ahead * facing <= 0) return 0;
    const Corners v{c[0] * p.w - p.x, c[1] * p.w - p.x, c[2] * p.w - p.x};
    bool edge = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const int side = dot(d, cross(v[k], v[(k + 1) % 3])).sign();
      if (side == -facing) return 0;
      edge |= side == 0;
    }
    return edge ? -1 : 1;
  }

  TreeRay in_tree(bool of_b, const Point& p, const DyadicVec3& d) const {
    const Dyadic den = p.w * q_.placement.scale(), length = larger(d);
    Vec3 from{math::ratio(p.x.x, den), math::ratio(p.x.y, den), math::ratio(p.x.z, den)};
    Vec3 along{math::ratio(d.x, length), math::ratio(d.y, length), math::ratio(d.z, length)};
    double error = 0x1p-50 * (std::fabs(from.x) + std::fabs(from.y) + std::fabs(from.z));
    if (of_b) {
      error = 4 * error + back_.error(from);
      from = back_.place(from);
      const std::array<double, 9>& r = back_.rotation();
      along = {r[0] * along.x + r[1] * along.y + r[2] * along.z, r[3] * along.x + r[4] * along.y + r[5] * along.z,
               r[6] * along.x + r[7] * along.y + r[8] * along.z};
    }
    const body::FloatFrame& frame = (of_b ? q_.b : q_.a).tree.frame;
    return {frame.to_frame(from), along, std::ldexp(error, -frame.exponent) + 0x1p-20};
  }

  const CollideQuery& q_;
  const math::RelativePlacement back_;  ///< from A's frame to B's
  math::PlacedPoints points_;
  std::vector<TrianglePair> pairs_, by_b_;
  std::set<std::array<std::uint32_t, 4>> seen_;
  std::vector<std::uint32_t> stack_;
};

}  // namespace

bool interiors_overlap(const CollideQuery& query, const TrianglePair* touching) {
  return Overlap(query).exists(touching);
}

}  // namespace graze::engine::contains
