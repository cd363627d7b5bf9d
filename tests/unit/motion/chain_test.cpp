// SPDX-License-Identifier: MIT
// Chains against the product of their joints in 100 digits.
#include <graze/core/error.hpp>
#include <graze/motion/chain.hpp>

#include "oracle/pose_generators.hpp"
#include "random_budget.hpp"
#include "unit/motion/reference.hpp"

namespace {

using namespace graze;
using namespace graze::testing;

RealPlacement at_coordinate(const Joint& joint, const Real& q) {
  const RealVector axis = RealVector(joint.axis) * (1 / length(RealVector(joint.axis)));
  RealPlacement moved;
  if (joint.type == JointType::revolute || joint.type == JointType::screw) moved = turn_about(axis, q);
  if (joint.type == JointType::prismatic) moved.t = axis * q;
  if (joint.type == JointType::screw) moved.t = axis * (q * Real(joint.pitch));
  return placed(joint.origin) * moved;
}

/// From `ancestor` (none: the base, which is left out) to the link.
RealMotion real_link(const Chain& chain, std::optional<LinkId> ancestor, LinkId link, std::vector<double> from,
                     std::vector<double> to) {
  std::vector<std::pair<Joint, std::size_t>> way;
  for (std::optional<LinkId> up = link; up != ancestor; up = chain.parent(*up)) {
    std::size_t q = 0;
    for (std::uint32_t i = 0; i < index(*up); ++i) q += chain.link(LinkId{i}).joint.type != JointType::fixed;
    way.insert(way.begin(), {chain.link(*up).joint, q});
  }
  return [=](const Real& t) {
    RealPlacement p;
    for (const auto& [joint, q] : way) {
      const bool moves = joint.type != JointType::fixed;
      p = p * at_coordinate(joint, moves ? (1 - t) * Real(from[q]) + t * Real(to[q]) : Real(0));
    }
    return p;
  };
}

RealMotion after(const RealMotion& base, const RealMotion& link) {
  return [=](const Real& t) { return base(t) * link(t); };
}

Joint random_joint(Dice& dice, oracle::Random& random) {
  Joint j;
  j.type = static_cast<JointType>(dice.whole(0, 3));
  if (dice.whole(0, 3) > 0) j.type = JointType::revolute;
  j.origin = dice.whole(0, 2) ? Pose(dice.point(1), oracle::unit_quaternion(random)) : Pose(dice.point(1));
  const double length = std::array{1.0, 3.0, 1e-200, 1e200}[static_cast<std::size_t>(dice.whole(0, 3))];
  j.axis = dice.whole(0, 1) ? dice.direction() * length : Vec3{0, 0, 1};
  j.pitch = dice.real(-0.3, 0.3);
  return j;
}

struct RandomChain {
  Chain chain;
  std::vector<double> from, to;
};
RandomChain random_chain(Dice& dice, oracle::Random& random, int links, double reach, Motion base = {}) {
  std::vector<Link> list;
  for (int i = 0; i < links; ++i) {
    // A tree: mostly the last link, sometimes another one.
    const int parent = dice.whole(0, 3) ? i - 1 : dice.whole(-1, i - 1);
    list.push_back(
        {"link" + std::to_string(i), parent < 0 ? "" : "link" + std::to_string(parent), random_joint(dice, random)});
  }
  RandomChain r{Chain(std::move(list), std::move(base)), {}, {}};
  for (std::size_t i = 0; i < r.chain.coordinates(); ++i) {
    r.from.push_back(dice.whole(0, 3) ? dice.real(-2, 2) : 0);
    r.to.push_back(dice.whole(0, 3) ? r.from.back() + dice.real(-reach, reach) : r.from.back());
  }
  return r;
}

LinkId id(int i) { return LinkId{static_cast<std::uint32_t>(i)}; }

TEST(Chain, RandomLinks) {
  Dice dice(RandomBudget::seed(1));
  oracle::Random random(RandomBudget::seed(2));
  for (RandomBudget budget(25); budget.more() && !HasFailure();) {
    const int links = dice.whole(1, 6);
    const RandomChain r = random_chain(dice, random, links, std::ldexp(3.0, -dice.whole(0, 12)));
    const LinkId link = id(links - 1);
    Checker(r.chain.link_motion(link, r.from, r.to), real_link(r.chain, {}, link, r.from, r.to), 1, dice.bits()).all(6);
  }
}

TEST(Chain, MovingBase) {
  Dice dice(RandomBudget::seed(3));
  oracle::Random random(RandomBudget::seed(4));
  for (RandomBudget budget(20); budget.more() && !HasFailure();) {
    const Pose from(dice.point(2), oracle::unit_quaternion(random)), to(dice.point(2), oracle::unit_quaternion(random));
    const Pose near({1, 2, 3}, {1, 1e-3, 2e-3, -1e-3});
    const bool arc = dice.whole(0, 2) == 0, screw = dice.whole(0, 1) == 0;
    const Vec3 reference = dice.point(1);
    const Motion base = arc     ? Motion(Screw(Pose{}, near))
                        : screw ? Motion(Screw(from, to))
                                : Motion(Velocity(from, to, reference));
    const RealMotion real = arc     ? real_screw(Pose{}, near)
                            : screw ? real_screw(from, to)
                                    : real_velocity(from, to, reference);
    const int links = dice.whole(1, 4);
    const RandomChain r = random_chain(dice, random, links, 2, base);
    const LinkId link = id(links - 1);
    Checker(r.chain.link_motion(link, r.from, r.to), after(real, real_link(r.chain, {}, link, r.from, r.to)), 1,
            dice.bits())
        .all(6);
  }
}

TEST(Chain, StillBaseFarAway) {
  Dice dice(RandomBudget::seed(5));
  oracle::Random random(RandomBudget::seed(6));
  for (int i = 0; i < 6; ++i) {
    const Pose pose({1e8, -3e8, 0.1}, oracle::unit_quaternion(random));
    const RandomChain r = random_chain(dice, random, 3, 2, Still{pose});
    const RealPlacement p = placed(pose);
    const Motion m = r.chain.link_motion(id(2), r.from, r.to);
    // Being far from the origin costs nothing.
    EXPECT_LT(m.path().bounds().error, 1e-12);
    Checker(m, after([=](const Real&) { return p; }, real_link(r.chain, {}, id(2), r.from, r.to)), 1, dice.bits())
        .all(8);
  }
}

TEST(Chain, OneJointIsATwist) {
  // Bent by fixed joints and by joints that stay, and still a turn about one axis.
  const Pose bend({0.3, 0, 1}, {1, 0.2, -0.3, 0.5});
  const auto joint = [&](JointType type) { return Joint{type, bend, {0.6, 0, -0.8}, 0.2}; };
  for (const JointType type : {JointType::revolute, JointType::prismatic, JointType::screw}) {
    const Chain chain({{"a", "", joint(JointType::revolute)},
                       {"b", "a", joint(type)},
                       {"c", "b", joint(JointType::fixed)},
                       {"d", "c", joint(JointType::revolute)}});
    const std::vector<double> from{0.3, -0.5, 0.7}, to{0.3, 1.5, 0.7};
    const Motion m = chain.link_motion(id(3), from, to);
    EXPECT_TRUE(m.path().bounds().twist);
    EXPECT_NEAR(m.path().bounds().turn_speed, type == JointType::prismatic ? 0 : 2, 1e-9);
    EXPECT_NEAR(m.path().bounds().speed, type == JointType::prismatic ? 2 : type == JointType::screw ? 0.4 : 0, 1e-9);
    Checker(m, real_link(chain, {}, id(3), from, to), 1, 11).all(30);
  }
}

TEST(Chain, ParallelAxesDoNotMoveAlongThem) {
  // Turned as a whole, with a slide across the axes in between and one along them.
  const Pose tilt({0.3, 0, 1}, {1, 0.2, -0.3, 0.5});
  const auto joint = [&](JointType type, const Vec3& axis) {
    return Joint{type, Pose({0.5, 0.1, -0.2}, {0.8, 0, 0, 0.6}), axis, 0};
  };
  const Chain chain({{"a", "", Joint{JointType::fixed, tilt, {}, 0}},
                     {"b", "a", joint(JointType::revolute, {0, 0, 1})},
                     {"c", "b", joint(JointType::prismatic, {1, 1, 0})},
                     {"d", "c", joint(JointType::revolute, {0, 0, -2})},
                     {"e", "d", joint(JointType::prismatic, {0, 0, 1})}});
  const std::vector<double> from{0.3, -0.5, 0.7, 0}, to{1.8, 0.5, -0.7, -0.25};
  const Motion m = chain.link_motion(id(4), from, to);
  ASSERT_NE(m.path().directed(), nullptr);
  motion::JointAxes axes;
  m.path().at(0.25, {}, axes);
  const RealVector z = placed(tilt).turn({0, 0, 1});
  const Vec3 n{double(z.x), double(z.y), double(z.z)};
  const motion::DirectedRise up = motion::directed_rise(*m.path().directed(), axes, n, 0.75);
  EXPECT_NEAR(graze::dot(n, axes.slide), -0.25, 1e-14);
  for (const double x : {up.speed, up.turn_speed, up.growth, up.turn_growth, up.acceleration, up.turn_acceleration})
    EXPECT_LT(x, 1e-12);
  Checker(m, real_link(chain, {}, id(4), from, to), 1, 11).all(30);
}

TEST(Chain, MoreJointsThanAxesAreKept) {
  std::vector<Link> links;
  std::vector<double> from, to;
  Dice dice(5);
  for (int i = 0; i < 11; ++i) {
    links.push_back(
        {"l" + std::to_string(i), i ? "l" + std::to_string(i - 1) : "",
         Joint{i % 3 ? JointType::revolute : JointType::screw, Pose(dice.point(0.3)), dice.direction(), 0.1}});
    from.push_back(dice.real(-1, 1));
    to.push_back(dice.real(-1, 1));
  }
  const Chain chain(links);
  Checker(chain.link_motion(id(10), from, to), real_link(chain, {}, id(10), from, to), 1, 3).all(10);
}

TEST(Chain, PairsAreSeenFromTheirCommonAncestor) {
  Dice dice(RandomBudget::seed(7));
  oracle::Random random(RandomBudget::seed(8));
  for (RandomBudget budget(12); budget.more() && !HasFailure();) {
    const Motion base = Velocity(Pose{}, Pose({9, 9, 9}, {1, 2, 3, 4}));
    const RandomChain r = random_chain(dice, random, 6, 2, base);
    const LinkId a = id(dice.whole(0, 5)), b = id(dice.whole(0, 5));
    const auto ancestor = r.chain.common_ancestor(a, b);
    const auto [ma, mb] = r.chain.pair_motions(a, b, r.from, r.to);
    Checker(ma, real_link(r.chain, ancestor, a, r.from, r.to), 1, dice.bits()).all(3);
    Checker(mb, real_link(r.chain, ancestor, b, r.from, r.to), 1, dice.bits()).all(3);
    // Joints above the ancestor do not matter: its own motion here is none at all.
    if (ancestor == a) {
      EXPECT_EQ(ma.path().start(), Pose{});
    }
  }
}

TEST(Chain, Ancestors) {
  const Joint j{JointType::revolute, Pose{}, {0, 0, 1}, 0};
  const Chain chain({{"hand", "arm", j}, {"body", "", j}, {"arm", "body", j}, {"leg", "body", j}, {"other", "", j}});
  const LinkId hand = *chain.find("hand"), body = *chain.find("body"), arm = *chain.find("arm"),
               leg = *chain.find("leg"), other = *chain.find("other");
  EXPECT_EQ(chain.common_ancestor(hand, leg), body);
  EXPECT_EQ(chain.common_ancestor(hand, arm), arm);
  EXPECT_EQ(chain.common_ancestor(arm, arm), arm);
  EXPECT_EQ(chain.common_ancestor(hand, other), std::nullopt);
  EXPECT_TRUE(chain.neighbours(hand, arm));
  EXPECT_TRUE(chain.neighbours(body, leg));
  EXPECT_FALSE(chain.neighbours(hand, body));
  EXPECT_FALSE(chain.neighbours(body, other));
  EXPECT_EQ(chain.find("nobody"), std::nullopt);
  EXPECT_EQ(chain.coordinates(), 5u);
}

TEST(Chain, ExactPosesStayExact) {
  const Chain chain({{"base", "", {}},
                     {"up", "base", {JointType::revolute, Pose({0, 0, 2}), {0, 1, 0}, 0}},
                     {"tool", "up", {JointType::fixed, Pose({1, 0, 0}, {1, 1, 0, 0}), {}, 0}}},
                    Still{Pose({1, 2, 3})});
  const std::vector<double> zero{0}, one{1};
  const Motion tool = chain.link_motion(id(2), zero, one);
  EXPECT_EQ(tool.path().start(), Pose({2, 2, 5}, {1, 1, 0, 0}));
  EXPECT_FALSE(tool.path().end().has_value());
  EXPECT_EQ(chain.link_motion(id(2), zero, zero).path().end(), Pose({2, 2, 5}, {1, 1, 0, 0}));
  EXPECT_EQ(chain.link_motion(id(0), zero, one).path().start(), Pose({1, 2, 3}));
}

/// A user-defined base that moves up at constant speed and gives correct bounds.
class Lift : public OwnMotion {
 public:
  Placement at(double t) const override { return {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, t}}; }
  IntervalPlacement over(double t0, double t1) const override {
    IntervalPlacement p;
    p.t[2] = {t0, t1};
    return p;
  }
  double travel(const Vec3& n, const Vec3&, double, double t0, double t1) const override {
    return std::max(0.0, n.z) * (t1 - t0) * (1 + 1e-15);
  }
};

TEST(Chain, CallersOwnBase) {
  const Motion base(std::make_shared<const Lift>());
  const Chain chain({{"a", "", {}},
                     {"b", "a", {JointType::revolute, Pose({1, 0, 0}), {0, 0, 1}, 0}},
                     {"c", "b", {JointType::prismatic, Pose({1, 0, 0}), {1, 1, 0}, 0}}},
                    base);
  const std::vector<double> from{0.2, 0}, to{1.2, 1};
  const RealMotion lift = [](const Real& t) {
    RealPlacement p;
    p.t = {0, 0, t};
    return p;
  };
  const Motion m = chain.link_motion(id(2), from, to);
  EXPECT_FALSE(m.path().kinematic());
  Checker(m, after(lift, real_link(chain, {}, id(2), from, to)), 1, 5).all(60);
  EXPECT_LT(m.travel({0, 0, 1}, {0, 0, 0}, 1, 0.25, 0.75), 0.6);
}

void expect_error(const std::function<void()>& act, ErrorCode code, const std::string& part) {
  try {
    act();
    FAIL() << "no error about " << part;
  } catch (const Error& e) {
    EXPECT_EQ(e.detail().code, code) << e.what();
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
}

TEST(Chain, Errors) {
  const Joint j{JointType::revolute, Pose{}, {0, 0, 1}, 0};
  const auto make = [](std::vector<Link> links) { return [=] { Chain{links}; }; };
  expect_error(make({{"", "", j}}), ErrorCode::bad_option, "no name");
  expect_error(make({{"a", "", j}, {"a", "", j}}), ErrorCode::bad_option, "\"a\" is used twice");
  expect_error(make({{"a", "b", j}}), ErrorCode::bad_option, "\"b\" is no link");
  expect_error(make({{"a", "a", j}}), ErrorCode::bad_option, "cycle");
  expect_error(make({{"a", "c", j}, {"b", "a", j}, {"c", "b", j}}), ErrorCode::bad_option, "cycle");
  Joint bad = j;
  bad.axis = {0, 0, 0};
  expect_error(make({{"a", "", bad}}), ErrorCode::bad_option, "axis is zero");
  bad.axis = {0, NAN, 0};
  expect_error(make({{"a", "", bad}}), ErrorCode::not_finite, "axis");
  bad = {JointType::screw, Pose{}, {0, 0, 1}, HUGE_VAL};
  expect_error(make({{"a", "", bad}}), ErrorCode::not_finite, "pitch");
  const Chain chain({{"a", "", j}, {"b", "a", j}});
  const std::vector<double> two{0, 1}, one{0}, nan{0, NAN}, huge{0, 0x1p20};
  expect_error([&] { chain.link_motion(id(0), one, two); }, ErrorCode::bad_option, "has 2 coordinates");
  expect_error([&] { chain.link_motion(id(0), two, nan); }, ErrorCode::not_finite, "coordinate");
  expect_error([&] { chain.link_motion(id(0), two, huge); }, ErrorCode::bad_option, "2^20");
}

}  // namespace
