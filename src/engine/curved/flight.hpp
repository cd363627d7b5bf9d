// SPDX-License-Identifier: MIT
#pragma once

#include <graze/ask/first_contact.hpp>

#include "body/body_data.hpp"
#include "engine/proof/proof.hpp"
#include "motion/path.hpp"

namespace graze::engine::curved {

/// One question of first contact with at least one curved shape: A is a mesh or a shape, B is a curved shape or, if A
/// is one, any shape; no half-spaces (`stand_in`, or a box that is large enough, takes their place).
struct CurvedFlight {
  const body::BodyData& a;
  const body::BodyData& b;
  const motion::Path& motion_a;
  const motion::Path& motion_b;
  const FirstContactOptions& options;
  double tolerance;
  /// If set: gets the steps, with the directions from A to B. A shape counts as one item.
  proof::Proof* proof = nullptr;
  /// B is a half-space, given by a hull: the point of its surface on its z axis. Its motion is kinematic. Directions of
  /// the proof turn with B: along no other one it ends. Only how long they are apart is found, not where they touch.
  bool plane = false;
};

/// What is found: as for meshes. `contact`: certified apart before `safe` and at most the tolerance apart at `touch`.
struct CurvedFound {
  Status status = Status::undecided;
  double safe = 0, touch = 0, gap = 0;
  std::uint32_t triangle = 0;  ///< of A, if it is a mesh
  std::optional<Feature> feature;
  std::array<Vec3, 2> points{};  ///< in world coordinates, at `touch`
  std::optional<Vec3> normal;
  Counters counters;
};

/// An upper bound of how far two placed points may be from their exact places together, at any time, from rounding.
double flight_rounding(const CurvedFlight& flight);

/// Best first: a queue of clocks, one for each part of A (a box of the tree or a triangle; all of A if it is a shape),
/// each the time until which the part is certified apart from B. See the .cpp for the certificate.
void run_flight(const CurvedFlight& flight, CurvedFound& found);

}  // namespace graze::engine::curved
