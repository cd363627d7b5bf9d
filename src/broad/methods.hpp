// SPDX-License-Identifier: MIT
#pragma once

#include "broad/all_pairs.hpp"
#include "broad/grid.hpp"
#include "broad/octree.hpp"
#include "broad/strips.hpp"
#include "broad/sweep.hpp"
#include "broad/tree.hpp"

namespace graze::broad {

template <class... T>
struct TypeList {};

/// Every broad phase: the one line to edit. Names, conformance tests, fuzzers and benchmark rows follow from it.
using Methods = TypeList<AllPairs, Grid, Octree, Sweep, Tree, Strips>;

}  // namespace graze::broad
