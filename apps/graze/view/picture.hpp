// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <graze/math/vec3.hpp>

#include "view/view_document.hpp"

namespace graze::app {

struct PictureSize {
  std::size_t width = 960, height = 640;
};

/// What lights up in a picture.
struct PictureMarks {
  std::vector<std::array<std::size_t, 2>> triangles;  ///< a body and one of its triangles
  std::vector<Vec3> points;                           ///< in the world
};

/// The triangles and points of the contacts of the answers, as far as they are about two bodies.
PictureMarks marks_of(const ViewDocument& view);
/// When to take the picture: the first contact, or else the start.
double picture_time(const ViewDocument& view);

/// A PNG of the bodies at a time, seen from where the page first looks; drawn here, without a browser.
std::string picture_png(const ViewDocument& view, double time, PictureSize size);

}  // namespace graze::app
