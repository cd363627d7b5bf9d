// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <graze/core/export.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

/// The formats that graze reads and writes itself, with strict readers. `automatic` selects the format by the file's
/// name (after removing ".gz").
enum class MeshFormat { automatic, obj, stl, ply, off };

/// "automatic", "obj", "stl", "ply", "off".
GRAZE_API const char* name(MeshFormat format);

/// Reads a mesh file, plain or gzipped (detected by its first two bytes). Vertices and polygons keep the file's order,
/// and so do loose edges and points (`l` and `p` of OBJ, the element `edge` of PLY).
/// Throws `Error` (file_not_found, bad_file, not_finite, index_out_of_range, bad_polygon, empty_mesh, unknown_format,
/// too_large) with file and line or element. Memory is never allocated for counts that a header declares, only for data
/// that is present.
GRAZE_API Mesh load_mesh(const std::filesystem::path& file, MeshFormat format = MeshFormat::automatic);

/// The same from memory; `name` is used in error messages.
GRAZE_API Mesh parse_mesh(std::span<const char> bytes, MeshFormat format, std::string_view name = "memory");

struct SaveOptions {
  enum class Encoding { text, binary_little_endian, binary_big_endian };
  MeshFormat format = MeshFormat::automatic;
  Encoding encoding = Encoding::text;  ///< binary: STL (little endian only) and PLY
};

/// Writes a mesh; doubles round-trip in text and in binary PLY (binary STL holds floats). ".gz" compresses. Loose edges
/// are written to OBJ and PLY, points to OBJ; throws `Error` for other formats.
GRAZE_API void save_mesh(const Mesh& mesh, const std::filesystem::path& file, const SaveOptions& options = {});

/// The bytes that `save_mesh` writes into a file that is not compressed. Throws `Error` (unknown_format) if the format
/// is `automatic`, and as `save_mesh` does.
GRAZE_API std::string mesh_bytes(const Mesh& mesh, const SaveOptions& options);

}  // namespace graze
