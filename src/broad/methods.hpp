// SPDX-License-Identifier: MIT
#pragma once

#include "broad/all_pairs.hpp"
#include "broad/grid.hpp"
#include "broad/octree.hpp"
#include "broad/strips.hpp"
#include "broad/sweep.hpp"
#include "broad/tree.hpp"
#include "core/method_list.hpp"

namespace graze::broad {

/// The list of all broad-phase methods: the only line to edit. Names, conformance tests, fuzzers and benchmark rows are
/// derived from it.
using Methods = core::MethodList<AllPairs, Grid, Octree, Sweep, Tree, Strips>;

}  // namespace graze::broad
