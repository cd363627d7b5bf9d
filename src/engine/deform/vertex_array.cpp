// SPDX-License-Identifier: MIT
#include <graze/ask/vertex_array.hpp>

#include <cstring>
#include <limits>
#include <string>

#include "core/refusal.hpp"

namespace graze {

namespace {

using Bytes = std::array<const unsigned char*, 3>;

void refuse(const std::string& message) {
  core::throw_if(core::problem(ErrorCode::bad_option, "vertex array", message));
}

/// No two coordinates overlap if all of a vertex are before the next vertex, or all x before the first y.
void check_strides(std::size_t count, std::size_t size, const VertexStrides& s) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 4;
  const bool one = count <= 1;
  const bool by_vertex = s.component >= size && s.component < most && (one || s.vertex >= 2 * s.component + size);
  const bool by_component =
      s.vertex >= size && s.component >= size && !one && (s.component - size) / s.vertex >= count - 1;
  if (count > 0 && !by_vertex && !by_component)
    refuse("coordinates would overlap: " + std::to_string(count) + " vertices of three numbers of " +
           std::to_string(size) + " bytes, " + std::to_string(s.vertex) + " bytes from a vertex to the next and " +
           std::to_string(s.component) + " from a coordinate to the next");
}

void check_pointers(const Bytes& first, std::size_t count) {
  if (count > 0 && !(first[0] && first[1] && first[2])) refuse("the pointer to the first vertex is null");
}

template <class Scalar>
Bytes with_strides(const Scalar* first, std::size_t count, const VertexStrides& s) {
  check_strides(count, sizeof(Scalar), s);
  const auto* const x = reinterpret_cast<const unsigned char*>(first);
  Bytes bytes{x, x, x};
  check_pointers(bytes, count);
  if (count > 0) bytes = {x, x + s.component, x + 2 * s.component};
  return bytes;
}

template <class Scalar>
Bytes separate(const Scalar* x, const Scalar* y, const Scalar* z, std::size_t count) {
  const Bytes bytes{reinterpret_cast<const unsigned char*>(x), reinterpret_cast<const unsigned char*>(y),
                    reinterpret_cast<const unsigned char*>(z)};
  check_pointers(bytes, count);
  return bytes;
}

template <class Scalar>
double number_at(const unsigned char* at) {
  Scalar x;
  std::memcpy(&x, at, sizeof x);
  return x;
}

}  // namespace

VertexArray::VertexArray(const double* first, std::size_t count, std::size_t stride)
    : VertexArray(first, count, VertexStrides{stride, sizeof(double)}) {}
VertexArray::VertexArray(const float* first, std::size_t count, std::size_t stride)
    : VertexArray(first, count, VertexStrides{stride, sizeof(float)}) {}
VertexArray::VertexArray(const double* first, std::size_t count, VertexStrides strides)
    : first_(with_strides(first, count, strides)), count_(count), stride_(strides.vertex), single_(false) {}
VertexArray::VertexArray(const float* first, std::size_t count, VertexStrides strides)
    : first_(with_strides(first, count, strides)), count_(count), stride_(strides.vertex), single_(true) {}
VertexArray::VertexArray(const double* x, const double* y, const double* z, std::size_t count)
    : first_(separate(x, y, z, count)), count_(count), stride_(sizeof(double)), single_(false) {}
VertexArray::VertexArray(const float* x, const float* y, const float* z, std::size_t count)
    : first_(separate(x, y, z, count)), count_(count), stride_(sizeof(float)), single_(true) {}

Vec3 VertexArray::operator[](std::size_t i) const {
  const std::size_t at = i * stride_;
  const auto number = [&](int k) {
    const unsigned char* const from = first_[static_cast<std::size_t>(k)] + at;
    return single_ ? number_at<float>(from) : number_at<double>(from);
  };
  return {number(0), number(1), number(2)};
}

}  // namespace graze
