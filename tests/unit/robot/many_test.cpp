// SPDX-License-Identifier: MIT
// Batches of states and motions give the answers of the single questions, for any number of threads and whatever was
// asked before.
#include <gtest/gtest.h>

#include <vector>

#include <graze/robot/many.hpp>

#include "random_budget.hpp"
#include "unit/robot/random_robot.hpp"

namespace graze {
namespace {

using namespace testing::robots;
using namespace std::chrono_literals;
using testing::RandomBudget;

struct RobotBatch {
  Case c;
  std::size_t n, count;
  std::vector<double> from, to;

  RobotBatch(Dice& dice, std::size_t entries) : c(random_case(dice)), n(c.robot.coordinates()), count(entries) {
    for (std::size_t i = 0; i < count; ++i) {
      const double reach = std::array{0.01, 0.1, 0.5}[i % 3];
      for (double x : random_state(dice, c.robot)) {
        from.push_back(x);
        to.push_back(x + dice.real(-reach, reach));
      }
    }
  }
  std::span<const double> start(std::size_t i) const { return std::span(from).subspan(i * n, n); }
  std::span<const double> end(std::size_t i) const { return std::span(to).subspan(i * n, n); }
};

TEST(RobotManyThreads, StatesAreAnsweredAsTheSingleOnes) {
  Dice dice(RandomBudget::seed(31));
  std::size_t contacts = 0, free = 0;
  RobotManyMemory memory;  // of all robots in turn
  for (RandomBudget budget(6); budget.more() && !HasFailure();) {
    const RobotBatch batch(dice, 60);
    for (const bool witness : {true, false})
      for (const int threads : {1, 3}) {
        RobotManyOptions<StateOptions> options;
        options.each.witness = witness;
        options.threads = threads;
        options.memory = &memory;
        std::vector<StateResult> results(batch.count);
        const ManyResult many = check_many(batch.c.robot, batch.from, results, options);
        EXPECT_EQ(many.free + many.contact, batch.count);
        contacts += many.contact;
        free += many.free;
        for (std::size_t i = 0; i < batch.count; ++i) {
          const StateResult single = batch.c.robot.check(batch.start(i), {.witness = witness});
          EXPECT_EQ(results[i].status, single.status) << i;
          EXPECT_EQ(results[i].pair, single.pair) << i;
          EXPECT_EQ(results[i].beyond_limits, single.beyond_limits) << i;
        }
      }
  }
  EXPECT_GT(contacts, 5u);  // few cases under sanitizers
  EXPECT_GT(free, 5u);
}

TEST(RobotManyThreads, MotionsAreAnsweredAsTheSingleOnesAndAsFirstContacts) {
  Dice dice(RandomBudget::seed(32));
  std::size_t contacts = 0, free = 0;
  RobotManyMemory memory;
  for (RandomBudget budget(4); budget.more() && !HasFailure();) {
    const RobotBatch batch(dice, 40);
    std::vector<Status> slow;
    for (std::size_t i = 0; i < batch.count; ++i) {
      RobotMotionOptions any;
      any.first = false;
      const Status status = batch.c.robot.check_motion(batch.start(i), batch.end(i), any).status;
      slow.push_back(status == Status::free ? Status::free : Status::contact);
      EXPECT_EQ(batch.c.robot.motion_free(batch.start(i), batch.end(i)).status, slow.back()) << i;
    }
    for (const int threads : {1, 3}) {
      RobotManyOptions<RobotFreeOptions> options;
      options.threads = threads;
      options.memory = &memory;
      std::vector<RobotFreeResult> results(batch.count);
      const ManyResult many = motion_free_many(batch.c.robot, batch.from, batch.to, results, options);
      contacts += many.contact;
      free += many.free;
      for (std::size_t i = 0; i < batch.count; ++i) EXPECT_EQ(results[i].status, slow[i]) << i;
    }
  }
  EXPECT_GT(contacts, 5u);  // few cases under sanitizers
  EXPECT_GT(free, 5u);
}

TEST(RobotMany, OneStartForAllMotions) {
  Dice dice(5);
  const RobotBatch batch(dice, 10);
  std::vector<RobotFreeResult> results(batch.count);
  motion_free_many(batch.c.robot, batch.start(0), batch.to, results);
  for (std::size_t i = 0; i < batch.count; ++i)
    EXPECT_EQ(results[i].status, batch.c.robot.motion_free(batch.start(0), batch.end(i)).status);
}

TEST(RobotMany, ASeparationIsKept) {
  RobotModel model;
  model.links.push_back({"slider", "", {.type = JointType::prismatic, .axis = {1, 0, 0}}});
  model.pieces.push_back({"slider", box(1, 1, 1)});
  Robot robot(model);
  robot.surroundings({{box(1, 1, 1), Pose({0, 1.5, 0}), "wall"}});
  const std::vector<double> from{-3}, to{3};
  EXPECT_EQ(robot.motion_free(from, to).status, Status::free);
  EXPECT_EQ(robot.motion_free(from, to, {.min_separation = 0.49}).status, Status::free);
  EXPECT_EQ(robot.motion_free(from, to, {.min_separation = 0.51}).status, Status::contact);
  robot.padding(0.26);
  EXPECT_EQ(robot.motion_free(from, to, {.min_separation = 0.25}).status, Status::contact);
}

TEST(RobotMany, WhatDoesNotFitIsRefused) {
  Dice dice(6);
  const RobotBatch batch(dice, 4);
  std::vector<StateResult> states(5);
  states[0].status = Status::free;  // of an earlier batch
  ManyResult many = check_many(batch.c.robot, batch.from, states);
  EXPECT_EQ(many.status, Status::invalid_request);
  EXPECT_EQ(many.undecided, 5u);
  ASSERT_TRUE(many.error);
  EXPECT_EQ(many.error->element, "states");
  EXPECT_EQ(states[0].status, Status::undecided);
  std::vector<RobotFreeResult> motions(4);
  many = motion_free_many(batch.c.robot, batch.from, batch.start(0), motions);
  ASSERT_TRUE(many.error);
  EXPECT_EQ(many.error->element, "to");
  RobotManyOptions<RobotFreeOptions> options;
  options.threads = 0;
  EXPECT_EQ(motion_free_many(batch.c.robot, batch.from, batch.to, motions, options).status, Status::invalid_request);
  options = {};
  options.each.min_separation = -1;
  many = motion_free_many(batch.c.robot, batch.from, batch.to, motions, options);
  EXPECT_EQ(many.invalid, 4u);
  options = {};
  std::vector<double> wrong = batch.to;
  wrong[batch.n] = std::nan("");
  many = motion_free_many(batch.c.robot, batch.from, wrong, motions, options);
  EXPECT_EQ(many.status, Status::invalid_request);
  EXPECT_EQ(many.invalid, 1u);
  EXPECT_EQ(motions[1].status, Status::invalid_request);
}

TEST(RobotManyThreads, AnEndedBatchSaysUndecidedOfWhatIsNotAnswered) {
  Dice dice(7);
  const RobotBatch batch(dice, 50);
  for (const int threads : {1, 3}) {
    CancelSource source;
    source.cancel();
    RobotManyOptions<RobotFreeOptions> options;
    options.threads = threads;
    options.cancel = source.token();
    std::vector<RobotFreeResult> results(batch.count);
    results[3].status = Status::free;
    EXPECT_EQ(motion_free_many(batch.c.robot, batch.from, batch.to, results, options).undecided, batch.count);
    EXPECT_EQ(results[3].status, Status::undecided);
    options.cancel = {};
    options.budget = 0ns;
    EXPECT_EQ(motion_free_many(batch.c.robot, batch.from, batch.to, results, options).undecided, batch.count);
    options.budget = 1h;
    const ManyResult many = motion_free_many(batch.c.robot, batch.from, batch.to, results, options);
    EXPECT_EQ(many.free + many.contact, batch.count);
  }
}

}  // namespace
}  // namespace graze
