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
  /// A mesh whose points go where `move(x, t)` says.
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
  // On the ball as far as its equator, then down in folds that are deeper the lower, and close while the ball turns.
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

DeformScene skirt(std::size_t triangles) {
  Builder b;
  const double body = 0.1 * static_cast<double>(triangles);
  b.add(make::sphere({.radius = 1, .triangles = static_cast<std::size_t>(body)}), [](const Vec3& x, double t) {
    return turned({0.19 * x.x, 0.19 * x.y, 0.5 + 0.9 * x.z}, 0.1 * t);
  });
  const double rest = static_cast<double>(triangles) - body;
  const auto around = static_cast<std::uint32_t>(std::sqrt(2 * rest)), down = side(rest) / 2 + 1;
  b.grid(around, down, true, [](double u, double v, double t) {
    const double phase = 2 * pi * 16 * u + 2 * v, wave = v * (0.165 + 0.03 * t);
    const double angle = 2 * pi * u + 0.55 * wave * std::cos(phase) + 0.1 * t * (1 - v);
    const double radius = 0.22 + 0.5 * v + wave * std::sin(phase);
    return Vec3{radius * std::cos(angle), radius * std::sin(angle), 1 - v};
  });
  return b.scene("skirt");
}

DeformScene many_balls(std::size_t triangles) {
  Builder b;
  const Mesh ball = make::sphere({.radius = 0.5, .triangles = 110});
  const std::size_t count = triangles / ball.triangle_count();
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> real(-1, 1);
  const double room = 0.55 * std::cbrt(static_cast<double>(count));
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 at = Vec3{real(random), real(random), real(random)} * room,
               way = Vec3{real(random), real(random), real(random)} * 0.2;
    const double turn = 0.3 * real(random);
    b.add(ball, [&](const Vec3& x, double t) { return at + turned(x, turn * t) + way * t; });
  }
  return b.scene("balls");
}

DeformScene letters_in_bowl(std::size_t triangles) {
  Builder b;
  // A closed bowl: the upper half of a sphere pressed into the lower.
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
  // In units of a step along the cloth: eight times as long as wide, rolled up between half the radius and the radius
  // with the same gap between layers whatever the number of triangles. The area of its cross section says the radius.
  constexpr double gap = 1, shape = 8;
  const double length = std::sqrt(shape * static_cast<double>(triangles) / 2), width = length / shape;
  const double radius = std::sqrt(4 * gap * length / (3 * pi)), turns = std::max(1.0, std::round(radius / (2 * gap)));
  const Mesh roll = make::rolled_cloth({.radius = radius / 2,
                                        .gap = gap,
                                        .width = width,
                                        .turns = static_cast<std::uint32_t>(turns),
                                        .triangles = triangles});
  // Waves along and across the cloth, which neighbouring layers have at different places: less high than half the gap
  // at the start, a little higher at the end, so that now and then two layers meet.
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
