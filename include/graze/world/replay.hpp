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

class World;

struct ReplayResult {
  std::uint64_t calls = 0;  ///< all lines that are calls of the world
  std::uint64_t checks = 0, sweeps = 0, events = 0;
  std::uint64_t questions = 0;           ///< all but checks and sweeps
  std::uint64_t event_hash = 0;          ///< hash of all events, as computed by `graze cage`
  std::vector<std::uint64_t> different;  ///< line numbers of questions whose answer differs from the recorded one
};

/// Replays a recording (`World::record`) on a new world and compares the answers. `on_check` receives the result of
/// every check. Throws `Error` (file_not_found, bad_file with the line).
GRAZE_API ReplayResult replay_world(const std::string& file,
                                    const std::function<void(const CheckResult&)>& on_check = {});
/// The same from a stream; `name` replaces the file name in messages.
GRAZE_API ReplayResult replay_world(std::istream& in, const std::string& name,
                                    const std::function<void(const CheckResult&)>& on_check = {});

/// The same; `on_check` also receives the world as it is at that check, for pictures.
GRAZE_API ReplayResult replay_world(const std::string& file,
                                    const std::function<void(const World&, const CheckResult&)>& on_check);

/// True if the file starts like a recording.
GRAZE_API bool is_recording(const std::string& file);

}  // namespace graze
