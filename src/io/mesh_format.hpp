// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include <graze/io/mesh_file.hpp>

namespace graze::io {

/// Does the name end with ".gz"?
bool names_gzip(const std::filesystem::path& file);

/// The format according to the file's name, if `asked` is automatic; throws unknown_format.
MeshFormat resolve_format(const std::filesystem::path& file, MeshFormat asked);

}  // namespace graze::io
