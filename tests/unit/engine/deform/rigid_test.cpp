// SPDX-License-Identifier: MIT
// A deforming mesh among rigid bodies that move and turn; vertices in a caller's memory; steps without the heap.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <graze/ask/deform_rigid.hpp>
#include <graze/mesh/make.hpp>

namespace graze {
namespace {

/// A square of two triangles at height z.
Mesh square(double z) {
  const std::vector<Vec3> p{{-1, -1, z}, {1, -1, z}, {1, 1, z}, {-1, 1, z}};
  const std::vector<Triangle> t{{0, 1, 2}, {0, 2, 3}};
  return Mesh(p, std::span<const Triangle>(t));
}
std::vector<Vec3> positions(const Mesh& m) { return {m.positions().begin(), m.positions().end()}; }

/// A thin bar along x from the origin.
Mesh bar(double length) {
  const std::vector<Vec3> p{{0, -0.01, 0}, {0, 0.01, 0}, {length, 0, 0}};
  const std::vector<Triangle> t{{0, 1, 2}};
  return Mesh(p, std::span<const Triangle>(t));
}

TEST(DeformRigid, ASheetFallsOnAStandingBody) {
  const Mesh sheet = square(2), box = make::box();  // from -1/2 to 1/2
  DeformableAmongRigid scene(sheet, std::span(&box, 1));
  const std::vector<Vec3> down = positions(square(0));
  const Motion still = Still{Pose()};
  const MixedResult r = scene.step(down, std::span(&still, 1));
  ASSERT_EQ(r.status, Status::contact);
  const double top = box.box().hi.z;
  EXPECT_NEAR(r.time.touch, (2 - top) / 2, 1e-5);
  EXPECT_LE(r.time.safe, (2 - top) / 2);
  EXPECT_TRUE(r.own.contacts.empty());
  // It is in the box now, and stays.
  const MixedResult stuck = scene.step(down, std::span(&still, 1));
  EXPECT_EQ(stuck.status, Status::contact);
  EXPECT_FALSE(stuck.crossing_at_start.empty());
}

TEST(DeformRigid, ATurningBodyIsFollowedAlongItsArcs) {
  // A bar turns by a right angle about y, from lying along x to pointing up: its tip passes where its chord does not.
  const Mesh rod = bar(1);
  const double half = std::numbers::pi / 4;
  const Motion turning = Velocity(Pose(), Pose({}, Quat{std::cos(half), 0, -std::sin(half), 0}));
  // A small square at 45 degrees just inside the arc, beyond the chord.
  const double c = 0.95 * std::sqrt(0.5);
  const std::vector<Vec3> p{{c, -0.5, c}, {c, 0.5, c}, {c + 0.01, 0, c + 0.01}};
  const std::vector<Triangle> t{{0, 1, 2}};
  const Mesh wedge(p, std::span<const Triangle>(t));
  DeformableAmongRigid scene(wedge, std::span(&rod, 1));
  const MixedResult r = scene.step(positions(wedge), std::span(&turning, 1));
  ASSERT_EQ(r.status, Status::contact);
  EXPECT_NEAR(r.time.touch, 0.5, 1e-2);
  EXPECT_TRUE(r.crossing_at_start.empty());
  // Just outside the arc there is nothing.
  std::vector<Vec3> outside = positions(wedge);
  for (Vec3& x : outside) x = x + Vec3{0.05, 0, 0.05};
  DeformableAmongRigid beyond(Mesh(outside, std::span<const Triangle>(t)), std::span(&rod, 1));
  EXPECT_EQ(beyond.step(outside, std::span(&turning, 1)).status, Status::free);
}

TEST(DeformRigid, ManyBodiesInOneCall) {
  const std::vector<Mesh> boxes{make::box(), make::box(), make::box()};
  DeformableAmongRigid scene(square(3), boxes);
  const std::vector<Motion> motions{Still{Pose()}, Still{Pose({5, 0, 0})},
                                    Velocity(Pose({0, 0, 8}), Pose({0, 0, 3.2}))};
  const MixedResult r = scene.step(positions(square(3)), motions);
  ASSERT_EQ(r.status, Status::contact);
  for (const MixedContact& c : r.contacts) EXPECT_EQ(c.body, 2u);
  EXPECT_EQ(scene.step(positions(square(3)), std::span<const Motion>()).status, Status::invalid_request);
}

TEST(DeformRigid, AStepThatIsRefusedHasMovedNothing) {
  // The sheet falls through the box; the first question is refused because of how far the box turns.
  const Mesh sheet = square(2), box = make::box();
  DeformableAmongRigid scene(sheet, std::span(&box, 1)), fresh(sheet, std::span(&box, 1));
  const std::vector<Vec3> below = positions(square(-2));
  const Motion turning = Velocity(Pose(), Pose({}, Quat{0, 0, 0, 1})), still = Still{Pose()};
  EXPECT_EQ(scene.step(below, std::span(&turning, 1), {.tolerance = 1e-15}).status, Status::invalid_request);
  EXPECT_EQ(scene.step(below, std::span(&still, 1), {.tolerance = -1.0}).status, Status::invalid_request);
  EXPECT_EQ(scene.step(std::span(below).first(3), std::span(&still, 1)).status, Status::invalid_request);
  const MixedResult asked_again = scene.step(below, std::span(&still, 1)),
                    at_once = fresh.step(below, std::span(&still, 1));
  EXPECT_EQ(asked_again.status, Status::contact);
  EXPECT_EQ(asked_again.time.touch, at_once.time.touch);
  EXPECT_EQ(asked_again.contacts.size(), at_once.contacts.size());
}

TEST(DeformRigid, DoubleFacesAreListedOnce) {
  const std::vector<Vec3> p = positions(square(2));
  const std::vector<Triangle> twice{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}, {0, 2, 3}};
  const Mesh box = make::box();
  DeformableAmongRigid one(square(2), std::span(&box, 1)), two(Mesh(p, std::span(twice)), std::span(&box, 1));
  const Motion still = Still{Pose()};
  const std::vector<Vec3> down = positions(square(0));
  EXPECT_EQ(one.step(down, std::span(&still, 1)).contacts.size(), two.step(down, std::span(&still, 1)).contacts.size());
}

TEST(DeformRigid, VerticesLieWhereTheCallerHasThem) {
  const Mesh sheet = make::cloth_sheet({.triangles = 60});
  std::vector<Vec3> folded = positions(sheet);
  for (Vec3& x : folded) x = {std::fabs(x.x), x.y, x.z + 0.3 * x.x * x.y};
  DeformOptions options;
  options.crossing_at_start = false;
  Deformable plain(sheet), strided(sheet), single(sheet), twin(sheet);
  const DeformResult expected = plain.step(folded, options);
  struct Vertex {
    double colour;
    double x, y, z;
  };
  std::vector<Vertex> vertices;
  std::vector<float> floats;
  std::vector<Vec3> rounded;
  for (const Vec3& x : folded) {
    vertices.push_back({7, x.x, x.y, x.z});
    for (int k = 0; k < 3; ++k) floats.push_back(static_cast<float>(x[k]));
    rounded.push_back({floats[floats.size() - 3], floats[floats.size() - 2], floats.back()});
  }
  DeformResult r;
  strided.step(VertexArray(&vertices[0].x, vertices.size(), sizeof(Vertex)), options, r);
  ASSERT_EQ(r.contacts.size(), expected.contacts.size());
  EXPECT_EQ(r.time.touch, expected.time.touch);
  single.step(VertexArray(floats.data(), floats.size() / 3), options, r);
  const DeformResult of_rounded = twin.step(rounded, options);
  ASSERT_EQ(r.contacts.size(), of_rounded.contacts.size());
  EXPECT_EQ(r.time.touch, of_rounded.time.touch);
  // In place: the same memory, other numbers.
  for (Vertex& v : vertices) v.z += 1;
  strided.step(VertexArray(&vertices[0].x, vertices.size(), sizeof(Vertex)), options, r);
  EXPECT_EQ(strided.positions()[3].z, vertices[3].z);
}

}  // namespace
}  // namespace graze
