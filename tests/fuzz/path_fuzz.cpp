// SPDX-License-Identifier: MIT
// The CSV files of graze robot: any bytes are a path or a spline of a robot, or are refused.
#include "fuzz_input.hpp"
#include "input/robot_rows.hpp"
#include "robot_files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace graze;
  static const Robot robot = [] {
    RobotModel model;
    const auto box = [](double x) { return Body(shape::Box{{x, 0.1, 0.1}}); };
    model.links = {{"upper", "", {.type = JointType::revolute, .name = "j"}},
                   {"hand", "upper", {.type = JointType::prismatic, .origin = Pose({1, 0, 0})}}};
    model.pieces = {{"upper", box(0.8)}, {"hand", box(0.4)}};
    Robot made(std::move(model));
    made.surroundings({{box(0.3), Pose({0, 1, 0}), "post"}});
    return made;
  }();
  const std::string_view text = fuzz::text_of(data, size);
  const std::string file = fuzz::file_of(text, "path.csv").string();
  for (const bool spline : {false, true}) try {
      const Trajectory trajectory = app::read_path(robot, file, spline);
      RobotMotionOptions options;
      options.budget = std::chrono::milliseconds(200);
      const RobotTrajectoryResult result = robot.check_trajectory(trajectory, options);
      if (result.status == Status::invalid_request && (!result.error || result.error->message.empty())) std::abort();
      std::vector<double> q(robot.coordinates());
      trajectory.state(0, 0, q);
      if (result.status == Status::free && robot.check(q).status != Status::free) std::abort();
    } catch (const Error& error) {
      if (error.detail().message.empty() || error.detail().file != file) std::abort();
    }
  try {
    app::read_state(robot, std::string(text), "--state");
  } catch (const Error& error) {
    if (error.detail().message.empty() || error.detail().element.empty()) std::abort();
  }
  return 0;
}
