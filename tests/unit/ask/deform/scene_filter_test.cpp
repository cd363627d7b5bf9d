// SPDX-License-Identifier: MIT
// Scenes with filters, loose edges and points, and step sizes from starts that are near.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <set>

#include <graze/ask/deform_brute.hpp>
#include <graze/ask/deform_scene.hpp>
#include <graze/mesh/make.hpp>

#include "oracle/generators.hpp"
#include "oracle/moving_pairs.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {
namespace scene_filters {

using testing::RandomBudget;

/// Bodies, the features named: (a, b, kind, vertices).
using Name = std::tuple<std::uint32_t, std::uint32_t, ElementaryKind, std::array<std::uint32_t, 4>>;

/// A few triangles, loose edges and points over their own vertices.
Mesh random_part(oracle::Random& random, bool with_triangles) {
  const int vertices = oracle::whole(random, 3, 6);
  const auto pick = [&] { return static_cast<std::uint32_t>(oracle::whole(random, 0, vertices - 1)); };
  std::vector<Vec3> at;
  for (int i = 0; i < vertices; ++i) at.push_back(oracle::real_point(random, 0.7));
  PolygonList polygons;
  for (int i = oracle::whole(random, with_triangles ? 1 : 0, 3); i > 0; --i) {
    std::array<std::uint32_t, 3> t{pick(), pick(), pick()};
    if (t[0] != t[1] && t[1] != t[2] && t[0] != t[2]) polygons.add(t);
  }
  if (with_triangles) polygons.add(std::array<std::uint32_t, 3>{0, 1, 2});
  LooseParts loose;
  for (int i = oracle::whole(random, 0, 3); i > 0; --i) loose.edges.push_back({pick(), pick()});
  for (int i = oracle::whole(random, 0, 2); i > 0; --i) loose.points.push_back(pick());
  if (polygons.size() == 0 && loose.empty()) loose.points.push_back(0);
  return Mesh(at, polygons, {}, loose);
}

SceneFilter random_scene_filter(oracle::Random& random, const std::vector<Mesh>& meshes, std::size_t deforming) {
  SceneFilter f;
  const auto one_of = [&](std::size_t n) {
    return static_cast<std::uint32_t>(oracle::whole(random, 0, static_cast<int>(n) - 1));
  };
  for (std::uint32_t b = 0; b < one_of(meshes.size() + 2); ++b)
    f.settings.push_back({one_of(3) > 0, 1u << one_of(2), one_of(2) ? ~0u : 1u << one_of(2)});
  if (const SceneBodyId a{one_of(meshes.size())}, b{one_of(meshes.size())}; a != b && one_of(2))
    f.off.push_back({a, b});
  if (one_of(2))
    for (std::uint32_t b = 0; b < deforming; ++b)
      for (std::uint32_t v = 0; v < meshes[b].vertex_count(); ++v)
        if (one_of(2)) f.fixed.push_back({SceneBodyId{b}, v});
  if (one_of(2))
    f.may_touch = [salt = one_of(50)](const SceneVertex& a, const SceneVertex& b) {
      EXPECT_TRUE(a.body < b.body || (a.body == b.body && a.vertex < b.vertex));
      return (index(a.body) * 7 + a.vertex * 31 + b.vertex * 17 + index(b.body) + salt) % 5 > 1;
    };
  return f;
}

/// All bodies as one mesh, and the filter in its numbers. Rigid bodies have no self-contacts, are never fixed, and the
/// predicate is not asked about them.
struct Whole {
  std::vector<std::uint32_t> first;  ///< vertex of each body
  std::vector<Vec3> positions;
  std::optional<Mesh> mesh;
  DeformFilter filter;

  Whole(const std::vector<Mesh>& meshes, std::size_t deforming, const SceneFilter& f) {
    PolygonList polygons;
    LooseParts loose;
    for (std::uint32_t b = 0; b < meshes.size(); ++b) {
      const Mesh& m = meshes[b];
      const auto base = static_cast<std::uint32_t>(positions.size());
      first.push_back(base);
      positions.insert(positions.end(), m.positions().begin(), m.positions().end());
      for (const Triangle& t : m.triangles())
        polygons.add(std::array<std::uint32_t, 3>{t[0] + base, t[1] + base, t[2] + base});
      for (const auto& [x, y] : m.edges()) loose.edges.push_back({x + base, y + base});
      for (const std::uint32_t p : m.points()) loose.points.push_back(p + base);
      filter.bodies.resize(positions.size(), b);
      filter.settings.push_back(b < f.settings.size() ? f.settings[b] : DeformBody());
      if (b >= deforming) filter.settings[b].self = false;
    }
    for (const auto& [a, b] : f.off) filter.off.push_back({index(a), index(b)});
    for (std::uint32_t a = static_cast<std::uint32_t>(deforming); a < meshes.size(); ++a)
      for (std::uint32_t b = a + 1; b < meshes.size(); ++b) filter.off.push_back({a, b});
    for (const SceneVertex& v : f.fixed) filter.fixed.push_back(first[index(v.body)] + v.vertex);
    if (f.may_touch)
      filter.may_touch = [this, deforming, may = f.may_touch](std::uint32_t v, std::uint32_t w) {
        const SceneVertex a = vertex(v), b = vertex(w);
        return index(a.body) >= deforming || index(b.body) >= deforming || may(a, b);
      };
    mesh.emplace(positions, polygons, PolygonGroups{}, loose);
  }
  SceneVertex vertex(std::uint32_t v) const {
    const auto b = static_cast<std::uint32_t>(std::upper_bound(first.begin(), first.end(), v) - first.begin() - 1);
    return {SceneBodyId{b}, v - first[b]};
  }
  Name name(const DeformContact& c) const {
    const std::size_t second = c.kind == ElementaryKind::edge_edge ? 2 : 1;
    Name n{index(vertex(c.vertices[0]).body), index(vertex(c.vertices[second]).body), c.kind, {}};
    for (std::size_t k = 0; k < 4; ++k) std::get<3>(n)[k] = vertex(c.vertices[k]).vertex;
    return n;
  }
};

Name in_scene(const SceneContact& c) { return {index(c.a), index(c.b), c.contact.kind, c.contact.vertices}; }

TEST(SceneFilter, DeformingBodiesWithLoosePartsAreAsOneMeshWithAFilter) {
  const std::uint64_t seed = RandomBudget::seed(1511);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  std::size_t met = 0, crossed = 0;
  for (RandomBudget budget(400); budget.more();) {
    std::vector<Mesh> meshes;
    for (int b = oracle::whole(random, 1, 4); b > 0; --b) meshes.push_back(random_part(random, false));
    const SceneFilter filter = random_scene_filter(random, meshes, meshes.size());
    const Whole whole(meshes, meshes.size(), filter);
    std::vector<Vec3> end;
    DeformScene scene;
    const bool first = random() % 2;
    for (const Mesh& m : meshes) scene.add_deforming(m);
    if (first) scene.set_filter(filter);
    if (random() % 2) scene.contacts();  // the trees are built without, or with another filter
    if (!first) scene.set_filter(filter);
    for (std::uint32_t b = 0; b < meshes.size(); ++b) {
      std::vector<Vec3> to;
      for (const Vec3& x : meshes[b].positions()) to.push_back(x + oracle::real_point(random, 0.6));
      scene.move(SceneBodyId{b}, to);
      end.insert(end.end(), to.begin(), to.end());
    }
    DeformOptions o;
    o.exact = true;
    o.self = random() % 3 > 0;
    const DeformResult truth = deform_brute(*whole.mesh, whole.positions, end, whole.filter, o);
    const SceneResult r = scene.contacts(o);
    std::set<Name> want, got;
    for (const DeformContact& c : truth.contacts) want.insert(whole.name(c));
    for (const SceneContact& c : r.contacts) got.insert(in_scene(c));
    ASSERT_EQ(got, want);
    ASSERT_EQ(r.crossing_at_start.size(), truth.crossing_at_start.size());
    ASSERT_EQ(r.edges_crossing_at_start.size(), truth.edges_crossing_at_start.size());
    for (const SceneEdgeCrossing& c : r.edges_crossing_at_start) {
      ASSERT_LT(c.crossing.edge, meshes[index(c.a)].edges().size());
      ASSERT_LT(index(c.crossing.triangle), meshes[index(c.b)].triangle_count());
    }
    met += got.size();
    crossed += r.crossing_at_start.size() + r.edges_crossing_at_start.size();
    Deformable one(*whole.mesh);
    one.set_filter(whole.filter);
    const StepSize truth_step = one.step_size(end, {.self = o.self});
    const SceneStepSize step = scene.step_size({.self = o.self});
    ASSERT_EQ(step.status, truth_step.status);
    ASSERT_EQ(step.step, truth_step.step);
  }
  EXPECT_GT(met, RandomBudget::is_whole() ? 300u : 30u);
  EXPECT_GT(crossed, RandomBudget::is_whole() ? 30u : 3u);
}

TEST(SceneFilter, RigidBodiesWithLoosePartsAreAsAMeshThatMoves) {
  const std::uint64_t seed = RandomBudget::seed(1512);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  std::size_t met = 0, crossed = 0;
  for (RandomBudget budget(400); budget.more();) {
    std::vector<Mesh> meshes;
    const auto soft = static_cast<std::size_t>(oracle::whole(random, 1, 2));
    for (std::size_t b = 0; b < soft + static_cast<std::size_t>(oracle::whole(random, 1, 2)); ++b)
      meshes.push_back(random_part(random, b >= soft));
    const SceneFilter filter = random_scene_filter(random, meshes, soft);
    const Whole whole(meshes, soft, filter);
    std::vector<Vec3> end;
    DeformScene scene;
    for (std::uint32_t b = 0; b < meshes.size(); ++b) {
      const Mesh& m = meshes[b];
      const Vec3 by = oracle::real_point(random, 0.5);
      std::vector<Vec3> to;
      for (const Vec3& x : m.positions()) to.push_back(b < soft ? x + oracle::real_point(random, 0.6) : x + by);
      end.insert(end.end(), to.begin(), to.end());
      if (b < soft)
        scene.move(scene.add_deforming(m), to);
      else
        scene.add_rigid(Body(m), Velocity(Pose(), Pose(by)));
    }
    scene.set_filter(filter);
    const SceneResult r = scene.contacts();
    ASSERT_NE(r.status, Status::invalid_request);
    DeformOptions o;
    o.exact = true;
    const DeformResult truth = deform_brute(*whole.mesh, whole.positions, end, whole.filter, o);
    std::set<Name> want, got;
    for (const DeformContact& c : truth.contacts) want.insert(whole.name(c));
    for (const SceneContact& c : r.contacts) got.insert(in_scene(c));
    for (const Name& n : want)
      ASSERT_TRUE(got.contains(n)) << std::get<0>(n) << ' ' << std::get<1>(n) << ' ' << int(std::get<2>(n));
    // What is listed beyond the truth comes within the tolerance, and the filter allows it.
    o.exact = false;
    o.tolerance = 1.01 * r.tolerance;
    o.min_separation = 1.01 * r.tolerance;
    std::set<Name> near;
    for (const DeformContact& c : deform_brute(*whole.mesh, whole.positions, end, whole.filter, o).contacts)
      near.insert(whole.name(c));
    for (const Name& n : got) ASSERT_TRUE(near.contains(n));
    ASSERT_EQ(r.crossing_at_start.size(), truth.crossing_at_start.size());
    ASSERT_EQ(r.edges_crossing_at_start.size(), truth.edges_crossing_at_start.size());
    met += got.size();
    crossed += r.edges_crossing_at_start.size();
  }
  EXPECT_GT(met, RandomBudget::is_whole() ? 300u : 30u);
  EXPECT_GT(crossed, RandomBudget::is_whole() ? 20u : 2u);
}

TEST(SceneFilter, CurvesAndShapesObeyIt) {
  const std::vector<Vec3> p{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const std::vector<Triangle> t{{0, 1, 2}};
  const Mesh face(p, std::span<const Triangle>(t));
  DeformScene scene;
  const SceneBodyId low = scene.add_deforming(face), high = scene.add_deforming(face),
                    ball = scene.add_rigid(Body(shape::Sphere{0.1}), Still{Pose({0.2, 0.2, 0.5})}),
                    floor = scene.add_rigid(Body(shape::HalfSpace{}), Still{Pose({0, 0, -3})});
  std::vector<std::vector<Vec3>> dive(2, p);
  for (Vec3& x : dive[0]) x.z = 1;
  for (Vec3& x : dive[1]) x.z = -4;
  std::vector<Vec3> up = p;
  for (Vec3& x : up) x.z += 1;
  const auto pairs = [&](const SceneFilter& f) {
    scene.set_filter(f);
    scene.set_positions(high, up);
    scene.move(high, dive);
    std::set<std::pair<std::uint32_t, std::uint32_t>> met;
    for (const SceneContact& c : scene.contacts().contacts) met.insert(std::minmax({index(c.a), index(c.b)}));
    return met;
  };
  using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;
  EXPECT_EQ(pairs({}), (Pairs{{0, 1}, {1, 2}, {1, 3}}));
  EXPECT_EQ(pairs({.off = {{high, ball}}}), (Pairs{{0, 1}, {1, 3}}));
  EXPECT_EQ(pairs({.off = {{floor, high}, {low, high}}}), (Pairs{{1, 2}}));
  EXPECT_EQ(pairs({.settings = {{}, {.group = 2}, {}, {.mask = 1}}}), (Pairs{{0, 1}, {1, 2}}));
  EXPECT_EQ(pairs({.may_touch = [](const SceneVertex&, const SceneVertex&) { return false; }}),
            (Pairs{{1, 2}, {1, 3}}));
  SceneFilter all_fixed;
  for (const SceneBodyId b : {low, high})
    for (std::uint32_t v = 0; v < 3; ++v) all_fixed.fixed.push_back({b, v});
  EXPECT_EQ(pairs(all_fixed), (Pairs{{1, 2}, {1, 3}}));
  // A predicate runs in the floating-point environment in which the filter was set.
  std::fesetround(FE_UPWARD);
  int rounding = -1;
  EXPECT_EQ(pairs({.may_touch =
                       [&](const SceneVertex&, const SceneVertex&) {
                         rounding = std::fegetround();
                         return true;
                       }}),
            (Pairs{{0, 1}, {1, 2}, {1, 3}}));
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(rounding, FE_UPWARD);
  // A fixed vertex that a new mesh has not.
  const std::vector<Vec3> needle{{0, 0, 9}, {0, 0, 10}};
  const Mesh rod(needle, PolygonList(), {}, LooseParts{.edges = {{0, 1}}, .points = {}});
  scene.set_filter({.fixed = {{low, 2}}});
  EXPECT_THROW(scene.replace(low, rod), Error);
  EXPECT_EQ(scene.positions(low).size(), 3u);
  scene.set_filter({.fixed = {{low, 1}}});
  scene.replace(low, rod);
  EXPECT_EQ(pairs({}), (Pairs{{1, 2}, {1, 3}}));
}

/// What starts within the separation keeps 7/8 of its distance, on every path, and the step is not 0.
TEST(SceneStepSize, NearStartsDoNotStopAStep) {
  oracle::Random random(1513);
  int whole = 0, less = 0;
  for (int round = 0; round < 40; ++round) {
    std::vector<Vec3> p{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    const std::vector<Triangle> t{{0, 1, 2}, {0, 2, 3}};
    const double start_gap = round % 3 == 0 ? 1e-7 : 0.01;
    for (Vec3& x : p) x.z = 0.5 + start_gap;
    const Mesh cloth(p, std::span<const Triangle>(t)), box = make::box({.size = {1, 1, 1}});
    std::vector<std::vector<Vec3>> control(1 + static_cast<std::size_t>(round) % 2, p);
    const double fall = round % 4 < 2 ? 0.3 : -0.3;
    for (std::size_t k = 0; k < control.size(); ++k)
      for (Vec3& x : control[k]) x.z -= fall * static_cast<double>(k + 1) / 2 + oracle::real_point(random, 0.01).x;
    const Motion motion = Velocity::from_speeds(Pose(), {}, {0, 0, round % 5 == 0 ? 0.0 : 0.4});
    DeformScene scene;
    const SceneBodyId soft = scene.add_deforming(cloth);
    scene.add_rigid(Body(box), motion);
    scene.move(soft, std::span<const std::vector<Vec3>>(control));
    const double d = 0.05;
    EXPECT_EQ(scene.step_size({.min_separation = d, .ignore_start_if_separating = false}).step, 0);
    const SceneStepSize s = scene.step_size({.slack = 0, .min_separation = d});
    ASSERT_NE(s.status, Status::invalid_request);
    EXPECT_GT(s.step, 0) << round;
    (s.step == 1 ? whole : less)++;
    EXPECT_EQ(s.step == 1, fall < 0) << round;
    // Each pair of features keeps its distance, or the separation.
    control.insert(control.begin(), p);
    const auto at = [&](double time) {
      std::vector<std::vector<Vec3>> c = control;
      for (std::size_t r = 1; r < c.size(); ++r)
        for (std::size_t k = 0; k + r < c.size(); ++k)
          for (std::size_t v = 0; v < p.size(); ++v) c[k][v] = c[k][v] * (1 - time) + c[k + 1][v] * time;
      return c[0];
    };
    const auto placed = [&](double time) {
      const Placement at_time = motion.at(time);
      std::vector<Vec3> out;
      for (const Vec3& x : box.positions()) out.push_back(at_time.apply(x));
      return out;
    };
    for (const oracle::SampledPair& pair : oracle::sample_pairs(cloth, at, box, placed, 1)) {
      const double first = oracle::distance_of(pair.kind, oracle::points_of(pair, at(0), placed(0)));
      for (int i = 0; i <= 20; ++i) {
        const double time = s.time.safe * i / 20;
        const double now = oracle::distance_of(pair.kind, oracle::points_of(pair, at(time), placed(time)));
        EXPECT_GT(now, std::min(d, 0.875 * first) * (1 - 1e-9) - 1e-15);
      }
    }
  }
  EXPECT_GT(whole, 10);
  EXPECT_GT(less, 10);
}

TEST(SceneStepSize, SpheresAndFloors) {
  std::vector<Vec3> p{{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
  const std::vector<Triangle> t{{0, 1, 2}};
  for (const bool floor : {false, true})
    for (const double way : {-0.5, 0.5}) {
      for (Vec3& x : p) x.z = 0.26;
      DeformScene scene;
      const SceneBodyId soft = scene.add_deforming(Mesh(p, std::span<const Triangle>(t)));
      if (floor)
        scene.add_rigid(Body(shape::HalfSpace{}), Still{Pose({0, 0, 0.25})});
      else
        scene.add_rigid(Body(shape::Sphere{0.25}));
      std::vector<Vec3> to = p;
      for (Vec3& x : to) x.z += way;
      scene.move(soft, to);
      const SceneStepSize s = scene.step_size({.slack = 0, .min_separation = 0.1});
      EXPECT_EQ(s.status, way > 0 ? Status::free : Status::contact);
      EXPECT_NEAR(s.step, way > 0 ? 1 : 0.01 / 8 / 0.5, 1e-4) << floor;
      EXPECT_GT(s.step, 0);
      // From a start that touches, nothing is certified beside a rigid body.
      for (Vec3& x : p) x.z = 0.25;
      scene.set_positions(soft, p);
      scene.move(soft, to);
      EXPECT_EQ(scene.step_size().status, Status::touching_at_start);
    }
}

}  // namespace scene_filters
}  // namespace
}  // namespace graze
