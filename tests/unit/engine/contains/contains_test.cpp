// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <graze/ask/contains.hpp>

#include "oracle/exact_oracle.hpp"
#include "random_budget.hpp"
#include "soups.hpp"

namespace graze {
namespace {

using testing::RandomBudget;

Location expected(const Mesh& mesh, const Pose& pose, const Vec3& point) {
  std::vector<oracle::Triangle> surface;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) surface.push_back(testing::placed_triangle(mesh, pose, t));
  switch (oracle::point_in_polyhedron(oracle::exact(point), surface)) {
    case oracle::Where::inside: return Location::inside;
    case oracle::Where::on_surface: return Location::on_surface;
    case oracle::Where::outside: return Location::outside;
  }
  return Location::invalid_request;
}

/// A tetrahedron or octahedron with whole corners: rays along z meet its vertices and edges all the time.
Mesh closed_shape(oracle::Random& random) {
  if (random() % 2 == 0) {
    std::vector<Vec3> p;
    for (int i = 0; i < 4; ++i) p.push_back(oracle::grid_point(random, 2));
    return Mesh(p, std::vector<Triangle>{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}});
  }
  const std::vector<Vec3> p{{2, 0, 0}, {-2, 0, 0}, {0, 2, 0}, {0, -2, 0}, {0, 0, 2}, {0, 0, -2}};
  std::vector<Triangle> t;
  for (std::uint32_t x : {0u, 1u})
    for (std::uint32_t y : {2u, 3u})
      for (std::uint32_t z : {4u, 5u}) t.push_back({x, y, z});
  return Mesh(p, t);
}

TEST(Contains, IsRightForEveryRayDegeneracy) {
  oracle::Random random(RandomBudget::seed(21));
  for (RandomBudget budget(400); budget.more();) {
    const Mesh mesh = closed_shape(random);
    const Pose pose = oracle::random_pose(random, static_cast<oracle::PoseFamily>(random() % 6));
    const Vec3 point = random() % 2 ? oracle::grid_point(random, 2) : oracle::real_point(random, 2);
    EXPECT_EQ(contains(Body(mesh), pose, point).location, expected(mesh, pose, point)) << oracle::describe(pose);
  }
}

TEST(Contains, SaysWhyAnOpenBodyHasNoInside) {
  const Mesh open(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, std::vector<Triangle>{{0, 1, 2}});
  const ContainsResult r = contains(Body(open), Pose(), {0, 0, 0});
  EXPECT_EQ(r.location, Location::invalid_request);
  ASSERT_TRUE(r.error.has_value());
  EXPECT_NE(r.error->message.find("edge 0 1"), std::string::npos) << r.error->text();
}

TEST(Contains, RefusesANaN) {
  const ContainsResult r = contains(Body(testing::box({0, 0, 0}, {1, 1, 1})), Pose(), {std::nan(""), 0, 0});
  EXPECT_EQ(r.location, Location::invalid_request);
  EXPECT_EQ(r.error->code, ErrorCode::not_finite);
}

}  // namespace
}  // namespace graze
