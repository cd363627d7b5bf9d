// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cstring>

#include "io/writers.hpp"

namespace graze::io {
namespace {

using Encoding = SaveOptions::Encoding;

/// Writes the values of records, as text or in either byte order.
class ValueWriter {
 public:
  ValueWriter(OutputFile& out, Encoding encoding)
      : out_(out),
        text_(encoding == Encoding::text),
        swap_((encoding == Encoding::binary_big_endian) != (std::endian::native == std::endian::big)) {}

  template <class T>
  void value(T value) {
    if (text_) {
      if (!first_) out_ << ' ';
      first_ = false;
      text(value);
      return;
    }
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    if (swap_) std::reverse(bytes, bytes + sizeof(T));
    out_ << std::string_view(bytes, sizeof(T));
  }
  void end_record() {
    if (text_) out_ << '\n';
    first_ = true;
  }

 private:
  void text(double value) { out_ << value; }
  void text(std::uint32_t value) { out_ << value; }
  void text(std::uint8_t value) { out_ << std::uint32_t{value}; }

  OutputFile& out_;
  bool text_, swap_, first_ = true;
};

const char* format_name(Encoding encoding) {
  switch (encoding) {
    case Encoding::text: return "ascii";
    case Encoding::binary_little_endian: return "binary_little_endian";
    case Encoding::binary_big_endian: break;
  }
  return "binary_big_endian";
}

}  // namespace

void write_ply(const Mesh& mesh, OutputFile& out, Encoding encoding) {
  const PolygonList& polygons = mesh.polygons();
  std::size_t most_corners = 0;
  for (std::size_t i = 0; i < polygons.size(); ++i) most_corners = std::max(most_corners, polygons[i].size());
  // The types that every reader supports, unless the mesh exceeds their range.
  const bool short_lists = most_corners <= 0xFF;
  const bool signed_ids = mesh.vertex_count() <= 0x7FFFFFFF;
  out << "ply\nformat " << format_name(encoding) << " 1.0\nelement vertex " << std::uint64_t{mesh.vertex_count()}
      << "\nproperty double x\nproperty double y\nproperty double z\nelement face " << std::uint64_t{polygons.size()}
      << "\nproperty list " << (short_lists ? "uchar" : "uint") << ' ' << (signed_ids ? "int" : "uint")
      << " vertex_indices\n";
  const char* id_type = signed_ids ? "int" : "uint";
  if (!mesh.edges().empty())
    out << "element edge " << std::uint64_t{mesh.edges().size()} << "\nproperty " << id_type << " vertex1\nproperty "
        << id_type << " vertex2\n";
  out << "end_header\n";
  ValueWriter writer(out, encoding);
  for (const Vec3& p : mesh.positions()) {
    for (int k = 0; k < 3; ++k) writer.value(p[k]);
    writer.end_record();
  }
  for (std::size_t i = 0; i < polygons.size(); ++i) {
    const auto count = static_cast<std::uint32_t>(polygons[i].size());
    if (short_lists) {
      writer.value(static_cast<std::uint8_t>(count));
    } else {
      writer.value(count);
    }
    for (std::uint32_t corner : polygons[i]) writer.value(corner);
    writer.end_record();
  }
  for (const auto& edge : mesh.edges()) {
    for (const std::uint32_t v : edge) writer.value(v);
    writer.end_record();
  }
}

}  // namespace graze::io
