// SPDX-License-Identifier: MIT
// A body that started inside a closed one was `free`: nothing in `first_contact` asked about insides.
// Pinned: with `solid` it is `touching_at_start`, `contained` says which, and nothing else changes.
#include <gtest/gtest.h>

#include <cmath>

#include <graze/ask/many_bodies.hpp>
#include <graze/graze.hpp>

namespace graze::testing {
namespace {

Pose at(double x, double y = 0, double z = 0) { return Pose({x, y, z}); }
Body cube(double size) { return Body(make::box({.size = {size, size, size}})); }

/// Several meshes as one, each moved.
Body together(std::initializer_list<std::pair<Mesh, Vec3>> parts) {
  std::vector<Vec3> positions;
  PolygonList polygons;
  for (const auto& [mesh, shift] : parts) {
    const auto first = static_cast<std::uint32_t>(positions.size());
    for (const Vec3& p : mesh.positions()) positions.push_back(p + shift);
    for (std::uint32_t i = 0; i < mesh.polygon_count(); ++i) {
      std::vector<std::uint32_t> corners;
      for (const std::uint32_t v : mesh.polygon(PolygonId{i})) corners.push_back(first + v);
      polygons.add(corners);
    }
  }
  return Body(Mesh(std::move(positions), std::move(polygons)));
}
/// A cube of size 4 with a cubic cavity of size 3.
Body hollow() { return together({{make::box({.size = {4, 4, 4}}), {}}, {make::box({.size = {3, 3, 3}}), {}}}); }

FirstContactOptions solid(std::string_view method = "best_first") {
  FirstContactOptions options;
  options.method = method;
  options.solid = true;
  return options;
}

TEST(FirstContactSolid, NestedBodiesTouchAtTheStart) {
  const Body large = cube(4), small = cube(1);
  // Inside all the time, and out through the wall.
  for (const Motion& motion :
       {Motion(Velocity(at(-0.5), Pose({0.5, 0, 0}, {1, 0.2, 0, 0}))), Motion(Velocity(at(0.25), at(9))),
        Motion(Screw(at(0.25), at(0.5, 0.5))), Motion(LinearParameters(at(0.25), at(0.5, 0.5)))})
    for (const FirstContactTraits& method : first_contact_methods()) {
      FirstContactOptions options = solid(method.name);
      options.clearance = true;
      const FirstContactResult in = first_contact(small, motion, large, Still{}, options);
      ASSERT_EQ(in.status, Status::touching_at_start) << method.name;
      EXPECT_EQ(in.contained, Containment::a_in_b);
      EXPECT_EQ(in.time.touch, 0);
      EXPECT_EQ(in.gap, 0);
      EXPECT_FALSE(in.pair);
      EXPECT_TRUE(in.features.empty());
      ASSERT_TRUE(in.points && in.clearance);
      EXPECT_EQ(in.clearance->upper, 0);
      EXPECT_EQ(contains(large, {}, (*in.points)[0]).location, Location::inside);
      const FirstContactResult around = first_contact(large, Still{}, small, motion, options);
      EXPECT_EQ(around.status, Status::touching_at_start);
      EXPECT_EQ(around.contained, Containment::b_in_a);
      options.solid = false;
      const FirstContactResult surfaces = first_contact(small, motion, large, Still{}, options);
      EXPECT_NE(surfaces.status, Status::touching_at_start);
      EXPECT_EQ(surfaces.contained, Containment::none);
    }
}

TEST(FirstContactSolid, WhatStartsOutsideIsAsWithout) {
  const Body large = cube(4), small = cube(1);
  for (const FirstContactTraits& method : first_contact_methods())
    for (const Motion& motion : {Motion(Velocity(at(-9), at(9))), Motion(Velocity(at(-9, 3), at(9, 3)))}) {
      FirstContactOptions options = solid(method.name);
      const FirstContactResult with = first_contact(small, motion, large, Still{}, options);
      options.solid = false;
      const FirstContactResult without = first_contact(small, motion, large, Still{}, options);
      EXPECT_EQ(with.status, without.status);
      EXPECT_EQ(with.time.safe, without.time.safe);
      EXPECT_EQ(with.contained, Containment::none);
    }
}

TEST(FirstContactSolid, ACavityIsOutside) {
  const Body shell = hollow(), small = cube(1), tiny = cube(0.1);
  const Velocity stays(at(-0.5), at(0.5)), leaves(at(-0.5), at(9));
  EXPECT_EQ(first_contact(small, stays, shell, Still{}, solid()).status, Status::free);
  const FirstContactResult hits = first_contact(small, leaves, shell, Still{}, solid());
  EXPECT_EQ(hits.status, Status::contact);
  EXPECT_NEAR(hits.time.touch, 1.5 / 9.5, 1e-3);
  // In the wall, and the shell around a larger body that it is inside of.
  const FirstContactResult wall = first_contact(tiny, Still{at(1.75)}, shell, Velocity(Pose(), at(9)), solid());
  EXPECT_EQ(wall.contained, Containment::a_in_b);
  EXPECT_EQ(first_contact(shell, stays, cube(9), Still{}, solid()).contained, Containment::a_in_b);
}

TEST(FirstContactSolid, APartInsideIsEnough) {
  const Mesh box = make::box();
  const Body two = together({{box, {9, 0, 0}}, {box, {0, 0, 0}}});
  const Velocity motion(at(0), at(0.25));
  EXPECT_EQ(first_contact(two, motion, cube(4), Still{}, solid()).contained, Containment::a_in_b);
  EXPECT_EQ(first_contact(cube(4), Still{}, two, motion, solid()).contained, Containment::b_in_a);
  EXPECT_EQ(first_contact(two, motion, cube(4), Still{at(5)}, solid()).status, Status::free);
}

TEST(FirstContactSolid, TouchingFromInsideOpensInward) {
  const Body large = cube(4), small = cube(1);
  FirstContactOptions options = solid();
  const Velocity inward(at(1.5), at(0.5)), outward(at(2.5), at(3.5));
  EXPECT_EQ(first_contact(small, inward, large, Still{}, options).status, Status::touching_at_start);
  options.ignore_start_if_separating = true;
  const FirstContactResult in = first_contact(small, inward, large, Still{}, options);
  EXPECT_EQ(in.status, Status::touching_at_start);
  EXPECT_EQ(in.contained, Containment::a_in_b);
  EXPECT_EQ(first_contact(small, outward, large, Still{}, options).status, Status::free);
  options.solid = false;
  EXPECT_EQ(first_contact(small, inward, large, Still{}, options).status, Status::free);
}

TEST(FirstContactSolid, NearTheWallIsStillInside) {
  // Within the tolerance of the wall at the start: not `contact` at t = 0.
  FirstContactOptions options = solid();
  options.tolerance = 0.01;
  const FirstContactResult r = first_contact(cube(1), Velocity(at(1.499), at(0.5)), cube(4), Still{}, options);
  EXPECT_EQ(r.status, Status::touching_at_start);
  EXPECT_EQ(r.contained, Containment::a_in_b);
}

TEST(FirstContactSolid, OpenBodiesAreRefused) {
  const Body sheet(make::cloth_sheet({.triangles = 200}));
  const FirstContactResult r = first_contact(cube(1), Still{at(50)}, sheet, Velocity(at(0), at(1)), solid());
  EXPECT_EQ(r.status, Status::invalid_request);
  ASSERT_TRUE(r.error);
  EXPECT_EQ(r.error->element, "body B");
  FirstContactsOptions options;
  options.pair.solid = true;
  const std::vector<MovingBody> scene{{cube(1), Still{at(50)}}, {sheet, Velocity(at(0), at(1))}};
  const FirstContactsResult all = first_contacts(scene, options);  // though no boxes meet
  EXPECT_EQ(all.status, Status::invalid_request);
  ASSERT_TRUE(all.error);
  EXPECT_EQ(all.error->id, 1u);
}

TEST(FirstContactSolid, AnySize) {
  for (const int power : {-900, -300, 300, 900}) {
    const double unit = std::ldexp(1.0, power);
    const Body large = cube(4 * unit), small = cube(unit);
    EXPECT_EQ(first_contact(small, Velocity(at(0.25 * unit), at(9 * unit)), large, Still{}, solid()).contained,
              Containment::a_in_b)
        << power;
    EXPECT_EQ(first_contact(small, Velocity(at(9 * unit), at(7 * unit)), large, Still{}, solid()).status, Status::free);
  }
}

TEST(FirstContactSolid, ManyBodiesAndChains) {
  FirstContactsOptions options;
  options.pair.solid = options.all_pairs = true;
  const std::vector<MovingBody> scene{
      {cube(4), Still{}}, {cube(1), Velocity(at(0), at(0.5))}, {cube(1), Velocity(at(9), at(3))}};
  const FirstContactsResult all = first_contacts(scene, options);
  EXPECT_EQ(all.status, Status::touching_at_start);
  EXPECT_EQ(all.safe, 0);
  ASSERT_TRUE(all.earliest);
  EXPECT_EQ(all.earliest->contact.contained, Containment::b_in_a);

  Joint joint;
  joint.type = JointType::revolute;
  const Chain chain({{"arm", "", joint}});
  const std::vector<LinkBody> links{{LinkId{0}, cube(1)}};
  ChainContactsOptions chain_options;
  chain_options.pair.solid = true;
  const std::vector<MovingBody> around{{cube(4), Still{}}};
  const FirstContactsResult arm =
      first_contacts(chain, links, std::vector<double>{0}, std::vector<double>{1}, around, chain_options);
  EXPECT_EQ(arm.status, Status::touching_at_start);
  EXPECT_EQ(arm.earliest->contact.contained, Containment::a_in_b);
}

TEST(FirstContactSolid, SweepsOfASolidWorld) {
  for (const bool asked : {false, true}) {
    World world({.solid = asked});
    const BodyId shell = world.add(cube(4));
    const BodyId inside = world.add(cube(1), at(0.5));
    world.sweep();
    world.move(inside, at(-0.5));
    SweepResult r = world.sweep();
    ASSERT_EQ(r.status, asked ? Status::touching_at_start : Status::free);
    if (asked) {
      EXPECT_EQ(r.contacts[0].contact.contained, Containment::b_in_a);
    }
    // One of them deforms.
    std::vector<Vec3> larger;
    for (const Vec3& p : world.body(inside).mesh().positions()) larger.push_back(p * 1.5);
    world.deform(inside, larger);
    r = world.sweep();
    ASSERT_EQ(r.status, asked ? Status::touching_at_start : Status::free);
    if (asked) {
      EXPECT_EQ(r.contacts[0].contact.contained, Containment::b_in_a);
    }
    EXPECT_TRUE(world.has(shell));
  }
}

}  // namespace
}  // namespace graze::testing
