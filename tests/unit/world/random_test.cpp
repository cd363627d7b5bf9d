// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <set>

#include "random_budget.hpp"
#include "unit/world/help.hpp"

namespace graze::testing {
namespace {

const std::vector<Body>& some_bodies() {
  static const std::vector<Body> bodies{Body(make::box()), Body(make::tetrahedron()),
                                        Body(make::torus({.major = 0.5, .minor = 0.2, .triangles = 128})),
                                        Body(make::cube_array({.triangles = 96}))};
  return bodies;
}

/// Calls at random, and after every check: the contacts are those of asking all pairs, and the events are exactly the
/// difference to what was before.
TEST(WorldRandom, EventsAreWhatAllPairsSay) {
  const std::uint64_t seed = RandomBudget::seed(1);
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  RandomBudget budget(6);
  while (budget.more()) {
    const std::string broad(broad_phases()[random() % broad_phases().size()].name);
    SCOPED_TRACE("broad " + broad);
    World world({.broad = broad, .threads = 1 + static_cast<int>(random() % 3)});
    std::vector<BodyId> ids;
    std::set<std::pair<BodyId, BodyId>> before;
    for (int frame = 0; frame < 12; ++frame) {
      for (int change = 0; change < 8; ++change) {
        const std::size_t which = ids.empty() ? 0 : random() % ids.size();
        if (ids.size() < 12 || random() % 8 == 0) {
          ids.push_back(world.add(some_bodies()[random() % some_bodies().size()], random_pose(random, 4)));
        } else if (random() % 6 == 0) {
          world.remove(ids[which]);
          ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(which));
        } else {
          world.move(ids[which], random_pose(random, 4));
        }
      }
      const CheckResult r = world.check();
      const auto expected = brute_contacts(world);
      ASSERT_EQ(world.touching(), expected);
      const std::set<std::pair<BodyId, BodyId>> now(expected.begin(), expected.end());
      std::set<std::pair<BodyId, BodyId>> seen;
      for (const WorldEvent& e : r.events) {
        const std::pair pair(e.a, e.b);
        ASSERT_TRUE(seen.insert(pair).second);
        ASSERT_EQ(before.contains(pair), e.kind != EventKind::began);
        ASSERT_EQ(now.contains(pair), e.kind != EventKind::ended);
      }
      for (const auto& pair : before) ASSERT_TRUE(now.contains(pair) || seen.contains(pair));
      for (const auto& pair : now) ASSERT_TRUE(before.contains(pair) || seen.contains(pair));
      before = now;
    }
  }
}

}  // namespace
}  // namespace graze::testing
