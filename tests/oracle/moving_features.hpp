// SPDX-License-Identifier: MIT
// Random elementary queries of every difficult kind, for comparison with exact answers.
#pragma once

#include <sstream>
#include <string>

#include <graze/ask/elementary.hpp>

#include "oracle/generators.hpp"

namespace graze::oracle {

enum class MotionFamily {
  general,         ///< random real coordinates
  grid,            ///< integers from -2 to 2
  coplanar,        ///< all points always in one slanted plane
  still,           ///< nothing moves
  sliding,         ///< everything moves along one axis
  drifting,        ///< a large common motion and a small relative motion
  touch_start,     ///< a common point at t = 0
  touch_end,       ///< a common point at t = 1, not passed through
  parallel,        ///< edges (or a face's edges) parallel at the start, and often during the whole motion
  collinear,       ///< all points always on one line
  degenerate,      ///< points of one feature coincide
  nudged,          ///< one of the above with coordinates changed to neighbouring doubles
  near_grid,       ///< integers with errors of 1e-8 to 1e-15
  needle,          ///< nearly on one line
  far_away,        ///< small features that move around a far point
  mixed_scale,     ///< every coordinate with its own power of two between 2^-300 and 2^300
  small_by_large,  ///< one feature 2^40 times as large as the other, or moving that far
  tiny,            ///< integers times 2^-1060
  huge,            ///< integers times 2^1016
};
constexpr int motion_family_count = static_cast<int>(MotionFamily::huge) + 1;

inline std::string describe(const ElementaryQuery& q) {
  std::ostringstream out;
  out << std::hexfloat << "kind " << static_cast<int>(q.kind);
  for (std::size_t i = 0; i < 4; ++i)
    out << "\n{" << q.start[i].x << ", " << q.start[i].y << ", " << q.start[i].z << "} -> {" << q.end[i].x << ", "
        << q.end[i].y << ", " << q.end[i].z << "}";
  return out.str();
}

namespace moving {

template <class Change>
void change_all(ElementaryQuery& q, Change&& change) {
  for (auto* place : {&q.start, &q.end})
    for (Vec3& p : *place) p = change(p);
}

inline ElementaryQuery on_grid(Random& random, ElementaryKind kind) {
  ElementaryQuery q;
  q.kind = kind;
  change_all(q, [&](const Vec3&) { return grid_point(random, 2); });
  return q;
}

/// Moves the first feature so that a point of it and a point of the second coincide; both have weights that are
/// multiples of 1/8. Exact on grids.
inline void make_touch(Random& random, ElementaryKind kind, std::array<Vec3, 4>& p) {
  const auto eighth = [&](int most) { return whole(random, 0, most); };
  if (kind == ElementaryKind::edge_edge) {
    const int s = eighth(8), t = eighth(8);
    const Vec3 shift = (p[2] * double(8 - t) + p[3] * double(t) - p[0] * double(8 - s) - p[1] * double(s)) * 0.125;
    p[0] = p[0] + shift;
    p[1] = p[1] + shift;
    return;
  }
  const int a = eighth(8), b = eighth(8 - a);
  if (kind == ElementaryKind::vertex_vertex) p[0] = p[1];
  if (kind == ElementaryKind::vertex_edge) p[0] = (p[1] * double(8 - a) + p[2] * double(a)) * 0.125;
  if (kind == ElementaryKind::vertex_face)
    p[0] = (p[1] * double(8 - a - b) + p[2] * double(a) + p[3] * double(b)) * 0.125;
}

inline ElementaryQuery simple(Random& random, ElementaryKind kind, MotionFamily family) {
  ElementaryQuery q = on_grid(random, kind);
  switch (family) {
    case MotionFamily::general: change_all(q, [&](const Vec3&) { return real_point(random); }); break;
    case MotionFamily::coplanar: change_all(q, [](const Vec3& p) { return Vec3{p.x, p.y, p.x - p.y}; }); break;
    case MotionFamily::still: q.end = q.start; break;
    case MotionFamily::sliding:
      for (std::size_t i = 0; i < 4; ++i) q.end[i] = q.start[i] + Vec3{1, 0, 0} * double(whole(random, -2, 2));
      break;
    case MotionFamily::drifting: {
      const Vec3 way = grid_point(random, 100);
      for (std::size_t i = 0; i < 4; ++i)
        q.end[i] = q.start[i] + way + (whole(random, 0, 2) == 0 ? grid_point(random, 1) : Vec3{});
      break;
    }
    case MotionFamily::touch_start: make_touch(random, kind, q.start); break;
    case MotionFamily::touch_end: make_touch(random, kind, q.end); break;
    case MotionFamily::parallel: {
      const bool always = whole(random, 0, 1) == 1;
      q.start[1] = q.start[0] + (q.start[3] - q.start[2]) * double(whole(random, -2, 2));
      if (always) q.end[1] = q.end[0] + (q.end[3] - q.end[2]) * double(whole(random, -2, 2));
      break;
    }
    case MotionFamily::collinear: {
      const Vec3 line = grid_point(random, 2);
      change_all(q, [&](const Vec3& p) { return line * p.x; });
      break;
    }
    case MotionFamily::degenerate: {
      const auto i = static_cast<std::size_t>(whole(random, 0, 3)), j = static_cast<std::size_t>(whole(random, 0, 3));
      q.start[i] = q.start[j];
      if (whole(random, 0, 1)) q.end[i] = q.end[j];
      break;
    }
    default: break;
  }
  return q;
}

}  // namespace moving

inline ElementaryQuery random_motion(Random& random, ElementaryKind kind, MotionFamily family) {
  using moving::change_all;
  const auto any = [&] {
    return moving::simple(random, kind, static_cast<MotionFamily>(whole(random, 1, int(MotionFamily::degenerate))));
  };
  const auto power = [](const Vec3& p, int by) { return times_power_of_two(p, by); };
  ElementaryQuery q = any();
  switch (family) {
    case MotionFamily::nudged:
      for (int i = 0; i < 3; ++i) {
        auto& place = whole(random, 0, 1) ? q.start : q.end;
        Vec3& p = place[static_cast<std::size_t>(whole(random, 0, 3))];
        p = nudged(random, p);
      }
      break;
    case MotionFamily::near_grid: {
      const double off = std::pow(10.0, -whole(random, 8, 15));
      change_all(q, [&](const Vec3& p) { return p + real_point(random, off); });
      break;
    }
    case MotionFamily::needle: {
      const Vec3 line = real_point(random);
      const double off = std::pow(10.0, -whole(random, 2, 12));
      change_all(q, [&](const Vec3& p) { return line * p.x + real_point(random, off); });
      break;
    }
    case MotionFamily::far_away: {
      const Vec3 far = grid_point(random, 1) * 1048576.0;
      change_all(q, [&](const Vec3& p) { return p * 0.0009765625 + far; });
      break;
    }
    case MotionFamily::mixed_scale:
      change_all(q, [&](Vec3 p) {
        for (int i = 0; i < 3; ++i) p[i] = std::ldexp(p[i], whole(random, -300, 300));
        return p;
      });
      break;
    case MotionFamily::small_by_large: {
      const std::size_t half = whole(random, 0, 1) ? 2 : 1;
      const bool ends = whole(random, 0, 1) == 1;
      for (std::size_t i = 0; i < half; ++i) {
        if (!ends) q.start[i] = power(q.start[i], 40);
        q.end[i] = power(q.end[i], 40);
      }
      break;
    }
    case MotionFamily::tiny: change_all(q, [&](const Vec3& p) { return power(p, -1060); }); break;
    case MotionFamily::huge: change_all(q, [&](const Vec3& p) { return power(p, 1016); }); break;
    default: q = moving::simple(random, kind, family);
  }
  const std::size_t used = kind == ElementaryKind::vertex_vertex ? 2 : kind == ElementaryKind::vertex_edge ? 3 : 4;
  for (std::size_t i = used; i < 4; ++i) {
    q.start[i] = q.start[used - 1];
    q.end[i] = q.end[used - 1];
  }
  return q;
}

}  // namespace graze::oracle
