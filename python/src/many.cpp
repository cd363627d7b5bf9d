// SPDX-License-Identifier: MIT
#include "batch.hpp"
#include "module.hpp"

namespace graze_python {

using graze::Body;
using graze::CollideResult;
using graze::DistanceResult;

namespace {

struct CollideRow {
  std::uint8_t status;
  std::int8_t kind;  ///< -1: none
  bool certain;
  std::uint8_t contained;
  std::uint32_t triangles[2];
  double points[2][3], normal[3];
};
struct DistanceRow {
  std::uint8_t status;
  bool certain;
  double distance;
  std::uint32_t triangles[2];
  double points[2][3], normal[3];
};

void write_row(const CollideResult& r, CollideRow& row) {
  row.status = static_cast<std::uint8_t>(r.status);
  row.kind = r.kind ? static_cast<std::int8_t>(*r.kind) : std::int8_t{-1};
  row.certain = r.certain;
  row.contained = static_cast<std::uint8_t>(r.contained);
  const bool pair = !r.pairs.empty();
  row.triangles[0] = pair ? graze::index(r.pairs[0].a) : 0;
  row.triangles[1] = pair ? graze::index(r.pairs[0].b) : 0;
  write(row.points, r.points);
  write(row.normal, r.normal);
}

void write_row(const DistanceResult& r, DistanceRow& row) {
  const bool known = r.status == graze::Status::free || r.status == graze::Status::contact;
  row.status = static_cast<std::uint8_t>(r.status);
  row.certain = r.certain;
  row.distance = r.distance;
  row.triangles[0] = graze::index(r.pair.a), row.triangles[1] = graze::index(r.pair.b);
  write(row.points, known ? std::optional(r.points) : std::nullopt);
  write(row.normal, r.normal);
}

}  // namespace

void bind_many(py::module_& m) {
  PYBIND11_NUMPY_DTYPE(CollideRow, status, kind, certain, contained, triangles, points, normal);
  PYBIND11_NUMPY_DTYPE(DistanceRow, status, certain, distance, triangles, points, normal);
  m.def(
      "collide_many",
      [](const Body& a, const py::object& poses_a, const Body& b, const py::object& poses_b, const std::string& method,
         bool solid, std::uint64_t work, int threads, const py::object& budget, const py::object& cancel,
         const py::object& progress) {
        const Column<graze::Pose> at_a = pose_column(poses_a), at_b = pose_column(poses_b);
        graze::CollideOptions each;
        each.method = method, each.solid = solid, each.work = work;
        return batch<CollideResult, CollideRow>(
            rows_of(at_a, at_b, "poses"), batch_options(threads, budget, cancel, progress), each,
            [&](std::size_t first, std::span<CollideResult> block, const graze::ManyOptions<graze::CollideOptions>& o) {
              return graze::collide_many(a, at_a.rows(first, block.size()), b, at_b.rows(first, block.size()), block,
                                         o);
            });
      },
      py::arg("a"), py::arg("poses_a"), py::arg("b"), py::arg("poses_b"), py::kw_only(), py::arg("method") = "tree",
      py::arg("solid") = false, py::arg("work") = 0, GRAZE_PYTHON_BATCH,
      R"(The question ``collide`` for one pair of bodies at many poses: an array with a row for each.

Poses are N x 7 numbers (translation, quaternion w x y z), N x 4 x 4, or a list of graze.Pose; one pose stands for all rows.
The fields of a row: status, kind (-1: none), certain, contained, triangles, points (on A and on B), normal; NaN where
there is none. ``budget`` and ``cancel`` limit the whole batch, ``work`` each row; rows without an answer are undecided.
``progress`` is True for a bar, or a function of the rows done and of all rows. Ctrl-C raises graze.Interrupted, whose
``rows`` hold what was answered.

>>> import graze, numpy as np
>>> box = graze.Body(graze.make.box())
>>> poses = np.zeros((4, 7))
>>> poses[:, 0], poses[:, 3] = [0.5, 1, 1.5, 2], 1
>>> rows = graze.collide_many(box, None, box, poses, threads=2)
>>> rows["status"] == graze.Status.contact
array([ True,  True, False, False])
)");
  m.def(
      "distance_many",
      [](const Body& a, const py::object& poses_a, const Body& b, const py::object& poses_b, double relative_error,
         const std::string& method, std::uint64_t work, int threads, const py::object& budget, const py::object& cancel,
         const py::object& progress) {
        const Column<graze::Pose> at_a = pose_column(poses_a), at_b = pose_column(poses_b);
        graze::DistanceOptions each;
        each.relative_error = relative_error, each.method = method, each.work = work;
        return batch<DistanceResult, DistanceRow>(
            rows_of(at_a, at_b, "poses"), batch_options(threads, budget, cancel, progress), each,
            [&](std::size_t first, std::span<DistanceResult> block,
                const graze::ManyOptions<graze::DistanceOptions>& o) {
              return graze::distance_many(a, at_a.rows(first, block.size()), b, at_b.rows(first, block.size()), block,
                                          o);
            });
      },
      py::arg("a"), py::arg("poses_a"), py::arg("b"), py::arg("poses_b"), py::kw_only(),
      py::arg("relative_error") = 1e-9, py::arg("method") = "tree", py::arg("work") = 0, GRAZE_PYTHON_BATCH,
      R"(The question ``distance`` at many poses; arguments as for ``collide_many``.

The fields of a row: status, certain, distance, triangles, points (on A and on B), normal.

>>> import graze
>>> ball = graze.Body(graze.shape.Sphere(1))
>>> graze.distance_many(ball, None, ball, [[3, 0, 0, 1, 0, 0, 0], [5, 0, 0, 1, 0, 0, 0]])["distance"]
array([1., 3.])
)");
}

}  // namespace graze_python
