// SPDX-License-Identifier: MIT
#pragma once

#include "classic/zachmann/box_tree.hpp"
#include "classic/zachmann/convex.hpp"
#include "classic/zachmann/dual.hpp"
#include "classic/zachmann/precheck_only.hpp"
#include "classic/zachmann/relaxed.hpp"
#include "classic/zachmann/sampling.hpp"
#include "classic/zachmann/separating_plane.hpp"
#include "core/method_list.hpp"
#include "engine/collide/brute.hpp"
#include "engine/collide/tree.hpp"

namespace graze::ask {

/// Every method of `collide`: the only line to edit. The command line's --method, the conformance tests, the fuzzers
/// and the benchmark rows use this list.
using CollideMethods =
    core::MethodList<engine::collide::Brute, classic::zachmann::PrecheckOnly, classic::zachmann::Relaxed,
                     classic::zachmann::Convex, classic::zachmann::SeparatingPlane, classic::zachmann::Sampling,
                     classic::zachmann::BoxTree, engine::collide::Tree, classic::zachmann::Dual>;

}  // namespace graze::ask
