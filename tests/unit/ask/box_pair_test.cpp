// SPDX-License-Identifier: MIT
// Boxes against boxes and meshes: the quick answers agree with the test of all pairs of triangles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/mesh/make.hpp>

namespace graze {
namespace {

using shape::Box;

class BoxDraw {
 public:
  explicit BoxDraw(std::uint64_t seed) : engine_(seed) {}
  double operator()(double lo, double hi) {
    return lo + (hi - lo) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
  }
  Pose pose(double size, bool turned) {
    const double x = (*this)(-size, size), y = (*this)(-size, size), z = (*this)(-size, size);
    if (!turned) return Pose({x, y, z});
    const double w = (*this)(-1, 1), i = (*this)(-1, 1), j = (*this)(-1, 1), k = (*this)(-1, 1);
    return Pose({x, y, z}, {w, i, j, k});
  }

 private:
  std::mt19937_64 engine_;
};

struct Tally {
  int contacts = 0, frees = 0, contained = 0;
};

void expect_as_brute(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, Tally& tally) {
  CollideOptions brute;
  brute.method = "brute";
  brute.all = true;
  const CollideResult all = collide(a, pose_a, b, pose_b, brute), quick = collide(a, pose_a, b, pose_b);
  ASSERT_EQ(quick.status, all.status);
  EXPECT_EQ(quick.kind, all.kind);
  EXPECT_EQ(quick.contained, all.contained);
  EXPECT_TRUE(quick.certain);
  for (const TrianglePair& p : quick.pairs)
    EXPECT_TRUE(std::find(all.pairs.begin(), all.pairs.end(), p) != all.pairs.end());
  EXPECT_EQ(quick.pairs.empty(), all.pairs.empty());
  if (!all.pairs.empty()) {
    EXPECT_EQ(quick.pairs.size(), 1u);
    EXPECT_FALSE(quick.features.empty());
    EXPECT_TRUE(quick.points);
  }
  EXPECT_EQ(within(0, a, pose_a, b, pose_b).status, all.status);
  ++(all.status == Status::contact ? tally.contacts : tally.frees);
  tally.contained += all.contained != Containment::none;
}

TEST(BoxPairs, MeshesAndBoxesAsByBruteForce) {
  BoxDraw draw(1);
  const std::vector<Body> meshes{Body(make::torus({.major = 0.6, .minor = 0.2, .triangles = 400})),
                                 Body(make::bunny({.triangles = 500})), Body(make::box({.size = {1, 0.5, 0.75}})),
                                 Body(Mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, std::array<Triangle, 1>{{{0, 1, 2}}}))};
  const std::vector<Body> boxes{Body(Box{{0.8, 0.9, 0.7}}), Body(Box{{0.1, 2, 0.1}}), Body(Box{{3, 3, 3}}),
                                Body(Box{{0.5, 0, 0.5}}), Body(Box{{0, 0, 0}})};
  Tally tally;
  for (const Body& mesh : meshes)
    for (const Body& box : boxes)
      for (int i = 0; i < 25; ++i) {
        const Pose pa = draw.pose(0.3, i % 3 != 0), pb = draw.pose(1.2, i % 2 != 0);
        expect_as_brute(mesh, pa, box, pb, tally);
        expect_as_brute(box, pb, mesh, pa, tally);
      }
  EXPECT_GT(tally.contacts, 200);
  EXPECT_GT(tally.frees, 200);
  EXPECT_GT(tally.contained, 10);
}

TEST(BoxPairs, BoxesAsByBruteForceAlsoFlushAndNested) {
  BoxDraw draw(2);
  const Body a(Box{{1, 0.5, 0.75}}), b(Box{{0.25, 1, 0.5}}), flat(Box{{1, 0, 1}});
  Tally tally;
  for (int i = 0; i < 300; ++i) {
    const Pose pa = draw.pose(0.3, i % 3 != 0), pb = draw.pose(0.7, i % 2 != 0);
    expect_as_brute(a, pa, b, pb, tally);
    expect_as_brute(flat, pa, b, pb, tally);
  }
  // Flush: on a grid of quarters, unturned, many faces lie in one plane.
  for (int x = -4; x <= 4; ++x)
    for (int y = -4; y <= 4; ++y)
      for (int z = -2; z <= 2; ++z) expect_as_brute(a, Pose(), b, Pose({x * 0.125, y * 0.125, z * 0.125}), tally);
  EXPECT_GT(tally.contacts, 300);
  EXPECT_GT(tally.frees, 100);
}

TEST(BoxPairs, DistancesOfBoxesAsByBruteForce) {
  BoxDraw draw(3);
  const Body a(Box{{1, 0.5, 0.75}}), b(Box{{0.25, 1, 0.5}}), flat(Box{{1, 0, 1}});
  DistanceOptions brute;
  brute.method = "brute";
  for (int i = 0; i < 400; ++i) {
    const Body& first = i % 4 == 0 ? flat : a;
    const Pose pa = draw.pose(0.3, i % 3 != 0), pb = draw.pose(2, i % 2 != 0);
    const DistanceResult quick = distance(first, pa, b, pb), slow = distance(first, pa, b, pb, brute);
    ASSERT_EQ(quick.status, slow.status);
    EXPECT_NEAR(quick.distance, slow.distance, 2e-9 * slow.distance);
    if (quick.status != Status::free) continue;
    EXPECT_NEAR(length(quick.points[1] - quick.points[0]), quick.distance, 1e-12);
    ASSERT_TRUE(quick.feature);
    ASSERT_TRUE(quick.normal);
    EXPECT_EQ(within(quick.distance * 0.999, first, pa, b, pb).status, Status::free);
    EXPECT_EQ(within(quick.distance * 1.001, first, pa, b, pb).status, Status::contact);
  }
}

}  // namespace
}  // namespace graze
