// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <graze/classic/zachmann.hpp>

#include "unit/classic/zachmann/thesis_bodies.hpp"

namespace graze::thesis {
namespace {

Answer sample(const Placed& p, classic::zachmann::SamplingOptions options = {.points = 50}) {
  return ask(p, {.method = "sampling", .solid = true, .zachmann = classic::zachmann::Options{.sampling = options}});
}

TEST(Sampling, ContactIsCertain) {
  oracle::Random random(41);
  int found = 0, missed = 0;
  for (int i = 0; i < 500; ++i) {
    const Placed p = random_convex_pair(random);
    const CollideResult answer = sample(p), truth = brute(p, true);
    EXPECT_TRUE(answer.status == Status::contact || answer.status == Status::undecided);
    EXPECT_TRUE(answer.status == Status::undecided || truth.status == Status::contact) << text(p);
    EXPECT_EQ(answer.points.has_value(), answer.status == Status::contact);
    found += answer.status == Status::contact;
    missed += answer.status == Status::undecided && truth.status == Status::contact;
  }
  EXPECT_GT(found, 100);
  EXPECT_GT(missed, 0) << "it has no uncertain side?";
}

TEST(Sampling, VerticesFirst) {
  // A corner of each in the other.
  const Placed corners{Body(box({0, 0, 0}, {2, 2, 2})), Body(box({1, 1, 1}, {3, 3, 3})), Pose(), Pose()};
  const Answer by_vertex = sample(corners);
  EXPECT_EQ(by_vertex.status, Status::contact);
  EXPECT_EQ(by_vertex.counters.sampled_vertices, 1u) << "others are outside the other's box";
  EXPECT_EQ(by_vertex.counters.sampled_points, 0u);
  const Answer by_point = sample(corners, {.points = 50, .vertices_first = false});
  EXPECT_EQ(by_point.status, Status::contact);
  EXPECT_EQ(by_point.counters.sampled_vertices, 0u);
  EXPECT_EQ(by_point.counters.sampled_points, 1u) << "every point of both boxes is in both bodies";
  // Crossing rods have no vertex in each other.
  const Placed rods{Body(box({-8, -1, -1}, {8, 1, 1})), Body(box({-0.5, -9, -0.5}, {0.5, 9, 0.5})), Pose(), Pose()};
  const Answer crossing = sample(rods);
  EXPECT_EQ(crossing.status, Status::contact);
  EXPECT_GT(crossing.counters.sampled_points, 0u);
  EXPECT_EQ(sample(rods, {.points = 0}).status, Status::undecided);
}

TEST(Sampling, TouchingAndContainedBodies) {
  const Body large(box({0, 0, 0}, {4, 4, 4}));
  EXPECT_EQ(sample({large, Body(box({1, 1, 4}, {2, 2, 5})), Pose(), Pose()}).status, Status::contact);
  EXPECT_EQ(sample({large, Body(box({1, 1, 1}, {2, 2, 2})), Pose(), Pose()}).status, Status::contact);
  EXPECT_EQ(sample({Body(box({1, 1, 1}, {2, 2, 2})), large, Pose(), Pose()}).status, Status::contact);
  EXPECT_EQ(sample({large, Body(box({1, 1, std::nextafter(4.0, 5.0)}, {2, 2, 5})), Pose(), Pose()}).status,
            Status::undecided);
}

TEST(Sampling, ConcaveBodies) {
  const Body torus(make::torus({.triangles = 200})), ball(make::sphere({.radius = 0.3, .triangles = 48}));
  EXPECT_EQ(sample({torus, ball, Pose(), Pose()}).status, Status::undecided) << "in the hole";
  EXPECT_EQ(sample({torus, ball, Pose(), Pose({1, 0, 0})}).status, Status::contact);
}

TEST(Sampling, SameSeedSameAnswer) {
  const Body torus(make::torus({.triangles = 200}));
  const Placed p{torus, torus, Pose(), Pose({1, 0.2, 0.3}, {1, 0.5, 0.2, 0.1})};
  const Answer one = sample(p), two = sample(p), other = sample(p, {.seed = 2, .points = 50});
  EXPECT_EQ(one.status, Status::contact);
  EXPECT_EQ(one.points, two.points);
  EXPECT_EQ(one.counters.sampled_vertices, two.counters.sampled_vertices);
  EXPECT_NE(one.points, other.points);
}

TEST(Sampling, UnusedVerticesAreNoPartOfTheBody) {
  std::vector<Vec3> p;
  const Mesh cube = box({0, 0, 0}, {1, 1, 1});
  p.assign(cube.positions().begin(), cube.positions().end());
  p.push_back({5.5, 5.5, 5.5});
  const Placed pair{Body(Mesh(p, cube.polygons())), Body(box({5, 5, 5}, {6, 6, 6})), Pose(), Pose()};
  EXPECT_EQ(sample(pair).status, Status::undecided);
}

TEST(Sampling, RefusesWhatItCannotDo) {
  const Body sheet(make::cloth_sheet({.triangles = 8})), cube(make::box());
  EXPECT_EQ(sample({cube, sheet, Pose(), Pose()}).status, Status::invalid_request);
  EXPECT_EQ(ask({cube, cube, Pose(), Pose()}, {.method = "sampling"}).status, Status::invalid_request);
  EXPECT_EQ(sample({cube, cube, Pose(), Pose()}, {.points = -1}).status, Status::invalid_request);
}

}  // namespace
}  // namespace graze::thesis
