// SPDX-License-Identifier: MIT
// Fans of very many triangles around a vertex or an edge: self tests and steps looked at nearly all pairs of a cone's
// mantle and its base, of a waved cone, and of the pages of a book. Pinned: work that is linear, and brute force's
// answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <graze/graze.hpp>

#include "contact_names.hpp"

namespace {

using namespace graze;
using graze::testing::contact_names;

constexpr double turn = 6.283185307179586;

struct Fan {
  std::vector<Vec3> points;
  std::vector<Triangle> triangles;
  Mesh mesh() const { return Mesh(points, std::span<const Triangle>(triangles)); }
};

/// A mantle of n triangles whose rim is waved, and a base of n more.
Fan cone(std::uint32_t n, double wave, bool base) {
  Fan f{{{0, 0, 1}, {0, 0, 0}}, {}};
  for (std::uint32_t i = 0; i < n; ++i) {
    const double a = turn * i / n;
    f.points.push_back({std::cos(a), std::sin(a), wave * std::sin(20 * a)});
    f.triangles.push_back({0, 2 + i, 2 + (i + 1) % n});
    if (base) f.triangles.push_back({1, 2 + (i + 1) % n, 2 + i});
  }
  return f;
}

/// n triangles around one edge.
Fan book(std::uint32_t n) {
  Fan f{{{0, 0, 0}, {0.1, 0, 1}}, {}};
  for (std::uint32_t i = 0; i < n; ++i) {
    const double a = turn * i / n;
    f.points.push_back({std::cos(a), std::sin(a), 0.5});
    if (i % 3 == 0)
      f.triangles.push_back({0, 1, 2 + i});
    else
      f.triangles.push_back({2 + i, 1, 0});
  }
  return f;
}

std::vector<Fan> fans(std::uint32_t n) {
  std::vector<Fan> all{cone(n, 0, true), cone(n, 0.05, false), cone(n, 0.05, true), book(n)};
  all.push_back(cone(n, 0, true));  // the base's middle is beyond the tip: mantle and base cross
  all.back().points[1].z = 1.2;
  all.push_back(cone(n, 0.05, true));  // both hubs are joined by pages
  for (std::uint32_t i = 0; i < n; i += 4) all.back().triangles.push_back({0, 1, 2 + i});
  return all;
}

enum class Way { shaken, turned, stirred, folded };
std::vector<Vec3> moved(const std::vector<Vec3>& from, Way way, std::mt19937& random) {
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<Vec3> to = from;
  for (Vec3& x : to) {
    const Vec3 y = x;
    switch (way) {
      case Way::shaken: x = y + Vec3{any(random), any(random), any(random)} * 1e-6; break;
      case Way::turned:
        x = {y.x * std::cos(0.5) - y.y * std::sin(0.5), y.x * std::sin(0.5) + y.y * std::cos(0.5), y.z + 0.2};
        break;
      case Way::stirred: x = y + Vec3{any(random), any(random), any(random)} * 0.02; break;
      case Way::folded: x = {std::fabs(y.x), y.y, y.z - 0.3 * y.x}; break;
    }
  }
  return to;
}

TEST(Fans, SelfTestsLikeBruteForce) {
  std::mt19937 random(5);
  for (const std::uint32_t n : {90u, 200u})
    for (const Fan& whole : fans(n))
      for (const Way way : {Way::shaken, Way::stirred, Way::folded}) {
        const Mesh mesh(moved(whole.points, way, random), std::span<const Triangle>(whole.triangles));
        const SelfCollideResult tree = self_collide(Body(mesh), {.all = true}),
                                brute = self_collide(Body(mesh), {.method = "brute", .all = true});
        EXPECT_EQ(tree.pairs, brute.pairs);
        EXPECT_EQ(tree.kind, brute.kind);
      }
}

TEST(Fans, SelfTestsAreLinear) {
  const auto tests = [](const Mesh& mesh) {
    const SelfCollideResult r = self_collide(Body(mesh));
    EXPECT_EQ(r.status, Status::free);
    return static_cast<double>(r.counters.triangle_tests + r.counters.node_pairs) /
           static_cast<double>(mesh.triangle_count());
  };
  EXPECT_LT(tests(make::cone({.triangles = 20000})), 60);
  for (const Fan& fan : {cone(4000, 0.05, true), book(4000)}) EXPECT_LT(tests(fan.mesh()), 60);
}

TEST(Fans, StepsLikeBruteForce) {
  std::mt19937 random(6);
  for (const Fan& whole : fans(80))
    for (const Way way : {Way::shaken, Way::turned, Way::stirred, Way::folded}) {
      const std::vector<Vec3> to = moved(whole.points, way, random);
      const Mesh mesh = whole.mesh();
      const DeformOptions options{.exact = true};
      const DeformResult brute = deform_brute(mesh, whole.points, to, options);
      const DeformResult step = Deformable(mesh).step(to, options);
      EXPECT_EQ(contact_names(step), contact_names(brute)) << static_cast<int>(way);
      EXPECT_EQ(step.crossing_at_start, brute.crossing_at_start);
      DeformOptions near;
      near.min_separation = 0.01;
      EXPECT_EQ(contact_names(Deformable(mesh).step(to, near)),
                contact_names(deform_brute(mesh, whole.points, to, near)));
    }
}

TEST(Fans, StepsAreLinear) {
  std::mt19937 random(7);
  for (const Fan& whole : {cone(4000, 0, true), cone(4000, 0.05, false), cone(4000, 0.05, true), book(4000)})
    for (const Way way : {Way::shaken, Way::turned}) {
      Deformable d(whole.mesh());
      const DeformResult r = d.step(moved(whole.points, way, random));
      EXPECT_EQ(r.status, Status::free);
      const double n = static_cast<double>(whole.triangles.size());
      EXPECT_LT(static_cast<double>(r.counters.node_pairs), 30 * n);
      EXPECT_LT(static_cast<double>(r.counters.leaf_pairs), 60 * n);
      EXPECT_LT(static_cast<double>(r.counters.elementary_tests), 20 * n);
    }
}

}  // namespace
