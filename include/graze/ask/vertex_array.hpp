// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

#include <graze/core/export.hpp>
#include <graze/math/vec3.hpp>

namespace graze {

/// Distances in bytes between the numbers of a `VertexArray`: from a vertex to the next one, and from a coordinate to
/// the next one of the same vertex.
struct VertexStrides {
  std::size_t vertex, component;
};

/// A view of vertices in the caller's memory, in single or double precision. Bytes in between are not read. Examples,
/// for n vertices:
///
///   VertexArray(xyz, n)                                              x y z x y z ...: a row-major n x 3 matrix
///   VertexArray(&v[0].x, n, sizeof(v[0]))                            a member of a larger struct
///   VertexArray(m, n, {.vertex = sizeof(double), .component = n * sizeof(double)})   a column-major n x 3 matrix
///   VertexArray(x, y, z, n)                                          three arrays
///
/// `graze/eigen.hpp` makes one from a matrix. Throws `Error` (bad_option): strides by which coordinates overlap, or
/// vertices at a null pointer.
class GRAZE_API VertexArray {
 public:
  VertexArray(const double* first, std::size_t count, std::size_t stride = 3 * sizeof(double));
  VertexArray(const float* first, std::size_t count, std::size_t stride = 3 * sizeof(float));
  VertexArray(const double* first, std::size_t count, VertexStrides strides);
  VertexArray(const float* first, std::size_t count, VertexStrides strides);
  VertexArray(const double* x, const double* y, const double* z, std::size_t count);
  VertexArray(const float* x, const float* y, const float* z, std::size_t count);

  std::size_t size() const { return count_; }
  Vec3 operator[](std::size_t i) const;

 private:
  std::array<const unsigned char*, 3> first_;
  std::size_t count_, stride_;
  bool single_;
};

}  // namespace graze
