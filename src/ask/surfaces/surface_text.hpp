// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <graze/body/body.hpp>

namespace graze::ask {

/// The surface that these words describe (`BodyData::surface_text`), made with the default `SurfaceOptions`. Throws
/// `Error`.
Body surface_from_text(const std::string& text);

}  // namespace graze::ask
