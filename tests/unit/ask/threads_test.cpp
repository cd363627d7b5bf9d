// SPDX-License-Identifier: MIT
// Questions long enough to be shared out: the same bits with any number of threads.
#include <gtest/gtest.h>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/mesh/make.hpp>

namespace graze {
namespace {

const Pose at_home, turned({1e-5, -2e-5, 1e-5}, {0.9, 0.1, -0.3, 0.2});

Body sphere(double radius) { return Body(make::sphere({.radius = radius, .triangles = 3000})); }

void expect_same(const CollideResult& one, const CollideResult& more) {
  EXPECT_EQ(one.status, more.status);
  EXPECT_EQ(one.kind, more.kind);
  EXPECT_EQ(one.pairs, more.pairs);
  EXPECT_EQ(one.features, more.features);
  EXPECT_EQ(one.points, more.points);
}

TEST(Threads, ShareOutALongNo) {
  const Body inner = sphere(1), outer = sphere(1.01);
  CollideOptions options;
  const CollideResult one = collide(inner, at_home, outer, turned, options);
  EXPECT_EQ(one.status, Status::free);
  EXPECT_GT(one.counters.node_pairs, 1000u);  // long enough to be shared out
  for (const int threads : {2, 3, 8}) {
    options.threads = threads;
    expect_same(one, collide(inner, at_home, outer, turned, options));
  }
}

TEST(Threads, FindTheSameFirstPairAndAllPairs) {
  const Body a = sphere(1), b = sphere(1.0005);  // their facets cross in thousands of places
  for (const bool all : {false, true}) {
    CollideOptions options;
    options.all = all;
    const CollideResult one = collide(a, at_home, b, turned, options);
    EXPECT_EQ(one.status, Status::contact);
    EXPECT_GT(one.pairs.size(), all ? 1000u : 0u);
    for (const int threads : {2, 3, 8}) {
      options.threads = threads;
      expect_same(one, collide(a, at_home, b, turned, options));
    }
  }
}

TEST(Threads, FindTheSameDistance) {
  const Body inner = sphere(1), outer = sphere(1.02);
  DistanceOptions options;
  const DistanceResult one = distance(inner, at_home, outer, turned, options);
  EXPECT_GT(one.counters.node_pairs, 2000u);
  for (const int threads : {2, 3, 8}) {
    options.threads = threads;
    const DistanceResult more = distance(inner, at_home, outer, turned, options);
    EXPECT_EQ(one.distance, more.distance);
    EXPECT_EQ(one.pair, more.pair);
    EXPECT_EQ(one.points, more.points);
  }
}

}  // namespace
}  // namespace graze
