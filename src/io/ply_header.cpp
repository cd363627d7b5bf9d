// SPDX-License-Identifier: MIT
#include "io/ply_header.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace graze::io {
namespace {

constexpr std::array<std::pair<std::string_view, PlyType>, 16> type_names = {{
    {"char", PlyType::int8},
    {"int8", PlyType::int8},
    {"uchar", PlyType::uint8},
    {"uint8", PlyType::uint8},
    {"short", PlyType::int16},
    {"int16", PlyType::int16},
    {"ushort", PlyType::uint16},
    {"uint16", PlyType::uint16},
    {"int", PlyType::int32},
    {"int32", PlyType::int32},
    {"uint", PlyType::uint32},
    {"uint32", PlyType::uint32},
    {"float", PlyType::float32},
    {"float32", PlyType::float32},
    {"double", PlyType::float64},
    {"float64", PlyType::float64},
}};

/// The header is always text, but arbitrary bytes may follow: its lines are extracted here, one by one, and the bytes
/// after the newline of "end_header" are the data. The first line determines the line ending, since data may begin with
/// any byte.
class HeaderReader {
 public:
  explicit HeaderReader(const Source& source) : source_(source) {}

  PlyHeader read() {
    first_line();
    next_line();
    format();
    while (next_line()) {
      const std::string_view keyword = word();
      if (keyword == "end_header") {
        expect_end();
        header_.data_offset = offset_;
        header_.data_line = line_ + 1;
        return std::move(header_);
      }
      if (keyword == "comment" || keyword == "obj_info" || keyword.empty()) continue;
      if (keyword == "element") {
        element();
      } else if (keyword == "property") {
        property();
      } else {
        fail("expected element, property, comment, obj_info or end_header, found " + in_quotes(keyword));
      }
    }
    fail("the file ends within the header; it is cut off, or end_header is missing");
  }

 private:
  void first_line() {
    const std::string_view text = source_.bytes;
    for (std::string_view ending : {"\n", "\r\n", "\r"}) {
      if (text.substr(0, 3) != "ply" || text.substr(3, ending.size()) != ending) continue;
      ending_ = ending;
      offset_ = 3 + ending.size();
      return;
    }
    fail("expected a first line 'ply', found " + in_quotes(text.substr(0, text.find_first_of("\r\n"))) +
         "; is this a PLY file?");
  }

  bool next_line() {
    if (offset_ >= source_.bytes.size()) return false;
    ++line_;
    const std::size_t end = source_.bytes.find(ending_, offset_);
    if (end == std::string_view::npos) fail("the file ends within the header; it is cut off, or end_header is missing");
    rest_ = source_.bytes.substr(offset_, end - offset_);
    offset_ = end + ending_.size();
    return true;
  }

  std::string_view word() {
    constexpr std::string_view blanks = " \t\r";
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
    const std::string_view found = rest_.substr(0, rest_.find_first_of(blanks));
    rest_.remove_prefix(found.size());
    return found;
  }

  void expect_end() {
    const std::string_view extra = word();
    if (!extra.empty()) fail("found " + in_quotes(extra) + " where the line should end; remove it");
  }

  void format() {
    std::string_view keyword = word();
    while (keyword == "comment" || keyword == "obj_info") {
      if (!next_line()) break;
      keyword = word();
    }
    if (keyword != "format") fail("expected the line 'format ...' after 'ply', found " + in_quotes(keyword));
    const std::string_view encoding = word();
    if (encoding == "ascii") {
      header_.encoding = PlyEncoding::ascii;
    } else if (encoding == "binary_little_endian") {
      header_.encoding = PlyEncoding::little_endian;
    } else if (encoding == "binary_big_endian") {
      header_.encoding = PlyEncoding::big_endian;
    } else {
      fail("the format must be ascii, binary_little_endian or binary_big_endian, found " + in_quotes(encoding));
    }
    const std::string_view version = word();
    if (version != "1.0") fail("only version 1.0 of PLY exists, found " + in_quotes(version));
    expect_end();
  }

  void element() {
    PlyElement element;
    element.name = word();
    if (element.name.empty()) fail("expected 'element NAME COUNT', found no name");
    if ((element.name == "vertex" || element.name == "face") && header_.find(element.name))
      fail("element " + in_quotes(element.name) + " is declared twice; keep one");
    const std::string_view count = word();
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), element.count);
    if (error != std::errc() || end != count.data() + count.size())
      fail("expected how many elements " + in_quotes(element.name) + " there are, found " + in_quotes(count));
    expect_end();
    element.line = line_;
    header_.elements.push_back(std::move(element));
  }

  void property() {
    if (header_.elements.empty()) fail("a property must follow the element that it belongs to");
    PlyElement& element = header_.elements.back();
    PlyProperty property;
    std::string_view type = word();
    if (type == "list") {
      property.is_list = true;
      property.count_type = type_named(word());
      if (!is_integer(property.count_type)) fail("the length of a list must have a whole number type such as uchar");
      type = word();
    }
    property.type = type_named(type);
    property.name = word();
    if (property.name.empty()) fail("expected 'property TYPE NAME', found no name");
    // Only names that are looked up need to be unique; comparing all names would take quadratic time for a malicious
    // header.
    for (std::string_view used : {"x", "y", "z", "vertex_indices", "vertex_index"})
      if (property.name == used && element.find(used) != PlyElement::npos)
        fail("property " + in_quotes(property.name) + " is declared twice; keep one");
    expect_end();
    element.properties.push_back(std::move(property));
  }

  PlyType type_named(std::string_view name) const {
    for (const auto& [known, type] : type_names)
      if (known == name) return type;
    fail("expected a type (char, uchar, short, ushort, int, uint, float, double, or int8 to float64), found " +
         in_quotes(name));
  }

  [[noreturn]] void fail(std::string message) const {
    // Most error messages state what was expected; the advice is then the same.
    if (message.find(';') == std::string::npos) message += "; correct the header";
    fail_at_line(source_, line_, ErrorCode::bad_file, std::move(message));
  }

  Source source_;
  PlyHeader header_;
  std::string_view ending_, rest_;
  std::size_t offset_ = 0;
  std::uint64_t line_ = 1;
};

}  // namespace

std::size_t size_of(PlyType type) {
  switch (type) {
    case PlyType::int8:
    case PlyType::uint8: return 1;
    case PlyType::int16:
    case PlyType::uint16: return 2;
    case PlyType::int32:
    case PlyType::uint32:
    case PlyType::float32: return 4;
    case PlyType::float64: return 8;
  }
  return 0;
}

std::size_t PlyElement::find(std::string_view property) const {
  const auto found =
      std::find_if(properties.begin(), properties.end(), [&](const PlyProperty& p) { return p.name == property; });
  return found == properties.end() ? npos : static_cast<std::size_t>(found - properties.begin());
}

std::size_t PlyElement::least_bytes(PlyEncoding encoding) const {
  std::size_t bytes = 0;
  for (const PlyProperty& property : properties) {
    if (encoding == PlyEncoding::ascii) {
      bytes += 2;  // a digit and its separator
    } else {
      bytes += size_of(property.is_list ? property.count_type : property.type);
    }
  }
  return bytes;
}

bool PlyElement::has_list() const {
  return std::any_of(properties.begin(), properties.end(), [](const PlyProperty& p) { return p.is_list; });
}

const PlyElement* PlyHeader::find(std::string_view element) const {
  for (const PlyElement& candidate : elements)
    if (candidate.name == element) return &candidate;
  return nullptr;
}

PlyHeader read_ply_header(const Source& source) { return HeaderReader(source).read(); }

}  // namespace graze::io
