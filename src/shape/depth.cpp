// SPDX-License-Identifier: MIT
#include "shape/depth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace graze::shape {

namespace {

/// An array whose elements are written before they are read: clearing 30 KB takes longer than most searches.
template <class T, int size>
class Room {
 public:
  T& operator[](int i) { return reinterpret_cast<T*>(bytes_)[i]; }
  const T& operator[](int i) const { return reinterpret_cast<const T*>(bytes_)[i]; }

 private:
  alignas(T) std::byte bytes_[sizeof(T) * static_cast<std::size_t>(size)];
};

/// A polytope of points of B - A, as a closed surface of triangles around the origin.
class Polytope {
 public:
  Polytope(const SupportPair& pair, Depth& out) : pair_(pair), out_(out) {}

  /// A tetrahedron around the origin or near it. False: B - A is flat, as far as double precision can tell.
  bool start(const Simplex& simplex) {
    for (int i = 0; i < simplex.size; ++i) keep(simplex.a[i], simplex.b[i]);
    static constexpr Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (count_ == 0) support(axes[0]);
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

  /// True: the depth is known to the relative error, or what was asked is.
  bool expand(double enough, double little, double relative) {
    while (out_.iterations++ < 64) {
      const int nearest = nearest_face();
      if (nearest < 0) return false;
      const double distance = distance_[nearest];
      const int before = count_;
      const double reach = support(faces_[nearest].normal);
      const double bound = std::max(distance, 0.0);
      const bool known = out_.upper - bound <= std::max(relative * bound, 0x1p-49);
      if (known || out_.upper <= little || (bound > 2 * enough && certified() >= enough)) return true;
      if (count_ == most_points || !closed_) return false;
      // A face so thin that its normal is not known gets nowhere: others may.
      if (count_ == before || reach - distance <= 0x1p-49 || !grow(before)) {
        count_ = before;
        distance_[nearest] = std::numeric_limits<double>::infinity();
      }
    }
    return false;
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
    double wanted = std::numeric_limits<double>::infinity();
    for (int i = 0; i < face_count_; ++i) wanted = std::min(wanted, distance_[i]);
    double least = wanted;
    bool all_positive = true;
    for (int i = 0; i < face_count_ && least > 0; ++i) {
      const Vec3 *p, *q, *r;
      corners(faces_[i], p, q, r);
      least = std::min(least, distance_below(faces_[i], wanted));
      // Solid angles that are all positive sum to a positive multiple of 4 pi. The product of coordinates of at most 1
      // (of differences: each set's are below 1/2) is accurate to 2^-47.
      all_positive = all_positive && dot(*p, cross(*q, *r)) > 0x1p-46;
    }
    if (!(least > 0) || !std::isfinite(least)) return 0;
    return all_positive || std::fabs(solid_angles()) > 6.3 ? least : 0;
  }

 private:
  static constexpr int most_points = 96, most_faces = 384;

  struct Face {
    std::array<int, 3> corner;
    Vec3 normal;    ///< unit, outward
    double offset;  ///< of its plane from the origin
  };

  const Vec3& at(int i) const { return difference_[i]; }
  void corners(const Face& f, const Vec3*& p, const Vec3*& q, const Vec3*& r) const {
    p = &at(f.corner[0]);
    q = &at(f.corner[1]);
    r = &at(f.corner[2]);
  }

  /// A lower bound of a face's distance from the origin. Along any unit direction, the corner that is least far bounds
  /// the distance of the whole triangle. The normal of a thin face may be far off: then its nearest point may tell
  /// more.
  double distance_below(const Face& f, double wanted) const {
    const Vec3 *p, *q, *r;
    corners(f, p, q, r);
    const auto along = [&](const Vec3& d) { return std::min({dot(d, *p), dot(d, *q), dot(d, *r)}); };
    const double by_normal = along(f.normal);
    if (by_normal >= wanted) return by_normal;
    double w[3];
    nearest_on_triangle(*p, *q, *r, w);
    const Vec3 n = *p * w[0] + *q * w[1] + *r * w[2];
    const double len = math::norm(n);
    return len > 0 ? std::max(by_normal, along(n) / len) : 0;
  }

  double solid_angles() const {
    double angles = 0;
    for (int i = 0; i < face_count_; ++i) {
      const Vec3 *p, *q, *r;
      corners(faces_[i], p, q, r);
      const double np = math::norm(*p), nq = math::norm(*q), nr = math::norm(*r);
      angles +=
          2 * std::atan2(dot(*p, cross(*q, *r)), np * nq * nr + dot(*p, *q) * nr + dot(*q, *r) * np + dot(*r, *p) * nq);
    }
    return angles;
  }

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
    distance_[face_count_] = std::numeric_limits<double>::infinity();
    Face& f = faces_[face_count_++];
    f = {{i, j, k}, {}, std::numeric_limits<double>::infinity()};
    if (!(len > 0)) return true;  // without an area: never the nearest, seen from nowhere
    f.normal = n * (1 / len);
    f.offset = distance_[face_count_ - 1] = dot(f.normal, at(i));
    return true;
  }

  int nearest_face() const {
    int best = 0;
    for (int i = 1; i < face_count_; ++i)
      if (distance_[i] < distance_[best]) best = i;
    return face_count_ > 0 && std::isfinite(distance_[best]) ? best : -1;
  }

  /// Replaces the faces that see the new point by a cone from their border to it. False: no face sees it, or there is
  /// no border.
  bool grow(int point) {
    struct Edge {
      int from, to;
    };
    Room<Edge, 3 * most_faces> border;
    int edges = 0, kept = 0;
    const Vec3& x = at(point);
    for (int i = 0; i < face_count_; ++i) {
      const Face& f = faces_[i];
      if (!(dot(f.normal, x) - f.offset > 0x1p-51)) {
        if (kept != i) faces_[kept] = f, distance_[kept] = distance_[i];
        ++kept;
        continue;
      }
      for (int k = 0; k < 3; ++k) {
        const Edge e{f.corner[static_cast<std::size_t>(k)], f.corner[static_cast<std::size_t>((k + 1) % 3)]};
        int twin = 0;
        while (twin < edges && !(border[twin].from == e.to && border[twin].to == e.from)) ++twin;
        if (twin < edges)
          border[twin] = border[--edges];
        else
          border[edges++] = e;
      }
    }
    if (edges == 0) {
      closed_ = closed_ && kept == face_count_;
      face_count_ = kept;
      return false;
    }
    face_count_ = kept;
    for (int i = 0; i < edges; ++i)
      if (!add_face(border[i].from, border[i].to, point)) {
        closed_ = false;
        return false;
      }
    return true;
  }

  const SupportPair& pair_;
  Depth& out_;
  int count_ = 0, face_count_ = 0;
  bool closed_ = true;
  Room<Vec3, most_points> difference_, a_, b_;
  Room<Face, most_faces> faces_;
  Room<double, most_faces> distance_;  ///< of each face; infinite: not to be expanded (again)
};

/// One of the two sets, moved.
struct MovedSet {
  const SupportPair& pair;
  bool is_b;
  Vec3 by;
  Vec3 furthest(const Vec3& n) const { return is_b ? pair.b(n) + by : pair.a(n); }
  Vec3 centre() const { return furthest({1, 0, 0}); }
};

/// Moved out along a direction by a little more than it takes, the two are nearest along another one, along which it
/// takes less. The polytope ends where many directions are nearly as good; this goes on to the best one around there.
void improve(const SupportPair& pair, Depth& depth) {
  for (int i = 0; i < 32; ++i) {
    const double beyond = std::max(depth.upper, 0.0) + 0x1p-12;
    const MovedSet a{pair, false, {}}, b{pair, true, depth.direction * beyond};
    const Gap gap = find_gap(a, b, depth.direction, std::numeric_limits<double>::infinity(), -1, 0);
    if (gap.overlap || gap.normal == Vec3{}) return;
    const Vec3 of_a = pair.a(gap.normal), of_b = pair.b(-gap.normal);
    const double reach = dot(gap.normal, of_a - of_b);
    if (!(reach < depth.upper * (1 - 1e-13))) return;
    const bool little = reach > depth.upper * (1 - 1e-9);
    depth.upper = reach;
    depth.direction = gap.normal;
    depth.a = of_a;
    depth.b = of_b;
    if (little) return;
  }
}

}  // namespace

Depth find_depth(const SupportPair& pair, const Simplex& simplex, double enough, double little, double relative) {
  Depth depth;
  Polytope polytope(pair, depth);
  if (!polytope.start(simplex)) {
    depth.upper = std::max(depth.upper, 0.0);
    return depth;
  }
  const bool known = polytope.expand(enough, little, relative);
  if (!known && little < 0 && std::isfinite(depth.upper)) improve(pair, depth);
  depth.lower = std::min(polytope.certified(), depth.upper);
  depth.upper = std::max(depth.upper, 0.0);
  return depth;
}

}  // namespace graze::shape
