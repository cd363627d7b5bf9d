// SPDX-License-Identifier: MIT
#include <graze/io/mesh_file.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "io/file_bytes.hpp"
#include "io/mesh_format.hpp"
#include "io/read_guarded.hpp"
#include "io/source.hpp"

namespace graze {
namespace io {
namespace {

std::string lower_case_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension;
}

MeshParts read(const Source& source, MeshFormat format) {
  switch (format) {
    case MeshFormat::obj: return read_obj(source);
    case MeshFormat::stl: return read_stl(source);
    case MeshFormat::ply: return read_ply(source);
    case MeshFormat::off: return read_off(source);
    case MeshFormat::automatic: break;
  }
  return read(source, resolve_format(source.name, format));
}

/// The mesh repeats the readers' checks and has limits of its own, but does not know the file name.
Mesh make_mesh(MeshParts&& parts, std::string_view name) {
  try {
    return Mesh(std::move(parts.positions), std::move(parts.polygons), std::move(parts.groups), std::move(parts.loose));
  } catch (const Error& error) {
    ErrorDetail detail = error.detail();
    detail.file = name;
    throw Error(std::move(detail));
  }
}

Mesh parse(std::string_view bytes, MeshFormat format, std::string_view name) {
  if (bytes.empty())
    fail_at_line({bytes, name}, 1, ErrorCode::empty_mesh, "the file is empty; a body needs at least one polygon");
  if (!is_gzip(bytes)) return make_mesh(read({bytes, name}, format), name);
  MeshParts parts;
  {
    const Bytes unpacked = unpack_gzip(bytes, name);
    parts = read({unpacked.view(), name}, format);
  }
  return make_mesh(std::move(parts), name);
}

}  // namespace

bool names_gzip(const std::filesystem::path& file) { return lower_case_extension(file) == ".gz"; }

MeshFormat resolve_format(const std::filesystem::path& file, MeshFormat asked) {
  if (asked != MeshFormat::automatic) return asked;
  const std::string extension = lower_case_extension(names_gzip(file) ? file.stem() : file);
  for (MeshFormat format : {MeshFormat::obj, MeshFormat::stl, MeshFormat::ply, MeshFormat::off})
    if (extension == std::string(".") + name(format)) return format;
  fail_at_element({{}, file.string()}, "file name", ErrorDetail::none, ErrorCode::unknown_format,
                  "the name does not end with .obj, .stl, .ply or .off (or one of these and .gz); rename the file or "
                  "say its format");
}

}  // namespace io

const char* name(MeshFormat format) {
  switch (format) {
    case MeshFormat::automatic: return "automatic";
    case MeshFormat::obj: return "obj";
    case MeshFormat::stl: return "stl";
    case MeshFormat::ply: return "ply";
    case MeshFormat::off: return "off";
  }
  return "unknown";
}

Mesh load_mesh(const std::filesystem::path& file, MeshFormat format) {
  const std::string name = file.string();
  return io::read_guarded(name, [&] {
    const io::Bytes bytes = io::read_file(file);
    return io::parse(bytes.view(), io::resolve_format(file, format), name);
  });
}

Mesh parse_mesh(std::span<const char> bytes, MeshFormat format, std::string_view name) {
  return io::read_guarded(name, [&] {
    return io::parse({bytes.data(), bytes.size()}, io::resolve_format(std::filesystem::path(name), format), name);
  });
}

}  // namespace graze
