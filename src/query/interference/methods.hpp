// SPDX-License-Identifier: MIT
#pragma once

#include "query/interference/brute.hpp"
#include "query/interference/kitamura.hpp"
#include "query/interference/octree_update.hpp"
#include "query/interference/tree.hpp"

namespace graze::query {

template <class... T>
struct InterferenceTypeList {};

/// Every method of `interference`: the one line to edit. The command line's --method, the conformance tests, the fuzzer
/// and the benchmark rows follow from it. The first is the default.
using InterferenceMethods = InterferenceTypeList<Kitamura, OctreeUpdate, InterferenceTree, InterferenceBrute>;

}  // namespace graze::query
