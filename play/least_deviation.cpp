// SPDX-License-Identifier: MIT
#include "least_deviation.hpp"

#include <cmath>
#include <limits>

#include <graze/math/interval.hpp>

#include "active_set.hpp"

namespace graze::play {
namespace {

/// The lower triangle L of M = L L^T of one body: the mass by its root, the inertia by Cholesky.
struct Root {
  double mass = 1;
  std::array<double, 6> l{1, 0, 1, 0, 0, 1};  // rows of the lower triangle

  explicit Root(const Inert& body) : mass(std::sqrt(body.mass)) {
    const Symmetric& m = body.inertia;
    l[0] = std::sqrt(m.xx);
    l[1] = m.xy / l[0];
    l[2] = std::sqrt(m.yy - l[1] * l[1]);
    l[3] = m.xz / l[0];
    l[4] = (m.yz - l[3] * l[1]) / l[2];
    l[5] = std::sqrt(m.zz - l[3] * l[3] - l[4] * l[4]);
  }
  /// L^-1 y
  Vec3 forward(const Vec3& y) const {
    const double a = y.x / l[0], b = (y.y - l[1] * a) / l[2];
    return {a, b, (y.z - l[3] * a - l[4] * b) / l[5]};
  }
  /// L^-T y
  Vec3 backward(const Vec3& y) const {
    const double c = y.z / l[5], b = (y.y - l[4] * c) / l[2];
    return {(y.x - l[1] * b - l[3] * c) / l[0], b, c};
  }
};

/// What a touch says about one body: its velocity along the normal is linear . v + angular . w.
struct Side {
  std::size_t body;
  Vec3 linear, angular;
};

std::array<std::optional<Side>, 2> sides(std::span<const Inert> bodies, const Touch& touch) {
  std::array<std::optional<Side>, 2> result;
  if (touch.a) {
    const Vec3 arm = touch.point_a - bodies[*touch.a].centre;
    result[0] = Side{*touch.a, -touch.normal, -cross(arm, touch.normal)};
  }
  if (touch.b) {
    const Vec3 arm = touch.point_b - bodies[*touch.b].centre;
    result[1] = Side{*touch.b, touch.normal, cross(arm, touch.normal)};
  }
  return result;
}

double speed(const std::array<std::optional<Side>, 2>& row, std::span<const Twist> twists) {
  double sum = 0;
  for (const auto& side : row)
    if (side) sum += dot(side->linear, twists[side->body].linear) + dot(side->angular, twists[side->body].angular);
  return sum;
}

using Vec3I = std::array<Interval, 3>;
Vec3I exactly(const Vec3& v) { return {v.x, v.y, v.z}; }
Interval dot(const Vec3I& a, const Vec3I& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec3I cross(const Vec3I& a, const Vec3I& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vec3I minus(const Vec3I& a, const Vec3I& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

/// y^T S y
Interval form(const Symmetric& s, const Vec3I& y) {
  return Interval(s.xx) * sqr(y[0]) + Interval(s.yy) * sqr(y[1]) + Interval(s.zz) * sqr(y[2]) +
         Interval(2) * (Interval(s.xy) * y[0] * y[1] + Interval(s.xz) * y[0] * y[2] + Interval(s.yz) * y[1] * y[2]);
}

/// y^T S^-1 y, by the adjugate.
Interval inverse_form(const Symmetric& s, const Vec3I& y) {
  const Interval xx = s.xx, yy = s.yy, zz = s.zz, xy = s.xy, xz = s.xz, yz = s.yz;
  const Interval a = yy * zz - sqr(yz), b = xz * yz - xy * zz, c = xy * yz - xz * yy;
  const Interval d = xx * zz - sqr(xz), e = xy * xz - xx * yz, f = xx * yy - sqr(xy);
  const Interval determinant = xx * a + xy * b + xz * c;
  return (a * sqr(y[0]) + d * sqr(y[1]) + f * sqr(y[2]) +
          Interval(2) * (b * y[0] * y[1] + c * y[0] * y[2] + e * y[1] * y[2])) /
         determinant;
}

/// Bounds from the numbers of the answer, whatever computed them.
void certify(std::span<const Inert> bodies, std::span<const Twist> wished, std::span<const Touch> touches,
             LeastDeviation& result) {
  Interval primal = 0, dual = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3I linear = minus(exactly(result.twists[i].linear), exactly(wished[i].linear));
    const Vec3I angular = minus(exactly(result.twists[i].angular), exactly(wished[i].angular));
    primal += Interval(0.5) * (Interval(bodies[i].mass) * dot(linear, linear) + form(bodies[i].inertia, angular));
  }
  struct Push {
    Vec3I linear{}, angular{};
  };
  std::vector<Push> pushes(bodies.size());  // J^T l
  double violation = 0;
  for (std::size_t t = 0; t < touches.size(); ++t) {
    const Touch& touch = touches[t];
    const Interval impulse = result.impulses[t];
    Interval approach = touch.least, wish = touch.least;
    const auto add = [&](std::size_t body, const Vec3& point, const Vec3& normal) {
      const Vec3I n = exactly(normal), arm = minus(exactly(point), exactly(bodies[body].centre)), turn = cross(arm, n);
      approach -= dot(n, exactly(result.twists[body].linear)) + dot(turn, exactly(result.twists[body].angular));
      wish -= dot(n, exactly(wished[body].linear)) + dot(turn, exactly(wished[body].angular));
      for (std::size_t k = 0; k < 3; ++k) {
        pushes[body].linear[k] += impulse * n[k];
        pushes[body].angular[k] += impulse * turn[k];
      }
    };
    if (touch.a) add(*touch.a, touch.point_a, -touch.normal);
    if (touch.b) add(*touch.b, touch.point_b, touch.normal);
    violation = std::fmax(violation, approach.hi);
    dual += impulse * wish;
  }
  for (std::size_t i = 0; i < bodies.size(); ++i)
    dual -= Interval(0.5) * (dot(pushes[i].linear, pushes[i].linear) / Interval(bodies[i].mass) +
                             inverse_form(bodies[i].inertia, pushes[i].angular));
  result.deviation = primal.hi;
  result.violation = violation;
  result.gap = std::fmax(0, (primal - dual).hi);
}

bool finite(const LeastDeviation& result) {
  for (const Twist& twist : result.twists)
    if (!is_finite(twist.linear) || !is_finite(twist.angular)) return false;
  return std::isfinite(result.gap) && std::isfinite(result.violation);
}

}  // namespace

LeastDeviation least_deviation(std::span<const Inert> bodies, std::span<const Twist> wished,
                               std::span<const Touch> touches) {
  std::vector<Root> roots(bodies.begin(), bodies.end());
  const std::size_t columns = 6 * bodies.size();
  // In x = L^T (v - w) the objective is 1/2 |x|^2 and a touch is the row L^-1 J^T.
  std::vector<double> rows(columns * touches.size(), 0), h(touches.size());
  std::vector<std::array<std::optional<Side>, 2>> both(touches.size());
  for (std::size_t t = 0; t < touches.size(); ++t) {
    both[t] = sides(bodies, touches[t]);
    h[t] = touches[t].least - speed(both[t], wished);
    for (const auto& side : both[t]) {
      if (!side) continue;
      const Vec3 linear = side->linear * (1 / roots[side->body].mass),
                 angular = roots[side->body].forward(side->angular);
      double* at = rows.data() + t * columns + 6 * side->body;
      for (int k = 0; k < 3; ++k) at[k] += linear[k], at[3 + k] += angular[k];
    }
  }
  const NearestPoint nearest = nearest_point(rows, columns, h);

  LeastDeviation result;
  result.steps = nearest.steps;
  result.impulses = nearest.multipliers;
  result.twists.assign(wished.begin(), wished.end());
  for (std::size_t t = 0; t < touches.size(); ++t)
    for (const auto& side : both[t]) {
      if (!side || result.impulses[t] == 0) continue;
      const Root& root = roots[side->body];
      Twist& twist = result.twists[side->body];
      twist.linear = twist.linear + side->linear * (result.impulses[t] / (root.mass * root.mass));
      twist.angular = twist.angular + root.backward(root.forward(side->angular)) * result.impulses[t];
    }
  result.solved = nearest.solved;
  certify(bodies, wished, touches, result);
  if (!result.solved || !finite(result)) {
    result.solved = false;
    result.twists.assign(bodies.size(), Twist{});
    result.impulses.assign(touches.size(), 0);
  }
  return result;
}

}  // namespace graze::play
