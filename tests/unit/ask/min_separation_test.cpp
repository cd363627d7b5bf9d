// SPDX-License-Identifier: MIT
// A safety distance: free means farther apart than it throughout; contact means at most that far apart, plus the
// tolerance. Compared with closed forms, with the least clearance and with distances at many times.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <random>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/ask/many_bodies.hpp>
#include <graze/ask/motion_free.hpp>
#include <graze/math/interval.hpp>
#include <graze/mesh/make.hpp>

namespace graze {
namespace {

Pose pose_of_time(const Motion& motion, double t) {
  const Placement p = motion.at(t);
  return Pose::from_matrix(
      {p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7], p.r[8], p.t.z, 0, 0, 0, 1});
}

FirstContactOptions keep(double separation) {
  FirstContactOptions options;
  options.min_separation = separation;
  return options;
}

/// Samples the motion: nothing before t_safe, or at all if free, is within the separation.
void expect_kept(const Body& a, const Motion& ma, const Body& b, const Motion& mb, double separation,
                 const FirstContactResult& r) {
  const double until = r.status == Status::free ? 1 : r.time.safe;
  for (int i = 0; i <= 40; ++i) {
    const double t = until * i / 40;
    if (r.status != Status::free && t >= until) break;
    const DistanceResult d = distance(a, pose_of_time(ma, t), b, pose_of_time(mb, t));
    EXPECT_GT(d.distance, separation * (1 - 1e-9)) << "at " << t;
  }
  if (r.status != Status::contact) return;
  const DistanceResult d = distance(a, pose_of_time(ma, r.time.touch), b, pose_of_time(mb, r.time.touch));
  EXPECT_LE(d.distance, (separation + r.tolerance) * (1 + 1e-9));
  EXPECT_NEAR(r.gap, d.distance, 1e-9 * (1 + d.distance));
  EXPECT_LE(r.time.safe, r.time.touch);
}

TEST(MinSeparation, BoxesThatApproachStopAtTheDistance) {
  const Body box(make::box());  // sides of 1
  const Motion towards = Velocity(Pose({5, 0.1, 0.2}), Pose({0, 0.1, 0.2})), still = Still{};
  for (const double d : {1e-6, 0.01, 0.5, 2.0, 3.999}) {
    const FirstContactResult r = first_contact(box, towards, box, still, keep(d));
    ASSERT_EQ(r.status, Status::contact) << d;
    EXPECT_NEAR(r.time.touch, (4 - d) / 5, 1e-6);
    EXPECT_NEAR(r.gap, d, 2e-6);
    expect_kept(box, towards, box, still, d, r);
  }
  const Motion past = Velocity(Pose({5, 3, 0}), Pose({-5, 3, 0}));  // at a distance of exactly 2
  EXPECT_EQ(first_contact(box, past, box, still, keep(1.9999)).status, Status::free);
  EXPECT_EQ(first_contact(box, past, box, still, keep(2)).status, Status::contact);
  EXPECT_EQ(first_contact(box, past, box, still, keep(2.1)).status, Status::contact);
}

TEST(MinSeparation, TheStartIsDecidedExactly) {
  const Body box(make::box());
  const Motion away = Velocity(Pose({3, 0, 0}), Pose({9, 0, 0})), still = Still{};
  for (const double d : {2.0, 2.5}) {
    const FirstContactResult r = first_contact(box, away, box, still, keep(d));
    EXPECT_EQ(r.status, Status::touching_at_start) << d;
    EXPECT_EQ(r.gap, 2);
    EXPECT_TRUE(r.points && r.pair && !r.features.empty());
  }
  for (const double d : {next_down(2.0), 2 - 1e-9, 2 - 1e-7, 1.99}) {
    const FirstContactResult r = first_contact(box, away, box, still, keep(d));
    EXPECT_NE(r.status, Status::touching_at_start) << d;
    // From 1e-9 on the start is far enough for the tolerance to be halved.
    if (d < 2 - 1e-10) {
      EXPECT_EQ(r.status, Status::free) << d;
    }
  }
  const FirstContactResult crossing =
      first_contact(box, Velocity(Pose({0.5, 0, 0}), Pose({9, 0, 0})), box, still, keep(0.1));
  EXPECT_EQ(crossing.status, Status::touching_at_start);
  EXPECT_EQ(crossing.gap, 0);
}

/// `clearance` brackets the least distance of the whole motion: it tells what the answer must be.
TEST(MinSeparation, AgreesWithTheLeastClearance) {
  const Body knot(make::torus_knot({.triangles = 480})),
      ring(make::torus({.major = 0.6, .minor = 0.2, .triangles = 200}));
  std::mt19937_64 engine(21);
  const auto draw = [&](double lo, double hi) {
    return lo + (hi - lo) * std::ldexp(static_cast<double>(engine() >> 11), -53);
  };
  int free = 0, contact = 0, start = 0;
  for (int i = 0; i < 60; ++i) {
    const auto place = [&] {
      const double x = draw(-6, 6), y = draw(-6, 6), z = draw(-4, 4), u = draw(-1, 1), v = draw(-1, 1);
      return Pose({x, y, z}, {1, u, v, 0.2});
    };
    const Pose from = place(), to = place();
    const Motion motion = i % 2 ? Motion(Velocity(from, to)) : Motion(Screw(from, to));
    const Motion other = Still{Pose({0, 0, 0}, {1, 0.3, 0, 0.1})};
    FirstContactOptions measured;
    measured.clearance = true;
    const FirstContactResult least = first_contact(ring, motion, knot, other, measured);
    const double d = draw(0.01, 2.5);
    const FirstContactResult r = first_contact(ring, motion, knot, other, keep(d));
    ASSERT_TRUE(r.status == Status::free || r.status == Status::contact || r.status == Status::touching_at_start);
    free += r.status == Status::free;
    contact += r.status == Status::contact;
    start += r.status == Status::touching_at_start;
    expect_kept(ring, motion, knot, other, d, r);
    if (least.clearance && least.status == Status::free) {
      if (least.clearance->upper <= d) {
        EXPECT_NE(r.status, Status::free);
      }
      if (least.clearance->lower > d + r.tolerance) {
        EXPECT_EQ(r.status, Status::free);
      }
    } else {
      EXPECT_NE(r.status, Status::free);
    }
    EXPECT_EQ(motion_free(ring, motion, knot, other, keep(d)).status == Status::free, r.status == Status::free);
    FirstContactOptions threads = keep(d);
    threads.threads = 3;
    const FirstContactResult again = first_contact(ring, motion, knot, other, threads);
    EXPECT_EQ(again.status, r.status);
    EXPECT_EQ(again.time.safe, r.time.safe);
  }
  EXPECT_GT(free, 10);
  EXPECT_GT(contact, 10);
  EXPECT_GT(start, 1);
}

TEST(MinSeparation, BallsAgreeWithTheClosedForm) {
  const Body ball(shape::Sphere{0.5}), other(shape::Sphere{0.25});
  for (const double d : {1e-4, 0.1, 1.0}) {
    const Motion motion = Velocity(Pose({4, 0.3, 0}), Pose({-4, 0.3, 0}, {1, 0.2, 0, 0}));
    const FirstContactResult r = first_contact(ball, motion, other, Still{}, keep(d));
    ASSERT_EQ(r.status, Status::contact);
    const double x = std::sqrt((0.75 + d) * (0.75 + d) - 0.09);
    EXPECT_NEAR(r.time.touch, (4 - x) / 8, 1e-5);
    EXPECT_NEAR(r.gap, d, 1e-5);
    expect_kept(ball, motion, other, Still{}, d, r);
    const double beside = 0.75 + d + 1e-5;  // more than the tolerance beyond
    const Motion past = Velocity(Pose({4, beside, 0}), Pose({-4, beside, 0}));
    EXPECT_EQ(first_contact(ball, past, other, Still{}, keep(d)).status, Status::free);
  }
  EXPECT_EQ(first_contact(ball, Still{Pose({1, 0, 0})}, other, Still{}, keep(0.5)).status, Status::touching_at_start);
}

TEST(MinSeparation, ShapesAndMeshes) {
  const Body knot(make::torus_knot({.triangles = 480})), capsule(shape::Capsule{0.2, 1}), floor(shape::HalfSpace{});
  const Motion motion = Velocity(Pose({6, 0.2, 0.4}), Pose({-6, 0.4, 0.1}, {1, 0.3, 0.2, 0}));
  for (const double d : {0.01, 0.3, 1.5})
    for (const bool swapped : {false, true}) {
      const Motion still = Still{};
      const FirstContactResult r = swapped ? first_contact(knot, still, capsule, motion, keep(d))
                                           : first_contact(capsule, motion, knot, still, keep(d));
      ASSERT_EQ(r.status, Status::contact);
      if (swapped)
        expect_kept(knot, still, capsule, motion, d, r);
      else
        expect_kept(capsule, motion, knot, still, d, r);
    }
  const Motion fall = Velocity(Pose({0, 0, 9}), Pose({0, 0, 3}));  // a cube of side 1 above a floor
  EXPECT_EQ(first_contact(Body(make::box()), fall, floor, Still{}, keep(2.4)).status, Status::free);
  const FirstContactResult r = first_contact(Body(make::box()), fall, floor, Still{}, keep(3));
  ASSERT_EQ(r.status, Status::contact);
  EXPECT_NEAR(r.time.touch, 5.5 / 6, 1e-5);
}

/// The same motion as a caller's own.
class OwnStraight : public OwnMotion {
 public:
  OwnStraight(const Vec3& from, const Vec3& to) : motion_(Velocity(Pose(from), Pose(to))) {}
  Placement at(double t) const override { return motion_.at(t); }
  IntervalPlacement over(double t0, double t1) const override { return motion_.over(t0, t1); }
  double travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const override {
    return motion_.travel(n, centre, radius, t0, t1);
  }

 private:
  Motion motion_;
};

TEST(MinSeparation, OwnMotionsAndExtremeSizes) {
  const Body box(make::box());
  const Motion own(std::make_shared<OwnStraight>(Vec3{5, 0.1, 0.2}, Vec3{0, 0.1, 0.2}));
  const FirstContactResult r = first_contact(box, own, box, Still{}, keep(0.5));
  ASSERT_EQ(r.status, Status::contact);
  EXPECT_NEAR(r.time.touch, 0.7, 1e-5);
  for (const double size : {0x1p+600, 0x1p-600}) {
    const Body large(make::box({.size = {size, size, size}}));
    const Motion towards = Velocity(Pose({5 * size, 0, 0}), Pose({0, 0, 0}));
    const FirstContactResult s = first_contact(large, towards, large, Still{}, keep(0.5 * size));
    ASSERT_EQ(s.status, Status::contact);
    EXPECT_NEAR(s.time.touch, 0.7, 1e-5);
    EXPECT_NEAR(s.gap / size, 0.5, 1e-5);
  }
}

TEST(MinSeparation, OfManyBodies) {
  const Body box(make::box());
  const std::vector<MovingBody> bodies{
      {box, Velocity(Pose({5, 0, 0}), Pose({1.9, 0, 0}))}, {box, Still{}}, {box, Still{Pose({5, 4, 0})}}};
  FirstContactsOptions options;
  EXPECT_EQ(first_contacts(bodies, options).status, Status::free);
  options.pair.min_separation = 1;
  const FirstContactsResult r = first_contacts(bodies, options);
  ASSERT_EQ(r.status, Status::contact);
  EXPECT_EQ(r.earliest->a, 0u);
  EXPECT_EQ(r.earliest->b, 1u);
  EXPECT_NEAR(r.safe, 3 / 3.1, 1e-5);
  options.pair.min_separation = 3.5;
  EXPECT_EQ(first_contacts(bodies, options).status, Status::touching_at_start);
}

/// Samples the motion: where the bodies are within the separation, a listed contact lasts; where they are farther apart
/// than it and three tolerances, none does.
void expect_listed(const Body& a, const Motion& ma, const Body& b, const Motion& mb, double separation,
                   const FirstContactResult& r) {
  for (int i = 0; i <= 200; ++i) {
    const double t = i / 200.0;
    const double d = distance(a, pose_of_time(ma, t), b, pose_of_time(mb, t)).distance;
    bool listed = false;
    for (const ContactEvent& c : r.contacts) {
      EXPECT_LE(c.time.safe, c.time.touch);
      EXPECT_LE(c.gap, separation + r.tolerance);
      listed = listed || (t >= c.time.touch && t <= c.until);
    }
    if (d > 0 && d < separation * (1 - 1e-9)) {
      EXPECT_TRUE(listed) << "at " << t;
    }
    if (d > (separation + 3 * r.tolerance) * (1 + 1e-9)) {
      EXPECT_FALSE(listed) << "at " << t;
    }
  }
}

TEST(MinSeparation, AllContactsAreThoseWithinIt) {
  const Body box(make::box());
  const Motion past = Velocity(Pose({5, 1.5, 0.1}), Pose({-5, 1.5, 0.1})), still = Still{};  // 0.5 above
  FirstContactOptions o = keep(0.6);
  o.all_contacts = true;
  const FirstContactResult r = first_contact(box, past, box, still, o);
  ASSERT_EQ(r.status, Status::contact);
  ASSERT_FALSE(r.contacts.empty());
  EXPECT_NEAR(r.contacts.front().time.touch, r.time.touch, 1e-6);
  double last = 0;
  for (const ContactEvent& c : r.contacts) last = std::max(last, c.until);
  EXPECT_NEAR(last, 1 - r.time.touch, 1e-5);  // it leaves as it came
  expect_listed(box, past, box, still, 0.6, r);
  o.min_separation = 0.4;
  EXPECT_TRUE(first_contact(box, past, box, still, o).contacts.empty());
  // A half-space: none of the box that stands for it is nearer than its top, however large the separation.
  const Body floor(shape::HalfSpace{});
  o.min_separation = 100;
  const FirstContactResult above =
      first_contact(box, Still{Pose({0, 0, 1})}, floor, Velocity(Pose(), Pose({1, 0, 0})), o);
  EXPECT_EQ(above.status, Status::touching_at_start);
  for (const ContactEvent& c : above.contacts) {
    EXPECT_LE(c.gap, 1.5);
    EXPECT_EQ(c.feature.b.type, FeatureRef::Type::face);
  }
}

TEST(MinSeparation, AllContactsAndTheClearanceOfTurningBodies) {
  const Body knot(make::torus_knot({.triangles = 240})),
      ring(make::torus({.major = 0.6, .minor = 0.2, .triangles = 60}));
  std::mt19937_64 engine(22);
  const auto draw = [&](double lo, double hi) {
    return lo + (hi - lo) * std::ldexp(static_cast<double>(engine() >> 11), -53);
  };
  int listed = 0, measured = 0;
  for (int i = 0; i < 12; ++i) {
    const auto place = [&](double x) {
      const double y = draw(-4, 4), z = draw(-3, 3), u = draw(-1, 1), v = draw(-1, 1);
      return Pose({x, y, z}, {1, u, v, 0.2});
    };
    const Pose from = place(-6), to = place(6);
    const Motion motion = i % 2 ? Motion(Velocity(from, to)) : Motion(Screw(from, to));
    const Motion other = Still{Pose({0, 0, 0}, {1, 0.3, 0, 0.1})};
    FirstContactOptions o = keep(draw(0.05, 1));
    o.all_contacts = o.clearance = true;
    const FirstContactResult r = first_contact(ring, motion, knot, other, o);
    ASSERT_TRUE(r.status == Status::free || r.status == Status::contact);
    listed += !r.contacts.empty();
    expect_listed(ring, motion, knot, other, o.min_separation, r);
    FirstContactOptions alone;
    alone.clearance = true;
    const FirstContactResult without = first_contact(ring, motion, knot, other, alone);
    ASSERT_TRUE(r.clearance && without.clearance);
    EXPECT_LE(r.clearance->lower, without.clearance->upper);
    EXPECT_GE(r.clearance->upper, without.clearance->lower);
    EXPECT_GE(r.clearance->lower, without.clearance->lower * (1 - 1e-4));
    measured += without.status == Status::free && r.status == Status::contact;
  }
  EXPECT_GT(listed, 4);
  EXPECT_GT(measured, 0);
  FirstContactOptions o = keep(3);
  o.clearance = true;
  const FirstContactResult start = first_contact(ring, Velocity(Pose({0, 0, 2}), Pose({0, 0, 5})), ring, Still{}, o);
  ASSERT_EQ(start.status, Status::touching_at_start);
  ASSERT_TRUE(start.clearance);
  EXPECT_NEAR(start.clearance->upper, 1.6, 0.1);
  EXPECT_NEAR(start.clearance->lower, start.clearance->upper, 1e-4);
  EXPECT_EQ(start.clearance->time, 0);
}

TEST(MinSeparation, OfCompounds) {
  const Body lamp = compound({{Body(shape::Sphere{0.5}), Pose()}, {Body(shape::Sphere{0.1}), Pose({0, 0, 1})}});
  const Body box_and_ball = compound({{Body(make::box()), Pose()}, {Body(shape::Sphere{0.1}), Pose({0, 0, 3})}});
  const Body ball(shape::Sphere{0.5});
  const Motion past = Velocity(Pose({-4, 0, 0}), Pose({4, 0, 0})), still = Still{Pose({0, 1.6, 0})};  // 0.6 beside
  for (const Body* body : {&lamp, &box_and_ball})
    for (const double d : {0.5, 0.7, 2.0}) {
      const FirstContactResult r = first_contact(*body, past, ball, still, keep(d));
      EXPECT_EQ(r.status, d > 0.6 ? Status::contact : Status::free) << d;
      if (d < 2) {
        expect_kept(*body, past, ball, still, d, r);
      }
      const FirstContactResult swapped = first_contact(ball, still, *body, past, keep(d));
      EXPECT_EQ(swapped.status, r.status);
    }
}

TEST(MinSeparation, WhatIsNotBuiltIsRefused) {
  const Body box(make::box());
  const auto refused = [&](const FirstContactOptions& o) {
    const FirstContactResult r = first_contact(box, Still{Pose({5, 0, 0})}, box, Still{}, o);
    return r.status == Status::invalid_request && r.error;
  };
  for (const double bad : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_TRUE(refused(keep(bad)));
  FirstContactOptions o = keep(1);
  o.method = "advancement";
  EXPECT_TRUE(refused(o));
  o = keep(1);
  o.ignore_start_if_separating = true;
  EXPECT_TRUE(refused(o));
}

}  // namespace
}  // namespace graze
