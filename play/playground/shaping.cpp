// SPDX-License-Identifier: MIT
// `potter` and `buttons`.
#include <graze/mesh/make.hpp>
#include <graze/shape/shape.hpp>

#include "buttons.hpp"
#include "playground/makers.hpp"
#include "potter.hpp"

namespace graze::play {
namespace {

constexpr double hand_size = 0.8;

class Pottery : public Application {
 public:
  explicit Pottery(double detail) : triangles_(20000 * detail) { start("sphere"); }

  Frame frame(const Input& input) override {
    Frame frame;
    if (!input.holding) {
      last_.reset();
    } else {
      const PressReport report = potter_->press(tools_, last_.value_or(input.target), input.target);
      last_ = input.target;
      frame.numbers = {{"seconds", report.seconds},
                       {"touched", static_cast<double>(report.touched)},
                       {"moved", static_cast<double>(report.moved)}};
      for (std::size_t i = 1; i < bodies_.size(); ++i) bodies_[i].pose = input.target;
    }
    show(frame);
    return frame;
  }

  void set(std::string_view name, std::string_view value) override {
    if (name == "undo") {
      potter_->undo();
    } else if (name == "mode" && (value == "along" || value == "inward")) {
      options_.mode = value == "along" ? PushMode::along : PushMode::inward;
      potter_->options() = options_;
    } else if (name == "tool" && (value == "hand" || value == "finger" || value == "tip")) {
      tools_ = value == "hand"     ? whole_hand(hand_size)
               : value == "finger" ? forefinger(hand_size)
                                   : finger_tip(hand_size);
      show_tools();
    } else if (name == "pot") {
      start(value);
    } else {
      unknown_setting(name, value);
    }
    bodies_[0].positions.assign(potter_->positions().begin(), potter_->positions().end());
  }

 private:
  void start(std::string_view pot) {
    const auto triangles = static_cast<std::size_t>(triangles_);
    const Mesh mesh = pot == "sphere"     ? make::sphere({.radius = 1, .triangles = triangles})
                      : pot == "torus"    ? make::torus({.triangles = triangles})
                      : pot == "cylinder" ? make::cylinder({.radius = 0.8, .height = 1.6, .triangles = triangles})
                      : pot == "flake"    ? make::tetra_flake({.size = 2, .triangles = triangles})
                      : pot == "hyperboloid"
                          ? make::hyperboloid({.waist = 0.4, .radius = 0.8, .height = 1.6, .triangles = triangles})
                          : (unknown_setting("pot", pot), Mesh(make::box()));
    potter_.emplace(mesh, options_);
    bodies_.assign(1, {"pot", mesh, Pose(), false, true, {}, {}});
    last_.reset();
    show_tools();
  }

  void show_tools() {
    bodies_.resize(1, bodies_[0]);
    for (const Tool& tool : tools_) {
      // The picture is placed along the tool once; the hand's pose moves it.
      const Vec3 along = tool.to - tool.from, middle = (tool.from + tool.to) * 0.5;
      const double size = length(along);
      const Mesh shape = picture(Body(shape::Capsule{tool.radius, size}));
      const Vec3 n = size > 0 ? along * (1 / size) : Vec3{0, 0, 1};
      const Pose place(middle, n.z > -0.999 ? Quat{1 + n.z, -n.y, n.x, 0} : Quat{0, 1, 0, 0});
      std::vector<Vec3> positions;
      for (const Vec3& p : shape.positions()) positions.push_back(place.apply(p));
      bodies_.push_back({"hand", Mesh(std::move(positions), shape.polygons()), Pose({0, 0, 2.5}), true, false, {}, {}});
    }
  }

  void show(Frame& frame) {
    bodies_[0].positions.assign(potter_->positions().begin(), potter_->positions().end());
    frame.numbers["volume"] = potter_->volume();
    frame.numbers["undo"] = static_cast<double>(potter_->undo_steps());
  }

  double triangles_;
  PotterOptions options_;
  std::optional<Potter> potter_;
  std::vector<Tool> tools_ = whole_hand(hand_size);
  std::optional<Pose> last_;
};

class Panel : public Application {
 public:
  Panel() {
    const Body key(shape::Box{{0.6, 0.6, 0.2}}), tip(shape::Capsule{0.12, 0.8});
    for (int i = 0; i < 9; ++i) {
      const Pose pose({0.8 * (i % 3 - 1), 0.8 * (1 - i / 3), 0});
      const std::string name = std::to_string(i + 1);
      panel_.add_button(name, key, pose);
      bodies_.push_back({name, picture(key), pose, false, true, {}, {}});
    }
    const Pose away({0, 0, 2});
    panel_.add_finger(tip, away);
    bodies_.push_back({"finger", picture(tip), away, true, false, {}, {}});
  }

  Frame frame(const Input& input) override {
    Frame frame;
    if (input.holding) {
      bodies_.back().pose = input.target;
      panel_.move_finger(0, input.target);
    }
    for (const ButtonEvent& e : panel_.update()) {
      frame.events.push_back(panel_.name(e.button) + (e.pressed ? " pressed" : " released"));
      Shown& key = bodies_[e.button];
      key.touching.clear();
      for (std::uint32_t t = 0; e.pressed && t < key.mesh.triangle_count(); ++t) key.touching.push_back(t);
    }
    double down = 0;
    for (std::size_t i = 0; i < panel_.size(); ++i) down += panel_.pressed(i);
    frame.numbers = {{"pressed", down}};
    return frame;
  }

 private:
  ButtonPanel panel_;
};

}  // namespace

std::unique_ptr<Application> make_potter(double detail) { return std::make_unique<Pottery>(detail); }
std::unique_ptr<Application> make_buttons(double) { return std::make_unique<Panel>(); }

}  // namespace graze::play
