// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <graze/ask/deform_filter.hpp>

#include "deform/deform_bodies.hpp"

namespace graze::app {

/// The filter in a JSON file, for the bodies of a frame: "bodies" (of each "self", "group", "mask"), "off" (pairs of
/// bodies) and "fixed" (vertices). Throws `Error`, which names the file and the key.
DeformFilter load_filter(const std::string& file, const Frame& frame, const BodySplit& split);

}  // namespace graze::app
