// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace graze::motion {

/// Adds a number to a description, in full.
void append(std::string& text, double number);

}  // namespace graze::motion
