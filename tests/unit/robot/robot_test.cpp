// SPDX-License-Identifier: MIT
// Robots against the slow certain way: all pairs of links by `first_contacts` of chains, and states placed in 100
// digits.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include <graze/ask/collide.hpp>
#include <graze/ask/many_bodies.hpp>
#include <graze/mesh/make.hpp>
#include <graze/robot/many.hpp>
#include <graze/robot/robot.hpp>
#include <graze/world/world.hpp>

#include "counted_new.hpp"
#include "random_budget.hpp"
#include "unit/motion/reference.hpp"
#include "unit/robot/random_robot.hpp"

namespace {
std::atomic<std::size_t> requests{0};
}
void counted_request(std::size_t) { ++requests; }

namespace {

using namespace graze;
using namespace graze::testing::robots;
using graze::testing::Dice;
using graze::testing::RandomBudget;

/// An arm in the plane z = 0: links of length one along x, thin boxes, turning about z.
RobotModel flat_arm(int links) {
  RobotModel model;
  model.links.push_back({"base", "", {}});
  for (int i = 0; i < links; ++i) {
    const std::string name = "l" + std::to_string(i);
    Joint joint{.type = JointType::revolute, .origin = Pose({i ? 1.0 : 0.0, 0, 0}), .limits = JointLimits{-3, 3}};
    model.links.push_back({name, i ? "l" + std::to_string(i - 1) : "base", joint});
    model.pieces.push_back({name, box(0.8, 0.1, 0.1), Pose({0.5, 0, 0})});
  }
  return model;
}

/// The same question asked of the chain and bodies alone, pair by pair.
FirstContactsResult ask_slowly(const Case& c, const std::vector<double>& from, const std::vector<double>& to) {
  const Robot& robot = c.robot;
  const RobotModel& model = robot.model();
  FirstContactsResult all;
  all.status = Status::free;
  const auto take = [&](std::uint32_t a, const Body& body_a, const Motion& ma, std::uint32_t b, const Body& body_b,
                        const Motion& mb) {
    const FirstContactResult r = first_contact(body_a, ma, body_b, mb);
    if (r.status == Status::free) return;
    if (!all.earliest || r.time.touch < all.earliest->contact.time.touch) all.earliest = PairContact{a, b, r};
    all.status = all.earliest->contact.status;
  };
  const auto link = [&](std::uint32_t p) { return robot.chain().find(model.pieces[p].link).value(); };
  for (std::uint32_t i = 0; i < model.pieces.size(); ++i) {
    const RobotPiece& a = model.pieces[i];
    for (std::uint32_t j = i + 1; j < model.pieces.size(); ++j) {
      const RobotPiece& b = model.pieces[j];
      if (a.link == b.link || robot.allowed(a.link, b.link)) continue;
      const auto [ma, mb] = robot.chain().pair_motions(link(i), link(j), from, to, a.pose, b.pose);
      take(i, a.body, ma, j, b.body, mb);
    }
    for (std::uint32_t o = 0; o < c.obstacles.size(); ++o)
      take(i, a.body, robot.chain().link_motion(link(i), from, to, a.pose),
           static_cast<std::uint32_t>(model.pieces.size()) + o, c.obstacles[o].body, Still{c.obstacles[o].pose});
  }
  return all;
}

TEST(Robot, RandomMotionsAgainstAllPairs) {
  Dice dice(RandomBudget::seed(21));
  int contacts = 0, free = 0;
  for (RandomBudget budget(40); budget.more() && !HasFailure();) {
    const Case c = random_case(dice);
    const std::vector<double> from = random_state(dice, c.robot);
    std::vector<double> to = from;
    const double reach = std::array{0.02, 0.2, 1.0}[dice.bits() % 3];
    for (double& x : to) x += dice.real(-reach, reach);
    const FirstContactsResult slow = ask_slowly(c, from, to);
    const RobotMotionResult fast = c.robot.check_motion(from, to);
    ASSERT_EQ(name(fast.status), name(slow.status));
    ++(slow.status == Status::free ? free : contacts);
    RobotMotionOptions any;
    any.first = false;
    EXPECT_EQ(c.robot.check_motion(from, to, any).status == Status::free, slow.status == Status::free);
    if (!slow.earliest) continue;
    EXPECT_EQ(fast.contact.time.touch, slow.earliest->contact.time.touch);
    EXPECT_EQ(fast.contact.time.safe, slow.earliest->contact.time.safe);
  }
  EXPECT_GT(contacts, 4);
  EXPECT_GT(free, 4);
}

TEST(Robot, RandomStatesAgainstMotionsThatStay) {
  Dice dice(RandomBudget::seed(22));
  int contacts = 0, free = 0;
  RobotMemory memory;
  for (RandomBudget budget(150); budget.more() && !HasFailure();) {
    const Case c = random_case(dice);
    const std::vector<double> q = random_state(dice, c.robot);
    const FirstContactsResult slow = ask_slowly(c, q, q);
    StateOptions options;
    options.memory = &memory;
    const StateResult fast = c.robot.check(q, options);
    ASSERT_EQ(fast.status == Status::free, slow.status == Status::free);
    options.witness = false;
    EXPECT_EQ(c.robot.check(q, options).status, fast.status);
    ++(slow.status == Status::free ? free : contacts);
    const RobotDistanceResult d = c.robot.distance(q);
    EXPECT_EQ(d.distance > 0, fast.status == Status::free);
    EXPECT_LE(d.lower, d.distance);
    EXPECT_GE(d.lower, d.distance - 1e-8);
  }
  EXPECT_GT(contacts, 10);
  EXPECT_GT(free, 10);
}

TEST(Robot, ThreadsAndPathsGiveTheSameAnswer) {
  Dice dice(RandomBudget::seed(23));
  for (int i = 0; i < 8 && !HasFailure(); ++i) {
    const Case c = random_case(dice);
    std::vector<double> path;
    std::vector<double> q = random_state(dice, c.robot);
    for (int k = 0; k < 6; ++k) {
      path.insert(path.end(), q.begin(), q.end());
      for (double& x : q) x += dice.real(-0.1, 0.1);
    }
    RobotMotionOptions options;
    const RobotMotionResult one = c.robot.check_path(path, options);
    options.threads = 3;
    const RobotMotionResult three = c.robot.check_path(path, options);
    EXPECT_EQ(one.status, three.status);
    EXPECT_EQ(one.segment, three.segment);
    EXPECT_EQ(one.pair, three.pair);
    EXPECT_EQ(one.contact.time.safe, three.contact.time.safe);
    const std::size_t n = c.robot.coordinates(), s = one.segment;
    const RobotMotionResult single =
        c.robot.check_motion(std::span(path).subspan(s * n, n), std::span(path).subspan((s + 1) * n, n));
    EXPECT_EQ(single.status, one.status);
    EXPECT_EQ(single.contact.time.safe, one.contact.time.safe);
  }
}

TEST(Robot, FindsAThinWallBetweenStates) {
  Robot robot(flat_arm(2));
  robot.surroundings({{box(1, 0.0001, 1), Pose({1.5, 0.5, 0}), "sheet"}});
  const std::vector<double> from{0, 0.2}, to{1.2, 0.2};
  EXPECT_EQ(robot.check(from).status, Status::free);
  EXPECT_EQ(robot.check(to).status, Status::free);
  const RobotMotionResult r = robot.check_motion(from, to);
  ASSERT_EQ(r.status, Status::contact);
  EXPECT_EQ(robot.part(r.pair->b).name, "sheet");
  EXPECT_EQ(robot.part(r.pair->a).name, "l1");
}

TEST(Robot, WhichPairsAreAsked) {
  Robot robot(flat_arm(3));
  EXPECT_EQ(robot.pairs(), 1u);  // l0 and l2
  EXPECT_EQ(robot.allowed("l0", "l1"), "adjacent");
  const std::vector<double> folded{0, 2.9, 2.9};
  ASSERT_EQ(robot.check(folded).status, Status::contact);
  robot.allow("l2", "l0", "held together");
  EXPECT_EQ(robot.allowed("l0", "l2"), "held together");
  EXPECT_EQ(robot.check(folded).status, Status::free);
  robot.forbid("l0", "l1");
  EXPECT_EQ(robot.check(folded).pair, (PartPair{0, 1}));
  EXPECT_THROW(robot.allow("l0", "nothing"), Error);

  Robot guess(flat_arm(3));
  const std::vector<AllowedPair> found = guess.allow_touching(folded);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].reason.find("guess"), std::string::npos);
  EXPECT_EQ(guess.check(folded).status, Status::free);
}

TEST(Robot, AdjacencyPassesLinksWithoutBodies) {
  RobotModel model = flat_arm(2);
  model.links.push_back({"flange", "l1", {JointType::fixed, Pose({1, 0, 0})}});
  model.links.push_back({"wrist", "flange", {JointType::revolute}});
  model.links.push_back({"tool", "wrist", {JointType::revolute}});
  model.pieces.push_back({"tool", box(0.3, 0.3, 0.3)});
  Robot robot(model);
  EXPECT_EQ(robot.allowed("l1", "tool"), "adjacent");
  EXPECT_EQ(robot.allowed("l0", "tool"), std::nullopt);
  EXPECT_EQ(robot.allowed("l1", "flange"), "never move relative to each other");
  model.allowed.push_back({"l0", "tool", "Never"});
  Robot listed(model);  // a list of pairs says all
  EXPECT_EQ(listed.allowed("l1", "tool"), std::nullopt);
  EXPECT_EQ(listed.allowed("tool", "l0"), "Never");
}

TEST(Robot, Padding) {
  Robot robot(flat_arm(2));
  robot.surroundings({{box(0.1, 0.1, 0.1), Pose({0.5, 0.2, 0})}});  // 0.1 from the first link
  const std::vector<double> q{0, 0.5};
  EXPECT_EQ(robot.check(q).status, Status::free);
  robot.padding("l0", 0.09);
  EXPECT_EQ(robot.check(q).status, Status::free);
  robot.padding("l0", 0.11);
  EXPECT_EQ(robot.check(q).status, Status::contact);
  robot.padding("l0", 0);
  robot.padding("l1", 0.11);
  EXPECT_EQ(robot.check(q).status, Status::free);
  EXPECT_THROW(robot.padding(-1), Error);
  const std::vector<double> nearer{0.05, 0.5};
  robot.padding("l0", 0.08);
  RobotMotionResult r = robot.check_motion(q, nearer);
  EXPECT_EQ(r.status, Status::contact);
  robot.padding(0);
  EXPECT_EQ(robot.check_motion(q, nearer).status, Status::free);
}

TEST(Robot, AttachedBodies) {
  Robot robot(flat_arm(2));
  robot.surroundings({{box(0.1, 0.1, 0.1), Pose({2.3, 0, 0}), "pin"}});
  const std::vector<double> q{0, 0};
  EXPECT_EQ(robot.check(q).status, Status::free);
  robot.attach({"rod", "l1", box(1, 0.05, 0.05), Pose({1, 0, 0})});
  ASSERT_EQ(robot.check(q).status, Status::contact);
  EXPECT_EQ(robot.part(robot.check(q).pair->a).name, "rod");
  EXPECT_THROW(robot.attach({"rod", "l1", box(1, 1, 1)}), Error);
  EXPECT_EQ(robot.check(std::vector<double>{0, 0.3}).status, Status::free);
  // Swung into the first link, which it may touch or not.
  robot.detach("rod");
  robot.attach({"rod", "l1", box(1, 0.05, 0.05), Pose({-0.5, 0.2, 0})});
  robot.surroundings(std::vector<Obstacle>{});
  EXPECT_EQ(robot.check(std::vector<double>{0, 0.5}).status, Status::contact);
  robot.detach("rod");
  robot.attach({"rod", "l1", box(1, 0.05, 0.05), Pose({-0.5, 0.2, 0}), {"l0"}});
  EXPECT_EQ(robot.check(std::vector<double>{0, 0.5}).status, Status::free);
  EXPECT_FALSE(robot.detach("box"));
}

TEST(Robot, SurroundingsOfAWorld) {
  World world;
  BodySettings settings;
  settings.name = "table";
  world.add(box(1, 1, 0.1), Pose({1, 0, 0}), settings);
  Robot robot(flat_arm(2));
  robot.surroundings(world);
  const StateResult r = robot.check(std::vector<double>{0, 0.5});
  ASSERT_EQ(r.status, Status::contact);
  EXPECT_EQ(robot.part(r.pair->b).name, "table");
  EXPECT_EQ(robot.part(r.pair->b).link, std::nullopt);
}

TEST(Robot, TouchingExactlyIsDecided) {
  // A gantry: its poses are exact doubles, and so are the answers.
  RobotModel model;
  model.links = {{"rail", "", {}}, {"cart", "rail", {JointType::prismatic, {}, {1, 0, 0}}}};
  model.pieces = {{"cart", Body(cube())}};
  Robot robot(model);
  robot.surroundings({{Body(cube()), Pose({3, 0, 0})}});
  EXPECT_EQ(robot.check(std::vector<double>{2}).status, Status::contact);
  EXPECT_EQ(robot.check(std::vector<double>{std::nextafter(2.0, 0.0)}).status, Status::free);
}

TEST(Robot, LimitsAndMistakes) {
  Robot robot(flat_arm(2));
  EXPECT_EQ(robot.check(std::vector<double>{0, 3.1}).beyond_limits, robot.chain().find("l1"));
  EXPECT_EQ(robot.check(std::vector<double>{0}).status, Status::invalid_request);
  EXPECT_EQ(robot.check(std::vector<double>{0, NAN}).status, Status::invalid_request);
  EXPECT_EQ(robot.check_motion(std::vector<double>{0, 0}, std::vector<double>{0}).status, Status::invalid_request);
  EXPECT_EQ(robot.check_path(std::vector<double>{0, 0, 1}).status, Status::invalid_request);
  RobotMotionOptions options;
  options.threads = 0;
  EXPECT_EQ(robot.check_motion(std::vector<double>{0, 0}, std::vector<double>{0, 1}, options).status,
            Status::invalid_request);
  CancelSource source;
  source.cancel();
  StateOptions cancelled;
  cancelled.cancel = source.token();
  EXPECT_EQ(robot.check(std::vector<double>{0, 0}, cancelled).status, Status::undecided);
}

TEST(Robot, ProofsOfAMotion) {
  Robot robot(flat_arm(3));
  robot.surroundings({{Body(cube()), Pose({0, 5, 0})}});
  RobotMotionOptions options;
  options.certificates = true;
  const RobotMotionResult r =
      robot.check_motion(std::vector<double>{0, 0.1, 0.2}, std::vector<double>{0.5, 0, 0.1}, options);
  EXPECT_EQ(r.status, Status::free);
  EXPECT_EQ(r.proofs.size(), robot.pairs());
  for (const PairProof& proof : r.proofs) EXPECT_TRUE(proof.certificate.has_value());
}

TEST(Robot, AWarmCheckAllocatesNothing) {
  Robot robot(flat_arm(4));
  robot.surroundings({{Body(ball(0.5)), Pose({1.5, 0.7, 0})}});
  RobotMemory memory;
  StateOptions options;
  options.memory = &memory;
  StateResult result;
  const std::vector<double> q{0, 0.1, 0.2, 0.3};
  robot.check(q, options, result);
  requests = 0;
  robot.check(q, options, result);
  EXPECT_EQ(requests, 0u);
}

TEST(RobotMemory, WarmBatchesAllocateNothing) {
  for (const bool meshes : {false, true}) {
    RobotModel arm = flat_arm(4);
    if (meshes)
      for (RobotPiece& piece : arm.pieces) piece.body = Body(make::box({.size = {0.8, 0.1, 0.1}}));
    Robot robot(arm);
    robot.surroundings(
        {{meshes ? Body(cube()) : box(1, 1, 1), Pose({0, 3, 0}), "wall"}, {Body(ball(0.5)), Pose({-3, 1, 0}), "ball"}});
    std::vector<double> from, to;
    Dice dice(8);
    for (int i = 0; i < 160; ++i) {
      from.push_back(dice.real(-1.5, 1.5));
      to.push_back(from.back() + dice.real(-0.3, 0.3));
    }
    std::vector<StateResult> states(40);
    std::vector<RobotFreeResult> motions(40);
    RobotManyMemory memory;
    RobotManyOptions<StateOptions> of_states;
    RobotManyOptions<RobotFreeOptions> of_motions;
    of_states.memory = of_motions.memory = &memory;
    std::size_t allocated = 0;
    for (int turn = 0; turn < 3; ++turn) {
      requests = 0;
      const ManyResult s = check_many(robot, from, states, of_states);
      const ManyResult m = motion_free_many(robot, from, to, motions, of_motions);
      allocated = requests;
      EXPECT_GT(s.contact, 0u);
      EXPECT_GT(s.free, 0u);
      EXPECT_GT(m.contact, 0u);
      EXPECT_GT(m.free, 0u);
    }
    for (const RobotFreeResult& motion : motions) EXPECT_EQ(motion.searches, 0u);
    EXPECT_EQ(allocated, 0u);
  }
}

TEST(Robot, ANamedStateFitsOrChangesNothing) {
  RobotModel model;
  for (const char* const name : {"l0", "l1", "l2"}) model.links.push_back({name, "", {.type = JointType::revolute}});
  model.states = {
      {"long", "", {{"l1", {1}}, {"l0", {1, 2, 3}}}}, {"end", "", {{"l2", {1, 2}}}}, {"fits", "", {{"l2", {7}}}}};
  const Robot robot(model);
  std::vector<double> q(3, 0.5);
  for (const char* const name : {"long", "end"}) {
    EXPECT_THROW(robot.set_named_state(name, q), Error) << name;
    EXPECT_EQ(q, std::vector<double>(3, 0.5)) << name;
  }
  robot.set_named_state("fits", q);
  EXPECT_EQ(q, (std::vector<double>{0.5, 0.5, 7}));
}

TEST(Robot, StatesOfOneNameInTwoGroups) {
  RobotModel model;
  for (const char* const name : {"l0", "l1"}) model.links.push_back({name, "", {.type = JointType::revolute}});
  model.states = {{"home", "arm", {{"l0", {1}}}}, {"home", "hand", {{"l1", {2}}}}, {"open", "hand", {{"l1", {3}}}}};
  const Robot robot(model);
  std::vector<double> q(2, 0.5);
  EXPECT_THROW(robot.set_named_state("home", q), Error);
  EXPECT_EQ(q, std::vector<double>(2, 0.5));
  robot.set_named_state("hand/home", q);
  EXPECT_EQ(q, (std::vector<double>{0.5, 2}));
  robot.set_named_state("open", q);
  robot.set_named_state("arm/home", q);
  EXPECT_EQ(q, (std::vector<double>{1, 3}));
}

/// Also where single states prove the whole motion, and no pair is asked with the options.
TEST(Robot, WrongOptionsAreRefused) {
  Robot robot(flat_arm(2));
  robot.surroundings({{box(1, 1, 1), Pose({0, 0, 9}), "lamp", {}}});
  const std::vector<double> from(robot.coordinates(), 0), to(robot.coordinates(), 0.1);
  ASSERT_EQ(robot.check_motion(from, to).status, Status::free);
  const auto status = [&](auto change) {
    RobotMotionOptions options;
    change(options.pair);
    return robot.check_motion(from, to, options).status;
  };
  EXPECT_EQ(status([](FirstContactOptions& o) { o.min_separation = std::nan(""); }), Status::invalid_request);
  EXPECT_EQ(status([](FirstContactOptions& o) { o.min_separation = -5; }), Status::invalid_request);
  EXPECT_EQ(status([](FirstContactOptions& o) { o.tolerance = -1; }), Status::invalid_request);
  EXPECT_EQ(status([](FirstContactOptions& o) { o.method = "none"; }), Status::invalid_request);
}

}  // namespace
