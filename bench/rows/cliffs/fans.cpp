// SPDX-License-Identifier: MIT
// Very many triangles around one vertex or one edge.
#include <fmt/core.h>

#include <cmath>
#include <memory>

#include <graze/ask/collide.hpp>
#include <graze/ask/deform.hpp>
#include <graze/mesh/make.hpp>

#include "rows/cliffs/cliffs.hpp"

namespace graze::bench {
namespace {

std::string free_or(Status status) {
  return status == Status::free ? std::string() : fmt::format("{} instead of free", name(status));
}

/// A cone whose rim is waved, without a base.
Mesh waved_cone(std::uint32_t triangles) {
  std::vector<Vec3> points{{0, 0, 1}};
  std::vector<Triangle> mantle;
  for (std::uint32_t i = 0; i < triangles; ++i) {
    const double a = 6.283185307179586 * i / triangles;
    points.push_back({std::cos(a), std::sin(a), 0.05 * std::sin(20 * a)});
    mantle.push_back({0, 1 + i, 1 + (i + 1) % triangles});
  }
  return Mesh(points, std::span<const Triangle>(mantle));
}

/// All triangles have one edge in common.
Mesh book(std::uint32_t triangles) {
  std::vector<Vec3> points{{0, 0, 0}, {0, 0, 1}};
  std::vector<Triangle> pages;
  for (std::uint32_t i = 0; i < triangles; ++i) {
    const double a = 6.283185307179586 * i / triangles;
    points.push_back({std::cos(a), std::sin(a), 0.5});
    pages.push_back({0, 1, 2 + i});
  }
  return Mesh(points, std::span<const Triangle>(pages));
}

/// Loose edges from one vertex to points on a sphere; neighbours by number point elsewhere.
Mesh star(std::uint32_t edges) {
  std::vector<Vec3> points{{0, 0, 0}};
  LooseParts loose;
  for (std::uint32_t i = 0; i < edges; ++i) {
    const double z = 1 - (2 * i + 1.0) / edges, r = std::sqrt(1 - z * z), a = 2.39996322972865332 * i;
    points.push_back({r * std::cos(a), r * std::sin(a), z});
    loose.edges.push_back({0, 1 + i});
  }
  return Mesh(points, PolygonList(), {}, loose);
}

/// The same triangle many times.
Mesh copies(std::uint32_t triangles) {
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  return Mesh(points, std::span<const Triangle>(std::vector<Triangle>(triangles, {0, 1, 2})));
}

std::function<std::string()> self_test(const Mesh& mesh) {
  return [body = Body(mesh)] { return free_or(self_collide(body).status); };
}

/// Steps there and back: turned about the vertical by a fifth of a radian.
std::function<std::string()> steps(const Mesh& mesh, bool crossing_at_start = true) {
  std::vector<Vec3> from(mesh.positions().begin(), mesh.positions().end()), to = from;
  for (Vec3& x : to) x = {x.x * std::cos(0.2) - x.y * std::sin(0.2), x.x * std::sin(0.2) + x.y * std::cos(0.2), x.z};
  const auto cloth = std::make_shared<Deformable>(mesh);
  const auto result = std::make_shared<DeformResult>();
  return [=, back = std::make_shared<bool>(false)] {
    cloth->step(*back ? from : to, {.crossing_at_start = crossing_at_start}, *result);
    *back = !*back;
    return free_or(result->status);
  };
}

}  // namespace

void row_cliff_fans(Context& context) {
  const std::uint32_t n = context.quick ? 4000 : 200000;
  const Mesh sphere = make::sphere({.triangles = n});
  std::vector<Cliff> cliffs;
  const auto add = [&](std::string_view shape, const Mesh& mesh) {
    cliffs.push_back({fmt::format("self test of {} of {} triangles", shape, n), 3, self_test(mesh), self_test(sphere),
                      "of a sphere"});
    cliffs.push_back(
        {fmt::format("turning step of {} of {} triangles", shape, n), 3, steps(mesh), steps(sphere), "of a sphere"});
  };
  add("a cone", make::cone({.triangles = n}));
  add("a waved cone", waved_cone(n));
  add("pages at one edge", book(n));
  cliffs.push_back({fmt::format("turning step of a star of {} loose edges", n), 3, steps(star(n)), steps(sphere),
                    "of a sphere of as many triangles"});
  // The list of triangles that meet at the start would name each pair of them.
  cliffs.push_back({fmt::format("turning step of a triangle that is there {} times, without its start", n), 3,
                    steps(copies(n), false), steps(sphere, false), "of a sphere of as many triangles"});
  compare_cliffs(context, "fans", cliffs);
}

}  // namespace graze::bench
