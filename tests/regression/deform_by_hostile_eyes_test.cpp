// SPDX-License-Identifier: MIT
// What a hostile reading found in scenes, step sizes and proximity.
#include <gtest/gtest.h>

#include <vector>

#include <graze/ask/deform.hpp>
#include <graze/ask/deform_scene.hpp>
#include <graze/ask/proximity.hpp>

namespace graze {
namespace {

Mesh mesh_of(const std::vector<Vec3>& p, const std::vector<Triangle>& t) {
  return Mesh(p, std::span<const Triangle>(t));
}

/// A contact of a body with itself, which `self` = false leaves out, ended the search for the earliest.
TEST(DeformByHostileEyes, AnEarlyContactThatDoesNotCountEndsNoSearch) {
  const std::vector<Vec3> a{{0, 0, 0},     {1, 0, 0},        {0.5, 1, 0.3},   {0.5, 1, -0.3},
                            {2, 0.5, 0.3}, {0.5, 0.3, 0.02}, {0.6, 0.3, 0.5}, {0.4, 0.4, 0.5}};
  const std::vector<Vec3> b{{0.2, 0.3, 5}, {0.8, 0.3, 5}, {0.5, 0.6, 5}};
  DeformScene scene;
  const SceneBodyId folds = scene.add_deforming(mesh_of(a, {{0, 1, 2}, {1, 0, 3}, {1, 4, 2}, {2, 6, 7}, {6, 5, 7}}));
  const SceneBodyId falls = scene.add_deforming(mesh_of(b, {{0, 1, 2}}));
  std::vector<std::vector<Vec3>> dive{a, a}, fall{b, b};
  dive[0][5].z = -3, dive[1][5].z = -6;
  for (Vec3& x : fall[1]) x.z = -3;
  scene.move(folds, dive);
  scene.move(falls, fall);
  const DeformOptions options{.self = false, .all = false, .crossing_at_start = false};
  const SceneResult r = scene.contacts(options);
  ASSERT_EQ(r.status, Status::contact);
  EXPECT_NEAR(r.time.touch, 0.75, 1e-4);
  EXPECT_LT(scene.step_size({.self = false, .ignore_start_crossings = true}).step, 0.75);
}

/// A triangle that is collapsed at the start opens into the one with which it shares a vertex.
TEST(DeformByHostileEyes, ACollapsedTriangleThatOpensDoesNotPart) {
  const std::vector<Vec3> x0{{2, 1, 2}, {2, 0, 0}, {1, 2, 2}, {2, 1, 2}, {1, 2, 0}};
  const std::vector<Vec3> x1{{3, 3, 0}, {2, 1, 2}, {1, 2, 2}, {3, 1, 2}, {0, 1, 0}};
  Deformable mesh(mesh_of(x0, {{0, 1, 2}, {3, 4, 0}}));
  const StepSize s = mesh.step_size(x1, {.slack = 0});
  EXPECT_EQ(s.status, Status::touching_at_start);
  EXPECT_EQ(s.step, 0);
}

/// The squares of a direction across a needle underflow; it seemed to part everything.
TEST(DeformByHostileEyes, NeedlesTooThinForSquaresAreNearToo) {
  for (const double z : {0.0, 1e-150, 1e-160, 1e-200, 0x1p-1074}) {
    const std::vector<Vec3> x{{-1, 0, 0}, {1, 0, 0}, {0.9, 0, z}, {0, 0.5, 0}};
    PolygonList face;
    face.add(std::array<std::uint32_t, 3>{0, 1, 2});
    const Mesh mesh(x, face, {}, LooseParts{.edges = {}, .points = {3}});
    const ProximityResult near = Deformable(mesh).near(0.6), truth = near_brute(mesh, x, 0.6);
    EXPECT_EQ(near.status, Status::contact) << z;
    EXPECT_EQ(near.pairs.size(), truth.pairs.size()) << z;
  }
}

TEST(DeformByHostileEyes, AHalfSpaceAtOverflowIsMet) {
  const std::vector<Vec3> high{{1e308, 0, 1e300}, {1e308, 1e300, 1e300}, {1.0001e308, 0, 1e300}};
  std::vector<Vec3> low = high;
  for (Vec3& x : low) x.z = -1e300;
  DeformScene scene;
  const SceneBodyId cloth = scene.add_deforming(mesh_of(high, {{0, 1, 2}}));
  scene.add_rigid(Body(shape::HalfSpace{}), Still{Pose({-1e308, 0, 0})});
  scene.move(cloth, low);
  EXPECT_NE(scene.contacts().status, Status::free);
}

/// A limit ended a question while a replaced mesh was taken in; the next question used the tree of the old one.
TEST(DeformByHostileEyes, AMeshReplacedInALimitedQuestionIsWhole) {
  const auto sheet = [](int cells) {
    std::vector<Vec3> p;
    std::vector<Triangle> t;
    for (int j = 0; j <= 40; ++j)
      for (int i = 0; i <= 40; ++i) p.push_back({double(i), double(j), 1});
    const auto at = [](int i, int j) { return static_cast<std::uint32_t>(41 * j + i); };
    for (int k = 0; k < cells; ++k) {
      const int i = k % 40, j = k / 40;
      t.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      t.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
    return mesh_of(p, t);
  };
  const Mesh few = sheet(40), full = sheet(1600);
  const std::vector<Vec3> below{{38.2, 38.2, 0}, {39.1, 38.3, 0}, {38.5, 39.2, 0}};
  std::vector<Vec3> above = below;
  for (Vec3& x : above) x.z = 2;
  const Mesh probe = mesh_of(below, {{0, 1, 2}});
  std::size_t wanted = 0;
  for (int k = 0; k < 40; ++k) {
    DeformScene scene;
    const SceneBodyId flies = scene.add_deforming(probe), breaks = scene.add_deforming(few);
    scene.move(flies, above);
    scene.contacts();
    scene.replace(breaks, full);
    if (k > 0) scene.contacts({.budget = std::chrono::microseconds(50 * k)});
    const SceneResult r = scene.contacts();
    if (k == 0) wanted = r.contacts.size();
    ASSERT_EQ(r.contacts.size(), wanted) << k;
  }
  EXPECT_GT(wanted, 0u);
}

}  // namespace
}  // namespace graze
