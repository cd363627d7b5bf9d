// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "io/ply_header.hpp"
#include "io/text_scanner.hpp"

namespace graze::io {

// The records of a PLY file, value by value. Both classes have the same members, so that the reader is written only
// once.

/// Text: one record per line.
class TextPlyValues {
 public:
  TextPlyValues(const Source& source, const PlyHeader& header)
      : text_(source, {}, header.data_offset, header.data_line) {}

  std::size_t bytes_left() const { return text_.bytes_left(); }
  void begin_record(const PlyElement& element, std::uint64_t id) {
    if (!text_.find_word())
      text_.fail(ErrorCode::bad_file, "the file ends after " + std::to_string(id) + " of the " +
                                          std::to_string(element.count) + " elements " + in_quotes(element.name) +
                                          " that its header promises; it is cut off, or the header is wrong");
  }
  void end_record() { text_.expect_line_end(); }
  /// False: the records must be read one by one.
  bool skip_records(const PlyElement&) { return false; }
  void expect_end() {
    if (text_.find_word())
      text_.fail(ErrorCode::bad_file,
                 "found " + in_quotes(text_.word()) +
                     " after the last element that the header promises; correct the header, or remove it");
  }

  double coordinate(PlyType type) {
    if (is_integer(type)) return static_cast<double>(integer(type));
    return text_.coordinate("a coordinate");
  }
  std::int64_t integer(PlyType type) {
    const std::int64_t value = text_.integer("a whole number");
    const auto bits = static_cast<int>(8 * size_of(type));
    const bool is_signed = type == PlyType::int8 || type == PlyType::int16 || type == PlyType::int32;
    const std::int64_t least = is_signed ? -(std::int64_t{1} << (bits - 1)) : 0;
    const std::int64_t most = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
    if (value < least || value > most)
      text_.fail(ErrorCode::bad_file, std::to_string(value) + " does not fit the type that the header declares (" +
                                          std::to_string(least) + " to " + std::to_string(most) +
                                          "); correct it, or the type");
    return value;
  }
  void skip(PlyType, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) text_.skip_number("a number");
  }
  [[noreturn]] void fail(ErrorCode code, std::string message) const { text_.fail(code, std::move(message)); }

 private:
  TextScanner text_;
};

/// Binary, in either byte order.
template <std::endian order>
class BinaryPlyValues {
 public:
  BinaryPlyValues(const Source& source, const PlyHeader& header)
      : source_(source),
        at_(source.bytes.data() + header.data_offset),
        end_(source.bytes.data() + source.bytes.size()) {}

  std::size_t bytes_left() const { return static_cast<std::size_t>(end_ - at_); }
  void begin_record(const PlyElement& element, std::uint64_t id) {
    element_ = &element;
    id_ = id;
  }
  void end_record() {}
  /// Skips all records of an element at once, if all have the same size.
  bool skip_records(const PlyElement& element) {
    if (element.has_list()) return false;
    const std::size_t size = element.least_bytes(PlyEncoding::little_endian);
    if (size == 0) return true;
    begin_record(element, bytes_left() / size);
    if (element.count > bytes_left() / size) fail_cut_off();
    at_ += element.count * size;
    return true;
  }
  void expect_end() const {
    if (at_ == end_) return;
    fail_at_element(source_, "byte", source_.bytes.size() - bytes_left(), ErrorCode::bad_file,
                    std::to_string(bytes_left()) +
                        " bytes follow the last element that the header promises; the header is wrong, "
                        "or the file was changed in transfer");
  }

  double coordinate(PlyType type) {
    double value = 0;
    if (type == PlyType::float32) {
      value = read<float>();
    } else if (type == PlyType::float64) {
      value = read<double>();
    } else {
      return static_cast<double>(integer(type));
    }
    if (!std::isfinite(value))
      fail(ErrorCode::not_finite, "a coordinate is not finite; repair or remove this element and what uses it");
    return value;
  }
  std::int64_t integer(PlyType type) {
    switch (type) {
      case PlyType::int8: return read<std::int8_t>();
      case PlyType::uint8: return read<std::uint8_t>();
      case PlyType::int16: return read<std::int16_t>();
      case PlyType::uint16: return read<std::uint16_t>();
      case PlyType::int32: return read<std::int32_t>();
      default: return read<std::uint32_t>();
    }
  }
  void skip(PlyType type, std::uint64_t count) {
    if (count > bytes_left() / size_of(type)) fail_cut_off();
    at_ += count * size_of(type);
  }
  [[noreturn]] void fail(ErrorCode code, std::string message) const {
    const bool is_face = element_->name == "face";
    std::string element = is_face ? "polygon" : in_quotes(element_->name);
    if (element_->name == "vertex") element = "vertex";
    fail_at_element(source_, element, id_, code, std::move(message));
  }

 private:
  template <class T>
  T read() {
    if (bytes_left() < sizeof(T)) fail_cut_off();
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, at_, sizeof(T));
    at_ += sizeof(T);
    if constexpr (order != std::endian::native) {
      for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
    }
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
  }
  [[noreturn]] void fail_cut_off() const {
    fail(ErrorCode::bad_file, "the file ends within this one of the " + std::to_string(element_->count) +
                                  " elements that the header promises; the file is cut off, or the header is wrong");
  }

  Source source_;
  const char* at_;
  const char* end_;
  const PlyElement* element_ = nullptr;
  std::uint64_t id_ = 0;
};

}  // namespace graze::io
