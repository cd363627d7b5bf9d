// SPDX-License-Identifier: MIT
// Steps of deforming meshes that took a thousand times longer because of one far vertex, or quadratically longer
// because of a strip's orientation. Counted, not timed.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <graze/ask/deform.hpp>
#include <graze/ask/deform_brute.hpp>
#include <graze/core/method_counters.hpp>

namespace graze {
namespace {

struct Scene {
  std::vector<Vec3> start, end;
  std::vector<Triangle> triangles;

  Mesh mesh() const { return Mesh(start, std::span<const Triangle>(triangles)); }
};

/// A waved cloth of 1 m that falls a little.
Scene cloth(std::uint32_t n) {
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
  return s;
}

void add_still(Scene& s, const std::vector<Vec3>& points, const std::vector<Triangle>& triangles) {
  const auto first = static_cast<std::uint32_t>(s.start.size());
  for (const auto& [a, b, c] : triangles) s.triangles.push_back({first + a, first + b, first + c});
  s.start.insert(s.start.end(), points.begin(), points.end());
  s.end.insert(s.end.end(), points.begin(), points.end());
}

struct Cost {
  Status status;
  std::uint64_t pairs, elementary;
};
Cost cost_of(const Scene& s, bool all = true) {
  Deformable mesh(s.mesh());
  DeformOptions options;
  options.all = all;
  const DeformResult r = mesh.step(s.end, options);
  return {r.status, r.counters.node_pairs + r.counters.leaf_pairs, r.counters.elementary_tests};
}

TEST(DeformingCliffs, OneFarBodyCostsTheOthersNothing) {
  const auto with_ground = [](double half) {
    Scene s = cloth(40);
    add_still(s, {{-half, -half, 0}, {half, -half, 0}, {half, half, 0}, {-half, half, 0}}, {{0, 1, 2}, {0, 2, 3}});
    return s;
  };
  const auto with_stray = [](const Vec3& at) {
    Scene s = cloth(40);
    add_still(s, {at, at + Vec3{1, 0, 0}, at + Vec3{0, 1, 0}}, {{0, 1, 2}});
    return s;
  };
  for (const bool all : {true, false}) {
    const Cost near_ground = cost_of(with_ground(10), all), near_stray = cost_of(with_stray({10, 10, 10}), all);
    EXPECT_EQ(near_ground.status, Status::free);
    for (const double far : {1e4, 1e5, 1e7, 1e8}) {
      const Cost ground = cost_of(with_ground(far), all);
      EXPECT_EQ(ground.status, Status::free);
      EXPECT_LE(double(ground.pairs), 1.3 * double(near_ground.pairs)) << far;
      EXPECT_LE(double(ground.elementary), 1.3 * double(near_ground.elementary) + 10) << far;
      for (const Vec3& way : {Vec3{1, 0, 0}, Vec3{1, -1, 1}, Vec3{0, 0, -1}}) {
        const Cost stray = cost_of(with_stray(way * far), all);
        EXPECT_LE(double(stray.pairs), 1.3 * double(near_stray.pairs)) << far;
        EXPECT_LE(double(stray.elementary), 1.3 * double(near_stray.elementary) + 10) << far;
      }
    }
  }
}

/// Floats are fine only near the middle vertex: everything else must still be found, at every distance from it.
TEST(DeformingCliffs, ContactsFarFromMostVerticesAreFound) {
  for (const double far : {0.0, 1e3, 1e6, 1e9, 1e12})
    for (const double speed : {0.5, 1e3}) {
      Scene s = cloth(6);
      // Two triangles that meet far away: one falls through the other.
      add_still(s,
                {{far, far, 0},
                 {far + 1, far, 0},
                 {far, far + 1, 0},
                 {far + 0.25, far + 0.25, 0.1},
                 {far + 0.75, far + 0.25, 0.6},
                 {far + 0.25, far + 0.75, 0.6}},
                {{0, 1, 2}, {3, 4, 5}});
      for (std::size_t v = s.end.size() - 3; v < s.end.size(); ++v) s.end[v].z -= speed;
      for (const bool both_ends : {true, false})
        for (const bool all : {true, false}) {
          DeformOptions options;
          options.exact = true;
          options.both_ends = both_ends;
          options.all = all;
          const DeformResult truth = deform_brute(s.mesh(), s.start, s.end, options);
          Deformable mesh(s.mesh());
          const DeformResult r = mesh.step(s.end, options);
          ASSERT_EQ(r.status, Status::contact);
          ASSERT_EQ(r.contacts.size(), truth.contacts.size()) << far << " " << speed << " " << both_ends << all;
          for (std::size_t i = 0; i < r.contacts.size(); ++i)
            ASSERT_EQ(r.contacts[i].vertices, truth.contacts[i].vertices);
        }
    }
}

/// Bounds at the start are kept from question to question. Those of steps that go farther, or are swept, are not
/// theirs.
TEST(DeformingCliffs, QuestionsFromOneStartDoNotDependOnTheOnesBefore) {
  for (const double far : {0.0, 1e4, 1e9}) {
    Scene s = cloth(6);
    add_still(s, {{far, far, 0}, {far + 1, far, 0}, {far, far + 1, 0}, {far, far, 0.3}, {far + 1, far, 0.3}},
              {{0, 1, 2}, {3, 4, 2}});
    Deformable kept(s.mesh());
    for (const double fall : {0.01, 0.5, 4 * far + 30, 0.2, 0.02}) {
      std::vector<Vec3> end = s.start;
      for (std::size_t v = 0; v < end.size(); v += 3) end[v].z -= fall;
      for (const bool both_ends : {true, false, true})
        for (const bool all : {true, false}) {
          DeformOptions options;
          options.both_ends = both_ends;
          options.all = all;
          const DeformResult r = kept.contacts(end, options), fresh = Deformable(s.mesh()).contacts(end, options);
          ASSERT_EQ(r.status, fresh.status);
          ASSERT_EQ(r.contacts.size(), fresh.contacts.size()) << far << " " << fall << " " << both_ends << all;
          for (std::size_t i = 0; i < r.contacts.size(); ++i)
            ASSERT_EQ(r.contacts[i].vertices, fresh.contacts[i].vertices);
          if (all) {
            const DeformResult truth = deform_brute(s.mesh(), s.start, end, options);
            ASSERT_EQ(r.contacts.size(), truth.contacts.size()) << far << " " << fall << " " << both_ends;
          }
        }
    }
  }
}

/// A long thin strip of n pairs of triangles, turned by an angle about the vertical.
Scene strip(std::uint32_t n, double width, double angle) {
  Scene s;
  std::uint64_t state = 1;
  const auto noise = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double(state >> 11) * 0x1p-52 - 1) * 1e-2 * width;
  };
  for (std::uint32_t i = 0; i <= n; ++i)
    for (const double y : {0.0, width}) {
      const double x = i;
      s.start.push_back({x * std::cos(angle) - y * std::sin(angle), x * std::sin(angle) + y * std::cos(angle), 0});
      s.end.push_back(s.start.back() + Vec3{noise(), noise(), noise()});
    }
  for (std::uint32_t i = 0; i < n; ++i) {
    s.triangles.push_back({2 * i, 2 * i + 1, 2 * i + 3});
    s.triangles.push_back({2 * i, 2 * i + 3, 2 * i + 2});
  }
  return s;
}

TEST(DeformingCliffs, StripsAreProvedWhereverTheyPoint) {
  const auto tests = [](const Scene& s) {
    Deformable mesh(s.mesh());
    MethodCounters own;
    DeformOptions options;
    options.method_counters = &own;
    const DeformResult r = mesh.step(s.end, options);
    EXPECT_EQ(r.status, Status::free);
    return double(own.contour_edge_tests + r.counters.node_pairs + r.counters.elementary_tests);
  };
  for (const double width : {1e-3, 1.0}) {
    const double along_an_axis = tests(strip(2000, width, 1.5707963267948966));
    for (const double angle : {0.0, 0.2, 0.4, 0.7853981633974483, 1.0, 1.3, 2.0})
      EXPECT_LE(tests(strip(2000, width, angle)), 2 * along_an_axis) << width << " " << angle;
    EXPECT_LE(tests(strip(8000, width, 0.3)), 5 * tests(strip(2000, width, 0.3)));
  }
}

}  // namespace
}  // namespace graze
