// SPDX-License-Identifier: MIT
// Results that also hold the method's own counters.
#pragma once

#include <utility>

#include <graze/core/method_counters.hpp>

namespace graze::testing {

/// The result, and in place of its counters all of them.
template <class Result>
struct Counted : Result {
  AllCounters counters;
};

/// Calls `ask(method_counters)`, which passes the pointer on in the options of a question and returns the result.
template <class Ask>
auto counted(Ask&& ask) {
  MethodCounters own;
  auto result = ask(&own);
  const AllCounters all{result.counters, own};
  return Counted<decltype(result)>{std::move(result), all};
}

}  // namespace graze::testing
