// SPDX-License-Identifier: MIT
#pragma once

#include <random>
#include <string>
#include <utility>
#include <vector>

#include <graze/graze.hpp>

namespace graze::testing {

inline Body cube() {
  static const Body body{make::box()};
  return body;
}

inline Pose at(double x, double y = 0, double z = 0) { return Pose({x, y, z}); }

/// "began 0 1" and so on, by slots.
inline std::vector<std::string> texts(const std::vector<WorldEvent>& events) {
  std::vector<std::string> out;
  for (const WorldEvent& e : events)
    out.push_back(std::string(name(e.kind)) + " " + std::to_string(e.a.slot) + " " + std::to_string(e.b.slot));
  return out;
}

inline Pose random_pose(std::mt19937_64& random, double side) {
  const auto number = [&](double lo, double hi) {
    return lo + (hi - lo) * static_cast<double>(random() >> 11) * 0x1p-53;
  };
  return Pose({number(0, side), number(0, side), number(0, side)},
              {number(-1, 1), number(-1, 1), number(-1, 1), number(0.1, 1)});
}

/// Every pair in contact, by asking all of them.
inline std::vector<std::pair<BodyId, BodyId>> brute_contacts(const World& world, bool solid = false) {
  std::vector<std::pair<BodyId, BodyId>> out;
  const std::vector<BodyId> all = world.bodies();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const CollideResult r =
          collide(world.body(all[i]), world.pose(all[i]), world.body(all[j]), world.pose(all[j]), {.solid = solid});
      if (r.status == Status::contact) out.emplace_back(all[i], all[j]);
    }
  return out;
}

}  // namespace graze::testing
