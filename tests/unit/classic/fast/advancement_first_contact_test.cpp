// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>

#include <graze/classic/fast.hpp>

#include "random_budget.hpp"
#include "soups.hpp"
#include "unit/classic/fast/advancement_help.hpp"

namespace {

using namespace advancement_test;
using classic::fast::AdvancementOptions;
using graze::testing::box;
using graze::testing::RandomBudget;
using graze::testing::soup;

Motion moving(const Pose& from, const Pose& to) { return Velocity(from, to); }

TEST(Advancement, ABoxFliesIntoABox) {
  const Mesh cube = make::box();
  const Scene s{Body(cube), moving(Pose({-3, 0, 0}), Pose({3, 0, 0})), Body(cube), Still{}};
  const Found f = ask(s);
  ASSERT_EQ(f.status, Status::contact);
  EXPECT_LE(f.touch, 2.0 / 6);  // faces meet at x = -1
  EXPECT_GE(f.touch, (2 - s.tolerance) / 6);
  check(s, f, 200);
}

TEST(Advancement, PassingByIsFree) {
  const Mesh cube = make::box();
  const Scene s{Body(cube), moving(Pose({-3, 1.01, 0}), Pose({3, 1.01, 0})), Body(cube), Still{}};
  const Found f = ask(s);
  EXPECT_EQ(f.status, Status::free);
  EXPECT_EQ(f.safe, 1);
}

TEST(Advancement, AStartWithinTheToleranceTouchesAtZero) {
  const Mesh cube = make::box();
  for (const double gap : {-0.5, 0.0, 5e-5}) {
    const Scene s{Body(cube), moving(Pose({1 + gap, 0, 0}), Pose({3, 0, 0})), Body(cube), Still{}};
    const Found f = ask(s);
    EXPECT_EQ(f.status, Status::contact) << gap;
    EXPECT_EQ(f.touch, 0) << gap;
    EXPECT_EQ(f.safe, 0) << gap;
  }
}

/// docs/design.md 4: eq. 5 as printed bounds a handle that points away by nearly nothing, and misses it when it swings
/// in.
TEST(Advancement, AHandleThatPointsAwaySwingsIn) {
  const Mesh handle = make::box({.size = {1, 0.02, 0.02}}), wall = make::box({.size = {0.1, 4, 4}});
  for (const double gap : {0.3, 0.6, 0.9}) {
    // Turns half around z about its right end, which is `gap` left of the wall.
    const Motion swing = Velocity::from_speeds(Pose({-0.5, 0, 0}), {}, {0, 0, 3.14159}, {0.5, 0, 0});
    const Scene s{Body(handle), swing, Body(wall), Still{Pose({gap + 0.05, 0, 0})}};
    const Found f = ask(s);
    ASSERT_EQ(f.status, Status::contact) << gap;
    // The far end is at distance 1 from the axis: cos of its angle with the wall's normal is the gap.
    EXPECT_NEAR(std::cos(3.14159 * (1 - f.touch)), gap, 0.02);
    check(s, f, 400);
  }
  const Scene far{Body(handle), Velocity::from_speeds(Pose({-0.5, 0, 0}), {}, {0, 0, 3.14159}, {0.5, 0, 0}), Body(wall),
                  Still{Pose({1.1 + 0.05, 0, 0})}};
  EXPECT_EQ(ask(far).status, Status::free);
}

/// FAST Fig. 6: A hovers above B. Along the closest direction nothing moves: a few steps where the undirected bound
/// needs very many.
TEST(Advancement, Hovering) {
  const Mesh plate = make::cloth_sheet({.width = 10, .height = 10, .triangles = 8}), cube = make::box();
  const Scene s{Body(cube), moving(Pose({-3, 0, 0.501}), Pose({3, 0, 0.501})), Body(plate), Still{}};
  const Found directed = ask(s);
  EXPECT_EQ(directed.status, Status::free);
  EXPECT_LE(directed.counters.advancement_steps, 8U);
  FirstContactOptions options;
  options.advancement = AdvancementOptions{.directed = false};
  const Found undirected = ask(s, options);
  EXPECT_EQ(undirected.status, Status::free);
  EXPECT_GT(undirected.counters.advancement_steps, 1000U);
}

/// docs/design.md 4 (iii): turning never carries a point beyond its distance from the axis.
TEST(Advancement, AWheelSpinsBesideAWall) {
  const Mesh wheel = make::cylinder({.radius = 1, .height = 0.3, .triangles = 400}),
             wall = make::box({.size = {1, 4, 4}});
  for (const double gaps : {2.5, 10.0}) {
    Scene s{Body(wheel), Velocity::from_speeds(Pose(), {}, {0, 0, 1000}), Body(wall), Still{}};
    s.motion_b = Still{Pose({1 + gaps * s.tolerance + 0.5, 0, 0})};
    const Found f = ask(s);
    EXPECT_EQ(f.status, Status::free);
    EXPECT_LE(f.counters.advancement_steps, 30U) << gaps;  // bound (i) alone: millions
  }
  // Nearer than its corners reach: the polygon's corner touches.
  Scene s{Body(make::box({.size = {1, 1, 0.3}})), Velocity::from_speeds(Pose(), {}, {0, 0, 3}), Body(wall),
          Still{Pose({0.7 + 0.5, 0, 0})}};
  const Found f = ask(s);
  ASSERT_EQ(f.status, Status::contact);
  check(s, f, 500);
}

/// The corner that is fastest is not the one that is near: a few steps, however small the gap.
TEST(Advancement, TurningPastAtASmallGap) {
  const Body ball(make::sphere({.radius = 1, .triangles = 1000})), torus(make::torus({.triangles = 800})),
      wall(make::box({.size = {1, 4, 4}}));
  for (const double gap : {1e-3, 1e-6, 1e-9}) {
    SCOPED_TRACE(gap);
    Scene balls{ball, Velocity::from_speeds(Pose({-3, 2 + gap, 0}), {6, 0, 0}, {0.3, 1, 2}), ball, Still{}};
    balls.tolerance = 0.5 * gap;
    const Found f = ask(balls);
    EXPECT_EQ(f.status, Status::free);
    EXPECT_LE(f.counters.advancement_steps, 40U);
    Scene beside{torus, Velocity::from_speeds(Pose({-1.4 - gap, 0, 0}), {0, 0.3, 0.1}, {0, 0, 2}), wall,
                 Still{Pose({0.5, 0, 0})}};
    beside.tolerance = 0.5 * gap;
    const Found g = ask(beside);
    EXPECT_EQ(g.status, Status::free);
    EXPECT_LE(g.counters.advancement_steps, 300U);
  }
}

TEST(Advancement, AThinPlateAtHighSpeed) {
  const Mesh plate = make::box({.size = {2, 2, 1e-4}}),
             torus = make::torus({.major = 0.5, .minor = 0.2, .triangles = 300});
  for (const double angle : {0.0, 20.0}) {
    const Scene s{Body(torus), Velocity::from_speeds(Pose({0.1, 0.2, -700}), {0, 0, 1500}, {angle, 3, angle}),
                  Body(plate), Still{}};
    const Found f = ask(s);
    ASSERT_EQ(f.status, Status::contact);
    EXPECT_NEAR(f.touch, 700.0 / 1500, 0.001);
    EXPECT_LE(distance_at(s, f.touch), s.tolerance);
    EXPECT_FALSE(collide_at(s, f.safe));
  }
}

TEST(Advancement, SwitchesChangeTheWorkAndNotOneBitOfTheAnswer) {
  oracle::Random random(5);
  const Mesh torus = make::torus({.major = 0.4, .minor = 0.15, .triangles = 160}), cube = make::box({.triangles = 40});
  for (int i = 0; i < 8; ++i) {
    SCOPED_TRACE(i);
    const Scene s{Body(i % 2 ? cube : torus),
                  moving(Pose({-2, 0.3 * oracle::real(random), 0}, random_turn(random)),
                         Pose({2, 0.8 * oracle::real(random), 0.2}, random_turn(random))),
                  Body(torus), moving(Pose(), Pose({0, 0.2, 0}, random_turn(random)))};
    const Found all = ask(s);
    check(s, all, 200);
    for (const AdvancementOptions& switches : every_switch()) {
      FirstContactOptions options;
      options.advancement = switches;
      expect_same(ask(s, options), all);
    }
  }
}

TEST(Advancement, SwitchesShowInTheCounters) {
  const Body knot(make::torus_knot({.triangles = 1000})), sphere(make::sphere({.triangles = 2000}));
  const Scene s{knot, moving(Pose({-4, 0, 0}), Pose({4, 0.3, 0}, {0.5, 0.5, 0.2, 0.1})), sphere, Still{}};
  const auto counters = [&](auto&& set) {
    AdvancementOptions switches;
    set(switches);
    FirstContactOptions options;
    options.advancement = switches;
    return ask(s, options).counters;
  };
  const AllCounters all = counters([](AdvancementOptions&) {});
  EXPECT_GT(all.front_reused, 0U);
  EXPECT_GT(all.hill_climb_steps, 0U);
  EXPECT_LT(all.advancement_steps, 20U);
  EXPECT_EQ(counters([](AdvancementOptions& o) { o.front = false; }).front_reused, 0U);
  EXPECT_GT(counters([](AdvancementOptions& o) { o.warm_start = false; }).iterations, all.iterations);
  EXPECT_GT(counters([](AdvancementOptions& o) { o.lookup_table = false; }).hill_climb_steps, all.hill_climb_steps);
  EXPECT_GT(counters([](AdvancementOptions& o) { o.directed = false; }).advancement_steps, all.advancement_steps);
  EXPECT_GT(counters([](AdvancementOptions& o) { o.hierarchical = false; }).hull_distances, all.hull_distances);
}

TEST(Advancement, WhatIsRememberedChangesNothing) {
  const Body knot(make::torus_knot({.triangles = 600})), other(make::box({.triangles = 100}));
  FirstContactCoherence coherence;
  FirstContactOptions with;
  with.coherence = &coherence;
  std::uint64_t reused = 0;
  Pose from({-3, 0, 0});
  for (int i = 0; i < 12; ++i) {
    SCOPED_TRACE(i);
    const Pose to({-3 + 0.25 * (i + 1), 0.1, 0}, {1, 0.1 * i, 0.05 * i, 0});
    // Now and then the same memory meets other bodies.
    const Scene s{i % 5 == 4 ? other : knot, moving(from, to), i % 7 == 6 ? other : knot, Still{}};
    const Found f = ask(s, with);
    expect_same(f, ask(s));
    reused += f.counters.front_reused;
    from = to;
  }
  EXPECT_GT(reused, 0U);
}

TEST(Advancement, AWorkBudgetIsExact) {
  const Body knot(make::torus_knot({.triangles = 600}));
  const Scene s{knot, moving(Pose({-3, 0, 0}), Pose({3, 0.1, 0}, {1, 1, 0, 0})), knot, Still{}};
  const Found whole = ask(s);
  FirstContactCoherence coherence;
  FirstContactOptions plenty;
  plenty.coherence = &coherence;
  ask(s, plenty);
  double last = 0;
  for (const std::uint64_t work : {std::uint64_t{1}, whole.counters.hull_distances / 4,
                                   whole.counters.hull_distances / 2, whole.counters.hull_distances - 1}) {
    FirstContactOptions options;
    options.work = work;
    const Found f = ask(s, options);
    EXPECT_EQ(f.status, Status::undecided);
    EXPECT_LE(f.safe, whole.safe);
    EXPECT_GE(f.safe, last);
    last = f.safe;
    options.coherence = &coherence;
    expect_same(ask(s, options), f);
  }
  FirstContactOptions enough;
  enough.work = 10 * whole.counters.hull_distances;
  expect_same(ask(s, enough), whole);
}

TEST(Advancement, RandomMeshesAgainstDenseSampling) {
  RandomBudget budget(500);
  std::uint64_t seed = RandomBudget::seed(100);
  int contacts = 0, cases = 0;
  while (budget.more()) {
    SCOPED_TRACE("seed " + std::to_string(++seed));
    oracle::Random random(seed);
    const Mesh a = soup(random, oracle::whole(random, 1, 8), oracle::whole(random, 0, 3) == 0, 0.4),
               b = soup(random, oracle::whole(random, 1, 8), false, 0.4);
    const Pose a0(oracle::real_point(random, 3), random_turn(random)),
        a1(oracle::real_point(random, 3), random_turn(random));
    const Pose b0(oracle::real_point(random, 0.5)), b1(oracle::real_point(random, 0.5), random_turn(random));
    Motion motion = Velocity(a0, a1, oracle::real_point(random));
    if (seed % 4 == 1) motion = Screw(a0, a1);
    if (seed % 4 == 2) motion = LinearParameters(a0, a1);
    if (seed % 4 == 3) motion = Velocity::from_speeds(a0, a1.translation(), oracle::real_point(random, 12));
    Scene s{Body(a), motion, Body(b), seed % 3 ? Motion(Still{b0}) : moving(b0, b1)};
    s.tolerance = oracle::whole(random, 0, 1) ? 1e-4 : 1e-7;
    const Found f = ask(s);
    check(s, f, 100);
    expect_same(f, ask_brute(s));
    contacts += f.status == Status::contact;
    ++cases;
    FirstContactOptions naive;
    naive.advancement = AdvancementOptions{.hierarchical = false, .front = false, .warm_start = false};
    expect_same(ask(s, naive), f);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(contacts, cases / 5);
  EXPECT_LT(contacts, cases);
}

TEST(Advancement, FarFromTheOriginTinyAndHuge) {
  const Found unit = ask({Body(make::box()), moving(Pose({-3, 0.1, 0}), Pose({3, 0, 0}, {1, 0.2, 0, 0})),
                          Body(make::torus({.triangles = 200})), Still{}});
  ASSERT_EQ(unit.status, Status::contact);
  for (const double scale : {1e-6, 1e6}) {
    Scene s{Body(make::box({.size = {scale, scale, scale}})),
            moving(Pose({-3 * scale, 0.1 * scale, 0}), Pose({3 * scale, 0, 0}, {1, 0.2, 0, 0})),
            Body(make::torus({.major = scale, .minor = 0.4 * scale, .triangles = 200})), Still{}};
    s.tolerance = 1e-4 * scale;
    const Found f = ask(s);
    EXPECT_EQ(f.status, Status::contact);
    EXPECT_NEAR(f.touch, unit.touch, 1e-4);
  }
  const Vec3 far{1e6, -2e6, 3e6};
  const Scene s{Body(make::box()), moving(Pose(far + Vec3{-3, 0.1, 0}), Pose(far + Vec3{3, 0, 0}, {1, 0.2, 0, 0})),
                Body(make::torus({.triangles = 200})), Still{Pose(far)}};
  const Found f = ask(s);
  EXPECT_EQ(f.status, Status::contact);
  EXPECT_NEAR(f.touch, unit.touch, 1e-6);
}

/// A caller's own motion, which has places and `travel` only: a pendulum.
class Pendulum : public OwnMotion {
 public:
  explicit Pendulum(double radius) : radius_(radius) {}
  Placement at(double t) const override {
    const double a = angle(t);
    return {{std::cos(a), -std::sin(a), 0, std::sin(a), std::cos(a), 0, 0, 0, 1},
            {radius_ * std::sin(a), -radius_ * std::cos(a), 0}};
  }
  IntervalPlacement over(double t0, double t1) const override {
    const Interval a(2 * t0 - 1 - 1e-15, 2 * t1 - 1 + 1e-15), c = cos(a), s = sin(a);
    return {{c, -s, 0, s, c, 0, 0, 0, 1}, {Interval(radius_) * s, -(Interval(radius_) * c), Interval(0)}};
  }
  double travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const override {
    return length(n) * 2 * (radius_ + length(centre) + radius) * (t1 - t0) * (1 + 1e-12);
  }

 private:
  static double angle(double t) { return 2 * t - 1; }
  double radius_;
};

TEST(Advancement, ACallersOwnMotion) {
  const Mesh bob = make::sphere({.radius = 0.1, .triangles = 200}), post = make::box({.size = {0.1, 0.2, 0.1}});
  const Motion swing(std::make_shared<Pendulum>(1.0));
  const Scene hit{Body(bob), swing, Body(post), Still{Pose({0.3, -1, 0})}};
  const Found f = ask(hit);
  ASSERT_EQ(f.status, Status::contact);
  check(hit, f, 400);
  const Scene miss{Body(bob), swing, Body(post), Still{Pose({0.3, -1.4, 0})}};
  EXPECT_EQ(ask(miss).status, Status::free);
  for (const AdvancementOptions& switches : every_switch()) {
    FirstContactOptions options;
    options.advancement = switches;
    expect_same(ask(hit, options), f);
  }
}

TEST(Advancement, HandsOutNoCertificate) {
  const Scene s{Body(make::box()), moving(Pose({-3, 0, 0}), Pose({3, 0, 0})), Body(make::box()), Still{}};
  FirstContactOptions options;
  options.certificate = true;
  const engine::first_contact::Flight flight{s.a.data(), s.b.data(), s.motion_a.path(), s.motion_b.path(), options,
                                             1e-4,       1e-14};
  EXPECT_TRUE(classic::fast::Advancement::refuses(flight));
}

}  // namespace
