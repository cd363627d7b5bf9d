// SPDX-License-Identifier: MIT
// ICCD's cullings: none of them changes an exact answer, and each shows in its counters.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include <graze/ask/deform.hpp>
#include <graze/mesh/make.hpp>

#include "all_counters.hpp"
#include "contact_names.hpp"
#include "engine/deform/topology/orphans.hpp"
#include "engine/deform/tree/dop_tree.hpp"
#include "engine/deform/tree/patch_tree.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using testing::reported_contacts;

struct Motion {
  Mesh mesh;
  std::vector<Vec3> end;
};

/// A sheet of n x m squares, at (u, v) in [0, 1]^2 where `place` says.
template <class Start, class End>
Motion sheet(int n, int m, Start start, End end) {
  std::vector<Vec3> a, b;
  std::vector<Triangle> list;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= m; ++j) {
      const double u = static_cast<double>(i) / n, v = static_cast<double>(j) / m;
      a.push_back(start(u, v));
      b.push_back(end(u, v));
      if (i == n || j == m) continue;
      const auto at = static_cast<std::uint32_t>(i * (m + 1) + j), right = at + static_cast<std::uint32_t>(m) + 1;
      list.push_back({at, right, right + 1});
      list.push_back({at, right + 1, at + 1});
    }
  return {Mesh(a, std::span<const Triangle>(list)), b};
}

/// A nearly flat sheet folds over along a line, down to and through itself.
Motion folding_sheet(int n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> noise(-0.002, 0.002);
  const auto wave = [](double u, double v) { return 0.01 * u * (1 - u) * v; };
  return sheet(
      2 * n, n,
      [&](double u, double v) {
        return Vec3{2 * u, v, wave(u, v) + noise(random)};
      },
      [&](double u, double v) {
        return u < 0.5 ? Vec3{2 * u, v, wave(u, v) + noise(random)}
                       : Vec3{2 - 2 * u, v + 0.03, 0.3 * std::fabs(u - 0.5) - 0.05 + noise(random)};
      });
}

DeformOptions switches(unsigned bits) {
  DeformOptions o;
  o.exact = true;
  o.crossing_at_start = false;
  o.patches = bits & 1;
  o.representatives = bits & 2;
  o.orphans = bits & 4;
  o.contour_accelerations = bits & 8;
  return o;
}

/// One step of a new object, with all counters.
testing::Counted<DeformResult> step(const Motion& m, DeformOptions options) {
  return testing::counted([&](MethodCounters* own) {
    options.method_counters = own;
    return Deformable(m.mesh).step(m.end, options);
  });
}

void expect_same_for_all_switches(const Motion& m) {
  const std::vector<testing::ReportedContact> plain = reported_contacts(Deformable(m.mesh).step(m.end, switches(0)));
  for (unsigned bits = 1; bits < 16; ++bits)
    ASSERT_EQ(reported_contacts(Deformable(m.mesh).step(m.end, switches(bits))), plain) << "switches " << bits;
}

TEST(DeformIccd, NoSwitchChangesAnExactAnswerOfAFoldingSheet) {
  const Motion m = folding_sheet(6, 7);
  ASSERT_GT(Deformable(m.mesh).step(m.end, switches(0)).contacts.size(), 20u);
  expect_same_for_all_switches(m);
}

TEST(DeformIccd, NoSwitchChangesAnExactAnswerOnTheGrid) {
  std::mt19937_64 random(1);
  const auto whole = [&] { return static_cast<double>(random() % 3); };
  // Whole coordinates: coplanar, touching and sliding everywhere, which exact arithmetic takes its time for.
  const Motion m = sheet(
      3, 1,
      [&](double u, double v) {
        return Vec3{3 * u, v, whole()};
      },
      [&](double u, double v) {
        return Vec3{3 * u + whole() - 1, v, whole()};
      });
  EXPECT_EQ(reported_contacts(Deformable(m.mesh).step(m.end, switches(15))),
            reported_contacts(Deformable(m.mesh).step(m.end, switches(0))));
}

TEST(DeformIccd, NoSwitchChangesAnExactAnswerOfABranchingSoup) {
  // Few vertices and many triangles: edges with many triangles, double and degenerate ones.
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> real(-1, 1);
    std::vector<Vec3> start, end;
    for (int i = 0; i < 12; ++i) {
      start.push_back({real(random), real(random), real(random)});
      end.push_back({real(random), real(random), real(random)});
    }
    std::vector<Triangle> list;
    const auto pick = [&] { return static_cast<std::uint32_t>(random() % start.size()); };
    for (int i = 0; i < 14; ++i) list.push_back({pick(), pick(), pick()});
    expect_same_for_all_switches({Mesh(start, std::span<const Triangle>(list)), end});
  }
}

TEST(DeformIccd, EachCullingShowsInItsCounters) {
  const Motion m = folding_sheet(10, 3);
  const auto cost = [&](unsigned bits) { return step(m, switches(bits)).counters; };
  const AllCounters all = cost(15), no_patches = cost(14), no_representatives = cost(13), no_orphans = cost(11),
                    no_acceleration = cost(7);
  EXPECT_GT(all.contour_culled, 0u);
  EXPECT_LE(all.contour_culled, all.patch_cones);
  EXPECT_GT(all.contour_projections_cached, 0u);
  EXPECT_EQ(no_patches.patch_cones, 0u);
  EXPECT_LT(all.leaf_pairs, no_patches.leaf_pairs);
  EXPECT_LT(all.elementary_tests, no_representatives.elementary_tests);
  EXPECT_EQ(no_orphans.orphan_tests, 0u);
  EXPECT_GT(cost(9).triangle_tests, no_representatives.triangle_tests);  // adjacent ones
  EXPECT_GT(no_acceleration.contour_edge_tests, all.contour_edge_tests);
}

TEST(DeformIccd, APatchThatIsProvedTakesItsOrphansWithIt) {
  // A sheet that turns in its plane by nearly a right angle: no direction separates the orphans at its rim at both
  // ends, the cone and contour do.
  const Motion m = sheet(
      8, 8,
      [](double u, double v) {
        return Vec3{u, v, 0.1 * u * v};
      },
      [](double u, double v) {
        return Vec3{0.17 * u - 0.98 * v, 0.98 * u + 0.17 * v, 0.1 * u * v};
      });
  const DeformOptions with = switches(15), without = switches(14);
  const AllCounters proved = step(m, with).counters;
  EXPECT_EQ(proved.contour_culled, 1u);
  EXPECT_EQ(proved.elementary_tests, 0u);
  EXPECT_GT(step(m, without).counters.orphan_tests, 0u);
}

TEST(DeformIccd, TheEarliestIsTheFirstOfAll) {
  const Motion m = folding_sheet(9, 11);
  DeformOptions all = switches(15), earliest = all;
  earliest.all = false;
  const DeformResult every = Deformable(m.mesh).step(m.end, all), one = Deformable(m.mesh).step(m.end, earliest);
  ASSERT_EQ(one.contacts.size(), 1u);
  EXPECT_EQ(one.time.touch, every.time.touch);
  EXPECT_EQ(one.time.safe, every.time.safe);
}

TEST(DeformIccd, TheSameForAnyNumberOfThreads) {
  // The larger one has a tree of several branches.
  for (const int question : {0, 1, 2, 3}) {
    const Motion m = folding_sheet(question < 2 ? 10 : 30, 5);
    DeformOptions o;
    o.all = question % 2 == 0;
    const auto one = step(m, o);
    o.threads = 3;
    const auto three = step(m, o);
    ASSERT_EQ(reported_contacts(one), reported_contacts(three));
    for (std::size_t i = 0; i < one.contacts.size(); ++i) {
      EXPECT_EQ(one.contacts[i].time.safe, three.contacts[i].time.safe);
      EXPECT_EQ(one.contacts[i].gap, three.contacts[i].gap);
    }
    EXPECT_EQ(one.counters.elementary_tests, three.counters.elementary_tests);
    EXPECT_EQ(one.counters.node_pairs, three.counters.node_pairs);
    EXPECT_EQ(one.counters.contour_culled, three.counters.contour_culled);
    EXPECT_EQ(one.counters.contour_projections_cached, three.counters.contour_projections_cached);
  }
}

/// Of a sheet: every patch of some size has a contour, the steps across which there is no triangle of it.
void expect_contours_of_the_definition(const engine::deform::Topology& topology,
                                       const engine::deform::PatchTree& tree) {
  for (const engine::deform::PatchNode& n : tree.nodes) {
    if (n.size() < engine::deform::patch_least_size) continue;
    std::vector<std::uint32_t> expected;
    for (std::uint32_t k = n.begin; k < n.end; ++k)
      for (std::uint32_t e = 0; e < 3; ++e) {
        const std::uint32_t other = topology.across(tree.items[k], e);
        if (!engine::deform::Topology::is_triangle(other) || tree.position[other] < n.begin ||
            tree.position[other] >= n.end)
          expected.push_back(3 * tree.items[k] + e);
      }
    const auto first = tree.contours.begin() + n.contour_begin;
    std::vector<std::uint32_t> found(first, first + n.contour_size);
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found, expected);
  }
}

TEST(DeformIccd, ContoursAreThoseOfTheDefinition) {
  const Mesh mesh = folding_sheet(40, 1).mesh;
  const engine::deform::Topology topology(mesh);
  const auto boxes = engine::deform::sweep_boxes(topology, {mesh.positions(), mesh.positions()}, 1);
  const engine::deform::PatchTree tree = engine::deform::build_patch_tree(topology, boxes, 2);
  ASSERT_GT(tree.branches.size(), 4u);
  expect_contours_of_the_definition(topology, tree);
  engine::deform::Touched touched;
  touched.is_triangle.assign(mesh.triangle_count(), false);
  for (std::uint32_t t = 100; t < 160; ++t) {
    touched.triangles.push_back(t);
    touched.is_triangle[t] = true;
  }
  expect_contours_of_the_definition(
      topology, engine::deform::repair_patch_tree(tree, topology, touched,
                                                  {topology, {mesh.positions(), mesh.positions()}, {}}, 2));
}

TEST(DeformIccd, BranchesHoldEveryNodeOnce) {
  for (const int n : {3, 16, 50}) {
    const Mesh mesh = folding_sheet(n, 1).mesh;
    const engine::deform::Topology topology(mesh);
    const engine::deform::PatchTree tree = engine::deform::build_patch_tree(
        topology, engine::deform::sweep_boxes(topology, {mesh.positions(), mesh.positions()}, 1), 1);
    std::vector<int> met(tree.nodes.size(), 0);
    std::uint32_t at = 0;
    for (const engine::deform::TreeBranch& b : tree.branches) {
      EXPECT_EQ(tree.nodes[b.root].begin, at) << "from the left to the right";
      at = tree.nodes[b.root].end;
      ++met[b.root];
      for (std::uint32_t i = b.first; i < b.last; ++i) {
        ++met[i];
        EXPECT_GE(tree.nodes[i].begin, tree.nodes[b.root].begin);
        EXPECT_LE(tree.nodes[i].end, tree.nodes[b.root].end);
      }
    }
    EXPECT_EQ(at, tree.items.size());
    for (const std::uint32_t i : tree.above) ++met[i];
    EXPECT_EQ(std::count(met.begin(), met.end(), 1), static_cast<std::ptrdiff_t>(met.size()));
    EXPECT_EQ(tree.branches.size() > 4, n == 50);
  }
}

/// By the definition: no pair of triangles that are not adjacent has the features.
std::vector<engine::deform::FourVertices> orphans_by_definition(const Mesh& mesh,
                                                                const engine::deform::Topology& topology) {
  std::vector<engine::deform::FourVertices> expected;
  const auto add = [&](auto&& has_one, auto&& has_other, engine::deform::FourVertices v) {
    for (const Triangle& a : mesh.triangles())
      for (const Triangle& b : mesh.triangles())
        if (has_one(a) && has_other(b) && !engine::deform::adjacent(a, b)) return;
    expected.push_back(v);
  };
  const auto n = static_cast<std::uint32_t>(mesh.vertex_count());
  const auto has_edge = [](const Triangle& t, const engine::deform::EdgeVertices& e) {
    return engine::deform::edge_of(t, 0) == e || engine::deform::edge_of(t, 1) == e ||
           engine::deform::edge_of(t, 2) == e;
  };
  std::vector<engine::deform::EdgeVertices> edges;
  for (const Triangle& t : mesh.triangles())
    for (std::size_t k = 0; k < 3; ++k) edges.push_back(engine::deform::edge_of(t, k));
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (std::uint32_t v = 0; v < n; ++v)
    for (const Triangle& f : mesh.triangles())
      if (!topology.around(v).empty() && !engine::deform::has_vertex(f, v))
        add([&](const Triangle& t) { return engine::deform::has_vertex(t, v); },
            [&](const Triangle& t) { return &t == &f; }, {v, f[0], f[1], f[2]});
  for (const auto& e : edges)
    for (const auto& f : edges)
      if (e < f && !engine::deform::share_vertex(e, f))
        add([&](const Triangle& t) { return has_edge(t, e); }, [&](const Triangle& t) { return has_edge(t, f); },
            {e[0], e[1], f[0], f[1]});
  std::sort(expected.begin(), expected.end());
  return expected;
}

std::size_t expect_orphans_of_the_definition(const std::vector<Triangle>& list, std::uint32_t vertices) {
  const Mesh mesh{std::vector<Vec3>(vertices), std::span<const Triangle>(list)};
  const engine::deform::Topology topology(mesh);
  std::vector<engine::deform::FourVertices> found;
  const engine::deform::Orphans orphans(topology);
  for (const engine::deform::Orphan& o : orphans.all()) {
    found.push_back(o.vertices);
    for (const std::uint32_t v : o.vertices) EXPECT_FALSE(topology.around(v).empty());
    const auto& first = topology.triangle(o.triangles[0]);
    EXPECT_TRUE(engine::deform::has_vertex(first, o.vertices[0]) &&
                (!o.edges || engine::deform::has_vertex(first, o.vertices[1])));
    if (o.edges) {
      EXPECT_TRUE(topology.has_edge(o.triangles[1], {o.vertices[2], o.vertices[3]}));
    }
  }
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, orphans_by_definition(mesh, topology));
  return found.size();
}

TEST(DeformIccd, OrphansAreThoseOfTheDefinition) {
  std::mt19937_64 random(testing::RandomBudget::seed(5));
  testing::RandomBudget budget(60);
  for (int round = 0; budget.more(); ++round) {
    std::vector<Triangle> list;
    const auto pick = [&] { return static_cast<std::uint32_t>(random() % 9); };
    for (int i = 0; i < 3 + 2 * (round % 6); ++i) list.push_back({pick(), pick(), pick()});
    expect_orphans_of_the_definition(list, 9);
  }
}

/// Triangles put into four, into three and edges turned: corners with three triangles and with many, tunnels of three
/// edges. With some holes, double faces and faces turned over, or none.
TEST(DeformIccd, OrphansOfSurfaces) {
  std::mt19937_64 random(testing::RandomBudget::seed(6));
  testing::RandomBudget budget(60);
  std::size_t all = 0;
  for (int round = 0; budget.more(); ++round) {
    std::vector<Triangle> list{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    std::uint32_t vertices = 4;
    const auto any = [&] { return static_cast<std::size_t>(random() % list.size()); };
    for (int i = 0; i < 2 + round % 9; ++i) {
      const std::size_t t = any();
      const Triangle x = list[t];
      list[t] = {x[0], x[1], vertices};
      list.push_back({x[1], x[2], vertices});
      list.push_back({x[2], x[0], vertices});
      ++vertices;
    }
    for (int i = 0; i < 4 * (round % 5); ++i) {  // turn an edge, if its other diagonal is no edge yet
      Triangle &x = list[any()], &y = list[any()];
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l) {
          const std::uint32_t p = x[(k + 2) % 3], q = y[(l + 2) % 3], a = x[k], b = x[(k + 1) % 3];
          if (a != y[(l + 1) % 3] || b != y[l] || p == q) continue;
          const bool there = std::any_of(list.begin(), list.end(), [&](const Triangle& t) {
            return engine::deform::has_vertex(t, p) && engine::deform::has_vertex(t, q);
          });
          if (there && round % 3 != 0) continue;  // but sometimes anyway
          x = {a, q, p};
          y = {b, p, q};
          k = l = 3;
        }
    }
    for (int i = 0; i < round % 4; ++i) {
      if (round % 2 == 0 && list.size() > 2) list.erase(list.begin() + static_cast<std::ptrdiff_t>(any()));
      if (round % 5 == 1) list.push_back(list[any()]);
      if (round % 7 == 1) list.push_back({list[any()][0], list[any()][1], list[any()][2]});
    }
    all += expect_orphans_of_the_definition(list, vertices);
  }
  EXPECT_GT(all, 100u);
}

}  // namespace
}  // namespace graze
