// SPDX-License-Identifier: MIT
// A batch gives the answers of the single questions, for any number of threads, and ends when it is told to.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include <graze/ask/many.hpp>
#include <graze/mesh/make.hpp>

namespace graze {
namespace {

using namespace std::chrono_literals;

struct ManyScene {
  Body knot{make::torus_knot({.triangles = 960})}, ball{make::sphere({.triangles = 320})};
  std::vector<Pose> poses, others;
  std::vector<Motion> motions;

  explicit ManyScene(std::size_t count) {
    std::mt19937_64 engine(5);
    const auto draw = [&](double lo, double hi) {
      return lo + (hi - lo) * std::ldexp(static_cast<double>(engine() >> 11), -53);
    };
    const auto pose = [&] {
      const double x = draw(-4, 4), y = draw(-4, 4), z = draw(-2, 2), a = draw(-1, 1), b = draw(-1, 1);
      return Pose({x, y, z}, {1, a, b, 0.3});
    };
    for (std::size_t i = 0; i < count; ++i) {
      poses.push_back(pose());
      others.push_back(pose());
      motions.push_back(Velocity(poses.back(), others.back()));
    }
  }
};

void expect_same(const CollideResult& x, const CollideResult& y, std::size_t i) {
  EXPECT_EQ(x.status, y.status) << i;
  EXPECT_EQ(x.kind, y.kind) << i;
  EXPECT_EQ(x.contained, y.contained) << i;
  EXPECT_EQ(x.pairs, y.pairs) << i;
  EXPECT_EQ(x.features, y.features) << i;
  EXPECT_EQ(x.points, y.points) << i;
  EXPECT_EQ(x.normal, y.normal) << i;
}

void expect_same(const DistanceResult& x, const DistanceResult& y, std::size_t i) {
  EXPECT_EQ(x.status, y.status) << i;
  EXPECT_EQ(x.distance, y.distance) << i;
  EXPECT_EQ(x.points, y.points) << i;
  EXPECT_EQ(x.feature, y.feature) << i;
  EXPECT_EQ(x.pair, y.pair) << i;
  EXPECT_EQ(x.normal, y.normal) << i;
}

bool same_number(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

void expect_same(const FirstContactResult& x, const FirstContactResult& y, std::size_t i) {
  EXPECT_EQ(x.status, y.status) << i;
  EXPECT_EQ(x.time.safe, y.time.safe) << i;
  EXPECT_TRUE(same_number(x.time.touch, y.time.touch)) << i;
  EXPECT_TRUE(same_number(x.gap, y.gap)) << i;
  EXPECT_EQ(x.tolerance, y.tolerance) << i;
  EXPECT_EQ(x.pair, y.pair) << i;
  EXPECT_EQ(x.features, y.features) << i;
  EXPECT_EQ(x.points, y.points) << i;
  EXPECT_EQ(x.normal, y.normal) << i;
  EXPECT_EQ(x.direction, y.direction) << i;
}

void expect_same(const MotionFreeResult& x, const MotionFreeResult& y, std::size_t i) {
  EXPECT_EQ(x.status, y.status) << i;
  EXPECT_EQ(x.time, y.time) << i;
  EXPECT_EQ(x.tolerance, y.tolerance) << i;
  EXPECT_EQ(x.probes, y.probes) << i;
}

template <class Result>
void expect_counts(const ManyResult& many, const std::vector<Result>& results) {
  std::size_t free = 0, contact = 0, undecided = 0;
  for (const Result& r : results) {
    free += r.status == Status::free;
    contact += r.status == Status::contact || r.status == Status::touching_at_start;
    undecided += r.status == Status::undecided;
  }
  EXPECT_EQ(many.free, free);
  EXPECT_EQ(many.contact, contact);
  EXPECT_EQ(many.undecided, undecided);
  EXPECT_EQ(many.invalid, 0u);
  EXPECT_EQ(many.status, contact ? Status::contact : undecided ? Status::undecided : Status::free);
}

TEST(ManyThreads, CollideAnswersAsTheSingleQuestion) {
  const ManyScene scene(200);
  for (const bool all : {false, true})
    for (const int threads : {1, 2, 5}) {
      ManyOptions<CollideOptions> options;
      options.each.all = all;
      options.threads = threads;
      std::vector<CollideResult> results(scene.poses.size());
      const ManyResult many = collide_many(scene.knot, scene.poses, scene.ball, scene.others, results, options);
      expect_counts(many, results);
      EXPECT_GT(many.contact, 5u);
      EXPECT_GT(many.free, 5u);
      for (std::size_t i = 0; i < results.size(); ++i)
        expect_same(results[i], collide(scene.knot, scene.poses[i], scene.ball, scene.others[i], options.each), i);
    }
}

TEST(ManyThreads, DistanceAnswersAsTheSingleQuestionWithOnePoseForAll) {
  const ManyScene scene(60);
  const Pose here({0.5, 0, 0});
  for (const int threads : {1, 3}) {
    ManyOptions<DistanceOptions> options;
    options.threads = threads;
    std::vector<DistanceResult> results(scene.poses.size());
    expect_counts(distance_many(scene.knot, here, scene.ball, scene.poses, results, options), results);
    for (std::size_t i = 0; i < results.size(); ++i)
      expect_same(results[i], distance(scene.knot, here, scene.ball, scene.poses[i]), i);
    expect_counts(distance_many(scene.knot, scene.poses, scene.ball, here, results, options), results);
    for (std::size_t i = 0; i < results.size(); ++i)
      expect_same(results[i], distance(scene.knot, scene.poses[i], scene.ball, here), i);
  }
}

TEST(ManyThreads, FirstContactAndMotionFreeAnswerAsTheSingleQuestions) {
  const ManyScene scene(60);
  const Motion still = Still{Pose()};
  for (const std::string_view method : {"best_first", "advancement"}) {
    ManyOptions<FirstContactOptions> options;
    options.each.method = method;
    std::vector<FirstContactResult> single(scene.motions.size());
    std::vector<MotionFreeResult> single_free(scene.motions.size());
    for (std::size_t i = 0; i < single.size(); ++i) {
      first_contact(scene.ball, scene.motions[i], scene.knot, still, options.each, single[i]);
      motion_free(scene.ball, scene.motions[i], scene.knot, still, options.each, single_free[i]);
    }
    ManyMemory memory;
    options.memory = &memory;
    for (const int threads : {1, 4, 2}) {
      options.threads = threads;
      std::vector<FirstContactResult> results(scene.motions.size());
      const ManyResult many = first_contact_many(scene.ball, scene.motions, scene.knot, still, results, options);
      expect_counts(many, results);
      EXPECT_GT(many.contact, 5u);
      EXPECT_GT(many.free, 5u);
      for (std::size_t i = 0; i < results.size(); ++i) expect_same(results[i], single[i], i);
      std::vector<MotionFreeResult> free(scene.motions.size());
      expect_counts(motion_free_many(scene.ball, scene.motions, scene.knot, still, free, options), free);
      for (std::size_t i = 0; i < free.size(); ++i) expect_same(free[i], single_free[i], i);
    }
  }
}

TEST(Many, AMemoryMayServeOtherBodies) {
  const ManyScene scene(20);
  const Body box(make::box()), other(make::torus({.triangles = 200}));
  const Motion still = Still{Pose()};
  ManyMemory memory;
  for (const std::string_view method : {"best_first", "advancement", "interval"})
    for (const Body* body : {&scene.ball, &box, &other, &scene.ball}) {
      ManyOptions<FirstContactOptions> options;
      options.each.method = method;
      options.memory = &memory;
      std::vector<FirstContactResult> results(scene.motions.size());
      first_contact_many(*body, scene.motions, scene.knot, still, results, options);
      for (std::size_t i = 0; i < results.size(); ++i)
        expect_same(results[i], first_contact(*body, scene.motions[i], scene.knot, still, options.each), i);
    }
}

TEST(Many, ShapesAreAnswered) {
  const ManyScene scene(40);
  const Body capsule(shape::Capsule{0.3, 1});
  std::vector<CollideResult> hits(scene.poses.size());
  collide_many(scene.knot, Pose(), capsule, scene.poses, hits);
  std::vector<MotionFreeResult> free(scene.motions.size());
  motion_free_many(scene.knot, Motion(), capsule, scene.motions, free);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    expect_same(hits[i], collide(scene.knot, Pose(), capsule, scene.poses[i]), i);
    expect_same(free[i], motion_free(scene.knot, Motion(), capsule, scene.motions[i]), i);
  }
}

TEST(Many, AnEmptyBatchIsFree) {
  const ManyScene scene(0);
  std::vector<CollideResult> none;
  const ManyResult many = collide_many(scene.knot, scene.poses, scene.ball, Pose(), none);
  EXPECT_EQ(many.status, Status::free);
  EXPECT_EQ(many.free, 0u);
}

TEST(Many, ABatchThatDoesNotFitIsRefused) {
  const ManyScene scene(3);
  std::vector<CollideResult> results(4);
  results[0].status = Status::free;  // of an earlier batch
  ManyResult many = collide_many(scene.knot, scene.poses, scene.ball, Pose(), results);
  EXPECT_EQ(many.status, Status::invalid_request);
  ASSERT_TRUE(many.error);
  EXPECT_EQ(many.error->element, "poses of A");
  EXPECT_EQ(results[0].status, Status::undecided);
  EXPECT_EQ(many.undecided, 4u);
  many = collide_many(scene.knot, Pose(), scene.ball, scene.poses, results);
  EXPECT_EQ(many.error->element, "poses of B");
  ManyOptions<CollideOptions> options;
  options.threads = 0;
  EXPECT_EQ(collide_many(scene.knot, Pose(), scene.ball, Pose(), results, options).status, Status::invalid_request);
  options.threads = 2;
  options.each.method = "no such method";
  many = collide_many(scene.knot, Pose(), scene.ball, Pose(), results, options);
  EXPECT_EQ(many.status, Status::invalid_request);
  EXPECT_EQ(many.invalid, 4u);
  ASSERT_TRUE(many.error);
  EXPECT_NE(many.error->message.find("no such method"), std::string::npos);
}

TEST(ManyThreads, ACancelledBatchSaysUndecidedOfWhatIsNotAnswered) {
  const ManyScene scene(100);
  const Motion still = Still{Pose()};
  for (const int threads : {1, 3}) {
    CancelSource source;
    source.cancel();
    ManyOptions<FirstContactOptions> options;
    options.threads = threads;
    std::vector<FirstContactResult> results(scene.motions.size());
    first_contact_many(scene.ball, scene.motions, scene.knot, still, results, options);
    options.cancel = source.token();
    ManyResult many = first_contact_many(scene.ball, scene.motions, scene.knot, still, results, options);
    EXPECT_EQ(many.status, Status::undecided);
    EXPECT_EQ(many.undecided, results.size());
    for (const FirstContactResult& r : results) {
      EXPECT_EQ(r.time.safe, 0);
      EXPECT_TRUE(std::isnan(r.time.touch));
      EXPECT_FALSE(r.pair || r.points || r.normal || r.direction);
      EXPECT_TRUE(r.features.empty());
    }
  }
}

/// Cancels the batch from inside its n-th entry.
class CancellingMotion : public OwnMotion {
 public:
  explicit CancellingMotion(const CancelSource& source) : source_(source) {}
  Placement at(double) const override {
    source_.cancel();
    return {};
  }
  IntervalPlacement over(double, double) const override { return {}; }
  double travel(const Vec3&, const Vec3&, double, double, double) const override { return 0; }

 private:
  CancelSource source_;
};

TEST(ManyThreads, WhatWasAnsweredBeforeTheCancellationStays) {
  ManyScene scene(40);
  const CancelSource source;
  scene.motions[20] = Motion(std::make_shared<CancellingMotion>(source));
  ManyOptions<FirstContactOptions> options;
  options.cancel = source.token();
  std::vector<FirstContactResult> results(scene.motions.size());
  const ManyResult many = first_contact_many(scene.ball, scene.motions, scene.knot, Motion(), results, options);
  EXPECT_GE(many.undecided, 19u);
  for (std::size_t i = 0; i < 20; ++i)
    expect_same(results[i], first_contact(scene.ball, scene.motions[i], scene.knot, Motion()), i);
  for (std::size_t i = 21; i < 40; ++i) EXPECT_EQ(results[i].status, Status::undecided) << i;
}

TEST(Many, ABudgetIsThatOfTheWholeBatch) {
  const ManyScene scene(50);
  ManyOptions<FirstContactOptions> options;
  options.budget = 0ns;
  std::vector<MotionFreeResult> results(scene.motions.size());
  EXPECT_EQ(motion_free_many(scene.ball, scene.motions, scene.knot, Motion(), results, options).undecided, 50u);
  options.budget = 1h;
  expect_counts(motion_free_many(scene.ball, scene.motions, scene.knot, Motion(), results, options), results);
  // The limits of an entry are its own: it is `undecided`, the others are not.
  options.each.work = 1;
  std::vector<MotionFreeResult> limited(scene.motions.size());
  motion_free_many(scene.ball, scene.motions, scene.knot, Motion(), limited, options);
  for (std::size_t i = 0; i < limited.size(); ++i)
    expect_same(limited[i], motion_free(scene.ball, scene.motions[i], scene.knot, Motion(), options.each), i);
}

}  // namespace
}  // namespace graze
