// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <graze/math/vec3.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze::fuzz {

/// Reads a fuzzer's bytes in order; zeros after the end.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool more() const { return at_ < size_; }
  std::uint8_t byte() { return at_ < size_ ? data_[at_++] : std::uint8_t{0}; }
  double any_double() {
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8 | byte();
    double x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

/// Converts bytes to numbers, with the distribution that a target chooses: `number(Bytes&)`.
template <double (*number_of)(Bytes&)>
class Numbers : public Bytes {
 public:
  using Bytes::Bytes;
  double number() { return number_of(*this); }
  Vec3 vector() {
    const double x = number(), y = number(), z = number();
    return {x, y, z};
  }
};

/// Small integers, which give exact contacts: from -reach to reach.
inline double small_whole(std::uint8_t byte, int reach) { return byte % (2 * reach + 1) - reach; }

struct MeshLimits {
  int least_vertices = 3, vertices = 6;  ///< this many, or up to `vertices` - 1 more
  int polygons = 4;
  unsigned corners = 3;  ///< 3, or up to `corners` - 1 more
};

/// A mesh of a few polygons; throws `Error` if the numbers do not give a valid one.
template <class Input>
Mesh mesh(Input& in, const MeshLimits& limits) {
  std::vector<Vec3> positions;
  const int vertices = limits.least_vertices + in.byte() % limits.vertices;
  for (int i = 0; i < vertices; ++i) positions.push_back(in.vector());
  PolygonList polygons;
  const int count = 1 + in.byte() % limits.polygons;
  for (int p = 0; p < count; ++p) {
    std::vector<std::uint32_t> corners(3u + in.byte() % limits.corners);
    for (std::uint32_t& c : corners) c = in.byte() % static_cast<std::uint32_t>(vertices);
    polygons.add(corners);
  }
  return Mesh(positions, polygons);
}

inline void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace graze::fuzz
