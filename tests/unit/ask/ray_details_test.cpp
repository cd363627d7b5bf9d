// SPDX-License-Identifier: MIT
// Normals, weights, features and lists of hits, against rational arithmetic over all triangles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include <graze/ask/many.hpp>
#include <graze/ask/ray.hpp>
#include <graze/mesh/make.hpp>

#include "oracle/pose_generators.hpp"

namespace graze::testing {
namespace {

using oracle::Point;
using oracle::Rational;

struct TrueRayHit {
  Rational fraction;
  std::uint32_t polygon, triangle;
};

/// The first common point of the segment and every triangle, in order; of each polygon, or of each triangle.
std::vector<TrueRayHit> true_hits(const Mesh& mesh, const Pose& pose, const Vec3& from, const Vec3& to) {
  const std::array<Point, 2> ends{oracle::exact(from), oracle::exact(to)};
  const oracle::ConvexSet segment = oracle::hull(ends);
  const Point way = ends[1] - ends[0];
  std::vector<TrueRayHit> hits;
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    oracle::Triangle corners;
    for (std::size_t k = 0; k < 3; ++k) corners[k] = oracle::place(pose, mesh.positions()[mesh.triangles()[t][k]]);
    std::optional<Rational> first;
    for (const Point& x : oracle::intersect(segment, oracle::hull(corners)).corners) {
      const Rational s = from == to ? Rational(0) : dot(x - ends[0], way) / dot(way, way);
      if (!first || s < *first) first = s;
    }
    if (first) hits.push_back({*first, index(mesh.polygon_of(TriangleId{t})), t});
  }
  std::sort(hits.begin(), hits.end(), [](const TrueRayHit& x, const TrueRayHit& y) {
    return x.fraction != y.fraction ? x.fraction < y.fraction : x.triangle < y.triangle;
  });
  std::vector<TrueRayHit> out;
  for (const TrueRayHit& h : hits)
    if (std::none_of(out.begin(), out.end(), [&](const TrueRayHit& x) { return x.polygon == h.polygon; }))
      out.push_back(h);
  return out;
}

FeatureRef true_feature(const Mesh& mesh, std::uint32_t triangle, const oracle::Triangle& c, const Point& at) {
  const Triangle& v = mesh.triangles()[triangle];
  const TriangleId id{triangle};
  for (std::size_t k = 0; k < 3; ++k)
    if (c[k] == at) return {FeatureRef::Type::vertex, false, {v[k], v[k]}};
  const std::uint32_t polygon = index(mesh.polygon_of(id));
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = (k + 1) % 3;
    const Point edge = c[next] - c[k], d = at - c[k], n = cross(edge, d);
    if (!(n == Point{}) || dot(edge, d) <= 0 || dot(edge, d) >= dot(edge, edge)) continue;
    const bool diagonal = mesh.is_diagonal(id, static_cast<int>(k));
    if (diagonal && mesh.is_planar(PolygonId{polygon})) break;
    return {FeatureRef::Type::edge, diagonal, {std::min(v[k], v[next]), std::max(v[k], v[next])}};
  }
  return {FeatureRef::Type::face, false, {polygon, polygon}};
}

/// Is the vector of length one and along the exact one, to 2^-46?
void expect_along(const Vec3& n, const Point& exact) {
  EXPECT_NEAR(length(n), 1, 0x1p-50);
  Rational largest = 0;
  for (const Rational& x : {exact.x, exact.y, exact.z}) largest = std::max(largest, Rational(abs(x)));
  Vec3 m = oracle::to_double(Rational(1 / largest) * exact);
  m = m * (1 / length(m));
  EXPECT_LE(length(n - m), 0x1p-46);
}

void expect_details(const Mesh& mesh, const Pose& pose, const Vec3& from, const Vec3& to, const RayHit& hit,
                    const TrueRayHit& truth) {
  const Triangle& v = mesh.triangles()[truth.triangle];
  oracle::Triangle c;
  for (std::size_t k = 0; k < 3; ++k) c[k] = oracle::place(pose, mesh.positions()[v[k]]);
  const Point at = oracle::exact(from) + truth.fraction * (oracle::exact(to) - oracle::exact(from));
  EXPECT_EQ(hit.feature, true_feature(mesh, truth.triangle, c, at));
  const Point n = cross(c[1] - c[0], c[2] - c[0]);
  if (n == Point{}) {
    if (mesh.triangles_of(hit.polygon)[1] - mesh.triangles_of(hit.polygon)[0] == 1) {
      EXPECT_FALSE(hit.normal);
    }
  } else {
    ASSERT_TRUE(hit.normal);
    expect_along(*hit.normal, n);
  }
  Point sum{};
  double total = 0, size = std::max({std::fabs(from.x), std::fabs(from.y), std::fabs(from.z), std::fabs(to.x),
                                     std::fabs(to.y), std::fabs(to.z)});
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_GE(hit.weights[k], 0);
    total += hit.weights[k];
    sum = sum + oracle::exact(hit.weights[k]) * c[k];
    const Vec3 x = mesh.positions()[v[k]], t = pose.translation();
    for (int i = 0; i < 3; ++i) size = std::max({size, std::fabs(x[i]), std::fabs(t[i])});
  }
  EXPECT_NEAR(total, 1, 0x1p-51);
  EXPECT_LE(length(oracle::to_double(sum - at)), 4 * 0x1p-46 * size);
}

/// True if the ray hits.
bool expect_hits(const Mesh& mesh, const Pose& pose, const Vec3& from, const Vec3& to) {
  const std::vector<TrueRayHit> truth = true_hits(mesh, pose, from, to);
  const Body body(mesh);
  const RayResult all = cast_ray(body, pose, from, to, {.hits = RayHits::all});
  const RayResult first = cast_ray(body, pose, from, to), any = cast_ray(body, pose, from, to, {.hits = RayHits::any});
  EXPECT_EQ(first.hit.has_value(), !truth.empty());
  EXPECT_EQ(any.hit.has_value(), !truth.empty());
  EXPECT_EQ(all.all.size(), truth.size());
  if (truth.empty() || all.all.size() != truth.size() || !first.hit || !any.hit) return false;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    EXPECT_EQ(index(all.all[i].triangle), truth[i].triangle);
    EXPECT_LE(std::fabs(all.all[i].fraction - oracle::to_double(truth[i].fraction)), 0x1p-51);
    expect_details(mesh, pose, from, to, all.all[i], truth[i]);
  }
  EXPECT_EQ(first.hit->triangle, all.all[0].triangle);
  EXPECT_EQ(first.hit->weights, all.all[0].weights);
  EXPECT_EQ(first.hit->normal, all.all[0].normal);
  EXPECT_EQ(first.hit->feature, all.all[0].feature);
  EXPECT_TRUE(std::any_of(truth.begin(), truth.end(),
                          [&](const TrueRayHit& h) { return h.polygon == index(any.hit->polygon); }));
  return true;
}

/// Everything lies on a small grid: rays through vertices, along edges, in faces; degenerate triangles.
TEST(RayDetails, OnGrids) {
  oracle::Random random(3);
  int hits = 0;
  for (int i = 0; i < 400 && !::testing::Test::HasFailure(); ++i) {
    std::vector<Vec3> points;
    for (int k = 0; k < 7; ++k) points.push_back(oracle::grid_point(random, 2));
    PolygonList polygons;
    for (int k = 0; k < 6; ++k) {
      const auto corner = [&] { return static_cast<std::uint32_t>(oracle::whole(random, 0, 6)); };
      std::vector<std::uint32_t> polygon{corner(), corner(), corner()};
      if (k % 3 == 0) polygon.push_back(corner());
      polygons.add(polygon);
    }
    const Mesh mesh(points, polygons);
    hits += expect_hits(mesh, {}, oracle::grid_point(random, 3), oracle::grid_point(random, 3));
    const Pose pose(oracle::grid_point(random, 2), oracle::quarter_turn(random));
    hits += expect_hits(mesh, pose, oracle::grid_point(random, 3), oracle::grid_point(random, 3));
  }
  EXPECT_GT(hits, 100);
}

TEST(RayDetails, InAnyPose) {
  oracle::Random random(4);
  int hits = 0;
  const Mesh ball = make::sphere({.triangles = 40});
  for (int i = 0; i < 60 && !::testing::Test::HasFailure(); ++i) {
    const Pose pose(oracle::real_point(random), oracle::unit_quaternion(random));
    hits += expect_hits(ball, pose, oracle::real_point(random) * 3.0, pose.translation() + oracle::real_point(random));
  }
  EXPECT_GT(hits, 20);
}

/// Triangles that are thin to the last digit, far away from the origin, and of extreme size.
TEST(RayDetails, ThinFarLargeAndSmall) {
  for (const double size : {1.0, 0x1p+300, 0x1p-300, 0x1p+900, 0x1p-900})
    for (const double height : {1.0, 1e-3, 1e-9, 1e-15})
      for (const double away : {0.0, 1.0, 1000.0}) {
        const Vec3 at = Vec3{away, -away, away} * size;
        const Mesh mesh({at, at + Vec3{size, 0, 0}, at + Vec3{0.5 * size, height * size, 0.1 * size}},
                        std::vector<Triangle>{{0, 1, 2}});
        for (const double share : {0.5, 0.25, 0.0}) {
          const Vec3 p = at + Vec3{0.5 * size, share * height * size, share * 0.1 * size}, up{0, 0.25 * size, size};
          expect_hits(mesh, {}, p + up, p - up);
        }
      }
}

TEST(RayDetails, NormalsOfShapesPointOutward) {
  using namespace shape;
  const Pose turned({0.3, -0.2, 0.5}, {0.9, 0.1, -0.3, 0.2});
  const auto from = [&](const Vec3& local) { return turned.apply(local); };
  const auto normal = [&](const Shape& s, const Vec3& start, const Vec3& end) {
    const RayResult r = cast_ray(Body(s), turned, from(start), from(end));
    EXPECT_TRUE(r.hit && r.hit->normal) << kind_name(s);
    EXPECT_EQ(r.hit->feature.type == FeatureRef::Type::surface, !Body(s).has_mesh());
    const Vec3 n = r.hit && r.hit->normal ? *r.hit->normal : Vec3{};
    // Back into the shape's frame.
    const Pose back({0, 0, 0}, {turned.rotation().w, -turned.rotation().x, -turned.rotation().y, -turned.rotation().z});
    return back.apply(n);
  };
  const auto expect_near = [](const Vec3& n, const Vec3& m) { EXPECT_LE(length(n - m * (1 / length(m))), 1e-7); };
  expect_near(normal(Sphere{1}, {3, 0.6, 0}, {0, 0.6, 0}), {0.8, 0.6, 0});
  expect_near(normal(Capsule{0.5, 2}, {3, 0, 0.7}, {0, 0, 0.7}), {1, 0, 0});
  expect_near(normal(Capsule{0.5, 2}, {0.3, 0, 9}, {0.3, 0, 0}), {0.3, 0, 0.4});
  expect_near(normal(Cylinder{1, 2}, {0.2, 0.3, 9}, {0.2, 0.3, 0}), {0, 0, 1});
  expect_near(normal(Cylinder{1, 2}, {0.2, 0.3, -9}, {0.2, 0.3, 0}), {0, 0, -1});
  expect_near(normal(Cylinder{1, 2}, {9, 0.6, 0.1}, {0, 0.6, 0.1}), {0.8, 0.6, 0});
  expect_near(normal(Cone{1, 2}, {0.1, 0.2, -9}, {0.1, 0.2, 0}), {0, 0, -1});
  expect_near(normal(Cone{1, 2}, {9, 0, 0}, {0, 0, 0}), {2, 0, 1});
  expect_near(normal(Ellipsoid{{1, 2, 3}}, {9, 1, 1}, {0, 1, 1}), {std::sqrt(1 - 0.25 - 1.0 / 9), 0.25, 1.0 / 9});
  expect_near(normal(Shape(Box{{2, 2, 2}}, 0.5), {9, 0.1, 0.2}, {0, 0.1, 0.2}), {1, 0, 0});
  expect_near(normal(Box{{2, 2, 2}}, {9, 0.1, 0.2}, {0, 0.1, 0.2}), {1, 0, 0});
  expect_near(normal(HalfSpace{}, {1, 2, 3}, {1, 5, -3}), {0, 0, 1});
  const RayResult inside = cast_ray(Body(Sphere{1}), {}, {0.1, 0, 0}, {5, 0, 0}, {.hits = RayHits::all});
  ASSERT_EQ(inside.all.size(), 1u);
  EXPECT_EQ(inside.all[0].fraction, 0);
  EXPECT_FALSE(inside.all[0].normal);
}

TEST(ManyThreads, RaysAnswerAsTheSingleQuestion) {
  const Body knot(make::torus_knot({.triangles = 2880}));
  oracle::Random random(5);
  std::vector<Ray> rays;
  for (int i = 0; i < 300; ++i) rays.push_back({oracle::real_point(random) * 4.0, oracle::real_point(random) * 4.0});
  const Pose pose({0.1, 0.2, 0.3}, {1, 0.2, 0, 0});
  for (const RayHits wanted : {RayHits::first, RayHits::any, RayHits::all})
    for (const int threads : {1, 3}) {
      ManyOptions<RayOptions> options;
      options.each.hits = wanted;
      options.threads = threads;
      std::vector<RayResult> results(rays.size());
      const ManyResult many = cast_rays(knot, pose, rays, results, options);
      EXPECT_GT(many.contact, 20u);
      EXPECT_EQ(many.contact + many.free, rays.size());
      for (std::size_t i = 0; i < rays.size(); ++i) {
        const RayResult single = cast_ray(knot, pose, rays[i].from, rays[i].to, options.each);
        ASSERT_EQ(results[i].status, single.status);
        ASSERT_EQ(results[i].all.size(), single.all.size());
        if (!single.hit) continue;
        EXPECT_EQ(results[i].hit->fraction, single.hit->fraction);
        EXPECT_EQ(results[i].hit->triangle, single.hit->triangle);
      }
    }
}

}  // namespace
}  // namespace graze::testing
