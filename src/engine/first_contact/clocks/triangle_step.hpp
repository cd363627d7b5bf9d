// SPDX-License-Identifier: MIT
#pragma once

#include "engine/first_contact/clocks/clocks.hpp"

namespace graze::engine::first_contact {

/// Advances the clock of two triangles along their closest direction, as far as is certified: until another clock is
/// earlier, the pair is finished, or its contact is known. `by_reach`: first ask whether a face parts them for good.
/// False: a budget ran out, and `c` is to be put back.
bool step_triangles(Search& search, Clock& c, std::uint32_t triangle_a, std::uint32_t triangle_b, bool by_reach);

}  // namespace graze::engine::first_contact
