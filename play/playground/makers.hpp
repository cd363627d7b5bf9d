// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <graze/body/body.hpp>

#include "playground/application.hpp"

namespace graze::play {

std::unique_ptr<Application> make_bunnies(double detail);
std::unique_ptr<Application> make_door(double detail);
std::unique_ptr<Application> make_car(double detail);
std::unique_ptr<Application> make_engine(double detail);
std::unique_ptr<Application> make_assembly(double detail);
std::unique_ptr<Application> make_hands(double detail);
std::unique_ptr<Application> make_cage(double detail);
std::unique_ptr<Application> make_potter(double detail);
std::unique_ptr<Application> make_buttons(double detail);
std::unique_ptr<Application> make_cloth(double detail);
std::unique_ptr<Application> make_robot(double detail);

/// A mesh that looks like the body: its own, or one of the shape's kind. Of a half-space a wide plate.
Mesh picture(const Body& body);

}  // namespace graze::play
