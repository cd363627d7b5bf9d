// SPDX-License-Identifier: MIT
#include "system.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>

#if defined(_WIN32)
#include <io.h>
#include <process.h>
#else
#include <unistd.h>
#endif
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

namespace graze::app {

#if defined(_WIN32)
bool output_is_terminal() { return _isatty(_fileno(stdout)) != 0; }
bool messages_are_on_terminal() { return _isatty(_fileno(stderr)) != 0; }
#else
bool output_is_terminal() { return isatty(STDOUT_FILENO) == 1; }
bool messages_are_on_terminal() { return isatty(STDERR_FILENO) == 1; }
#endif

std::uint64_t process_bytes() {
#if defined(__linux__)
  std::uint64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
#else
  return 0;
#endif
}

std::filesystem::path program_file() {
#if defined(__APPLE__)
  std::uint32_t size = 0;
  _NSGetExecutablePath(nullptr, &size);
  std::string path(size, '\0');
  if (_NSGetExecutablePath(path.data(), &size) != 0) throw std::system_error(ENOENT, std::generic_category());
  return std::filesystem::canonical(path.c_str());
#elif defined(_WIN32)
  return std::filesystem::canonical(_pgmptr);
#else
  return std::filesystem::read_symlink("/proc/self/exe");
#endif
}

std::string execute(const std::filesystem::path& program, std::vector<std::string> arguments) {
  const std::string file = program.string();
  arguments.insert(arguments.begin(), file);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
#if defined(_WIN32)
  _execv(file.c_str(), pointers.data());
#else
  execv(file.c_str(), pointers.data());
#endif
  return std::strerror(errno);
}

}  // namespace graze::app
