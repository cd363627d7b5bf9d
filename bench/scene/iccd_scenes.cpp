// SPDX-License-Identifier: MIT
#include "scene/iccd_scenes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include <graze/mesh/make.hpp>

namespace graze::bench {
namespace {

constexpr double pi = std::numbers::pi;

struct Builder {
  std::vector<Vec3> start, end;
  std::vector<Triangle> triangles;

  /// A grid of n x m squares, closed along the first direction or not; `place(u, v, t)` with u, v in [0, 1].
  template <class Place>
  void grid(std::uint32_t n, std::uint32_t m, bool closed, Place place) {
    const auto base = static_cast<std::uint32_t>(start.size());
    const std::uint32_t columns = closed ? n : n + 1;
    for (std::uint32_t i = 0; i < columns; ++i)
      for (std::uint32_t j = 0; j <= m; ++j) {
        const double u = static_cast<double>(i) / n, v = static_cast<double>(j) / m;
        start.push_back(place(u, v, 0.0));
        end.push_back(place(u, v, 1.0));
      }
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < m; ++j) {
        const std::uint32_t a = base + i * (m + 1) + j, b = base + (i + 1) % columns * (m + 1) + j;
        triangles.push_back({a, b, b + 1});
        triangles.push_back({a, b + 1, a + 1});
      }
  }
  /// Stacked rings of circumference `around(v)`, made of triangles with sides of about `edge`; `place` as above.
  template <class Around, class Place>
  void rings(double edge, double length, Around around, Place place) {
    const auto rows = static_cast<std::uint32_t>(std::lround(length / (edge * std::sqrt(3) / 2)));
    std::uint32_t above = 0, above_count = 0;
    for (std::uint32_t j = 0; j <= rows; ++j) {
      const double v = static_cast<double>(j) / rows;
      const auto first = static_cast<std::uint32_t>(start.size());
      const auto count = static_cast<std::uint32_t>(std::max(3L, std::lround(around(v) / edge)));
      for (std::uint32_t i = 0; i < count; ++i) {
        const double u = (i + 0.5 * (j % 2)) / count;
        start.push_back(place(u, v, 0.0));
        end.push_back(place(u, v, 1.0));
      }
      // Between two rings, advance on the one that is behind.
      for (std::uint32_t a = 0, c = 0; j > 0 && (a < above_count || c < count);) {
        const std::uint32_t p = above + a % above_count, q = first + c % count;
        if (a < above_count && (c == count || (a + 1.0) * count <= (c + 1.0) * above_count))
          triangles.push_back({p, q, above + ++a % above_count});
        else
          triangles.push_back({p, q, first + ++c % count});
      }
      above = first;
      above_count = count;
    }
  }
  /// A mesh whose points move to `move(x, t)`.
  template <class Move>
  void add(const Mesh& mesh, Move move) {
    const auto base = static_cast<std::uint32_t>(start.size());
    for (const Vec3& x : mesh.positions()) {
      start.push_back(move(x, 0.0));
      end.push_back(move(x, 1.0));
    }
    for (const Triangle& t : mesh.triangles()) triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
  }
  DeformScene scene(std::string name) const {
    return {std::move(name), Mesh(start, std::span<const Triangle>(triangles)), end};
  }
};

Vec3 turned(const Vec3& x, double angle) {
  return {x.x * std::cos(angle) - x.y * std::sin(angle), x.x * std::sin(angle) + x.y * std::cos(angle), x.z};
}

std::uint32_t side(double triangles) { return static_cast<std::uint32_t>(std::max(2.0, std::sqrt(triangles / 2))); }

}  // namespace

DeformScene cloth_over_ball(std::size_t triangles) {
  Builder b;
  const double ball = 0.15 * static_cast<double>(triangles);
  b.add(make::sphere({.radius = 1, .triangles = static_cast<std::size_t>(ball)}),
        [](const Vec3& x, double t) { return turned(x, 0.05 * t); });
  const std::uint32_t n = side(static_cast<double>(triangles) - ball);
  // The cloth lies on the ball down to its equator; below, it hangs in folds that become deeper towards the bottom and
  // close while the ball rotates.
  b.grid(n, n, false, [](double u, double v, double t) {
    const double x = 6 * (u - 0.5), y = 6 * (v - 0.5), far = std::hypot(x, y), around = std::atan2(y, x);
    const double on = std::min(far, pi / 2) / 1.02, below = std::max(0.0, far - pi / 2);
    const double wave = below * (0.12 + 0.03 * t), phase = 24 * around + 1.5 * below;
    const double angle = around + wave * std::cos(phase) * 0.6 + 0.05 * t * (1 - 0.5 * below);
    const double radius = 1.02 * std::sin(on) + 0.02 + wave * std::sin(phase);
    return Vec3{radius * std::cos(angle), radius * std::sin(angle), 1.02 * std::cos(on) - below};
  });
  return b.scene("cloth over a ball");
}

namespace {

/// A skirt cut as three quarters of a ring: 0.7 m around the waist, 1 m long.
struct SkirtPattern {
  static constexpr double quarters = 3, waist = 0.7, length = 1;
  static constexpr double inner = waist / (quarters * pi / 2);
  static constexpr double area = quarters / 4 * pi * ((inner + length) * (inner + length) - inner * inner);
  static double around(double down) { return quarters * pi / 2 * (inner + down * length); }
};

/// The position of a point of the skirt, given its angular position and its distance from the waist: over hips and
/// legs, then out on the ground, in folds that become deeper towards the bottom and lean to both sides until they meet.
/// The dancer sinks by 2 cm.
Vec3 on_skirt(double u, double v, double t) {
  constexpr double folds = 14;
  const double phase = folds * 2 * pi * u + 1.2 * v, wave = 0.075 * v;
  const double angle = 2 * pi * u - (1.9 + 0.6 * t) * v / folds * std::sin(2 * phase) + 0.04 * t * (1 - v);
  const double far = 0.115 + 0.62 * std::pow(v, 0.8) + wave * std::sin(phase);
  const double height =
      (0.49 - 0.02 * t) * std::pow(1 - v, 1.5) + 0.002 + 0.6 * wave * (1 + std::sin(phase)) - 0.004 * t;
  return {far * std::cos(angle), far * std::sin(angle), height};
}

}  // namespace

/// The paper's princess, sitting down in a flowing skirt. The number of orphans depends only on the borders, five per
/// edge, so these must be as long as those of a real skirt on a real dancer: all triangles have about the same size,
/// 1.7 square metres of dancer (closed, without orphans) and 3.1 of skirt. (The cut is a guess; the paper's 2,000
/// orphans would be 400 edges of a border, three quarters of a ring have 370, a whole one 430.)
DeformScene skirt(std::size_t triangles) {
  constexpr double skin = 1.7;
  const double all = static_cast<double>(triangles), cloth = all * SkirtPattern::area / (SkirtPattern::area + skin);
  Builder b;
  const auto ball = [&](double part) {
    return make::sphere({.radius = 1, .triangles = static_cast<std::size_t>(part * (all - cloth))});
  };
  // Hips, waist, chest and head, leaning to one side.
  b.add(ball(0.6), [](const Vec3& x, double t) {
    const double z = 0.74 + 0.46 * x.z, wide = 0.17 - 0.045 * std::sin(6.5 * (z - 0.25));
    return turned({wide * x.x + 0.02 * t, wide * x.y, z - 0.02 * t}, 0.04 * t);
  });
  // The legs, drawn up.
  for (const double left : {-1.0, 1.0})
    b.add(ball(0.2), [&](const Vec3& x, double t) {
      return Vec3{0.1 * left + 0.065 * x.x, 0.27 + 0.24 * x.y, 0.09 + 0.065 * x.z + 0.02 * t * (1 + x.y)};
    });
  b.rings(std::sqrt(SkirtPattern::area / (std::sqrt(3) / 4 * cloth)), SkirtPattern::length, SkirtPattern::around,
          on_skirt);
  b.grid(1, 1, false, [](double u, double v, double) { return Vec3{3 * u - 1.5, 3 * v - 1.5, 0}; });  // the ground
  return b.scene("skirt");
}

/// The paper's flamenco dancer: a skirt with rows of ruffles. Orphans are at borders, about five for each of their
/// edges; the paper's 10,800 would be 2,160 edges, here those of the skirt's hem and of both borders of five ruffles.
DeformScene flamenco(std::size_t triangles) {
  constexpr int ruffles = 5;
  const double scale = std::sqrt(static_cast<double>(triangles) / 49000);
  const auto count = [&](double n) { return static_cast<std::uint32_t>(std::max(3.0, std::round(n * scale))); };
  Builder b;
  b.add(make::sphere({.radius = 1, .triangles = static_cast<std::size_t>(0.3 * static_cast<double>(triangles))}),
        [](const Vec3& x, double t) {
          const double z = 0.95 + 0.65 * x.z, wide = 0.17 - 0.045 * std::sin(6.5 * (z - 0.25));
          return turned({wide * x.x, wide * x.y, z}, 0.08 * t);
        });
  const auto radius = [](double down) { return 0.2 + 0.55 * down; };  // of the skirt, 1 m long
  b.grid(count(180), count(40), true, [&](double u, double v, double t) {
    const double angle = 2 * pi * u, wave = 0.02 * v * std::sin(9 * angle + 2 * t);
    const double r = radius(v) + wave;
    return turned({r * std::cos(angle), r * std::sin(angle), 1 - v}, 0.06 * t * v);
  });
  // Each ruffle is sewn on above the next one, stands out in folds that lean over, and swings behind the skirt.
  for (int k = 0; k < ruffles; ++k) {
    const double top = 0.15 + 0.17 * k;
    b.grid(count(196), count(10), true, [&](double u, double v, double t) {
      const double phase = 2 * pi * 28 * u + k, down = top + 0.2 * v, out = 0.008 + 0.035 * v * (1 + std::sin(phase));
      const double angle = 2 * pi * u - (0.03 + 0.012 * t) * v * std::sin(2 * phase);
      const double r = radius(down) + 0.03 * down + out + 0.01 * t * v * std::sin(3 * angle);
      return turned({r * std::cos(angle), r * std::sin(angle), 1 - down + 0.3 * out}, 0.06 * t * down - 0.02 * t * v);
    });
  }
  return b.scene("flamenco");
}

DeformScene many_balls(std::size_t triangles) {
  Builder b;
  const Mesh ball = make::sphere({.radius = 0.5, .triangles = 110});
  const std::size_t count = triangles / ball.triangle_count();
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> real(-1, 1);
  const double extent = 0.55 * std::cbrt(static_cast<double>(count));
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 at = Vec3{real(random), real(random), real(random)} * extent,
               displacement = Vec3{real(random), real(random), real(random)} * 0.2;
    const double turn = 0.3 * real(random);
    b.add(ball, [&](const Vec3& x, double t) { return at + turned(x, turn * t) + displacement * t; });
  }
  return b.scene("balls");
}

DeformScene letters_in_bowl(std::size_t triangles) {
  Builder b;
  // A closed bowl: a sphere whose upper half is pushed into the lower one.
  b.add(make::sphere({.radius = 1, .triangles = static_cast<std::size_t>(0.3 * static_cast<double>(triangles))}),
        [](const Vec3& x, double) {
          return Vec3{2 * x.x, 2 * x.y, 1.2 * (x.x * x.x + x.y * x.y) - (x.z < 0 ? -0.4 * x.z : 0.0)};
        });
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> real(-1, 1);
  const int letters = 24;
  const Mesh letter =
      make::torus_knot({.p = 2,
                        .q = 3,
                        .triangles = std::max<std::size_t>(
                            100, static_cast<std::size_t>(0.7 * static_cast<double>(triangles) / letters))});
  for (int i = 0; i < letters; ++i) {
    const Vec3 at{real(random), real(random), 0.6 + 0.5 * (real(random) + 1)};
    const double turn = pi * real(random), bend = 0.3 * real(random);
    b.add(letter, [&](const Vec3& x, double t) {
      const Vec3 y = turned(x * 0.6, turn);
      return at + Vec3{y.x, y.y, y.z + bend * t * y.x * y.x - 0.25 * t};
    });
  }
  return b.scene("letters in a bowl");
}

DeformScene shattered_body(std::size_t triangles, int breaks) {
  const Mesh body = make::sphere({.radius = 1, .triangles = triangles});
  const auto cell = [&](const Vec3& x) {
    const auto slab = [&](double c) { return std::clamp(static_cast<int>((c + 1.0) / 2 * breaks), 0, breaks - 1); };
    return (slab(x.x) * breaks + slab(x.y)) * breaks + slab(x.z);
  };
  const auto lumpy = [](const Vec3& x) { return x * (1 + 0.15 * std::sin(7 * x.x) * std::sin(9 * x.y + 5 * x.z)); };
  Builder b;
  std::map<std::pair<int, std::uint32_t>, std::uint32_t> own;
  for (const Triangle& t : body.triangles()) {
    const Vec3 middle = (body.positions()[t[0]] + body.positions()[t[1]] + body.positions()[t[2]]) * (1.0 / 3);
    const int piece = cell(middle);
    Triangle made{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [at, is_new] = own.try_emplace({piece, t[k]}, static_cast<std::uint32_t>(b.start.size()));
      made[k] = at->second;
      if (!is_new) continue;
      const double turn = 0.02 * ((piece * 37) % 11 - 5);
      b.start.push_back(lumpy(body.positions()[t[k]]));
      b.end.push_back(turned(b.start.back(), breaks > 1 ? turn : 0.01) - Vec3{0, 0, 0.02 * (piece % 5)});
    }
    b.triangles.push_back(made);
  }
  return b.scene("shattered body");
}

DeformScene tightening_roll(std::size_t triangles) {
  // In units of a step along the cloth: eight times as long as wide, rolled up between half the radius and the radius,
  // with the same gap between layers for any number of triangles. The area of its cross section determines the radius.
  constexpr double gap = 1, shape = 8;
  const double length = std::sqrt(shape * static_cast<double>(triangles) / 2), width = length / shape;
  const double radius = std::sqrt(4 * gap * length / (3 * pi)), turns = std::max(1.0, std::round(radius / (2 * gap)));
  const Mesh roll = make::rolled_cloth({.radius = radius / 2,
                                        .gap = gap,
                                        .width = width,
                                        .turns = static_cast<std::uint32_t>(turns),
                                        .triangles = triangles});
  // Waves along and across the cloth, with different phases in neighbouring layers: lower than half the gap at the
  // start, slightly higher at the end, so that layers meet in a few places.
  constexpr double wave = 2 * pi / 12, at_start = 0.2, at_end = 0.6;
  Builder b;
  b.add(roll, [&](const Vec3& x, double t) {
    const double far = std::hypot(x.x, x.y), out = (far - radius / 2) / gap, angle = std::atan2(x.y, x.x) / (2 * pi);
    const double turned = angle + std::round(out - angle), along = 2 * pi * turned * (radius / 2 + gap * turned / 2);
    const double height = gap * (t == 0 ? at_start : at_end) * std::sin(wave * along) * std::sin(wave * x.z);
    return Vec3{x.x * (1 + height / far), x.y * (1 + height / far), x.z};
  });
  return b.scene("rolled cloth");
}

}  // namespace graze::bench
