// SPDX-License-Identifier: MIT
#pragma once

#include "engine/collide/method.hpp"

namespace graze::classic::zachmann {

/// Zachmann 6.5: two methods with complementary strengths on one pair. `separating_plane` is fast at finding bodies
/// apart, above all with the plane of the last frame; `tree` is fast at finding contact. With two threads or more they
/// race, unless the tree finishes before another thread could start, and the first certain answer stops the other: of
/// the plane only `free` is certain, of the tree both answers are. With one thread the plane gets a few updates, then
/// the tree runs to its end.
///
/// The answer has the same bits whichever method finishes first: a contact is always the tree's, and `free` has no
/// witness. Only the counters show how far each method came.
struct Dual {
  static constexpr MethodTraits traits{
      .name = "dual",
      .summary = "a separating plane and the tree race; the first certain answer counts (Zachmann 6.5)"};
  static std::optional<ErrorDetail> refuses(const engine::collide::CollideQuery& query);
  static void run(const engine::collide::CollideQuery& query, CollideResult& result);
};

}  // namespace graze::classic::zachmann
