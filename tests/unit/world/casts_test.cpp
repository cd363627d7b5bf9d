// SPDX-License-Identifier: MIT
// Rays with options, casts, overlaps and nearest bodies, against loops over all bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include "unit/world/help.hpp"

namespace graze::testing {
namespace {

struct MixedWorld {
  World world;
  std::vector<BodyId> ids;

  explicit MixedWorld(int count, double side, int threads = 1, bool solid = false)
      : world([&] {
          WorldOptions options;
          options.threads = threads;
          options.solid = solid;
          return options;
        }()) {
    std::mt19937_64 random(31);
    const Body ball(shape::Sphere{0.6}), capsule(shape::Capsule{0.3, 1}), ring(make::torus({.triangles = 80}));
    for (int i = 0; i < count; ++i) {
      BodySettings settings;
      settings.group = 1u << i % 3;
      settings.interest = i % 5 != 0;  // rays and casts do not care
      const Body& body = i % 4 == 0 ? cube() : i % 4 == 1 ? ball : i % 4 == 2 ? capsule : ring;
      ids.push_back(world.add(body, random_pose(random, side), settings));
    }
  }
  bool admits(BodyId id, const BodyFilter& filter) const {
    return id != filter.except && (!filter.mask || (*filter.mask >> id.slot % 3 & 1));
  }
};

Vec3 some_point(std::mt19937_64& random, double side) { return random_pose(random, side).translation(); }

bool same_hit(const BodyHit& x, const BodyHit& y) {
  return x.body == y.body && x.hit.fraction == y.hit.fraction && x.hit.triangle == y.hit.triangle &&
         x.hit.normal == y.hit.normal && x.certain == y.certain;
}

TEST(WorldRay, ModesAndMasksAgreeWithALoop) {
  MixedWorld scene(60, 8);
  std::mt19937_64 random(32);
  int hits = 0;
  for (int i = 0; i < 150; ++i) {
    const Vec3 from = some_point(random, 8), to = some_point(random, 8);
    WorldRayOptions options;
    if (i % 3 > 0) options.bodies.mask = 1u + static_cast<std::uint32_t>(i % 7);
    if (i % 2 > 0) options.bodies.except = scene.ids[static_cast<std::size_t>(i) % scene.ids.size()];
    std::vector<BodyHit> each, all;
    for (const BodyId id : scene.ids) {
      if (!scene.admits(id, options.bodies)) continue;
      const RayResult r = cast_ray(scene.world.body(id), scene.world.pose(id), from, to, {.hits = RayHits::all});
      if (r.hit) each.push_back({id, *r.hit, r.certain});
      for (const RayHit& hit : r.all) all.push_back({id, hit, r.certain});
    }
    const auto sort = [](std::vector<BodyHit>& list) {
      std::sort(list.begin(), list.end(), [](const BodyHit& x, const BodyHit& y) {
        return std::tie(x.hit.fraction, x.body, x.hit.triangle) < std::tie(y.hit.fraction, y.body, y.hit.triangle);
      });
    };
    sort(each);
    sort(all);
    std::vector<BodyHit> got = scene.world.ray(from, to, options);
    EXPECT_TRUE(std::equal(got.begin(), got.end(), each.begin(), each.end(), same_hit));
    options.hits = WorldRayHits::all;
    got = scene.world.ray(from, to, options);
    EXPECT_TRUE(std::equal(got.begin(), got.end(), all.begin(), all.end(), same_hit));
    options.hits = WorldRayHits::first;
    got = scene.world.ray(from, to, options);
    ASSERT_EQ(got.size(), each.empty() ? 0u : 1u);
    if (!got.empty()) {
      EXPECT_TRUE(same_hit(got[0], each[0]));
    }
    options.hits = WorldRayHits::any;
    got = scene.world.ray(from, to, options);
    ASSERT_EQ(got.size(), each.empty() ? 0u : 1u);
    if (!got.empty()) {
      EXPECT_TRUE(std::any_of(each.begin(), each.end(), [&](const BodyHit& h) { return h.body == got[0].body; }));
    }
    hits += !each.empty();
  }
  EXPECT_GT(hits, 50);
}

/// Several solids hold the start: all are hit at 0, and none has a triangle there.
TEST(WorldRay, StartsInsideSeveralShapes) {
  World world;
  const BodyId a = world.add(Body(shape::Sphere{1})), b = world.add(Body(shape::Box{{1, 1, 1}}), at(0.1)),
               c = world.add(Body(shape::HalfSpace{}), at(0, 0, 1));
  const std::vector<BodyHit> hits = world.ray({0, 0, 0.1}, {5, 0, 0.1});
  ASSERT_EQ(hits.size(), 3u);
  EXPECT_EQ(hits[0].body, a);
  EXPECT_EQ(hits[1].body, b);
  EXPECT_EQ(hits[2].body, c);
  for (const BodyHit& h : hits) EXPECT_EQ(h.hit.fraction, 0);
}

TEST(WorldRayThreads, ManyRaysAnswerAsSingleOnes) {
  for (const int threads : {1, 3}) {
    MixedWorld scene(60, 8, threads);
    std::mt19937_64 random(33);
    std::vector<Ray> rays;
    for (int i = 0; i < 100; ++i) rays.push_back({some_point(random, 8), some_point(random, 8)});
    std::vector<std::vector<BodyHit>> hits(rays.size());
    for (const WorldRayHits mode : {WorldRayHits::each_body, WorldRayHits::first, WorldRayHits::all}) {
      WorldRayOptions options;
      options.hits = mode;
      scene.world.rays(rays, options, hits);
      for (std::size_t i = 0; i < rays.size(); ++i) {
        const std::vector<BodyHit> single = scene.world.ray(rays[i].from, rays[i].to, options);
        EXPECT_TRUE(std::equal(single.begin(), single.end(), hits[i].begin(), hits[i].end(), same_hit));
      }
    }
    hits.pop_back();
    EXPECT_THROW(scene.world.rays(rays, {}, hits), Error);
    rays[0].to.x = std::nan("");
    hits.emplace_back();
    EXPECT_THROW(scene.world.rays(rays, {}, hits), Error);
  }
}

TEST(WorldCastThreads, AgreesWithALoop) {
  const Body probe(make::torus({.major = 0.4, .minor = 0.15, .triangles = 80})), ball(shape::Sphere{0.3});
  for (const int threads : {1, 3}) {
    MixedWorld scene(40, 10, threads);
    std::mt19937_64 random(34);
    int met = 0, free = 0;
    for (int i = 0; i < 40; ++i) {
      const Body& body = i % 2 ? probe : ball;
      const Motion motion = Velocity(random_pose(random, 10), random_pose(random, 10));
      CastOptions options;
      options.min_separation = i % 4 == 3 ? 0.05 : 0;
      if (i % 3 == 0) options.bodies.mask = 2;
      if (i % 3 == 1) options.bodies.except = scene.ids[static_cast<std::size_t>(i)];
      FirstContactOptions pair;
      pair.min_separation = options.min_separation;
      std::optional<CastContact> earliest;
      std::vector<BodyId> touched;
      for (const BodyId id : scene.ids) {
        if (!scene.admits(id, options.bodies)) continue;
        const FirstContactResult r =
            first_contact(body, motion, scene.world.body(id), Still{scene.world.pose(id)}, pair);
        if (r.status == Status::free) continue;
        touched.push_back(id);
        if (!earliest || r.time.touch < earliest->contact.time.touch) earliest = CastContact{id, r};
      }
      CastResult got = scene.world.cast(body, motion, options);
      ASSERT_EQ(got.earliest.has_value(), earliest.has_value());
      ASSERT_EQ(got.status, earliest ? earliest->contact.status : Status::free);
      if (earliest) {
        ++met;
        EXPECT_EQ(got.earliest->body, earliest->body);
        EXPECT_EQ(got.earliest->contact.time.touch, earliest->contact.time.touch);
        EXPECT_EQ(got.earliest->contact.normal, earliest->contact.normal);
        EXPECT_LE(got.safe, got.earliest->contact.time.touch);
      } else {
        ++free;
        EXPECT_EQ(got.safe, 1);
      }
      options.all = true;
      got = scene.world.cast(body, motion, options);
      ASSERT_EQ(got.contacts.size(), touched.size());
      for (std::size_t k = 0; k < touched.size(); ++k) EXPECT_EQ(got.contacts[k].body, touched[k]);
    }
    EXPECT_GT(met, 10);
    EXPECT_GT(free, 2);
  }
}

TEST(WorldCast, LimitsAndRefusals) {
  MixedWorld scene(30, 4);
  const Body ball(shape::Sphere{0.3});
  const Motion motion = Velocity(at(-3, 2, 2), at(6, 2, 2));
  CastOptions options;
  options.budget = std::chrono::nanoseconds(0);
  CastResult r = scene.world.cast(ball, motion, options);
  EXPECT_EQ(r.status, Status::undecided);
  EXPECT_EQ(r.safe, 0);
  EXPECT_FALSE(r.earliest);
  options.budget = {};
  options.method = "no such method";
  EXPECT_EQ(scene.world.cast(ball, motion, options).status, Status::invalid_request);
  options = {};
  options.bodies.except = BodyId{999, 0};
  r = scene.world.cast(ball, motion, options);
  EXPECT_EQ(r.status, Status::invalid_request);
  EXPECT_TRUE(r.error);
  options = {};
  options.min_separation = -1;
  EXPECT_EQ(scene.world.cast(ball, motion, options).status, Status::invalid_request);
  World solid([] {
    WorldOptions o;
    o.solid = true;
    return o;
  }());
  solid.add(cube());
  const Body open(Mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, std::vector<Triangle>{{0, 1, 2}}));
  EXPECT_EQ(solid.cast(open, motion).status, Status::invalid_request);
  EXPECT_EQ(solid.overlap(open, Pose()).status, Status::invalid_request);
  EXPECT_EQ(solid.cast(Body(make::box({.size = {0.1, 0.1, 0.1}})), Still{}).status, Status::touching_at_start);
  World empty;
  EXPECT_EQ(empty.cast(ball, motion).status, Status::free);
  EXPECT_EQ(empty.cast(ball, motion).safe, 1);
  EXPECT_EQ(empty.nearest({0, 0, 0}, 3).status, Status::free);
}

TEST(WorldOverlapThreads, AgreesWithALoop) {
  const Body ball(shape::Sphere{0.8}), tilted(shape::Box{{2, 1, 0.5}}), ring(make::torus({.triangles = 80}));
  for (const int threads : {1, 3}) {
    MixedWorld scene(60, 8, threads);
    std::mt19937_64 random(35);
    std::size_t found = 0;
    for (int i = 0; i < 60; ++i) {
      const Body& body = i % 3 == 0 ? ball : i % 3 == 1 ? tilted : ring;
      const Pose pose = random_pose(random, 8);
      OverlapOptions options;
      if (i % 4 == 1) options.bodies.mask = 5;
      std::vector<BodyId> expected;
      for (const BodyId id : scene.ids)
        if (scene.admits(id, options.bodies) &&
            collide(body, pose, scene.world.body(id), scene.world.pose(id)).status == Status::contact)
          expected.push_back(id);
      const OverlapResult r = scene.world.overlap(body, pose, options);
      EXPECT_EQ(r.bodies, expected);
      EXPECT_EQ(r.status, expected.empty() ? Status::free : Status::contact);
      options.any = true;
      const OverlapResult any = scene.world.overlap(body, pose, options);
      EXPECT_EQ(any.status, r.status);
      EXPECT_EQ(any.bodies.size(), expected.empty() ? 0u : 1u);
      if (!any.bodies.empty()) {
        EXPECT_EQ(any.bodies[0], expected[0]);
      }
      found += expected.size();
      options.budget = std::chrono::nanoseconds(0);
      EXPECT_EQ(scene.world.overlap(body, pose, options).status, Status::undecided);
    }
    EXPECT_GT(found, 40u);
  }
}

TEST(WorldNearest, AgreesWithALoop) {
  const Body point(Mesh({{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, std::vector<Triangle>{{0, 1, 2}}));
  for (const bool solid : {false, true}) {
    MixedWorld scene(50, 8, 1, solid);
    std::mt19937_64 random(36);
    int inside = 0;
    for (int i = 0; i < 40; ++i) {
      const Vec3 p = some_point(random, 8);
      NearestOptions options;
      if (i % 3 == 1) options.bodies.mask = 4;
      std::vector<std::pair<double, BodyId>> expected;
      for (const BodyId id : scene.ids) {
        if (!scene.admits(id, options.bodies)) continue;
        const bool in = solid && contains(scene.world.body(id), scene.world.pose(id), p).location == Location::inside;
        const double d = distance(point, Pose(p), scene.world.body(id), scene.world.pose(id)).distance;
        expected.emplace_back(in ? 0 : d, id);
      }
      std::sort(expected.begin(), expected.end());
      inside += expected[0].first == 0;
      for (const std::size_t k : {std::size_t{1}, std::size_t{5}, std::size_t{1000}}) {
        const NearestResult r = scene.world.nearest(p, k, options);
        ASSERT_EQ(r.bodies.size(), std::min(k, expected.size()));
        EXPECT_EQ(r.status, expected[0].first == 0 ? Status::contact : Status::free);
        for (std::size_t j = 0; j < r.bodies.size(); ++j) {
          EXPECT_EQ(r.bodies[j].body, expected[j].second);
          EXPECT_EQ(r.bodies[j].distance, expected[j].first);
          EXPECT_NEAR(length(r.bodies[j].point - p), r.bodies[j].distance, 1e-8);
        }
        if (k < expected.size()) {
          EXPECT_LT(r.counters.asked, 50u);
        }
      }
    }
    EXPECT_GT(inside, 0);
    EXPECT_EQ(scene.world.nearest({0, 0, 0}, 0).status, Status::invalid_request);
    EXPECT_EQ(scene.world.nearest({std::nan(""), 0, 0}, 1).status, Status::invalid_request);
    NearestOptions ended;
    ended.budget = std::chrono::nanoseconds(0);
    EXPECT_EQ(scene.world.nearest({0, 0, 0}, 1, ended).status, Status::undecided);
  }
}

/// The same bodies for every broad phase, with a floor that is everywhere and boxes that are tilted.
TEST(WorldNearest, TheSameForEveryBroadPhase) {
  for (const BroadBoxes boxes : {BroadBoxes::aligned, BroadBoxes::tilted, BroadBoxes::cubes}) {
    std::vector<std::vector<NearestBody>> first;
    for (const BroadTraits& method : broad_phases()) {
      WorldOptions options;
      options.broad = method.name;
      options.boxes = boxes;
      World world(options);
      std::mt19937_64 random(91);
      for (int i = 0; i < 300; ++i)
        world.add(i % 2 ? cube() : Body(make::box({.size = {4, 0.1, 0.1}})), random_pose(random, 60),
                  {.group = 1u << (i % 3)});
      world.add(Body(shape::HalfSpace{}), at(0, 0, -100));
      world.remove(BodyId{7, 0});
      std::size_t n = 0;
      for (const Vec3& p : {Vec3{30, 30, 30}, Vec3{1, 2, 3}, Vec3{500, -900, 40}, Vec3{1e300, 0, 0}, Vec3{0, 0, -200},
                            Vec3{12, 40, 50}})
        for (const std::size_t k : {std::size_t{1}, std::size_t{7}, std::size_t{400}}) {
          NearestOptions filter;
          if (k == 7) filter.bodies.mask = 2;
          const NearestResult r = world.nearest(p, k, filter);
          ASSERT_NE(r.status, Status::invalid_request);
          if (&method == &broad_phases()[0]) first.push_back(r.bodies);
          ASSERT_EQ(r.bodies.size(), first[n].size());
          for (std::size_t i = 0; i < r.bodies.size(); ++i) {
            EXPECT_EQ(r.bodies[i].body, first[n][i].body) << method.name;
            EXPECT_EQ(r.bodies[i].distance, first[n][i].distance);
          }
          ++n;
        }
    }
  }
}

/// Eight times as many bodies do not need eight times the work.
TEST(WorldNearest, LooksOnlyAtBodiesAround) {
  for (const char* broad : {"automatic", "tree", "grid", "strips", "octree"}) {
    std::uint64_t before = 0;
    for (const int side : {8, 16}) {
      World world({.broad = broad});
      const int n = side * side * side;
      for (int i = 0; i < n; ++i) world.add(cube(), at(2 * (i % side), 2 * (i / side % side), 2 * (i / side / side)));
      world.add(Body(shape::HalfSpace{}), at(0, 0, -5));
      world.check();
      WorldCounters sum;
      std::mt19937_64 random(3);
      for (int i = 0; i < 50; ++i) {
        const NearestResult r = world.nearest(random_pose(random, 2 * side).translation(), 4);
        ASSERT_EQ(r.bodies.size(), 4u);
        sum += r.counters;
      }
      EXPECT_LT(sum.asked, 50u * 40);
      EXPECT_LT(sum.boxes_compared, 50u * 300) << broad;  // of 4097 boxes
      if (before) {
        EXPECT_LT(sum.boxes_compared, 2 * before) << broad;
      }
      before = sum.boxes_compared;
    }
  }
}

TEST(WorldSweep, KeepsASeparation) {
  World world;
  const BodyId a = world.add(cube(), at(5)), b = world.add(cube());
  world.sweep();
  world.move(a, at(1.9));
  SweepOptions options;
  options.min_separation = 1;
  const SweepResult r = world.sweep(options);
  ASSERT_EQ(r.status, Status::contact);
  ASSERT_EQ(r.contacts.size(), 1u);
  EXPECT_EQ(r.contacts[0].a, a);
  EXPECT_EQ(r.contacts[0].b, b);
  EXPECT_NEAR(r.safe, 3 / 3.1, 1e-5);
  world.move(a, at(5));
  EXPECT_EQ(world.sweep(options).status, Status::touching_at_start);
  world.move(a, at(4));
  EXPECT_EQ(world.sweep(options).status, Status::free);
  options.min_separation = 3.5;  // more than in the sweep that placed the boxes of what is at rest
  world.move(a, at(4.1));
  EXPECT_EQ(world.sweep(options).status, Status::touching_at_start);
  options.advance = true;
  world.move(a, at(4));
  EXPECT_EQ(world.sweep(options).status, Status::touching_at_start);
  EXPECT_EQ(world.pose(a), at(4.1));  // what starts within the separation stays
}

}  // namespace
}  // namespace graze::testing
