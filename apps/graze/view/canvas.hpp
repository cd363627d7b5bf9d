// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <graze/math/vec3.hpp>

namespace graze::app {

/// Red, green and blue from 0 to 1.
using Colour = std::array<float, 3>;

/// Triangles and discs on a raster with a depth for each pixel. Each pixel of the picture is four of the raster.
class Canvas {
 public:
  Canvas(std::size_t width, std::size_t height);

  double width() const { return static_cast<double>(width_); }
  double height() const { return static_cast<double>(height_); }
  /// Corners are x, y in the raster's pixels from the upper left, and 1 / depth. Parts outside are left out.
  void triangle(const std::array<Vec3, 3>& corners, const Colour& colour);
  /// In front of everything.
  void disc(const Vec3& centre, double radius, const Colour& colour);
  /// The file.
  std::string png() const;

 private:
  std::size_t width_, height_;  ///< of the raster
  std::vector<float> nearness_;
  std::vector<std::array<std::uint8_t, 3>> pixels_;
};

}  // namespace graze::app
