// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include <graze/ask/collide.hpp>
#include <graze/ask/deform.hpp>
#include <graze/ask/deform_bodies.hpp>
#include <graze/mesh/make.hpp>

#include "prim/moving/exact_moving.hpp"

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

TEST(Deform, ContactsByPairsOfBodies) {
  // Three triangles above each other; the highest falls through both others, the lower two cross at the start.
  std::vector<Vec3> start, end;
  std::vector<Triangle> list;
  for (const double z : {0.0, 0.25, 1.0}) {
    const auto at = static_cast<std::uint32_t>(start.size());
    for (const Vec3& x : {Vec3{0, 0, z}, Vec3{3, 0, z}, Vec3{0, 3, z == 0.25 ? -z : z}}) start.push_back(x);
    list.push_back({at, at + 1, at + 2});
  }
  end = start;
  for (std::size_t i = 6; i < 9; ++i) end[i] = end[i] + Vec3{-0.5, -0.5, -2};
  const Mesh mesh(start, std::span<const Triangle>(list));
  const DeformResult all = Deformable(mesh).step(end);
  const auto pieces = by_bodies(all, mesh);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ((std::array{pieces[0].a, pieces[0].b, pieces[1].a, pieces[1].b, pieces[2].a, pieces[2].b}),
            (std::array{0u, 1u, 0u, 2u, 1u, 2u}));
  EXPECT_EQ(pieces[0].crossing_at_start.size(), 1u);
  EXPECT_EQ(pieces[1].contacts.size() + pieces[2].contacts.size() + pieces[0].contacts.size(), all.contacts.size());
  EXPECT_NEAR(std::min(pieces[1].time.touch, pieces[2].time.touch), 0.375, 1e-9);
  const std::uint32_t two[3] = {7, 7, 4};
  const auto bodies = by_bodies(all, mesh, two);
  ASSERT_EQ(bodies.size(), 2u);  // 4 and 7, and what 7 has with itself
  EXPECT_EQ((std::array{bodies[0].a, bodies[0].b, bodies[1].a, bodies[1].b}), (std::array{4u, 7u, 7u, 7u}));
  EXPECT_EQ(bodies[0].contacts.size(), pieces[1].contacts.size() + pieces[2].contacts.size());
  EXPECT_THROW(by_bodies(all, mesh, std::span(two, 2)), Error);
}

#if defined(__SSE2__)
/// Positions in single precision that are below its smallest normal number were read as zeros where the caller has the
/// processor treat them so.
TEST(Deform, TheCallersFlushingToZeroChangesNothing) {
  const std::vector<Triangle> list{{0, 1, 2}, {3, 4, 5}};
  std::vector<float> start{0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 2, 2, 1, 2, 1, 2, 3}, end = start;
  for (std::size_t i = 3; i < 6; ++i) end[3 * i + 2] -= 4;
  for (auto* frame : {&start, &end})
    for (float& x : *frame) x *= 0x1p-140f;
  std::vector<Vec3> first;
  for (std::size_t i = 0; i < 6; ++i) first.push_back({start[3 * i], start[3 * i + 1], start[3 * i + 2]});
  const Mesh mesh(first, std::span<const Triangle>(list));
  const unsigned before = _mm_getcsr();
  for (const unsigned flush : {0u, 0x8040u, 0x8040u | 0x4000u}) {
    Deformable d(mesh);
    DeformResult r;
    _mm_setcsr(before | flush);
    d.step(VertexArray(end.data(), 6), {}, r);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    EXPECT_EQ(after & 0xffc0u, (before | flush) & 0xffc0u);
    EXPECT_EQ(d.positions()[3].z, 0x1p-140 * -2);
    EXPECT_EQ(r.contacts.size(), 3u);  // three vertices go through the face
  }
}
#endif

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

TEST(Deform, CrossingsAtTheStartAreThoseOfTheDiscreteTest) {
  std::mt19937_64 random(7);
  std::vector<Mesh> meshes;
  for (int i = 0; i < 12; ++i) meshes.push_back(flying_soup(random, 4 + 6 * i, i % 2 == 0).mesh);
  for (const std::uint32_t triangles : {800u, 4000u}) {  // the larger one is shared out among threads
    const Mesh sheet = make::cloth_sheet({.triangles = triangles});
    std::vector<Vec3> folded;
    for (const Vec3& x : sheet.positions()) folded.push_back({std::fabs(x.x), x.y, 0.1 * x.x * x.y});
    meshes.emplace_back(folded, sheet.triangles());
  }
  std::vector<Vec3> points{{0, 0, 1}};  // and a fan around one vertex that winds twice
  std::vector<Triangle> fan;
  for (std::uint32_t i = 0; i < 300; ++i) {
    points.push_back({std::cos(0.042 * i), std::sin(0.042 * i), i % 7 == 0 ? 0.01 : 0});
    if (i > 0) fan.push_back({0, i, i + 1});
  }
  meshes.emplace_back(points, std::span<const Triangle>(fan));
  std::size_t all = 0;
  for (const Mesh& mesh : meshes) {
    std::vector<TrianglePair> expected;
    const char* const method = mesh.triangle_count() > 1000 ? "tree" : "brute";
    for (const SelfPair& p : self_collide(Body(mesh), {.method = method, .all = true}).pairs)
      expected.push_back({p.a, p.b});
    for (const int threads : {1, 2, 3}) {
      Deformable d(mesh);
      EXPECT_EQ(d.step(mesh.positions(), {.threads = threads}).crossing_at_start, expected);
    }
    all += expected.size();
  }
  EXPECT_GT(all, 1000u);
}

TEST(Deform, AnUnusedVertexMayBeAnywhere) {
  const Mesh sheet = make::cloth_sheet({.triangles = 200});
  std::vector<Vec3> start(sheet.positions().begin(), sheet.positions().end()), end = start;
  for (Vec3& x : end) x.z += x.x < 0 ? 0.25 : -0.25;
  const std::uint64_t plain = Deformable(sheet).step(end).counters.elementary_tests;
  for (const double far : {1e10, 1e300}) {
    start.push_back({far, far, far});
    end.push_back({-far, far, 0});
    Deformable d(Mesh(start, sheet.triangles()));
    EXPECT_EQ(d.step(end).counters.elementary_tests, plain) << far;
  }
}

TEST(Deform, BadPositionsAreRefused) {
  Deformable d(make::box());
  std::vector<Vec3> p(d.positions().begin(), d.positions().end());
  p.pop_back();
  EXPECT_EQ(d.step(p).status, Status::invalid_request);
  p.push_back({0, 0, std::numeric_limits<double>::infinity()});
  EXPECT_EQ(d.step(p).status, Status::invalid_request);
}

}  // namespace
}  // namespace graze
