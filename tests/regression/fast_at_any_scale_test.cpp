// SPDX-License-Identifier: MIT
// Beyond the range of single precision, `advancement` built its trees from boxes that were all infinite or all zero:
// the answer was right, the search as slow as without a tree. Pinned: the same work at every scale.
#include <gtest/gtest.h>

#include <cmath>

#include <graze/graze.hpp>

namespace graze::testing {
namespace {

Body scaled_body(const Mesh& mesh, double s) {
  std::vector<Vec3> positions(mesh.positions().begin(), mesh.positions().end());
  for (Vec3& x : positions) x = x * s;
  return Body(Mesh(std::move(positions), mesh.polygons()));
}

TEST(FastAtAnyScale, TheSameWork) {
  const Mesh torus = make::torus({.major = 2, .minor = 0.5, .around = 16, .across = 8});
  std::uint64_t expected = 0;
  for (const int e : {0, -300, -150, 150, 300}) {
    const double s = std::ldexp(1.0, e);
    const Body a = scaled_body(torus, s), b = scaled_body(torus, s);
    FirstContactOptions options;
    options.method = "advancement";
    const FirstContactResult r = first_contact(a, Velocity(Pose({-6 * s, 0, 0}), Pose({6 * s, s, 0}, Quat{2, 1, 0, 0})),
                                               b, Still{Pose({0, 0, s})}, options);
    EXPECT_EQ(r.status, Status::contact);
    if (e == 0) expected = r.counters.node_pairs;
    EXPECT_EQ(r.counters.node_pairs, expected) << "2^" << e;
  }
  EXPECT_GT(expected, 0u);
}

}  // namespace
}  // namespace graze::testing
