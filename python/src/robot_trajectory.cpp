// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <pybind11/stl.h>

#include "batch.hpp"
#include "module.hpp"
#include "results.hpp"
#include "robot.hpp"
#include "trajectory.hpp"

namespace graze_python {

using graze::RobotTrajectoryResult;

namespace {

struct TrajectoryRow {
  std::uint8_t status;
  std::int64_t segment;
  std::int32_t pair[2];
  double safe, touch, lower, upper;
  std::int32_t beyond_limits;
  std::int64_t beyond_limits_in;
};

void write_row(const RobotTrajectoryResult& r, TrajectoryRow& row) {
  const bool contact = r.status == graze::Status::contact || r.status == graze::Status::touching_at_start;
  row.status = static_cast<std::uint8_t>(r.status);
  row.segment = contact ? static_cast<std::int64_t>(r.segment) : -1;
  row.pair[0] = r.pair ? static_cast<std::int32_t>(r.pair->a) : -1;
  row.pair[1] = r.pair ? static_cast<std::int32_t>(r.pair->b) : -1;
  row.safe = r.when.safe, row.touch = r.when.touch;
  row.lower = r.clearance ? r.clearance->lower : not_known, row.upper = r.clearance ? r.clearance->upper : not_known;
  row.beyond_limits = r.beyond_limits ? static_cast<std::int32_t>(graze::index(*r.beyond_limits)) : -1;
  row.beyond_limits_in = r.beyond_limits ? static_cast<std::int64_t>(r.beyond_limits_in) : -1;
}

/// One after the other, each with all threads.
py::array_t<TrajectoryRow> check_all(Robot& r, const std::vector<const Trajectory*>& ways,
                                     const graze::RobotMotionOptions& each, const BatchOptions& options) {
  py::array_t<TrajectoryRow> out(static_cast<py::ssize_t>(ways.size()));
  TrajectoryRow* const rows = out.mutable_data();
  std::memset(static_cast<void*>(rows), 0, ways.size() * sizeof(TrajectoryRow));  // what lies between the fields, too
  RobotTrajectoryResult none;
  none.when = {0, not_known};
  for (std::size_t i = 0; i < ways.size(); ++i) write_row(none, rows[i]);
  const std::uint64_t changes = r.changes;
  const auto begin = std::chrono::steady_clock::now();
  graze::RobotMotionOptions o = each;
  o.pair.cancel = options.cancel;
  const Block block = [&](std::size_t first, std::size_t count, const BlockLimits& b) {
    const std::shared_lock lock(r.mutex);
    if (r.changes != changes)
      refuse(graze::ErrorCode::bad_option,
             "the robot was changed while a batch of questions was asked; wait for its end");
    for (std::size_t i = first; i < first + count && !b.stop.cancelled() && !options.cancel.cancelled(); ++i) {
      if (options.budget) {
        o.budget = *options.budget - (std::chrono::steady_clock::now() - begin);
        if (o.budget->count() <= 0) return;
      }
      o.cancel = b.stop;
      const RobotTrajectoryResult result = r.robot.check_trajectory(ways[i]->trajectory, o);
      if (result.error) {
        graze::ErrorDetail detail = *result.error;
        detail.element = "row", detail.id = i;
        throw graze::Error(detail);
      }
      if (result.status != graze::Status::undecided || !b.stop.cancelled()) write_row(result, rows[i]);
    }
  };
  const BatchEnd end = run_batch(ways.size(), options, 1, [&] { return block; });
  if (end.interrupted) raise_interrupted(end.interrupted, out, answered(out));
  return out;
}

}  // namespace

void bind_robot_trajectory(py::module_& m, py::class_<Robot>& c) {
  PYBIND11_NUMPY_DTYPE(TrajectoryRow, status, segment, pair, safe, touch, lower, upper, beyond_limits,
                       beyond_limits_in);
  py::class_<RobotTrajectoryResult, graze::RobotMotionResult>(m, "RobotTrajectoryResult",
                                                              "The answer of ``Robot.check_trajectory``.")
      .def_readonly("when", &RobotTrajectoryResult::when,
                    "In the time of the trajectory: certified free before ``safe``, in contact at ``touch``")
      .def_property_readonly(
          "beyond_limits", [](const RobotTrajectoryResult& r) { return number(r.beyond_limits); },
          "A link whose joint leaves its limits on the way, or None; the status is about contact alone")
      .def_property_readonly(
          "beyond_limits_in",
          [](const RobotTrajectoryResult& r) {
            return r.beyond_limits ? py::object(py::int_(r.beyond_limits_in)) : py::object(py::none());
          },
          "The first segment in which it does")
      .def("__repr__", [](py::object self) {
        return describe(
            self, "RobotTrajectoryResult",
            {"status", "when", "segment", "pair", "clearance", "beyond_limits", "beyond_limits_in", "pairs"});
      });
  c.def(
       "check_trajectory",
       [](Robot& r, const Trajectory& way, bool first, const std::string& method, std::optional<double> tolerance,
          double min_separation, bool ignore_start_if_separating, bool certificates, std::optional<double> clearance,
          int threads, std::uint64_t work, const py::object& budget, const py::object& cancel) {
         const auto o = motion_options(first, method, tolerance, min_separation, ignore_start_if_separating,
                                       certificates, clearance, threads, work, budget, cancel);
         RobotTrajectoryResult result =
             asked(r, [&](const graze::Robot& robot) { return robot.check_trajectory(way.trajectory, o); });
         raise_if_refused(result);
         return result;
       },
       py::arg("trajectory"), py::kw_only(), GRAZE_PYTHON_ROBOT_WAY, py::arg("clearance") = py::none(),
       py::arg("threads") = 1, GRAZE_PYTHON_LIMITS,
       R"(When does anything first touch along a Trajectory? Its polynomials are certified as they are.

``clearance``: of a trajectory that is free also the least distance of any pair, and where, to within this.)")
      .def(
          "check_trajectories",
          [](Robot& r, const py::iterable& given, bool first, const std::string& method,
             std::optional<double> tolerance, double min_separation, bool ignore_start_if_separating,
             std::optional<double> clearance, std::uint64_t work, int threads, const py::object& budget,
             const py::object& cancel, const py::object& progress) {
            const py::list kept(given);
            std::vector<const Trajectory*> ways;
            for (const py::handle way : kept) {
              if (!py::isinstance<Trajectory>(way))
                throw py::type_error("trajectories are a list of graze.Trajectory, and have none of " +
                                     py::repr(way).cast<std::string>());
              ways.push_back(way.cast<const Trajectory*>());
            }
            const BatchOptions options = batch_options(threads, budget, cancel, progress);
            const auto o = motion_options(first, method, tolerance, min_separation, ignore_start_if_separating, false,
                                          clearance, threads, work, py::none(), py::none());
            return check_all(r, ways, o, options);
          },
          py::arg("trajectories"), py::kw_only(), py::arg("first") = true, py::arg("method") = "best_first",
          py::arg("tolerance") = py::none(), py::arg("min_separation") = 0.0,
          py::arg("ignore_start_if_separating") = false, py::arg("clearance") = py::none(), py::arg("work") = 0,
          GRAZE_PYTHON_BATCH,
          R"(``check_trajectory`` of many: an array with a row for each. The answers are the same for any number of threads.

The fields of a row: status, segment, pair, safe and touch (times of the trajectory), lower and upper (of the clearance),
beyond_limits, beyond_limits_in; -1 and NaN where there is none.)");
}

}  // namespace graze_python
