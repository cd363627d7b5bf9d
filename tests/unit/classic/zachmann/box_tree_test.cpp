// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <graze/ask/collide.hpp>
#include <graze/classic/zachmann.hpp>
#include <graze/mesh/make.hpp>

#include "all_counters.hpp"
#include "body/body_data.hpp"
#include "classic/zachmann/box_tree_data.hpp"
#include "oracle/pose_generators.hpp"

namespace graze {
namespace {

using classic::zachmann::BoxTreeBuild;
using classic::zachmann::BoxTreeOptions;
using oracle::Random;

Mesh soup(const std::vector<oracle::Corners>& triangles) {
  std::vector<Vec3> positions;
  std::vector<Triangle> ids;
  for (const oracle::Corners& t : triangles) {
    const auto first = static_cast<std::uint32_t>(positions.size());
    positions.insert(positions.end(), t.begin(), t.end());
    ids.push_back({first, first + 1, first + 2});
  }
  return Mesh(std::move(positions), ids);
}

/// Small triangles at random places; `grid`: whole corners, many degenerate.
Mesh random_soup(Random& random, int count, bool grid) {
  std::vector<oracle::Corners> triangles;
  for (int i = 0; i < count; ++i) {
    const Vec3 at = grid ? oracle::grid_point(random, 4) : oracle::real_point(random, 2);
    oracle::Corners t = grid ? oracle::grid_triangle(random, 1) : oracle::real_triangle(random, 0.4);
    for (Vec3& p : t) p = p + at;
    triangles.push_back(t);
  }
  return soup(triangles);
}

/// Every combination of the switches, by number.
BoxTreeOptions switches(int bits) {
  BoxTreeOptions o;
  o.reuse_lines = (bits & 1) == 0;
  o.flag_outside_edges = (bits & 2) == 0;
  o.axis_aligned = (bits & 4) != 0;
  o.collect = (bits & 8) == 0;
  o.build.empty_first = (bits & 16) == 0;
  o.build.longest_edge = (bits & 32) == 0;
  o.build.split_in_middle = (bits & 64) != 0;
  return o;
}
constexpr int switch_count = 128;

BoxTreeOptions random_options(Random& random) {
  BoxTreeOptions o = switches(oracle::whole(random, 0, switch_count - 1));
  o.build.min_polygons = oracle::whole(random, 1, 5);
  o.build.max_depth = oracle::whole(random, 0, 20);
  o.build.gamma = oracle::whole(random, 0, 4);
  o.build.lambda = 0.5 + 0.05 * oracle::whole(random, 0, 10);
  constexpr double thickness[] = {0, 0x1p-40, 1e-3, 0.01};
  o.build.thickness = thickness[oracle::whole(random, 0, 3)];
  return o;
}

struct Scene {
  Body a, b;
  Pose pose_a, pose_b;

  testing::Counted<CollideResult> ask(std::string_view method, bool all, const BoxTreeOptions& box_tree = {}) const {
    CollideOptions options;
    options.method = method;
    options.all = all;
    options.zachmann = classic::zachmann::Options{.box_tree = box_tree};
    return testing::counted([&](MethodCounters* own) {
      options.method_counters = own;
      return collide(a, pose_a, b, pose_b, options);
    });
  }
  bool agrees(const BoxTreeOptions& options) const { return agrees(options, ask("brute", true)); }
  bool agrees(const BoxTreeOptions& options, const CollideResult& brute) const {
    const CollideResult all = ask("box_tree", true, options), first = ask("box_tree", false, options);
    EXPECT_EQ(brute.status, all.status);
    EXPECT_EQ(brute.status, first.status);
    EXPECT_EQ(brute.kind, all.kind);
    EXPECT_EQ(brute.kind, first.kind);
    EXPECT_EQ(brute.pairs, all.pairs);
    EXPECT_EQ(first.pairs.empty(), brute.pairs.empty());
    for (const TrianglePair& pair : first.pairs)
      EXPECT_TRUE(std::binary_search(brute.pairs.begin(), brute.pairs.end(), pair));
    return !::testing::Test::HasFailure();
  }
};

/// Two links of a chain: apart where the tube of each is in the middle of the other's hole, in contact if shifted.
Scene links(double shift) {
  const Body torus(make::torus({.minor = 0.45, .triangles = 400}));
  return {torus, torus, Pose{}, Pose({1 + shift, 0.03, 0.02}, {0.7, 0.72, 0.05, -0.03})};
}

TEST(BoxTree, EverySwitchGivesTheSameAnswers) {
  Random random(5);
  std::vector<Scene> scenes;
  scenes.push_back(links(0.3));
  scenes.push_back(links(0));
  scenes.push_back({Body(random_soup(random, 100, true)), Body(random_soup(random, 100, true)), Pose{},
                    Pose({1, 2, 0}, {1, 1, 0, 0})});
  for (const Scene& scene : scenes) {
    const CollideResult brute = scene.ask("brute", true);
    for (int bits = 0; bits < switch_count; ++bits) {
      SCOPED_TRACE("switches " + std::to_string(bits));
      if (!scene.agrees(switches(bits), brute)) return;
    }
  }
}

TEST(BoxTree, RandomAndGridSoupsInEveryPoseFamily) {
  Random random(11);
  int contacts = 0, touching = 0;
  for (int i = 0; i < 900; ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    const auto family = static_cast<oracle::PoseFamily>(i % oracle::pose_family_count);
    const bool grid = (i / oracle::pose_family_count) % 2 == 0;
    const int n = oracle::whole(random, 1, 30), m = oracle::whole(random, 1, 30);
    const Scene scene{Body(random_soup(random, n, grid)), Body(random_soup(random, m, grid)),
                      oracle::random_pose(random, family), oracle::random_pose(random, family)};
    const CollideResult brute = scene.ask("brute", true);
    contacts += brute.status == Status::contact;
    touching += brute.kind == ContactKind::touching;
    if (!scene.agrees(random_options(random), brute)) return;
  }
  EXPECT_GT(contacts, 200);
  EXPECT_LT(contacts, 800);
  EXPECT_GT(touching, 20);
}

TEST(BoxTree, TrianglePairsOfEveryFamilyAmongOthers) {
  // One special pair in rotated frames and triangles around it that make the trees deep: touching by one point, huge,
  // tiny, far away.
  Random random(3);
  for (int i = 0; i < 12 * oracle::pair_family_count; ++i) {
    const auto family = static_cast<oracle::PairFamily>(i % oracle::pair_family_count);
    SCOPED_TRACE(std::string(oracle::name(family)) + " " + std::to_string(i));
    const oracle::PlacedPair pair = i % 2 == 0 ? oracle::placed_anyhow(random, family) : oracle::placed_exactly(random);
    std::vector<oracle::Corners> a{pair.a}, b{pair.b};
    for (int k = 0; k < 4; ++k) {
      // Scaled towards a corner: same planes, same touching points.
      const double s = 1.0 / (1 << oracle::whole(random, 0, 3));
      const auto shrink = [&](const oracle::Corners& t) -> oracle::Corners {
        return {t[0], t[0] * (1 - s) + t[1] * s, t[0] * (1 - s) + t[2] * s};
      };
      a.push_back(shrink(pair.a));
      b.push_back(shrink(pair.b));
    }
    const Scene scene{Body(soup(a)), Body(soup(b)), pair.pose_a, pair.pose_b};
    if (!scene.agrees(random_options(random))) return;
  }
}

/// Exactly touching and barely apart: what thin margins would get wrong.
TEST(BoxTree, StackedBoxesTouch) {
  const Body box(make::box({.triangles = 200}));
  const BoxTreeOptions thick{.build = {.min_polygons = 1, .thickness = 0.01}};
  for (const BoxTreeOptions& options : {BoxTreeOptions{}, thick}) {
    const Scene on_top{box, box, Pose{}, Pose({0.25, 0, 1})};
    EXPECT_TRUE(on_top.agrees(options));
    EXPECT_EQ(on_top.ask("box_tree", false, options).kind, ContactKind::touching);
    const Scene above{box, box, Pose{}, Pose({0.25, 0, std::nextafter(1.0, 2.0)})};
    EXPECT_TRUE(above.agrees(options));
    EXPECT_EQ(above.ask("box_tree", false, options).status, Status::free);
    const Scene inside{box, Body(make::box({.size = {0.5, 0.5, 0.5}, .triangles = 200})), Pose{}, Pose{}};
    EXPECT_TRUE(inside.agrees(options));
    EXPECT_EQ(inside.ask("box_tree", false, options).status, Status::free);
  }
}

TEST(BoxTree, BodiesOfTheThesis) {
  Random random(7);
  const Mesh meshes[] = {make::sphere({.triangles = 528}), make::torus({.triangles = 400}),
                         make::tetra_flake({.triangles = 864})};
  for (const Mesh& mesh : meshes) {
    const Body body(mesh);
    int contacts = 0, free = 0;
    for (int i = 0; i < 12; ++i) {
      SCOPED_TRACE("case " + std::to_string(i));
      const Vec3 direction = oracle::real_point(random);
      const double size = mesh.box().hi.x - mesh.box().lo.x;
      const Pose pose(direction * (size * (0.7 + 0.05 * i) / length(direction)), oracle::unit_quaternion(random));
      const Scene scene{body, body, Pose({}, oracle::unit_quaternion(random)), pose};
      const CollideResult brute = scene.ask("brute", true);
      ++(brute.status == Status::contact ? contacts : free);
      ASSERT_TRUE(scene.agrees(random_options(random), brute));
    }
    EXPECT_GT(contacts, 0);
    EXPECT_GT(free, 0);
  }
}

TEST(BoxTree, CountersShowTheIdeas) {
  const Scene scene = links(0);
  const auto counters = [&](int bits) { return scene.ask("box_tree", true, switches(bits)).counters; };
  const AllCounters plain = counters(0), no_reuse = counters(1), no_flags = counters(2), aligned = counters(4),
                    no_collect = counters(8);
  EXPECT_GT(plain.box_tree_splits, 0u);
  EXPECT_GT(plain.box_tree_lines_kept, 0u);
  EXPECT_EQ(no_reuse.box_tree_lines_kept, 0u);
  EXPECT_EQ(no_reuse.leaf_pairs, plain.leaf_pairs);
  EXPECT_GT(no_reuse.box_tree_line_parameters, 2 * plain.box_tree_line_parameters);
  EXPECT_GT(plain.box_tree_outside_edges, 0u);
  EXPECT_EQ(no_flags.box_tree_outside_edges, 0u);
  EXPECT_GT(no_flags.box_tree_line_parameters, plain.box_tree_line_parameters);
  EXPECT_EQ(no_flags.leaf_pairs, plain.leaf_pairs);
  EXPECT_EQ(aligned.box_tree_line_parameters, 0u);
  EXPECT_GT(aligned.leaf_pairs, plain.leaf_pairs);
  EXPECT_GT(plain.precheck_face_box, 0u);
  EXPECT_EQ(no_collect.precheck_face_box, 0u);
  EXPECT_GT(no_collect.precheck_edge_face_box, plain.precheck_edge_face_box);
  EXPECT_EQ(scene.ask("brute", true).status, Status::free);
  EXPECT_LT(10 * plain.precheck_edge_face_box, scene.ask("brute", true).counters.precheck_edge_face_box);
  EXPECT_GT(plain.box_tree_repeats + links(0.3).ask("box_tree", true).counters.box_tree_repeats, 0u);
}

TEST(BoxTree, BadOptionsAreRefused) {
  const Scene scene = links(0);
  const auto refused = [&](auto change) {
    BoxTreeOptions options;
    change(options.build);
    const CollideResult r = scene.ask("box_tree", false, options);
    EXPECT_TRUE(r.error.has_value());
    return r.status == Status::invalid_request;
  };
  EXPECT_TRUE(refused([](BoxTreeBuild& b) { b.max_depth = 65; }));
  EXPECT_TRUE(refused([](BoxTreeBuild& b) { b.min_polygons = 0; }));
  EXPECT_TRUE(refused([](BoxTreeBuild& b) { b.gamma = std::nan(""); }));
  EXPECT_TRUE(refused([](BoxTreeBuild& b) { b.lambda = 1.5; }));
  EXPECT_TRUE(refused([](BoxTreeBuild& b) { b.thickness = 0.5; }));
  EXPECT_TRUE(refused([](BoxTreeBuild& b) { b.max_iterations = 0; }));
  EXPECT_TRUE(refused([](BoxTreeBuild& b) { b.max_copies = 0; }));
}

/// Traverses the tree together with the boxes of its nodes.
struct LeafWalk {
  const classic::zachmann::BoxTreeData& tree;
  std::vector<Box3> boxes;  ///< of leaves, not widened

  explicit LeafWalk(const classic::zachmann::BoxTreeData& t) : tree(t), boxes(t.leaves.size()) { visit(0, t.box); }
  void visit(std::uint32_t node, const Box3& box) {
    const auto& n = tree.nodes[node];
    if (n.is_leaf()) {
      boxes[n.left] = box;
      return;
    }
    EXPECT_GT(n.cut, box.lo[n.axis]);
    EXPECT_LT(n.cut, box.hi[n.axis]);
    Box3 lower = box, upper = box;
    lower.hi[n.axis] = upper.lo[n.axis] = n.cut;
    visit(n.left, lower);
    visit(n.right, upper);
  }
  /// Is there a leaf that lists the element and, widened, contains the point?
  bool has(const std::vector<std::uint32_t>& list, auto range, std::uint32_t element, const Vec3& p,
           double slack) const {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      Box3 box = boxes[i];
      for (int k = 0; k < 3; ++k) {
        box.lo[k] -= slack;
        box.hi[k] += slack;
      }
      const auto [first, last] = range(tree.leaves[i]);
      if (box.contains(p) && std::find(list.begin() + first, list.begin() + last, element) != list.begin() + last)
        return true;
    }
    return false;
  }
};

TEST(BoxTree, EveryPointOfAnElementIsInALeafThatListsIt) {
  Random random(9);
  for (int round = 0; round < 40; ++round) {
    const Mesh mesh = random_soup(random, 40, round % 2 == 0);
    const body::BodyData body(mesh, 1);
    const BoxTreeOptions options = random_options(random);
    const auto tree = classic::zachmann::box_tree_of(body, options.build);
    const LeafWalk walk(*tree);
    const double slack = tree->delta + 1e-14;
    for (int i = 0; i < 50; ++i) {
      const auto t = static_cast<std::uint32_t>(random() % mesh.triangle_count());
      const double u = oracle::real(random, 0, 1), v = oracle::real(random, 0, 1 - u);
      const Vec3 p = body.corner(t, 0) * (1 - u - v) + body.corner(t, 1) * u + body.corner(t, 2) * v;
      EXPECT_TRUE(walk.has(
          tree->faces,
          [](const auto& l) {
            return std::pair{l.first_face, l.last_face};
          },
          t, p, slack));
      const auto e = static_cast<std::uint32_t>(random() % body.edges().size());
      const auto [v0, v1] = body.edges().vertices[e];
      const Vec3 q = mesh.positions()[v0] * (1 - u) + mesh.positions()[v1] * u;
      EXPECT_TRUE(walk.has(
          tree->edges,
          [](const auto& l) {
            return std::pair{l.first_edge, l.last_edge};
          },
          e, q, slack));
    }
  }
}

TEST(BoxTree, ConstructionParameters) {
  const body::BodyData torus(make::torus({.triangles = 2304}), 1);
  const auto tree = [&](auto change) {
    BoxTreeBuild build;
    change(build);
    return classic::zachmann::box_tree_of(torus, build);
  };
  const auto standard = tree([](BoxTreeBuild&) {});
  EXPECT_EQ(standard, tree([](BoxTreeBuild&) {})) << "kept with the body";
  EXPECT_LT(standard->faces.size(), 16 * torus.mesh.triangle_count());
  EXPECT_GT(standard->leaves.size(), 200u);
  EXPECT_EQ(tree([](BoxTreeBuild& b) { b.max_depth = 3; })->depth, 3);
  EXPECT_EQ(tree([](BoxTreeBuild& b) { b.max_depth = 0; })->nodes.size(), 1u);
  EXPECT_LT(tree([](BoxTreeBuild& b) { b.min_polygons = 100; })->leaves.size(), standard->leaves.size() / 4);
  EXPECT_LE(tree([](BoxTreeBuild& b) { b.max_copies = 2; })->faces.size(), 2 * torus.mesh.triangle_count());
  const auto count_empty = [](const classic::zachmann::BoxTreeData& t) {
    return std::count_if(t.leaves.begin(), t.leaves.end(), [](const auto& l) { return l.empty(); });
  };
  EXPECT_GT(count_empty(*standard), 0);
  EXPECT_EQ(count_empty(*tree([](BoxTreeBuild& b) { b.empty_first = false; })), 0);
  const auto halved = tree([](BoxTreeBuild& b) { b.split_in_middle = true, b.empty_first = false; });
  EXPECT_TRUE(halved->halved);
  EXPECT_EQ(halved->nodes[0].cut, (halved->box.lo[halved->nodes[0].axis] + halved->box.hi[halved->nodes[0].axis]) / 2);
}

/// A regular sheet whose columns do not round to the same numbers: without thickness, columns at the cut are stored
/// twice (Figure 3.28).
TEST(BoxTree, ThickPlanesKeepRegularMeshesWhole) {
  std::vector<oracle::Corners> triangles;
  Random random(1);
  constexpr int n = 64;
  const auto at = [&](int i, int j) {
    const double noise = oracle::whole(random, -2, 2) * 0x1p-52;
    return Vec3{i / double(n) + noise, j / double(n) + noise, 0};
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
      triangles.push_back({at(i + 1, j + 1), at(i + 1, j), at(i, j + 1)});
    }
  const body::BodyData sheet(soup(triangles), 1);
  BoxTreeBuild thin;
  thin.thickness = 0;
  const auto with = classic::zachmann::box_tree_of(sheet, {}), without = classic::zachmann::box_tree_of(sheet, thin);
  EXPECT_LT(with->faces.size(), triangles.size() * 11 / 10);
  EXPECT_GT(without->faces.size(), with->faces.size() * 11 / 10);
}

}  // namespace
}  // namespace graze
