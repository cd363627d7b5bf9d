// SPDX-License-Identifier: MIT
#include "system.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

#if defined(_WIN32)
#include <io.h>
#include <process.h>
#else
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
extern char** environ;
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

#if defined(_WIN32)
namespace {
bool run_program(const char* program, const std::string& argument) {
  return _spawnlp(_P_WAIT, program, program, argument.c_str(), nullptr) == 0;
}
}  // namespace
bool open_with_desktop(const std::filesystem::path& file) { return run_program("explorer", file.string()); }
#else
namespace {
bool run_program(const char* program, std::string argument) {
  std::string name = program;
  char* const arguments[] = {name.data(), argument.data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, program, nullptr, nullptr, arguments, environ) != 0) return false;
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
}  // namespace
#if defined(__APPLE__)
bool open_with_desktop(const std::filesystem::path& file) { return run_program("open", file.string()); }
#else
bool open_with_desktop(const std::filesystem::path& file) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return false;
  return run_program("xdg-open", file.string());
}
#endif
#endif

std::filesystem::path temporary_file(const std::string& stem, const std::string& ending) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
#if defined(_WIN32)
  for (int k = 0;; ++k) {
    std::filesystem::path file = folder / (stem + "-" + std::to_string(_getpid()) + "-" + std::to_string(k) + ending);
    if (!std::filesystem::exists(file)) return file;
  }
#else
  std::string name = (folder / (stem + "-XXXXXX" + ending)).string();
  const int file = mkstemps(name.data(), static_cast<int>(ending.size()));
  if (file < 0) throw std::system_error(errno, std::generic_category(), "no temporary file in " + folder.string());
  close(file);
  return name;
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
