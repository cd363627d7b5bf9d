// SPDX-License-Identifier: MIT
#pragma once

#include "classic/kitamura/interference_brute.hpp"
#include "classic/kitamura/interference_tree.hpp"
#include "classic/kitamura/kitamura.hpp"
#include "classic/kitamura/octree_update.hpp"
#include "core/method_list.hpp"

namespace graze::ask {

/// Every method of `interference`: the only line to edit. The command line's --method, the conformance tests, the
/// fuzzer and the benchmark rows use this list. The first is the default.
using InterferenceMethods = core::MethodList<classic::kitamura::Kitamura, classic::kitamura::OctreeUpdate,
                                             classic::kitamura::InterferenceTree, classic::kitamura::InterferenceBrute>;

}  // namespace graze::ask
