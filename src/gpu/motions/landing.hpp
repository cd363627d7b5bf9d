// SPDX-License-Identifier: MIT
// One step in time of two triangles, in doubles: either they are within the tolerance now, or they are certified to
// stay farther apart than the separation until a later time.
//
// Corners are placed with an error below `place_error` for both bodies together (kinematics.hpp), with the dot products
// of the directions, which are as short as 1 + 2^-50. A gap along n is reduced by it and by what must remain. Speeds
// and accelerations are computed in single precision as in clocks.hpp, with the same allowance, of the corners
// themselves.
#pragma once

#include "gpu/motions/clocks.hpp"
#include "gpu/motions/closest.hpp"

namespace graze::gpu {

struct Landing {
  enum class What : std::uint32_t { advanced, contact, crossing, stuck } what;
  double until;  ///< `advanced`: certified until then
};

/// Two triangles at a time, in A's axes, counted from A's first corner, with arms from the reference points.
struct PlacedPair {
  VectorD a[3], b[3];
  VectorF arm_a[3], arm_b[3];
  VectorF velocity, between, axis_b;
};

GRAZE_DEVICE_CALL void place_pair(const Flights& f, double t, const CornersD& a, const CornersD& b,
                                  const Pairing& pairing, PlacedPair& p) {
  const Placed pa = place(f.a, t), pb = place(f.b, t);
  const VectorD s = pairing.reference_a, r = pairing.reference_b;
  const VectorD between = pb.at - pa.at, first = a.at[0] - s;
  p.between = to_float(turned_back(pa.r, between));
  p.velocity = to_float(turned_back(pa.r, f.velocity));
  const auto from_b = [&](const VectorD& x) { return turned_back(pa.r, turned(pb.r, x)); };
  for (int k = 0; k < 3; ++k) {
    p.a[k] = a.at[k] - a.at[0];
    p.arm_a[k] = to_float(a.at[k] - s);
    const VectorD arm = turned(pb.r, b.at[k] - r);
    p.b[k] = turned_back(pa.r, between + arm) - first;
    p.arm_b[k] = to_float(turned_back(pa.r, arm));
  }
  p.axis_b = to_float(from_b(to_double(f.axis_b)));
}

/// Certainly an edge of one crosses the inside of the other. Errors: places, and 2^-46 of products of three lengths.
GRAZE_DEVICE_CALL bool certainly_cross(const PlacedPair& p, double place_error) {
  VectorD a0 = p.a[0], a1 = p.a[1], a2 = p.a[2], b0 = p.b[0], b1 = p.b[1], b2 = p.b[2];
  double size = 0;
  for (int k = 0; k < 3; ++k) size = larger(size, larger(sum_of_sizes(p.a[k]), sum_of_sizes(p.b[k])));
  size *= 2;
  // A determinant of three differences, each at most `size` long and off by at most 2 place_error.
  const double error = 0x1p-46 * size * size * size + 8 * place_error * size * size;
  const auto side = [&](const VectorD& u, const VectorD& v, const VectorD& w) {
    const double d = dot(u, cross(v, w));
    return d > error ? 1 : (d < -error ? -1 : 0);
  };
  GRAZE_ROLLED
  for (int of = 0; of < 2; ++of) {
    GRAZE_ROLLED
    for (int k = 0; k < 3; ++k) {  // the edge b0 b1 through the face a0 a1 a2
      const int begin = side(b0 - a0, a1 - a0, a2 - a0), end = side(b1 - a0, a1 - a0, a2 - a0);
      if (begin * end < 0) {
        const VectorD e = b1 - b0;
        const int s0 = side(e, a0 - b0, a1 - b0), s1 = side(e, a1 - b0, a2 - b0), s2 = side(e, a2 - b0, a0 - b0);
        if (s0 != 0 && s0 == s1 && s1 == s2) return true;
      }
      const VectorD first = b0;
      b0 = b1, b1 = b2, b2 = first;
    }
    VectorD other = a0;
    a0 = b0, b0 = other;
    other = a1, a1 = b1, b1 = other;
    other = a2, a2 = b2, b2 = other;
  }
  return false;
}

GRAZE_DEVICE double gap_of_corners(const PlacedPair& p, const VectorD& n) {
  const double top = larger(larger(dot(n, p.a[0]), dot(n, p.a[1])), dot(n, p.a[2]));
  const double bottom = smaller(smaller(dot(n, p.b[0]), dot(n, p.b[1])), dot(n, p.b[2]));
  return bottom - top;
}

/// How long the triangles stay apart along n, at least; `less`: what is to be subtracted from every gap.
GRAZE_DEVICE_CALL float corner_clock(const Flights& f, const PlacedPair& p, const VectorD& along_d, double less) {
  const VectorF n = to_float(along_d), back = -n;
  const float linear = dot(n, p.velocity);
  const VectorF nu_a = cross(n, f.axis_a), nu_b = cross(back, p.axis_b);
  const float sine_a = mul_add(length(nu_a), 1 + 0x1p-16f, 0x1p-21f),
              sine_b = mul_add(length(nu_b), 1 + 0x1p-16f, 0x1p-21f);
  const float na = dot(n, f.axis_a), nb = dot(back, p.axis_b);
  float now[3], most[3];
  float orbit = -3e38f, orbit_b = -3e38f, arms = 0;
  for (int k = 0; k < 3; ++k) {
    const float arm_a = sum_of_sizes(p.arm_a[k]), arm_b = sum_of_sizes(p.arm_b[k]);
    arms = larger(arms, arm_a + arm_b);
    now[k] = f.turn_b * dot(nu_b, p.arm_b[k]);
    most[k] = f.turn_b * sine_b * (length(cross(p.axis_b, p.arm_b[k])) * (1 + 0x1p-16f) + 0x1p-20f * arm_b);
    const float far_a = length(cross(f.axis_a, p.arm_a[k])) * (1 + 0x1p-16f) + 0x1p-20f * arm_a;
    orbit = larger(orbit, f.turn_a == 0 ? dot(n, p.arm_a[k]) : mul_add(na, dot(f.axis_a, p.arm_a[k]), sine_a * far_a));
    const float far_b = length(cross(p.axis_b, p.arm_b[k])) * (1 + 0x1p-16f) + 0x1p-20f * arm_b;
    orbit_b =
        larger(orbit_b, f.turn_b == 0 ? dot(back, p.arm_b[k]) : mul_add(nb, dot(p.axis_b, p.arm_b[k]), sine_b * far_b));
  }
  const float speed_error = 0x1p-18f * (sum_of_sizes(p.velocity) + (f.turn_a + f.turn_b) * arms);
  float step = 2;  // beyond the end of time
  for (int i = 0; i < 3; ++i) {
    const float arm_a = sum_of_sizes(p.arm_a[i]);
    const float now_a = f.turn_a * dot(nu_a, p.arm_a[i]);
    const float most_a = f.turn_a * sine_a * (length(cross(f.axis_a, p.arm_a[i])) * (1 + 0x1p-16f) + 0x1p-20f * arm_a);
    const double top = dot(along_d, p.a[i]);
    for (int j = 0; j < 3; ++j) {
      // Rounded to single precision: 2^-24 of the gap, which the shortening of the time covers.
      const float gap = static_cast<float>(dot(along_d, p.b[j]) - top - less);
      if (!(gap > 0)) return 0;
      const float speed = linear + speed_error + now_a + now[j];
      const float acceleration = (f.turn_a * most_a + f.turn_b * most[j]) * (1 + 0x1p-16f);
      const float at_most = linear + speed_error + most_a + most[j];
      if (at_most * step <= gap) continue;
      step = smaller(step, larger(time_to_close(gap, speed, acceleration), time_at_most(gap, at_most)));
    }
  }
  if (step < 1) {
    const float gap = dot(n, p.between) - (orbit + orbit_b) -
                      mul_add(0x1p-18f, sum_of_sizes(p.between) + arms, static_cast<float>(less * (1 + 0x1p-20)));
    if (gap > 0) step = larger(step, time_at_most(gap, linear + speed_error));
  }
  return step > 0 ? step * (1 - 0x1p-15f) : 0;
}

GRAZE_DEVICE VectorD unit_of(const VectorD& v) {
  const double square = dot(v, v);
  return square > 1e-200 && square < 1e200 ? v * (1 / ::sqrt(square)) : VectorD{0, 0, 0};
}

/// The point of a triangle with these weights, which single precision has rounded: in doubles their sum is 1.
GRAZE_DEVICE VectorD inside(const float* weight, const VectorD* corner) {
  const double sum = double{weight[0]} + weight[1] + weight[2];
  return along(along(corner[0] * (weight[0] / sum), weight[1] / sum, corner[1]), weight[2] / sum, corner[2]);
}

/// `limit`: nothing later matters.
GRAZE_DEVICE_CALL Landing land(const Flights& f, const Pairing& pairing, double t, double limit, const CornersD& ca,
                               const CornersD& cb) {
  PlacedPair p;
  place_pair(f, t, ca, cb, pairing, p);
  const double less = pairing.keep + f.place_error;
  // Single precision first: it finds the nearest points well enough unless the triangles are very near each other.
  GRAZE_ROLLED
  for (int precise = 0; precise < 2; ++precise) {
    VectorD na = {0, 0, 0}, nb = {0, 0, 0}, across;
    if (precise == 0) {
      const VectorF a[3] = {to_float(p.a[0]), to_float(p.a[1]), to_float(p.a[2])};
      const VectorF b[3] = {to_float(p.b[0]), to_float(p.b[1]), to_float(p.b[2])};
      const Nearest<float> near = nearest_points(a, b);
      across = to_double(near.across);
      na = inside(near.weight_a, p.a);
      nb = inside(near.weight_b, p.b);
    } else {
      const Nearest<double> near = nearest_points(p.a, p.b);
      across = near.across;
      for (int k = 0; k < 3; ++k) {
        na = along(na, near.weight_a[k], p.a[k]);
        nb = along(nb, near.weight_b[k], p.b[k]);
      }
    }
    // Both points are in their triangles up to roundings of the places, which the error covers.
    const VectorD line = nb - na;
    const double distance = ::sqrt(dot(line, line));
    if (distance + f.place_error <= pairing.touch)
      return {t == 0 && certainly_cross(p, f.place_error) ? Landing::What::crossing : Landing::What::contact, t};
    VectorD n = unit_of(line);
    double gap = gap_of_corners(p, n);
    if (!(gap >= 0.75 * distance)) {
      VectorD other = unit_of(across);
      if (dot(other, line) < 0) other = -other;
      const double beside = gap_of_corners(p, other);
      if (beside > gap) {
        n = other;
        gap = beside;
      }
    }
    // In single precision the direction may be too poor for steps that come near the tolerance.
    if (precise == 0 && !(gap - pairing.keep >= 0.25 * (distance - pairing.keep))) continue;
    float step = gap > less ? corner_clock(f, p, n, less) : 0;
    if (t + step <= limit) {
      // Perpendicular to the relative velocity of the nearest points.
      const VectorF va = along(p.velocity, f.turn_a, cross(f.axis_a, p.arm_a[0] + to_float(na)));
      const VectorF v = along(va, -f.turn_b, cross(p.axis_b, p.arm_b[0] + to_float(nb - p.b[0])));
      const VectorD vd = to_double(v);
      const double ahead = dot(line, vd), square = dot(vd, vd);
      if (ahead > 0 && square > 0) {
        const VectorD passing = unit_of(along(line, -(ahead / square), vd));
        if (gap_of_corners(p, passing) > less) step = larger(step, corner_clock(f, p, passing, less));
      }
    }
    const double until = (t + step) * (1 - 0x1p-50);
    if (until > t) return {Landing::What::advanced, until};
    if (precise == 1)
      return {t == 0 && certainly_cross(p, f.place_error) ? Landing::What::crossing : Landing::What::stuck, t};
  }
  return {Landing::What::stuck, t};
}

}  // namespace graze::gpu
