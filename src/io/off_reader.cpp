// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "io/text_scanner.hpp"

namespace graze::io {
namespace {

class OffReader {
 public:
  explicit OffReader(const Source& source) : text_(source, {.comments = true}) {}

  MeshParts read() {
    header();
    const std::uint64_t vertices = counts_[0], polygons = counts_[1];
    // Each vertex line has at least 6 bytes: a header count beyond that cannot be true.
    parts_.positions.reserve(std::min<std::uint64_t>(vertices, text_.bytes_left() / 6 + 1));
    for (std::uint64_t i = 0; i < vertices; ++i) vertex(i);
    parts_.polygons.first.reserve(std::min<std::uint64_t>(polygons, text_.bytes_left() / 8 + 1) + 1);
    for (std::uint64_t i = 0; i < polygons; ++i) polygon(i);
    if (text_.find_word())
      text_.fail(ErrorCode::bad_file, "found " + in_quotes(text_.word()) + " after the last of the " +
                                          std::to_string(polygons) +
                                          " polygons; correct the counts in the header, or remove it");
    if (polygons == 0) text_.fail(ErrorCode::empty_mesh, "the header promises 0 polygons; a body needs at least one");
    return std::move(parts_);
  }

 private:
  /// [ST][C][N]OFF, then the counts of vertices, polygons and edges. The edge count is optional and often wrong, so it
  /// is not used.
  void header() {
    text_.find_word();
    const std::string_view keyword = text_.word();
    std::string_view rest = keyword;
    for (std::string_view prefix : {"ST", "C", "N"}) {
      if (rest.substr(0, prefix.size()) != prefix) continue;
      rest.remove_prefix(prefix.size());
      has_extras_ = true;
    }
    if (rest == "4OFF" || rest == "nOFF" || rest == "4nOFF")
      text_.fail(ErrorCode::bad_file,
                 in_quotes(keyword) + " has coordinates that are not three-dimensional; write it as OFF");
    if (rest != "OFF")
      text_.fail(ErrorCode::bad_file, "expected OFF (or COFF, NOFF, CNOFF, STOFF) as the first word, found " +
                                          in_quotes(keyword) + "; is this an OFF file?");
    if (!text_.find_word()) text_.fail_missing("the counts of vertices and polygons");
    for (std::uint64_t& count : counts_) {
      const bool edges = &count == &counts_[2];
      if (edges && text_.at_line_end()) break;
      count = read_count(edges                   ? "the count of edges"
                         : &count == &counts_[0] ? "the count of vertices"
                                                 : "the count of polygons");
    }
    text_.expect_line_end();
  }

  std::uint64_t read_count(std::string_view what) {
    if (TextScanner(text_).word() == "BINARY")
      text_.fail(ErrorCode::bad_file, "binary OFF is not read; write the model as text OFF or as binary PLY");
    const std::int64_t count = text_.integer(what);
    if (count < 0) text_.fail(ErrorCode::bad_file, std::string(what) + " is negative; correct the header");
    return static_cast<std::uint64_t>(count);
  }

  void expect_element(const char* kind, std::uint64_t i, std::uint64_t promised) {
    if (text_.find_word()) return;
    text_.fail(ErrorCode::bad_file, "the file ends after " + std::to_string(i) + " of the " + std::to_string(promised) +
                                        " " + kind +
                                        " that its header promises; it is cut off, or the header is wrong");
  }

  void vertex(std::uint64_t i) {
    expect_element("vertices", i, counts_[0]);
    if (is_full(parts_.positions.size()))
      text_.fail(ErrorCode::too_large, "more vertices than 32-bit ids can name; split the model");
    const double x = text_.coordinate("the x coordinate");
    const double y = text_.coordinate("the y coordinate");
    const double z = text_.coordinate("the z coordinate");
    parts_.positions.push_back({x, y, z});
    if (has_extras_) {  // normals, colours and texture coordinates follow the position in every variant
      for (int extra = 0; extra < 9 && !text_.at_line_end(); ++extra)
        text_.skip_number("a normal, colour or texture value");
    }
    text_.expect_line_end();
  }

  void polygon(std::uint64_t i) {
    expect_element("polygons", i, counts_[1]);
    const std::int64_t count = text_.integer("the polygon's count of corners");
    if (count < 3)
      text_.fail(ErrorCode::bad_polygon, "a polygon needs at least 3 corners, found " + std::to_string(count) +
                                             "; remove the polygon or complete it");
    auto& [corners, first] = parts_.polygons;
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t id = text_.integer("a vertex id");
      if (id < 0 || static_cast<std::uint64_t>(id) >= parts_.positions.size())
        text_.fail(ErrorCode::index_out_of_range, "vertex " + std::to_string(id) +
                                                      " does not exist; ids go from 0 to " +
                                                      std::to_string(parts_.positions.size()) + " - 1");
      if (is_full(corners.size()))
        text_.fail(ErrorCode::too_large, "more polygon corners than 32-bit ids can name; split the model");
      corners.push_back(static_cast<std::uint32_t>(id));
    }
    first.push_back(static_cast<std::uint32_t>(corners.size()));
    // A colour: nothing, an index into a colour map, 3 or 4 values.
    for (int extra = 0; extra < 4 && !text_.at_line_end(); ++extra) text_.skip_number("a colour value");
    text_.expect_line_end();
  }

  TextScanner text_;
  bool has_extras_ = false;
  std::uint64_t counts_[3] = {0, 0, 0};
  MeshParts parts_;
};

}  // namespace

MeshParts read_off(const Source& source) { return OffReader(source).read(); }

}  // namespace graze::io
