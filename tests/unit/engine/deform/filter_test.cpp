// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <cmath>

#include <graze/ask/deform.hpp>
#include <graze/ask/deform_bodies.hpp>
#include <graze/ask/deform_brute.hpp>
#include <graze/core/error.hpp>
#include <graze/mesh/make.hpp>

#include "contact_names.hpp"
#include "oracle/generators.hpp"
#include "random_budget.hpp"
#include "soups.hpp"

namespace graze {
namespace {

using testing::different_contact_names;
using testing::RandomBudget;

/// The rule as the header states it, written once more.
bool may(const DeformFilter& f, std::uint32_t v, std::uint32_t w) {
  const auto body = [&](std::uint32_t x) { return f.bodies.empty() ? 0u : f.bodies[x]; };
  const auto settings = [&](std::uint32_t b) { return b < f.settings.size() ? f.settings[b] : DeformBody(); };
  const auto is_fixed = [&](std::uint32_t x) { return std::count(f.fixed.begin(), f.fixed.end(), x) > 0; };
  if (v == w || (is_fixed(v) && is_fixed(w))) return false;
  const std::uint32_t a = body(v), b = body(w);
  if (a == b && !settings(a).self) return false;
  if (a != b && (!(settings(a).group & settings(b).mask) || !(settings(b).group & settings(a).mask))) return false;
  for (const auto& [x, y] : f.off)
    if ((x == a && y == b) || (x == b && y == a)) return false;
  return !f.may_touch || f.may_touch(std::min(v, w), std::max(v, w));
}
bool any_may(const DeformFilter& f, std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  for (const std::uint32_t v : a)
    for (const std::uint32_t w : b)
      if (may(f, v, w)) return true;
  return false;
}

/// What is left of an answer without a filter.
DeformResult filtered(const DeformResult& r, const Mesh& mesh, const DeformFilter& f) {
  DeformResult out = r;
  std::erase_if(out.contacts, [&](const DeformContact& c) {
    const std::size_t first = c.kind == ElementaryKind::vertex_face ? 1 : 2;
    return !any_may(f, std::span(c.vertices).first(first), std::span(c.vertices).subspan(first));
  });
  std::erase_if(out.crossing_at_start, [&](const TrianglePair& p) {
    return !any_may(f, mesh.triangles()[index(p.a)], mesh.triangles()[index(p.b)]);
  });
  return out;
}

DeformFilter random_filter(oracle::Random& random, std::size_t vertices) {
  DeformFilter f;
  const auto one_of = [&](std::uint32_t n) {
    return static_cast<std::uint32_t>(oracle::whole(random, 0, static_cast<int>(n) - 1));
  };
  const std::uint32_t bodies = 1 + one_of(4);
  if (one_of(4) > 0) {
    // Blocks of neighbours, so that nodes of one body occur, and numbers that share a bit of 64.
    const std::uint32_t block = one_of(2) ? 1 : 3;
    for (std::uint32_t v = 0; v < vertices; v += block)
      f.bodies.resize(std::min<std::size_t>(vertices, v + block), one_of(bodies) * (one_of(2) ? 1u : 64u));
  }
  for (std::uint32_t b = 0; b < one_of(bodies + 1); ++b)
    f.settings.push_back({one_of(2) == 0, 1u << one_of(3), one_of(2) ? ~0u : 1u << one_of(3)});
  for (std::uint32_t i = one_of(3); i-- > 0;)
    if (const std::uint32_t a = one_of(bodies), b = one_of(bodies); a != b) f.off.push_back({a, b});
  if (one_of(2))
    for (std::uint32_t v = 0; v < vertices; ++v)
      if (one_of(3)) f.fixed.push_back(v);
  if (one_of(3) == 0)
    f.may_touch = [salt = one_of(100)](std::uint32_t a, std::uint32_t b) { return (a * 31 + b * 17 + salt) % 5 > 2; };
  return f;
}

TEST(DeformFilter, LeavesWhatTheRulesAllow) {
  const std::uint64_t seed = RandomBudget::seed(412);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  std::size_t all = 0, left = 0;
  for (RandomBudget budget(60); budget.more();) {
    const bool grid = random() % 3 == 0;
    const Mesh mesh = testing::soup(random, grid ? 6 : 14, grid, 0.8);
    std::vector<Vec3> end(mesh.positions().begin(), mesh.positions().end());
    for (Vec3& p : end) p = grid ? oracle::grid_point(random, 2) : p + oracle::real_point(random, 0.5);
    const DeformFilter filter = random_filter(random, mesh.vertex_count());
    DeformOptions options;
    options.exact = true;
    options.self = random() % 3 > 0;
    const DeformResult without = deform_brute(mesh, mesh.positions(), end, options);
    const DeformResult truth = filtered(without, mesh, filter);
    all += without.contacts.size() + without.crossing_at_start.size();
    left += truth.contacts.size() + truth.crossing_at_start.size();
    const DeformResult brute = deform_brute(mesh, mesh.positions(), end, filter, options);
    ASSERT_EQ(different_contact_names(brute), different_contact_names(truth));
    ASSERT_EQ(brute.crossing_at_start, truth.crossing_at_start);
    // Any combination of techniques.
    options.patches = random() % 4 > 0;
    options.representatives = random() % 4 > 0;
    options.orphans = random() % 4 > 0;
    options.feature_bounds = random() % 4 > 0;
    options.directions = random() % 2 ? 9 : 3;
    options.threads = 1 + static_cast<int>(random() % 2);
    Deformable d(mesh);
    d.set_filter(filter);
    const DeformResult r = d.step(end, options);
    ASSERT_EQ(different_contact_names(r), different_contact_names(truth));
    ASSERT_EQ(r.crossing_at_start, truth.crossing_at_start);
    options.all = false;
    const DeformResult first = [&] {
      Deformable other(mesh);
      other.set_filter(filter);
      return other.step(end, options);
    }();
    ASSERT_EQ(first.contacts.size(), truth.contacts.empty() ? 0u : 1u);
    ASSERT_EQ(first.status, r.status);
    if (!truth.contacts.empty()) {
      ASSERT_EQ(first.time.touch, r.time.touch);
    }
  }
  EXPECT_GT(left, all / 20);
  EXPECT_LT(left, all - all / 20);
}

struct Scene {
  Mesh mesh;
  std::vector<Vec3> end;
  std::vector<std::uint32_t> bodies;
};

/// Sheets above each other that all fall, each into itself a little and none onto another.
Scene falling_sheets(std::uint32_t count, std::uint32_t triangles) {
  const Mesh sheet = make::cloth_sheet({.triangles = triangles});
  std::vector<Vec3> start, end;
  std::vector<Triangle> list;
  std::vector<std::uint32_t> bodies;
  for (std::uint32_t k = 0; k < count; ++k) {
    const auto base = static_cast<std::uint32_t>(start.size());
    for (const Vec3& p : sheet.positions()) {
      start.push_back(p + Vec3{0, 0, 0.02 * k});
      end.push_back({p.x * std::cos(9 * p.x), p.y, p.z + 0.02 * k + 0.3 * std::sin(9 * p.x)});
      bodies.push_back(k);
    }
    for (const Triangle& t : sheet.triangles()) list.push_back({t[0] + base, t[1] + base, t[2] + base});
  }
  return {Mesh(start, std::span<const Triangle>(list)), end, bodies};
}

/// Counters, not times: the walk does not enter what the filter leaves out.
TEST(DeformFilter, SavesTheWalk) {
  const Scene s = falling_sheets(10, 200);
  const auto ask = [&](const DeformFilter& filter) {
    Deformable d(s.mesh);
    d.set_filter(filter);
    return d.step(s.end);
  };
  DeformFilter filter;
  filter.bodies = s.bodies;
  const DeformResult all = ask(filter);
  EXPECT_EQ(different_contact_names(all), different_contact_names(Deformable(s.mesh).step(s.end)));
  // Only the first sheet with itself, and no pairs of sheets.
  filter.settings.assign(10, {.self = false, .group = 2, .mask = 1});
  filter.settings[0].self = true;
  const DeformResult one = ask(filter);
  EXPECT_EQ(different_contact_names(one), different_contact_names(filtered(all, s.mesh, filter)));
  EXPECT_EQ(one.crossing_at_start, filtered(all, s.mesh, filter).crossing_at_start);
  ASSERT_FALSE(one.contacts.empty());
  EXPECT_LT(one.counters.node_pairs * 15, all.counters.node_pairs);
  EXPECT_LT(one.counters.elementary_tests * 15, all.counters.elementary_tests);
  // Nothing at all: neither the walk nor the start's crossings look at a single pair.
  filter.settings[0].self = false;
  const DeformResult nothing = ask(filter);
  EXPECT_EQ(nothing.status, Status::free);
  EXPECT_EQ(nothing.counters.leaf_pairs, 0u);
  EXPECT_EQ(nothing.counters.elementary_tests, 0u);
  // The same by fixed vertices alone.
  DeformFilter fixed;
  for (std::uint32_t v = 0; v < s.bodies.size(); ++v)
    if (s.bodies[v] != 4) fixed.fixed.push_back(v);
  const DeformResult moving = ask(fixed);
  EXPECT_EQ(different_contact_names(moving), different_contact_names(filtered(all, s.mesh, fixed)));
  EXPECT_LT(moving.counters.node_pairs * 2, all.counters.node_pairs);
}

TEST(DeformFilter, ThreadsAndPredicatesGiveTheSameAnswer) {
  const Scene s = falling_sheets(4, 600);
  std::atomic<std::size_t> calls{0};
  DeformFilter filter;
  filter.bodies = s.bodies;
  filter.settings.assign(2, {.self = false});
  filter.may_touch = [&](std::uint32_t a, std::uint32_t b) {
    ++calls;
    return a < b && (a + b) % 3 == 0;
  };
  DeformResult before;
  for (const int threads : {1, 2, 5}) {
    Deformable d(s.mesh);
    d.set_filter(filter);
    const DeformResult r = d.step(s.end, {.threads = threads});
    ASSERT_FALSE(r.contacts.empty());
    if (threads > 1) {
      ASSERT_EQ(different_contact_names(r), different_contact_names(before));
      ASSERT_EQ(r.crossing_at_start, before.crossing_at_start);
      ASSERT_EQ(r.counters.elementary_tests, before.counters.elementary_tests);
    }
    before = r;
  }
  EXPECT_GT(calls, 0u);
}

TEST(DeformFilter, ThePredicateRunsInTheCallersEnvironment) {
  const Mesh mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
                  std::vector<Triangle>{{0, 1, 2}, {3, 4, 5}});
  std::vector<Vec3> end(mesh.positions().begin(), mesh.positions().end());
  for (std::size_t v = 3; v < 6; ++v) end[v].z = -1;
  bool upward = false;
  DeformFilter filter;
  filter.may_touch = [&](std::uint32_t, std::uint32_t) {
    volatile double one = 1;
    upward = one + 0x1p-80 > 1;
    return true;
  };
  Deformable d(mesh);
  std::fesetround(FE_UPWARD);
  d.set_filter(filter);
  std::fesetround(FE_TONEAREST);
  const DeformResult r = d.step(end);
  EXPECT_EQ(different_contact_names(r), different_contact_names(Deformable(mesh).step(end)));
  EXPECT_TRUE(upward);
}

TEST(DeformFilter, StaysAfterABreak) {
  const Scene s = falling_sheets(3, 300);
  DeformFilter filter;
  filter.bodies = s.bodies;
  filter.settings.assign(2, {.self = false});
  filter.off = {{0, 2}};
  Deformable d(s.mesh);
  d.set_filter(filter);
  d.step(s.end);
  std::vector<Triangle> fewer(s.mesh.triangles().begin(), s.mesh.triangles().end() - 150);
  const Mesh broken({s.mesh.positions().begin(), s.mesh.positions().end()}, std::span<const Triangle>(fewer));
  d.replace(broken);
  const DeformResult r = d.step(s.end);
  Deformable other(broken);
  other.set_filter(filter);
  EXPECT_EQ(different_contact_names(r), different_contact_names(other.step(s.end)));
  EXPECT_EQ(different_contact_names(r),
            different_contact_names(filtered(Deformable(broken).step(s.end), broken, filter)));
  // A new vertex: whose body is it? The filter no longer fits, and nothing is replaced.
  std::vector<Vec3> more(s.mesh.positions().begin(), s.mesh.positions().end());
  more.push_back({0, 0, 0});
  const Mesh larger(more, std::span<const Triangle>(fewer));
  EXPECT_THROW(d.replace(larger), Error);
  EXPECT_EQ(d.mesh().vertex_count(), broken.vertex_count());
  filter.bodies.push_back(2);
  d.replace(larger, filter);
  std::vector<Vec3> end = s.end;
  end.push_back({0, 0, 0});
  EXPECT_EQ(different_contact_names(d.step(end)), different_contact_names(r));
}

TEST(DeformFilter, BadFiltersAreRefused) {
  const Mesh mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, 5}}, std::vector<Triangle>{{0, 1, 2}});
  Deformable d(mesh);
  DeformFilter few, far, same;
  few.bodies = {0, 0, 0};
  far.fixed = {4};
  same.off = {{1, 1}};
  for (const DeformFilter* f : {&few, &far, &same}) {
    EXPECT_THROW(d.set_filter(*f), Error);
    EXPECT_THROW(deform_brute(mesh, mesh.positions(), mesh.positions(), *f), Error);
  }
  EXPECT_EQ(vertex_bodies(mesh), (std::vector<std::uint32_t>{0, 0, 0, 0}));
  const std::uint32_t three[1] = {3};
  EXPECT_EQ(vertex_bodies(mesh, three), (std::vector<std::uint32_t>{3, 3, 3, 0}));
}

}  // namespace
}  // namespace graze
