// SPDX-License-Identifier: MIT
#pragma once

#include "chain.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include <graze/robot/robot.hpp>

namespace graze_python {

/// What was changed since a robot was made: what is pickled of it.
struct RobotChanges {
  std::map<std::pair<std::string, std::string>, std::optional<std::string>> allowed;  ///< why; none: forbidden
  std::optional<double> padding;                                                      ///< of all links
  std::map<std::string, double> padding_of;                                           ///< of links, after that
  std::optional<std::vector<graze::Obstacle>> obstacles;  ///< none: they are the bodies of a World
};

/// Questions may be asked by several threads, a change waits for them.
struct Robot {
  graze::RobotOptions options;
  graze::Robot robot;
  RobotChanges made;
  std::shared_mutex mutex;
  std::atomic<std::uint64_t> changes = 0;  ///< so that a batch notices one in the middle
  explicit Robot(graze::RobotModel model, const graze::RobotOptions& o) : options(o), robot(std::move(model), o) {
    made.obstacles.emplace();
  }
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
void bind_robot_trajectory(py::module_& m, py::class_<Robot>& c);
void bind_robot_pickle(py::class_<Robot>& c);

/// Options of the questions about motions.
graze::RobotMotionOptions motion_options(bool first, const std::string& method, std::optional<double> tolerance,
                                         double min_separation, bool ignore_start_if_separating, bool certificates,
                                         std::optional<double> clearance, int threads, std::uint64_t work,
                                         const py::object& budget, const py::object& cancel_token);
#define GRAZE_PYTHON_ROBOT_WAY                                                                  \
  py::arg("first") = true, py::arg("method") = "best_first", py::arg("tolerance") = py::none(), \
  py::arg("min_separation") = 0.0, py::arg("ignore_start_if_separating") = false, py::arg("certificates") = false

}  // namespace graze_python
