// SPDX-License-Identifier: MIT
#include "prim/triangle_triangle.hpp"

#include <algorithm>
#include <cstdlib>

namespace graze::prim {

namespace {

/// Collects the contacts found. Stops the search when the answer cannot change any more.
class Sink {
 public:
  explicit Sink(TriangleMeetings* all) : all_(all) {}

  bool answer_only() const { return !all_; }
  /// Only the answer is requested, and it is crossing.
  bool crossed() const { return !all_ && contact == TriangleContact::crossing; }
  /// Only the answer is requested, and there is contact; sufficient once no remaining test could find a crossing.
  bool met() const { return !all_ && contact != TriangleContact::none; }

  /// `swapped`: the first part belongs to B. `where()`: the point, computed only if requested.
  template <class Where>
  void add(bool swapped, Part first, Part second, bool crosses, Where&& where) {
    contact = std::max(contact, crosses ? TriangleContact::crossing : TriangleContact::touching);
    if (!all_) return;
    const Meeting m = swapped ? Meeting{second, first, where()} : Meeting{first, second, where()};
    for (int i = 0; i < all_->count; ++i)
      if (all_->meetings[i].a == m.a && all_->meetings[i].b == m.b) return;
    all_->meetings[all_->count++] = m;
  }

  TriangleContact contact = TriangleContact::none;

 private:
  TriangleMeetings* all_;
};

/// A triangle of three points in the set, and which body it belongs to.
struct Corners {
  std::array<int, 3> i;
  bool of_b;
  int axis = -1;       ///< a projection in which it does not degenerate to a line; -1: the triangle is degenerate
  int turn = 0;        ///< its orientation in that projection
  unsigned inner = 0;  ///< edges that are diagonals of a planar polygon
};

template <class Points>
Corners make_corners(Points& p, int first, bool of_b) {
  Corners t{{first, first + 1, first + 2}, of_b};
  const Vec3 n = cross(p.approx(first + 1) - p.approx(first), p.approx(first + 2) - p.approx(first));
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (std::fabs(n[k]) > std::fabs(n[axis])) axis = k;
  for (int k = 0; k < 3 && t.axis < 0; ++k) {
    const int a = (axis + k) % 3;
    t.turn = p.orient2d(a, t.i[0], t.i[1], t.i[2]);
    if (t.turn != 0) t.axis = a;
  }
  return t;
}

/// With integer coordinates the normal is exact, and its components are the three projected areas.
Corners make_corners(math::WholePoints& p, int first, bool of_b) {
  Corners t{{first, first + 1, first + 2}, of_b};
  const math::WholePoints::Int3& n = p.plane(first);
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (std::abs(n[k]) > std::abs(n[axis])) axis = k;
  t.turn = math::WholePoints::sign(n[axis]);
  if (t.turn != 0) t.axis = static_cast<int>(axis);
  return t;
}

/// Does a point in the plane of a (non-degenerate) triangle lie in the closed triangle?
template <class Points>
bool in_triangle(Points& p, const Corners& t, int point) {
  for (int k = 0; k < 3; ++k)
    if (p.orient2d(t.axis, t.i[k], t.i[(k + 1) % 3], point) * t.turn < 0) return false;
  return true;
}

/// Is a point on a closed segment?
template <class Points>
bool on_closed_segment(Points& p, int e0, int e1, int point) {
  if (!p.collinear(e0, e1, point)) return false;
  for (int axis = 0; axis < 3; ++axis)
    if (p.compare(axis, e0, point) * p.compare(axis, point, e1) < 0) return false;
  return true;
}

Vec3 on_segment(const Vec3& a, const Vec3& b, double t) {
  const Vec3 d = b - a;
  return is_finite(d) ? a + d * t : a * (1 - t) + b * t;
}

/// The intersection of a triangle's plane with an edge whose ends are strictly on opposite sides of it, rounded.
template <class Points>
Vec3 plane_point(Points& p, int e0, int e1, const Corners& t) {
  return on_segment(p.approx(e0), p.approx(e1), p.share_before_plane(e0, e1, t.i[0], t.i[1], t.i[2]));
}

/// Two edges in one plane, in a projection in which that plane does not degenerate to a line. Adds edge/edge if their
/// interiors meet in exactly one point; ends that lie on the other edge are vertices and are found as such.
template <class Points>
void coplanar_edges(Points& p, int axis, std::array<int, 2> e, Part e_part, std::array<int, 2> f, Part f_part,
                    bool swapped, Sink& sink) {
  if (p.orient2d(axis, e[0], e[1], f[0]) * p.orient2d(axis, e[0], e[1], f[1]) >= 0) return;
  if (p.orient2d(axis, f[0], f[1], e[0]) * p.orient2d(axis, f[0], f[1], e[1]) >= 0) return;
  sink.add(swapped, e_part, f_part, false, [&] {
    return on_segment(p.approx(e[0]), p.approx(e[1]), p.share_before_line(axis, e[0], e[1], f[0], f[1]));
  });
}

/// Edge k of triangle s, whose ends lie strictly on opposite sides of the plane of t, against t, which is not
/// degenerate. Only such edges can cross.
template <class Points>
void piercing_edge(Points& p, const Corners& s, int k, const Corners& t, Sink& sink) {
  const int e0 = s.i[k], e1 = s.i[(k + 1) % 3];
  std::array<int, 3> o;
  for (int j = 0; j < 3; ++j) o[j] = p.orient3d(e0, e1, t.i[j], t.i[(j + 1) % 3]);
  const bool negative = o[0] < 0 || o[1] < 0 || o[2]<0, positive = o[0]> 0 || o[1] > 0 || o[2] > 0;
  if (negative && positive) return;
  const int zeros = (o[0] == 0) + (o[1] == 0) + (o[2] == 0);
  if (zeros == 0) {
    sink.add(s.of_b, edge_part(k), Part::face, true, [&] { return plane_point(p, e0, e1, t); });
  } else if (zeros == 1) {
    const int j = o[0] == 0 ? 0 : o[1] == 0 ? 1 : 2;
    if (t.inner >> j & 1)
      sink.add(s.of_b, edge_part(k), Part::face, true, [&] { return plane_point(p, e0, e1, t); });
    else
      sink.add(s.of_b, edge_part(k), edge_part(j), false, [&] { return plane_point(p, e0, e1, t); });
  } else {  // the edge passes through the corner that the two lines share
    const int j = o[0] != 0 ? 2 : o[1] != 0 ? 0 : 1;
    sink.add(s.of_b, Part::face, vertex_part(j), false, [&] { return p.approx(t.i[j]); });
  }
}

template <class Points>
void piercing_edges(Points& p, const Corners& s, const Corners& t, const std::array<int, 3>& side, Sink& sink) {
  for (int k = 0; k < 3 && !sink.crossed(); ++k)
    if (side[k] * side[(k + 1) % 3] < 0) piercing_edge(p, s, k, t, sink);
}

/// The vertices and edges of s that lie in the plane of t, which is not degenerate.
template <class Points>
void parts_in_plane(Points& p, const Corners& s, const Corners& t, const std::array<int, 3>& side, Sink& sink) {
  for (int k = 0; k < 3 && !sink.met(); ++k)
    if (side[k] == 0 && in_triangle(p, t, s.i[k]))
      sink.add(s.of_b, vertex_part(k), Part::face, false, [&] { return p.approx(s.i[k]); });
  for (int k = 0; k < 3; ++k) {
    const int e0 = s.i[k], e1 = s.i[(k + 1) % 3];
    if (side[k] != 0 || side[(k + 1) % 3] != 0) continue;
    for (int j = 0; j < 3 && !sink.met(); ++j)
      coplanar_edges(p, t.axis, {e0, e1}, edge_part(k), {t.i[j], t.i[(j + 1) % 3]}, edge_part(j), s.of_b, sink);
    // Corners of t on the edge are found as vertices in the triangle s, unless s is degenerate and has no face to find
    // them in.
    for (int j = 0; j < 3 && s.axis < 0 && !sink.met(); ++j)
      if (on_closed_segment(p, e0, e1, t.i[j]))
        sink.add(s.of_b, Part::face, vertex_part(j), false, [&] { return p.approx(t.i[j]); });
  }
}

/// Two degenerate triangles: segments or points. Finds their vertices on the other's edges, and pairs of crossing
/// edges.
template <class Points>
void degenerate_degenerate(Points& p, const Corners& a, const Corners& b, Sink& sink) {
  const auto vertices_on_edges = [&](const Corners& s, const Corners& t) {
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j)
        if (on_closed_segment(p, t.i[j], t.i[(j + 1) % 3], s.i[k])) {
          sink.add(s.of_b, vertex_part(k), Part::face, false, [&] { return p.approx(s.i[k]); });
          break;
        }
  };
  vertices_on_edges(a, b);
  vertices_on_edges(b, a);
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 3; ++j) {
      const int a0 = a.i[k], a1 = a.i[(k + 1) % 3], b0 = b.i[j], b1 = b.i[(j + 1) % 3];
      if (p.orient3d(a0, a1, b0, b1) != 0) continue;
      for (int axis = 0; axis < 3; ++axis)  // one projection in which their common plane does not degenerate to a line
        if (p.orient2d(axis, a0, a1, b0) != 0 || p.orient2d(axis, a0, a1, b1) != 0) {
          coplanar_edges(p, axis, {a0, a1}, edge_part(k), {b0, b1}, edge_part(j), false, sink);
          break;
        }
    }
}

template <class Points>
std::array<int, 3> sides(Points& p, const std::array<int, 3>& plane, const std::array<int, 3>& points) {
  std::array<int, 3> s;
  for (int k = 0; k < 3; ++k) s[k] = p.orient3d(plane[0], plane[1], plane[2], points[k]);
  return s;
}

std::array<int, 3> sides(math::WholePoints& p, const std::array<int, 3>& plane, const std::array<int, 3>& points) {
  const math::WholePoints::Int3& n = p.plane(plane[0]);
  return {p.side(n, plane[0], points[0]), p.side(n, plane[0], points[1]), p.side(n, plane[0], points[2])};
}

template <class Points>
bool half_space(Points& p) {
  const auto zero = [](const std::array<int, 3>& s) { return s[0] == 0 && s[1] == 0 && s[2] == 0; };
  const auto closed = [](const std::array<int, 3>& s) {
    return (s[0] >= 0 && s[1] >= 0 && s[2] >= 0) || (s[0] <= 0 && s[1] <= 0 && s[2] <= 0);
  };
  const std::array<int, 3> b = sides(p, {0, 1, 2}, {3, 4, 5});
  // A degenerate triangle has no plane and gives zeros only, which give no information about its own edges.
  if (!zero(b) && closed(b)) return true;
  const std::array<int, 3> a = sides(p, {3, 4, 5}, {0, 1, 2});
  return zero(a) ? zero(b) : closed(a);
}

bool one_side(const std::array<int, 3>& s) {
  return (s[0] > 0 && s[1] > 0 && s[2] > 0) || (s[0] < 0 && s[1] < 0 && s[2] < 0);
}

/// Is there an edge with its ends strictly on opposite sides? Only such edges cross.
bool passes(const std::array<int, 3>& s) { return s[0] * s[1] < 0 || s[1] * s[2] < 0 || s[2] * s[0] < 0; }

using Flat = std::array<std::int64_t, 2>;

/// Does a line through two adjacent corners of a convex polygon (or both ends of a segment) have all of the other's
/// points strictly beyond it? A point has no such line: then n is 1 and both ends are the same.
template <std::size_t N, std::size_t M>
bool a_side_separates(const std::array<Flat, N>& own, int n, const std::array<Flat, M>& other, int m) {
  for (int i = 0; i < n; ++i) {
    const Flat &o = own[static_cast<std::size_t>(i)], &e = own[static_cast<std::size_t>(i + 1 < n ? i + 1 : 0)];
    const std::int64_t x = e[0] - o[0], y = e[1] - o[1];
    // The sides on which the polygon's own points lie (one side, as it is convex), and those of the other's points.
    bool own_left = false, own_right = false, left = false, right = false, on = false;
    for (int k = 0; k < n; ++k) {
      const std::int64_t d =
          x * (own[static_cast<std::size_t>(k)][1] - o[1]) - y * (own[static_cast<std::size_t>(k)][0] - o[0]);
      own_left |= d > 0;
      own_right |= d < 0;
    }
    for (int k = 0; k < m; ++k) {
      const std::int64_t d =
          x * (other[static_cast<std::size_t>(k)][1] - o[1]) - y * (other[static_cast<std::size_t>(k)][0] - o[0]);
      left |= d > 0;
      right |= d < 0;
      on |= d == 0;
    }
    if (on || left == right) continue;
    if (left ? !own_left : !own_right) return true;
  }
  return false;
}

/// If no edge crosses the other's plane, A meets B's plane in the point, edge or triangle spanned by its corners on
/// that plane (`a_side` is 0), and the triangles touch if that part meets B. Two convex sets in a plane are apart if
/// and only if a side of one of them separates them. B is not degenerate.
bool flat_part_meets(const math::WholePoints& p, const std::array<int, 3>& a_side, int axis) {
  const std::size_t u = axis == 2 ? 0 : static_cast<std::size_t>(axis + 1),
                    v = axis == 0 ? 2 : static_cast<std::size_t>(axis - 1);
  std::array<Flat, 3> part{}, face{};
  int n = 0;
  for (int k = 0; k < 3; ++k) {
    face[static_cast<std::size_t>(k)] = {p.at(3 + k)[u], p.at(3 + k)[v]};
    if (a_side[static_cast<std::size_t>(k)] == 0) part[static_cast<std::size_t>(n++)] = {p.at(k)[u], p.at(k)[v]};
  }
  return !a_side_separates(face, 3, part, n) && !a_side_separates(part, n, face, 3);
}

/// The answer alone, for a case in which it is fast: no edge crosses the other's plane, so nothing crosses.
/// Axis-aligned bodies usually touch in this way.
bool settled_flat(math::WholePoints& p, const std::array<int, 3>& a_side, const std::array<int, 3>& b_side,
                  Sink& sink) {
  if (!sink.answer_only() || passes(a_side) || passes(b_side)) return false;
  bool touching = false;
  for (int i = 0; i < 3 && !touching; ++i)
    for (int j = 3; j < 6; ++j) touching |= p.equal(i, j);
  if (!touching) {
    const Corners b = make_corners(p, 3, true);
    if (b.axis < 0) return false;
    touching = flat_part_meets(p, a_side, b.axis);
  }
  if (touching) sink.contact = TriangleContact::touching;
  return true;
}
bool settled_flat(math::PlacedPoints&, const std::array<int, 3>&, const std::array<int, 3>&, Sink&) {
  return false;  // not worth exact arithmetic
}

/// The sides of B's corners of A's plane, and of A's corners of B's plane.
struct BothSides {
  std::array<int, 3> b, a;

  bool apart() const { return one_side(b) || one_side(a); }
};

/// Exact arithmetic takes a hundred times as long as double precision, so it is asked only where double precision finds
/// neither plane to separate the triangles: first in A's frame, then in the frames of the planes.
BothSides both_sides(math::PlacedPoints& p) {
  BothSides s{};
  const auto complete = [](const std::array<int, 3>& x) { return x[0] != 0 && x[1] != 0 && x[2] != 0; };
  for (int k = 0; k < 3; ++k) s.b[static_cast<std::size_t>(k)] = p.filtered_orient3d(0, 1, 2, 3 + k);
  if (one_side(s.b)) return s;
  for (int k = 0; k < 3; ++k) s.a[static_cast<std::size_t>(k)] = p.filtered_orient3d(3, 4, 5, k);
  if (one_side(s.a) || (complete(s.a) && complete(s.b))) return s;
  if (!complete(s.b) && p.one_side_of_own_plane(0, 3)) return {{1, 1, 1}, s.a};
  if (!complete(s.a) && p.one_side_of_own_plane(3, 0)) return {s.b, {1, 1, 1}};
  for (int k = 0; k < 3; ++k)
    if (s.b[static_cast<std::size_t>(k)] == 0) s.b[static_cast<std::size_t>(k)] = p.exact_orient3d(0, 1, 2, 3 + k);
  if (one_side(s.b)) return s;
  for (int k = 0; k < 3; ++k)
    if (s.a[static_cast<std::size_t>(k)] == 0) s.a[static_cast<std::size_t>(k)] = p.exact_orient3d(3, 4, 5, k);
  return s;
}

BothSides both_sides(math::WholePoints& p) {
  BothSides s{};
  s.b = sides(p, {0, 1, 2}, {3, 4, 5});
  if (!one_side(s.b)) s.a = sides(p, {3, 4, 5}, {0, 1, 2});
  return s;
}

template <class Points>
void run(Points& p, unsigned inner_a, unsigned inner_b, Sink& sink) {
  // All of one triangle strictly on one side of the other's plane: apart (Kitamura 3.6). A degenerate triangle gives
  // zeros only.
  const BothSides both = both_sides(p);
  if (both.apart()) return;
  const std::array<int, 3>&a_side = both.a, &b_side = both.b;
  if (settled_flat(p, a_side, b_side, sink)) return;
  Corners a = make_corners(p, 0, false), b = make_corners(p, 3, true);
  a.inner = inner_a;
  b.inner = inner_b;
  // A degenerate triangle is the union of its edges: its face needs no test.
  if (b.axis >= 0) piercing_edges(p, a, b, a_side, sink);
  if (a.axis >= 0 && !sink.crossed()) piercing_edges(p, b, a, b_side, sink);
  if (sink.met()) return;
  if (b.axis >= 0) parts_in_plane(p, a, b, a_side, sink);
  if (a.axis >= 0 && !sink.met()) parts_in_plane(p, b, a, b_side, sink);
  if (a.axis < 0 && b.axis < 0) degenerate_degenerate(p, a, b, sink);
}

template <class Points>
void all_meetings(Points& p, TriangleMeetings& out, unsigned inner_a, unsigned inner_b) {
  out.count = 0;
  Sink sink(&out);
  run(p, inner_a, inner_b, sink);
  out.contact = sink.contact;
}

template <class Points>
bool holds(Points& p) {
  if (p.orient3d(0, 1, 2, 3) != 0) return false;
  const Corners t = make_corners(p, 0, false);
  if (t.axis >= 0) return in_triangle(p, t, 3);
  return on_closed_segment(p, 0, 1, 3) || on_closed_segment(p, 1, 2, 3) || on_closed_segment(p, 2, 0, 3);
}

}  // namespace

TriangleContact triangle_triangle(math::PlacedPoints& p, unsigned inner_a, unsigned inner_b) {
  Sink sink(nullptr);
  run(p, inner_a, inner_b, sink);
  return sink.contact;
}

TriangleContact triangle_triangle(math::WholePoints& p, unsigned inner_a, unsigned inner_b) {
  Sink sink(nullptr);
  run(p, inner_a, inner_b, sink);
  return sink.contact;
}

bool cannot_cross(math::PlacedPoints& p) { return half_space(p); }
bool cannot_cross(math::WholePoints& p) { return half_space(p); }

void triangle_triangle(math::PlacedPoints& p, TriangleMeetings& out, unsigned inner_a, unsigned inner_b) {
  all_meetings(p, out, inner_a, inner_b);
}
void triangle_triangle(math::WholePoints& p, TriangleMeetings& out, unsigned inner_a, unsigned inner_b) {
  all_meetings(p, out, inner_a, inner_b);
}

bool holds_point(math::PlacedPoints& p) { return holds(p); }
bool holds_point(math::WholePoints& p) { return holds(p); }

std::array<Vec3, 2> TriangleMeetings::segment() const {
  std::array<Vec3, 2> best{};
  if (count > 0) best = {meetings[0].point, meetings[0].point};
  double longest = 0;
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j) {
      const double d = length(meetings[i].point - meetings[j].point);
      if (d > longest) {
        longest = d;
        best = {meetings[i].point, meetings[j].point};
      }
    }
  return best;
}

}  // namespace graze::prim
