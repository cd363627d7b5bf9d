// SPDX-License-Identifier: MIT
// What differs between operating systems; every #if about them is in system.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace graze::app {

bool output_is_terminal();
bool messages_are_on_terminal();

/// Memory that this process has now, in bytes; 0 where the system does not tell.
std::uint64_t process_bytes();

/// The file of this program. Throws `std::system_error` where the system does not tell.
std::filesystem::path program_file();
/// Replaces this process by another program. Returns only if that fails: the reason.
std::string execute(const std::filesystem::path& program, std::vector<std::string> arguments);

}  // namespace graze::app
