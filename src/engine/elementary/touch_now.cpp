// SPDX-License-Identifier: MIT
#include "engine/elementary/touch_now.hpp"

#include <algorithm>
#include <cmath>

#include "math/predicates.hpp"

#include <graze/core/portability.hpp>

namespace graze::engine::elementary {
namespace {

/// Signs of areas and volumes, computed exactly.
struct AnySigns {
  static int area(double ax, double ay, double bx, double by, double cx, double cy) {
    return math::orient2d(ax, ay, bx, by, cx, cy);
  }
  static int volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) { return math::orient3d(a, b, c, d); }
};

/// The same for points on a coarse grid, for which the plain formulas are exact.
struct GridSigns {
  static int sign(double x) { return (x > 0) - (x < 0); }
  static int area(double ax, double ay, double bx, double by, double cx, double cy) {
    return sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));
  }
  static int volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    return sign(dot(cross(b - a, c - a), d - a));
  }
};

/// Are all coordinates integer multiples of one power of two g, and less than 2^15 g in size? Then differences are
/// below 2^16, products of two below 2^32, a difference of those below 2^33, times a third below 2^49 and the sum of
/// three such below 2^51, all times a power of g: integer multiples of it that a double represents exactly. (Most
/// queries of axis-aligned scenes that filters cannot decide are of this kind.)
bool on_coarse_grid(const std::array<Vec3, 4>& p) {
  double largest = 0;
  for (const Vec3& x : p) largest = std::max({largest, std::fabs(x.x), std::fabs(x.y), std::fabs(x.z)});
  if (!(largest > 0x1p-200 && largest < 0x1p200)) return false;  // third powers of g must be representable
  // The power of two not above the largest; g is 2^-14 of it. A number from 2^52 g to 2^53 g has the last bit g: adding
  // it rounds away anything that is not a multiple of g.
  const double power = core::bit_cast<double>(core::bit_cast<std::uint64_t>(largest) & 0x7ff0000000000000u);
  const double last_bit_is_g = 1.5 * 0x1p52 * 0x1p-14 * power;
  const auto whole = [&](double x) { return (x + last_bit_is_g) - last_bit_is_g == x; };
  return std::all_of(p.begin(), p.end(), [&](const Vec3& x) { return whole(x.x) && whole(x.y) && whole(x.z); });
}

template <class Signs>
class Touch {
 public:
  static bool on_edge(const Vec3& p, const Vec3& a, const Vec3& b) {
    for (int i = 0; i < 3; ++i)
      if (p[i] < std::min(a[i], b[i]) || p[i] > std::max(a[i], b[i])) return false;
    return turn(a, b, p, 0) == 0 && turn(a, b, p, 1) == 0 && turn(a, b, p, 2) == 0;
  }

  static bool on_face(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    if (Signs::volume(a, b, c, p) != 0) return false;
    for (int axis = 0; axis < 3; ++axis) {
      // Projected along an axis in which the face has nonzero area, points of its plane keep their order.
      const int face = turn(a, b, c, axis);
      if (face == 0) continue;
      return turn(a, b, p, axis) * face >= 0 && turn(b, c, p, axis) * face >= 0 && turn(c, a, p, axis) * face >= 0;
    }
    return on_edge(p, a, b) || on_edge(p, b, c) || on_edge(p, c, a);
  }

  static bool edges_meet(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
    if (Signs::volume(a0, a1, b0, b1) != 0) return false;
    for (int axis = 0; axis < 3; ++axis) {
      const int b0_side = turn(a0, a1, b0, axis), b1_side = turn(a0, a1, b1, axis);
      const int a0_side = turn(b0, b1, a0, axis), a1_side = turn(b0, b1, a1, axis);
      if (b0_side == 0 && b1_side == 0 && a0_side == 0 && a1_side == 0) continue;
      // In this projection they are not all collinear: each edge has its ends on opposite sides of the other's line, or
      // on it.
      return b0_side * b1_side <= 0 && a0_side * a1_side <= 0;
    }
    return on_edge(a0, b0, b1) || on_edge(a1, b0, b1) || on_edge(b0, a0, a1) || on_edge(b1, a0, a1);
  }

 private:
  /// The sign of the triangle's area projected along an axis.
  static int turn(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
    const int x = (axis + 1) % 3, y = (axis + 2) % 3;
    return Signs::area(a[x], a[y], b[x], b[y], c[x], c[y]);
  }
};

template <class Signs>
bool touch(ElementaryKind kind, const std::array<Vec3, 4>& p) {
  switch (kind) {
    case ElementaryKind::vertex_face: return Touch<Signs>::on_face(p[0], p[1], p[2], p[3]);
    case ElementaryKind::edge_edge: return Touch<Signs>::edges_meet(p[0], p[1], p[2], p[3]);
    case ElementaryKind::vertex_edge: return Touch<Signs>::on_edge(p[0], p[1], p[2]);
    case ElementaryKind::vertex_vertex: break;
  }
  return p[0] == p[1];
}

}  // namespace

bool touch_now(ElementaryKind kind, const std::array<Vec3, 4>& p) {
  return on_coarse_grid(p) ? touch<GridSigns>(kind, p) : touch<AnySigns>(kind, p);
}

}  // namespace graze::engine::elementary
