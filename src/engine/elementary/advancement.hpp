// SPDX-License-Identifier: MIT
#pragma once

#include "engine/elementary/method.hpp"

namespace graze::engine::elementary {

/// Directed advancement (docs/design.md 4): docs/methods/elementary.md.
struct ElementaryAdvancement {
  static constexpr ElementaryTraits traits{
      .name = "advancement", .summary = "steps along separating directions, certified; the default", .certified = true};
  static void run(const Elementary& e, ElementaryResult& result);
};

}  // namespace graze::engine::elementary
