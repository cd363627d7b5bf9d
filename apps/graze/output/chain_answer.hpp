// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <graze/ask/first_contact.hpp>

#include "input/robot_file.hpp"
#include "output/json.hpp"

namespace graze::app {

/// A link and another one, or a link and the environment (none).
struct LinkPair {
  LinkId a{};
  std::optional<LinkId> b;
};

/// A robot, its environment, and the pairs to be tested.
struct ChainScene {
  Robot robot;
  std::optional<Body> environment;
  Pose environment_pose;
  std::vector<LinkPair> pairs;

  const Body& body_a(const LinkPair& pair) const { return *robot.bodies[index(pair.a)]; }
  const Body& body_b(const LinkPair& pair) const { return pair.b ? *robot.bodies[index(*pair.b)] : *environment; }
};

/// Every link with the environment, then all link pairs except neighbours (unless requested) and those that the robot
/// file ignores. Links without a mesh are left out.
std::vector<LinkPair> pairs_to_ask(const ChainScene& scene, bool neighbours);

/// The first contact of all pairs. `whole` describes the earliest of all, with points and normal in world coordinates.
struct ChainAnswer {
  FirstContactResult whole;
  std::optional<std::size_t> first;              ///< the pair that `whole` describes
  std::vector<FirstContactResult> pair_answers;  ///< in the order of the scene's pairs
  MethodCounters of_method;                      ///< the sum over all pairs
};
ChainAnswer ask(const ChainScene& scene, std::span<const double> from, std::span<const double> to,
                const FirstContactOptions& options);

/// The names of both links; null for the environment.
Json links_json(const ChainScene& scene, const LinkPair& pair);
Json to_json(const ChainAnswer& answer, const ChainScene& scene, const FirstContactOptions& options);
void print(const ChainAnswer& answer, const ChainScene& scene, const FirstContactOptions& options);

}  // namespace graze::app
