// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <graze/ask/deform.hpp>
#include <graze/ask/deform_brute.hpp>
#include <graze/core/error.hpp>
#include <graze/mesh/make.hpp>

#include "contact_names.hpp"
#include "oracle/generators.hpp"
#include "random_budget.hpp"
#include "soups.hpp"

namespace graze {
namespace {

using testing::RandomBudget;

/// Each once.
std::vector<testing::ContactName> names(const DeformResult& r) {
  std::vector<testing::ContactName> out = testing::contact_names(r);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

TEST(DeformBrute, FindsWhatDeformableFinds) {
  const std::uint64_t seed = RandomBudget::seed(411);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  for (RandomBudget budget(6); budget.more();) {
    const bool grid = random() % 3 == 0;
    const Mesh mesh = testing::soup(random, 6, grid);
    std::vector<Vec3> end(mesh.positions().begin(), mesh.positions().end());
    for (Vec3& p : end) p = grid ? oracle::grid_point(random, 2) : p + oracle::real_point(random, 0.5);
    for (const bool self : {false, true}) {
      DeformOptions options;
      options.exact = true;
      options.self = self;
      const DeformResult brute = deform_brute(mesh, mesh.positions(), end, options);
      const DeformResult r = Deformable(mesh).step(end, options);
      EXPECT_EQ(names(brute), names(r));
      EXPECT_EQ(brute.status, r.status);
      EXPECT_EQ(brute.crossing_at_start, r.crossing_at_start);
      EXPECT_EQ(brute.time.touch == brute.time.touch, r.time.touch == r.time.touch);
      options.all = false;
      const DeformResult first = deform_brute(mesh, mesh.positions(), end, options);
      EXPECT_EQ(first.contacts.size(), brute.contacts.empty() ? 0U : 1U);
    }
  }
}

/// An open fan, all of whose triangles are adjacent: beyond some size its orphans are no list any more. Some of its
/// spokes pass through others.
TEST(DeformBrute, OpenFansOfAnySize) {
  for (const std::uint32_t n : {20u, 175u}) {
    std::vector<Vec3> from{{0, 0, 0}}, to = from;
    std::vector<Triangle> fan;
    for (std::uint32_t i = 0; i <= n; ++i) {
      const double a = 3.0 * i / n;
      const bool swings = i % 37 == 5;
      from.push_back(swings ? Vec3{0.6 * std::cos(a), 0.6 * std::sin(a), 0.4}
                            : Vec3{std::cos(a), std::sin(a), 0.1 * std::cos(2 * a)});
      to.push_back(swings ? Vec3{0.5 * std::cos(a + 0.8), 0.5 * std::sin(a + 0.8), -0.4} : from.back() * 0.9);
      if (i > 0) fan.push_back({0, i, i + 1});
    }
    const Mesh mesh(from, std::span<const Triangle>(fan));
    const DeformOptions options{.exact = true, .crossing_at_start = false};
    Deformable d(mesh);
    const std::vector<testing::ContactName> all = names(d.step(to, options));
    EXPECT_GT(all.size(), 2u);
    EXPECT_EQ(names(deform_brute(mesh, from, to, options)), all);
    EXPECT_EQ(d.orphan_count() > 0, n == 20);
    // Taken apart at the middle.
    std::vector<Triangle> apart = fan;
    for (std::uint32_t i = n / 2; i < n; ++i) apart[i][0] = n + 2;
    std::vector<Vec3> more = from;
    more.push_back({0, 0, 0});
    const Mesh two(more, std::span<const Triangle>(apart));
    d.replace(two);
    std::vector<Vec3> next = to;
    next.push_back({0, 0, 0.05});
    Deformable fresh(two);
    EXPECT_EQ(names(fresh.step(next, options)), names(d.step(next, options)));
    EXPECT_EQ(d.orphan_count(), fresh.orphan_count());
  }
}

TEST(DeformBrute, DoubleFacesAreListedOnce) {
  // A vertex falls through a face that is in the mesh twice, and a third time turned over.
  const std::vector<Vec3> from{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 1}, {2, 1, 2}, {1, 2, 2}};
  const std::vector<Triangle> triangles{{0, 1, 2}, {0, 1, 2}, {0, 2, 1}, {3, 4, 5}};
  const Mesh mesh(from, std::span<const Triangle>(triangles));
  std::vector<Vec3> to = from;
  to[3].z = -1;
  const DeformResult brute = deform_brute(mesh, from, to), iccd = Deformable(mesh).step(to);
  EXPECT_EQ(brute.contacts.size(), 2u);  // with the face, and with the one turned over
  ASSERT_EQ(iccd.contacts.size(), brute.contacts.size());
  for (std::size_t i = 0; i < brute.contacts.size(); ++i)
    EXPECT_EQ(iccd.contacts[i].vertices, brute.contacts[i].vertices);
}

/// An open fan of 5,000 triangles took minutes and gigabytes: nearly all pairs of its features are orphans.
TEST(DeformBrute, OpenFansHaveTooManyOrphansToList) {
  const auto fan = [](std::uint32_t n, double lift) {
    std::vector<Vec3> points{{0, 0, 1}};
    for (std::uint32_t i = 0; i < n; ++i) {
      const double angle = 6.2 * i / n;
      points.push_back({std::cos(angle), std::sin(angle), lift * std::sin(5.0 * i)});
    }
    return points;
  };
  const auto triangles = [](std::uint32_t n, std::uint32_t hubs) {
    std::vector<Triangle> list;
    for (std::uint32_t i = 1; i < n; ++i) list.push_back({i % hubs == 0 ? 0 : n + i % hubs, i, i + 1});
    return list;
  };
  constexpr std::uint32_t n = 100;
  std::vector<Vec3> start = fan(n, 0.1), end = start;
  for (const double z : {1.1, 1.2, 1.3}) start.push_back({0.1, 0, z});  // hubs that the fan may be divided among
  end = start;
  for (Vec3& x : end) x = {x.y < 0 ? -x.x : x.x, std::fabs(1.1 * x.y), x.z - 0.2 * x.y};  // folded, through itself
  Deformable d(Mesh(start, triangles(n, 1)));
  std::map<std::uint32_t, DeformResult> by_hubs;
  for (const std::uint32_t hubs : {1u, 4u, 1u}) {  // whole, broken into four that interlace, whole again
    const Mesh mesh(start, triangles(n, hubs));
    d.replace(mesh);
    const DeformOptions options{.exact = true};
    if (!by_hubs.contains(hubs)) by_hubs[hubs] = deform_brute(mesh, start, end, options);
    const DeformResult& expected = by_hubs[hubs];
    const DeformResult found = d.step(end, options);
    ASSERT_EQ(found.contacts.size(), expected.contacts.size());
    for (std::size_t i = 0; i < found.contacts.size(); ++i)
      EXPECT_EQ(found.contacts[i].vertices, expected.contacts[i].vertices);
    EXPECT_GT(found.contacts.size(), 100u);
  }
  // Many triangles at one edge, of a fan that is closed to a book: each with all others took memory by the square.
  std::vector<Triangle> pages;
  for (std::uint32_t i = 2; i <= n; ++i) pages.push_back({0, 1, i});
  const Mesh book(start, std::span<const Triangle>(pages));
  EXPECT_EQ(names(Deformable(book).step(end, {.exact = true})), names(deform_brute(book, start, end, {.exact = true})));
  std::vector<Triangle> large = triangles(3000, 1);
  const Mesh mesh(fan(3000, 0), std::span<const Triangle>(large));
  DeformOptions options;
  options.crossing_at_start = false;
  Deformable huge(mesh);
  huge.step(mesh.positions(), options);
  EXPECT_EQ(huge.orphan_count(), 0u);
  EXPECT_LT(huge.bytes(), 3000u * 700u);
}

TEST(DeformBrute, BadPositionsAreRefused) {
  const Mesh box = make::box();
  std::vector<Vec3> end(box.positions().begin(), box.positions().end());
  EXPECT_EQ(deform_brute(box, box.positions(), std::span(end).first(3)).status, Status::invalid_request);
  end[2].x = std::numeric_limits<double>::infinity();
  EXPECT_EQ(deform_brute(box, box.positions(), end).status, Status::invalid_request);
  EXPECT_EQ(deform_brute(box, box.positions(), box.positions(), {.min_separation = -1}).status,
            Status::invalid_request);
}

}  // namespace
}  // namespace graze
