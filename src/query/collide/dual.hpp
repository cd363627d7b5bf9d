// SPDX-License-Identifier: MIT
#pragma once

#include "query/collide/method.hpp"

namespace graze::query {

/// Zachmann 6.5: two methods with complementary strengths on one pair. `separating_plane` is quick to find bodies
/// apart, above all with the plane of the last frame; `tree` is quick to find contact. With two threads or more they
/// race, and the first certain answer stops the other: of the plane only `free` is certain, of the tree both answers
/// are. With one thread the plane gets a few turns, then the tree its whole way.
///
/// The answer has the same bits whoever wins: a contact is always the tree's, and `free` has no witness. Only the
/// counters tell who came how far.
struct Dual {
  static constexpr MethodTraits traits{
      .name = "dual",
      .summary = "a separating plane and the tree race; the first certain answer counts (Zachmann 6.5)"};
  static std::optional<ErrorDetail> refuses(const CollideQuery& query);
  static void run(const CollideQuery& query, CollideResult& result);
};

}  // namespace graze::query
