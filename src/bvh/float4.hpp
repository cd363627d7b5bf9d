// SPDX-License-Identifier: MIT
#pragma once

#include "core/portability.hpp"

namespace graze::bvh {

/// Four floats that the builder processes at once.
using Float4 = core::lanes::Float4;
using core::lanes::load3;
using core::lanes::splat;

}  // namespace graze::bvh
