// SPDX-License-Identifier: MIT
// Exact answers about placed triangles, in rational arithmetic: slow, simple, and written independently of the
// library's kernels. Nothing here is rounded; every finite double is in range.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>

namespace graze::oracle {

// Expression templates are disabled so that `auto` and return types are plain numbers.
using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;
using Rational =
    boost::multiprecision::number<boost::multiprecision::cpp_rational_backend, boost::multiprecision::et_off>;

// ---- numbers and points
// -----------------------------------------------------------------------------------------

/// The exact value of a finite double.
Rational exact(double value);
/// Near `value` (to about an ulp; may overflow to infinity or underflow to zero): for messages and loose
/// comparisons.
double to_double(const Rational& value);

struct Point {
  Rational x, y, z;
  friend bool operator==(const Point&, const Point&) = default;
};
using Triangle = std::array<Point, 3>;

Point exact(const Vec3& v);
Triangle exact(const std::array<Vec3, 3>& corners);
/// To within about an ulp in each coordinate.
Vec3 to_double(const Point& p);

Point operator+(const Point& a, const Point& b);
Point operator-(const Point& a, const Point& b);
Point operator*(const Rational& s, const Point& a);
Rational dot(const Point& a, const Point& b);
Point cross(const Point& a, const Point& b);

// ---- placement
// --------------------------------------------------------------------------------------------------

/// R(q/|q|) x + t. Rational, because R(q/|q|) contains only products of two entries of q, divided by |q|^2.
Point place(const Pose& pose, const Vec3& local);
Triangle place(const Pose& pose, const std::array<Vec3, 3>& local);
/// The local point that `place` sends to `world`.
Point unplace(const Pose& pose, const Point& world);
/// `unplace`, if its three coordinates are doubles: to make placed inputs that touch exactly.
std::optional<Vec3> local_of(const Pose& pose, const Vec3& world);

// ---- signs of determinants
// --------------------------------------------------------------------------------------

/// Sign of ((b - a) x (c - a)) . (d - a): +1 if d is on the side to which the normal of abc points.
int orient3d_sign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
int orient3d_sign(const Point& a, const Point& b, const Point& c, const Point& d);
/// Sign of (bx - ax)(cy - ay) - (by - ay)(cx - ax): +1 if a, b, c turn counter-clockwise.
int orient2d_sign(double ax, double ay, double bx, double by, double cx, double cy);
/// The same in the coordinates that remain, in cyclic order, when `axis` (0, 1, 2) is dropped: yz, zx, xy.
int orient2d_sign(const Vec3& a, const Vec3& b, const Vec3& c, int dropped_axis);

// ---- convex sets of dimension at most two
// -----------------------------------------------------------------------

/// No three of the corners lie on a line.
struct ConvexSet {
  std::vector<Point> corners;  ///< none: empty; 1: a point; 2: a segment; more: a planar polygon, in cyclic order
  int dimension() const;       ///< -1 empty, 0 point, 1 segment, 2 polygon
};
/// The convex hull of up to three points, equal or collinear ones included.
ConvexSet hull(std::span<const Point> up_to_three);
/// The intersection of both sets.
ConvexSet intersect(const ConvexSet& a, const ConvexSet& b);

// ---- two triangles
// ----------------------------------------------------------------------------------------------

struct TriangleAnswer {
  bool contact = false;         ///< the closed triangles (segments or points, if degenerate) share a point
  bool crossing = false;        ///< one of the six edges below crosses
  int dimension = -1;           ///< of the set they share: -1 none, 0 point, 1 segment, 2 polygon
  std::vector<Point> vertices;  ///< its corners
  /// Edge i, from corner i to corner (i + 1) % 3, has its ends strictly on both sides of the other triangle's
  /// plane and meets the other triangle's interior. Never against a degenerate triangle, which has no plane;
  /// the edges of a degenerate triangle do count.
  std::array<bool, 3> edge_of_a_crosses{}, edge_of_b_crosses{};
};
TriangleAnswer intersect(const Triangle& a, const Triangle& b);
bool degenerate(const Triangle& t);

/// Two triangles of one mesh: do they meet outside the features that they share by index? If they share no vertex: do
/// they meet. One vertex: is there another common point. Two: is there a common point off the closed edge between them.
/// All three: true. A repeated index counts once, so (v, v, w) shares with (v, w, x) the edge vw; the result is always
/// true for equal index triples.
bool shares_more_than(const Triangle& a, const std::array<std::uint32_t, 3>& ids_a, const Triangle& b,
                      const std::array<std::uint32_t, 3>& ids_b);

// ---- distances
// --------------------------------------------------------------------------------------------------

Rational squared_distance(const Point& p, const Point& q);
Rational squared_distance(const Point& p, const std::array<Point, 2>& segment);
Rational squared_distance(const std::array<Point, 2>& segment, const std::array<Point, 2>& other);
Rational squared_distance(const Point& p, const Triangle& t);
Rational squared_distance(const Triangle& a, const Triangle& b);

// ---- are reported features true?
// --------------------------------------------------------------------------------

bool point_in_triangle(const Point& p, const Triangle& closed);
/// A polygon is given as the triangles of its triangulation.
bool point_in_polygon(const Point& p, std::span<const Triangle> triangulation);
bool segments_meet(const Point& a0, const Point& a1, const Point& b0, const Point& b1);
/// The closed segment and the closed triangle share a point.
bool segment_meets_triangle(const Point& p, const Point& q, const Triangle& t);
/// p and q are strictly on both sides of the plane of t, and the segment meets its interior (false if t is
/// degenerate).
bool segment_crosses_triangle(const Point& p, const Point& q, const Triangle& t);

// ---- solids
// -----------------------------------------------------------------------------------------------------

enum class Where { outside, on_surface, inside };
/// Parity of the crossings of a ray with a closed surface. A ray that meets an edge or vertex is discarded and another
/// one is tried.
Where point_in_polyhedron(const Point& p, std::span<const Triangle> closed_surface);

// ---- messages
// ---------------------------------------------------------------------------------------------------

/// For failure messages: rational coordinates as near doubles.
std::string describe(const Point& p);
std::string describe(const Triangle& t);

}  // namespace graze::oracle
