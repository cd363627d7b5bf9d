// SPDX-License-Identifier: MIT
#include "input/robot_rows.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <graze/core/error.hpp>

#include "input/pose_text.hpp"
#include "input/refuse_file.hpp"
#include "input/table.hpp"

namespace graze::app {
namespace {

bool is_state(const graze::Robot& robot, std::string_view text) {
  const auto& states = robot.model().states;
  return std::any_of(states.begin(), states.end(),
                     [&](const RobotState& s) { return s.name == text || s.group + "/" + s.name == text; });
}

}  // namespace

std::vector<double> read_state(const graze::Robot& robot, const std::string& text, const std::string& option) {
  std::vector<double> q(robot.coordinates(), 0.0);
  const std::vector<std::string> names = coordinate_names(robot);
  for (std::size_t i = 0; i < q.size(); ++i)
    if (names[i].ends_with(".qw")) q[i] = 1;  // of a floating joint, which a state may leave out
  try {
    if (is_state(robot, text)) return robot.set_named_state(text, q), q;
    const std::vector<std::string_view> fields = split_fields(text, ' ');
    if (std::all_of(fields.begin(), fields.end(), [&](std::string_view field) { return is_state(robot, field); })) {
      for (const std::string_view field : fields) robot.set_named_state(field, q);
      return q;
    }
    if (fields.size() == 1 && !fields[0].empty() && !parse_number(fields[0]) && text.find(',') == text.npos) {
      std::string states;
      for (const RobotState& s : robot.model().states) states += (states.empty() ? "" : ", ") + s.name;
      refuse_option(option, fmt::format("'{}' is neither numbers nor a state of the robot, which has {}", text,
                                        states.empty() ? "none" : states));
    }
    q = parse_numbers(text, option);
    if (q.size() != robot.coordinates())
      refuse_option(option, fmt::format("has {} numbers, but the robot has {} coordinates: {}", q.size(),
                                        robot.coordinates(), fmt::join(names, ", ")));
    robot.chain().beyond_limits(q);  // throws where a number is no coordinate
    return q;
  } catch (const Error& error) {
    if (error.detail().element.starts_with("option")) throw;
    refuse_option(option, error.detail().message);
  }
}

Trajectory read_path(const graze::Robot& robot, const std::string& file, bool spline) {
  const std::size_t n = robot.coordinates();
  if (n == 0) refuse_option("--path", "the robot has no joint that moves");
  const std::string joints = fmt::format("{} joint coordinates", n);
  std::vector<RowForm> forms{{n, joints}, {n + 1, "a time and " + joints}};
  if (!spline) {
    forms.push_back({2 * n + 1, "the same and their velocities"});
    forms.push_back({3 * n + 1, "the same and their accelerations"});
  } else {
    forms.pop_back();
  }
  const Table table = read_table(file, forms);
  std::uint64_t row_of_error = ErrorDetail::none;
  const auto checked = [&](Trajectory trajectory) {
    robot.chain().check(trajectory);
    return trajectory;
  };
  try {
    if (spline) {
      std::vector<double> control;
      for (const std::vector<double>& row : table.rows) control.insert(control.end(), row.begin(), row.end());
      return checked(
          Trajectory::spline(control, n, 0, static_cast<double>(std::max<std::size_t>(table.rows.size(), 4) - 3)));
    }
    std::vector<TrajectoryPoint> points;
    for (const std::vector<double>& row : table.rows) {
      TrajectoryPoint point;
      auto rest = std::span(row);
      point.time = table.form == 0 ? static_cast<double>(points.size()) : rest[0];
      rest = rest.subspan(table.form == 0 ? 0 : 1);
      for (std::vector<double>* const part : {&point.positions, &point.velocities, &point.accelerations}) {
        if (rest.empty()) break;
        part->assign(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(n));
        rest = rest.subspan(n);
      }
      points.push_back(std::move(point));
    }
    for (row_of_error = 0; row_of_error < points.size(); ++row_of_error)
      robot.chain().beyond_limits(
          points[static_cast<std::size_t>(row_of_error)].positions);  // throws where a number is no coordinate
    row_of_error = ErrorDetail::none;
    return checked(Trajectory::through(points));
  } catch (const Error& error) {
    ErrorDetail detail = error.detail();
    detail.file = file;
    // A waypoint is a row.
    const bool of_row = row_of_error != ErrorDetail::none,
               of_waypoint = detail.element == "waypoint" || detail.element == "control point";
    const std::uint64_t row = of_row ? row_of_error : of_waypoint ? detail.id : ErrorDetail::none;
    if (row < table.lines.size()) detail.line = table.lines[static_cast<std::size_t>(row)];
    if (of_row) detail.element.clear(), detail.id = ErrorDetail::none;
    throw Error(detail);
  }
}

std::vector<std::string> coordinate_names(const graze::Robot& robot) {
  constexpr std::array planar{"x", "y", "angle"};
  constexpr std::array floating{"x", "y", "z", "qw", "qx", "qy", "qz"};
  std::vector<std::string> names;
  const Chain& chain = robot.chain();
  for (std::uint32_t i = 0; i < chain.size(); ++i) {
    const Link& link = chain.link(LinkId{i});
    if (!chain.first_coordinate(LinkId{i})) continue;
    const std::string& name = link.joint.name.empty() ? link.name : link.joint.name;
    const std::size_t count = coordinates_of(link.joint.type);
    if (count == 1) names.push_back(name);
    for (std::size_t k = 0; count > 1 && k < count; ++k)
      names.push_back(name + "." + (count == 3 ? planar[k] : floating[k]));
  }
  return names;
}

}  // namespace graze::app
