// SPDX-License-Identifier: MIT
#include "input/pose_path.hpp"

#include <cstdint>
#include <fstream>

#include <fmt/format.h>
#include <graze/core/error.hpp>

#include "input/pose_text.hpp"
#include "input/query_options.hpp"
#include "input/refuse_file.hpp"

namespace graze::app {

std::vector<Pose> read_pose_path(const std::string& file, const std::string& order) {
  if (order != "wxyz" && order != "xyzw")
    refuse_option("--quaternion", fmt::format("unknown order '{}'; choose wxyz or xyzw", order));
  std::ifstream in(file);
  if (!in) refuse_file(ErrorCode::file_not_found, file, "cannot be opened; check the name and the rights");
  std::vector<Pose> poses;
  std::string text;
  for (std::uint64_t line = 1; std::getline(in, text); ++line) {
    text = text.substr(0, text.find('#'));
    if (text.find_first_not_of(" \t\r,") == text.npos) continue;
    try {
      const std::vector<double> v = parse_numbers(text, "--a-path");
      if (v.size() != 7)
        refuse_file(ErrorCode::bad_file, file,
                    fmt::format("has {} numbers; a pose is x y z and a quaternion {}", v.size(), order), line);
      poses.push_back(order == "xyzw" ? Pose({v[0], v[1], v[2]}, {v[6], v[3], v[4], v[5]})
                                      : Pose({v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}));
    } catch (const Error& error) {
      ErrorDetail detail = error.detail();
      detail.element.clear();
      detail.file = file;
      detail.line = line;
      throw Error(detail);
    }
  }
  if (in.bad()) refuse_file(ErrorCode::bad_file, file, "cannot be read to its end; is it a plain file?");
  if (poses.size() < 2)
    refuse_file(ErrorCode::bad_file, file, fmt::format("has {} poses; a path has at least two", poses.size()));
  return poses;
}

}  // namespace graze::app
