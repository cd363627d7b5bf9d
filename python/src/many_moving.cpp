// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>

#include "batch.hpp"
#include "module.hpp"
#include "motion.hpp"

namespace graze_python {

using graze::Body;
using graze::FirstContactResult;
using graze::Motion;

namespace {

struct FirstContactRow {
  std::uint8_t status;
  bool certain;
  std::int8_t direction;  ///< -1: none
  double safe, touch, gap, tolerance;
  std::uint32_t triangles[2];
  double points[2][3], normal[3];
};

void write_row(const FirstContactResult& r, FirstContactRow& row) {
  row.status = static_cast<std::uint8_t>(r.status);
  row.certain = r.certain;
  row.direction = r.direction ? static_cast<std::int8_t>(*r.direction) : std::int8_t{-1};
  row.safe = r.time.safe;
  row.touch =
      r.status == graze::Status::contact || r.status == graze::Status::touching_at_start ? r.time.touch : not_known;
  row.gap = r.points ? r.gap : not_known;
  row.tolerance = r.tolerance;
  row.triangles[0] = r.pair ? graze::index(r.pair->a) : 0;
  row.triangles[1] = r.pair ? graze::index(r.pair->b) : 0;
  write(row.points, r.points);
  write(row.normal, r.normal);
}

struct MotionFreeRow {
  std::uint8_t status;
  std::int32_t probes;
  double time, tolerance;
};

void write_row(const graze::MotionFreeResult& r, MotionFreeRow& row) {
  row.status = static_cast<std::uint8_t>(r.status);
  row.probes = r.probes;
  row.time = r.status == graze::Status::contact || r.status == graze::Status::touching_at_start ? r.time : not_known;
  row.tolerance = r.tolerance;
}

Motion between(const std::string& kind, const graze::Pose& from, const graze::Pose& to) {
  if (kind == "velocity") return graze::Velocity(from, to);
  if (kind == "screw") return graze::Screw(from, to);
  if (kind == "linear_parameters") return graze::LinearParameters(from, to);
  refuse(graze::ErrorCode::bad_option, "motion is 'velocity', 'screw' or 'linear_parameters', not '" + kind + "'",
         "option");
}

/// A motion or a pose for all rows; a list of motions; N x 7 or N x 4 x 4 poses at rest; N x 2 x 7 or N x 2 x 4 x 4
/// starts and ends.
Column<Motion> motion_column(py::handle value, const std::string& kind) {
  if (py::isinstance<Motion>(value) || is_one_pose(value)) return Column<Motion>(motion_of(value));
  std::vector<Motion> list;
  if (PyList_Check(value.ptr()) && py::len(value) > 0 &&
      py::isinstance<Motion>(py::reinterpret_borrow<py::list>(value)[0])) {
    for (const py::handle item : py::reinterpret_borrow<py::list>(value)) list.push_back(motion_of(item));
    return Column<Motion>(std::move(list));
  }
  const py::array array = py::array::ensure(value);
  const bool pairs = array && ((array.ndim() == 3 && array.shape(1) == 2 && array.shape(2) == 7) ||
                               (array.ndim() == 4 && array.shape(1) == 2));
  if (!pairs) {
    for (const graze::Pose& at : poses(value)) list.push_back(graze::Still{at});
    return Column<Motion>(std::move(list));
  }
  const py::ssize_t rows = array.shape(0);
  std::vector<py::ssize_t> flat{2 * rows, array.shape(2)};
  if (array.ndim() == 4) flat.push_back(array.shape(3));
  const std::vector<graze::Pose> ends = poses(doubles(value, "poses").reshape(flat));
  list.reserve(ends.size() / 2);
  for (std::size_t i = 0; i + 1 < ends.size(); i += 2) list.push_back(between(kind, ends[i], ends[i + 1]));
  return Column<Motion>(std::move(list));
}

}  // namespace

void bind_many_moving(py::module_& m) {
  PYBIND11_NUMPY_DTYPE(FirstContactRow, status, certain, direction, safe, touch, gap, tolerance, triangles, points,
                       normal);
  m.def(
      "first_contact_many",
      [](const Body& a, const py::object& motions_a, const Body& b, const py::object& motions_b,
         const std::string& motion, const std::string& method, std::optional<double> tolerance, double min_separation,
         bool ignore_start_if_separating, bool solid, std::uint64_t work, int threads, const py::object& budget,
         const py::object& cancel, const py::object& progress) {
        const Column<Motion> of_a = motion_column(motions_a, motion), of_b = motion_column(motions_b, motion);
        graze::FirstContactOptions each;
        each.method = method, each.tolerance = tolerance, each.min_separation = min_separation, each.solid = solid;
        each.ignore_start_if_separating = ignore_start_if_separating, each.work = work;
        return batch<FirstContactResult, FirstContactRow>(
            rows_of(of_a, of_b, "motions"), batch_options(threads, budget, cancel, progress), each,
            [&](std::size_t first, std::span<FirstContactResult> block,
                const graze::ManyOptions<graze::FirstContactOptions>& o) {
              return graze::first_contact_many(a, of_a.rows(first, block.size()), b, of_b.rows(first, block.size()),
                                               block, o);
            });
      },
      py::arg("a"), py::arg("motions_a"), py::arg("b"), py::arg("motions_b"), py::kw_only(),
      py::arg("motion") = "velocity", py::arg("method") = "best_first", py::arg("tolerance") = py::none(),
      py::arg("min_separation") = 0.0, py::arg("ignore_start_if_separating") = false, py::arg("solid") = false,
      py::arg("work") = 0, GRAZE_PYTHON_BATCH,
      R"(The question ``first_contact`` for many motions of one pair of bodies: an array with a row for each.

Motions are N x 2 x 7 numbers (start and end, each translation and quaternion w x y z), N x 2 x 4 x 4, or a list of
graze.Motion; ``motion`` says how a row moves from start to end: 'velocity', 'screw' or 'linear_parameters'. N x 7 numbers
or N x 4 x 4 are bodies at rest. One motion or pose stands for all rows. The fields of a row: status, certain, direction
(-1: none), safe, touch (NaN: no contact), gap, tolerance, triangles, points, normal. The other arguments are as for
``collide_many``.

>>> import graze, numpy as np
>>> box = graze.Body(graze.make.box())
>>> motions = np.zeros((2, 2, 7))
>>> motions[:, :, 3] = 1
>>> motions[:, 0, 0], motions[:, 1, 0], motions[1, :, 1] = -3, 3, 5
>>> rows = graze.first_contact_many(box, motions, box, None)
>>> rows["status"] == graze.Status.free
array([False,  True])
)");
  PYBIND11_NUMPY_DTYPE(MotionFreeRow, status, probes, time, tolerance);
  m.def(
      "motion_free_many",
      [](const Body& a, const py::object& motions_a, const Body& b, const py::object& motions_b,
         const std::string& motion, std::optional<double> tolerance, double min_separation, bool solid,
         std::uint64_t work, int threads, const py::object& budget, const py::object& cancel,
         const py::object& progress) {
        const Column<Motion> of_a = motion_column(motions_a, motion), of_b = motion_column(motions_b, motion);
        graze::FirstContactOptions each;
        each.tolerance = tolerance, each.min_separation = min_separation, each.solid = solid, each.work = work;
        return batch<graze::MotionFreeResult, MotionFreeRow>(
            rows_of(of_a, of_b, "motions"), batch_options(threads, budget, cancel, progress), each,
            [&](std::size_t first, std::span<graze::MotionFreeResult> block,
                const graze::ManyOptions<graze::FirstContactOptions>& o) {
              return graze::motion_free_many(a, of_a.rows(first, block.size()), b, of_b.rows(first, block.size()),
                                             block, o);
            });
      },
      py::arg("a"), py::arg("motions_a"), py::arg("b"), py::arg("motions_b"), py::kw_only(),
      py::arg("motion") = "velocity", py::arg("tolerance") = py::none(), py::arg("min_separation") = 0.0,
      py::arg("solid") = false, py::arg("work") = 0, GRAZE_PYTHON_BATCH,
      R"(The question ``motion_free`` for many motions: what a planner asks of many edges.

Arguments as for ``first_contact_many``. The fields of a row: status, probes, time (of a contact, not the first; else
NaN), tolerance.)");
}

}  // namespace graze_python
