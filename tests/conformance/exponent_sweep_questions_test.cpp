// SPDX-License-Identifier: MIT
// Questions that are made of others, with the magnitude of every input chosen independently: depths, manifolds,
// batches, worlds, clash detection and states of robots must agree with `collide`, `distance` and `cast_ray` of the
// same bodies.
#include <gtest/gtest.h>

#include <chrono>
#include <limits>

#include "conformance/exponent_sweep.hpp"

namespace graze {
namespace {

using testing::PlacedPair;
using testing::power;
using testing::RandomBudget;
using testing::sweep_pairs;

CollideResult as_solids(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b) {
  CollideOptions solid;
  solid.solid = true;
  return collide(a, pose_a, b, pose_b, solid);
}

/// The sum, if it is exact.
std::optional<Vec3> exact_sum(const Vec3& x, const Vec3& y) {
  const Vec3 sum = x + y;
  for (int k = 0; k < 3; ++k) {
    const double rest = sum[k] - x[k];
    if (!std::isfinite(sum[k]) || (x[k] - (sum[k] - rest)) + (y[k] - rest) != 0) return std::nullopt;
  }
  return sum;
}

TEST(ExponentSweep, DepthsAndManifoldsAgreeWithCollideAtAnyMagnitude) {
  int parted = 0, deep = 0;
  sweep_pairs(1340, 60, 1000, [&](oracle::Random&, const PlacedPair& s) {
    const Body a(s.a), b(s.b);
    const Status truth = as_solids(a, s.pose_a, b, s.pose_b).status;
    PenetrationOptions options;
    options.work = 200;
    const PenetrationResult r = penetration(a, s.pose_a, b, s.pose_b, options);
    if (r.certain && r.status != Status::undecided) {
      EXPECT_EQ(r.status, truth);
    }
    EXPECT_LE(r.lower, r.upper);
    EXPECT_FALSE(std::isnan(r.lower));
    EXPECT_TRUE(is_finite(r.translation));
    if (r.status == Status::contact) {
      ++deep;
      if (const auto there = exact_sum(s.pose_b.translation(), r.translation)) {
        ++parted;
        const CollideResult after = as_solids(a, s.pose_a, b, Pose(*there, s.pose_b.rotation()));
        EXPECT_TRUE(after.status == Status::free || after.kind == ContactKind::touching);
        EXPECT_EQ(after.contained, Containment::none);
      }
    }
    ManifoldOptions few;
    few.work = 200;
    const ManifoldResult m = manifold(a, s.pose_a, b, s.pose_b, few);
    if (m.certain && m.status != Status::undecided) {
      EXPECT_EQ(m.status, truth);
    }
    for (const ManifoldPatch& patch : m.patches) {
      EXPECT_TRUE(is_finite(patch.normal) && !std::isnan(patch.depth));
      for (const ManifoldPoint& p : patch.points) EXPECT_TRUE(is_finite(p.points[0]) && is_finite(p.points[1]));
    }
  });
  EXPECT_GE(deep, RandomBudget::is_whole() ? 6 : 0);
  EXPECT_GE(parted, RandomBudget::is_whole() ? 1 : 0);
}

TEST(ExponentSweep, WorldsAgreeWithSingleQuestionsAtAnyMagnitude) {
  int contacts = 0;
  sweep_pairs(1341, 60, 1000, [&](oracle::Random& random, const PlacedPair& s) {
    const Body a(s.a), b(s.b);
    const Status truth = collide(a, s.pose_a, b, s.pose_b).status;
    contacts += truth == Status::contact;
    for (const BroadTraits& broad : broad_phases()) {
      SCOPED_TRACE(std::string(broad.name));
      World world({.broad = std::string(broad.name)});
      const BodyId id = world.add(a, s.pose_a);
      const OverlapResult overlap = world.overlap(b, s.pose_b);
      EXPECT_EQ(overlap.status, truth);
      EXPECT_EQ(overlap.bodies.size(), truth == Status::contact ? 1u : 0u);
      const CastResult cast = world.cast(b, Still{s.pose_b});
      if (truth == Status::contact) {
        EXPECT_NE(cast.status, Status::free);
      }
      // The nearest point, and the distance of a triangle that is that point.
      const Vec3 point = s.pose_b.translation();
      const std::vector<Triangle> one{{0, 1, 2}};
      const Body dot(Mesh({point, point, point}, std::span<const Triangle>(one)));
      const double gap = distance(a, s.pose_a, dot, Pose()).distance;
      const NearestResult nearest = world.nearest(point, 1);
      ASSERT_EQ(nearest.bodies.size(), 1u);
      EXPECT_TRUE(nearest.bodies[0].body == id && is_finite(nearest.bodies[0].point));
      const double found = nearest.bodies[0].distance;
      if (found != 0 || contains(a, s.pose_a, point).location != Location::inside) {
        EXPECT_LE(std::fabs(found - gap), 4e-9 * gap);
      }
      const Vec3 from = s.pose_b.apply(testing::point_on(random, s.b)), to = s.pose_a.translation();
      if (is_finite(from)) {
        const RayResult ray = cast_ray(a, s.pose_a, from, to);
        const std::vector<BodyHit> hits = world.ray(from, to);
        ASSERT_EQ(hits.size(), ray.hit ? 1u : 0u);
        if (ray.hit) {
          EXPECT_EQ(hits[0].hit.fraction, ray.hit->fraction);
        }
      }
      world.add(b, s.pose_b);
      const CheckResult check = world.check();
      EXPECT_EQ(check.events.size(), truth == Status::contact ? 1u : 0u);
      const double d = power(oracle::whole(random, -1000, 1000));
      EXPECT_EQ(world.near(d).pairs.size(), within(d, a, s.pose_a, b, s.pose_b).status == Status::contact ? 1u : 0u);
    }
  });
  EXPECT_GE(contacts, RandomBudget::is_whole() ? 6 : 0);
}

TEST(ExponentSweep, ClashesAndRobotsAgreeWithCollideAtAnyMagnitude) {
  int contacts = 0, compared = 0;
  sweep_pairs(1342, 60, 1000, [&](oracle::Random& random, const PlacedPair& s) {
    const Body a(s.a), b(s.b);
    const CollideResult solid = as_solids(a, s.pose_a, b, s.pose_b);
    const clash::Result clashes =
        clash::check({{clash::geometry(s.a), clash::geometry(s.b)}, {{"a", 0, s.pose_a}, {"b", 1, s.pose_b}}});
    ASSERT_TRUE(clashes.complete);
    EXPECT_EQ(clashes.clashes.size(), solid.status == Status::contact ? 1u : 0u);
    // With a clearance: near, exactly if within it.
    clash::Options options;
    options.clearance = power(oracle::whole(random, -1000, 1000));
    const clash::Result near =
        clash::check({{clash::geometry(s.a), clash::geometry(s.b)}, {{"a", 0, s.pose_a}, {"b", 1, s.pose_b}}}, options);
    const bool is_within = within(options.clearance, a, s.pose_a, b, s.pose_b).status == Status::contact;
    EXPECT_EQ(near.clashes.size(), is_within || solid.status == Status::contact ? 1u : 0u);

    // A robot whose only link stands where the joint's origin is: its coordinate moves nothing at 0.
    RobotModel model;
    Joint joint;
    joint.origin = s.pose_a;
    joint.type = random() % 2 ? JointType::revolute : JointType::prismatic;
    model.links = {{"link", "", joint}};
    model.pieces = {{"link", a}};
    Robot robot(std::move(model));
    robot.surroundings({{b, s.pose_b, "obstacle"}});
    const double zero[] = {0};
    const StateResult state = robot.check(zero);
    const Status surface = collide(a, s.pose_a, b, s.pose_b).status;
    if (state.status == Status::free) {
      EXPECT_EQ(surface, Status::free);
    }
    const std::chrono::milliseconds soon(20);  // most are quick; pairs of extreme sizes may take seconds
    const RobotDistanceResult far = robot.distance(zero, {.budget = soon});
    if (far.status == Status::free) {
      EXPECT_EQ(surface, Status::free);
      EXPECT_LE(far.lower, distance(a, s.pose_a, b, s.pose_b).distance * (1 + 4e-9));
      ++compared;
    }
    const RobotFreeResult still = robot.motion_free(zero, zero, {.budget = soon});
    const RobotMotionResult moved = robot.check_motion(zero, zero, {.pair = {.work = 500}});
    if (surface == Status::contact) {
      ++contacts;
      EXPECT_NE(still.status, Status::free);
      EXPECT_NE(moved.status, Status::free);
    }
  });
  EXPECT_GE(contacts, RandomBudget::is_whole() ? 6 : 0);
  EXPECT_GE(compared, RandomBudget::is_whole() ? 6 : 0);
}

}  // namespace
}  // namespace graze
