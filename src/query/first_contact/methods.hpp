// SPDX-License-Identifier: MIT
#pragma once

#include "query/first_contact/advancement.hpp"
#include "query/first_contact/best_first.hpp"
#include "query/first_contact/brute.hpp"
#include "query/first_contact/interval_method.hpp"

namespace graze::query {

template <class... T>
struct MotionTypeList {};

/// Every method of `first_contact`: the one line to edit. The command line's --method, the conformance tests, the
/// fuzzers and the benchmark rows follow from it. The first is the default.
using FirstContactMethods = MotionTypeList<BestFirst, Advancement, IntervalMethod, BruteMotion>;

}  // namespace graze::query
