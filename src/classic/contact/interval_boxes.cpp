// SPDX-License-Identifier: MIT
#include "classic/contact/interval_boxes.hpp"

#include <cmath>

#include "math/vectors.hpp"

namespace graze::classic::contact {
namespace {

using math::norm_above;

/// One axis of inequality (7): the left side is |value + s slope|, the right side `fixed` and a weighted sum of |c + s
/// d|. Where the left side keeps its sign the difference of the sides is concave in s, so its minimum is at an end of
/// the span: testing both ends is sufficient.
class AxisTest {
 public:
  AxisTest(double value, double slope, double fixed) : from_(value - slope), to_(value + slope), fixed_(fixed) {}
  void add(double weight, double c, double d) {
    right_from_ += weight * std::fabs(c - d);
    right_to_ += weight * std::fabs(c + d);
  }
  bool apart() const {
    const double from = fixed_ + right_from_, to = fixed_ + right_to_;
    return (from_ > from && to_ > to) || (from_ < -from && to_ < -to);
  }

 private:
  double from_, to_, fixed_, right_from_ = 0, right_to_ = 0;
};

}  // namespace

BoxCourse::BoxCourse(const prim::MovingFrame& f, const IntervalBox& a, const IntervalBox& b)
    : half_a(&a.half), half_b(&b.half) {
  const Vec3 t0 = f.turn0(b.centre) + f.t0 - a.centre, t1 = f.turn1(b.centre) + f.t1;
  for (int i = 0; i < 3; ++i) {
    p[i] = dot(a.axis[i], t0);
    q[i] = dot(a.axis[i], t1);
  }
  for (int j = 0; j < 3; ++j) {
    const Vec3 c0 = f.turn0(b.axis[j]), d0 = f.turn1(b.axis[j]);
    for (int i = 0; i < 3; ++i) {
      c[i][j] = dot(a.axis[i], c0);
      d[i][j] = dot(a.axis[i], d0);
    }
  }
  const double reach = norm_above(b.centre);
  shift_rest = (f.rest + f.turn_rest * reach) * (1 + 0x1p-40);
  turn_rest = f.turn_rest * (1 + 0x1p-40) + 0x1p-46;  // the axes are unit vectors to within 2^-48, and rounding
  size_p = norm_above(t0) + norm_above(t1);
  size_a = a.half.x + a.half.y + a.half.z;
  size_b = b.half.x + b.half.y + b.half.z;
  // Every quantity below is a sum of products of numbers whose magnitudes add up to at most this; no chain has more
  // than 64 roundings, and the axes' products have an error of 2^-48 each.
  rounding = 0x1p-44 * (size_p + size_a + size_b + reach + norm_above(a.centre)) + 0x1p-900;
}

bool BoxCourse::apart_along_faces(double gap) const {
  const Vec3 &a = *half_a, &b = *half_b;
  const double of_a = gap + rounding + shift_rest + turn_rest * size_b;
  for (int i = 0; i < 3; ++i) {
    AxisTest test(p[i], q[i], of_a + a[i]);
    for (int j = 0; j < 3; ++j) test.add(b[j], c[i][j], d[i][j]);
    if (test.apart()) return true;
  }
  const double of_b = gap + rounding + shift_rest + turn_rest * (size_p + size_a);
  for (int j = 0; j < 3; ++j) {
    // (p + s q) . (c + s d): s^2 is in [0, 1], so replace it by 1/2 with an error of at most 1/2.
    double value = 0, slope = 0, square = 0;
    for (int i = 0; i < 3; ++i) {
      value += p[i] * c[i][j];
      slope += p[i] * d[i][j] + q[i] * c[i][j];
      square += q[i] * d[i][j];
    }
    AxisTest test(value + 0.5 * square, slope, of_b + b[j] + 0.5 * std::fabs(square));
    for (int i = 0; i < 3; ++i) test.add(a[i], c[i][j], d[i][j]);
    if (test.apart()) return true;
  }
  return false;
}

bool BoxCourse::apart_along_edge(int i, int j, double gap) const {
  const Vec3 &a = *half_a, &b = *half_b;
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  // T . (e_i x f_j) = T_i2 C_i1j - T_i1 C_i2j, and so on for the axes themselves.
  const double value = p[i2] * c[i1][j] - p[i1] * c[i2][j];
  const double slope = p[i2] * d[i1][j] + q[i2] * c[i1][j] - p[i1] * d[i2][j] - q[i1] * c[i2][j];
  const double square = q[i2] * d[i1][j] - q[i1] * d[i2][j];
  const double fixed = gap + rounding + shift_rest + turn_rest * (size_p + size_a + size_b) + 0.5 * std::fabs(square);
  AxisTest test(value + 0.5 * square, slope, fixed);
  test.add(a[i1], c[i2][j], d[i2][j]);
  test.add(a[i2], c[i1][j], d[i1][j]);
  test.add(b[j1], c[i][j2], d[i][j2]);
  test.add(b[j2], c[i][j1], d[i][j1]);
  return test.apart();
}

bool BoxCourse::apart(double gap, bool partial, AllCounters& counters) const {
  const double wanted = gap * (1 + 0x1p-40);  // the axes are unit vectors to within rounding
  if (apart_along_faces(wanted)) return true;
  if (partial) return false;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      ++counters.edge_axes;
      if (apart_along_edge(i, j, wanted)) return true;
    }
  return false;
}

bool BoxCourse::worth_halving(double k, double tolerance) const {
  const Vec3 &a = *half_a, &b = *half_b;
  double turning = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) turning += d[i][j] * d[i][j];
  const double shift = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  // The paper's (t1 - t0) |v_r|, plus the contributions of rotation and of the remainders.
  const double path = 2 * (shift + std::sqrt(turning) * size_b + shift_rest + turn_rest * size_b);
  if (!(path > tolerance)) return false;
  double sizes = size_a + size_b;
  if (shift > 0) {
    sizes = 0;
    for (int i = 0; i < 3; ++i) sizes += a[i] * std::fabs(q[i]);
    for (int j = 0; j < 3; ++j) sizes += b[j] * std::fabs(q[0] * c[0][j] + q[1] * c[1][j] + q[2] * c[2][j]);
    sizes /= shift;
  }
  return path > k * sizes;
}

}  // namespace graze::classic::contact
