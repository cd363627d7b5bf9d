// SPDX-License-Identifier: MIT
#pragma once

#include "classic/contact/interval_method.hpp"
#include "classic/fast/advancement.hpp"
#include "core/method_list.hpp"
#include "engine/first_contact/best_first.hpp"
#include "engine/first_contact/brute.hpp"

namespace graze::ask {

/// Every method of `first_contact`: the only line to edit. The command line's --method, the conformance tests, the
/// fuzzers and the benchmark rows use this list. The first is the default.
using FirstContactMethods = core::MethodList<engine::first_contact::BestFirst, classic::fast::Advancement,
                                             classic::contact::IntervalMethod, engine::first_contact::BruteMotion>;

}  // namespace graze::ask
