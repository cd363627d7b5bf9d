// SPDX-License-Identifier: MIT
#include <string>
#include <utility>

#include <graze/core/error.hpp>
#include <graze/io/mesh_file.hpp>

#include "core/fp_guard.hpp"
#include "io/mesh_format.hpp"
#include "io/writers.hpp"

namespace graze {
namespace {

void check_encoding(MeshFormat format, SaveOptions::Encoding encoding, const std::string& file) {
  using Encoding = SaveOptions::Encoding;
  const bool good = encoding == Encoding::text || format == MeshFormat::ply ||
                    (format == MeshFormat::stl && encoding == Encoding::binary_little_endian);
  if (good) return;
  ErrorDetail detail;
  detail.code = ErrorCode::bad_option;
  detail.element = "option encoding";
  detail.file = file;
  detail.message =
      std::string(name(format)) +
      " cannot be written in this encoding; only PLY (both orders) and STL (little endian) have binary forms";
  throw Error(std::move(detail));
}

/// Nothing is left out silently.
void check_loose(const Mesh& mesh, MeshFormat format, const std::string& file) {
  const bool good =
      format == MeshFormat::obj || (format == MeshFormat::ply && mesh.points().empty()) || mesh.loose().empty();
  if (good) return;
  ErrorDetail detail;
  detail.code = ErrorCode::bad_option;
  detail.element = "mesh";
  detail.file = file;
  detail.message = std::string(name(format)) +
                   " does not hold all of the mesh's loose edges and points; only OBJ has both, and PLY edges";
  throw Error(std::move(detail));
}

void write(const Mesh& mesh, io::OutputFile& out, MeshFormat format, SaveOptions::Encoding encoding) {
  switch (format) {
    case MeshFormat::obj: return io::write_obj(mesh, out);
    case MeshFormat::stl: return io::write_stl(mesh, out, encoding);
    case MeshFormat::ply: return io::write_ply(mesh, out, encoding);
    case MeshFormat::off: return io::write_off(mesh, out);
    case MeshFormat::automatic: break;  // resolved by the caller
  }
}

}  // namespace

void save_mesh(const Mesh& mesh, const std::filesystem::path& file, const SaveOptions& options) {
  const core::FpGuard guard;
  const MeshFormat format = io::resolve_format(file, options.format);
  check_encoding(format, options.encoding, file.string());
  check_loose(mesh, format, file.string());
  try {
    io::OutputFile out(file, io::names_gzip(file));
    write(mesh, out, format, options.encoding);
    out.finish();
  } catch (const Error& error) {
    ErrorDetail detail = error.detail();
    if (!detail.file.empty()) throw;
    detail.file = file.string();  // a vertex that the format cannot hold
    throw Error(std::move(detail));
  }
}

std::string mesh_bytes(const Mesh& mesh, const SaveOptions& options) {
  const core::FpGuard guard;
  const MeshFormat format = io::resolve_format({}, options.format);
  check_encoding(format, options.encoding, {});
  check_loose(mesh, format, {});
  io::OutputFile out;
  write(mesh, out, format, options.encoding);
  return out.take();
}

}  // namespace graze
