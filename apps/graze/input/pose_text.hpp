// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <graze/math/pose.hpp>

namespace graze::app {

/// The double nearest to a decimal number ("nan" and "inf" too: the library refuses them where they are not allowed).
/// Empty if the text is anything else, or outside the range of a double.
std::optional<double> parse_number(std::string_view text);

/// The same for an option's value; throws `Error` naming the option.
double parse_option_number(std::string_view text, const std::string& option);

/// Numbers separated by blanks or commas; throws `Error` naming the option.
std::vector<double> parse_numbers(std::string_view text, const std::string& option);

/// "tx ty tz qw qx qy qz", or 16 numbers of a matrix row by row. Throws `Error` naming the option.
Pose parse_pose(std::string_view text, const std::string& option);

/// Does the text hold a matrix (16 numbers)?
bool is_matrix(std::string_view text);

/// Seven numbers that `parse_pose` reads back without loss.
std::string pose_text(const Pose& pose);

/// The text between separators, without surrounding blanks; empty fields are kept.
std::vector<std::string_view> split_fields(std::string_view line, char separator);

}  // namespace graze::app
