// SPDX-License-Identifier: MIT
// `brute` with `one_shot` lost contacts beyond 2^341 and below 2^-537: the size of a face was infinite or zero.
// Pinned: at every scale the same triangles meet as by `tree`.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <graze/ask/collide.hpp>
#include <graze/classic/zachmann.hpp>
#include <graze/mesh/make.hpp>

namespace graze::testing {
namespace {

Body scaled(const Mesh& mesh, double s) {
  std::vector<Vec3> positions(mesh.positions().begin(), mesh.positions().end());
  for (Vec3& x : positions) x = x * s;
  return Body(Mesh(std::move(positions), mesh.polygons()));
}

TEST(BruteOneShot, FindsEveryPairAtEveryScale) {
  const Mesh torus = make::torus({.major = 2, .minor = 1, .around = 4, .across = 3});
  const Mesh flake = make::tetra_flake({.size = 1, .levels = 1});
  for (int e = -1000; e <= 1000; e += 100) {
    const double s = std::ldexp(1.0, e);
    const Body a = scaled(torus, s), b = scaled(flake, s);
    CollideOptions options;
    options.all = true;
    options.method = "tree";
    const CollideResult expected = collide(a, {}, b, Pose({2 * s, 0, 0}), options);
    ASSERT_EQ(expected.status, Status::contact);
    options.method = "brute";
    options.zachmann = classic::zachmann::Options{.brute = {.one_shot = true}};
    const CollideResult got = collide(a, {}, b, Pose({2 * s, 0, 0}), options);
    EXPECT_EQ(got.status, Status::contact) << "2^" << e;
    EXPECT_EQ(got.kind, expected.kind) << "2^" << e;
    EXPECT_EQ(got.pairs, expected.pairs) << "2^" << e;
  }
}

TEST(BruteOneShot, APiercedTriangle) {
  for (const int e : {-1000, -700, 0, 700, 1000}) {
    const double s = std::ldexp(1.0, e);
    const Mesh face({{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, std::vector<Triangle>{{0, 1, 2}});
    const Mesh needle({{1, 1, -1}, {1, 1, 1}, {1.25, 1, 1}}, std::vector<Triangle>{{0, 1, 2}});
    CollideOptions options;
    options.method = "brute";
    options.zachmann = classic::zachmann::Options{.brute = {.one_shot = true}};
    EXPECT_EQ(collide(scaled(face, s), {}, scaled(needle, s), {}, options).status, Status::contact) << "2^" << e;
  }
}

}  // namespace
}  // namespace graze::testing
