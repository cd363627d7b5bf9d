// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine.hpp"

namespace graze::web {

/// One question about two bodies at many poses, without JSON: 0 collide, 1 distance, 2 within 0, 3 first contact.
/// `poses` has 14 numbers for each (A, then B), with 3 it has 28 (A from, A to, B from, B to). `out` gets for each the
/// status in the order of `Status` (2 of them: status and distance; with 3: status, t_safe and t_touch). Returns -1, or
/// the entry that was refused.
int many(Engine& engine, int question, std::uint32_t a, std::uint32_t b, const double* poses, std::size_t count,
         double* out);

}  // namespace graze::web
