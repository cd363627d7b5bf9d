// SPDX-License-Identifier: MIT
// Surfaces given by functions in a world: among meshes, shapes and compounds, as links of a chain, recorded.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "unit/classic/contact/surface_help.hpp"
#include "unit/world/help.hpp"

namespace graze::testing {
namespace {

using namespace shape;
using Texts = std::vector<std::string>;

Body torus() { return Body(SurfaceBody(torus_surface(1, 0.25))); }

TEST(WorldSurfaces, EventsBeginAndEnd) {
  World world;
  const BodyId ring = world.add(torus(), at(0, 0, 5));  // around the ball
  world.add(Body(HalfSpace{}));
  world.add(Body(Sphere{0.5}), at(0, 0, 5));
  world.add(cube(), at(10, 0, 3));
  world.add(compound({{Body(Sphere{0.5}), at(20, 0, 2), "left"}, {Body(Capsule{0.5, 1}), at(22, 0, 2), "right"}}));
  EXPECT_EQ(texts(world.check().events), Texts{});
  world.move(ring, at(0, 0, 0.1));
  CheckResult r = world.check();
  EXPECT_EQ(texts(r.events), Texts{"began 0 1"});
  EXPECT_FALSE(r.events[0].certain);
  ASSERT_EQ(r.events[0].features.size(), 1u);
  EXPECT_EQ(r.events[0].features[0].kind, FeatureKind::surface_face);
  world.move(ring, at(0.4, 0, 5));
  EXPECT_EQ(texts(world.check().events), (Texts{"ended 0 1", "began 0 2"}));
  world.move(ring, at(10.4, 0, 3));
  EXPECT_EQ(texts(world.check().events), (Texts{"ended 0 2", "began 0 3"}));
  world.move(ring, at(22, 0, 5));
  EXPECT_EQ(texts(world.check().events), (Texts{"ended 0 3"}));
  world.move(ring, at(22, 0, 2));
  r = world.check();
  EXPECT_EQ(texts(r.events), (Texts{}));  // the ring is around the capsule, and above the ground
  world.move(ring, at(22.4, 0, 2));
  r = world.check();
  ASSERT_EQ(texts(r.events), (Texts{"began 0 4"}));
  EXPECT_EQ(index((*r.events[0].pieces)[1]), 1u);
}

TEST(WorldSurfaces, SweepAndAdvance) {
  World world;
  const BodyId ring = world.add(torus(), at(0, 0, 5));
  world.add(Body(Box{{10, 10, 1}}));
  const BodyId ball = world.add(Body(Sphere{0.5}), at(6, 0, 5));
  world.sweep();
  world.move(ring, at(0, 0, -5));
  SweepResult r = world.sweep({.advance = true});
  ASSERT_EQ(r.status, Status::contact);
  ASSERT_EQ(r.contacts.size(), 1u);
  EXPECT_NEAR(r.contacts[0].contact.time.touch, (5 - 0.75) / 10, 1e-4);
  EXPECT_TRUE(r.advanced);
  const double height = world.pose(ring).translation().z;
  EXPECT_GE(height, 0.75);
  EXPECT_LT(height, 0.751);
  EXPECT_TRUE(world.check().events.empty());  // it stopped before it touched
  // It may leave again, and the next thing that it meets is the ball.
  world.move(ring, at(0, 0, 5));
  r = world.sweep({.advance = true});
  EXPECT_EQ(r.status, Status::free);
  world.move(ring, at(6, 0, 5));
  r = world.sweep({.advance = true, .each = true});
  ASSERT_EQ(r.status, Status::contact);
  EXPECT_EQ(r.contacts[0].b, ball);
  EXPECT_NEAR(world.pose(ring).translation().x, 6 - 0.5 - 1.25, 1e-3);
  // With a separation it stops farther away.
  world.teleport(ring, at(0, 0, 5));
  world.move(ring, at(0, 0, -5));
  r = world.sweep({.advance = true, .min_separation = 0.5});
  ASSERT_EQ(r.status, Status::contact);
  EXPECT_GE(world.pose(ring).translation().z, 1.25);
  EXPECT_LT(world.pose(ring).translation().z, 1.26);
}

TEST(WorldSurfaces, TwoSurfacesBothMoving) {
  World world;
  const BodyId a = world.add(torus(), Pose({-4, 0, 0})), b = world.add(torus(), Pose({4, 0, 0}));
  world.sweep();
  world.move(a, at(0));
  world.move(b, at(0));
  const SweepResult r = world.sweep();
  ASSERT_EQ(r.contacts.size(), 1u);
  EXPECT_NEAR(r.contacts[0].contact.time.touch, (8 - 2.5) / 8, 1e-5);
}

TEST(WorldSurfaces, OtherQuestions) {
  World world;
  const BodyId ring = world.add(torus());
  const BodyId box = world.add(cube(), at(5));
  const NearResult near = world.near(3.5);
  ASSERT_EQ(near.pairs.size(), 1u);
  EXPECT_NEAR(near.pairs[0].distance.distance, 5 - 0.5 - 1.25, 1e-3);
  const std::vector<BodyHit> hits = world.ray({1, 0, 5}, {1, 0, -5});
  ASSERT_EQ(hits.size(), 1u);
  EXPECT_EQ(hits[0].body, ring);
  EXPECT_NEAR(hits[0].hit.point.z, 0.25, 1e-6);
  EXPECT_EQ(world.in_box({{0.9, -0.1, -0.1}, {1.1, 0.1, 0.3}}), std::vector<BodyId>{ring});
  EXPECT_TRUE(world.in_box({{-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}}).empty());
  const CastResult cast = world.cast(Body(Sphere{0.25}), Velocity(at(1, 0, 5), at(1, 0, -5)));
  ASSERT_TRUE(cast.earliest);
  EXPECT_EQ(cast.earliest->body, ring);
  EXPECT_NEAR(cast.earliest->contact.time.touch, 0.45, 1e-5);
  const CastResult ring_cast = world.cast(torus(), Velocity(at(5.5, 0, 5), at(5.5, 0, -5)));
  ASSERT_TRUE(ring_cast.earliest);
  EXPECT_EQ(ring_cast.earliest->body, box);
  EXPECT_EQ(world.overlap(Body(Sphere{0.5}), at(1)).bodies, std::vector<BodyId>{ring});
  const NearestResult nearest = world.nearest({0, 0, 0}, 2);
  ASSERT_EQ(nearest.bodies.size(), 2u);
  EXPECT_EQ(nearest.bodies[0].body, ring);
  EXPECT_NEAR(nearest.bodies[0].distance, 0.75, 1e-3);
  // What it cannot say is refused, not left out.
  EXPECT_THROW(world.ray({1, 0, 5}, {1, 0, -5}, {.hits = WorldRayHits::all}), Error);
  EXPECT_THROW(world.deform(ring, std::vector<Vec3>(8)), Error);
  World solid({.solid = true});
  EXPECT_THROW(solid.add(torus()), Error);
}

TEST(WorldSurfaces, MarginsAndTriggers) {
  World world;
  const BodyId ring = world.add(torus(), {}, {.margin = 0.2});
  world.add(Body(Sphere{0.5}), {}, {.margin = 0.1});
  const CheckResult r = world.check();
  ASSERT_EQ(texts(r.events), Texts{"began 0 1"});
  EXPECT_NEAR(r.events[0].gap, 0.25, 1e-4);
  world.margin(ring, 0.1);
  EXPECT_EQ(texts(world.check().events), Texts{"ended 0 1"});
  world.trigger(ring, true);
  world.sweep();
  world.move(ring, at(5));
  const SweepResult swept = world.sweep({.advance = true});
  EXPECT_EQ(swept.status, Status::free);
  EXPECT_EQ(swept.triggers.size(), 1u);
}

TEST(WorldSurfaces, APairWithoutAnAnswerIsUndecidedAndSaysWhy) {
  World world;
  const BodyId ring = world.add(torus());
  world.add(Body(Cylinder{0.5, 1}));
  const CheckResult r = world.check();
  EXPECT_TRUE(r.events.empty());
  ASSERT_EQ(r.undecided.size(), 1u);
  ASSERT_TRUE(r.undecided[0].error);
  EXPECT_NE(r.undecided[0].error->message.find("cylinder"), std::string::npos);
  world.move(ring, at(0.1));
  EXPECT_EQ(world.sweep().status, Status::invalid_request);
  // A deforming mesh.
  World cloth;
  cloth.add(torus());
  const BodyId sheet = cloth.add(cube(), at(0, 0, 2));
  cloth.sweep();
  std::vector<Vec3> moved(cube().mesh().positions().begin(), cube().mesh().positions().end());
  for (Vec3& p : moved) p.z -= 2;
  cloth.deform(sheet, moved);
  const SweepResult swept = cloth.sweep();
  ASSERT_EQ(swept.contacts.size(), 1u);
  EXPECT_EQ(swept.status, Status::undecided);
  EXPECT_TRUE(swept.contacts[0].contact.error);
}

TEST(WorldSurfaces, LinksOfAChain) {
  Joint turns;
  turns.type = JointType::revolute;
  const Chain chain({{"arm", "", turns}});
  World world;
  const std::array<LinkBody, 1> links{LinkBody{LinkId{0}, torus()}};
  const ArticulatedId robot = world.add(chain, links, std::vector<double>{0});
  const BodyId ball = world.add(Body(Sphere{0.25}), at(0, 0, 3));
  world.sweep();
  world.move(robot, std::vector<double>{1});
  EXPECT_EQ(world.sweep().status, Status::free);
  world.move(ball, at(1, 0, 0.4));
  EXPECT_EQ(texts(world.check().events), Texts{"began 0 1"});
  world.move(robot, std::vector<double>{0});
  EXPECT_EQ(world.sweep().contacts.size(), 1u);
}

TEST(WorldSurfaces, RecordingsKnowThem) {
  const std::string file = (std::filesystem::temp_directory_path() / "graze_surface_world.rec").string();
  {
    World world;
    world.record(file);
    const BodyId ring = world.add(torus());
    world.add(Body(SurfaceBody({bowl(0.3)})), at(0.4, 0.3, 3));
    world.add(Body(Sphere{0.5}), at(1));
    world.check();
    world.move(ring, at(0, 0, 6));
    world.sweep();
    world.check();
    world.near(2);
    world.ray({1, 0, 9}, {1, 0, -9});
    // Functions of the caller cannot be written down.
    EXPECT_THROW(world.add(Body(ball(1))), Error);
    EXPECT_EQ(world.size(), 3u);
    EXPECT_EQ(world.cast(Body(ball(1)), Velocity(at(9), at(0))).status, Status::contact);
  }
  const ReplayResult r = replay_world(file);
  EXPECT_TRUE(r.different.empty());
  EXPECT_EQ(r.checks, 2u);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace graze::testing
