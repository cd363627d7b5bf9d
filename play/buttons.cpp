// SPDX-License-Identifier: MIT
#include "buttons.hpp"

#include <algorithm>

namespace graze::play {

// Fingers and buttons are groups of their own, so that neither is tested against its own kind.
constexpr std::uint32_t finger_group = 1, button_group = 2;

std::size_t ButtonPanel::add_finger(const Body& body, const Pose& pose) {
  fingers_.push_back(world_.add(body, pose, {.group = finger_group, .mask = button_group}));
  return fingers_.size() - 1;
}

std::size_t ButtonPanel::add_button(std::string name, const Body& body, const Pose& pose) {
  const BodyId id = world_.add(body, pose, {.name = name, .group = button_group, .mask = finger_group});
  buttons_.push_back({std::move(name), id, 0});
  return buttons_.size() - 1;
}

void ButtonPanel::move_finger(std::size_t finger, const Pose& pose) { world_.move(fingers_[finger], pose); }

std::vector<ButtonEvent> ButtonPanel::update() {
  std::vector<bool> before;
  for (const Button& button : buttons_) before.push_back(button.touches > 0);
  for (const WorldEvent& event : world_.check().events) {
    if (event.kind != EventKind::began && event.kind != EventKind::ended) continue;
    for (Button& button : buttons_)
      if (button.id == event.a || button.id == event.b) button.touches += event.kind == EventKind::began ? 1 : -1;
  }
  std::vector<ButtonEvent> events;
  for (std::size_t i = 0; i < buttons_.size(); ++i)
    if (pressed(i) != before[i]) events.push_back({i, pressed(i)});
  return events;
}

}  // namespace graze::play
