// SPDX-License-Identifier: MIT
#include <graze/robot/many.hpp>

#include <pybind11/stl.h>

#include "batch.hpp"
#include "module.hpp"
#include "robot.hpp"

namespace graze_python {

using graze::RobotFreeResult;
using graze::StateResult;

namespace {

struct StateRow {
  std::uint8_t status;
  std::int32_t pair[2], beyond_limits;  ///< -1: none
};
struct RobotFreeRow {
  std::uint8_t status;
  std::uint64_t asked, searches;
};

void write_row(const StateResult& r, StateRow& row) {
  row.status = static_cast<std::uint8_t>(r.status);
  row.pair[0] = r.pair ? static_cast<std::int32_t>(r.pair->a) : -1;
  row.pair[1] = r.pair ? static_cast<std::int32_t>(r.pair->b) : -1;
  row.beyond_limits = r.beyond_limits ? static_cast<std::int32_t>(graze::index(*r.beyond_limits)) : -1;
}
void write_row(const RobotFreeResult& r, RobotFreeRow& row) {
  row.status = static_cast<std::uint8_t>(r.status), row.asked = r.asked, row.searches = r.searches;
}

/// Asks block after block, and refuses to go on with another robot than at the beginning.
template <class Result, class Row, class Each, class Ask>
py::array_t<Row> robot_batch(Robot& r, std::size_t rows, const BatchOptions& options, const Each& each, Ask ask) {
  const std::uint64_t changes = r.changes;
  return batch<Result, Row, graze::RobotManyOptions, graze::RobotManyMemory>(
      rows, options, each,
      [&](std::size_t first, std::span<Result> block, const graze::RobotManyOptions<Each>& o) {
        const std::shared_lock lock(r.mutex);
        if (r.changes != changes)
          refuse(graze::ErrorCode::bad_option,
                 "the robot was changed while a batch of questions was asked; wait for its end");
        return ask(std::as_const(r.robot), first, block, o);
      },
      Dealt::by_engine);
}

}  // namespace

void bind_robot_many(py::class_<Robot>& c) {
  PYBIND11_NUMPY_DTYPE(StateRow, status, pair, beyond_limits);
  PYBIND11_NUMPY_DTYPE(RobotFreeRow, status, asked, searches);
  c.def(
       "check_many",
       [](Robot& r, const py::object& given, bool witness, int threads, const py::object& budget,
          const py::object& cancel, const py::object& progress) {
         const States s = states(r, given, "states");
         const std::size_t n = r.robot.coordinates();
         graze::StateOptions each;
         each.witness = witness;
         return robot_batch<StateResult, StateRow>(
             r, s.rows, batch_options(threads, budget, cancel, progress), each,
             [&](const graze::Robot& robot, std::size_t first, std::span<StateResult> block, const auto& o) {
               return graze::check_many(robot, s.span().subspan(first * n, block.size() * n), block, o);
             });
       },
       py::arg("states"), py::kw_only(), py::arg("witness") = true, GRAZE_PYTHON_BATCH,
       R"(``check`` of N states (N x coordinates): an array with a row for each.

The fields of a row: status, pair (-1: none), beyond_limits (-1: none). The other arguments are as for ``collide_many``.)")
      .def(
          "motion_free_many",
          [](Robot& r, const py::object& starts, const py::object& ends, double min_separation,
             std::optional<double> tolerance, int threads, const py::object& budget, const py::object& cancel,
             const py::object& progress) {
            const States from = states(r, starts, "starts"), to = states(r, ends, "ends");
            const std::size_t n = r.robot.coordinates();
            if (from.rows != 1 && from.rows != to.rows)
              refuse(graze::ErrorCode::bad_option, "there are " + std::to_string(from.rows) + " starts and " +
                                                       std::to_string(to.rows) +
                                                       " ends; both need as many, or one start for all");
            graze::RobotFreeOptions each;
            each.min_separation = min_separation, each.tolerance = tolerance;
            return robot_batch<RobotFreeResult, RobotFreeRow>(
                r, to.rows, batch_options(threads, budget, cancel, progress), each,
                [&](const graze::Robot& robot, std::size_t first, std::span<RobotFreeResult> block, const auto& o) {
                  const auto of = from.rows == 1 ? from.span() : from.span().subspan(first * n, block.size() * n);
                  return graze::motion_free_many(robot, of, to.span().subspan(first * n, block.size() * n), block, o);
                });
          },
          py::arg("starts"), py::arg("ends"), py::kw_only(), py::arg("min_separation") = 0.0,
          py::arg("tolerance") = py::none(), GRAZE_PYTHON_BATCH,
          R"(``motion_free`` of N motions (N x coordinates each, or one start for all): an array with a row for each.

The fields of a row: status, asked, searches.)");
}

}  // namespace graze_python
