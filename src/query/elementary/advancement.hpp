// SPDX-License-Identifier: MIT
#pragma once

#include "query/elementary/method.hpp"

namespace graze::query {

/// Directed advancement (DESIGN 4): docs/methods/elementary.md.
struct ElementaryAdvancement {
  static constexpr ElementaryTraits traits{
      .name = "advancement", .summary = "steps along separating directions, certified; the default", .certified = true};
  static void run(const Elementary& e, ElementaryResult& result);
};

}  // namespace graze::query
