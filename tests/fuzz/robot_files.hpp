// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <graze/robot/robot.hpp>
#include <graze/robot/urdf.hpp>

namespace graze::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A file of this process with these contents.
inline std::filesystem::path file_of(std::string_view contents, const char* name) {
  static const std::filesystem::path folder = [] {
    std::filesystem::path own = std::filesystem::temp_directory_path() / ("graze_fuzz_" + std::to_string(::getpid()));
    std::filesystem::create_directories(own);
    return own;
  }();
  std::ofstream(folder / name, std::ios::binary).write(contents.data(), static_cast<std::streamsize>(contents.size()));
  return folder / name;
}

/// The files are either read into a robot that can be asked, or refused with file, position and reason.
inline int read_robot(const RobotFiles& files) {
  try {
    const Robot robot(load_robot(files));
    if (robot.coordinates() == 0 || robot.coordinates() > 50) return 0;
    const std::vector<double> q(robot.coordinates(), 0.25);
    const StateResult state = robot.check(q);
    if (state.status == Status::undecided) std::abort();
    if (state.status == Status::invalid_request && (!state.error || state.error->message.empty())) std::abort();
    for (const RobotState& named : robot.model().states) {
      std::vector<double> at = q;
      robot.set_named_state(named.group + "/" + named.name, at);
    }
  } catch (const Error& error) {
    const ErrorDetail& detail = error.detail();
    if (detail.message.empty()) std::abort();
    // What the chain refuses names the link, but not the file.
    if (detail.element.empty() && (detail.file.empty() || detail.line == ErrorDetail::none)) std::abort();
  }
  return 0;
}

}  // namespace graze::fuzz
