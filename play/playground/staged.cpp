// SPDX-License-Identifier: MIT
// The scenes of scenes.hpp.
#include <cmath>

#include "playground/makers.hpp"
#include "scenes.hpp"

namespace graze::play {
namespace {

class Staged : public Application {
 public:
  explicit Staged(Scene scene) : scene_(std::move(scene)) {
    for (std::size_t i = 0; i < scene_.stage.size(); ++i) {
      const Actor& a = scene_.stage.actor(i);
      bodies_.push_back({a.name, picture(a.body), a.pose, !a.fixed, a.fixed, {}, {}});
    }
  }

  Frame frame(const Input& input) override {
    Stage& stage = scene_.stage;
    if (input.holding && input.body < stage.size() && !stage.actor(input.body).fixed) pull(input);
    const StageReport report = stage.step(input.time);
    for (std::size_t i = 0; i < stage.size(); ++i) bodies_[i].pose = stage.pose(i);
    Frame frame;
    for (const StageContact& c : report.contacts) frame.contacts.push_back({c.point, c.normal, c.a, c.b});
    frame.numbers = {{"seconds", report.seconds},
                     {"moved", report.moved},
                     {"rounds", static_cast<double>(report.rounds)},
                     {"gap", report.gap},
                     {"violation", report.violation}};
    if (report.overlap) frame.events.push_back("bodies share a point");
    return frame;
  }

  void set(std::string_view name, std::string_view value) override {
    if (name != "order" || (value != "first" && value != "second")) unknown_setting(name, value);
    StageOptions& options = scene_.stage.options();
    options.order = value == "first" ? Order::first : Order::second;
    if (options.order == Order::second) options.gravity = {0, 0, -9.81};
  }

 private:
  /// First order: the velocity that goes there, but no faster than a hand. Second order: a damped spring, which also
  /// carries the body's weight.
  void pull(const Input& input) {
    Stage& stage = scene_.stage;
    const std::size_t i = input.body;
    if (stage.options().order == Order::first) {
      Twist wish = stage.towards(i, input.target, input.time);
      const double linear = length(wish.linear), angular = length(wish.angular);
      if (linear > 4) wish.linear = wish.linear * (4 / linear);
      if (angular > 6) wish.angular = wish.angular * (6 / angular);
      stage.wish(i, wish);
      return;
    }
    const double mass = stage.actor(i).mass.mass;
    const Twist way = stage.towards(i, input.target, 1), now = stage.velocity(i);
    const Vec3 force = (way.linear * 60.0 - now.linear * 12.0 - stage.options().gravity) * mass;
    const Symmetric& inertia = stage.actor(i).mass.inertia;
    const double size = (inertia.xx + inertia.yy + inertia.zz) / 3;
    stage.push(i, force, (way.angular * 60.0 - now.angular * 12.0) * size);
  }

  Scene scene_;
};

std::unique_ptr<Application> staged(std::string_view name, double detail) {
  for (const SceneInfo& info : scenes())
    if (info.name == name) return std::make_unique<Staged>(info.make(detail));
  return nullptr;
}

}  // namespace

std::unique_ptr<Application> make_bunnies(double detail) { return staged("bunnies", detail); }
std::unique_ptr<Application> make_door(double detail) { return staged("door", detail); }
std::unique_ptr<Application> make_car(double detail) { return staged("car", detail); }
std::unique_ptr<Application> make_engine(double detail) { return staged("engine", detail); }
std::unique_ptr<Application> make_assembly(double detail) { return staged("assembly", detail); }

}  // namespace graze::play
