// SPDX-License-Identifier: MIT
// Surfaces given by functions, as bodies: every question either has the answer of a closed form, or says that it has
// none.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include <graze/graze.hpp>

#include "unit/classic/contact/surface_help.hpp"

namespace graze {
namespace {

using namespace shape;

const Body& ring() {
  static const Body body(SurfaceBody(torus_surface(1, 0.25)));
  return body;
}

/// Of a point from the torus with radii 1 and 1/4.
double from_ring(const Vec3& p) { return std::fabs(std::hypot(std::hypot(p.x, p.y) - 1, p.z) - 0.25); }

TEST(SurfaceQuestions, IsABodyWithoutAMesh) {
  EXPECT_NE(ring().surface(), nullptr);
  EXPECT_EQ(ring().shape(), nullptr);
  EXPECT_FALSE(ring().has_mesh());
  EXPECT_THROW(ring().mesh(), Error);
  EXPECT_THROW(ring().deformed({}), Error);
  EXPECT_THROW(compound({{ring(), Pose(), "ring"}}), Error);
  EXPECT_EQ(Body(Sphere{1}).surface(), nullptr);
  EXPECT_GE(ring().box().hi.x, 1.25);
}

TEST(SurfaceQuestions, DistanceToABallIsThatOfItsCentre) {
  oracle::Random random(14);
  for (int i = 0; i < 14; ++i) {
    const Vec3 centre = oracle::real_point(random, 2);
    const double radius = i % 4 == 0 ? 0 : 0.05 * (i % 7);
    const double truth = from_ring(centre) - radius;
    const Pose turned({}, oracle::whole_quaternion(random));
    const Body ball(Sphere{radius});
    const Pose pose_a({3, -1, 2}, turned.rotation()), pose_b(pose_a.apply(centre));
    for (const bool swapped : {false, true}) {
      const DistanceResult d =
          swapped ? distance(ball, pose_b, ring(), pose_a) : distance(ring(), pose_a, ball, pose_b);
      if (truth > 1e-6) {
        ASSERT_EQ(d.status, Status::free) << i;
        EXPECT_NEAR(d.distance, truth, 1e-4 * truth + 1e-9) << i;
        EXPECT_NEAR(length(d.points[1] - d.points[0]), d.distance, 1e-4 * d.distance + 1e-9);
        EXPECT_EQ(d.feature->kind, FeatureKind::surface_surface);
      } else if (truth < -1e-6) {
        ASSERT_EQ(d.status, Status::contact) << i;
        EXPECT_EQ(d.distance, 0);
      }
      const CollideResult hit = swapped ? collide(ball, pose_b, ring(), pose_a) : collide(ring(), pose_a, ball, pose_b);
      if (std::fabs(truth) > 1e-6) {
        EXPECT_EQ(hit.status, truth > 0 ? Status::free : Status::contact) << i;
      }
      for (const double factor : {0.9, 1.1}) {
        if (!(truth > 1e-6)) continue;
        const WithinResult near = swapped ? within(factor * truth, ball, pose_b, ring(), pose_a)
                                          : within(factor * truth, ring(), pose_a, ball, pose_b);
        EXPECT_EQ(near.status, factor < 1 ? Status::free : Status::contact) << i;
      }
    }
  }
}

struct Fall {
  const char* name;
  Body body;
  Pose from, to;
  double time;  ///< at which it first touches the lying ring
};

TEST(SurfaceQuestions, FirstContactWithEveryKind) {
  const Pose high({0, 0, 2}), low({0, 0, -2});
  const double rounded_box = (2 - 0.25 - 0.35) / 4;
  const Fall falls[] = {
      {"mesh", Body(make::box({.size = {4, 4, 0.5}})), high, low, (2 - 0.25 - 0.25) / 4},
      {"box", Body(Box{{4, 4, 0.5}}), high, low, (2 - 0.25 - 0.25) / 4},
      {"rounded box", Body(rounded(Box{{4, 4, 0.5}}, 0.1)), high, low, rounded_box},
      {"hull", Body(Hull{{{1, 0, -0.25}, {1, 0, 0.5}, {2, 0, 0.5}, {1, 1, 0.5}}}), high, low, (2 - 0.25 - 0.25) / 4},
      {"point", Body(Hull{{{1, 0, 0}}}), high, low, (2 - 0.25) / 4},
      {"ball beside the hole", Body(Sphere{0.5}), Pose({1, 0, 2}), Pose({1, 0, -2}), (2 - 0.75) / 4},
      {"ball on the hole", Body(Sphere{1}), high, low, (2 - std::sqrt(1.25 * 1.25 - 1)) / 4},
      {"capsule", Body(Capsule{0.25, 1}), Pose({1, 0, 2}), Pose({1, 0, -2}), (2 - 0.25 - 0.75) / 4},
      {"half-space", Body(HalfSpace{}), Pose({0, 0, -2}), Pose({0, 0, 2}), (2 - 0.25) / 4},
      {"a ring through it", ring(), Pose({1, 0, 3}, {1, 1, 0, 0}), Pose({1, 0, -1}, {1, 1, 0, 0}), (3 - 1.5) / 4},
  };
  for (const Fall& fall : falls) {
    const Motion motion = Velocity(fall.from, fall.to);
    for (const bool swapped : {false, true}) {
      FirstContactOptions options;
      options.tolerance = 1e-4;
      const auto ask = [&](const FirstContactOptions& o) {
        return swapped ? first_contact(fall.body, motion, ring(), Still{}, o)
                       : first_contact(ring(), Still{}, fall.body, motion, o);
      };
      const FirstContactResult r = ask(options);
      ASSERT_EQ(r.status, Status::contact) << fall.name << (r.error ? r.error->message : "");
      EXPECT_LE(r.time.safe, fall.time + 1e-12) << fall.name;
      EXPECT_GE(r.time.safe, fall.time - 1e-3) << fall.name;
      EXPECT_LE(r.gap, 1e-4) << fall.name;
      ASSERT_EQ(r.features.size(), 1u);
      ASSERT_TRUE(r.points);
      if (r.normal) {
        EXPECT_GT((swapped ? 1 : -1) * (fall.to.translation().z > fall.from.translation().z ? 1 : -1) * r.normal->z,
                  -1e-6)
            << fall.name;
      }
      // Farther apart, and so earlier: every gap here closes at the speed 4 or slower.
      options.min_separation = 0.1;
      const FirstContactResult near = ask(options);
      ASSERT_EQ(near.status, Status::contact) << fall.name;
      EXPECT_LE(near.time.safe, fall.time - 0.1 / 4 + 1e-9) << fall.name;
      EXPECT_EQ(motion_free(ring(), Still{}, fall.body, motion).status, Status::contact) << fall.name;
    }
    EXPECT_EQ(motion_free(ring(), Still{Pose({20, 0, 0})}, fall.body, motion).status,
              fall.name == std::string("half-space") ? Status::contact : Status::free)
        << fall.name;
  }
}

/// A shape is solid: a ring that is inside a box or a ball touches it, one that is inside a mesh does not.
TEST(SurfaceQuestions, InsideASolid) {
  const Body box(Box{{8, 8, 8}}), ball(Sphere{3}), mesh(make::box({.size = {8, 8, 8}}));
  const Motion inside = Velocity(Pose({-0.5, 0, 0}), Pose({0.5, 0, 0}));
  for (const Body* solid : {&box, &ball}) {
    const CollideResult hit = collide(ring(), Pose(), *solid, Pose());
    EXPECT_EQ(hit.status, Status::contact);
    EXPECT_EQ(hit.contained, solid == &box ? Containment::a_in_b : Containment::none);  // a ball is asked as a point
    EXPECT_EQ(hit.certain, solid == &box);
    if (solid == &box) {
      EXPECT_EQ(collide(*solid, Pose(), ring(), Pose()).contained, Containment::b_in_a);
    }
    EXPECT_EQ(distance(ring(), Pose(), *solid, Pose()).distance, 0);
    EXPECT_EQ(within(0, ring(), Pose(), *solid, Pose()).status, Status::contact);
    EXPECT_EQ(first_contact(ring(), inside, *solid, Still{}).status, Status::touching_at_start);
    // From inside a solid nothing can leave without having touched it.
    EXPECT_EQ(first_contact(ring(), Velocity(Pose(), Pose({20, 0, 0})), *solid, Still{}).status,
              Status::touching_at_start);
  }
  EXPECT_EQ(collide(ring(), Pose(), mesh, Pose()).status, Status::free);
  EXPECT_EQ(first_contact(ring(), inside, mesh, Still{}).status, Status::free);
  EXPECT_NEAR(distance(ring(), Pose(), mesh, Pose()).distance, 2.75, 1e-3);
  EXPECT_EQ(collide(ring(), Pose({0, 0, -3}), Body(HalfSpace{}), Pose()).status, Status::contact);
  EXPECT_EQ(collide(ring(), Pose({0, 0, 3}), Body(HalfSpace{}), Pose()).status, Status::free);
  // A ball in the hole of the ring is not inside anything.
  EXPECT_EQ(collide(ring(), Pose(), Body(Sphere{0.5}), Pose()).status, Status::free);
  EXPECT_NEAR(distance(ring(), Pose(), Body(Sphere{0.5}), Pose()).distance, 0.25, 1e-4);
}

TEST(SurfaceQuestions, CompoundsAnswerWithTheirPiece) {
  const Body lamp = compound({{Body(Box{{1, 1, 1}}), Pose({5, 0, 0}), "far"},
                              {Body(Sphere{0.5}), Pose({0, 0, 0}), "near"},
                              {Body(Capsule{0.1, 1}), Pose({0, 5, 0}), "also far"}});
  const DistanceResult d = distance(lamp, Pose(), ring(), Pose());
  EXPECT_NEAR(d.distance, 0.25, 1e-4);
  ASSERT_TRUE(d.pieces);
  EXPECT_EQ(index((*d.pieces)[0]), 1u);
  const FirstContactResult r = first_contact(lamp, Velocity(Pose(), Pose({1, 0, 0})), ring(), Still{});
  ASSERT_EQ(r.status, Status::contact) << (r.error ? r.error->message : "");
  EXPECT_NEAR(r.time.touch, 0.25, 1e-5);
  EXPECT_EQ(index((*r.pieces)[0]), 1u);
}

TEST(SurfaceQuestions, NearStartsMayPart) {
  // So near that the default tolerance would call it a contact; half the distance is the tolerance then.
  const Body ball(Sphere{0.5});
  const Motion leaves = Velocity(Pose({0, 0, 0.75 + 2e-7 + 0}), Pose({0, 0, 3}));
  const Body flat(SurfaceBody({testing::bowl(0)}));
  const FirstContactResult r = first_contact(flat, Still{Pose({0, 0, 0.25})}, ball, leaves, {.tolerance = 1e-4});
  EXPECT_EQ(r.status, Status::free);
  const FirstContactResult touches =
      first_contact(flat, Still{Pose({0, 0, 0.25})}, ball, Velocity(Pose({0, 0, 0.75}), Pose({0, 0, 3})));
  EXPECT_EQ(touches.status, Status::touching_at_start);
  EXPECT_FALSE(touches.certain);
}

TEST(SurfaceQuestions, Rays) {
  const auto hit = [](const Vec3& from, const Vec3& to) { return cast_ray(ring(), Pose(), from, to); };
  const RayResult down = hit({1, 0, 4}, {1, 0, 0});
  ASSERT_EQ(down.status, Status::contact);
  EXPECT_NEAR(down.hit->fraction, 3.75 / 4, 1e-8);
  EXPECT_NEAR(down.hit->point.z, 0.25, 1e-7);
  EXPECT_EQ(down.hit->feature.type, FeatureRef::Type::surface);
  EXPECT_FALSE(down.certain);
  ASSERT_TRUE(down.hit->normal);
  EXPECT_NEAR(down.hit->normal->z, 1, 1e-6);
  EXPECT_EQ(hit({0, 0, 4}, {0, 0, -4}).status, Status::free);  // through the hole
  // A ray that starts within the tube meets it from inside.
  const RayResult out = hit({1, 0, 0}, {1, 0, 1});
  ASSERT_EQ(out.status, Status::contact);
  EXPECT_NEAR(out.hit->fraction, 0.25, 1e-8);
  EXPECT_EQ(cast_ray(ring(), Pose(), {1, 0, 4}, {1, 0, 0}, RayOptions{RayHits::all}).status, Status::invalid_request);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(hit({nan, 0, 0}, {1, 0, 0}).status, Status::invalid_request);
}

TEST(SurfaceQuestions, WhatTheyDoNotAnswerIsRefused) {
  const Body box(Box{{1, 1, 1}});
  const Motion still = Still{}, moves = Velocity(Pose({4, 0, 0}), Pose());
  const auto refused = [](const auto& r) { return r.error && r.status == Status::invalid_request; };
  EXPECT_TRUE(refused(penetration(ring(), Pose(), box, Pose())));
  EXPECT_TRUE(refused(penetration(Body(HalfSpace{}), Pose(), ring(), Pose())));
  EXPECT_TRUE(refused(manifold(box, Pose(), ring(), Pose())));
  EXPECT_TRUE(contains(ring(), Pose(), {}).error);
  EXPECT_TRUE(refused(self_collide(ring())));
  EXPECT_TRUE(refused(collide(ring(), Pose(), box, Pose(), {.solid = true})));
  EXPECT_TRUE(refused(collide(ring(), Pose(), box, Pose(), {.method = "brute"})));
  for (const Body& other : {Body(Cylinder{1, 1}), Body(Cone{1, 1}), Body(Ellipsoid{{1, 2, 1}})}) {
    EXPECT_TRUE(refused(collide(ring(), Pose(), other, Pose())));
    EXPECT_TRUE(refused(distance(other, Pose(), ring(), Pose())));
    EXPECT_TRUE(refused(first_contact(ring(), moves, other, still)));
  }
  const auto asked = [&](const std::function<void(FirstContactOptions&)>& set) {
    FirstContactOptions o;
    set(o);
    return refused(first_contact(ring(), moves, box, still, o));
  };
  EXPECT_TRUE(asked([](auto& o) { o.certificate = true; }));
  EXPECT_TRUE(asked([](auto& o) { o.all_contacts = true; }));
  EXPECT_TRUE(asked([](auto& o) { o.clearance = true; }));
  EXPECT_TRUE(asked([](auto& o) { o.solid = true; }));
  EXPECT_TRUE(asked([](auto& o) { o.ignore_start_if_separating = true; }));
  EXPECT_TRUE(asked([](auto& o) { o.method = "advancement"; }));
  const std::array<double, 2> times{0, 1};
  std::array<ClearanceSample, 2> samples;
  EXPECT_TRUE(refused(clearance_profile(ring(), moves, box, still, times, samples)));
}

TEST(SurfaceQuestions, LimitsEndThem) {
  const Body floor(make::box({.size = {4, 4, 1}}));
  const Motion fall = Velocity(Pose({0, 0, 3}), Pose());
  EXPECT_EQ(first_contact(ring(), fall, floor, Still{}, {.work = 3}).status, Status::undecided);
  EXPECT_EQ(collide(ring(), Pose({0, 0, 0.7}), floor, Pose(), {.work = 2}).status, Status::undecided);
  EXPECT_EQ(distance(ring(), Pose({0, 0, 3}), floor, Pose(), {.work = 2}).status, Status::undecided);
  const CancelSource source;
  source.cancel();
  const CancelToken cancel = source.token();
  EXPECT_EQ(distance(ring(), Pose({0, 0, 3}), floor, Pose(), {.cancel = cancel}).status, Status::undecided);
  EXPECT_EQ(first_contact(ring(), fall, floor, Still{}, {.cancel = cancel}).status, Status::undecided);
}

TEST(SurfaceQuestions, HugeAndTiny) {
  for (const double scale : {0x1p-300, 0x1p-40, 0x1p40, 0x1p300}) {
    const Body torus(SurfaceBody(torus_surface(scale, 0.25 * scale))), ball(Sphere{0.5 * scale});
    const Motion fall = Velocity(Pose(Vec3{1, 0, 2} * scale), Pose(Vec3{1, 0, -2} * scale));
    const FirstContactResult r = first_contact(torus, Still{}, ball, fall);
    ASSERT_EQ(r.status, Status::contact) << scale;
    EXPECT_NEAR(r.time.touch, (2 - 0.75) / 4, 1e-5) << scale;
    EXPECT_EQ(collide(torus, Pose(), ball, Pose()).status, Status::free) << scale;
    EXPECT_NEAR(distance(torus, Pose(), ball, Pose()).distance / scale, 0.25, 1e-4) << scale;
  }
}

}  // namespace
}  // namespace graze
