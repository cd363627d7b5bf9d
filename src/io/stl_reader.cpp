// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "io/text_scanner.hpp"

#include <graze/core/portability.hpp>

namespace graze::io {
namespace {

constexpr std::size_t header_bytes = 84;  // 80 of any content, then the number of facets
constexpr std::size_t facet_bytes = 50;   // normal, three corners (12 floats), two bytes of attributes

std::uint32_t little_endian_32(const char* bytes) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// STL has no shared vertices: vertex 3 f + k is corner k of facet f.
void add_facet(MeshParts& parts, const Vec3 (&corners)[3]) {
  for (const Vec3& corner : corners) {
    parts.polygons.corners.push_back(static_cast<std::uint32_t>(parts.positions.size()));
    parts.positions.push_back(corner);
  }
  parts.polygons.first.push_back(static_cast<std::uint32_t>(parts.positions.size()));
}

class BinaryStlReader {
 public:
  explicit BinaryStlReader(const Source& source) : source_(source) {}

  MeshParts read() {
    const std::size_t count = facet_count();
    MeshParts parts;
    parts.positions.reserve(3 * count);
    parts.polygons.corners.reserve(3 * count);
    parts.polygons.first.reserve(count + 1);
    for (std::size_t i = 0; i < count; ++i) {
      const char* facet = source_.bytes.data() + header_bytes + i * facet_bytes;
      Vec3 corners[3];
      for (int k = 0; k < 9; ++k)
        corners[k / 3][k % 3] = coordinate(facet + 12 + 4 * k, 3 * i + static_cast<std::size_t>(k) / 3);
      add_facet(parts, corners);
    }
    return parts;
  }

 private:
  /// The number of facets in the header, if the file has exactly that many.
  std::size_t facet_count() const {
    const std::size_t size = source_.bytes.size();
    if (size < header_bytes)
      fail_at_element(source_, "header", 0, ErrorCode::bad_file,
                      "a binary STL file begins with 84 bytes, this one has only " + std::to_string(size) +
                          " and is not text STL either; it is cut off, or is no STL file");
    const std::uint64_t promised = little_endian_32(source_.bytes.data() + 80);
    const std::uint64_t present = (size - header_bytes) / facet_bytes;
    const std::uint64_t spare = (size - header_bytes) % facet_bytes;
    if (promised != present || spare != 0)
      fail_at_element(
          source_, "facet", std::min(promised, present), ErrorCode::bad_file,
          "the header promises " + std::to_string(promised) + " facets, but " + std::to_string(present) +
              " facets and " + std::to_string(spare) +
              " more bytes are present; the file is cut off or was changed in transfer, or its counter is wrong "
              "and must be corrected (or this is no STL file)");
    if (promised == 0)
      fail_at_element(source_, "facet", 0, ErrorCode::empty_mesh, "the file has no facets; a body needs at least one");
    if (is_full(3 * promised))
      fail_at_element(source_, "facet", 0xFFFFFFFFu / 3, ErrorCode::too_large,
                      "more vertices than 32-bit ids can name; split the model");
    return promised;
  }

  double coordinate(const char* bytes, std::size_t vertex) const {
    const float value = core::bit_cast<float>(little_endian_32(bytes));
    if (!std::isfinite(value))
      fail_at_element(source_, "vertex", vertex, ErrorCode::not_finite,
                      "a coordinate of corner " + std::to_string(vertex % 3) + " of facet " +
                          std::to_string(vertex / 3) + " is not finite; repair or remove the facet");
    return value;
  }

  Source source_;
};

class TextStlReader {
 public:
  explicit TextStlReader(const Source& source) : text_(source, {}) {}

  MeshParts read() {
    // One file may contain several solids in sequence: they form one body here.
    do solid();
    while (text_.find_word());
    if (parts_.positions.empty())
      text_.fail(ErrorCode::empty_mesh, "the file ends without any facet; a body needs at least one");
    return std::move(parts_);
  }

 private:
  void solid() {
    expect("solid");
    text_.next_line();  // the name, which may have any number of words
    for (;;) {
      if (!text_.find_word())
        text_.fail(ErrorCode::bad_file,
                   "the file ends after " + std::to_string(parts_.polygons.size()) +
                       " facets without 'endsolid'; it is cut off: get a complete copy, or add the line");
      const std::string_view keyword = text_.word();
      if (same(keyword, "endsolid")) return text_.next_line();
      if (!same(keyword, "facet"))
        text_.fail(ErrorCode::bad_file,
                   "expected 'facet' or 'endsolid', found " + in_quotes(keyword) + "; correct or remove the line");
      facet();
    }
  }

  void facet() {
    if (is_full(parts_.positions.size() + 3))
      text_.fail(ErrorCode::too_large, "more vertices than 32-bit ids can name; split the model");
    expect("normal");
    for (int i = 0; i < 3; ++i) text_.skip_number("3 numbers of the facet's normal");
    expect("outer");
    expect("loop");
    Vec3 corners[3];
    for (Vec3& corner : corners) {
      expect("vertex");
      corner.x = text_.coordinate("the x coordinate");
      corner.y = text_.coordinate("the y coordinate");
      corner.z = text_.coordinate("the z coordinate");
    }
    expect("endloop");
    expect("endfacet");
    add_facet(parts_, corners);
  }

  void expect(std::string_view keyword) {
    if (!text_.find_word()) text_.fail_missing(in_quotes(keyword));
    const std::string_view found = text_.word();
    if (same(found, keyword)) return;
    std::string message = "expected " + in_quotes(keyword) + ", found " + in_quotes(found);
    if (keyword == "solid") message += "; is this an STL file?";
    if (keyword == "vertex" || keyword == "endloop") message += "; every facet of STL has exactly 3 vertices";
    text_.fail(ErrorCode::bad_file, message);
  }

  /// Some programs write keywords in upper case.
  static bool same(std::string_view found, std::string_view keyword) {
    return std::equal(found.begin(), found.end(), keyword.begin(), keyword.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
  }

  TextScanner text_;
  MeshParts parts_;
};

/// A binary file may begin with "solid", so the size is checked first. A text file whose bytes 80 to 83 match by chance
/// would be gigabytes long, as they encode at least 0x09090909 facets.
bool is_binary(std::string_view bytes) {
  if (bytes.size() >= header_bytes) {
    const std::uint64_t facets = little_endian_32(bytes.data() + 80);
    if (bytes.size() == header_bytes + facets * facet_bytes) return true;
  }
  // Neither matches: a broken file of either kind. Text has no control characters, and every binary header or facet has
  // some.
  const std::string_view start = bytes.substr(0, 1024);
  return std::any_of(start.begin(), start.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\v' && c != '\f';
  });
}

}  // namespace

MeshParts read_stl(const Source& source) {
  if (is_binary(source.bytes)) return BinaryStlReader(source).read();
  return TextStlReader(source).read();
}

}  // namespace graze::io
