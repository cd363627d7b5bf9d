// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace graze::motion {

/// Appends a number to a description, with all its digits.
void append(std::string& text, double number);

}  // namespace graze::motion
