// SPDX-License-Identifier: MIT
// The least clearance of curved shapes and compounds: compared with closed forms and with distances at many times.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/mesh/make.hpp>

namespace graze {
namespace {

FirstContactOptions with_clearance() {
  FirstContactOptions options;
  options.clearance = true;
  return options;
}

double distance_at(const Body& a, const Motion& ma, const Body& b, const Motion& mb, double t) {
  const auto pose = [&](const Motion& motion) {
    const Placement p = motion.at(t);
    return Pose::from_matrix(
        {p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7], p.r[8], p.t.z, 0, 0, 0, 1});
  };
  return distance(a, pose(ma), b, pose(mb)).distance;
}

/// The bracket holds at many times, and at its own time the distance is the upper bound.
void expect_least(const Body& a, const Motion& ma, const Body& b, const Motion& mb, const FirstContactResult& r) {
  ASSERT_EQ(r.status, Status::free);
  ASSERT_TRUE(r.clearance);
  double least = 1e300;
  for (int i = 0; i <= 500; ++i) least = std::min(least, distance_at(a, ma, b, mb, i / 500.0));
  EXPECT_LE(r.clearance->lower, least);
  EXPECT_LE(r.clearance->upper, least * (1 + 2e-3) + 1e-9);
  EXPECT_GE(r.clearance->lower, r.clearance->upper * (1 - 2e-3) - 1e-9);
  EXPECT_NEAR(distance_at(a, ma, b, mb, r.clearance->time), r.clearance->upper, 1e-5 * r.clearance->upper + 1e-9);
}

TEST(MovingClearance, OfBallsIsTheClosedForm) {
  const Body ball(shape::Sphere{0.5}), other(shape::Sphere{0.25});
  for (const double beside : {0.76, 1.0, 3.0}) {
    const Motion past = Velocity(Pose({4, beside, 0}), Pose({-3, beside, 0}, {1, 0.5, 0, 0}));
    const FirstContactResult r = first_contact(ball, past, other, Still{}, with_clearance());
    ASSERT_EQ(r.status, Status::free);
    ASSERT_TRUE(r.clearance);
    const double exact = beside - 0.75;
    EXPECT_LE(r.clearance->lower, exact);
    EXPECT_GE(r.clearance->upper, exact);
    EXPECT_GE(r.clearance->lower, 0.998 * exact - 1e-9);
    EXPECT_NEAR(r.clearance->time, 4.0 / 7, 0.05);
  }
  const FirstContactResult hit =
      first_contact(ball, Velocity(Pose({4, 0, 0}), Pose({-4, 0, 0})), other, Still{}, with_clearance());
  ASSERT_EQ(hit.status, Status::contact);
  ASSERT_TRUE(hit.clearance);
  EXPECT_EQ(hit.clearance->lower, 0);
  EXPECT_EQ(hit.clearance->upper, hit.gap);
  const FirstContactResult start = first_contact(ball, Still{}, other, Still{Pose({0.1, 0, 0})}, with_clearance());
  ASSERT_EQ(start.status, Status::touching_at_start);
  EXPECT_EQ(start.clearance->upper, 0);
  FirstContactOptions kept = with_clearance();
  kept.min_separation = 2;
  const FirstContactResult near =
      first_contact(ball, Velocity(Pose({4, 1, 0}), Pose({-4, 1, 0})), other, Still{}, kept);
  ASSERT_EQ(near.status, Status::contact);  // of the separation
  EXPECT_NEAR(near.clearance->upper, 0.25, 1e-3);
  EXPECT_NEAR(near.clearance->lower, 0.25, 1e-3);
}

TEST(MovingClearance, OfShapesMeshesAndCompounds) {
  const Body knot(make::torus_knot({.triangles = 480})), cone(shape::Cone{0.4, 1}), floor(shape::HalfSpace{}),
      capsule(shape::Capsule{0.2, 1}), box(make::box());
  const Body lamp = compound({{Body(shape::Cylinder{0.3, 0.1}), Pose()}, {box, Pose({0, 0, 1.2})}});
  const Motion past = Velocity(Pose({-6, 0.2, 3.5}), Pose({6, 0.4, 3.1}, {1, 0.3, 0.2, 0})), still = Still{};
  const Motion screw = Screw(Pose({-6, 0.2, 4}), Pose({6, 0.4, 3.3}, {0.2, 0.3, 1, 0}));
  for (const Motion& motion : {past, screw})
    for (const auto& [a, b] :
         {std::pair(&capsule, &knot), std::pair(&knot, &cone), std::pair(&cone, &capsule), std::pair(&lamp, &knot),
          std::pair(&capsule, &lamp), std::pair(&lamp, &lamp), std::pair(&cone, &floor), std::pair(&floor, &lamp)}) {
      const bool swapped = a == &floor;
      const Motion &ma = swapped ? still : motion, &mb = swapped ? motion : still;
      expect_least(*a, ma, *b, mb, first_contact(*a, ma, *b, mb, with_clearance()));
    }
}

TEST(MovingClearance, OfLimits) {
  const Body ball(shape::Sphere{0.5}), knot(make::torus_knot({.triangles = 480}));
  const Motion past = Velocity(Pose({-6, 0.2, 4.5}), Pose({6, 0.4, 4.1}));
  FirstContactOptions options = with_clearance();
  options.budget = std::chrono::nanoseconds(0);
  const FirstContactResult none = first_contact(ball, past, knot, Still{}, options);
  EXPECT_EQ(none.status, Status::undecided);
  EXPECT_FALSE(none.clearance);
  // Bodies whose places are beyond all doubles have an answer or an error, and no wrong bound.
  const Motion far = Velocity(Pose({-1e308, 0, 0}), Pose({1e308, 0, 1e308}));
  const FirstContactResult r = first_contact(ball, far, ball, Still{}, with_clearance());
  if (r.status == Status::free) {
    ASSERT_TRUE(r.clearance);
    EXPECT_LE(r.clearance->lower, 1e308);
  }
}

TEST(MovingClearance, AllContactsOfCompounds) {
  const Body box(make::box());
  const Body pair = compound({{box, Pose(), "low"}, {box, Pose({0, 3, 0}), "high"}});
  const Motion past = Velocity(Pose({-4, 0.25, 1.2}), Pose({4, 0.25, 0.7}));
  FirstContactOptions options;
  options.all_contacts = true;
  const FirstContactResult r = first_contact(pair, past, pair, Still{}, options);
  ASSERT_EQ(r.status, Status::contact);
  std::size_t expected = 0;
  for (std::uint32_t i = 0; i < 2; ++i)
    for (std::uint32_t j = 0; j < 2; ++j) {
      FirstContactOptions same = options;
      same.tolerance = r.tolerance;
      const FirstContactResult one = first_contact(pair.piece(PieceId{i}), past, pair.piece(PieceId{j}), Still{}, same);
      expected += one.contacts.size();
      for (const ContactEvent& event : one.contacts) {
        bool found = false;
        for (const ContactEvent& c : r.contacts)
          found = found || (c.pieces == std::array{PieceId{i}, PieceId{j}} && c.feature == event.feature &&
                            c.time.touch == event.time.touch && c.until == event.until);
        EXPECT_TRUE(found);
      }
    }
  EXPECT_GT(expected, 4u);
  EXPECT_EQ(r.contacts.size(), expected);
  for (std::size_t i = 1; i < r.contacts.size(); ++i) EXPECT_LE(r.contacts[i - 1].time.touch, r.contacts[i].time.touch);
  options.work = 3;
  const FirstContactResult cut = first_contact(pair, past, pair, Still{}, options);
  EXPECT_EQ(cut.status, Status::undecided);
  EXPECT_TRUE(cut.contacts.empty());
  const Body ball = compound({{Body(shape::Sphere{1}), Pose()}, {box, Pose({0, 3, 0})}});
  options.work = 0;
  const FirstContactResult refused = first_contact(ball, past, pair, Still{}, options);
  EXPECT_EQ(refused.status, Status::invalid_request);
  EXPECT_TRUE(refused.error);
}

}  // namespace
}  // namespace graze
