// SPDX-License-Identifier: MIT
// Every type of joint, joints that follow others, and the poses of a state, against their definitions in 100 digits.
#include <string>

#include <graze/core/error.hpp>
#include <graze/motion/chain.hpp>

#include "oracle/pose_generators.hpp"
#include "random_budget.hpp"
#include "unit/motion/reference.hpp"

namespace {

using namespace graze;
using namespace graze::testing;

constexpr JointType all_types[] = {JointType::fixed,      JointType::revolute, JointType::prismatic, JointType::screw,
                                   JointType::continuous, JointType::planar,   JointType::floating};

/// What the joint does at time t between two states.
RealPlacement between(const Joint& joint, std::span<const double> from, std::span<const double> to, const Real& t) {
  const auto coordinate = [&](std::size_t i) { return (1 - t) * Real(from[i]) + t * Real(to[i]); };
  RealPlacement moved;
  if (joint.type == JointType::fixed) return moved;
  if (joint.type == JointType::floating) {
    const Pose a({}, {from[3], from[4], from[5], from[6]}), b({}, {to[3], to[4], to[5], to[6]});
    moved = real_velocity(a, b, {})(t);
    moved.t = {coordinate(0), coordinate(1), coordinate(2)};
    return moved;
  }
  const RealVector axis = RealVector(joint.axis) * (1 / length(RealVector(joint.axis)));
  if (joint.type == JointType::planar) {
    moved = turn_about(axis, coordinate(2));
    const Vec3 x = joint.axis.z > 0 ? Vec3{1, 0, 0} : joint.axis.x > 0 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    const Vec3 y = joint.axis.z > 0 ? Vec3{0, 1, 0} : joint.axis.x > 0 ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
    moved.t = RealVector(x) * coordinate(0) + RealVector(y) * coordinate(1);
    return moved;
  }
  Real q = coordinate(0);
  if (joint.mimic) q = Real(joint.mimic->factor) * q + Real(joint.mimic->offset);
  if (joint.type != JointType::prismatic) moved = turn_about(axis, q);
  if (joint.type == JointType::prismatic) moved.t = axis * q;
  if (joint.type == JointType::screw) moved.t = axis * (q * Real(joint.pitch));
  return moved;
}

RealMotion real_link(const Chain& chain, LinkId link, const std::vector<double>& from, const std::vector<double>& to) {
  return [=, &chain](const Real& t) {
    RealPlacement p;
    for (std::optional<LinkId> up = link; up; up = chain.parent(*up)) {
      const Joint& joint = chain.link(*up).joint;
      const LinkId moved_by = joint.mimic ? chain.find(joint.mimic->link).value() : *up;
      const std::size_t first = chain.first_coordinate(moved_by).value_or(0), count = coordinates_of(joint.type);
      const auto part = [&](const std::vector<double>& q) { return std::span(q).subspan(count ? first : 0, count); };
      p = placed(joint.origin) * between(joint, part(from), part(to), t) * p;
    }
    return p;
  };
}

struct RandomState {
  Chain chain;
  std::vector<double> from, to;
};

/// Reach: how far coordinates go.
RandomState random_state(Dice& dice, oracle::Random& random, int count, double reach) {
  std::vector<Link> links;
  int followed = -1;  // a link whose joint may be followed
  for (int i = 0; i < count; ++i) {
    Joint joint;
    joint.type = all_types[dice.whole(0, 6)];
    joint.origin = dice.whole(0, 2) ? Pose(dice.point(1), oracle::unit_quaternion(random)) : Pose(dice.point(1));
    joint.axis = dice.whole(0, 1) ? dice.direction() * 3 : Vec3{0, 0, 1};
    if (joint.type == JointType::planar)
      joint.axis = std::array<Vec3, 3>{{{0, 0, 2}, {1, 0, 0}, {0, 3, 0}}}[dice.bits() % 3];
    joint.pitch = dice.real(-0.3, 0.3);
    const bool one = coordinates_of(joint.type) == 1;
    if (one && followed >= 0 && dice.whole(0, 2) == 0)
      joint.mimic = Mimic{"l" + std::to_string(followed), dice.real(-2, 2), dice.whole(0, 1) ? dice.real(-1, 1) : 0};
    else if (one)
      followed = i;
    links.push_back({"l" + std::to_string(i), i ? "l" + std::to_string(i - 1) : "", joint});
  }
  RandomState s{Chain(std::move(links)), {}, {}};
  for (std::uint32_t i = 0; i < s.chain.size(); ++i) {
    if (!s.chain.first_coordinate(LinkId{i})) continue;
    for (std::size_t k = 0; k < coordinates_of(s.chain.link(LinkId{i}).joint.type); ++k) {
      s.from.push_back(dice.whole(0, 3) || k > 2 ? dice.real(-2, 2) : 0);
      s.to.push_back(dice.whole(0, 3) ? s.from.back() + dice.real(-reach, reach) : s.from.back());
    }
  }
  return s;
}

TEST(JointTypes, RandomMotions) {
  Dice dice(RandomBudget::seed(11));
  oracle::Random random(RandomBudget::seed(12));
  for (RandomBudget budget(30); budget.more() && !HasFailure();) {
    const int count = dice.whole(1, 5);
    const RandomState s = random_state(dice, random, count, std::ldexp(2.0, -dice.whole(0, 8)));
    const LinkId last{static_cast<std::uint32_t>(count - 1)};
    Checker(s.chain.link_motion(last, s.from, s.to), real_link(s.chain, last, s.from, s.to), 1, dice.bits()).all(5);
  }
}

TEST(JointTypes, PosesOfStatesAreWithinTheirErrors) {
  Dice dice(RandomBudget::seed(13));
  oracle::Random random(RandomBudget::seed(14));
  double largest = 0;
  for (RandomBudget budget(150); budget.more() && !HasFailure();) {
    const int count = dice.whole(1, 9);
    const RandomState s = random_state(dice, random, count, 0);
    const std::vector<LinkPose> poses = s.chain.link_poses(s.from);
    for (int i = 0; i < count; ++i) {
      const LinkId link{static_cast<std::uint32_t>(i)};
      const RealPlacement real = real_link(s.chain, link, s.from, s.from)(0);
      const LinkPose& pose = poses[static_cast<std::size_t>(i)];
      const Vec3 x = dice.point(2);
      const double far = graze::length(x);
      const Real off = length(placed(pose.pose).apply(x) - real.apply(x));
      ASSERT_LE(off, Real(pose.error) + Real(pose.turn_error) * Real(far)) << "link " << i;
      largest = std::max({largest, pose.error, pose.turn_error});
    }
  }
  EXPECT_LT(largest, 1e-11);  // the bounds are of use
}

TEST(JointTypes, PosesOfLongChainsAndAllSizes) {
  Dice dice(15);
  oracle::Random random(16);
  for (const double size : {1e-300, 1.0, 1e150}) {
    std::vector<Link> links;
    for (int i = 0; i < 70; ++i)  // more than fit on the stack
      links.push_back({"l" + std::to_string(i), i ? "l" + std::to_string(i - 1) : "",
                       Joint{i % 2 ? JointType::revolute : JointType::prismatic,
                             Pose(dice.point(size), oracle::unit_quaternion(random)), dice.direction()}});
    const Chain chain(links, Still{Pose({size, 2 * size, 0}, {1, 2, 3, 4})});
    std::vector<double> q;
    for (int i = 0; i < 70; ++i) q.push_back(i % 2 ? dice.real(-1e6, 1e6) : dice.real(-size, size));
    const LinkPose pose = chain.link_poses(q).back();
    const RealPlacement real = placed(Pose({size, 2 * size, 0}, {1, 2, 3, 4})) * real_link(chain, LinkId{69}, q, q)(0);
    const Real off = length(placed(pose.pose).apply({}) - real.t);
    EXPECT_LE(off, Real(pose.error));
    EXPECT_LE(pose.error, 1e-9 * size);
  }
}

TEST(JointTypes, WhatIsFixedToALinkMovesWithIt) {
  const Pose grip({0.1, -0.2, 0.3}, {1, 0, 0.5, 0});
  const Joint turn{JointType::revolute, Pose({1, 0, 0}), {0, 1, 0}};
  const Chain chain({{"a", "", turn}, {"b", "a", turn}}),
      with_grip({{"a", "", turn}, {"b", "a", turn}, {"grip", "b", {JointType::fixed, grip}}});
  const std::vector<double> from{0.1, 0.2}, to{0.5, -0.4};
  const Placement one = chain.link_motion(LinkId{1}, from, to, grip).at(0.5);
  const Placement two = with_grip.link_motion(LinkId{2}, from, to).at(0.5);
  EXPECT_EQ(one.r, two.r);
  EXPECT_EQ(one.t, two.t);
  EXPECT_EQ(chain.pair_motions(LinkId{0}, LinkId{1}, from, to, {}, grip).second.at(0.5).t,
            with_grip.pair_motions(LinkId{0}, LinkId{2}, from, to).second.at(0.5).t);
}

TEST(JointTypes, AFloatingRootIsABodyThatFlies) {
  const Chain chain({{"body", "", {JointType::floating}}, {"arm", "body", {JointType::revolute, Pose({1, 0, 0})}}});
  ASSERT_EQ(chain.coordinates(), 8u);
  const std::vector<double> from{0, 0, 0, 1, 0, 0, 0, 0.5}, to{1, 2, 3, 0, 0, 0, 1, 0.5};
  EXPECT_TRUE(chain.link_motion(LinkId{0}, from, to).path().bounds().twist);
  // It has a certificate's description; so does the arm.
  EXPECT_FALSE(chain.link_motion(LinkId{1}, from, to).path().description().empty());
}

TEST(JointTypes, SlidesAlongCoordinateAxesAreExact) {
  const Chain gantry({{"x", "", {JointType::prismatic, Pose({1, 0, 0}), {1, 0, 0}}},
                      {"z", "x", {JointType::prismatic, {}, {0, 0, -2}}}});
  const std::vector<double> q{0.5, 0.25};
  EXPECT_EQ(gantry.link_motion(LinkId{1}, q, q).path().start(), Pose({1.5, 0, -0.25}));
}

TEST(JointTypes, Limits) {
  const JointLimits narrow{-1, 2};
  const Chain chain({{"a", "", Joint{.type = JointType::revolute, .limits = narrow}},
                     {"b", "a", Joint{.type = JointType::prismatic, .limits = narrow, .mimic = Mimic{"a", -2, 1}}},
                     {"c", "b", Joint{.type = JointType::continuous}}});
  ASSERT_EQ(chain.coordinates(), 2u);
  EXPECT_EQ(chain.first_coordinate(LinkId{1}), std::nullopt);
  EXPECT_EQ(chain.first_coordinate(LinkId{2}), 1u);
  EXPECT_EQ(chain.beyond_limits(std::vector<double>{1, 100}), std::nullopt);
  EXPECT_EQ(chain.beyond_limits(std::vector<double>{2.5, 0}), LinkId{0});
  EXPECT_EQ(chain.beyond_limits(std::vector<double>{-0.75, 0}), LinkId{1});  // 2.5
}

ErrorDetail refusal(std::vector<Link> links) {
  try {
    const Chain chain(std::move(links));
  } catch (const Error& error) {
    return error.detail();
  }
  ErrorDetail none;
  none.message = "accepted";
  return none;
}

TEST(JointTypes, Refusals) {
  const Link a{"a", "", Joint{.type = JointType::revolute}};
  const auto follower = [](const char* link, JointType type = JointType::revolute) {
    return Link{"b", "a", Joint{.type = type, .mimic = Mimic{link}}};
  };
  EXPECT_NE(refusal({a, follower("c")}).message.find("no link"), std::string::npos);
  EXPECT_NE(refusal({a, follower("b")}).message.find("of its own"), std::string::npos);
  EXPECT_NE(refusal({a, follower("a", JointType::planar)}).message.find("cannot follow"), std::string::npos);
  EXPECT_EQ(refusal({{"a", "", Joint{.type = JointType::revolute, .limits = JointLimits{2, 1}}}}).code,
            ErrorCode::bad_option);
  EXPECT_NE(refusal({{"a", "", Joint{.type = JointType::planar, .axis = {1, 1, 0}}}}).message.find("0 0 1"),
            std::string::npos);
  const Chain flying({{"a", "", Joint{.type = JointType::floating}}});
  EXPECT_THROW(flying.link_poses(std::vector<double>(7, 0.0)), Error);  // no quaternion
  EXPECT_THROW(flying.link_poses(std::vector<double>(6, 1.0)), Error);
  const Chain moving({a}, Velocity(Pose{}, Pose({1, 0, 0})));
  EXPECT_THROW(moving.link_poses(std::vector<double>{0}), Error);
  const Chain far({{"a", "", Joint{.type = JointType::fixed, .origin = Pose({1e308, 0, 0})}},
                   {"b", "a", Joint{.type = JointType::fixed, .origin = Pose({1e308, 0, 0})}}});
  EXPECT_THROW(far.link_poses(std::vector<double>{}), Error);
}

}  // namespace
