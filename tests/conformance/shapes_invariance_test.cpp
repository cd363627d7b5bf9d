// SPDX-License-Identifier: MIT
// Shapes, compounds and height fields: the same answers for any number of threads, in both orders, at every scale by a
// power of two, and after both bodies were moved together; and between meshes that are inscribed and circumscribed.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/mesh/height_field.hpp>
#include <graze/mesh/make.hpp>

#include "oracle/generators.hpp"
#include "oracle/pose_generators.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using testing::RandomBudget;

/// Bodies of every kind, with all lengths times s, which is a power of two.
std::vector<Body> all_kinds(double s) {
  using namespace shape;
  const auto scaled = [&](const Mesh& mesh) {
    std::vector<Vec3> moved;
    for (const Vec3& p : mesh.positions()) moved.push_back(p * s);
    return Body(Mesh(std::move(moved), mesh.polygons()));
  };
  HeightField field{.columns = 6, .rows = 2, .dx = 0.5 * s, .dy = 0.5 * s, .heights = {}};
  for (const double h : {0.0, 0.1, 0.3, 0.2, 0.1, 0.4, 0.5, 0.1, 0.0, 0.2, 0.1, 0.0}) field.heights.push_back(h * s);
  field.heights[5] = std::nan("");  // a hole
  std::vector<Body> out{Body(Sphere{0.5 * s}),
                        Body(Capsule{0.25 * s, s}),
                        Body(Box{Vec3{1, 0.5, 0.75} * s}),
                        Body(Shape(Box{Vec3{0.5, 0.25, 0.5} * s}, 0.125 * s)),
                        Body(Cylinder{0.375 * s, s}),
                        Body(Cone{0.5 * s, s}),
                        Body(Ellipsoid{Vec3{0.75, 0.375, 0.25} * s}),
                        Body(Hull{{Vec3{0, 0, 0} * s, Vec3{1, 0, 0} * s, Vec3{0, 1, 0} * s, Vec3{0, 0, 1} * s}}),
                        scaled(make::torus({.major = 0.5, .minor = 0.25, .around = 8, .across = 6})),
                        Body(height_mesh(field))};
  out.push_back(compound({{out[0], Pose(Vec3{0.5, 0, 0} * s)},
                          {out[4], Pose(Vec3{-0.5, 0, 0.25} * s, {1, 1, 0, 0})},
                          {out[8], Pose(Vec3{0, 0.5, 0} * s, {1, 0, 2, 0})},
                          {out[2], Pose(Vec3{0, 0, -0.75} * s, {2, 1, 0, 1})}}));
  return out;
}

struct Answers {
  CollideResult hit;
  DistanceResult apart;
  FirstContactResult first;
};
Answers ask(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, const Vec3& way, int threads) {
  Answers r;
  CollideOptions collide_options;
  collide_options.threads = threads;
  DistanceOptions distance_options;
  distance_options.threads = threads;
  FirstContactOptions contact_options;
  contact_options.threads = threads;
  r.hit = collide(a, pose_a, b, pose_b, collide_options);
  r.apart = distance(a, pose_a, b, pose_b, distance_options);
  r.first = first_contact(a, Velocity(pose_a, Pose(pose_a.translation() + way, pose_a.rotation())), b, Still{pose_b},
                          contact_options);
  return r;
}

void expect_same(const Answers& x, const Answers& y, double s) {
  EXPECT_EQ(x.hit.status, y.hit.status);
  EXPECT_EQ(x.hit.kind, y.hit.kind);
  EXPECT_EQ(x.hit.certain, y.hit.certain);
  EXPECT_EQ(x.apart.status, y.apart.status);
  EXPECT_EQ(x.apart.certain, y.apart.certain);
  EXPECT_EQ(x.apart.distance * s, y.apart.distance);
  EXPECT_EQ(x.first.status, y.first.status);
  EXPECT_EQ(x.first.time.safe, y.first.time.safe);
  EXPECT_EQ(std::isnan(x.first.time.touch), std::isnan(y.first.time.touch));
  if (!std::isnan(x.first.time.touch)) {
    EXPECT_EQ(x.first.time.touch, y.first.time.touch);
  }
}

TEST(ShapesInvariance, ThreadsOrderAndScaleDoNotMatter) {
  const std::uint64_t seed = RandomBudget::seed(1403);
  SCOPED_TRACE("seed " + std::to_string(seed));
  oracle::Random random(seed);
  constexpr int exponents[] = {-300, -7, 400};
  std::vector<std::vector<Body>> scaled;
  for (const int e : exponents) scaled.push_back(all_kinds(std::ldexp(1.0, e)));
  const std::vector<Body> bodies = all_kinds(1);
  RandomBudget budget(150);
  int free = 0, contacts = 0;
  for (int i = 0; budget.more(); ++i) {
    const std::size_t x = random() % bodies.size(), y = random() % bodies.size();
    SCOPED_TRACE(std::to_string(i) + ": " + std::to_string(x) + " and " + std::to_string(y));
    const Pose pose_a(oracle::real_point(random, 1.2), oracle::random_pose(random).rotation());
    const Pose pose_b(oracle::real_point(random, 1.2), oracle::random_pose(random).rotation());
    const Vec3 way = oracle::real_point(random, 2);
    const Answers one = ask(bodies[x], pose_a, bodies[y], pose_b, way, 1);
    (one.hit.status == Status::free ? free : contacts) += 1;
    for (const int threads : {2, 4}) expect_same(one, ask(bodies[x], pose_a, bodies[y], pose_b, way, threads), 1);
    const CollideResult back = collide(bodies[y], pose_b, bodies[x], pose_a);
    EXPECT_EQ(back.status, one.hit.status);
    EXPECT_EQ(back.kind, one.hit.kind);
    EXPECT_NEAR(distance(bodies[y], pose_b, bodies[x], pose_a).distance, one.apart.distance, 1e-8);
    // Moved together: poses are rounded, so only what is clear of contact by more than that must stay.
    const Pose both({3, -2, 1}, {1, 0, 1, 0});
    const auto moved = [&](const Pose& p) {
      const Quat q = p.rotation(), r = both.rotation();
      return Pose(both.apply(p.translation()),
                  {r.w * q.w - r.x * q.x - r.y * q.y - r.z * q.z, r.w * q.x + r.x * q.w + r.y * q.z - r.z * q.y,
                   r.w * q.y - r.x * q.z + r.y * q.w + r.z * q.x, r.w * q.z + r.x * q.y - r.y * q.x + r.z * q.w});
    };
    EXPECT_NEAR(distance(bodies[x], moved(pose_a), bodies[y], moved(pose_b)).distance, one.apart.distance, 1e-8);
    for (std::size_t k = 0; k < scaled.size(); ++k) {
      SCOPED_TRACE("scale 2^" + std::to_string(exponents[k]));
      const double s = std::ldexp(1.0, exponents[k]);
      const auto larger = [&](const Pose& p) { return Pose(p.translation() * s, p.rotation()); };
      expect_same(one, ask(scaled[k][x], larger(pose_a), scaled[k][y], larger(pose_b), way * s, 1), s);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(free, RandomBudget::is_whole() ? 20 : 0);
  EXPECT_GT(contacts, RandomBudget::is_whole() ? 20 : 0);
}

/// A mesh inside the sphere, ellipsoid or cylinder, and one around it: the distance is between theirs.
TEST(ShapesInvariance, BetweenInscribedAndCircumscribedMeshes) {
  oracle::Random random(RandomBudget::seed(1404));
  const Mesh unit = make::sphere({.radius = 1, .meridians = 24, .bands = 16});
  const auto stretched = [&](const Vec3& half, double more) {
    std::vector<Vec3> moved;
    for (const Vec3& p : unit.positions()) moved.push_back(Vec3{p.x * half.x, p.y * half.y, p.z * half.z} * more);
    return Body(Mesh(std::move(moved), unit.polygons()));
  };
  // Every face of the inscribed sphere is at least this far from its centre.
  double nearest = 1;
  for (const Triangle& t : unit.triangles()) {
    const auto p = unit.positions();
    const Vec3 n = cross(p[t[1]] - p[t[0]], p[t[2]] - p[t[0]]);
    if (length(n) > 1e-9) nearest = std::min(nearest, std::fabs(dot(n, p[t[0]])) / length(n));
  }
  const Body other(make::torus({.major = 0.7, .minor = 0.2, .around = 12, .across = 8}));
  RandomBudget budget(60);
  for (int i = 0; budget.more(); ++i) {
    const Vec3 half = oracle::real_point(random, 0.5) + Vec3{0.8, 0.8, 0.8};
    const Body egg(shape::Ellipsoid{half}), inner = stretched(half, 1 - 1e-12),
                                            outer = stretched(half, 1.000001 / nearest);
    const Pose pose(oracle::real_point(random, 4), oracle::random_pose(random).rotation());
    const DistanceResult d = distance(egg, Pose(), other, pose);
    const double most = distance(inner, Pose(), other, pose).distance;
    if (collide(outer, Pose(), other, pose, {.solid = true}).status == Status::free) {
      EXPECT_GE(d.distance, distance(outer, Pose(), other, pose).distance * (1 - 1e-9));
      EXPECT_EQ(d.status, Status::free);
    }
    if (collide(inner, Pose(), other, pose, {.solid = true}).status == Status::contact) {
      EXPECT_EQ(d.status, Status::contact);
    } else {
      EXPECT_LE(d.distance, most * (1 + 1e-9));
    }
  }
}

}  // namespace
}  // namespace graze
