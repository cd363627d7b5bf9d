// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include <graze/mesh/make.hpp>
#include <graze/query/deform.hpp>

#include "prim/exact_moving.hpp"

namespace graze {
namespace {

struct Motion {
  Mesh mesh;
  std::vector<Vec3> end;
};

/// A soup whose vertices are shared now and then and fly about; on a grid, degenerate and coplanar often.
Motion flying_soup(std::mt19937_64& random, int triangles, bool grid) {
  std::uniform_real_distribution<double> real(-1, 1);
  const auto point = [&] {
    const auto whole = [&] { return static_cast<double>(random() % 4); };
    return grid ? Vec3{whole(), whole(), whole()} : Vec3{real(random), real(random), real(random)};
  };
  std::vector<Vec3> start, end;
  for (int i = 0; i < 2 * triangles; ++i) {
    start.push_back(point());
    end.push_back(grid ? point() : start.back() + point() * 0.5);
  }
  std::vector<Triangle> list;
  const auto pick = [&] { return static_cast<std::uint32_t>(random() % start.size()); };
  for (int i = 0; i < triangles; ++i) list.push_back({pick(), pick(), pick()});
  return {Mesh(start, std::span<const Triangle>(list)), end};
}

using Name = std::pair<ElementaryKind, std::array<std::uint32_t, 4>>;

Name canonical(ElementaryKind kind, std::array<std::uint32_t, 4> v) {
  if (kind == ElementaryKind::vertex_face) {
    std::sort(v.begin() + 1, v.end());
  } else {
    std::sort(v.begin(), v.begin() + 2);
    std::sort(v.begin() + 2, v.end());
    if (std::pair(v[2], v[3]) < std::pair(v[0], v[1])) std::swap_ranges(v.begin(), v.begin() + 2, v.begin() + 2);
  }
  return {kind, v};
}

/// Every vertex against every face, every edge against every edge, that share no vertex, exactly.
std::set<Name> exact_contacts(const Motion& m) {
  std::set<Name> found;
  const auto start = m.mesh.positions();
  const auto test = [&](ElementaryKind kind, prim::MovingPair pair, const std::array<std::uint32_t, 4>& v) {
    prim::StraightPoints p;
    for (std::size_t k = 0; k < 4; ++k) {
      p.start[k] = start[v[k]];
      p.end[k] = m.end[v[k]];
    }
    if (prim::exactly_meet(pair, p)) found.insert(canonical(kind, v));
  };
  std::set<std::uint32_t> used;
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const Triangle& t : m.mesh.triangles())
    for (std::size_t k = 0; k < 3; ++k) {
      used.insert(t[k]);
      edges.insert(std::minmax(t[k], t[(k + 1) % 3]));
    }
  for (const std::uint32_t v : used)
    for (const Triangle& t : m.mesh.triangles())
      if (v != t[0] && v != t[1] && v != t[2])
        test(ElementaryKind::vertex_face, prim::MovingPair::vertex_face, {v, t[0], t[1], t[2]});
  for (const auto& a : edges)
    for (const auto& b : edges)
      if (a < b && a.first != b.first && a.first != b.second && a.second != b.first && a.second != b.second)
        test(ElementaryKind::edge_edge, prim::MovingPair::edge_edge, {a.first, a.second, b.first, b.second});
  return found;
}

std::set<Name> names(const DeformResult& r) {
  std::set<Name> all;
  for (const DeformContact& c : r.contacts) all.insert(canonical(c.kind, c.vertices));
  return all;
}

TEST(Deform, FindsExactlyWhatEveryPairByItselfShows) {
  std::mt19937_64 random(41);
  for (int i = 0; i < 9; ++i) {
    const Motion m = flying_soup(random, 3 + i % 4, i % 3 == 0);
    const std::set<Name> truth = exact_contacts(m);
    for (const bool both_ends : {true, false})
      for (const int directions : {3, 9}) {
        DeformOptions options;
        options.exact = true;
        options.both_ends = both_ends;
        options.directions = directions;
        options.threads = 1 + i % 3;
        const DeformResult r = Deformable(m.mesh).step(m.end, options);
        // Grid soups have degenerate triangles; features of one that are no features are asked in the same way.
        ASSERT_EQ(names(r), truth) << i << ' ' << both_ends << ' ' << directions;
        // Without exact arithmetic: nothing less.
        options.exact = false;
        const std::set<Name> near = names(Deformable(m.mesh).step(m.end, options));
        ASSERT_TRUE(std::includes(near.begin(), near.end(), truth.begin(), truth.end())) << i;
      }
  }
}

TEST(Deform, ASheetFallsOnABall) {
  const Mesh sheet = make::cloth_sheet({.triangles = 500});
  std::vector<Vec3> up(sheet.positions().begin(), sheet.positions().end()), down = up;
  for (Vec3& x : down) x.z -= 1;
  // One mesh of two pieces: the sheet, and a fixed triangle below its middle.
  const auto base = static_cast<std::uint32_t>(up.size());
  const Box3 box = sheet.box();
  const Vec3 middle = (box.lo + box.hi) * 0.5;
  for (const Vec3& x : {Vec3{-0.1, -0.1, -0.5}, Vec3{0.1, -0.1, -0.5}, Vec3{0, 0.1, -0.5}}) {
    up.push_back(middle + x);
    down.push_back(middle + x);
  }
  std::vector<Triangle> list(sheet.triangles().begin(), sheet.triangles().end());
  list.push_back({base, base + 1, base + 2});
  Deformable d(Mesh(up, std::span<const Triangle>(list)));
  DeformOptions options;
  options.self = false;
  const DeformResult r = d.step(down, options);
  ASSERT_EQ(r.status, Status::contact);
  EXPECT_NEAR(r.time.touch, 0.5, 1e-9);
  EXPECT_LE(r.time.safe, 0.5);
  EXPECT_TRUE(r.crossing_at_start.empty());
  // Further down nothing touches any more.
  for (Vec3& x : down) x.z -= x.z == middle.z - 0.5 ? 0 : 1;
  EXPECT_EQ(d.step(down, options).status, Status::free);
}

/// Bounds are floats: those of scenes beyond 2^126 were infinite, and contacts were lost.
TEST(Deform, ScenesOfEverySizeHaveTheSameContacts) {
  std::mt19937_64 random(4);
  const Motion m = flying_soup(random, 12, true);
  const auto scaled = [](std::span<const Vec3> points, double by) {
    std::vector<Vec3> all;
    for (const Vec3& x : points) all.push_back(x * by);
    return all;
  };
  const auto contacts = [&](double by, bool all) {
    Deformable d(Mesh(scaled(m.mesh.positions(), by), m.mesh.triangles()));
    return d.step(scaled(m.end, by), {.all = all});
  };
  for (const bool all : {true, false}) {
    const DeformResult plain = contacts(1, all);
    ASSERT_FALSE(plain.contacts.empty());
    for (const int exponent : {-1060, -1000, -200, -130, 60, 120, 124, 125, 126, 127, 130, 140, 150, 1000, 1021}) {
      const DeformResult r = contacts(std::ldexp(1.0, exponent), all);
      ASSERT_EQ(r.contacts.size(), plain.contacts.size()) << "2^" << exponent;
      ASSERT_EQ(r.crossing_at_start.size(), plain.crossing_at_start.size()) << "2^" << exponent;
      for (std::size_t i = 0; i < r.contacts.size(); ++i)
        EXPECT_EQ(r.contacts[i].vertices, plain.contacts[i].vertices) << "2^" << exponent;
    }
  }
}

TEST(Deform, BadPositionsAreRefused) {
  Deformable d(make::box());
  std::vector<Vec3> p(d.positions().begin(), d.positions().end());
  p.pop_back();
  EXPECT_THROW(d.step(p), Error);
  p.push_back({0, 0, std::numeric_limits<double>::infinity()});
  EXPECT_THROW(d.step(p), Error);
}

}  // namespace
}  // namespace graze
