// SPDX-License-Identifier: MIT
// What best_first promises beyond the contract that all methods share: see tests/conformance for that.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <graze/graze.hpp>

namespace graze {
namespace {

Mesh soup(std::mt19937_64& random, int triangles) {
  std::uniform_real_distribution<double> u(-1, 1);
  std::vector<Vec3> positions;
  std::vector<Triangle> list;
  for (int i = 0; i < triangles; ++i) {
    const Vec3 c{u(random), u(random), u(random)};
    const auto first = static_cast<std::uint32_t>(positions.size());
    for (int k = 0; k < 3; ++k) positions.push_back(c + Vec3{u(random), u(random), u(random)} * 0.5);
    list.push_back({first, first + 1, first + 2});
  }
  return Mesh(positions, std::span<const Triangle>(list));
}

struct Case {
  Body a, b;
  Motion ma, mb;
};
Case random_case(std::mt19937_64& random, int kind) {
  std::uniform_real_distribution<double> u(-1, 1);
  const auto pose = [&] {
    return Pose(Vec3{u(random), u(random), u(random)} * 4, {u(random), u(random), u(random), u(random)});
  };
  const Pose a0 = pose(), a1 = pose(), b0 = pose(), b1 = pose();
  const Motion a = kind % 4 == 0   ? Motion(Screw(a0, a1))
                   : kind % 4 == 1 ? Motion(Velocity(a0, a1, {u(random), u(random), u(random)}))
                   : kind % 4 == 2 ? Motion(Velocity::from_speeds(a0, {3, u(random), 0}, {9 * u(random), 0, 8}))
                                   : Motion(LinearParameters(a0, a1));
  const Motion b = kind % 3 == 0 ? Motion(Still{b0}) : kind % 3 == 1 ? Motion(Velocity(b0, b1)) : Motion(Screw(b0, b1));
  const int na = 1 + static_cast<int>(random() % 30), nb = 1 + static_cast<int>(random() % 30);
  return {Body(soup(random, na)), Body(soup(random, nb)), a, b};
}

Pose pose_at(const Motion& m, double t) {
  const Placement p = m.at(t);
  return Pose::from_matrix(
      {p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7], p.r[8], p.t.z, 0, 0, 0, 1});
}

TEST(BestFirst, FindsWhatEveryPairByItselfFindsBitForBit) {
  std::mt19937_64 random(20);
  int contacts = 0;
  for (int i = 0; i < 600; ++i) {
    const Case c = random_case(random, i);
    FirstContactOptions options;
    options.tolerance = std::pow(10.0, -2 - i % 6);
    const FirstContactResult fast = first_contact(c.a, c.ma, c.b, c.mb, options);
    options.method = "brute";
    const FirstContactResult slow = first_contact(c.a, c.ma, c.b, c.mb, options);
    ASSERT_EQ(fast.status, slow.status) << i;
    if (fast.status != Status::contact) continue;
    ++contacts;
    ASSERT_EQ(fast.time.touch, slow.time.touch) << i;
    ASSERT_EQ(fast.pair, slow.pair) << i;
    ASSERT_LE(fast.gap, fast.tolerance) << i;
  }
  EXPECT_GT(contacts, 60);
}

TEST(BestFirst, ThreadsDoNotChangeABit) {
  std::mt19937_64 random(21);
  for (int i = 0; i < 60; ++i) {
    const Case c = random_case(random, i);
    FirstContactOptions options;
    const FirstContactResult one = first_contact(c.a, c.ma, c.b, c.mb, options);
    options.threads = 3;
    const FirstContactResult three = first_contact(c.a, c.ma, c.b, c.mb, options);
    ASSERT_EQ(one.status, three.status);
    ASSERT_EQ(one.pair, three.pair);
    if (one.status == Status::contact) {
      ASSERT_EQ(one.time.touch, three.time.touch);
    }
  }
}

/// Each step once brought the least distance down by 1e-5 of itself, and so hundreds of thousands were taken.
TEST(BestFirst, AClearanceBetweenTwoBoxesTakesFewSteps) {
  const Body box(make::box());
  const Pose from({-3, 3.2, 0.1}), to({3, 1.5, -0.2}, {1, 0.5, 0.2, 0.1});
  FirstContactOptions options;
  options.clearance = true;
  for (const Motion& motion :
       {Motion(Velocity(from, to)), Motion(Screw(from, to)), Motion(LinearParameters(from, to))}) {
    const FirstContactResult r = first_contact(box, motion, box, Still{}, options);
    ASSERT_EQ(r.status, Status::free);
    EXPECT_LT(r.counters.motion_steps, 2000u);
    EXPECT_GE(r.clearance->lower, (1 - 2e-5) * r.clearance->upper);
  }
}

TEST(BestFirst, ClearanceBoundsTheLeastSampledDistance) {
  std::mt19937_64 random(22);
  int asked = 0;
  for (int i = 0; i < 60; ++i) {
    const Case c = random_case(random, i);
    FirstContactOptions options;
    options.clearance = true;
    const FirstContactResult r = first_contact(c.a, c.ma, c.b, c.mb, options);
    if (r.status != Status::free) continue;
    ++asked;
    ASSERT_TRUE(r.clearance);
    double least = 1e300;
    for (int k = 0; k <= 50; ++k)
      least = std::min(least, distance(c.a, pose_at(c.ma, k / 50.0), c.b, pose_at(c.mb, k / 50.0)).distance);
    EXPECT_LE(r.clearance->lower, least) << i;
    EXPECT_LE(r.clearance->upper, least * 1.0001 + 1e-12) << i;
    EXPECT_GE(r.clearance->lower, (1 - 2e-5) * r.clearance->upper) << i;
    const double there =
        distance(c.a, pose_at(c.ma, r.clearance->time), c.b, pose_at(c.mb, r.clearance->time)).distance;
    EXPECT_NEAR(there, r.clearance->upper, 2e-9 * there + 1e-12) << i;
  }
  EXPECT_GT(asked, 20);
}

TEST(BestFirst, AStartInTouchThatOpensCanBeIgnored) {
  const Body box(make::box());
  FirstContactOptions options;
  for (const bool ignore : {false, true})
    for (const double up : {1.0, 0.0, -1.0}) {
      options.ignore_start_if_separating = ignore;
      const FirstContactResult r =
          first_contact(box, Velocity::from_speeds(Pose({0.25, 0, 1}), {0.1, 0, up}, {}), box, Still{}, options);
      if (ignore && up > 0) {
        EXPECT_EQ(r.status, Status::free);
      } else {
        EXPECT_EQ(r.status, Status::touching_at_start) << up;
        EXPECT_EQ(r.direction, up > 0   ? ContactDirection::outgoing
                               : up < 0 ? ContactDirection::incoming
                                        : ContactDirection::sliding);
      }
    }
}

TEST(BestFirst, AWheelSpinningBesideAWallTakesFewSteps) {
  const Body wheel(make::cylinder());
  const Body wall(make::box());
  // However fast it turns, (iii) sees that it never reaches the wall.
  const Box3 box = wheel.mesh().box();
  const double radius = std::max(box.hi.x, box.hi.y);
  FirstContactOptions options;
  options.tolerance = 1e-6;
  const Motion spin = Velocity::from_speeds(Pose({-radius - 0.5 - 2e-6, 0, 0}), {}, {0, 0, 1e5});
  const FirstContactResult r = first_contact(wheel, spin, wall, Still{}, options);
  EXPECT_EQ(r.status, Status::free);
  EXPECT_LT(r.counters.queue_pops + r.counters.motion_steps, 20000u);
}

TEST(BestFirst, ABudgetOfWorkIsKeptAndWhatItReachedIsCertified) {
  const Body knot(make::torus_knot({.triangles = 2880}));
  const Motion fly = Velocity(Pose({-3, 0.1, 0}), Pose({3, 0.1, 0}, {0, 1, 0, 0}));
  FirstContactOptions options;
  const FirstContactResult whole = first_contact(knot, fly, knot, Still{}, options);
  ASSERT_EQ(whole.status, Status::contact);
  options.work = 20;
  const FirstContactResult part = first_contact(knot, fly, knot, Still{}, options);
  EXPECT_EQ(part.status, Status::undecided);
  EXPECT_GT(part.time.safe, 0);
  EXPECT_LE(part.time.safe, whole.time.touch);
  EXPECT_LE(part.counters.queue_pops, 20u);
  EXPECT_EQ(part.time.safe, first_contact(knot, fly, knot, Still{}, options).time.safe);
}

/// A motion that a caller wrote: a swing along a parabola.
class Parabola : public OwnMotion {
 public:
  Placement at(double t) const override { return {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {4 * t - 2, 0, 4 * t * t - 1.5}}; }
  IntervalPlacement over(double t0, double t1) const override {
    IntervalPlacement p;
    const Interval t(t0, t1);
    p.t = {Interval(4) * t - Interval(2), Interval(0), Interval(4) * sqr(t) - Interval(1.5)};
    return p;
  }
  double travel(const Vec3& n, const Vec3&, double, double t0, double t1) const override {
    return std::max(0.0, 4 * n.x * (t1 - t0)) + std::max(0.0, 4 * n.z * (t1 * t1 - t0 * t0));
  }
};

TEST(BestFirst, ACallersOwnMotion) {
  const Body box(make::box());
  const Motion own(std::make_shared<const Parabola>());
  for (const char* method : {"best_first", "brute"}) {
    FirstContactOptions options;
    options.method = method;
    options.tolerance = 1e-7;
    // x reaches -1 at t = 1/4, where z is -1.25; z reaches -1 at t = 1/sqrt(8), where x is inside.
    const FirstContactResult r = first_contact(box, own, box, Still{}, options);
    ASSERT_EQ(r.status, Status::contact) << method;
    EXPECT_NEAR(r.time.touch, 1 / std::sqrt(8.0), 1e-6) << method;
    EXPECT_LE(r.time.touch, 1 / std::sqrt(8.0)) << method;
    options.clearance = true;
    const FirstContactResult far = first_contact(box, own, box, Still{Pose({0, 5, 0})}, options);
    EXPECT_EQ(far.status, Status::free) << method;
    ASSERT_TRUE(far.clearance) << method;
    EXPECT_LE(far.clearance->lower, 4) << method;
    EXPECT_GE(far.clearance->lower, 4 * (1 - 2e-3)) << method;
    EXPECT_NEAR(far.clearance->upper, 4, 4e-3) << method;
    options.ignore_start_if_separating = true;
    EXPECT_EQ(first_contact(box, own, box, Still{}, options).error->code, ErrorCode::unsupported) << method;
  }
}

/// The search for the least clearance once had no limit: seconds were kept for the first contact alone.
TEST(BestFirst, AClearanceKeepsToTheBudget) {
  const Body sheet(make::cloth_sheet({.triangles = 200}));
  const Motion spinning = Velocity::from_speeds(Pose({0, 0, 1e-3}), {}, {0, 0, 6});
  const Motion own(std::make_shared<const Parabola>());
  FirstContactOptions options;
  options.tolerance = 1e-4;
  options.clearance = true;
  options.work = 1000;
  const FirstContactResult r = first_contact(sheet, spinning, sheet, Still{}, options),
                           s = first_contact(sheet, own, sheet, Still{Pose({0, 5, 0})}, options);
  for (const FirstContactResult* x : {&r, &s}) {
    ASSERT_EQ(x->status, Status::free);
    EXPECT_LE(x->counters.queue_pops, options.work);
    EXPECT_LE(x->counters.motion_steps, options.work);
    ASSERT_TRUE(x->clearance);
    EXPECT_EQ(x->clearance->lower, 0);
  }
  EXPECT_NEAR(r.clearance->upper, 1e-3, 1e-6);
  options.work = 0;
  options.budget = std::chrono::seconds(100);
  EXPECT_GT(first_contact(sheet, own, sheet, Still{Pose({0, 5, 0})}, options).clearance->lower, 3);
}

}  // namespace
}  // namespace graze
