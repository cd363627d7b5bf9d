// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <cstdint>

#include <graze/core/error.hpp>
#include <graze/core/portability.hpp>

#include "io/writers.hpp"

namespace graze::io {
namespace {

std::array<Vec3, 3> corners_of(const Mesh& mesh, const Triangle& triangle) {
  const auto positions = mesh.positions();
  return {positions[triangle[0]], positions[triangle[1]], positions[triangle[2]]};
}

/// For other programs only (graze never reads it): zero where it is undefined, as STL allows.
std::array<float, 3> normal_of(const std::array<Vec3, 3>& p) {
  const Vec3 n = cross(p[1] - p[0], p[2] - p[0]);
  const double size = length(n);
  if (!(size > 0) || !std::isfinite(size)) return {0, 0, 0};
  return {static_cast<float>(n.x / size), static_cast<float>(n.y / size), static_cast<float>(n.z / size)};
}

void write_little_endian(OutputFile& out, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) out << static_cast<char>(value >> (8 * i) & 0xFF);
}

/// Binary STL uses floats: values out of their range are refused before anything is written.
void check_float_range(const Mesh& mesh) {
  for (std::size_t i = 0; i < mesh.vertex_count(); ++i) {
    const Vec3& p = mesh.positions()[i];
    if (std::isfinite(static_cast<float>(p.x)) && std::isfinite(static_cast<float>(p.y)) &&
        std::isfinite(static_cast<float>(p.z)))
      continue;
    ErrorDetail detail;
    detail.code = ErrorCode::cannot_write;
    detail.element = "vertex";
    detail.id = i;
    detail.message = "a coordinate does not fit the floats of binary STL; write text STL, or binary PLY";
    throw Error(std::move(detail));
  }
}

void write_binary(const Mesh& mesh, OutputFile& out) {
  check_float_range(mesh);
  std::array<char, 80> header{};  // must not begin with "solid", which some readers take for text
  out << std::string_view(header.data(), header.size());
  write_little_endian(out, static_cast<std::uint32_t>(mesh.triangle_count()));
  for (const Triangle& triangle : mesh.triangles()) {
    const auto corners = corners_of(mesh, triangle);
    for (float value : normal_of(corners)) write_little_endian(out, core::bit_cast<std::uint32_t>(value));
    for (const Vec3& p : corners)
      for (int k = 0; k < 3; ++k) write_little_endian(out, core::bit_cast<std::uint32_t>(static_cast<float>(p[k])));
    out << std::string_view("\0\0", 2);
  }
}

void write_text(const Mesh& mesh, OutputFile& out) {
  out << "solid\n";
  for (const Triangle& triangle : mesh.triangles()) {
    const auto corners = corners_of(mesh, triangle);
    const auto normal = normal_of(corners);
    out << "facet normal " << normal[0] << ' ' << normal[1] << ' ' << normal[2] << "\nouter loop\n";
    for (const Vec3& p : corners) out << "vertex " << p.x << ' ' << p.y << ' ' << p.z << '\n';
    out << "endloop\nendfacet\n";
  }
  out << "endsolid\n";
}

}  // namespace

void write_stl(const Mesh& mesh, OutputFile& out, SaveOptions::Encoding encoding) {
  if (encoding == SaveOptions::Encoding::text) {
    write_text(mesh, out);
  } else {
    write_binary(mesh, out);
  }
}

}  // namespace graze::io
