// SPDX-License-Identifier: MIT
// Certified state validity checkers and motion validators for OMPL, of rigid bodies and of robots. Header only, and not
// part of graze/graze.hpp: include it where OMPL 1.5 or later is at hand. The library itself does not use OMPL.
#pragma once

#include <graze/core/export.hpp>  // first: it says that C++20 is needed

#include <graze/ompl/rigid.hpp>
#include <graze/ompl/robot.hpp>
