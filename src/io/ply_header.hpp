// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/source.hpp"

namespace graze::io {

enum class PlyEncoding { ascii, little_endian, big_endian };
enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

std::size_t size_of(PlyType type);
inline bool is_integer(PlyType type) { return type != PlyType::float32 && type != PlyType::float64; }

struct PlyProperty {
  std::string name;
  PlyType type;  ///< of the value, or of a list's items
  bool is_list = false;
  PlyType count_type = PlyType::uint8;  ///< of a list's length
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;  ///< as declared: never trust it
  std::uint64_t line = 0;   ///< where the header declares it
  std::vector<PlyProperty> properties;

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  std::size_t find(std::string_view property) const;
  /// The minimum size of a record in bytes in this encoding.
  std::size_t least_bytes(PlyEncoding encoding) const;
  bool has_list() const;
};

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::ascii;
  std::vector<PlyElement> elements;
  std::size_t data_offset = 0;
  std::uint64_t data_line = 0;

  const PlyElement* find(std::string_view element) const;
};

PlyHeader read_ply_header(const Source& source);

}  // namespace graze::io
