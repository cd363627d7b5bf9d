// SPDX-License-Identifier: MIT
// FCL, asked from Python once for each pose, as python-fcl does it: for `scripts/bench python`.

// Debian's FCL is built without AVX: with a different alignment of Eigen types it crashes or misses contacts.
#define EIGEN_MAX_ALIGN_BYTES 16
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <vector>

namespace py = pybind11;
using Model = fcl::BVHModel<fcl::OBBRSSd>;
using Numbers = py::array_t<double, py::array::c_style>;
using Corners = py::array_t<std::uint32_t, py::array::c_style>;

namespace {

std::shared_ptr<Model> model_of(const Numbers& vertices, const Corners& triangles) {
  std::vector<fcl::Vector3d> points;
  std::vector<fcl::Triangle> faces;
  for (py::ssize_t i = 0; i < vertices.shape(0); ++i)
    points.emplace_back(vertices.at(i, 0), vertices.at(i, 1), vertices.at(i, 2));
  for (py::ssize_t i = 0; i < triangles.shape(0); ++i)
    faces.emplace_back(triangles.at(i, 0), triangles.at(i, 1), triangles.at(i, 2));
  auto model = std::make_shared<Model>();
  model->beginModel();
  model->addSubModel(points, faces);
  model->endModel();
  return model;
}

/// A at the origin, and B at a pose of seven numbers.
class Pair {
 public:
  Pair(const Numbers& a, const Corners& of_a, const Numbers& b, const Corners& of_b)
      : a_(model_of(a, of_a)), b_(model_of(b, of_b)) {}
  bool collide(const Numbers& pose) {
    const double* const d = pose.data();
    fcl::Transform3d at = fcl::Transform3d::Identity();
    at.linear() = Eigen::Quaterniond(d[3], d[4], d[5], d[6]).normalized().toRotationMatrix();
    at.translation() = fcl::Vector3d(d[0], d[1], d[2]);
    b_.setTransform(at);
    b_.computeAABB();
    fcl::CollisionResultd result;
    fcl::collide(&a_, &b_, fcl::CollisionRequestd(), result);
    return result.isCollision();
  }

 private:
  fcl::CollisionObjectd a_, b_;
};

}  // namespace

PYBIND11_MODULE(graze_bench_fcl, m) {
  py::class_<Pair>(m, "Pair")
      .def(py::init<const Numbers&, const Corners&, const Numbers&, const Corners&>())
      .def("collide", &Pair::collide);
}
