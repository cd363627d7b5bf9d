// SPDX-License-Identifier: MIT
// Which features are near each other at an instant: against the oracle, on inputs that hurt.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include <graze/ask/proximity.hpp>
#include <graze/mesh/make.hpp>

#include "oracle/exact_oracle.hpp"
#include "oracle/generators.hpp"
#include "random_budget.hpp"
#include "soups.hpp"

namespace graze {
namespace {

using testing::RandomBudget;

std::vector<Vec3> places(const Mesh& mesh) { return {mesh.positions().begin(), mesh.positions().end()}; }

double size_of(const ProximityPair& p, std::span<const Vec3> x) {
  double size = 0;
  for (const std::uint32_t a : p.vertices)
    for (const std::uint32_t b : p.vertices) size = std::max(size, length(x[a] - x[b]));
  return size;
}

/// How many of the vertices belong to the first feature.
std::size_t of_first(const ProximityPair& p) {
  return p.nearly_parallel || p.kind == ElementaryKind::edge_edge ? 2 : 1;
}

std::array<Vec3, 2> points_of(const ProximityPair& p, std::span<const Vec3> x) {
  std::array<Vec3, 2> r{};
  for (std::size_t k = 0; k < 4; ++k) {
    Vec3& at = r[k < of_first(p) ? 0 : 1];
    at = at + x[p.vertices[k]] * p.weights[k];
  }
  return r;
}

/// The same pairs; distances and weights equal but for rounding.
void expect_same(const ProximityResult& a, const ProximityResult& b, std::span<const Vec3> x) {
  EXPECT_EQ(a.status, b.status);
  ASSERT_EQ(a.pairs.size(), b.pairs.size());
  for (std::size_t i = 0; i < a.pairs.size(); ++i) {
    const ProximityPair &p = a.pairs[i], &q = b.pairs[i];
    ASSERT_EQ(p.kind, q.kind);
    ASSERT_EQ(p.nearly_parallel, q.nearly_parallel);
    ASSERT_EQ(p.vertices, q.vertices);
    EXPECT_EQ(p.closest, q.closest);
    EXPECT_EQ(p.vertex_face, q.vertex_face);
    EXPECT_EQ(p.edge_edge, q.edge_edge);
    EXPECT_LE(std::fabs(p.distance - q.distance), 0x1p-27 * q.distance);
    const auto at = points_of(p, x), wanted = points_of(q, x);
    const double size = size_of(p, x);
    Vec3 between{};
    for (std::size_t k = 0; k < 4; ++k) between = between + x[p.vertices[k]] * p.signed_weights()[k];
    EXPECT_LE(length(between - (at[0] - at[1])), 0x1p-45 * (length(at[0]) + length(at[1]) + size));
    for (std::size_t k = 0; k < 2; ++k) EXPECT_LE(length(at[k] - wanted[k]), 0x1p-35 * size);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_TRUE(p.weights[k] == 0 || (p.closest >> k & 1));
  }
}

ProximityResult ask(const Mesh& mesh, std::span<const Vec3> x, double d, const ProximityOptions& options) {
  ProximityResult result;
  Deformable(mesh).near(x, d, options, result);
  return result;
}

TEST(Near, FindsWhatTheOracleFinds) {
  const std::uint64_t seed = RandomBudget::seed(5201);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  for (RandomBudget budget(8); budget.more();) {
    const bool grid = random() % 2 == 0;
    const Mesh mesh = testing::soup(random, 7, grid);
    std::vector<Vec3> rest = places(mesh);
    for (Vec3& p : rest) p = p + oracle::real_point(random, 0.1);
    for (const double scale : {1.0, 0x1p-400, 0x1p+300}) {
      std::vector<Vec3> x = places(mesh);
      for (Vec3& p : x) p = p * scale;
      for (const double d : {0.0, 0.1, 1.0, std::sqrt(2.0), 1e3})
        for (const bool self : {false, true}) {
          ProximityOptions options;
          options.self = self;
          expect_same(ask(mesh, x, d * scale, options), near_brute(mesh, x, d * scale, options), x);
          if (scale != 1) continue;
          options.rest = rest;
          options.mollifier = 0.5;
          expect_same(ask(mesh, x, d, options), near_brute(mesh, x, d, options), x);
        }
    }
  }
}

/// The oracle in rational numbers: which pairs of features are within d, how far the closest parts are apart.
TEST(NearBrute, CountsAndDistancesAreThoseOfRationalNumbers) {
  const std::uint64_t seed = RandomBudget::seed(5202);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  for (RandomBudget budget(6); budget.more();) {
    const bool grid = random() % 2 == 0;
    const Mesh mesh = testing::soup(random, 5, grid);
    const std::vector<Vec3> x = places(mesh);
    const double d = grid ? 1.0 : 0.4;
    const ProximityResult r = near_brute(mesh, x, d);
    std::uint32_t vertex_face = 0, edge_edge = 0;
    std::vector<bool> used(x.size());
    std::map<std::array<std::uint32_t, 2>, bool> edges;
    for (const Triangle& t : mesh.triangles())
      for (std::size_t k = 0; k < 3; ++k) {
        used[t[k]] = true;
        edges[{std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])}] = true;
      }
    const oracle::Rational bound = oracle::exact(d) * oracle::exact(d);
    const auto at = [&](std::uint32_t v) { return oracle::exact(x[v]); };
    for (std::uint32_t v = 0; v < x.size(); ++v)
      for (const Triangle& t : mesh.triangles())
        if (used[v] && v != t[0] && v != t[1] && v != t[2])
          vertex_face += oracle::squared_distance(at(v), oracle::Triangle{at(t[0]), at(t[1]), at(t[2])}) <= bound;
    for (auto i = edges.begin(); i != edges.end(); ++i)
      for (auto j = std::next(i); j != edges.end(); ++j) {
        const auto &e = i->first, &f = j->first;
        if (e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1]) continue;
        edge_edge += oracle::squared_distance(std::array{at(e[0]), at(e[1])}, std::array{at(f[0]), at(f[1])}) <= bound;
      }
    for (const ProximityPair& p : r.pairs) {
      vertex_face -= p.vertex_face;
      edge_edge -= p.edge_edge;
      oracle::Rational squared;
      const auto& v = p.vertices;
      switch (p.kind) {
        case ElementaryKind::vertex_vertex: squared = oracle::squared_distance(at(v[0]), at(v[1])); break;
        case ElementaryKind::vertex_edge:
          squared = oracle::squared_distance(at(v[0]), std::array{at(v[1]), at(v[2])});
          break;
        case ElementaryKind::edge_edge:
          squared = oracle::squared_distance(std::array{at(v[0]), at(v[1])}, std::array{at(v[2]), at(v[3])});
          break;
        case ElementaryKind::vertex_face:
          squared = oracle::squared_distance(at(v[0]), oracle::Triangle{at(v[1]), at(v[2]), at(v[3])});
          break;
      }
      EXPECT_NEAR(p.distance * p.distance, oracle::to_double(squared), 1e-14 * oracle::to_double(squared));
    }
    EXPECT_EQ(vertex_face, 0u);
    EXPECT_EQ(edge_edge, 0u);
  }
}

TEST(Near, ThreadsAndRepeatsGiveTheSameBits) {
  const Mesh mesh = make::cloth_sheet({.triangles = 6000});
  ASSERT_GT(mesh.triangle_count(), 2048u);
  std::vector<Vec3> x = places(mesh);
  oracle::Random random(7);
  for (Vec3& p : x) p = p + oracle::real_point(random, 0.01);
  ProximityResult one, again;
  ProximityOptions options;
  Deformable d(mesh);
  d.near(x, 0.02, options, one);
  ASSERT_GT(one.pairs.size(), 100u);
  for (const int threads : {1, 2, 3}) {
    options.threads = threads;
    d.near(x, 0.02, options, again);
    ASSERT_EQ(one.pairs.size(), again.pairs.size());
    EXPECT_EQ(one.counters.elementary_tests, again.counters.elementary_tests);
    EXPECT_EQ(one.counters.node_pairs, again.counters.node_pairs);
    for (std::size_t i = 0; i < one.pairs.size(); ++i) {
      ASSERT_EQ(one.pairs[i].vertices, again.pairs[i].vertices);
      ASSERT_EQ(one.pairs[i].distance, again.pairs[i].distance);
      ASSERT_EQ(one.pairs[i].weights, again.pairs[i].weights);
      ASSERT_EQ(one.pairs[i].multiplicity(), again.pairs[i].multiplicity());
    }
  }
}

/// Two patches that are parallel to x + y + z = 0 and apart along that diagonal by 3 units, alone and beside a far
/// part, so that single precision is sharp, and not: the distance, the next number below and the next above.
TEST(Near, DistancesAlongTheDiagonalOfACube) {
  for (const double unit : {1.0, 0x1p-30, 0x1p-60})
    for (const double far : {0.0, 1.0, 1e9}) {
      const double k = unit, r = std::sqrt(27.0) * unit;
      std::vector<Vec3> x;
      std::vector<Triangle> triangles;
      const auto patch = [&](double shift) {
        const auto n = static_cast<std::uint32_t>(x.size());
        for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{8, -8, 0}, Vec3{0, -8, 8}, Vec3{8, -16, 8}})
          x.push_back(p * k + Vec3{shift, shift, shift});
        triangles.push_back({n, n + 1, n + 2});
        triangles.push_back({n + 2, n + 1, n + 3});
      };
      for (int i = 0; i < 12; ++i) patch(3 * k * i);
      if (far != 0) patch(far);
      const Mesh mesh(x, triangles);
      for (const double d : {std::nextafter(r, 0.0), r, std::nextafter(r, 1.0), 2.1 * r})
        expect_same(ask(mesh, x, d, {}), near_brute(mesh, x, d), x);
    }
}

TEST(Near, RefusesWhatItCannotAnswer) {
  const Mesh mesh = testing::box({0, 0, 0}, {1, 1, 1});
  Deformable d(mesh);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {-1.0, infinity, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(d.near(bad).status, Status::invalid_request);
    EXPECT_EQ(near_brute(mesh, mesh.positions(), bad).status, Status::invalid_request);
  }
  std::vector<Vec3> x = places(mesh);
  x[3].y = infinity;
  EXPECT_EQ(d.near(x, 1).status, Status::invalid_request);
  x.pop_back();
  const ProximityResult r = d.near(x, 1);
  EXPECT_EQ(r.status, Status::invalid_request);
  ASSERT_TRUE(r.error.has_value());
  EXPECT_NE(r.error->message.find("8"), std::string::npos);
  ProximityOptions options;
  options.rest = x;
  ProximityResult with_rest;
  d.near(d.positions(), 1, options, with_rest);
  EXPECT_EQ(with_rest.status, Status::invalid_request);
}

/// In single precision such distances are infinite: what fills up blocks of boxes was listed as pairs of vertex 0.
TEST(Near, DistancesBeyondSinglePrecisionListEveryPairOnce) {
  const Mesh box = make::box();
  const std::size_t all = near_brute(box, box.positions(), 10).pairs.size();
  for (const int e : {2, 100, 127, 128, 200, 1000})
    EXPECT_EQ(Deformable(box).near(box.positions(), std::ldexp(1.0, e)).pairs.size(), all) << e;
}

TEST(Near, LimitsEndIt) {
  const Mesh mesh = make::cloth_sheet({.triangles = 2000});
  Deformable d(mesh);
  ProximityOptions options;
  options.work = 10;
  ProximityResult r;
  d.near(mesh.positions(), 0.1, options, r);
  EXPECT_EQ(r.status, Status::undecided);
  EXPECT_TRUE(r.pairs.empty());
  options.work = 0;
  const CancelSource source;
  source.cancel();
  options.cancel = source.token();
  d.near(mesh.positions(), 0.1, options, r);
  EXPECT_EQ(r.status, Status::undecided);
  EXPECT_EQ(d.near(0.1).status, Status::contact);
}

/// Coordinates that no power of two makes harmless together: distances and weights are those of the scene by itself.
TEST(Near, HugeCoordinatesBesideDenormals) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> real(-1, 1);
  constexpr double scale = 0x1p1020;
  std::size_t compared = 0;
  for (int scene = 0; scene < 40; ++scene) {
    const auto coordinate = [&] { return scene % 2 == 1 ? std::round(real(random) * 3) / 4 : real(random); };
    std::vector<Vec3> alone, huge;
    std::vector<Triangle> triangles;
    for (std::uint32_t t = 0; t < 6; ++t) {
      for (int k = 0; k < 3; ++k) alone.push_back({coordinate(), coordinate(), 0.1 * coordinate()});
      triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
    for (const Vec3& x : alone) huge.push_back(x * scale);
    for (int k = 0; k < 3; ++k) huge.push_back({5e-324 * (k + 1), 3e-310 * k, k == 2 ? 1e-308 : 0});
    std::vector<Triangle> with_tiny = triangles;
    with_tiny.push_back({18, 19, 20});
    const double d = 0.05 * (1 + scene % 8);
    const ProximityResult expected = Deformable(Mesh(alone, std::span<const Triangle>(triangles))).near(d),
                          found = Deformable(Mesh(huge, std::span<const Triangle>(with_tiny))).near(d * scale);
    std::size_t at = 0;
    for (const ProximityPair& p : found.pairs) {
      if (std::any_of(p.vertices.begin(), p.vertices.end(), [](std::uint32_t v) { return v >= 18; })) continue;
      ASSERT_LT(at, expected.pairs.size()) << scene;
      const ProximityPair& q = expected.pairs[at++];
      ASSERT_EQ(p.kind, q.kind) << scene;
      ASSERT_EQ(p.vertices, q.vertices) << scene;
      ASSERT_NEAR(p.distance / scale, q.distance, 0x1p-27 * q.distance) << scene;
      for (std::size_t k = 0; k < 4; ++k) ASSERT_NEAR(p.weights[k], q.weights[k], 1e-9) << scene;
      ++compared;
    }
    ASSERT_EQ(at, expected.pairs.size()) << scene;
  }
  EXPECT_GT(compared, 1000u);
}

}  // namespace
}  // namespace graze
