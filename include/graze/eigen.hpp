// SPDX-License-Identifier: MIT
// Poses, meshes and views of vertices from Eigen's types. Header only, and not part of graze/graze.hpp: include it
// where Eigen 3.3 or later is at hand. The library itself does not use Eigen.
#pragma once

#include <graze/core/export.hpp>  // first: it says that C++20 is needed

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <graze/ask/vertex_array.hpp>
#include <graze/core/error.hpp>
#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

namespace detail {

[[noreturn]] inline void refuse_matrix(ErrorCode code, std::string element, std::string message,
                                       std::uint64_t id = ErrorDetail::none) {
  ErrorDetail detail;
  detail.code = code;
  detail.element = std::move(element);
  detail.message = std::move(message);
  detail.id = id;
  throw Error(std::move(detail));
}

inline std::string size_text(Eigen::Index rows, Eigen::Index columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

}  // namespace detail

/// From a vector of three numbers, of any scalar type that converts to double without loss (double, float, integers).
template <class Derived>
Vec3 to_vec3(const Eigen::MatrixBase<Derived>& v) {
  if (v.size() != 3)
    detail::refuse_matrix(ErrorCode::bad_option, "vector",
                          "the matrix is " + detail::size_text(v.rows(), v.cols()) + "; a point has three numbers");
  return {static_cast<double>(v(0)), static_cast<double>(v(1)), static_cast<double>(v(2))};
}

inline Eigen::Vector3d to_eigen(const Vec3& v) { return {v.x, v.y, v.z}; }

/// From a 4x4 matrix, whose last row is 0 0 0 1. Throws `Error` (bad_pose, not_finite) as `Pose::from_matrix` does: it
/// must be a rotation and a translation, to within 1e-6.
template <class Derived>
Pose to_pose(const Eigen::MatrixBase<Derived>& matrix) {
  if (matrix.rows() != 4 || matrix.cols() != 4)
    detail::refuse_matrix(
        ErrorCode::bad_pose, "matrix",
        "the matrix is " + detail::size_text(matrix.rows(), matrix.cols()) + "; a pose needs a 4 x 4 matrix");
  std::array<double, 16> row_major;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) row_major[static_cast<std::size_t>(4 * i + j)] = static_cast<double>(matrix(i, j));
  return Pose::from_matrix(row_major);
}

/// From an `Isometry3d`, or an `Affine3d` that is rigid; checked as a matrix is.
template <class Scalar, int mode, int options>
Pose to_pose(const Eigen::Transform<Scalar, 3, mode, options>& transform) {
  Eigen::Matrix<Scalar, 4, 4> matrix = Eigen::Matrix<Scalar, 4, 4>::Identity();
  matrix.template topRows<3>() = transform.matrix().template topRows<3>();  // an isometry's last row may not be set
  if constexpr (mode == Eigen::Projective) matrix.row(3) = transform.matrix().row(3);
  return to_pose(matrix);
}

/// From a rotation and a translation. The quaternion need not have length one: it is kept as it is. Throws `Error`
/// (not_finite, bad_pose) as `Pose` does.
template <class Rotation, class Translation>
Pose to_pose(const Eigen::QuaternionBase<Rotation>& rotation, const Eigen::MatrixBase<Translation>& translation) {
  return Pose(to_vec3(translation), Quat{static_cast<double>(rotation.w()), static_cast<double>(rotation.x()),
                                         static_cast<double>(rotation.y()), static_cast<double>(rotation.z())});
}

/// The pose as a matrix, rounded.
inline Eigen::Isometry3d to_isometry(const Pose& pose) {
  const Quat& q = pose.rotation();
  Eigen::Quaterniond rotation(q.w, q.x, q.y, q.z);
  const double largest = rotation.coeffs().cwiseAbs().maxCoeff();
  rotation.coeffs() /= largest;  // squares of very large and very small numbers leave the doubles
  rotation.normalize();
  Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
  out.linear() = rotation.toRotationMatrix();
  out.translation() = to_eigen(pose.translation());
  return out;
}

/// The vertices in the rows of a matrix (N x 3) of doubles or floats, read where they are: row-major or column-major,
/// a block or a map with strides. The matrix must outlive the view: temporaries and expressions do not compile. Throws
/// `Error` (bad_option) unless there are three columns.
template <class Derived>
VertexArray vertex_array(const Eigen::MatrixBase<Derived>& vertices) {
  using Scalar = typename Derived::Scalar;
  static_assert(std::is_same_v<Scalar, double> || std::is_same_v<Scalar, float>, "vertices are doubles or floats");
  static_assert((Derived::Flags & Eigen::DirectAccessBit) != 0, "an expression has no memory: evaluate it first");
  const Derived& matrix = vertices.derived();
  if (matrix.cols() != 3)
    detail::refuse_matrix(ErrorCode::bad_option, "vertices",
                          "the matrix is " + detail::size_text(matrix.rows(), matrix.cols()) +
                              "; it must have a vertex in each row: three columns");
  if (matrix.rowStride() < 0 || matrix.colStride() < 0)
    detail::refuse_matrix(ErrorCode::bad_option, "vertices", "the matrix has a negative stride; copy it first");
  return VertexArray(matrix.data(), static_cast<std::size_t>(matrix.rows()),
                     VertexStrides{static_cast<std::size_t>(matrix.rowStride()) * sizeof(Scalar),
                                   static_cast<std::size_t>(matrix.colStride()) * sizeof(Scalar)});
}
template <class Derived>
VertexArray vertex_array(const Eigen::PlainObjectBase<Derived>&& temporary) = delete;

/// From a matrix with a vertex in each row (N x 3) and one with a polygon in each row (M x 3 for triangles, M x 4 for
/// quadrilaterals), as libigl and others have them; row-major or column-major, of any scalar type. Indices count from
/// 0. Throws `Error`: bad_option (wrong number of columns), index_out_of_range (polygon), and as `Mesh` does.
template <class Vertices, class Faces>
Mesh to_mesh(const Eigen::MatrixBase<Vertices>& vertices, const Eigen::MatrixBase<Faces>& faces) {
  static_assert(std::numeric_limits<typename Faces::Scalar>::is_integer, "faces are indices of vertices: integers");
  if (vertices.cols() != 3)
    detail::refuse_matrix(ErrorCode::bad_option, "vertices",
                          "the matrix is " + detail::size_text(vertices.rows(), vertices.cols()) +
                              "; it must have a vertex in each row: three columns");
  if (faces.cols() < 3)
    detail::refuse_matrix(ErrorCode::bad_option, "faces",
                          "the matrix is " + detail::size_text(faces.rows(), faces.cols()) +
                              "; it must have a polygon in each row: three or more columns");
  std::vector<Vec3> positions;
  positions.reserve(static_cast<std::size_t>(vertices.rows()));
  for (Eigen::Index i = 0; i < vertices.rows(); ++i)
    positions.push_back({static_cast<double>(vertices(i, 0)), static_cast<double>(vertices(i, 1)),
                         static_cast<double>(vertices(i, 2))});
  PolygonList polygons;
  std::vector<std::uint32_t> corners(static_cast<std::size_t>(faces.cols()));
  for (Eigen::Index i = 0; i < faces.rows(); ++i) {
    for (Eigen::Index k = 0; k < faces.cols(); ++k) {
      const auto corner = faces(i, k);
      if (std::cmp_less(corner, 0) || std::cmp_greater_equal(corner, vertices.rows()))
        detail::refuse_matrix(ErrorCode::index_out_of_range, "polygon",
                              "refers to vertex " + std::to_string(corner) + " of " + std::to_string(vertices.rows()) +
                                  "; indices count from 0",
                              static_cast<std::uint64_t>(i));
      corners[static_cast<std::size_t>(k)] = static_cast<std::uint32_t>(corner);
    }
    polygons.add(corners);
  }
  return Mesh(std::move(positions), std::move(polygons));
}

}  // namespace graze
