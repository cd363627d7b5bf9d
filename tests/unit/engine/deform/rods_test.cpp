// SPDX-License-Identifier: MIT
// Loose edges and points beside triangles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include <graze/ask/collide.hpp>
#include <graze/ask/deform.hpp>
#include <graze/ask/deform_bodies.hpp>
#include <graze/ask/deform_brute.hpp>
#include <graze/ask/proximity.hpp>
#include <graze/ask/step_proof.hpp>
#include <graze/core/error.hpp>
#include <graze/mesh/make.hpp>

#include "contact_names.hpp"
#include "oracle/exact_oracle.hpp"
#include "oracle/generators.hpp"
#include "prim/moving/exact_moving.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {
namespace rods {

using prim::MovingPair;
using testing::different_contact_names;
using testing::RandomBudget;
using Edge = std::array<std::uint32_t, 2>;
PolygonList polygons(const std::vector<Triangle>& triangles) {
  PolygonList list;
  for (const Triangle& t : triangles) list.add(t);
  return list;
}

struct Step {
  Mesh mesh;
  std::vector<Vec3> end;
};

/// A few triangles, loose edges and points over common vertices. On the grid many are degenerate or duplicates.
Step random_step(oracle::Random& random, bool grid) {
  const int vertices = oracle::whole(random, 4, 9);
  const auto pick = [&] { return static_cast<std::uint32_t>(oracle::whole(random, 0, vertices - 1)); };
  std::vector<Vec3> start, end;
  for (int i = 0; i < vertices; ++i) {
    start.push_back(grid ? oracle::grid_point(random, 2) : oracle::real_point(random, 0.5));
    end.push_back(grid ? oracle::grid_point(random, 2) : start.back() + oracle::real_point(random, 0.5));
    if (oracle::whole(random, 0, 3) == 0) end.back() = start.back();
  }
  std::vector<Triangle> triangles;
  LooseParts loose;
  for (int i = oracle::whole(random, 0, 3); i > 0; --i) triangles.push_back({pick(), pick(), pick()});
  for (int i = oracle::whole(random, 0, 5); i > 0; --i) loose.edges.push_back({pick(), pick()});
  for (int i = oracle::whole(random, 0, 3); i > 0; --i) loose.points.push_back(pick());
  if (triangles.empty() && loose.empty()) loose.points.push_back(pick());
  return {Mesh(start, polygons(triangles), {}, loose), end};
}

/// What the header promises, pair by pair, each by the exact test of its own kind.
std::set<testing::ContactName> exact_contacts(const Step& s) {
  const Mesh& mesh = s.mesh;
  std::set<testing::ContactName> found;
  const auto meet = [&](MovingPair pair, const std::vector<std::uint32_t>& v) {
    prim::StraightPoints p{};
    for (std::size_t k = 0; k < v.size(); ++k) {
      p.start[k] = mesh.positions()[v[k]];
      p.end[k] = s.end[v[k]];
    }
    return prim::exactly_meet(pair, p);
  };
  std::set<std::uint32_t> used;
  std::set<Edge> edges;
  const auto name = [](std::uint32_t v, Triangle f) {
    std::sort(f.begin(), f.end());
    return testing::ContactName{ElementaryKind::vertex_face, {v, f[0], f[1], f[2]}};
  };
  for (const Triangle& t : mesh.triangles())
    for (std::size_t k = 0; k < 3; ++k) {
      used.insert(t[k]);
      edges.insert({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
    }
  for (const auto& [a, b] : mesh.edges()) {
    used.insert({a, b});
    if (a != b) edges.insert({std::min(a, b), std::max(a, b)});
  }
  used.insert(mesh.points().begin(), mesh.points().end());
  for (const std::uint32_t v : used) {
    for (const Triangle& t : mesh.triangles())
      if (v != t[0] && v != t[1] && v != t[2] && meet(MovingPair::vertex_face, {v, t[0], t[1], t[2]}))
        found.insert(name(v, t));
    for (const auto& [a, b] : mesh.edges())
      if (v != a && v != b && meet(MovingPair::vertex_edge, {v, a, b}))
        found.insert(name(v, {std::min(a, b), std::max(a, b), std::max(a, b)}));
    for (const std::uint32_t p : mesh.points())
      if (v != p && meet(MovingPair::vertex_vertex, {v, p})) found.insert(name(v, {p, p, p}));
  }
  for (const Edge& a : edges)
    for (const Edge& b : edges)
      if (a < b && a[0] != b[0] && a[0] != b[1] && a[1] != b[0] && a[1] != b[1] &&
          meet(MovingPair::edge_edge, {a[0], a[1], b[0], b[1]}))
        found.insert({ElementaryKind::edge_edge, {a[0], a[1], b[0], b[1]}});
  return found;
}

/// By the rules for triangles, of which a loose edge has one corner twice.
std::vector<EdgeCrossing> exact_crossings(const Mesh& mesh) {
  std::vector<EdgeCrossing> found;
  const auto at = [&](const Triangle& t) {
    return oracle::Triangle{oracle::exact(mesh.positions()[t[0]]), oracle::exact(mesh.positions()[t[1]]),
                            oracle::exact(mesh.positions()[t[2]])};
  };
  for (std::uint32_t e = 0; e < mesh.edges().size(); ++e) {
    const auto [a, b] = mesh.edges()[e];
    for (std::uint32_t t = 0; a != b && t < mesh.triangle_count(); ++t) {
      const Triangle& x = mesh.triangles()[t];
      if (std::count(x.begin(), x.end(), a) > 0 && std::count(x.begin(), x.end(), b) > 0) continue;
      if (oracle::shares_more_than(at(mesh.triangles()[t]), mesh.triangles()[t], at({a, b, b}), {a, b, b}))
        found.push_back({e, TriangleId{t}});
    }
  }
  return found;
}

TEST(Rods, FindExactlyWhatEveryPairByItselfShows) {
  const std::uint64_t seed = RandomBudget::seed(431);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  std::size_t points = 0, ends = 0, crossings = 0;
  for (RandomBudget budget(1500); budget.more();) {
    const Step s = random_step(random, random() % 2);
    const auto exact = exact_contacts(s);
    const std::vector<testing::ContactName> truth(exact.begin(), exact.end());
    const std::vector<EdgeCrossing> crossing = exact_crossings(s.mesh);
    for (const auto& [kind, v] : truth) {
      ends += kind == ElementaryKind::vertex_face && v[1] != v[2] && v[2] == v[3];
      points += kind == ElementaryKind::vertex_face && v[1] == v[3];
    }
    crossings += crossing.size();
    DeformOptions options;
    options.exact = true;
    const DeformResult brute = deform_brute(s.mesh, s.mesh.positions(), s.end, options);
    ASSERT_EQ(different_contact_names(brute), truth);
    ASSERT_EQ(brute.edges_crossing_at_start, crossing);
    for (const bool self : {true, false}) {
      options.self = self;
      const DeformResult expected = deform_brute(s.mesh, s.mesh.positions(), s.end, options);
      options.representatives = random() % 4 > 0;
      options.orphans = random() % 4 > 0;
      options.feature_bounds = random() % 4 > 0;
      options.both_ends = random() % 4 > 0;
      options.directions = random() % 2 ? 9 : 3;
      const DeformResult r = Deformable(s.mesh).step(s.end, options);
      ASSERT_EQ(different_contact_names(r), different_contact_names(expected))
          << self << options.representatives << options.orphans;
      ASSERT_EQ(r.crossing_at_start, expected.crossing_at_start);
      ASSERT_EQ(r.edges_crossing_at_start, expected.edges_crossing_at_start);
      ASSERT_EQ(r.status, expected.status);
      // Without exact arithmetic nothing less is found.
      DeformOptions near = options;
      near.exact = false;
      const std::vector<testing::ContactName> all = different_contact_names(Deformable(s.mesh).step(s.end, near));
      const std::vector<testing::ContactName> least = different_contact_names(expected);
      ASSERT_TRUE(std::includes(all.begin(), all.end(), least.begin(), least.end()));
    }
  }
  if (!RandomBudget::is_whole()) return;
  EXPECT_GT(points, 40u);
  EXPECT_GT(ends, 100u);
  EXPECT_GT(crossings, 80u);
}

/// A hair is one polyline.
void add_hair(std::vector<Vec3>& at, LooseParts& loose, const Vec3& root, const Vec3& step, int segments, double wave) {
  for (int k = 0; k <= segments; ++k) {
    if (k > 0)
      loose.edges.push_back({static_cast<std::uint32_t>(at.size() - 1), static_cast<std::uint32_t>(at.size())});
    at.push_back(root + step * k + Vec3{wave * std::sin(1.7 * k), wave * std::cos(2.3 * k), 0});
  }
}

/// Hairs and particles fall through a sheet and each other.
Step falling(int hairs, int segments, int sheet_side) {
  std::vector<Vec3> at;
  LooseParts loose;
  oracle::Random random(5);
  for (int h = 0; h < hairs; ++h)
    add_hair(at, loose, Vec3{0.5, 0.5, 1} + oracle::real_point(random, 0.4), oracle::real_point(random, 0.03), segments,
             0.01);
  for (int p = 0; p < hairs; ++p) {
    loose.points.push_back(static_cast<std::uint32_t>(at.size()));
    at.push_back(Vec3{0.5, 0.5, 1} + oracle::real_point(random, 0.4));
  }
  const auto moving = static_cast<std::uint32_t>(at.size());
  std::vector<Triangle> triangles;
  const auto n = static_cast<std::uint32_t>(sheet_side + 1);
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j) {
      at.push_back({double(i) / sheet_side, double(j) / sheet_side, 0.1 * std::sin(3.0 * i)});
      const std::uint32_t v = moving + i * n + j;
      if (i > 0 && j > 0) {
        triangles.push_back({v, v - 1, v - n});
        triangles.push_back({v - 1, v - n - 1, v - n});
      }
    }
  std::vector<Vec3> end = at;
  for (std::uint32_t v = 0; v < moving; ++v) end[v] = end[v] + Vec3{0.02 * std::sin(11.0 * v), 0, -1.2};
  return {Mesh(at, polygons(triangles), {}, loose), end};
}

TEST(Rods, HairsAndParticlesAsByBruteForce) {
  const Step s = falling(20, 8, 6);
  DeformOptions options;
  options.exact = true;
  const DeformResult truth = deform_brute(s.mesh, s.mesh.positions(), s.end, options);
  Deformable d(s.mesh);
  const DeformResult r = d.step(s.end, options);
  EXPECT_EQ(different_contact_names(r), different_contact_names(truth));
  EXPECT_GT(r.contacts.size(), 100u);
  // Of a few thousand pairs in twenty thousand.
  EXPECT_LT(r.counters.elementary_tests * 5, truth.counters.elementary_tests);
  options.exact = false;
  options.min_separation = 0.05;
  const DeformResult apart = Deformable(s.mesh).step(s.end, options);
  EXPECT_EQ(different_contact_names(apart),
            different_contact_names(deform_brute(s.mesh, s.mesh.positions(), s.end, options)));
  EXPECT_GT(apart.contacts.size(), r.contacts.size());
  EXPECT_TRUE(std::any_of(apart.contacts.begin(), apart.contacts.end(), [](const DeformContact& c) {
    return c.kind == ElementaryKind::vertex_face && c.vertices[1] == c.vertices[3];
  }));
}

TEST(Rods, AnyNumberOfThreadsGivesTheSameAnswer) {
  const Step s = falling(250, 8, 20);
  DeformResult before;
  for (const int threads : {1, 2, 5}) {
    const DeformResult r = Deformable(s.mesh).step(s.end, {.threads = threads});
    ASSERT_GT(r.contacts.size(), 1000u);
    if (threads > 1) {
      ASSERT_EQ(different_contact_names(r), different_contact_names(before));
      ASSERT_EQ(r.counters.elementary_tests, before.counters.elementary_tests);
    }
    before = r;
  }
}

TEST(Rods, ARodThroughAClothAtTheStart) {
  // It stays in the middle: no vertex meets a face and no edge an edge.
  const Mesh mesh({{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, -1}, {1, 1, 1}}, polygons({{0, 1, 2}}), {}, {{{4, 3}}, {}});
  const std::vector<Vec3> still(mesh.positions().begin(), mesh.positions().end());
  Deformable d(mesh);
  const DeformResult r = d.step(still);
  EXPECT_EQ(r.status, Status::contact);
  EXPECT_TRUE(r.contacts.empty());
  EXPECT_EQ(r.edges_crossing_at_start, (std::vector<EdgeCrossing>{{0, TriangleId{0}}}));
  EXPECT_EQ(deform_brute(mesh, still, still).edges_crossing_at_start, r.edges_crossing_at_start);
  const StepSize size = d.step_size(still);
  EXPECT_EQ(size.status, Status::touching_at_start);
  EXPECT_EQ(size.edge_crossing_at_start, (EdgeCrossing{0, TriangleId{0}}));
  EXPECT_FALSE(size.crossing_at_start);
  EXPECT_EQ(d.step_size(still, {.ignore_start_crossings = true}).status, Status::free);
  // Grouped by bodies, and left out by a filter.
  const auto pairs = by_bodies(r, mesh);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].edges_crossing_at_start, r.edges_crossing_at_start);
  EXPECT_EQ((std::array{pairs[0].a, pairs[0].b}), (std::array{0u, 1u}));
  DeformFilter filter;
  filter.bodies = vertex_bodies(mesh);
  filter.off = {{1, 0}};
  d.set_filter(filter);
  EXPECT_EQ(d.step(still).status, Status::free);
  // The surface is the triangles: bodies and certificates do not speak of rods.
  EXPECT_THROW(prove_step(mesh, still, still), Error);
  EXPECT_EQ(self_collide(Body(mesh)).status, Status::free);
}

/// Each pair of kinds, with the time known.
TEST(Rods, KindsOfContacts) {
  const auto first = [](const Mesh& mesh, std::uint32_t moving, const Vec3& by, double separation = 0) {
    std::vector<Vec3> end(mesh.positions().begin(), mesh.positions().end());
    for (std::uint32_t v = 0; v < moving; ++v) end[v] = end[v] + by;
    Deformable d(mesh);
    return d.step(end, {.all = false, .min_separation = separation});
  };
  const Vec3 down{0, 0, -2};
  const auto expect = [](const DeformResult& r, ElementaryKind kind, std::array<std::uint32_t, 4> v, double t) {
    ASSERT_EQ(r.contacts.size(), 1u);
    EXPECT_EQ(r.contacts[0].kind, kind);
    EXPECT_EQ(r.contacts[0].vertices, v);
    EXPECT_NEAR(r.time.touch, t, 1e-6);
    EXPECT_LE(r.time.safe, t);
  };
  // A particle on a face, on a rod, on a particle; the last two also from a distance.
  expect(first(Mesh({{1, 1, 1}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, polygons({{1, 2, 3}}), {}, {{}, {0}}), 1, down),
         ElementaryKind::vertex_face, {0, 1, 2, 3}, 0.5);
  const Mesh on_rod({{1, 0, 1}, {0, 0, 0}, {4, 0, 0}}, {}, {}, {{{2, 1}}, {0}});
  expect(first(on_rod, 1, down), ElementaryKind::vertex_face, {0, 1, 2, 2}, 0.5);
  expect(first(on_rod, 1, down, 0.25), ElementaryKind::vertex_face, {0, 1, 2, 2}, 0.375);
  const Mesh particles({{1, 0, 1}, {1, 0, 0}}, {}, {}, {{}, {0, 1}});
  expect(first(particles, 1, down), ElementaryKind::vertex_face, {0, 1, 1, 1}, 0.5);
  expect(first(particles, 1, down, 0.25), ElementaryKind::vertex_face, {0, 1, 1, 1}, 0.375);
  EXPECT_EQ(first(particles, 1, {0.5, 0, -2}, 0.1).status, Status::free);
  // A rod across a rod, and across the border of a face.
  expect(first(Mesh({{1, -1, 1}, {1, 1, 1}, {0, 0, 0}, {4, 0, 0}}, {}, {}, {{{0, 1}, {2, 3}}, {}}), 2, down),
         ElementaryKind::edge_edge, {0, 1, 2, 3}, 0.5);
  expect(
      first(Mesh({{1, -1, 1}, {1, 1, 1}, {0, 0, 0}, {4, 0, 0}, {0, 4, -4}}, polygons({{2, 3, 4}}), {}, {{{0, 1}}, {}}),
            2, down),
      ElementaryKind::edge_edge, {0, 1, 2, 3}, 0.5);
  // A rod folds onto its own first segment: they share a vertex, so only the end meets it.
  std::vector<Vec3> end{{0, 0, 0}, {2, 0, 0}, {1, 0, 0}};
  const DeformResult folds =
      Deformable(Mesh({{0, 0, 0}, {2, 0, 0}, {1, 0, 1}}, {}, {}, {{{0, 1}, {1, 2}}, {}})).step(end);
  ASSERT_EQ(folds.contacts.size(), 1u);
  EXPECT_EQ(folds.contacts[0].vertices, (std::array<std::uint32_t, 4>{2, 0, 1, 1}));
}

TEST(Rods, AreCutAndJoined) {
  const Step s = falling(12, 8, 4);
  Deformable d(s.mesh);
  d.step(s.end);
  LooseParts cut = s.mesh.loose();
  for (std::size_t i = 4; i < cut.edges.size(); i += 8) cut.edges[i] = {cut.edges[i][0], cut.edges[0][0]};
  cut.points.pop_back();
  PolygonList fewer;
  for (std::uint32_t p = 0; p + 3 < s.mesh.polygon_count(); ++p) fewer.add(s.mesh.polygon(PolygonId{p}));
  const Mesh broken({s.mesh.positions().begin(), s.mesh.positions().end()}, fewer, {}, cut);
  d.replace(broken);
  DeformOptions options;
  options.exact = true;
  EXPECT_EQ(different_contact_names(d.step(s.end, options)),
            different_contact_names(deform_brute(broken, broken.positions(), s.end, options)));
}

/// `near` sees them by the same faces of equal corners.
TEST(Rods, AreNear) {
  oracle::Random random(7);
  std::size_t found = 0;
  for (int i = 0; i < 200; ++i) {
    const Step s = random_step(random, i % 2 == 0);
    const double d = i % 2 == 0 ? 1 : 0.3;
    const ProximityResult r = Deformable(s.mesh).near(s.end, d), truth = near_brute(s.mesh, s.end, d);
    ASSERT_EQ(r.pairs.size(), truth.pairs.size());
    for (std::size_t k = 0; k < r.pairs.size(); ++k) {
      ASSERT_EQ(r.pairs[k].kind, truth.pairs[k].kind);
      ASSERT_EQ(r.pairs[k].vertices, truth.pairs[k].vertices);
      ASSERT_EQ(r.pairs[k].multiplicity(), truth.pairs[k].multiplicity());
    }
    found += r.pairs.size();
  }
  EXPECT_GT(found, 150u);
}

TEST(Rods, BodiesAndFilters) {
  const Step s = falling(6, 5, 3);
  const std::vector<std::uint32_t> bodies = vertex_bodies(s.mesh);
  EXPECT_EQ(bodies[0], 1u);  // the sheet comes first, then the hairs, then the particles
  EXPECT_EQ(bodies.back(), 0u);
  EXPECT_EQ(*std::max_element(bodies.begin(), bodies.end()), 12u);
  const std::vector<std::uint32_t> of_polygons(s.mesh.polygon_count(), 7);
  EXPECT_EQ(vertex_bodies(s.mesh, of_polygons)[0], 8u);
  DeformFilter filter;
  filter.bodies = bodies;
  filter.settings.assign(13, {.self = false, .group = 2, .mask = 1});
  filter.settings[0] = {.self = false};  // everything only with the sheet
  DeformOptions options;
  options.exact = true;
  Deformable d(s.mesh);
  d.set_filter(filter);
  const DeformResult r = d.step(s.end, options);
  EXPECT_EQ(different_contact_names(r),
            different_contact_names(deform_brute(s.mesh, s.mesh.positions(), s.end, filter, options)));
  ASSERT_FALSE(r.contacts.empty());
  for (const DeformContact& c : r.contacts) EXPECT_TRUE((bodies[c.vertices[0]] == 0) != (bodies[c.vertices[3]] == 0));
}

/// Fans have bounds of their own from 64 parts on, of loose edges as well; and faces that are there many times.
TEST(Rods, StarsAndCopiesAgainstEveryPair) {
  const std::uint64_t seed = RandomBudget::seed(1521);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  std::size_t met = 0;
  for (RandomBudget budget(12); budget.more();) {
    std::vector<Vec3> start{{0, 0, 0}, {0.1, 0, 0.1}, {1, 0, 0}, {0, 1, 0}}, end;
    LooseParts loose;
    std::vector<Triangle> triangles;
    const bool flat = random() % 3 == 0;
    for (std::uint32_t i = 0; i < 90; ++i) {
      Vec3 x = oracle::real_point(random, 1);
      if (flat) x.z = 0;
      loose.edges.push_back({i % 3 == 0 ? 1u : 0u, static_cast<std::uint32_t>(start.size())});
      start.push_back(x);
    }
    for (int i = oracle::whole(random, 0, 1) * 100; i > 0; --i) triangles.push_back({2, 0, 3});
    for (const Vec3& x : start) end.push_back(x + oracle::real_point(random, random() % 8 == 0 ? 0.5 : 0.01));
    const Mesh mesh(start, polygons(triangles), {}, loose);
    const DeformOptions options{
        .exact = true, .crossing_at_start = false, .threads = 1 + static_cast<int>(random() % 2)};
    Deformable d(mesh);
    const DeformResult r = d.step(end, options);
    ASSERT_EQ(different_contact_names(r), different_contact_names(deform_brute(mesh, start, end, options)));
    met += r.contacts.size();
  }
  EXPECT_GT(met, 50u);
}

}  // namespace rods
}  // namespace
}  // namespace graze
