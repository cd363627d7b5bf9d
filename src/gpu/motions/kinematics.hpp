// SPDX-License-Identifier: MIT
// A flight from one pose to another, in doubles: the motion `Velocity` of the CPU. The reference point moves on a
// straight line, the body turns about a fixed axis by the smaller angle.
//
// How far a computed place is from the exact one. Let u = 2^-53. The quaternions of the poses are normalised with an
// error below 2^-51. Their quotient has one below 2 2^-51 + 8 u < 2^-49, so the half angle f one below 2^-48.5 (two
// units in the last place of the arc tangent included) and its axis one below 2^-49 / sin f. At time t the axis counts
// with sin (f t) <= sin f (0 <= f <= pi / 2), so the quotient at t is known to 2^-47.5 and the rotation's quaternion to
// 2^-47.3. A rotation moves a point by at most four times that of its distance: 2^-45.3. The reference point at both
// ends is known to 2^-45.3 of its arm and 2^-50 of its coordinates, and so is every point between. What is computed
// from places takes fewer than 24 further roundings of sums of such numbers, 2^-48. With L the largest coordinate of
// the reference point plus its distances from the body's origin and from the body's farthest point, all this is below
// 2^-44 L for each body; `place_error` is 2^-42 (LA + LB).
#pragma once

#include <cstdint>

#include "gpu/motions/device_mesh.hpp"

namespace graze::gpu {

/// As `graze::Pose` is in memory.
struct DevicePose {
  VectorD translation;
  double w, x, y, z;
};

struct Flight {
  VectorD start, speed;  ///< of the reference point, in world coordinates
  double w, x, y, z;     ///< the rotation at the start, length one
  VectorD axis;          ///< in the body's own axes, length one
  double half_angle;     ///< half of the angle of the whole motion, 0 to pi / 2
  VectorD arm;           ///< from the reference point to the centre of the body's frame, in the body's own axes
  double extent;         ///< L above
};

/// The placement of a body: a point x of its own axes, counted from the reference point, is at r x + at.
struct Placed {
  Rows<double> r;
  VectorD at;
};

/// `on_cpu`: half a turn, where the CPU decides exactly which way is the shorter one, or numbers too large for a sum.
enum class FlightProblem : std::uint32_t { none, not_finite, no_rotation, on_cpu };

GRAZE_DEVICE Rows<double> rotation_of(double w, double x, double y, double z) {
  const double x2 = 2 * x, y2 = 2 * y, z2 = 2 * z, xx = x * x2, yy = y * y2, zz = z * z2, wx = w * x2, wy = w * y2,
               wz = w * z2;
  return {{1 - (yy + zz), mul_add(x, y2, -wz), mul_add(x, z2, wy)},
          {mul_add(x, y2, wz), 1 - (xx + zz), mul_add(y, z2, -wx)},
          {mul_add(x, z2, -wy), mul_add(y, z2, wx), 1 - (xx + yy)}};
}

GRAZE_DEVICE bool is_finite(double x) { return x - x == 0; }

/// Length one; false: it has no direction.
GRAZE_DEVICE bool normalise(double& w, double& x, double& y, double& z) {
  const double largest = larger(larger(magnitude(w), magnitude(x)), larger(magnitude(y), magnitude(z)));
  if (!(largest > 0x1p-1000)) {  // its reciprocal may be infinite
    w *= 0x1p700, x *= 0x1p700, y *= 0x1p700, z *= 0x1p700;
    const double scaled = largest * 0x1p700;
    if (!(scaled > 0)) return false;
    w /= scaled, x /= scaled, y /= scaled, z /= scaled;
  } else {
    w /= largest, x /= largest, y /= largest, z /= largest;
  }
  const double inverse = 1 / ::sqrt(w * w + x * x + y * y + z * z);
  w *= inverse, x *= inverse, y *= inverse, z *= inverse;
  return true;
}

/// `unit`: a power of two by which lengths of the poses are multiplied; the reference point is in that unit already.
GRAZE_DEVICE_CALL FlightProblem make_flight(const DevicePose& from, const DevicePose& to, const VectorD& reference,
                                            double unit, const DeviceMesh& mesh, Flight& flight) {
  const double sum = from.translation.x + from.translation.y + from.translation.z + to.translation.x +
                     to.translation.y + to.translation.z;
  const double sum_q = from.w + from.x + from.y + from.z + to.w + to.x + to.y + to.z;
  if (!is_finite(sum) || !is_finite(sum_q)) {
    const double all[14] = {from.translation.x,
                            from.translation.y,
                            from.translation.z,
                            to.translation.x,
                            to.translation.y,
                            to.translation.z,
                            from.w,
                            from.x,
                            from.y,
                            from.z,
                            to.w,
                            to.x,
                            to.y,
                            to.z};
    for (double v : all)
      if (!is_finite(v)) return FlightProblem::not_finite;
    return FlightProblem::on_cpu;
  }
  double w = to.w, x = to.x, y = to.y, z = to.z;
  flight.w = from.w, flight.x = from.x, flight.y = from.y, flight.z = from.z;
  if (!normalise(w, x, y, z) || !normalise(flight.w, flight.x, flight.y, flight.z)) return FlightProblem::no_rotation;
  const VectorD& s = reference;
  const VectorD begin = from.translation * unit + turned(rotation_of(flight.w, flight.x, flight.y, flight.z), s);
  const VectorD end = to.translation * unit + turned(rotation_of(w, x, y, z), s);
  flight.start = begin;
  flight.speed = end - begin;
  // The conjugate of the first times the second: the turn in the body's own axes.
  double tw = flight.w * w + flight.x * x + flight.y * y + flight.z * z;
  VectorD turn = {flight.w * x - flight.x * w - flight.y * z + flight.z * y,
                  flight.w * y - flight.y * w - flight.z * x + flight.x * z,
                  flight.w * z - flight.z * w - flight.x * y + flight.y * x};
  if (tw < 0) {
    tw = -tw;
    turn = -turn;
  }
  // Half a turn, or too near to it to know which way is the shorter one: the CPU decides it exactly.
  if (!(tw > 0x1p-40)) return FlightProblem::on_cpu;
  const double sine = ::sqrt(dot(turn, turn));
  flight.half_angle = sine > 0 ? ::atan2(sine, tw) : 0;
  flight.axis = sine > 0 ? turn * (1 / sine) : VectorD{0, 0, 1};
  flight.arm = mesh.centre - s;
  const auto largest = [](const VectorD& v) { return larger(magnitude(v.x), larger(magnitude(v.y), magnitude(v.z))); };
  flight.extent = 1.75 * larger(largest(begin), largest(end)) + sum_of_sizes(s) + mesh.size + mesh.radius +
                  sum_of_sizes(flight.arm) + 1.75 * unit * larger(largest(from.translation), largest(to.translation));
  return FlightProblem::none;
}

/// The sine and cosine of 0 <= x <= 1.5708 by their series: the first terms that are left out are 1.2e-18 and 8e-20,
/// and Horner's rule adds less than two units in the last place of 1.
GRAZE_DEVICE void sine_cosine_of(double x, double& sine, double& cosine) {
  const double q = x * x;
  double s = 1.0 / 51090942171709440000.0, c = 1.0 / 1124000727777607680000.0;  // 1 / 21!, 1 / 22!
  s = mul_add(-q, s, 1.0 / 121645100408832000.0);
  s = mul_add(-q, s, 1.0 / 355687428096000.0);
  s = mul_add(-q, s, 1.0 / 1307674368000.0);
  s = mul_add(-q, s, 1.0 / 6227020800.0);
  s = mul_add(-q, s, 1.0 / 39916800.0);
  s = mul_add(-q, s, 1.0 / 362880.0);
  s = mul_add(-q, s, 1.0 / 5040.0);
  s = mul_add(-q, s, 1.0 / 120.0);
  s = mul_add(-q, s, 1.0 / 6.0);
  sine = mul_add(-q * x, s, x);
  c = mul_add(-q, c, 1.0 / 2432902008176640000.0);
  c = mul_add(-q, c, 1.0 / 6402373705728000.0);
  c = mul_add(-q, c, 1.0 / 20922789888000.0);
  c = mul_add(-q, c, 1.0 / 87178291200.0);
  c = mul_add(-q, c, 1.0 / 479001600.0);
  c = mul_add(-q, c, 1.0 / 3628800.0);
  c = mul_add(-q, c, 1.0 / 40320.0);
  c = mul_add(-q, c, 1.0 / 720.0);
  c = mul_add(-q, c, 1.0 / 24.0);
  c = mul_add(-q, c, 0.5);
  cosine = mul_add(-q, c, 1.0);
}

GRAZE_DEVICE Placed place(const Flight& f, double t) {
  double sine, cosine;
  sine_cosine_of(f.half_angle * t, sine, cosine);
  const double tx = sine * f.axis.x, ty = sine * f.axis.y, tz = sine * f.axis.z;
  const double w = mul_add(f.w, cosine, -mul_add(f.x, tx, mul_add(f.y, ty, f.z * tz))),
               x = mul_add(f.w, tx, mul_add(f.x, cosine, mul_add(f.y, tz, -(f.z * ty)))),
               y = mul_add(f.w, ty, mul_add(f.y, cosine, mul_add(f.z, tx, -(f.x * tz)))),
               z = mul_add(f.w, tz, mul_add(f.z, cosine, mul_add(f.x, ty, -(f.y * tx))));
  return {rotation_of(w, x, y, z), along(f.start, t, f.speed)};
}

}  // namespace graze::gpu
