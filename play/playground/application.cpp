// SPDX-License-Identifier: MIT
#include "playground/application.hpp"

#include <graze/core/error.hpp>

#include "playground/makers.hpp"
#include "refuse.hpp"

namespace graze::play {
namespace {

constexpr ApplicationInfo all[] = {
    {"bunnies", "drag a body of 70 K triangles against another", "order=first|second", make_bunnies},
    {"door", "fit a door into a car, 45 K triangles together", "order=first|second", make_door},
    {"car", "a car of 29 K triangles bounces on a floor", "order=second|first", make_car},
    {"engine", "take the engine out of the car, past the door, 20 K triangles", "order=first|second", make_engine},
    {"assembly", "a peg, a ring and loose parts", "order=first|second", make_assembly},
    {"hands", "hands, a ball, a head and a shuttle: what touches turns red and is reflected", "", make_hands},
    {"cage", "flying bodies: faces that touch flash", "", make_cage},
    {"potter", "shape a pot of 10,000 polygons with a virtual hand",
     "tool=hand|finger|tip mode=along|inward pot=sphere|torus|cylinder|flake|hyperboloid undo=1", make_potter},
    {"buttons", "press the buttons of a panel with a finger", "", make_buttons},
    {"cloth", "a sheet falls over a turning ball", "", make_cloth},
    {"robot", "drag an arm by its hand; it stops before it touches", "", make_robot},
};

}  // namespace

void unknown_setting(std::string_view name, std::string_view value) {
  refuse("'" + std::string(name) + "=" + std::string(value) +
         "' is no setting of this application; it lists those it has");
}

void Application::set(std::string_view name, std::string_view value) { unknown_setting(name, value); }

std::span<const ApplicationInfo> applications() { return all; }

std::unique_ptr<Application> make_application(std::string_view name, double detail) {
  if (!(detail > 0 && detail <= 1)) refuse("the detail of an application is above 0 and at most 1");
  std::string known;
  for (const ApplicationInfo& info : all) {
    if (info.name == name) return info.make(detail);
    known += (known.empty() ? "" : ", ") + std::string(info.name);
  }
  refuse("there is no application '" + std::string(name) + "'; there are " + known);
}

}  // namespace graze::play
