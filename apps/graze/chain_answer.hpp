// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <graze/query/first_contact.hpp>

#include "json.hpp"
#include "robot_file.hpp"

namespace graze::app {

/// A link against another one, or against the environment (none).
struct LinkPair {
  LinkId a{};
  std::optional<LinkId> b;
};

/// A robot, what stands around it, and who is asked for contact with whom.
struct ChainScene {
  Robot robot;
  std::optional<Body> environment;
  Pose environment_pose;
  std::vector<LinkPair> pairs;

  const Body& body_a(const LinkPair& pair) const { return *robot.bodies[index(pair.a)]; }
  const Body& body_b(const LinkPair& pair) const { return pair.b ? *robot.bodies[index(*pair.b)] : *environment; }
};

/// Every link with the environment, then all link pairs but neighbours (unless wanted) and those that the robot file
/// ignores; links without a mesh are in none.
std::vector<LinkPair> pairs_to_ask(const ChainScene& scene, bool neighbours);

/// The first contact of all pairs; `whole` is about the earliest of all, places and normal in the world.
struct ChainAnswer {
  FirstContactResult whole;
  std::optional<std::size_t> first;              ///< the pair that `whole` is about
  std::vector<FirstContactResult> pair_answers;  ///< as the scene's pairs
};
ChainAnswer ask(const ChainScene& scene, std::span<const double> from, std::span<const double> to,
                const FirstContactOptions& options);

/// Both links' names; null for the environment.
Json links_json(const ChainScene& scene, const LinkPair& pair);
Json to_json(const ChainAnswer& answer, const ChainScene& scene, const FirstContactOptions& options);
void print(const ChainAnswer& answer, const ChainScene& scene, const FirstContactOptions& options);

}  // namespace graze::app
