// SPDX-License-Identifier: MIT
#include "shape/depth.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace graze::shape {

namespace {

/// A polytope of points of B - A, as a closed surface of triangles around the origin.
class Polytope {
 public:
  Polytope(const SupportPair& pair, Depth& out) : pair_(pair), out_(out) {}

  /// A tetrahedron around the origin or near it. False: B - A is flat, as far as double precision can tell.
  bool start(const Simplex& simplex) {
    for (int i = 0; i < simplex.size; ++i) keep(simplex.a[i], simplex.b[i]);
    static constexpr Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const Vec3& axis : axes)
      if (count_ < 2 && !try_both(axis)) continue;
    if (count_ < 2) return false;
    for (const Vec3& axis : axes) {
      if (count_ >= 3) break;
      try_both(cross(at(1) - at(0), axis));
    }
    if (count_ < 3) return false;
    if (count_ < 4) try_both(cross(at(1) - at(0), at(2) - at(0)));
    if (count_ < 4) return false;
    const double volume = dot(cross(at(1) - at(0), at(2) - at(0)), at(3) - at(0));
    if (volume < 0) {
      add_face(0, 1, 2), add_face(0, 3, 1), add_face(0, 2, 3), add_face(1, 3, 2);
    } else {
      add_face(0, 2, 1), add_face(0, 1, 3), add_face(0, 3, 2), add_face(1, 2, 3);
    }
    return true;
  }

  void expand(double enough, double little, double relative) {
    while (out_.iterations++ < 64) {
      const int nearest = nearest_face();
      if (nearest < 0) return;
      const Face f = faces_[nearest];
      const int before = count_;
      const double reach = support(f.normal);
      const double bound = std::max(f.distance, 0.0);
      const bool known = out_.upper - bound <= std::max(relative * bound, 0x1p-49);
      if (known || out_.upper <= little || (bound > 2 * enough && certified() >= enough)) return;
      if (count_ == most_points || !closed_) return;
      // A face so thin that its normal is not known gets nowhere: others may.
      if (count_ == before || reach - f.distance <= 0x1p-49 || !grow(before)) {
        count_ = before;
        faces_[nearest].distance = std::numeric_limits<double>::infinity();
      }
    }
  }

  /// A lower bound of the distance from the origin to the surface, if that surrounds the origin; else 0.
  ///
  /// Reason that a ball of this radius is in B - A. All corners are points of B - A, so the convex hull of the exact
  /// corners is in it. While the corners move from their rounded places to their exact ones, by less than `rounding`
  /// each, the surface moves by less than that, and does not pass through any point of the ball of radius
  /// `certified() - rounding`. So the winding number of the surface about such a point does not change. It is that of
  /// the rounded surface about the origin, which is not zero if the solid angles of the triangles sum to more than
  /// 2 pi. And a point outside the convex hull of a surface has the winding number zero.
  double certified() const {
    if (!closed_) return 0;  // there was no memory left for a face: the argument needs a closed surface
    double least = std::numeric_limits<double>::infinity(), angles = 0;
    for (int i = 0; i < face_count_; ++i) {
      const Face& f = faces_[i];
      if (!f.alive) continue;
      const Vec3 &p = at(f.corner[0]), &q = at(f.corner[1]), &r = at(f.corner[2]);
      double w[3];
      nearest_on_triangle(p, q, r, w);
      const Vec3 n = p * w[0] + q * w[1] + r * w[2];
      const double len = math::norm(n);
      if (!(len > 0)) return 0;
      // Along any unit direction, the corner that is least far bounds the distance of the whole triangle.
      const auto along = [&](const Vec3& d) { return std::min({dot(d, p), dot(d, q), dot(d, r)}); };
      least = std::min(least, std::max(along(n) / len, along(f.normal)));
      const double np = math::norm(p), nq = math::norm(q), nr = math::norm(r);
      angles += 2 * std::atan2(dot(p, cross(q, r)), np * nq * nr + dot(p, q) * nr + dot(q, r) * np + dot(r, p) * nq);
    }
    return std::fabs(angles) > 6.3 && least > 0 ? least : 0;
  }

 private:
  static constexpr int most_points = 96, most_faces = 384;

  struct Face {
    std::array<int, 3> corner;
    Vec3 normal;  ///< unit, outward
    double distance;
    bool alive;
  };

  const Vec3& at(int i) const { return difference_[i]; }

  void keep(const Vec3& a, const Vec3& b) {
    a_[count_] = a;
    b_[count_] = b;
    difference_[count_++] = b - a;
  }

  /// Adds the furthest point along n, unless it is there already. Every reach is an upper bound of the depth.
  double support(const Vec3& direction) {
    const double len = math::norm(direction);
    if (!(len > 0)) return 0;
    const Vec3 n = direction * (1 / len);
    const Vec3 a = pair_.a(-n), b = pair_.b(n), w = b - a;
    const double reach = dot(n, w);
    if (reach < out_.upper) {
      // B reaches this far along n beyond A's furthest point backward: moving B by -reach along n parts them.
      out_.upper = reach;
      out_.direction = -n;
      out_.a = a;
      out_.b = b;
    }
    for (int i = 0; i < count_; ++i)
      if (difference_[i] == w) return reach;
    if (count_ < most_points) keep(a, b);
    return reach;
  }

  bool try_both(const Vec3& direction) {
    const int before = count_;
    support(direction);
    if (independent(before)) return true;
    count_ = before;
    support(-direction);
    if (independent(before)) return true;
    count_ = before;
    return false;
  }

  /// Did the last point add a dimension?
  bool independent(int before) const {
    if (count_ == before) return false;
    const Vec3 d = at(before) - at(0);
    if (before == 1) return dot(d, d) > 0;
    const Vec3 e = at(1) - at(0);
    if (before == 2) return dot(cross(d, e), cross(d, e)) > 0;
    return dot(cross(e, at(2) - at(0)), d) != 0;
  }

  bool add_face(int i, int j, int k) {
    if (face_count_ == most_faces) return false;
    const Vec3 n = cross(at(j) - at(i), at(k) - at(i));
    const double len = math::norm(n);
    Face& f = faces_[face_count_++];
    f = {{i, j, k}, {}, std::numeric_limits<double>::infinity(), true};
    if (!(len > 0)) return true;  // without an area: never the nearest
    f.normal = n * (1 / len);
    f.distance = dot(f.normal, at(i));
    return true;
  }

  int nearest_face() const {
    int best = -1;
    for (int i = 0; i < face_count_; ++i)
      if (faces_[i].alive && (best < 0 || faces_[i].distance < faces_[best].distance)) best = i;
    return best >= 0 && std::isfinite(faces_[best].distance) ? best : -1;
  }

  /// Replaces the faces that see the new point by a cone from their border to it.
  bool grow(int point) {
    struct Edge {
      int from, to;
    };
    std::array<Edge, 3 * most_faces> border;
    int edges = 0;
    for (int i = 0; i < face_count_; ++i) {
      Face& f = faces_[i];
      if (!f.alive || !(dot(f.normal, at(point) - at(f.corner[0])) > 0x1p-51)) continue;
      f.alive = false;
      for (int k = 0; k < 3; ++k) {
        const Edge e{f.corner[static_cast<std::size_t>(k)], f.corner[static_cast<std::size_t>((k + 1) % 3)]};
        auto* const end = border.data() + edges;
        auto* const twin =
            std::find_if(border.data(), end, [&](const Edge& o) { return o.from == e.to && o.to == e.from; });
        if (twin != end)
          *twin = border[static_cast<std::size_t>(--edges)];
        else
          border[static_cast<std::size_t>(edges++)] = e;
      }
    }
    if (edges == 0) return false;
    pack();
    for (int i = 0; i < edges; ++i)
      if (!add_face(border[static_cast<std::size_t>(i)].from, border[static_cast<std::size_t>(i)].to, point)) {
        closed_ = false;
        return false;
      }
    return true;
  }

  void pack() {
    int kept = 0;
    for (int i = 0; i < face_count_; ++i)
      if (faces_[i].alive) faces_[kept++] = faces_[i];
    face_count_ = kept;
  }

  const SupportPair& pair_;
  Depth& out_;
  int count_ = 0, face_count_ = 0;
  bool closed_ = true;
  Vec3 difference_[most_points], a_[most_points], b_[most_points];
  Face faces_[most_faces];
};

}  // namespace

Depth find_depth(const SupportPair& pair, const Simplex& simplex, double enough, double little, double relative) {
  Depth depth;
  Polytope polytope(pair, depth);
  if (!polytope.start(simplex)) {
    depth.upper = std::max(depth.upper, 0.0);
    return depth;
  }
  polytope.expand(enough, little, relative);
  depth.lower = std::min(polytope.certified(), depth.upper);
  depth.upper = std::max(depth.upper, 0.0);
  return depth;
}

}  // namespace graze::shape
