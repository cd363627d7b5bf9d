// SPDX-License-Identifier: MIT
// The first contact of many bodies against asking every pair by itself.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include <graze/ask/many_bodies.hpp>
#include <graze/mesh/make.hpp>

#include "engine/first_contact/many/swept_boxes.hpp"
#include "random_budget.hpp"

namespace {

using namespace graze;

struct Random {
  std::mt19937_64 rng;
  double operator()(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(rng); }
  Quat turn() {
    std::normal_distribution<double> g;
    return {g(rng), g(rng), g(rng), g(rng)};
  }
  Pose pose(double spread) {
    return Pose({(*this)(-spread, spread), (*this)(-spread, spread), (*this)(-spread, spread)}, turn());
  }
};

std::vector<MovingBody> crowd(Random& random, std::size_t count, double spread, double way) {
  const Body shapes[] = {Body(make::box({.size = {1, 0.6, 0.3}})), Body(make::tetrahedron({})),
                         Body(make::torus({.triangles = 64}))};
  std::vector<MovingBody> bodies;
  for (std::size_t i = 0; i < count; ++i) {
    const Pose from = random.pose(spread);
    const Vec3 to = from.translation() + random.pose(way).translation();
    Motion motion = Still{from};
    if (i % 4 == 1) motion = Velocity(from, Pose(to, random.turn()));
    if (i % 4 == 2) motion = Screw(from, Pose(to, random.turn()));
    if (i % 4 == 3)
      motion = Velocity::from_speeds(from, to - from.translation(), {random(-9, 9), random(-9, 9), random(-9, 9)});
    bodies.push_back({shapes[i % 3], motion});
  }
  return bodies;
}

bool touches(const FirstContactResult& r) {
  return r.status == Status::contact || r.status == Status::touching_at_start;
}

TEST(ManyBodies, AgreeWithEveryPairByItself) {
  const std::uint64_t seed = graze::testing::RandomBudget::seed(5);
  graze::testing::RandomBudget budget(6);
  Random random{std::mt19937_64(seed)};
  for (int i = 0; budget.more(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + " case " + std::to_string(i));
    const std::vector<MovingBody> bodies = crowd(random, 30, 5 + i % 3, 3);
    FirstContactsOptions options;
    options.pair.tolerance = 1e-4;
    const FirstContactsResult earliest = first_contacts(bodies, options);
    options.all_pairs = true;
    options.threads = 3;
    options.slices = 1 + i % 9;
    const FirstContactsResult all = first_contacts(bodies, options);
    double least = std::numeric_limits<double>::infinity(), safe = 1;
    std::size_t next = 0, contacts = 0;
    std::array<std::uint32_t, 2> who{};
    for (std::uint32_t a = 0; a < bodies.size(); ++a)
      for (std::uint32_t b = a + 1; b < bodies.size(); ++b) {
        const FirstContactResult r =
            first_contact(bodies[a].body, bodies[a].motion, bodies[b].body, bodies[b].motion, options.pair);
        const bool listed = next < all.pairs.size() && all.pairs[next].a == a && all.pairs[next].b == b;
        if (!listed) {
          EXPECT_EQ(r.status, Status::free) << a << " " << b;
          continue;
        }
        const FirstContactResult& mine = all.pairs[next++].contact;
        EXPECT_EQ(mine.status, r.status);
        EXPECT_EQ(mine.time.safe, r.time.safe);
        EXPECT_EQ(mine.features, r.features);
        if (!touches(r)) continue;
        ++contacts;
        safe = std::min(safe, r.time.safe);
        if (r.time.touch < least) {
          least = r.time.touch;
          who = {a, b};
        }
      }
    EXPECT_EQ(next, all.pairs.size());
    for (const FirstContactsResult* r : {&earliest, &all}) {
      ASSERT_EQ(r->earliest.has_value(), contacts > 0);
      EXPECT_EQ(r->safe, safe);
      if (!contacts) {
        EXPECT_EQ(r->status, Status::free);
        continue;
      }
      EXPECT_EQ(r->status, r->earliest->contact.status);
      EXPECT_EQ(r->earliest->contact.time.touch, least);
      EXPECT_EQ(r->earliest->a, who[0]);
      EXPECT_EQ(r->earliest->b, who[1]);
    }
    EXPECT_LE(earliest.asked, all.asked);
    EXPECT_EQ(all.asked, all.near);
  }
}

TEST(ManyBodies, SweptBoxesHoldTheBody) {
  const std::uint64_t seed = graze::testing::RandomBudget::seed(6);
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random{std::mt19937_64(seed)};
  for (const MovingBody& m : crowd(random, 40, 3, 5)) {
    const double t0 = random(0, 1), t1 = random(t0, 1);
    const Box3 box = engine::first_contact::swept_box(m.body, m.motion, t0, t1, 1e-12);
    for (int i = 0; i <= 64; ++i) {
      const Placement p = m.motion.at(t0 + (t1 - t0) * i / 64);
      for (const Vec3& x : m.body.mesh().positions()) EXPECT_TRUE(box.contains(p.apply(x)));
    }
    // And it is no larger than the box around all positions of the ball around the body's box.
    const Vec3 d = m.body.mesh().box().hi - m.body.mesh().box().lo;
    const Box3 now = engine::first_contact::swept_box(m.body, m.motion, t0, t0, 0);
    EXPECT_LE(length(now.hi - now.lo), std::sqrt(3) * length(d) * (1 + 1e-9));
  }
}

TEST(ManyBodies, SweepAndPruneFindsWhatAllPairsFind) {
  Random random{std::mt19937_64(7)};
  for (int round = 0; round < 50; ++round) {
    std::vector<Box3> boxes;
    for (int i = 0; i < 40; ++i) {
      Box3 b;
      // Whole numbers: many boxes only touch.
      for (int k = 0; k < 3; ++k) b.lo[k] = std::floor(random(0, 8)), b.hi[k] = b.lo[k] + std::floor(random(0, 3));
      boxes.push_back(b);
    }
    std::vector<engine::first_contact::IndexPair> found, expected;
    Counters counters;
    engine::first_contact::sweep_and_prune(boxes, counters, found);
    for (std::uint32_t i = 0; i < boxes.size(); ++i)
      for (std::uint32_t j = i + 1; j < boxes.size(); ++j)
        if (boxes[i].overlaps(boxes[j])) expected.push_back({i, j});
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected);
  }
}

TEST(ManyBodies, AThousandNeedNotAskAllPairs) {
  Random random{std::mt19937_64(8)};
  const std::vector<MovingBody> bodies = crowd(random, 1000, 30, 2);
  const FirstContactsResult one = first_contacts(bodies);
  FirstContactsOptions options;
  options.threads = 4;
  const FirstContactsResult four = first_contacts(bodies, options);
  EXPECT_LT(one.counters.swept_box_tests, 400000u);  // all pairs in all slices: 4 million
  EXPECT_LT(one.asked, one.near);
  EXPECT_EQ(one.asked, four.asked);
  EXPECT_EQ(one.safe, four.safe);
  EXPECT_EQ(one.counters.swept_box_tests, four.counters.swept_box_tests);
  EXPECT_EQ(one.counters.queue_pops, four.counters.queue_pops);
}

TEST(ManyBodies, OnlyPairsOfInterestAreAsked) {
  const Body box(make::box({}));
  const std::vector<MovingBody> bodies = {{box, Velocity(Pose({-4, 0, 0}), Pose({4, 0, 0}))},
                                          {box, Still{}},
                                          {box, Still{Pose({2, 0.25, 0})}},
                                          {box, Still{Pose({0, 100, 0})}}};
  FirstContactsOptions options;
  FirstContactsResult r = first_contacts(bodies, options);
  ASSERT_TRUE(r.earliest);
  EXPECT_EQ(r.earliest->b, 1u);
  EXPECT_NEAR(r.earliest->contact.time.touch, 3.0 / 8, 1e-5);
  std::set<std::pair<std::size_t, std::size_t>> seen;
  options.interest = [&](std::size_t i, std::size_t j) {
    EXPECT_LT(i, j);
    EXPECT_TRUE(seen.insert({i, j}).second);
    return j != 1;
  };
  r = first_contacts(bodies, options);
  ASSERT_TRUE(r.earliest);
  EXPECT_EQ(r.earliest->b, 2u);
  EXPECT_NEAR(r.earliest->contact.time.touch, 5.0 / 8, 1e-5);
  EXPECT_FALSE(seen.count({0, 3}));
}

TEST(ManyBodies, TiesGoToTheLeastPairAndStartsCount) {
  const Body box(make::box({}));
  std::vector<MovingBody> bodies;
  for (int i = 0; i < 4; ++i) bodies.push_back({box, Still{Pose({3.0 * i, 0, 0})}});
  for (int i = 3; i >= 0; --i) bodies.push_back({box, Velocity(Pose({3.0 * i, 0, 4}), Pose({3.0 * i, 0, 0}))});
  FirstContactsResult r = first_contacts(bodies);
  ASSERT_TRUE(r.earliest);
  EXPECT_EQ(r.earliest->a, 0u);
  EXPECT_EQ(r.earliest->b, 7u);
  bodies.push_back({box, Still{Pose({9.5, 0, 0})}});
  r = first_contacts(bodies);
  EXPECT_EQ(r.status, Status::touching_at_start);
  EXPECT_EQ(r.earliest->a, 3u);
  EXPECT_EQ(r.earliest->b, 8u);
  EXPECT_EQ(r.safe, 0);
}

TEST(ManyBodies, BudgetsAndBadOptionsAreSaid) {
  const Body knot(make::torus_knot({.triangles = 2880}));
  const std::vector<MovingBody> bodies = {{knot, Velocity(Pose({-6, 0.3, 0}), Pose({6, 0, 0.2}, {1, 1, 0.5, 0}))},
                                          {knot, Still{}}};
  FirstContactsOptions options;
  options.pair.work = 3;
  FirstContactsResult r = first_contacts(bodies, options);
  EXPECT_EQ(r.status, Status::undecided);
  EXPECT_LT(r.safe, 1);
  options.pair.method = "no such method";
  r = first_contacts(bodies, options);
  EXPECT_EQ(r.status, Status::invalid_request);
  ASSERT_TRUE(r.error);
  options = {};
  options.slices = 0;
  EXPECT_EQ(first_contacts(bodies, options).status, Status::invalid_request);
  EXPECT_EQ(first_contacts({}, {}).status, Status::free);
}

/// Three bars of length 1 in the xy plane, each turning about z at the end of the one before.
Chain arm() {
  const auto revolute = [](double x) {
    Joint j;
    j.type = JointType::revolute;
    j.origin = Pose({x, 0, 0});
    return j;
  };
  return Chain({{"upper", "", revolute(0)}, {"fore", "upper", revolute(1)}, {"hand", "fore", revolute(1)}},
               Still{Pose({10, 0, 5})});
}

/// A bar from x = 0.1 to 0.9, so that neighbours do not touch.
Body bar() {
  const Mesh mesh = make::box({.size = {0.8, 0.1, 0.1}});
  std::vector<Vec3> positions(mesh.positions().begin(), mesh.positions().end());
  for (Vec3& p : positions) p.x += 0.5;
  return Body(Mesh(positions, mesh.triangles()));
}

TEST(ManyBodies, AChainFoldsOntoItself) {
  const Chain chain = arm();
  std::vector<LinkBody> links;
  for (std::uint32_t i = 0; i < 3; ++i) links.push_back({LinkId{i}, bar()});
  // The hand comes back over the upper arm; meanwhile the whole arm turns, which does not matter for it.
  const std::vector<double> from{0, 0, 0}, to{1, 2.2, 2.2};
  ChainContactsOptions options;
  options.all_pairs = true;
  FirstContactsResult r = first_contacts(chain, links, from, to, {}, options);
  ASSERT_EQ(r.status, Status::contact);
  EXPECT_EQ(r.earliest->a, 0u);
  EXPECT_EQ(r.earliest->b, 2u);
  for (const PairContact& p : r.pairs) EXPECT_FALSE(chain.neighbours(LinkId{p.a}, LinkId{p.b}));
  // Points in the world: on both bodies as link_motion places them.
  const FirstContactResult& c = r.earliest->contact;
  for (std::uint32_t k = 0; k < 2; ++k) {
    const Placement at = chain.link_motion(LinkId{k * 2}, from, to).at(c.time.touch);
    const Vec3 d = (*c.points)[k] - at.t;
    const Vec3 local{at.r[0] * d.x + at.r[3] * d.y + at.r[6] * d.z, at.r[1] * d.x + at.r[4] * d.y + at.r[7] * d.z,
                     at.r[2] * d.x + at.r[5] * d.y + at.r[8] * d.z};
    EXPECT_TRUE(local.x > 0.1 - 1e-9 && local.x < 0.9 + 1e-9);
    EXPECT_LT(std::fabs(local.y), 0.05 + 1e-9);
    EXPECT_LT(std::fabs(local.z), 0.05 + 1e-9);
  }
  EXPECT_NEAR(length(*c.normal), 1, 1e-12);
  EXPECT_GT(dot(*c.normal, (*c.points)[1] - (*c.points)[0]), 0);
}

TEST(ManyBodies, AChainMeetsItsEnvironment) {
  const Chain chain = arm();
  std::vector<LinkBody> links;
  for (std::uint32_t i = 0; i < 3; ++i) links.push_back({LinkId{i}, bar()});
  const Body box(make::box({.size = {0.2, 0.2, 0.2}}));
  // Beside the hand at the end of a quarter turn about the shoulder; another two that touch only each other.
  const std::vector<MovingBody> environment = {
      {box, Still{Pose({0, 0, 0})}}, {box, Still{Pose({0.1, 0, 0})}}, {box, Still{Pose({10, 2.5, 5})}}};
  ChainContactsOptions options;
  const std::vector<double> from{0, 0, 0}, to{2, 0, 0};
  FirstContactsResult r = first_contacts(chain, links, from, to, environment, options);
  ASSERT_EQ(r.status, Status::contact);
  EXPECT_EQ(r.earliest->a, 2u);
  EXPECT_EQ(r.earliest->b, 5u);
  // The bar's leading side reaches the box's near corner a little before the quarter turn.
  EXPECT_GT(r.earliest->contact.time.touch, 0.6);
  EXPECT_LT(r.earliest->contact.time.touch, std::acos(-1.0) / 4);
  options.interest = [](std::size_t, std::size_t j) { return j != 5; };
  r = first_contacts(chain, links, from, to, environment, options);
  EXPECT_EQ(r.status, Status::free);
  EXPECT_EQ(r.safe, 1);
  EXPECT_EQ(first_contacts(chain, links, {}, to, environment, {}).status, Status::invalid_request);
  links.push_back({LinkId{9}, bar()});
  EXPECT_EQ(first_contacts(chain, links, from, to, environment, {}).status, Status::invalid_request);
}

}  // namespace
