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
/// Opens a file with the program that the desktop has for it. False: there is no desktop, or no such program.
bool open_with_desktop(const std::filesystem::path& file);
/// A new file in the folder for temporary files.
std::filesystem::path temporary_file(const std::string& stem, const std::string& ending);
/// Replaces this process by another program. Returns only if that fails: the reason.
std::string execute(const std::filesystem::path& program, std::vector<std::string> arguments);

}  // namespace graze::app
