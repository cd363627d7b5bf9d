// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace graze::motion {

/// Appends a number to a description, with all its digits.
void append(std::string& text, double number);

/// Does a joint of the described motion follow a polynomial of time?
bool states_courses(const std::string& description);

}  // namespace graze::motion
