// SPDX-License-Identifier: MIT
#include <chrono>

#include <graze/shape/shape.hpp>

#include "arm.hpp"
#include "playground/makers.hpp"

namespace graze::play {
namespace {

constexpr Vec3 tip = {0, 0, 0.3};  // of the hand, in its frame

RobotModel small_arm() {
  RobotModel model;
  model.name = "arm";
  const auto add = [&](const char* name, const char* parent, const Vec3& at, const Vec3& axis, double length) {
    Link link;
    link.name = name, link.parent = parent;
    link.joint.type = JointType::revolute, link.joint.origin = Pose(at), link.joint.axis = axis;
    link.joint.limits = JointLimits{-2.6, 2.6};
    model.links.push_back(link);
    model.pieces.push_back({name, Body(shape::Capsule{0.09, length}), Pose({0, 0, length / 2 + 0.1}), {}});
  };
  add("base", "", {0, 0, 0.1}, {0, 0, 1}, 0.4);
  add("shoulder", "base", {0, 0, 0.7}, {0, 1, 0}, 0.7);
  add("elbow", "shoulder", {0, 0, 1}, {0, 1, 0}, 0.7);
  add("wrist", "elbow", {0, 0, 1}, {0, 1, 0}, 0.3);
  add("hand", "wrist", {0, 0, 0.6}, {0, 0, 1}, 0.2);
  return model;
}

std::vector<Obstacle> shelves() {
  std::vector<Obstacle> all{{Body(shape::HalfSpace{}), Pose({0, 0, -0.1}), "floor", {}}};
  const Body board(shape::Box{{0.6, 1.8, 0.05}}), side(shape::Box{{0.6, 0.05, 2}});
  for (int i = 0; i < 3; ++i) all.push_back({board, Pose({1.4, 0, 0.5 + 0.7 * i}), "shelf", {}});
  for (const double y : {-0.9, 0.9}) all.push_back({side, Pose({1.4, y, 1}), "side", {}});
  return all;
}

class DraggedRobot : public Application {
 public:
  DraggedRobot() : arm_(make()) {
    for (std::uint32_t i = 0; i < arm_.robot().model().pieces.size(); ++i) {
      const RobotPiece& piece = arm_.robot().model().pieces[i];
      bodies_.push_back({piece.link, picture(piece.body), Pose(), piece.link == "hand", false, {}, {}});
      std::vector<Vec3>& placed = bodies_.back().positions;
      for (const Vec3& p : bodies_.back().mesh.positions()) placed.push_back(piece.pose.apply(p));
    }
    for (const Obstacle& o : shelves()) bodies_.push_back({o.name, picture(o.body), o.pose, false, true, {}, {}});
    place();
  }

  Frame frame(const Input& input) override {
    const auto start = std::chrono::steady_clock::now();
    Frame frame;
    frame.numbers["moved"] = 0;
    if (input.holding) {
      const DragReport report = arm_.drag(input.target.apply(tip));
      frame.numbers["moved"] = report.moved;
      if (report.stopped_by) {
        const auto name = [&](std::uint32_t part) { return arm_.robot().part(part).name; };
        frame.events.push_back(name(report.stopped_by->a) + " stopped by " + name(report.stopped_by->b));
      }
    }
    place();
    frame.numbers["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return frame;
  }

 private:
  static Arm make() {
    Robot robot(small_arm());
    robot.surroundings(shelves());
    return Arm(std::move(robot), "hand", tip, {0.4, -0.6, 0.4, 0.3, 0}, 2e-3);
  }

  void place() {
    const auto poses = arm_.robot().chain().link_poses(arm_.state());
    const auto& pieces = arm_.robot().model().pieces;
    for (std::size_t i = 0; i < pieces.size(); ++i)
      bodies_[i].pose = poses[index(*arm_.robot().chain().find(pieces[i].link))].pose;
  }

  Arm arm_;
};

}  // namespace

std::unique_ptr<Application> make_robot(double) { return std::make_unique<DraggedRobot>(); }

}  // namespace graze::play
