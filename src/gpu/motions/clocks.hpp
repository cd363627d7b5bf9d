// SPDX-License-Identifier: MIT
// How long two parts of turning bodies stay apart, in single precision. docs/methods/best_first.md, "Why a step is
// safe while the bodies turn", derives the bounds (i), (ii) and (iii) that `time_along` takes the longest of.
//
// Everything is in A's axes at the time of the frame. Rounding, with u = 2^-24:
//
// Rotations. The quaternion and the axis of a flight are rounded, 2 u; its half angle at t is off by 4 u, the series
// for sine and cosine by 3 u: so the turn by 9 u, and with the product of two quaternions the rotation by 18 u. A point
// that it moves is off by four times that of its distance, and by 8 u for the matrix: 80 u. The rotation of B's axes in
// A's is a product of two such: 44 u, so 190 u of the distance. Places. `between`, from one reference point to the
// other, is a sum of products in single precision, 3 u of its start and its shift, then turned, 80 u. Arms of B are
// turned, 190 u; those of A are rounded, 2 u. So `d`, which joins the centres of the two parts, is off by less than 200
// u (|between| + arms of both) + 4 u (|start| + |shift|). Gaps. Let S = |d| + 2 |half A| + 2 |half B| (sums of sizes)
// for the two parts that were taken from the queue. What is computed from d has a share of the rotations' error, 190 u
// S, and fewer than 40 roundings of sums below S. So `gap_error` is 2^8 u S + 2^8 u (|between| + arms) + 2^3 u (|start|
// + |shift|), with the error of doubles (kinematics.hpp) and the distance that must remain. Speeds are sums of the same
// kind, with V = |v| + |wA| (|arm A| + 2 |half A|) + the same of B for S: `speed_error` is 2^9 u V. Orbits are sums of
// the arms with twice that error: `orbit_error` is 2^10 u of them. Quick quotients and roots are good to 2^-20, so
// accelerations and sines of angles are enlarged by 2^-16, and times shortened by 2^-15. A NaN proves nothing.
#pragma once

#include "gpu/motions/kinematics.hpp"

namespace graze::gpu {

constexpr float no_end = 1e30f;  ///< a time beyond all motions

/// What does not change during a search.
struct Pairing {
  double unit;   ///< lengths of poses are multiplied by this
  double keep;   ///< steps end when the gap has fallen to this: the separation and half of the tolerance
  double touch;  ///< at most this far apart is a contact: the separation and the tolerance
  VectorD reference_a, reference_b;
};

/// A quaternion of length one.
struct Turn {
  float w;
  VectorF v;
};

/// Both flights, and what of them does not change.
struct Flights {
  Flight a, b;
  VectorD velocity;  ///< of A's reference point seen from B's, in world coordinates
  double place_error;
  VectorF axis_a, axis_b;  ///< in the bodies' own axes
  // In single precision: the rotations at the start, half angles, arms, and from A's reference point to B's.
  Turn turn_at_start_a, turn_at_start_b;
  float half_angle_a, half_angle_b;
  VectorF arm_a, arm_b, start, shift;
  float turn_a, turn_b;  ///< radians per unit of time
};

/// Both bodies at one time, for the children of two parts.
struct Frame {
  Rows<float> r;         ///< B's axes in A's
  VectorF d;             ///< from the centre of A's part to that of B's
  VectorF between;       ///< from A's reference point to B's
  VectorF velocity;      ///< of A's reference point, seen from B's
  VectorF arm_a, arm_b;  ///< from the reference points to the centres of the parts
  VectorF axis_b;        ///< in A's axes
  float gap_error, speed_error, orbit_error;
};

/// The rotation by an angle below pi, given by its half x <= 1.5709: the first terms of the series that are left out
/// are 6e-8 and 7e-9.
GRAZE_DEVICE Turn turn_about(const VectorF& axis, float x) {
  const float q = x * x;
  float s = -1.0f / 39916800, c = 1.0f / 479001600;
  s = mul_add(q, s, 1.0f / 362880);
  s = mul_add(q, s, -1.0f / 5040);
  s = mul_add(q, s, 1.0f / 120);
  s = mul_add(q, s, -1.0f / 6);
  s = mul_add(q * x, s, x);
  c = mul_add(q, c, -1.0f / 3628800);
  c = mul_add(q, c, 1.0f / 40320);
  c = mul_add(q, c, -1.0f / 720);
  c = mul_add(q, c, 1.0f / 24);
  c = mul_add(q, c, -0.5f);
  return {mul_add(q, c, 1.0f), axis * s};
}
GRAZE_DEVICE Turn operator*(const Turn& a, const Turn& b) {
  return {mul_add(a.w, b.w, -dot(a.v, b.v)), along(along(cross(a.v, b.v), a.w, b.v), b.w, a.v)};
}
GRAZE_DEVICE Rows<float> rows_of(const Turn& t) {
  const VectorF v2 = t.v * 2.0f;
  const float xx = t.v.x * v2.x, yy = t.v.y * v2.y, zz = t.v.z * v2.z;
  const float wx = t.w * v2.x, wy = t.w * v2.y, wz = t.w * v2.z;
  return {{1 - (yy + zz), mul_add(t.v.x, v2.y, -wz), mul_add(t.v.x, v2.z, wy)},
          {mul_add(t.v.x, v2.y, wz), 1 - (xx + zz), mul_add(t.v.y, v2.z, -wx)},
          {mul_add(t.v.x, v2.z, -wy), mul_add(t.v.y, v2.z, wx), 1 - (xx + yy)}};
}
/// v turned by the inverse.
GRAZE_DEVICE VectorF turned_back(const Turn& t, const VectorF& v) {
  const VectorF across = cross(v, t.v) * 2.0f;
  return along(v, t.w, across) + cross(across, t.v);
}

GRAZE_DEVICE Frame frame_at(const Flights& f, const Pairing& pairing, float t, const Part& a, const Part& b) {
  const Turn ta = f.turn_at_start_a * turn_about(f.axis_a, f.half_angle_a * t);
  const Turn tb = f.turn_at_start_b * turn_about(f.axis_b, f.half_angle_b * t);
  Frame frame;
  frame.r = rows_of(Turn{ta.w, -ta.v} * tb);
  frame.between = turned_back(ta, along(f.start, t, f.shift));
  frame.velocity = turned_back(ta, -f.shift);
  frame.arm_a = f.arm_a + a.centre;
  frame.arm_b = turned(frame.r, f.arm_b + b.centre);
  frame.axis_b = turned(frame.r, f.axis_b);
  frame.d = frame.between + frame.arm_b - frame.arm_a;
  const float half_a = sum_of_sizes(a.half), half_b = sum_of_sizes(b.half);
  const float s = sum_of_sizes(frame.d) + 2 * half_a + 2 * half_b;
  const float arms_a = sum_of_sizes(frame.arm_a) + 2 * half_a, arms_b = sum_of_sizes(frame.arm_b) + 2 * half_b;
  const float all = sum_of_sizes(frame.between) + arms_a + arms_b;
  const float least = mul_add(0x1p-21f, sum_of_sizes(f.start) + sum_of_sizes(f.shift),
                              static_cast<float>((f.place_error + pairing.keep) * (1 + 0x1p-20)));
  frame.gap_error = mul_add(0x1p-16f, s + all, least);
  frame.speed_error = 0x1p-15f * (sum_of_sizes(frame.velocity) + f.turn_a * arms_a + f.turn_b * arms_b);
  frame.orbit_error = mul_add(0x1p-14f, all, least);
  return frame;
}

/// A box at its place: its centre relative to that of A's part, in A's axes, its half sides along its own axes, and its
/// centre relative to the reference point.
struct PlacedBox {
  VectorF centre, half, arm;
};

/// Before t a gap g that closes with speed u at first, and the speed grows at most by b per unit of time, is not
/// closed.
GRAZE_DEVICE float time_to_close(float g, float u, float b) {
  const float root = root_of(mul_add(u, u, 2 * b * g));
  if (u > 0) return quotient_of(2 * g, u + root * (1 + 0x1p-18f));
  return b > 0 ? quotient_of(root * (1 - 0x1p-18f) - u, b) : no_end;
}
GRAZE_DEVICE float time_at_most(float g, float speed) { return speed > 0 ? quotient_of(g, speed) : no_end; }

/// What a turning box adds to the closing of a gap along n, which points away from its body: now (`now`, the fastest
/// corner), at most at any time (`most`), the acceleration, and how far it can reach in any orientation.
struct Closing {
  float now, most, acceleration, orbit;
};
GRAZE_DEVICE Closing closing_of(const VectorF& n, const VectorF& axis, const VectorF& axis_in_box, float turn,
                                const Rows<float>* box_axes, const PlacedBox& box) {
  const auto in_box = [&](const VectorF& v) { return box_axes ? turned_back(*box_axes, v) : v; };
  if (turn == 0) return {0, 0, 0, dot(n, box.arm) + reach(in_box(n), box.half)};
  const VectorF nu = cross(n, axis), ur = cross(axis, box.arm);
  const float sine = mul_add(length(nu), 1 + 0x1p-16f, 0x1p-16f);
  // B's axis and arms are off by 200 u: so the sine by that, and the cross product with the arm by 406 u of the arm.
  const float far = (length(ur) + length(box.half)) * (1 + 0x1p-16f) + 0x1p-15f * sum_of_sizes(box.arm);
  const float along_axis = dot(n, axis);
  Closing c;
  c.most = turn * sine * far;
  c.now = turn * (dot(nu, box.arm) + reach(in_box(nu), box.half));
  c.acceleration = turn * c.most;
  c.orbit =
      mul_add(along_axis, dot(axis, box.arm), mul_add(magnitude(along_axis), reach(axis_in_box, box.half), sine * far));
  return c;
}

/// How long a gap along n (from A to B), of which errors are already subtracted, lasts at least. Not rounded down.
GRAZE_DEVICE float time_along(const Flights& f, const Frame& frame, const PlacedBox& a, const PlacedBox& b,
                              const VectorF& n, float gap) {
  if (!(gap > 0)) return 0;
  const VectorF back = -n;
  const Closing ca = closing_of(n, f.axis_a, f.axis_a, f.turn_a, nullptr, a);
  const Closing cb = closing_of(back, frame.axis_b, f.axis_b, f.turn_b, &frame.r, b);
  const float linear = dot(n, frame.velocity) + frame.speed_error;
  const float acceleration = (ca.acceleration + cb.acceleration) * (1 + 0x1p-16f);
  float time =
      larger(time_to_close(gap, linear + ca.now + cb.now, acceleration), time_at_most(gap, linear + ca.most + cb.most));
  const float orbit = dot(n, frame.between) - (ca.orbit + cb.orbit) - frame.orbit_error;
  if (orbit > 0) time = larger(time, time_at_most(orbit, linear));
  return time > 0 ? time : 0;
}

GRAZE_DEVICE float box_gap(const Frame& frame, const PlacedBox& a, const PlacedBox& b, const VectorF& n) {
  return dot(n, b.centre - a.centre) - reach(n, a.half) - reach(turned_back(frame.r, n), b.half) - frame.gap_error;
}

GRAZE_DEVICE VectorF unit_of(const VectorF& v) {
  const float square = dot(v, v);
  return square > 1e-30f ? v * inverse_root_of(square) : VectorF{0, 0, 0};
}

/// The direction with the largest gap over the speed at which the centres approach. An estimate that chooses; what is
/// chosen is proved afterwards.
struct BestDirection {
  VectorF n{0, 0, 0};
  float gap = 0, pace = 1;
  GRAZE_DEVICE void offer(float g, float speed, float least, const VectorF& direction) {
    const float slowed = larger(speed, least);
    if (g * pace > gap * slowed) {
      gap = g;
      pace = slowed;
      n = direction;
    }
  }
};

/// The velocity of a point of A seen from a point of B, with arms from their reference points.
GRAZE_DEVICE VectorF closing_velocity(const Flights& f, const Frame& frame, const VectorF& arm_a,
                                      const VectorF& arm_b) {
  return along(along(frame.velocity, f.turn_a, cross(f.axis_a, arm_a)), -f.turn_b, cross(frame.axis_b, arm_b));
}

/// Perpendicular to the relative velocity: parts that will miss each other are apart in this direction and stay so.
GRAZE_DEVICE VectorF passing_line(const VectorF& velocity, const VectorF& line) {
  const float share = quotient_of(dot(line, velocity), dot(velocity, velocity));
  return unit_of(share > 0 && share < no_end ? along(line, -share, velocity) : line);
}

/// The corners of a triangle in A's axes, relative to the centre of A's part.
struct PlacedCorners {
  VectorF at[3];
};
GRAZE_DEVICE float corners_gap(const Frame& frame, const PlacedCorners& a, const PlacedCorners& b, const VectorF& n) {
  const float top = larger(larger(dot(n, a.at[0]), dot(n, a.at[1])), dot(n, a.at[2]));
  const float bottom = smaller(smaller(dot(n, b.at[0]), dot(n, b.at[1])), dot(n, b.at[2]));
  return bottom - top - frame.gap_error;
}

/// The clock of two parts: the time for which they certainly stay apart. Of triangles the gaps are those of the
/// corners, the speeds those of their boxes.
///
/// Few directions, and the bounds along one of them only: the code must stay in the instruction cache, and a warp that
/// opens a few parts more is faster than one that computes twice as much for each.
GRAZE_DEVICE float pair_clock(const Flights& f, const Frame& frame, const Part& part_a, const PlacedBox& a,
                              const Part& part_b, const PlacedBox& b, bool triangles, const PlacedCorners& corners_a,
                              const PlacedCorners& corners_b) {
  const VectorF line = b.centre - a.centre;
  const VectorF velocity = closing_velocity(f, frame, a.arm, b.arm);
  const float least =
      frame.speed_error + 0.5f * (sum_of_sizes(a.half) * f.turn_a + sum_of_sizes(b.half) * f.turn_b) + 1e-30f;
  // From the centre of the smaller box to the nearest point of the larger one.
  const bool larger_b = dot(b.half, b.half) > dot(a.half, a.half);
  const VectorF from = larger_b ? turned_back(frame.r, line) : line, half = larger_b ? b.half : a.half;
  const auto outside = [](float x, float h) { return x - larger(-h, smaller(x, h)); };
  VectorF nearest = {outside(from.x, half.x), outside(from.y, half.y), outside(from.z, half.z)};
  if (larger_b) nearest = turned(frame.r, nearest);
  BestDirection best;
  const auto offer = [&](const VectorF& n) {
    const float gap = triangles ? corners_gap(frame, corners_a, corners_b, n) : box_gap(frame, a, b, n);
    best.offer(gap, dot(n, velocity), least, n);
  };
  offer(passing_line(velocity, nearest));
  offer(unit_of(nearest));
  const VectorF slab_b = turned(frame.r, part_b.slab);
  if (triangles) {  // the slabs are the normals
    offer(dot(part_a.slab, line) < 0 ? -part_a.slab : part_a.slab);
    offer(dot(slab_b, line) < 0 ? -slab_b : slab_b);
  } else {
    const auto slab = [&](const VectorF& n, float at, float reach_of_other, float low, float high, bool of_b) {
      const float above = at - reach_of_other - high, below = low - at - reach_of_other;
      const VectorF towards = (above > below) != of_b ? n : -n;
      best.offer(larger(above, below) - frame.gap_error, dot(towards, velocity), least, towards);
    };
    slab(part_a.slab, dot(part_a.slab, line), reach(turned_back(frame.r, part_a.slab), b.half), part_a.low, part_a.high,
         false);
    slab(slab_b, -dot(slab_b, line), reach(slab_b, a.half), part_b.low, part_b.high, true);
  }
  return time_along(f, frame, a, b, best.n, best.gap);
}

}  // namespace graze::gpu
