// SPDX-License-Identifier: MIT
// Random inputs for comparing with the oracle: the same seed gives the same numbers with every standard library.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>

#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>

#include "oracle/exact_oracle.hpp"

namespace graze::oracle {

using Random = std::mt19937_64;
using Corners = std::array<Vec3, 3>;

struct CornersPair {
  Corners a, b;
};

// ---- numbers ----------------------------------------------------------------------------------------------------

/// An integer from low to high, both included.
inline int whole(Random& random, int low, int high) {
  return low + static_cast<int>(random() % static_cast<std::uint64_t>(high - low + 1));
}
/// Uniform in [low, high).
inline double real(Random& random, double low = -1, double high = 1) {
  return low + (high - low) * (static_cast<double>(random() >> 11) * 0x1p-53);
}
inline Vec3 grid_point(Random& random, int reach) {
  const int x = whole(random, -reach, reach), y = whole(random, -reach, reach), z = whole(random, -reach, reach);
  return {double(x), double(y), double(z)};
}
inline Vec3 real_point(Random& random, double reach = 1) {
  const double x = real(random, -reach, reach), y = real(random, -reach, reach), z = real(random, -reach, reach);
  return {x, y, z};
}
/// The neighbouring double, up or down, in one coordinate.
inline Vec3 nudged(Random& random, Vec3 p) {
  double& value = p[whole(random, 0, 2)];
  value = std::nextafter(value, whole(random, 0, 1) ? HUGE_VAL : -HUGE_VAL);
  return p;
}

// ---- single triangles -------------------------------------------------------------------------------------------

inline Corners real_triangle(Random& random, double reach = 1) {
  const Vec3 a = real_point(random, reach), b = real_point(random, reach), c = real_point(random, reach);
  return {a, b, c};
}
/// May be degenerate, and often is for a small reach.
inline Corners grid_triangle(Random& random, int reach = 2) {
  const Vec3 a = grid_point(random, reach), b = grid_point(random, reach), c = grid_point(random, reach);
  return {a, b, c};
}
inline Corners point_triangle(Random& random) {
  const Vec3 p = grid_point(random, 2);
  return {p, p, p};
}
/// Three points of one line, in any order, two of them perhaps equal.
inline Corners segment_triangle(Random& random) {
  const Vec3 p = grid_point(random, 2), d = grid_point(random, 2);
  const int s = whole(random, -2, 2), t = whole(random, -2, 2);
  return {p, p + d * double(s), p + d * double(t)};
}

// ---- pairs that touch, exactly ----------------------------------------------------------------------------------

/// A triangle whose corners are integer multiples of 8, so that weights of 1/8 give integers.
inline Corners eightfold_triangle(Random& random) {
  Corners t = grid_triangle(random, 4);
  for (Vec3& p : t) p = p * 8.0;
  return t;
}
/// A point strictly inside `t` if it is an eightfold triangle, exact.
inline Vec3 inner_point(Random& random, const Corners& t) {
  const int i = whole(random, 1, 6), j = whole(random, 1, 7 - i);
  return t[0] * (i / 8.0) + t[1] * (j / 8.0) + t[2] * ((8 - i - j) / 8.0);
}
/// A point strictly inside edge 01 of an eightfold triangle, exact.
inline Vec3 edge_point(Random& random, const Corners& t) {
  const int i = whole(random, 1, 7);
  return t[0] * (i / 8.0) + t[1] * ((8 - i) / 8.0);
}
/// A triangle with an edge through p (p not at its ends).
inline Corners with_edge_through(Random& random, const Vec3& p) {
  const Vec3 d = grid_point(random, 8);
  const int s = whole(random, 1, 3), t = whole(random, 1, 3);
  return {p + d * double(s), p - d * double(t), p + grid_point(random, 16)};
}
/// Every corner lies in the plane of t, at integer combinations of its edges; may be far from it.
inline Corners in_plane_of(Random& random, const Corners& t) {
  Corners other;
  for (Vec3& p : other) {
    const int i = whole(random, -8, 16), j = whole(random, -8, 16);
    p = t[0] + (t[1] - t[0]) * (i / 8.0) + (t[2] - t[0]) * (j / 8.0);
  }
  return other;
}

enum class PairFamily {
  general,             ///< random real coordinates around the origin
  grid,                ///< integer corners in -2..2
  coplanar,            ///< both in one slanted plane
  axis_plane,          ///< both in a plane parallel to two axes, integer corners in -3..3
  same_vertex,         ///< one equal corner
  same_edge,           ///< two equal corners
  same_triangle,       ///< the same corners in any order
  vertex_on_face,      ///< a corner of b inside a
  vertex_on_edge,      ///< a corner of b inside an edge of a
  edge_on_edge,        ///< an edge of b through a point of an edge of a
  edge_through_face,   ///< an edge of b through a point inside a
  degenerate_point,    ///< b is a point
  degenerate_segment,  ///< b is a segment
  both_degenerate,     ///< both are points or segments
  nudged_touch,        ///< one of the touching kinds, with one coordinate changed to the next double
  needle,              ///< long and thin, nearly parallel
  tiny,                ///< any of the above times 2^-1000
  subnormal,           ///< integer multiples of the smallest positive double
  huge,                ///< any of the above near the largest doubles
  mixed_scale,         ///< every coordinate with its own power of two between 2^-1000 and 2^1000
  small_by_large,      ///< a triangle of ordinary size and one 2^40 or 2^60 times as large or small
  far_away,            ///< ordinary triangles around a point 2^30 away
};
constexpr int pair_family_count = static_cast<int>(PairFamily::far_away) + 1;

inline const char* name(PairFamily family) {
  constexpr const char* names[pair_family_count] = {"general",
                                                    "grid",
                                                    "coplanar",
                                                    "axis_plane",
                                                    "same_vertex",
                                                    "same_edge",
                                                    "same_triangle",
                                                    "vertex_on_face",
                                                    "vertex_on_edge",
                                                    "edge_on_edge",
                                                    "edge_through_face",
                                                    "degenerate_point",
                                                    "degenerate_segment",
                                                    "both_degenerate",
                                                    "nudged_touch",
                                                    "needle",
                                                    "tiny",
                                                    "subnormal",
                                                    "huge",
                                                    "mixed_scale",
                                                    "small_by_large",
                                                    "far_away"};
  return names[static_cast<int>(family)];
}

template <class Change>
CornersPair changed(CornersPair pair, Change change) {
  for (Vec3& p : pair.a) p = change(p);
  for (Vec3& p : pair.b) p = change(p);
  return pair;
}
/// Exact unless it leaves the range of normal doubles.
inline Vec3 times_power_of_two(const Vec3& p, int power) {
  return {std::ldexp(p.x, power), std::ldexp(p.y, power), std::ldexp(p.z, power)};
}
/// Permutes the corners, so that the special one can have any index, and swaps the two triangles half of the time.
inline CornersPair shuffled(Random& random, CornersPair pair) {
  for (Corners* t : {&pair.a, &pair.b}) {
    const int turns = whole(random, 0, 2);
    for (int i = 0; i < turns; ++i) *t = {(*t)[1], (*t)[2], (*t)[0]};
    if (whole(random, 0, 1)) std::swap((*t)[0], (*t)[1]);
  }
  if (whole(random, 0, 1)) std::swap(pair.a, pair.b);
  return pair;
}

inline CornersPair touching_pair(Random& random, PairFamily family) {
  const Corners a = eightfold_triangle(random);
  const Vec3 p = family == PairFamily::vertex_on_face || family == PairFamily::edge_through_face
                     ? inner_point(random, a)
                     : edge_point(random, a);
  if (family == PairFamily::edge_on_edge || family == PairFamily::edge_through_face)
    return {a, with_edge_through(random, p)};
  const Vec3 q = grid_point(random, 16), r = grid_point(random, 16);
  return {a, {p, p + q, p + r}};
}

inline CornersPair sharing_pair(Random& random, PairFamily family) {
  const int reach = whole(random, 0, 1) ? 2 : 9;
  CornersPair pair{grid_triangle(random, reach), grid_triangle(random, reach)};
  const int shared = family == PairFamily::same_vertex ? 1 : family == PairFamily::same_edge ? 2 : 3;
  for (std::size_t i = 0; i < static_cast<std::size_t>(shared); ++i) pair.b[i] = pair.a[i];
  return pair;
}

inline CornersPair needle_pair(Random& random) {
  const Vec3 along = real_point(random, 100);
  const auto thin = [&]() -> Corners {
    const Vec3 p = real_point(random, 1e-3), q = along + real_point(random, 1e-3), r = real_point(random, 1e-3);
    return {p, q, r - along};
  };
  const Corners a = thin(), b = thin();
  return {a, b};
}

/// Two segments or points: anywhere, with a common corner, or on one line.
inline CornersPair both_degenerate_pair(Random& random) {
  const auto flat = [&] { return whole(random, 0, 2) ? segment_triangle(random) : point_triangle(random); };
  const Corners a = flat();
  Corners b = flat();
  const int how = whole(random, 0, 2);
  if (how == 1) {
    const Vec3 shift = a[random() % 3] - b[random() % 3];
    for (Vec3& p : b) p = p + shift;
  }
  if (how == 2)
    for (Vec3& p : b) p = a[0] + (a[1] - a[0]) * double(whole(random, -2, 2));
  return {a, b};
}

inline CornersPair degenerate_pair(Random& random, PairFamily family) {
  if (family == PairFamily::both_degenerate) return both_degenerate_pair(random);
  const bool in_contact = whole(random, 0, 1) == 1;
  const Corners a = in_contact ? eightfold_triangle(random) : grid_triangle(random);
  if (family == PairFamily::degenerate_segment) {
    if (!in_contact) return {a, segment_triangle(random)};
    Corners b = with_edge_through(random, inner_point(random, a));
    b[2] = b[random() % 2];
    return {a, b};
  }
  const Vec3 p = in_contact ? inner_point(random, a) : grid_point(random, 2);
  return {a, {p, p, p}};
}

/// The families that are not derived from others.
inline CornersPair basic_pair(Random& random, PairFamily family) {
  switch (family) {
    case PairFamily::general: {
      const Corners a = real_triangle(random), b = real_triangle(random);
      return {a, b};
    }
    case PairFamily::coplanar: {
      const Corners a = eightfold_triangle(random);
      return {a, in_plane_of(random, a)};
    }
    case PairFamily::axis_plane: {
      const int axis = whole(random, 0, 2);
      CornersPair pair{grid_triangle(random, 3), grid_triangle(random, 3)};
      return changed(pair, [&](Vec3 p) { return p[axis] = 1, p; });
    }
    case PairFamily::same_vertex:
    case PairFamily::same_edge:
    case PairFamily::same_triangle: return sharing_pair(random, family);
    case PairFamily::vertex_on_face:
    case PairFamily::vertex_on_edge:
    case PairFamily::edge_on_edge:
    case PairFamily::edge_through_face: return touching_pair(random, family);
    case PairFamily::degenerate_point:
    case PairFamily::degenerate_segment:
    case PairFamily::both_degenerate: return degenerate_pair(random, family);
    case PairFamily::needle: return needle_pair(random);
    default: {
      const Corners a = grid_triangle(random), b = grid_triangle(random);
      return {a, b};
    }
  }
}

inline PairFamily any_of_families(Random& random, PairFamily first, PairFamily last) {
  return static_cast<PairFamily>(whole(random, static_cast<int>(first), static_cast<int>(last)));
}

inline CornersPair mixed_scale_pair(Random& random) {
  const Corners a = grid_triangle(random), b = grid_triangle(random);
  return changed({a, b}, [&](Vec3 p) {
    for (int i = 0; i < 3; ++i) p[i] = std::ldexp(p[i], whole(random, -1000, 1000));
    return p;
  });
}

inline CornersPair small_by_large_pair(Random& random) {
  const bool up = whole(random, 0, 1) == 1;
  if (whole(random, 0, 1)) {  // enlarged about the corner that touches, still exact
    const auto family = any_of_families(random, PairFamily::vertex_on_face, PairFamily::vertex_on_edge);
    CornersPair pair = basic_pair(random, family);
    const Vec3 p = pair.b[0];
    for (Vec3& q : pair.b) q = p + (q - p) * (up ? 0x1p40 : 0x1p-40);
    return pair;
  }
  CornersPair pair = basic_pair(random, any_of_families(random, PairFamily::general, PairFamily::edge_through_face));
  for (Vec3& p : pair.b) p = times_power_of_two(p, up ? 60 : -60);
  return pair;
}

inline CornersPair random_pair(Random& random, PairFamily family) {
  const auto any_basic = [&] {
    return basic_pair(random, any_of_families(random, PairFamily::general, PairFamily::both_degenerate));
  };
  switch (family) {
    case PairFamily::nudged_touch: {
      CornersPair pair = basic_pair(random, any_of_families(random, PairFamily::coplanar, PairFamily::both_degenerate));
      Vec3& p = pair.b[static_cast<std::size_t>(whole(random, 0, 2))];
      p = nudged(random, p);
      return shuffled(random, pair);
    }
    case PairFamily::tiny:
      return shuffled(random, changed(any_basic(), [](const Vec3& p) { return times_power_of_two(p, -1000); }));
    case PairFamily::subnormal: {
      const auto whole_family = any_of_families(random, PairFamily::grid, PairFamily::both_degenerate);
      return shuffled(random, changed(basic_pair(random, whole_family),
                                      [](const Vec3& p) { return times_power_of_two(p, -1074); }));
    }
    case PairFamily::huge:  // coordinates stay below 2^9 in every basic family
      return shuffled(random, changed(any_basic(), [](const Vec3& p) { return times_power_of_two(p, 1015); }));
    case PairFamily::mixed_scale: return mixed_scale_pair(random);
    case PairFamily::small_by_large: return shuffled(random, small_by_large_pair(random));
    case PairFamily::far_away: {
      const Vec3 far = grid_point(random, 1) * 0x1p30;
      return shuffled(random, changed(any_basic(), [&](const Vec3& p) { return p + far; }));
    }
    default: return shuffled(random, basic_pair(random, family));
  }
}

}  // namespace graze::oracle
