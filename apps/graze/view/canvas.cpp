// SPDX-License-Identifier: MIT
#include "view/canvas.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "view/deflate.hpp"

namespace graze::app {
namespace {

std::array<std::uint8_t, 3> bytes_of(const Colour& colour) {
  std::array<std::uint8_t, 3> out{};
  for (std::size_t k = 0; k < 3; ++k)
    out[k] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(colour[k], 0.0f, 1.0f)));
  return out;
}

/// The pixels from lo to hi, within the raster.
std::array<std::size_t, 2> pixels_between(double lo, double hi, std::size_t count) {
  const double most = static_cast<double>(count);
  return {static_cast<std::size_t>(std::clamp(std::floor(lo), 0.0, most)),
          static_cast<std::size_t>(std::clamp(std::ceil(hi), 0.0, most))};
}

void append_number(std::string& out, std::size_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xFF);
}

void append_chunk(std::string& out, std::string_view kind, std::string_view data) {
  append_number(out, data.size());
  const std::string all = std::string(kind) + std::string(data);
  out += all;
  append_number(out, crc_of(all));
}

}  // namespace

Canvas::Canvas(std::size_t width, std::size_t height)
    : width_(2 * width), height_(2 * height), nearness_(width_ * height_, 0.0f), pixels_(width_ * height_) {
  const Colour top{0.933f, 0.945f, 0.961f}, bottom{0.847f, 0.871f, 0.906f};
  for (std::size_t y = 0; y < height_; ++y) {
    const float s = static_cast<float>(y) / static_cast<float>(height_);
    Colour colour{};
    for (std::size_t k = 0; k < 3; ++k) colour[k] = top[k] + s * (bottom[k] - top[k]);
    std::fill_n(pixels_.begin() + static_cast<std::ptrdiff_t>(y * width_), width_, bytes_of(colour));
  }
}

void Canvas::triangle(const std::array<Vec3, 3>& c, const Colour& colour) {
  const double area = (c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[1].y - c[0].y) * (c[2].x - c[0].x);
  if (!(std::abs(area) > 0) || !std::isfinite(area)) return;
  const auto [x0, x1] = pixels_between(std::min({c[0].x, c[1].x, c[2].x}), std::max({c[0].x, c[1].x, c[2].x}), width_);
  const auto [y0, y1] = pixels_between(std::min({c[0].y, c[1].y, c[2].y}), std::max({c[0].y, c[1].y, c[2].y}), height_);
  const std::array<std::uint8_t, 3> bytes = bytes_of(colour);
  for (std::size_t y = y0; y < y1; ++y)
    for (std::size_t x = x0; x < x1; ++x) {
      const double px = static_cast<double>(x) + 0.5, py = static_cast<double>(y) + 0.5;
      const double u = ((c[1].x - px) * (c[2].y - py) - (c[1].y - py) * (c[2].x - px)) / area;
      const double v = ((c[2].x - px) * (c[0].y - py) - (c[2].y - py) * (c[0].x - px)) / area;
      const double w = 1 - u - v;
      if (u < 0 || v < 0 || w < 0) continue;
      const auto near = static_cast<float>(u * c[0].z + v * c[1].z + w * c[2].z);
      const std::size_t at = y * width_ + x;
      if (near <= nearness_[at]) continue;
      nearness_[at] = near;
      pixels_[at] = bytes;
    }
}

void Canvas::disc(const Vec3& centre, double radius, const Colour& colour) {
  const auto [x0, x1] = pixels_between(centre.x - radius, centre.x + radius, width_);
  const auto [y0, y1] = pixels_between(centre.y - radius, centre.y + radius, height_);
  for (std::size_t y = y0; y < y1; ++y)
    for (std::size_t x = x0; x < x1; ++x)
      if (std::hypot(static_cast<double>(x) + 0.5 - centre.x, static_cast<double>(y) + 0.5 - centre.y) < radius)
        pixels_[y * width_ + x] = bytes_of(colour);
}

std::string Canvas::png() const {
  std::string rows;
  for (std::size_t y = 0; y < height_; y += 2) {
    rows += '\0';  // no filter
    for (std::size_t x = 0; x < width_; x += 2)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t at = y * width_ + x;
        const int sum = pixels_[at][k] + pixels_[at + 1][k] + pixels_[at + width_][k] + pixels_[at + width_ + 1][k];
        rows += static_cast<char>((sum + 2) / 4);
      }
  }
  std::string out = "\x89PNG\r\n\x1a\n", header;
  append_number(header, width_ / 2);
  append_number(header, height_ / 2);
  header += std::string("\x08\x02\0\0\0", 5);  // eight bits a channel, red green blue
  append_chunk(out, "IHDR", header);
  append_chunk(out, "IDAT", deflated(rows));
  append_chunk(out, "IEND", "");
  return out;
}

}  // namespace graze::app
