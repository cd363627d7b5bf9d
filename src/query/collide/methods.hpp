// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "query/collide/box_tree.hpp"
#include "query/collide/brute.hpp"
#include "query/collide/convex.hpp"
#include "query/collide/dual.hpp"
#include "query/collide/precheck_only.hpp"
#include "query/collide/relaxed.hpp"
#include "query/collide/sampling.hpp"
#include "query/collide/separating_plane.hpp"
#include "query/collide/tree.hpp"

namespace graze::query {

template <class... T>
struct TypeList {};

/// Every method of `collide`: the one line to edit. The command line's --method, the conformance tests, the fuzzers and
/// the benchmark rows follow from it.
using CollideMethods = TypeList<Brute, PrecheckOnly, Relaxed, Convex, SeparatingPlane, Sampling, BoxTree, Tree, Dual>;

/// Calls visit(type_identity-like tag) for each method.
template <class... T, class Visit>
void for_each_method(TypeList<T...>, Visit&& visit) {
  (visit.template operator()<T>(), ...);
}

}  // namespace graze::query
