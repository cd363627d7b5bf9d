// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <graze/body/body.hpp>
#include <graze/math/pose.hpp>
#include <graze/world/world.hpp>

namespace graze::play {

struct ButtonEvent {
  std::size_t button = 0;
  bool pressed = false;  ///< false: released
};

/// Virtual buttons (Zachmann 9): a button is pressed as long as a finger touches it. It can be polled, and it tells
/// when it is pressed and released; both say the same.
class ButtonPanel {
 public:
  /// Several fingers are one: a button is released when the last one leaves it.
  std::size_t add_finger(const Body& body, const Pose& pose);
  std::size_t add_button(std::string name, const Body& body, const Pose& pose);
  void move_finger(std::size_t finger, const Pose& pose);
  /// Looks at where the fingers are now, and returns what changed since the last call, ordered by button.
  std::vector<ButtonEvent> update();

  std::size_t size() const { return buttons_.size(); }
  const std::string& name(std::size_t button) const { return buttons_[button].name; }
  bool pressed(std::size_t button) const { return buttons_[button].touches > 0; }

 private:
  struct Button {
    std::string name;
    BodyId id;
    int touches = 0;  // fingers on it
  };

  World world_;
  std::vector<Button> buttons_;
  std::vector<BodyId> fingers_;
};

}  // namespace graze::play
