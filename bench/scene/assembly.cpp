// SPDX-License-Identifier: MIT
#include "scene/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <graze/mesh/make.hpp>

namespace graze::bench {
namespace {

using CellRandom = std::mt19937_64;

double share_at_random(CellRandom& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

Quat turned_at_random(CellRandom& random) {
  for (;;) {
    const Quat q{2 * share_at_random(random) - 1, 2 * share_at_random(random) - 1, 2 * share_at_random(random) - 1,
                 2 * share_at_random(random) - 1};
    const double size = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (size > 0.01 && size < 1) return q;
  }
}

Quat composed_turns(const Quat& a, const Quat& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

// Sizes of a cell. Centre lines of different parts are apart by more than the radii of both: the circles of the linked
// rings by 0.3 (each passes through the other's centre), or the second ring is moved, and meets; the rod's line and the
// first ring's by 0.147, and the second ring's by 0.152, or 0.14 if that one is moved; the ball's centre and the first
// ring's circle by 0.237. A part that is moved has its centre line, or its centre, on the first ring's circle. Meshes
// are inside their shapes, by less than any of these margins. The whole cell is within 0.7 of its middle.
constexpr double major = 0.3, tube = 0.07, rod = 0.05, rod_length = 0.8, ball = 0.12, ball_at = 0.38, cell = 2;
enum Shape { ring, bar, link, sphere, shapes };

Mesh cell_mesh(std::size_t number, std::size_t distinct) {
  // 1,000 to 20,000 triangles, most of them few, as in real assemblies: evenly spaced in the logarithm.
  const std::size_t steps = (distinct + shapes - 1) / shapes, step = number / shapes;
  const double share = steps > 1 ? static_cast<double>(step) / static_cast<double>(steps - 1) : 0.5;
  const auto triangles = static_cast<std::size_t>(1000 * std::pow(20, share));
  switch (number % shapes) {
    case bar: return make::cylinder({.radius = rod, .height = rod_length, .triangles = triangles});
    case sphere: return make::sphere({.radius = ball, .triangles = triangles});
    default: return make::torus({.major = major, .minor = tube, .triangles = triangles});
  }
}

/// A part's pose in its cell. Moved: it cuts the first ring.
Pose in_cell(int shape, bool moved) {
  switch (shape) {
    case bar: return Pose(moved ? Vec3{-major, 0, 0} : Vec3{-0.06, 0.14, 0});
    case link: return Pose({moved ? 0.0 : major, 0, 0}, {1, 1, 0, 0});  // turned by a quarter about x
    case sphere: return Pose(moved ? Vec3{0, -major, 0} : Vec3{-ball_at, ball_at, 0});
    default: return Pose();
  }
}

}  // namespace

std::size_t KnownAssembly::triangles() const {
  std::size_t out = 0;
  for (const Mesh& mesh : meshes) out += mesh.triangle_count();
  return out;
}

KnownAssembly known_assembly(std::size_t parts, std::size_t distinct, std::uint64_t seed) {
  CellRandom random(seed);
  KnownAssembly out;
  distinct = std::max<std::size_t>(shapes, distinct / shapes * shapes);
  for (std::size_t i = 0; i < distinct; ++i) out.meshes.push_back(cell_mesh(i, distinct));
  const std::size_t cells = (parts + shapes - 1) / shapes;
  const auto side = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(cells))));
  for (std::size_t c = 0; c < cells; ++c) {
    const Vec3 middle{cell * static_cast<double>(c % side), cell * static_cast<double>(c / side % side),
                      cell * static_cast<double>(c / side / side)};
    const Pose place(middle, turned_at_random(random));
    const int moved = c % 5 == 0 ? static_cast<int>(1 + random() % 3) : 0;
    const auto first = static_cast<std::uint32_t>(out.parts.size());
    for (int shape = 0; shape < shapes && out.parts.size() < parts; ++shape) {
      const Pose inner = in_cell(shape, shape == moved);
      const std::size_t mesh = random() % (distinct / shapes) * shapes + static_cast<std::size_t>(shape);
      if (shape == moved && shape != ring)
        out.clashes.emplace_back(first, static_cast<std::uint32_t>(out.parts.size()));
      out.parts.push_back({static_cast<std::uint32_t>(mesh),
                           Pose(place.apply(inner.translation()), composed_turns(place.rotation(), inner.rotation()))});
    }
  }
  return out;
}

}  // namespace graze::bench
