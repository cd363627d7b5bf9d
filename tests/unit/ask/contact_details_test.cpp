// SPDX-License-Identifier: MIT
// Details of the contacts of a step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <graze/ask/contact_details.hpp>
#include <graze/core/error.hpp>
#include <graze/mesh/classify.hpp>

#include "oracle/generators.hpp"
#include "random_budget.hpp"
#include "soups.hpp"

namespace graze {
namespace {

using testing::RandomBudget;

TEST(DeformContactDetails, AreConsistent) {
  const std::uint64_t seed = RandomBudget::seed(5301);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  std::size_t ended = 0, seen = 0;
  for (RandomBudget budget(10); budget.more();) {
    const Mesh mesh = testing::soup(random, 10, random() % 3 == 0);
    const std::vector<Vec3> from(mesh.positions().begin(), mesh.positions().end());
    std::vector<Vec3> to = from;
    for (Vec3& p : to) p = p + oracle::real_point(random, 1.0);
    DeformOptions options;
    options.crossing_at_start = false;
    const DeformResult r = Deformable(mesh).step(to, options);
    std::vector<DeformContactDetail> details(r.contacts.size());
    const DeformContactDetails finder(mesh);
    finder.find(from, to, r.contacts, details, {.ends = true});
    seen += details.size();
    for (std::size_t i = 0; i < details.size(); ++i) {
      const DeformContact& c = r.contacts[i];
      const DeformContactDetail& d = details[i];
      const std::size_t first = c.kind == ElementaryKind::vertex_face ? 1 : 2;
      Vec3 a, b;
      double weight_a = 0, weight_b = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        const Vec3 at = from[c.vertices[k]] * (1 - c.time.touch) + to[c.vertices[k]] * c.time.touch;
        (k < first ? a : b) = (k < first ? a : b) + at * d.weights[k];
        (k < first ? weight_a : weight_b) += d.weights[k];
        EXPECT_TRUE(d.weights[k] == 0 || (d.closest >> k & 1));
      }
      EXPECT_NEAR(weight_a, 1, 1e-15);
      EXPECT_NEAR(weight_b, 1, 1e-15);
      EXPECT_LE(length(a - d.a), 1e-14);
      EXPECT_LE(length(b - d.b), 1e-14);
      EXPECT_NEAR(length(d.a - d.b), d.gap, 1e-9);
      EXPECT_LE(d.gap, c.gap + 1e-9);
      const double size = length(d.normal);
      EXPECT_TRUE(size == 0 || std::fabs(size - 1) < 1e-14);
      EXPECT_TRUE(d.gap < 1e-6 || dot(d.normal, d.b - d.a) > 0.99 * d.gap);
      for (std::size_t side = 0; side < 2; ++side) {
        ASSERT_TRUE(d.polygons[side]);
        const auto polygon = mesh.polygon(*d.polygons[side]);
        for (std::size_t k = side == 0 ? 0 : first; k < (side == 0 ? first : 4); ++k)
          EXPECT_NE(std::find(polygon.begin(), polygon.end(), c.vertices[k]), polygon.end());
      }
      EXPECT_LE(c.time.touch, d.present_until);
      EXPECT_LE(d.present_until, d.apart_after);
      if (!(d.apart_after < 1)) continue;
      ++ended;
      // From the end of the contact on, the features do not touch.
      ElementaryQuery rest{c.kind, {}, {}};
      const double t = d.apart_after + 1e-3 * (1 - d.apart_after);
      for (std::size_t k = 0; k < 4; ++k) {
        rest.start[k] = from[c.vertices[k]] * (1 - t) + to[c.vertices[k]] * t;
        rest.end[k] = to[c.vertices[k]];
      }
      EXPECT_EQ(elementary_contact(rest).status, Status::free);
    }
  }
  EXPECT_GT(seen, RandomBudget::is_whole() ? 100u : 25u);
  EXPECT_GT(ended, RandomBudget::is_whole() ? 20u : 5u);
}

/// What stands for loose parts has numbers beyond those of the triangles; no polygon has them.
TEST(DeformContactDetails, LoosePartsHaveNoPolygon) {
  const std::vector<Vec3> from{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {4, 4, 0}, {1, 1, 1}, {3, 3, 1}, {1, 2, 2}};
  std::vector<Vec3> to = from;
  for (std::size_t k = 4; k < 7; ++k) to[k].z -= 3;
  PolygonList polygons;
  polygons.add(std::array<std::uint32_t, 4>{0, 1, 3, 2});
  const Mesh mesh(from, polygons, {}, LooseParts{.edges = {{4, 5}}, .points = {6}});
  DeformOptions options;
  options.min_separation = 0.25;
  const DeformResult r = Deformable(mesh).step(to, options);
  std::vector<DeformContactDetail> details(r.contacts.size());
  DeformContactDetails(mesh).find(from, to, r.contacts, details);
  const auto is_surface = [](std::uint32_t v) { return v < 4; };
  std::size_t loose = 0;
  for (std::size_t i = 0; i < details.size(); ++i) {
    const DeformContact& c = r.contacts[i];
    const std::size_t first = c.kind == ElementaryKind::vertex_face ? 1 : 2;
    for (std::size_t side = 0; side < 2; ++side) {
      const bool has_polygon = is_surface(c.vertices[side == 0 ? 0 : first]);
      EXPECT_EQ(details[i].polygons[side].has_value(), has_polygon);
      EXPECT_EQ(details[i].polygons[side].value_or(PolygonId{0}), PolygonId{0});
      loose += !has_polygon;
    }
  }
  EXPECT_GE(loose, 3u);
  EXPECT_TRUE(classify(mesh).unused_vertices.empty());
}

/// A vertex falls through the middle of a face, and leaves it by no more than it entered.
TEST(DeformContactDetails, OfAVertexThroughAFace) {
  const std::vector<Vec3> from{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 1}, {2, 1, 3}, {1, 2, 3}};
  std::vector<Vec3> to = from;
  for (std::size_t k = 3; k < 6; ++k) to[k].z -= 2;
  const Mesh mesh(from, std::vector<Triangle>{{0, 1, 2}, {3, 4, 5}});
  const DeformResult r = Deformable(mesh).step(to);
  ASSERT_EQ(r.contacts.size(), 1u);
  std::vector<DeformContactDetail> details(1);
  const DeformContactDetails finder(mesh);
  finder.find(from, to, r.contacts, details, {.ends = true});
  const DeformContactDetail& d = details[0];
  EXPECT_EQ(d.kind, ElementaryKind::vertex_face);
  EXPECT_EQ(d.closest, 15);
  EXPECT_EQ(d.normal, (Vec3{0, 0, -1}));
  EXPECT_EQ(d.polygons[0], PolygonId{1});
  EXPECT_EQ(d.polygons[1], PolygonId{0});
  EXPECT_EQ(d.bodies[0], 1u);
  EXPECT_EQ(d.bodies[1], 0u);
  EXPECT_NEAR(d.b.x, 1, 1e-15);
  EXPECT_NEAR(d.weights[1], 0.5, 1e-15);
  EXPECT_NEAR(d.present_until, 0.5, 1e-9);
  EXPECT_NEAR(d.apart_after, 0.5, 1e-9);
  const std::vector<std::uint32_t> bodies{7, 7, 7, 9, 9, 9};
  finder.find(from, to, r.contacts, details, {.bodies = bodies, .threads = 2});
  EXPECT_EQ(details[0].bodies[0], 9u);
  EXPECT_EQ(details[0].apart_after, 1);
  EXPECT_THROW(finder.find(from, to, r.contacts, {}, {}), Error);
}

}  // namespace
}  // namespace graze
