// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include <graze/ask/deform_brute.hpp>
#include <graze/ask/step_proof.hpp>
#include <graze/core/error.hpp>

#include "oracle/generators.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using oracle::Random;
using testing::RandomBudget;

/// A few triangles on a small grid, some with common vertices, moved a little or a lot.
struct Step {
  Mesh mesh;
  std::vector<Vec3> end;
};
Step random_step(Random& random) {
  std::vector<Vec3> start, end;
  const int vertices = oracle::whole(random, 4, 9);
  for (int i = 0; i < vertices; ++i) {
    start.push_back(oracle::grid_point(random, 3));
    end.push_back(oracle::whole(random, 0, 1) ? start.back() : start.back() + oracle::real_point(random, 0.5));
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

TEST(StepProof, BadInputIsRefused) {
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
