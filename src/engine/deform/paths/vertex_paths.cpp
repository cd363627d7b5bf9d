// SPDX-License-Identifier: MIT
#include "engine/deform/paths/vertex_paths.hpp"

#include <algorithm>
#include <cmath>

#include "math/vectors.hpp"

namespace graze::engine::deform {

namespace {

using math::largest;

constexpr double slack = 1 + 0x1p-40;

/// Bernstein points of the quartic that passes through y[k] at k/4.
PathPoints through(const PathPoints& y) {
  const Vec3 &a = y[0], &b = y[1], &c = y[2], &d = y[3], &e = y[4];
  return {a, (a * -13 + b * 48 - c * 36 + d * 16 - e * 3) * (1.0 / 12),
          (a * 13 - b * 64 + c * 120 - d * 64 + e * 13) * (1.0 / 18),
          (a * -3 + b * 16 - c * 36 + d * 48 - e * 13) * (1.0 / 12), e};
}

/// Radius of the body around its reference point.
double reach(const RigidVertices& body) {
  double r = 0;
  for (const Vec3& x : body.local) r = std::max(r, length(x - body.path.reference()));
  return r * slack;
}

double fifth_power(double x) { return x * x * (x * x) * x; }

double fifth_derivative(const RigidVertices& body, double r) {
  return (body.path.reference_derivative(5) + fifth_power(body.path.turn_rate()) * r) * slack;
}

/// A step is not divided into more parts.
constexpr std::uint64_t most_parts = 1 << 14;
/// Interpolation at k/4 of a path with |x^(5)| <= d, over a part of length h: the error is at most
/// d h^5 / 5! max |s (s - 1/4) (s - 1/2) (s - 3/4) (s - 1)|, and the maximum is below 0.003547.
constexpr double interpolation = 0.003547 / 120;

/// The distance from the real path, and from the computed one.
double placing_error(const RigidVertices& body, double r) {
  const motion::Bounds& m = body.path.bounds();
  return 1.001 * (m.error + m.turn_error * r) + 0x1p-48 * (body.far + r);
}

bool turns(const RigidVertices& body) {
  const motion::Bounds& m = body.path.bounds();
  return m.acceleration > 0 || m.turn_acceleration > 0;
}

/// From the polynomials of a body, the straight motions near them, and how near these are.
///
/// The differences of the Bernstein points of a path and of a straight motion are the Bernstein points of their
/// difference, so it is nowhere longer than the longest of them. Constant acceleration moves the middle point away from
/// the chord most; half of that is added to the chord.
void set_straight_motions(std::size_t body, VertexPaths& paths) {
  PathBody& b = paths.bodies[body];
  double bend = 0, far = 0;
  for (std::uint32_t v = b.begin; v < b.end; ++v) {
    const PathPoints& p = paths.points[b.points + (v - b.begin)];
    const Vec3 aside = (p[2] - (p[0] + p[4]) * 0.5) * 0.5;
    const Vec3 &from = paths.start[v] = p[0] + aside, &to = paths.end[v] = p[4] + aside;
    for (std::size_t k = 0; k <= path_degree; ++k) {
      const double t = static_cast<double>(k) / path_degree;
      bend = std::max(bend, length(p[k] - (from + (to - from) * t)));
    }
    far = std::max({far, largest(p[0]), largest(p[4])});
  }
  b.bend = bend * slack + 0x1p-48 * (far + bend);
}

}  // namespace

void VertexPaths::clear(std::span<const PathBody> all, std::size_t vertices) {
  start.resize(vertices);
  end.resize(vertices);
  points.clear();
  bodies.assign(all.begin(), all.end());
}

PathPoints VertexPaths::at(std::uint32_t v, const PathBody& body) const {
  if (!body.straight) return points[body.points + (v - body.begin)];
  const Vec3 &a = start[v], &b = end[v], d = b - a;
  return {a, a + d * 0.25, a + d * 0.5, a + d * 0.75, b};
}

Box3 swept_box(const RigidVertices& body) {
  const double r = reach(body);
  const motion::Bounds& m = body.path.bounds();
  Box3 box;
  const Placement from = body.path.placement(0), to = body.path.placement(1);
  for (const Vec3& x : body.local) {
    box.add(from.apply(x));
    box.add(to.apply(x));
  }
  // A path with |x''| <= a is within a / 8 of its chord (the error of linear interpolation).
  const double around = (m.acceleration + m.turn_acceleration * r) / 8 * slack + 4 * placing_error(body, r);
  const Vec3 all{around, around, around};
  return {box.lo - all, box.hi + all};
}

std::uint64_t parts_for(const RigidVertices& body, double error, double bend) {
  if (!turns(body)) return 1;
  const double r = reach(body), rate = body.path.turn_rate();
  const motion::Bounds& m = body.path.bounds();
  const double all = interpolation * fifth_derivative(body, r) / error;
  std::uint64_t exact = 1;
  while (exact < most_parts && !(fifth_power(static_cast<double>(exact)) >= all)) exact += 1 + exact / 16;
  // Constant acceleration a in a part of length h bends the path by a h^2 / 12 (`set_straight_motions`). Parts in which
  // the body turns by less than a 32nd of a radian cost more than they save.
  const double near = std::sqrt((m.acceleration + m.turn_acceleration * r) / 12 / bend);
  const double parts = std::max(static_cast<double>(exact), std::ceil(std::min(near, 32 * rate + 4)));
  return parts < most_parts ? static_cast<std::uint64_t>(parts) : 0;
}

/// The second derivative of a polynomial of degree n is n (n - 1) times second differences of its Bernstein points.
std::uint64_t parts_for(std::span<const Vec3> start, std::span<const std::vector<Vec3>> control, double bend) {
  const double n = static_cast<double>(control.size());
  double most = 0;
  for (std::size_t v = 0; v < start.size(); ++v)
    for (std::size_t k = 0; k + 1 < control.size(); ++k) {
      const Vec3& before = k == 0 ? start[v] : control[k - 1][v];
      most = std::max(most, length(before - control[k][v] * 2 + control[k + 1][v]));
    }
  const double near = std::sqrt(n * (n - 1) * most / 12 / bend);
  return near < 16 ? static_cast<std::uint64_t>(near) + 1 : 16;
}

double placing_error(const RigidVertices& body) { return placing_error(body, reach(body)); }

void add_rigid(const RigidVertices& vertices, double t0, double t1, std::size_t body, VertexPaths& paths) {
  PathBody& b = paths.bodies[body];
  const double r = reach(vertices), place = placing_error(vertices, r), h = t1 - t0;
  std::array<Placement, path_degree + 1> at;
  for (std::size_t k = 0; k <= path_degree; ++k)
    at[k] = vertices.path.placement(t0 + h * (static_cast<double>(k) / path_degree));
  at[path_degree] = vertices.path.placement(t1);
  b.straight = !turns(vertices);
  if (b.straight) {
    b.error = 2 * place;
    b.bend = 0;
    for (std::uint32_t v = b.begin; v < b.end; ++v) {
      paths.start[v] = at[0].apply(vertices.local[v - b.begin]);
      paths.end[v] = at[path_degree].apply(vertices.local[v - b.begin]);
    }
    return;
  }
  // Interpolating values that are off by e is off by at most 2.21 e (the Lebesgue constant), and the computed path is
  // off by as much as the values are. The Bernstein points are sums of values with weights of at most 15.3 together.
  b.error =
      interpolation * fifth_derivative(vertices, r) * fifth_power(h * slack) + 4 * place + 0x1p-46 * (vertices.far + r);
  b.points = static_cast<std::uint32_t>(paths.points.size());
  for (const Vec3& x : vertices.local) {
    PathPoints y;
    for (std::size_t k = 0; k <= path_degree; ++k) y[k] = at[k].apply(x);
    paths.points.push_back(through(y));
  }
  set_straight_motions(body, paths);
}

void add_straight(std::span<const Vec3> from, std::span<const Vec3> to, double t0, double t1, std::size_t body,
                  VertexPaths& paths) {
  PathBody& b = paths.bodies[body];
  double far = 0;
  for (std::uint32_t v = b.begin; v < b.end; ++v) {
    const Vec3 &x = from[v - b.begin], &y = to[v - b.begin], d = y - x;
    paths.start[v] = t0 <= 0 ? x : x + d * t0;
    paths.end[v] = t1 >= 1 ? y : x + d * t1;
    far = std::max({far, largest(x), largest(y)});
  }
  b.straight = true;
  b.error = 0x1p-49 * far;  // a few roundings of the ends of a part, and of points between them
  b.bend = 0;
}

void put_aside(const Vec3& point, std::size_t body, VertexPaths& paths) {
  const PathBody& b = paths.bodies[body];
  for (std::uint32_t v = b.begin; v < b.end; ++v) paths.start[v] = paths.end[v] = point;
}

void add_polynomials(std::span<const Vec3> start, std::span<const std::vector<Vec3>> control, double t0, double t1,
                     std::size_t body, VertexPaths& paths) {
  PathBody& b = paths.bodies[body];
  const std::size_t degree = control.size();
  b.straight = false;
  b.points = static_cast<std::uint32_t>(paths.points.size());
  double far = 0;
  for (std::size_t v = 0; v < start.size(); ++v) {
    PathPoints p{};
    for (std::size_t k = 0; k <= degree; ++k) {
      p[k] = k == 0 ? start[v] : control[k - 1][v];
      far = std::max(far, largest(p[k]));
    }
    for (std::size_t d = degree; d < path_degree; ++d) {  // the same polynomial, one degree higher
      const double whole = static_cast<double>(d + 1);
      p[d + 1] = p[d];
      for (std::size_t k = d; k > 0; --k)
        p[k] = p[k - 1] * (static_cast<double>(k) / whole) + p[k] * (static_cast<double>(d + 1 - k) / whole);
    }
    // De Casteljau: until t1, then from t0 on.
    if (t1 < 1)
      for (std::size_t r = 1; r <= path_degree; ++r)
        for (std::size_t k = path_degree; k >= r; --k) p[k] = p[k - 1] * (1 - t1) + p[k] * t1;
    const double s = t1 > 0 ? t0 / t1 : 0;
    if (s > 0)
      for (std::size_t r = 1; r <= path_degree; ++r)
        for (std::size_t k = 0; k + r <= path_degree; ++k) p[k] = p[k] * (1 - s) + p[k + 1] * s;
    paths.points.push_back(p);
  }
  b.error = 0x1p-46 * far;  // at most 11 means, whose rounding and whose parameter's is below 8 eps of the points
  set_straight_motions(body, paths);
}

}  // namespace graze::engine::deform
