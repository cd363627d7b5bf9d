// SPDX-License-Identifier: MIT
#include <graze/io/height_file.hpp>

#include <limits>
#include <string>

#include "io/file_bytes.hpp"
#include "io/read_guarded.hpp"
#include "io/source.hpp"
#include "io/text_scanner.hpp"

namespace graze {
namespace io {
namespace {

bool is_hole(std::string_view word) { return word == "x" || word == "X" || word == "nan" || word == "NaN"; }

HeightField read_heights(const Source& source) {
  HeightField field;
  TextScanner in(source, {.comments = true});
  while (in.find_word()) {
    std::uint64_t in_row = 0;
    while (!in.at_line_end()) {
      if (is_full(field.heights.size())) in.fail(ErrorCode::too_large, "there are more heights than ids can number");
      TextScanner at = in;
      if (is_hole(at.word())) {
        in = at;
        field.heights.push_back(std::numeric_limits<double>::quiet_NaN());
      } else {
        field.heights.push_back(in.coordinate("the height (nan or x where there is no ground)"));
      }
      ++in_row;
    }
    if (field.rows == 0) field.columns = static_cast<std::uint32_t>(in_row);
    if (in_row != field.columns)
      in.fail(ErrorCode::bad_file, "this row has " + std::to_string(in_row) + " heights, and the first has " +
                                       std::to_string(field.columns));
    ++field.rows;
  }
  if (field.rows < 2 || field.columns < 2)
    in.fail(ErrorCode::bad_file, "a height field needs at least two rows of at least two heights");
  return field;
}

}  // namespace
}  // namespace io

HeightField load_heights(const std::filesystem::path& file) {
  const io::Bytes bytes = io::read_file(file);
  return io::read_unpacked(bytes.view(), file.string(), io::read_heights);
}

HeightField parse_heights(std::span<const char> bytes, std::string_view name) {
  return io::read_unpacked({bytes.data(), bytes.size()}, name, io::read_heights);
}

}  // namespace graze
