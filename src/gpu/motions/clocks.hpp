// SPDX-License-Identifier: MIT
// How long two parts of turning bodies stay apart, in single precision. docs/methods/best_first.md, "Why a step is
// safe while the bodies turn", derives the bounds (i), (ii) and (iii) that `time_along` takes the longest of.
//
// Everything is in A's axes at the time of the frame. Rounding, with u = 2^-24 and S = |d| + 2 |half A| + 2 |half B|
// (sums of sizes; d joins the centres of the two nodes that were taken from the queue): places of children are off by
// less than 8 u S in each coordinate (d and the rotation's entries u, three products u each, two sums), so by 14 u S
// along a direction of length at most 1 + 2^-20. The dot product adds 3 u S, the reaches of the two boxes 3 u S and 5 u
// S, their sum 9 u S: together less than 40 u S. `gap_error` is 64 u S, with the error of places in doubles
// (kinematics.hpp) and the distance that must remain. Speeds are sums of the same kind with V = |v| + |wA| (|rA| + 2
// |half A|) + the same of B for S: `speed_error` is 64 u V. Orbits are sums with S plus the arms. Quick quotients and
// roots are good to 2^-20, so acceleration and the sine of an angle are enlarged by 2^-16, and times shortened by
// 2^-15. A NaN proves nothing.
#pragma once

#include "gpu/motions/kinematics.hpp"

namespace graze::gpu {

constexpr float no_end = 1e30f;  ///< a time beyond all motions

/// What does not change during a search.
struct Pairing {
  double unit;   ///< lengths of poses and reference points are multiplied by this
  double keep;   ///< steps end when the gap has fallen to this: the separation and half of the tolerance
  double touch;  ///< at most this far apart is a contact: the separation and the tolerance
  VectorD reference_a, reference_b;
};

/// Both flights, and what of them does not change.
struct Flights {
  Flight a, b;
  VectorD velocity;  ///< of A's reference point seen from B's, in world coordinates
  double place_error;
  VectorF axis_a, axis_b;  ///< in the bodies' own axes
  float turn_a, turn_b;    ///< radians per unit of time
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

GRAZE_DEVICE Frame frame_at(const Flights& f, const Pairing& pairing, double t, const Part& a, const Part& b) {
  const Placed pa = place(f.a, t), pb = place(f.b, t);
  const VectorD arm_a = f.a.arm + to_double(a.centre), arm_b = f.b.arm + to_double(b.centre);
  const VectorD between = pb.at - pa.at;
  const VectorD d = turned_back(pa.r, between + turned(pb.r, arm_b)) - arm_a;
  Frame frame;
  frame.r.x = to_float(turned_back(pb.r, VectorD{pa.r.x.x, pa.r.y.x, pa.r.z.x}));
  frame.r.y = to_float(turned_back(pb.r, VectorD{pa.r.x.y, pa.r.y.y, pa.r.z.y}));
  frame.r.z = to_float(turned_back(pb.r, VectorD{pa.r.x.z, pa.r.y.z, pa.r.z.z}));
  frame.d = to_float(d);
  frame.between = to_float(turned_back(pa.r, between));
  frame.velocity = to_float(turned_back(pa.r, f.velocity));
  frame.arm_a = to_float(arm_a);
  frame.arm_b = turned(frame.r, to_float(arm_b));
  frame.axis_b = turned(frame.r, f.axis_b);
  const float half_a = sum_of_sizes(a.half), half_b = sum_of_sizes(b.half);
  const float s = sum_of_sizes(frame.d) + 2 * half_a + 2 * half_b;
  const float arms_a = sum_of_sizes(frame.arm_a) + 2 * half_a, arms_b = sum_of_sizes(frame.arm_b) + 2 * half_b;
  const float least = static_cast<float>((f.place_error + pairing.keep) * (1 + 0x1p-20));
  frame.gap_error = mul_add(0x1p-18f, s, least);
  frame.speed_error = 0x1p-18f * (sum_of_sizes(frame.velocity) + f.turn_a * arms_a + f.turn_b * arms_b);
  frame.orbit_error = mul_add(0x1p-18f, sum_of_sizes(frame.between) + arms_a + arms_b, least);
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
  const float root = quick_root(mul_add(u, u, 2 * b * g));
  if (u > 0) return quick_quotient(2 * g, u + root * (1 + 0x1p-18f));
  return b > 0 ? quick_quotient(root * (1 - 0x1p-18f) - u, b) : no_end;
}
GRAZE_DEVICE float time_at_most(float g, float speed) { return speed > 0 ? quick_quotient(g, speed) : no_end; }

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
  const float sine = mul_add(length(nu), 1 + 0x1p-16f, 0x1p-21f);
  // Half sides and arms are within the sums that the errors are multiples of; the cross product is off by 6 u |arm|.
  const float far = (length(ur) + length(box.half)) * (1 + 0x1p-16f) + 0x1p-20f * sum_of_sizes(box.arm);
  const float along_axis = dot(n, axis);
  Closing c;
  c.most = turn * sine * far;
  c.now = turn * (dot(nu, box.arm) + reach(in_box(nu), box.half));
  c.acceleration = turn * c.most;
  c.orbit =
      mul_add(along_axis, dot(axis, box.arm), mul_add(size_of(along_axis), reach(axis_in_box, box.half), sine * far));
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
  return square > 1e-30f ? v * quick_inverse_root(square) : VectorF{0, 0, 0};
}

/// The direction with the largest gap over the speed at which the centres approach. An estimate that chooses; what is
/// chosen is proved afterwards.
struct Candidate {
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
  const float share = quick_quotient(dot(line, velocity), dot(velocity, velocity));
  return unit_of(share > 0 && share < no_end ? along(line, -share, velocity) : line);
}

/// The clock of two boxes: the time for which they certainly stay apart.
GRAZE_DEVICE float box_clock(const Flights& f, const Frame& frame, const Part& part_a, const PlacedBox& a,
                             const Part& part_b, const PlacedBox& b, float enough) {
  const VectorF line = b.centre - a.centre, line_b = turned_back(frame.r, line);
  const VectorF velocity = closing_velocity(f, frame, a.arm, b.arm);
  const auto inside = [](float x, float half) { return larger(-half, smaller(x, half)); };
  const VectorF in_a = {inside(line.x, a.half.x), inside(line.y, a.half.y), inside(line.z, a.half.z)};
  const VectorF in_b = {inside(line_b.x, b.half.x), inside(line_b.y, b.half.y), inside(line_b.z, b.half.z)};
  const VectorF nearest = line - (dot(b.half, b.half) > dot(a.half, a.half) ? turned(frame.r, in_b) : in_a);
  const VectorF passing = passing_line(velocity, nearest);
  float time = time_along(f, frame, a, b, passing, box_gap(frame, a, b, passing));
  if (time > enough) return time;

  const float half_a = sum_of_sizes(a.half), half_b = sum_of_sizes(b.half);
  const float least = frame.speed_error + 0.5f * (half_a * f.turn_a + half_b * f.turn_b) + 1e-30f;
  Candidate best;
  const VectorF velocity_b = turned_back(frame.r, velocity);
  const Rows<float> size_r = {{size_of(frame.r.x.x), size_of(frame.r.x.y), size_of(frame.r.x.z)},
                              {size_of(frame.r.y.x), size_of(frame.r.y.y), size_of(frame.r.y.z)},
                              {size_of(frame.r.z.x), size_of(frame.r.z.y), size_of(frame.r.z.z)}};
  const VectorF across_a = turned(size_r, b.half), across_b = turned_back(size_r, a.half);
  const auto face = [&](float at, float speed, float halves, const VectorF& axis) {
    const bool back = at < 0;
    best.offer(size_of(at) - halves - frame.gap_error, back ? -speed : speed, least, back ? -axis : axis);
  };
  face(line.x, velocity.x, a.half.x + across_a.x, {1, 0, 0});
  face(line.y, velocity.y, a.half.y + across_a.y, {0, 1, 0});
  face(line.z, velocity.z, a.half.z + across_a.z, {0, 0, 1});
  face(line_b.x, velocity_b.x, b.half.x + across_b.x, {frame.r.x.x, frame.r.y.x, frame.r.z.x});
  face(line_b.y, velocity_b.y, b.half.y + across_b.y, {frame.r.x.y, frame.r.y.y, frame.r.z.y});
  face(line_b.z, velocity_b.z, b.half.z + across_b.z, {frame.r.x.z, frame.r.y.z, frame.r.z.z});
  {
    const VectorF n = part_a.slab;
    const float at = dot(n, line), half = reach(turned_back(frame.r, n), b.half);
    const float above = at - half - part_a.high, below = part_a.low - at - half;
    const VectorF m = above > below ? n : -n;
    best.offer(larger(above, below) - frame.gap_error, dot(m, velocity), least, m);
  }
  {
    const VectorF n = turned(frame.r, part_b.slab);
    const float at = -dot(n, line), half = reach(n, a.half);
    const float above = at - half - part_b.high, below = part_b.low - at - half;
    const VectorF m = above > below ? -n : n;
    best.offer(larger(above, below) - frame.gap_error, dot(m, velocity), least, m);
  }
  const VectorF n = unit_of(nearest);
  best.offer(box_gap(frame, a, b, n), dot(n, velocity), least, n);
  return larger(time, time_along(f, frame, a, b, best.n, best.gap));
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

/// The clock of two triangles, with their speeds bounded by those of their boxes.
GRAZE_DEVICE float triangle_clock(const Flights& f, const Frame& frame, const PlacedBox& a,
                                  const PlacedCorners& corners_a, const PlacedBox& b, const PlacedCorners& corners_b,
                                  float enough) {
  const auto middle = [](const PlacedCorners& c) { return (c.at[0] + c.at[1] + c.at[2]) * (1.0f / 3); };
  const VectorF line = middle(corners_b) - middle(corners_a);
  const VectorF velocity = closing_velocity(f, frame, a.arm, b.arm);
  const VectorF passing = passing_line(velocity, line);
  const float time = time_along(f, frame, a, b, passing, corners_gap(frame, corners_a, corners_b, passing));
  if (time > enough) return time;
  const float least =
      frame.speed_error + 0.5f * (sum_of_sizes(a.half) * f.turn_a + sum_of_sizes(b.half) * f.turn_b) + 1e-30f;
  Candidate best;
  const auto offer = [&](const VectorF& v) {
    const VectorF unit = unit_of(v), n = dot(unit, line) < 0 ? -unit : unit;
    best.offer(corners_gap(frame, corners_a, corners_b, n), dot(n, velocity), least, n);
  };
  offer(cross(corners_a.at[1] - corners_a.at[0], corners_a.at[2] - corners_a.at[0]));
  offer(cross(corners_b.at[1] - corners_b.at[0], corners_b.at[2] - corners_b.at[0]));
  offer(line);
  return larger(time, time_along(f, frame, a, b, best.n, best.gap));
}

}  // namespace graze::gpu
