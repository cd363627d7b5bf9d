// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>

#include <graze/mesh/make.hpp>

#include "engine/distance/convex_body.hpp"
#include "math/dyadic.hpp"
#include "oracle/generators.hpp"
#include "oracle/pose_generators.hpp"
#include "prim/convex/exact.hpp"
#include "prim/convex/gjk.hpp"
#include "prim/convex/nearest.hpp"

namespace graze {
namespace {

using math::Dyadic;
using math::DyadicVec3;
using prim::ConvexPoints;
using prim::ConvexSimplex;

ConvexPoints points_of(const Mesh& mesh) { return engine::distance::ConvexBodyData(mesh, classify(mesh)).points; }

std::vector<Mesh> shapes() {
  return {make::box(),
          make::tetrahedron(),
          make::sphere({.triangles = 60}),
          make::sphere({.triangles = 960}),
          make::cylinder({.triangles = 400}),
          make::cylinder({.radius = 0.5, .height = 1e-4, .around = 100, .along = 1}),
          make::cone({.radius = 0.01, .height = 5, .around = 60})};
}

TEST(ConvexPoints, StoresItsPointsExactlyWhereverTheyAre) {
  for (const Vec3& shift : {Vec3{0, 0, 0}, Vec3{1e6, 0, -3}, Vec3{0.7, 1e9, 1e15}}) {
    const Mesh box = make::box();
    std::vector<Vec3> positions;
    for (const Vec3& p : box.positions()) positions.push_back(p + shift);
    const std::vector<std::array<std::uint32_t, 2>> edges{{0, 1}, {1, 2}};  // support is not asked here
    const ConvexPoints points(positions, edges);
    for (std::uint32_t i = 0; i < points.size(); ++i) EXPECT_EQ(points[i] + points.centre(), positions[i]);
    EXPECT_LT(points.radius(), 4);
  }
}

TEST(ConvexPoints, NoPointIsFurtherThanTheSupportAndItsSlack) {
  oracle::Random random(3);
  for (const Mesh& mesh : shapes()) {
    const ConvexPoints points = points_of(mesh);
    std::uint32_t hint = 0;
    for (int i = 0; i < 200; ++i) {
      // Directions of faces and edges, in which corners are equally far, are the hard ones.
      const Triangle& t = mesh.triangles()[random() % mesh.triangle_count()];
      const Vec3 a = mesh.positions()[t[0]], u = mesh.positions()[t[1]] - a, v = mesh.positions()[t[2]] - a;
      const Vec3 r = oracle::real_point(random);
      const Vec3 n = i % 3 == 0 ? r : i % 3 == 1 ? cross(u, v) : cross(u, r);
      if (!(dot(n, n) > 0)) continue;
      const std::uint32_t best = points.support(n, hint);
      hint = best;
      const double slack = points.slack(best);
      EXPECT_LT(slack, 1e-9 * points.radius());
      const Dyadic bound = Dyadic(std::sqrt(dot(n, n)) * slack * (1 + 1e-12));
      for (std::uint32_t k = 0; k < points.size(); ++k) {
        const Dyadic excess = dot(DyadicVec3(n), DyadicVec3(points[k]) - DyadicVec3(points[best]));
        ASSERT_FALSE(bound < excess) << "corner " << k << " beyond " << best;
      }
    }
  }
}

TEST(ConvexFrame, PlacesWithinItsSlack) {
  oracle::Random random(4);
  const ConvexPoints a = points_of(make::box()), b = points_of(make::sphere({.triangles = 60}));
  double worst = 0;
  for (int i = 0; i < 500; ++i) {
    const Pose pa = oracle::random_pose(random), pb = oracle::random_pose(random);
    const prim::ConvexFrame frame(pa, a, pb, b);
    ASSERT_TRUE(frame.usable);
    const math::RelativePlacement placement(pa, pb);
    for (std::uint32_t v = 0; v < b.size(); ++v) {
      const DyadicVec3 exact = placement.exact_b(b[v] + b.centre()) - placement.exact_a(a.centre());
      const DyadicVec3 error = exact - DyadicVec3(frame.place(b[v])) * placement.scale();
      const double off = math::sqrt_ratio(dot(error, error), placement.scale() * placement.scale());
      EXPECT_LE(off, frame.slack);
      worst = std::max(worst, off / frame.slack);
    }
  }
  EXPECT_GT(worst, 0.001) << "the bound is not absurd";
}

TEST(ConvexSimplex, FindsTheNearestPoint) {
  oracle::Random random(5);
  for (int i = 0; i < 5000; ++i) {
    ConvexSimplex s;
    const int size = oracle::whole(random, 1, 4);
    const Vec3 shift = oracle::real_point(random);
    for (int k = 0; k < size; ++k) {
      const Vec3 p = i % 2 == 0 ? oracle::real_point(random) + shift : oracle::grid_point(random, 2);
      s.add(p, static_cast<std::uint32_t>(k), 0);
    }
    const ConvexSimplex all = s;
    const prim::NearestPoint p = prim::nearest_to_origin(s);
    double sum = 0;
    Vec3 combined;
    for (std::size_t k = 0; k < static_cast<std::size_t>(s.size); ++k) {
      EXPECT_GE(s.weight[k], 0);
      sum += s.weight[k];
      combined = combined + s.w[k] * s.weight[k];
    }
    EXPECT_NEAR(sum, 1, 1e-9);
    EXPECT_LT(length(combined - p.v), 1e-9);
    if (p.inside) continue;
    for (std::size_t k = 0; k < static_cast<std::size_t>(all.size); ++k)
      EXPECT_GE(dot(p.v, all.w[k]), p.squared - 1e-9) << "sticks out";
  }
}

TEST(ConvexSimplex, IsSureOfTheInsideOnlyBeyondTheError) {
  ConvexSimplex s;
  for (const Vec3& p : {Vec3{1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}}) s.add(p, 0, 0);
  s.add({0, 0, 1}, 1, 1);
  EXPECT_FALSE(prim::surely_inside(s, 0)) << "on a face";
  for (Vec3& w : s.w) w.z -= 1e-6;
  EXPECT_TRUE(prim::surely_inside(s, 1e-8));
  EXPECT_FALSE(prim::surely_inside(s, 1e-5));
}

TEST(ConvexExact, EndsAtTheSameDistanceFromAnyStart) {
  oracle::Random random(7);
  const std::vector<Mesh> meshes = shapes();
  for (int i = 0; i < 20; ++i) {
    const ConvexPoints a = points_of(meshes[random() % 5]), b = points_of(meshes[random() % 5]);
    const Pose pa = oracle::random_pose(random, static_cast<oracle::PoseFamily>(random() % 8));
    const Pose pb = oracle::random_pose(random, static_cast<oracle::PoseFamily>(random() % 8));
    const math::RelativePlacement placement(pa, pb);
    const prim::ExactConvexAnswer first = prim::exact_convex_distance(a, b, placement, {});
    ConvexSimplex start;
    for (int k = 0; k < 4; ++k)
      start.add({}, static_cast<std::uint32_t>(random() % a.size()), static_cast<std::uint32_t>(random() % b.size()));
    const prim::ExactConvexAnswer second = prim::exact_convex_distance(a, b, placement, start);
    EXPECT_EQ(first.contact, second.contact);
    EXPECT_EQ(first.distance, second.distance);
    const prim::ExactConvexAnswer third = prim::exact_convex_distance(a, b, placement, first.simplex);
    EXPECT_EQ(third.iterations, 1u) << "its own answer is proved at once";
    EXPECT_EQ(third.distance, first.distance);
  }
}

TEST(ConvexSearch, ProvesWhatItSays) {
  oracle::Random random(9);
  const std::vector<Mesh> meshes = shapes();
  for (int i = 0; i < 300; ++i) {
    const ConvexPoints a = points_of(meshes[random() % 3]), b = points_of(meshes[random() % 3]);
    const Pose pa = oracle::random_pose(random, oracle::PoseFamily::unit_quaternion);
    const Pose pb = oracle::random_pose(random, oracle::PoseFamily::unit_quaternion);
    const prim::ConvexFrame frame(pa, a, pb, b);
    ASSERT_TRUE(frame.usable);
    prim::ConvexSearch search(a, b, frame);
    const auto outcome = search.distance(1e-9);
    const prim::ExactConvexAnswer exact = prim::exact_convex_distance(a, b, {pa, pb}, search.simplex());
    ASSERT_NE(outcome, prim::ConvexSearch::Outcome::open);
    EXPECT_EQ(outcome == prim::ConvexSearch::Outcome::contact, exact.contact);
    EXPECT_LE(search.lower(), exact.distance);
    if (exact.contact) continue;
    const prim::ConvexNearest nearest = prim::nearest_points(a, b, frame, search.simplex());
    EXPECT_NEAR(nearest.distance, exact.distance, 1e-9 * exact.distance);
  }
}

}  // namespace
}  // namespace graze
