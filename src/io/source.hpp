// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <graze/core/error.hpp>
#include <graze/math/vec3.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze::io {

/// The input of a reader: the uncompressed bytes, and the name for error messages.
struct Source {
  std::string_view bytes;
  std::string_view name;
};

/// The output of a reader: everything in the file's order.
struct MeshParts {
  std::vector<Vec3> positions;
  PolygonList polygons;
  PolygonGroups groups;  ///< OBJ only
  LooseParts loose;      ///< OBJ and PLY
};

/// Error reporting. Text readers name the line, binary readers the element.
[[noreturn]] void fail_at_line(const Source& source, std::uint64_t line, ErrorCode code, std::string message);
[[noreturn]] void fail_at_element(const Source& source, std::string_view element, std::uint64_t id, ErrorCode code,
                                  std::string message);

/// A piece of the file for an error message: in quotes, shortened, and without bytes that could disturb a terminal.
std::string in_quotes(std::string_view text);

/// Ids and corner offsets have 32 bits; every reader checks this before it adds an element.
inline bool is_full(std::size_t count) { return count >= 0xFFFFFFFFu; }

// The readers. Memory grows with the bytes actually present, never with the counts in a header.
MeshParts read_obj(const Source& source);
MeshParts read_stl(const Source& source);
MeshParts read_ply(const Source& source);
MeshParts read_off(const Source& source);

}  // namespace graze::io
