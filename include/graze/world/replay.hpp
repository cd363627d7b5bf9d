// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include <graze/core/export.hpp>
#include <graze/world/event.hpp>

namespace graze {

struct ReplayResult {
  std::uint64_t calls = 0;  ///< all lines that called the world
  std::uint64_t checks = 0, sweeps = 0, events = 0;
  std::uint64_t questions = 0;           ///< about near pairs, rays and boxes
  std::uint64_t event_hash = 0;          ///< of all events, as `graze cage` computes it
  std::vector<std::uint64_t> different;  ///< lines of questions that now get another answer
};

/// Makes the calls of a recording again (`World::record`), on a new world, and compares what comes out. `on_check` gets
/// every check's result. Throws `Error` (file_not_found, bad_file with the line).
GRAZE_API ReplayResult replay_world(const std::string& file,
                                    const std::function<void(const CheckResult&)>& on_check = {});
/// The same from a stream; `name` stands for the file in messages.
GRAZE_API ReplayResult replay_world(std::istream& in, const std::string& name,
                                    const std::function<void(const CheckResult&)>& on_check = {});

/// Does the file begin as a recording does?
GRAZE_API bool is_recording(const std::string& file);

}  // namespace graze
