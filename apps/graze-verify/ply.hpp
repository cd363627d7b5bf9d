// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace verify {

/// Reads the bytes of a PLY file, text or binary in either order, value by value. Calls `fail`, which must throw, for
/// anything that it does not understand. A float property in a text file is read as the double that its digits give.
template <class Fail, class ReadNumber>
class Ply {
 public:
  Ply(std::string_view bytes, Fail fail, ReadNumber read_number)
      : bytes_(bytes), fail_(fail), read_number_(read_number) {}

  /// `vertex(x, y, z)` for every vertex, `polygon(corners)` for every face, in the file's order.
  template <class Vertex, class Polygon>
  void read(Vertex&& vertex, Polygon&& polygon) {
    read_header();
    for (const Element& element : elements_)
      for (std::size_t i = 0; i < (element.properties.empty() ? 0 : element.count); ++i)
        read_record(element, vertex, polygon);
    if (binary_ ? at_ != bytes_.size() : !word().empty()) fail_("something follows the last element");
  }

 private:
  struct Type {
    std::size_t size;
    char kind;  ///< i, u or f: signed, unsigned, floating point
  };
  struct Property {
    std::string name;
    Type type;
    bool list;
    Type count;
  };
  struct Element {
    std::string name;
    std::size_t count;
    std::vector<Property> properties;
  };

  std::string_view line() {
    const std::size_t end = bytes_.find_first_of("\r\n", at_);
    if (end == bytes_.npos) fail_("it ends within its header");
    const std::string_view text = bytes_.substr(at_, end - at_);
    // All lines end as the first one does: the data after the header may begin with any byte.
    if (ending_ == 0) ending_ = bytes_.substr(end, 2) == "\r\n" ? 2 : 1;
    at_ = end + std::min<std::size_t>(ending_, bytes_.size() - end);
    return text;
  }
  static std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> all;
    for (std::size_t at = 0; (at = text.find_first_not_of(" \t", at)) != text.npos;) {
      const std::size_t end = std::min(text.find_first_of(" \t", at), text.size());
      all.emplace_back(text.substr(at, end - at));
      at = end;
    }
    return all;
  }
  Type type(const std::string& name) const {
    static const std::map<std::string, Type> types{
        {"char", {1, 'i'}},  {"int8", {1, 'i'}},    {"uchar", {1, 'u'}},  {"uint8", {1, 'u'}},
        {"short", {2, 'i'}}, {"int16", {2, 'i'}},   {"ushort", {2, 'u'}}, {"uint16", {2, 'u'}},
        {"int", {4, 'i'}},   {"int32", {4, 'i'}},   {"uint", {4, 'u'}},   {"uint32", {4, 'u'}},
        {"float", {4, 'f'}}, {"float32", {4, 'f'}}, {"double", {8, 'f'}}, {"float64", {8, 'f'}}};
    const auto found = types.find(name);
    if (found == types.end()) fail_("a type that is not known: " + name);
    return found->second;
  }

  void read_header() {
    if (line() != "ply") fail_("expected ply");
    bool known_format = false;
    for (std::vector<std::string> w = words(line()); w != std::vector<std::string>{"end_header"}; w = words(line())) {
      double count = 0;
      if (w.empty() || w[0] == "comment" || w[0] == "obj_info") continue;
      if (w[0] == "format" && w.size() == 3 && w[2] == "1.0" && !known_format) {
        known_format = true;
        binary_ = w[1] != "ascii";
        swapped_ = w[1] == (std::endian::native == std::endian::little ? "binary_big_endian" : "binary_little_endian");
        if (binary_ && w[1] != "binary_big_endian" && w[1] != "binary_little_endian") fail_("an unknown format");
      } else if (w[0] == "element" && w.size() == 3 && read_number_(w[2], count) && count >= 0 && count < 4e9) {
        elements_.push_back({w[1], static_cast<std::size_t>(count), {}});
      } else if (w[0] == "property" && !elements_.empty() && w.size() == 3) {
        elements_.back().properties.push_back({w[2], type(w[1]), false, {}});
      } else if (w[0] == "property" && !elements_.empty() && w.size() == 5 && w[1] == "list") {
        elements_.back().properties.push_back({w[4], type(w[3]), true, type(w[2])});
      } else {
        fail_("a line of the header that is not understood: " + w[0]);
      }
    }
    if (!known_format) fail_("there is no format");
    for (const char* name : {"vertex", "face"})
      if (std::count_if(elements_.begin(), elements_.end(), [&](const Element& e) { return e.name == name; }) != 1)
        fail_(std::string("there must be one element ") + name);
  }

  template <class Vertex, class Polygon>
  void read_record(const Element& element, Vertex& vertex, Polygon& polygon) {
    double place[3] = {};
    unsigned known = 0;
    std::vector<double> corners;
    for (const Property& p : element.properties) {
      const bool vertices = element.name == "face" && (p.name == "vertex_indices" || p.name == "vertex_index");
      const double count = p.list ? value(p.count) : 1;
      if (!(count >= 0 && count == static_cast<double>(static_cast<std::uint64_t>(count))))
        fail_("no length of a list");
      for (double i = 0; i < count; ++i) {
        const double x = value(p.type);
        if (vertices && p.list) corners.push_back(x);
        for (unsigned k = 0; k < 3; ++k)
          if (element.name == "vertex" && !p.list && p.name.size() == 1 && p.name[0] == "xyz"[k]) {
            place[k] = x;
            known |= 1u << k;
          }
      }
    }
    if (element.name == "vertex") known == 7 ? vertex(place[0], place[1], place[2]) : fail_("a vertex without x, y, z");
    if (element.name == "face") polygon(corners);
  }

  std::string_view word() {
    at_ = std::min(bytes_.find_first_not_of(" \t\r\n", at_), bytes_.size());
    const std::size_t end = std::min(bytes_.find_first_of(" \t\r\n", at_), bytes_.size());
    const std::string_view text = bytes_.substr(at_, end - at_);
    at_ = end;
    return text;
  }
  double value(const Type& type) {
    double number = 0;
    if (!binary_) {
      if (!read_number_(word(), number)) fail_("expected a finite number");
      return number;
    }
    if (bytes_.size() - at_ < type.size) fail_("it ends too early");
    unsigned char raw[8] = {};
    for (std::size_t i = 0; i < type.size; ++i)
      raw[i] = static_cast<unsigned char>(bytes_[at_ + (swapped_ ? type.size - 1 - i : i)]);
    at_ += type.size;
    const auto as = [&]<class T>(T x) {
      std::memcpy(&x, raw, sizeof x);
      return static_cast<double>(x);
    };
    if (type.kind == 'f') return type.size == 4 ? as(float{}) : as(double{});
    if (type.kind == 'i')
      return type.size == 1 ? as(std::int8_t{}) : type.size == 2 ? as(std::int16_t{}) : as(std::int32_t{});
    return type.size == 1 ? as(std::uint8_t{}) : type.size == 2 ? as(std::uint16_t{}) : as(std::uint32_t{});
  }

  std::string_view bytes_;
  Fail fail_;
  ReadNumber read_number_;
  std::size_t at_ = 0, ending_ = 0;
  bool binary_ = false, swapped_ = false;
  std::vector<Element> elements_;
};

}  // namespace verify
