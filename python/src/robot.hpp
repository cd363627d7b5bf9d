// SPDX-License-Identifier: MIT
#pragma once

#include "chain.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include <graze/robot/robot.hpp>

namespace graze_python {

/// Questions may be asked by several threads, a change waits for them.
struct Robot {
  graze::Robot robot;
  std::shared_mutex mutex;
  std::atomic<std::uint64_t> changes = 0;  ///< so that a batch notices one in the middle
  explicit Robot(graze::RobotModel model, const graze::RobotOptions& options) : robot(std::move(model), options) {}
};

template <class Ask>
auto asked(Robot& r, Ask&& question) {
  const py::gil_scoped_release release;
  const std::shared_lock lock(r.mutex);
  return question(std::as_const(r.robot));
}
template <class Change>
auto changed(Robot& r, Change&& change) {
  const py::gil_scoped_release release;
  const std::unique_lock lock(r.mutex);
  ++r.changes;
  return change(r.robot);
}

/// (a, b), or None.
inline py::object pair_of(const std::optional<graze::PartPair>& pair) {
  return pair ? py::object(py::make_tuple(pair->a, pair->b)) : py::object(py::none());
}

/// States one after another: N x coordinates, or one state of so many numbers.
struct States {
  py::array_t<double, py::array::c_style> array;
  std::size_t rows = 0;
  std::span<const double> span() const { return {array.data(), static_cast<std::size_t>(array.size())}; }
};
States states(const Robot& r, py::handle values, const char* what);

void bind_robot_changes(py::class_<Robot>& c);
void bind_robot_questions(py::module_& m, py::class_<Robot>& c);
void bind_robot_many(py::class_<Robot>& c);

}  // namespace graze_python
