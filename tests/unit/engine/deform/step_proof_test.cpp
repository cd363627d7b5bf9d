// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <graze/ask/deform_brute.hpp>
#include <graze/ask/step_proof.hpp>
#include <graze/core/error.hpp>
#include <graze/mesh/make.hpp>

#include "oracle/generators.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using oracle::Random;
using testing::RandomBudget;

/// A few triangles, on a small grid or anywhere, some with common vertices, moved a little or a lot.
struct Step {
  Mesh mesh;
  std::vector<Vec3> end;
};
Step random_step(Random& random, bool on_grid = true) {
  std::vector<Vec3> start, end;
  const int vertices = oracle::whole(random, 4, 9);
  for (int i = 0; i < vertices; ++i) {
    start.push_back(on_grid ? oracle::grid_point(random, 3) : oracle::real_point(random, 2));
    end.push_back(oracle::whole(random, 0, 1) ? start.back()
                                              : start.back() + oracle::real_point(random, on_grid ? 0.5 : 2));
  }
  std::vector<Triangle> triangles;
  const int count = oracle::whole(random, 1, 4);
  for (int i = 0; i < count; ++i) {
    Triangle t;
    for (std::uint32_t& v : t) v = static_cast<std::uint32_t>(oracle::whole(random, 0, vertices - 1));
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) triangles.push_back(t);
  }
  if (triangles.empty()) triangles.push_back({0, 1, 2});
  return {Mesh(start, triangles), end};
}

/// What is proved is free by brute force with exact arithmetic; what is clearly free is proved.
TEST(StepProof, AgreesWithBruteForce) {
  const std::uint64_t seed = RandomBudget::seed(417);
  Random random(seed);
  int proved = 0, contacts = 0, open = 0;
  for (RandomBudget budget(3000); budget.more();) {
    const Step step = random_step(random);
    const auto proof = prove_step(step.mesh, step.mesh.positions(), step.end);
    DeformOptions exact;
    exact.exact = true;
    const DeformResult truth = deform_brute(step.mesh, step.mesh.positions(), step.end, exact);
    if (proof) {
      ASSERT_TRUE(truth.contacts.empty()) << "seed " << seed;
      ++proved;
    } else if (truth.status == Status::free) {
      ++open;  // by less than doubles can tell, or shared vertices only
    } else {
      ++contacts;
    }
  }
  EXPECT_GT(proved, 300);
  EXPECT_TRUE(contacts > 300 || !testing::RandomBudget::is_whole()) << contacts;
  EXPECT_LT(open, proved / 20);
}

/// What is proved until some time has no exact contact before; the time before the first contact is proved.
TEST(StepProof, EndsBeforeAContact) {
  const std::uint64_t seed = RandomBudget::seed(418);
  Random random(seed);
  int proved = 0, open = 0;
  for (RandomBudget budget(1500); budget.more();) {
    const Step step = random_step(random, false);
    DeformOptions exact;
    exact.exact = true;
    const DeformResult truth = deform_brute(step.mesh, step.mesh.positions(), step.end, exact);
    const double until = oracle::real(random, 0.01, 1.0);
    if (prove_step(step.mesh, step.mesh.positions(), step.end, {.until = until})) {
      for (const DeformContact& c : truth.contacts) ASSERT_GT(c.time.touch, until * (1 - 1e-9)) << "seed " << seed;
    }
    const DeformResult asked = deform_brute(step.mesh, step.mesh.positions(), step.end);
    if (asked.status != Status::contact || !(asked.time.safe > 0) || !asked.crossing_at_start.empty()) continue;
    const auto before = prove_step(step.mesh, step.mesh.positions(), step.end, {.until = asked.time.safe});
    ++(before ? proved : open);
  }
  EXPECT_TRUE(proved > 100 || !RandomBudget::is_whole()) << proved;
  EXPECT_LE(open, proved / 20);
}

TEST(StepProof, APatchIsOneStatement) {
  const Mesh sheet = make::cloth_sheet({.triangles = 2000});
  std::vector<Vec3> end(sheet.positions().begin(), sheet.positions().end());
  for (Vec3& p : end) p.z += 0.2 * p.x * p.x - 0.1 * p.y;
  const auto proof = prove_step(sheet, sheet.positions(), end);
  ASSERT_TRUE(proof);
  EXPECT_EQ(proof->patches, 1u);
  EXPECT_EQ(proof->separations + proof->features, 0u);
  // No distance follows from it.
  const auto apart = prove_step(sheet, sheet.positions(), end, {.min_separation = 1e-6});
  ASSERT_TRUE(apart);
  EXPECT_EQ(apart->patches, 0u);
  // So the proof of a large sheet is hardly longer than its list of triangles.
  const Mesh large = make::cloth_sheet({.triangles = 20000});
  end.assign(large.positions().begin(), large.positions().end());
  for (Vec3& p : end) p.z += 0.2 * p.x * p.x - 0.1 * p.y;
  const auto short_one = prove_step(large, large.positions(), end);
  ASSERT_TRUE(short_one);
  EXPECT_LT(short_one->text.size(), 1000000u);
}

TEST(StepProof, BadInputIsRefused) {
  const Mesh corner({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, std::vector<Triangle>{{0, 1, 2}});
  for (const double until : {0.0, -1.0, 1.5, std::nan(""), 1e300})
    EXPECT_THROW(prove_step(corner, corner.positions(), corner.positions(), {.until = until}), Error);

  const Mesh mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, std::vector<Triangle>{{0, 1, 2}});
  const std::vector<Vec3> fewer(2), bad{{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}};
  EXPECT_THROW(prove_step(mesh, mesh.positions(), fewer), Error);
  EXPECT_THROW(prove_step(mesh, bad, mesh.positions()), Error);
  EXPECT_TRUE(prove_step(mesh, mesh.positions(), mesh.positions()));
  // Bodies: one number for each polygon, and no vertex of two.
  const Mesh two({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, std::vector<Triangle>{{0, 1, 2}, {1, 3, 2}});
  const std::vector<std::uint32_t> one{0}, shared{0, 1}, whole{5, 5};
  const auto prove = [&](const std::vector<std::uint32_t>& bodies) {
    return prove_step(two, two.positions(), two.positions(), {.self = false, .bodies = bodies});
  };
  EXPECT_THROW(prove(one), Error);
  EXPECT_THROW(prove(shared), Error);
  EXPECT_TRUE(prove(whole));
}

}  // namespace
}  // namespace graze
