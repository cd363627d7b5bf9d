// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include <graze/ask/collide.hpp>
#include <graze/ask/manifold.hpp>
#include <graze/ask/penetration.hpp>
#include <graze/world/event.hpp>

namespace graze::world {

inline bool wants_any(const ContactDetails& details) { return details.all_pairs || details.manifold || details.depth; }

/// `apart`: they are not in contact, but within that much of each other.
template <class Answer>
void ask_details(const ContactDetails& details, bool solid, const Body& a, const Pose& pose_a, const Body& b,
                 const Pose& pose_b, std::optional<double> apart, Answer& out) {
  if (details.manifold) out.manifold.emplace();  // `undecided` if a limit ends this before they are asked
  if (details.depth && !apart) out.depth.emplace();
  // The distance is rounded: a little more, so that the nearest points are not left out.
  const double margin = std::max(details.margin, apart.value_or(0) * (1 + 1e-9));
  if (out.manifold) *out.manifold = manifold(a, pose_a, b, pose_b, {.margin = margin});
  if (out.depth) *out.depth = penetration(a, pose_a, b, pose_b);
  if (!details.all_pairs || apart) return;
  CollideOptions options;
  options.all = true;
  options.solid = solid;
  CollideResult all = collide(a, pose_a, b, pose_b, options);
  out.all_pairs = std::move(all.pairs);
  out.piece_contacts = std::move(all.piece_contacts);
}

}  // namespace graze::world
