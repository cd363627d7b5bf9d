// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include <graze/core/export.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

/// The formats read and written by our own strict readers. `automatic` goes by the file's name (".gz" is taken off
/// first).
enum class MeshFormat { automatic, obj, stl, ply, off };

/// "automatic", "obj", "stl", "ply", "off".
GRAZE_API const char* name(MeshFormat format);

/// Reads a mesh file, plain or gzipped (told by its first two bytes). Vertices and polygons keep the file's order.
/// Throws `Error` (file_not_found, bad_file, not_finite, index_out_of_range, bad_polygon, empty_mesh, unknown_format,
/// too_large) with file and line or element. Memory is never reserved for what a header promises, only for what is
/// there.
GRAZE_API Mesh load_mesh(const std::filesystem::path& file, MeshFormat format = MeshFormat::automatic);

/// The same from memory; `name` stands in error messages.
GRAZE_API Mesh parse_mesh(std::span<const char> bytes, MeshFormat format, std::string_view name = "memory");

struct SaveOptions {
  enum class Encoding { text, binary_little_endian, binary_big_endian };
  MeshFormat format = MeshFormat::automatic;
  Encoding encoding = Encoding::text;  ///< binary: STL (little endian only) and PLY
};

/// Writes a mesh; doubles round-trip in text and in binary PLY (binary STL holds floats). ".gz" compresses.
GRAZE_API void save_mesh(const Mesh& mesh, const std::filesystem::path& file, const SaveOptions& options = {});

}  // namespace graze
