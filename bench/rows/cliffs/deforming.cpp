// SPDX-License-Identifier: MIT
// Steps of deforming meshes: a far body in the scene, strips that point anywhere, separations that are only just kept.
#include <fmt/core.h>

#include <cmath>
#include <memory>

#include <graze/ask/deform.hpp>
#include <graze/ask/elementary.hpp>

#include "rows/cliffs/cliffs.hpp"

namespace graze::bench {
namespace {

struct Scene {
  std::vector<Vec3> start, end;
  std::vector<Triangle> triangles;
};

/// A waved cloth of 1 m that falls a little, above a ground of two triangles.
Scene cloth_above_ground(std::uint32_t n, double half) {
  Scene s;
  for (std::uint32_t j = 0; j <= n; ++j)
    for (std::uint32_t i = 0; i <= n; ++i) {
      const double x = double(i) / n, y = double(j) / n;
      s.start.push_back({x, y, 0.1 + 0.05 * std::sin(60 * x) * std::cos(30 * y)});
      s.end.push_back(s.start.back() + Vec3{0.001 * std::sin(3 * y), 0, -0.002});
    }
  const auto id = [&](std::uint32_t i, std::uint32_t j) { return j * (n + 1) + i; };
  for (std::uint32_t j = 0; j < n; ++j)
    for (std::uint32_t i = 0; i < n; ++i) {
      s.triangles.push_back({id(i, j), id(i + 1, j), id(i + 1, j + 1)});
      s.triangles.push_back({id(i, j), id(i + 1, j + 1), id(i, j + 1)});
    }
  const auto ground = static_cast<std::uint32_t>(s.start.size());
  for (const Vec3& x : {Vec3{-half, -half, 0}, Vec3{half, -half, 0}, Vec3{half, half, 0}, Vec3{-half, half, 0}}) {
    s.start.push_back(x);
    s.end.push_back(x);
  }
  s.triangles.push_back({ground, ground + 1, ground + 2});
  s.triangles.push_back({ground, ground + 2, ground + 3});
  return s;
}

/// A strip of n pairs of triangles, 1000 times as long as wide or more, turned by an angle, that waves a little.
Scene strip(std::uint32_t n, double angle) {
  constexpr double width = 1e-3;
  Scene s;
  for (std::uint32_t i = 0; i <= n; ++i)
    for (const double y : {0.0, width}) {
      const double x = i;
      s.start.push_back({x * std::cos(angle) - y * std::sin(angle), x * std::sin(angle) + y * std::cos(angle), 0});
      s.end.push_back(s.start.back() + Vec3{0, 0, 1e-5 * std::sin(0.7 * i)});
    }
  for (std::uint32_t i = 0; i < n; ++i) {
    s.triangles.push_back({2 * i, 2 * i + 1, 2 * i + 3});
    s.triangles.push_back({2 * i, 2 * i + 3, 2 * i + 2});
  }
  return s;
}

/// Steps there and back.
std::function<std::string()> steps(Scene scene) {
  const auto mesh = std::make_shared<Deformable>(Mesh(scene.start, std::span<const Triangle>(scene.triangles)));
  const auto result = std::make_shared<DeformResult>();
  return [=, scene = std::move(scene), back = std::make_shared<bool>(false)] {
    mesh->step(*back ? scene.start : scene.end, {}, *result);
    *back = !*back;
    return result->status == Status::free ? std::string() : fmt::format("{} instead of free", name(result->status));
  };
}

/// A vertex and a face that turn past each other and come as near as 1.8295243503146559 at the start.
std::function<std::string()> keep_apart(double separation) {
  return [separation] {
    const ElementaryQuery q{ElementaryKind::vertex_face,
                            {{{-0.06002040632420854, -1.3752534712982285, 0.87731127605442749},
                              {1.2829584556384308, 1.8098284352263942, -3.0902933520210971},
                              {0.63031824788172408, 0.9354446614691575, -5.588765210432503},
                              {0.43047298417486995, 0.36166863527567455, 1.2361045089782619}}},
                            {{{0.5427149231897237, -1.1098354326640987, 0.34723125614242289},
                              {-3.977928176922048, -0.02702405170460016, -2.6904138958492028},
                              {-0.71610454307743565, -1.1953123959861029, 1.0762121683311625},
                              {0.89802902686446184, 0.75917705979823236, 0.42613933539339405}}}};
    ElementaryOptions options;
    options.min_separation = separation;
    const ElementaryResult r = elementary_contact(q, options);
    return r.status == Status::contact ? std::string() : fmt::format("{} instead of contact", name(r.status));
  };
}

}  // namespace

void row_cliff_deforming(Context& context) {
  const std::uint32_t n = context.quick ? 20 : 100, long_strip = context.quick ? 500 : 16000;
  std::vector<Cliff> cliffs;
  for (const double half : {1e4, 1e7})
    cliffs.push_back({fmt::format("step of a cloth of 1 m above a ground of half size {}", half), 1.3,
                      steps(cloth_above_ground(n, half)), steps(cloth_above_ground(n, 10)), "half size 10"});
  for (const double angle : {0.0, 1.5707963267948966, 3.141592653589793})
    cliffs.push_back({fmt::format("step of a strip of {} triangles, turned by {} radians", 2 * long_strip, angle), 3,
                      steps(strip(long_strip, angle)), steps(strip(long_strip, 0.4)), "by 0.4"});
  cliffs.push_back({"vertex and face that stay 1e-7 beyond a minimum separation", 20, keep_apart(1.8295243503146559),
                    keep_apart(1.5), "well beyond it at first"});
  compare_cliffs(context, "deforming", cliffs);
}

}  // namespace graze::bench
