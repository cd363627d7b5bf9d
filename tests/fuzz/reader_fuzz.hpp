// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <graze/core/error.hpp>
#include <graze/io/mesh_file.hpp>

namespace graze::fuzz {

/// Any bytes are either read into a mesh with valid polygons, loose edges and points, or rejected with a reason and a
/// position; nothing else may happen.
inline int read_any_bytes(const std::uint8_t* data, std::size_t size, MeshFormat format) {
  try {
    const Mesh mesh = parse_mesh({reinterpret_cast<const char*>(data), size}, format, "fuzz");
    if (mesh.polygon_count() == 0 && mesh.loose().empty()) std::abort();
    for (std::uint32_t corner : mesh.polygons().corners)
      if (corner >= mesh.vertex_count()) std::abort();
    for (const auto& edge : mesh.edges())
      if (edge[0] >= mesh.vertex_count() || edge[1] >= mesh.vertex_count()) std::abort();
    for (std::uint32_t point : mesh.points())
      if (point >= mesh.vertex_count()) std::abort();
    for (const Vec3& position : mesh.positions())
      if (!is_finite(position)) std::abort();
  } catch (const Error& error) {
    const ErrorDetail& detail = error.detail();
    if (detail.message.empty() || detail.file.empty()) std::abort();
    if (detail.line == ErrorDetail::none && detail.element.empty()) std::abort();
  }
  return 0;
}

}  // namespace graze::fuzz
