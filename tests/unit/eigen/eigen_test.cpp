// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <graze/eigen.hpp>
#include <graze/mesh/make.hpp>

namespace graze {
namespace {

template <class Call>
ErrorDetail error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.detail();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

void expect_same_place(const Pose& pose, const Eigen::Isometry3d& transform, double error) {
  for (const Vec3& x : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0.3, -0.2, 2}}) {
    const Eigen::Vector3d expected = transform * to_eigen(x);
    EXPECT_LE((to_eigen(pose.apply(x)) - expected).norm(), error);
  }
}

Eigen::Isometry3d some_transform() {
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.rotate(Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, -1).normalized()));
  t.pretranslate(Eigen::Vector3d(3, -4, 0.5));
  return t;
}

TEST(Eigen, PosesFromTransformsAndMatrices) {
  const Eigen::Isometry3d t = some_transform();
  expect_same_place(to_pose(t), t, 1e-14);
  expect_same_place(to_pose(Eigen::Affine3d(t)), t, 1e-14);
  expect_same_place(to_pose(Eigen::Matrix4d(t.matrix())), t, 1e-14);
  expect_same_place(to_pose(Eigen::Matrix<double, 4, 4, Eigen::RowMajor>(t.matrix())), t, 1e-14);
  expect_same_place(to_pose(t.cast<float>()), t, 1e-5);
  expect_same_place(to_pose(Eigen::MatrixXd(t.matrix())), t, 1e-14);
}

TEST(Eigen, PosesFromQuaternionsKeepThem) {
  const Eigen::Quaterniond q(0.5, 1, -2, 0.25);
  const Pose pose = to_pose(q, Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(pose, Pose({1, 2, 3}, {0.5, 1, -2, 0.25}));
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.rotate(q.normalized());
  t.pretranslate(Eigen::Vector3d(1, 2, 3));
  expect_same_place(pose, t, 1e-14);
}

TEST(Eigen, PosesComeBackAsTransforms) {
  for (const double scale : {1.0, 0x1p-1000, 0x1p+1000}) {
    const Pose pose({1, -2, 3}, {0.5 * scale, 1 * scale, -2 * scale, 0.25 * scale});
    expect_same_place(pose, to_isometry(pose), 1e-14);
  }
}

TEST(Eigen, WhatIsNotRigidIsRefused) {
  Eigen::Affine3d scaled(some_transform());
  scaled.scale(1.1);
  EXPECT_EQ(error_of([&] { to_pose(scaled); }).code, ErrorCode::bad_pose);
  EXPECT_EQ(error_of([&] { to_pose(scaled.matrix()); }).code, ErrorCode::bad_pose);
  Eigen::Matrix4d mirror = Eigen::Matrix4d::Identity();
  mirror(0, 0) = -1;
  EXPECT_EQ(error_of([&] { to_pose(mirror); }).code, ErrorCode::bad_pose);
  Eigen::Projective3d projective = Eigen::Projective3d::Identity();
  projective.matrix()(3, 0) = 1;
  EXPECT_EQ(error_of([&] { to_pose(projective); }).code, ErrorCode::bad_pose);
  Eigen::Matrix4d nan = Eigen::Matrix4d::Identity();
  nan(1, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error_of([&] { to_pose(nan); }).code, ErrorCode::not_finite);
  EXPECT_EQ(error_of([&] { to_pose(Eigen::MatrixXd(3, 3)); }).code, ErrorCode::bad_pose);
  EXPECT_EQ(error_of([&] { to_pose(Eigen::Quaterniond(0, 0, 0, 0), Eigen::Vector3d(0, 0, 0)); }).code,
            ErrorCode::bad_pose);
  EXPECT_EQ(error_of([&] { to_pose(Eigen::Quaterniond(1, 0, 0, 0), Eigen::VectorXd::Zero(2)); }).code,
            ErrorCode::bad_option);
}

template <class Vertices, class Faces>
void expect_box(const Mesh& box) {
  Vertices v(box.vertex_count(), 3);
  for (std::size_t i = 0; i < box.vertex_count(); ++i)
    for (int k = 0; k < 3; ++k)
      v(static_cast<Eigen::Index>(i), k) = static_cast<typename Vertices::Scalar>(box.positions()[i][k]);
  Faces f(box.triangle_count(), 3);
  for (std::size_t i = 0; i < box.triangle_count(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      f(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) =
          static_cast<typename Faces::Scalar>(box.triangles()[i][k]);
  const Mesh mesh = to_mesh(v, f);
  ASSERT_EQ(mesh.vertex_count(), box.vertex_count());
  for (std::size_t i = 0; i < box.vertex_count(); ++i) EXPECT_EQ(mesh.positions()[i], box.positions()[i]);
  ASSERT_EQ(mesh.polygon_count(), box.triangle_count());
  for (std::size_t i = 0; i < box.triangle_count(); ++i) EXPECT_EQ(mesh.triangles()[i], box.triangles()[i]);
}

TEST(Eigen, MeshesFromMatricesOfAllKinds) {
  const Mesh box = make::box();  // its coordinates are halves: floats, too
  expect_box<Eigen::MatrixXd, Eigen::MatrixXi>(box);
  expect_box<Eigen::MatrixXf, Eigen::Matrix<std::uint32_t, Eigen::Dynamic, 3>>(box);
  expect_box<Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>,
             Eigen::Matrix<int, Eigen::Dynamic, 3, Eigen::RowMajor>>(box);
  expect_box<Eigen::Matrix<float, Eigen::Dynamic, 3, Eigen::RowMajor>, Eigen::Matrix<std::int64_t, Eigen::Dynamic, 3>>(
      box);
}

TEST(Eigen, QuadrilateralsStayPolygons) {
  Eigen::MatrixXd v(4, 3);
  v << 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0;
  Eigen::MatrixXi f(1, 4);
  f << 0, 1, 2, 3;
  EXPECT_EQ(to_mesh(v, f).polygon_count(), 1u);
  EXPECT_EQ(to_mesh(v, f).triangle_count(), 2u);
}

TEST(Eigen, WrongMatricesAreRefused) {
  Eigen::MatrixXd v = Eigen::MatrixXd::Random(4, 3);
  Eigen::MatrixXi f(2, 3);
  f << 0, 1, 2, 0, 1, 4;
  const ErrorDetail beyond = error_of([&] { to_mesh(v, f); });
  EXPECT_EQ(beyond.code, ErrorCode::index_out_of_range);
  EXPECT_EQ(beyond.id, 1u);
  f(1, 2) = -1;
  EXPECT_EQ(error_of([&] { to_mesh(v, f); }).code, ErrorCode::index_out_of_range);
  f(1, 2) = 3;
  EXPECT_EQ(error_of([&] { to_mesh(v.transpose(), f); }).code, ErrorCode::bad_option);
  EXPECT_EQ(error_of([&] { to_mesh(v, Eigen::MatrixXi(2, 2)); }).code, ErrorCode::bad_option);
  EXPECT_EQ(error_of([&] { to_mesh(v, Eigen::MatrixXi(0, 3)); }).code, ErrorCode::empty_mesh);
  v(2, 1) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error_of([&] { to_mesh(v, f); }).code, ErrorCode::not_finite);
}

template <class Matrix>
concept IsReadAsVertices = requires(Matrix&& m) {
  vertex_array(std::forward<Matrix>(m));
};
static_assert(IsReadAsVertices<Eigen::MatrixX3d&> && IsReadAsVertices<const Eigen::MatrixXf&>);
static_assert(!IsReadAsVertices<Eigen::MatrixX3d>);  // a temporary

TEST(Eigen, VerticesAreReadWhereTheyAre) {
  Eigen::MatrixX3d columns(5, 3);
  for (Eigen::Index i = 0; i < 15; ++i) columns(i / 3, i % 3) = static_cast<double>(i);
  const Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor> rows = columns;
  const Eigen::MatrixXf single = columns.cast<float>();
  Eigen::MatrixXd large = Eigen::MatrixXd::Zero(9, 8);
  large.block(2, 4, 5, 3) = columns;
  const auto expect_the_same = [&](const VertexArray& x) {
    ASSERT_EQ(x.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
      const auto first = static_cast<double>(3 * i);
      EXPECT_EQ(x[i], (Vec3{first, first + 1, first + 2}));
    }
  };
  expect_the_same(vertex_array(columns));
  expect_the_same(vertex_array(rows));
  expect_the_same(vertex_array(single));
  const auto block = large.block(2, 4, 5, 3);
  expect_the_same(vertex_array(block));
  const Eigen::MatrixXd wide = columns.transpose();
  EXPECT_EQ(error_of([&] { vertex_array(wide); }).code, ErrorCode::bad_option);
}

}  // namespace
}  // namespace graze
