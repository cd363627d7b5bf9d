// SPDX-License-Identifier: MIT
#include "given_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include <sys/stat.h>
#include <wasi/api.h>

namespace graze::web {
namespace {

struct OpenFile {
  const GivenFile* file = nullptr;  // none: closed
  std::size_t at = 0;
};

std::vector<GivenFile>& given() {
  static std::vector<GivenFile> files;
  return files;
}
std::vector<OpenFile>& opened() {
  static std::vector<OpenFile> files;
  return files;
}
constexpr long first_descriptor = 3;  // after those of every program

std::string_view last_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == path.npos ? path : path.substr(slash + 1);
}

/// "a/./b/../c" as "a/c".
std::string plain(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..")
      parts.pop_back();
    else
      parts.push_back(part);
  }
  std::string out;
  for (const std::string_view part : parts) out += (out.empty() ? "" : "/") + std::string(part);
  return out;
}

/// The file at this path. Pages get files without their folders: then the one file with this last name, if it is the
/// only one.
const GivenFile* find(const char* path) {
  const std::string wanted = plain(path);
  for (const GivenFile& file : given())
    if (plain(file.name) == wanted) return &file;
  const GivenFile* found = nullptr;
  for (const GivenFile& file : given())
    if (last_name(file.name) == last_name(wanted)) {
      if (found) return nullptr;
      found = &file;
    }
  return found;
}

OpenFile* at(__wasi_fd_t descriptor) {
  const auto number = static_cast<std::size_t>(descriptor) - first_descriptor;
  return number < opened().size() && opened()[number].file ? &opened()[number] : nullptr;
}

long describe(const GivenFile* file, struct stat* out) {
  if (!file) return -ENOENT;
  *out = {};
  out->st_mode = S_IFREG | 0444;
  out->st_nlink = 1;
  out->st_ino = static_cast<ino_t>(file - given().data() + 1);
  out->st_size = static_cast<off_t>(file->bytes.size());
  return 0;
}

}  // namespace

GivenFiles::GivenFiles(std::vector<GivenFile> files) { given() = std::move(files); }

GivenFiles::~GivenFiles() {
  given().clear();
  opened().clear();
}

}  // namespace graze::web

// The system calls of emscripten's C library. Those that are missing here find no file, or are refused by it.
extern "C" {

using namespace graze::web;  // NOLINT: the functions below are part of it but for their names

long __syscall_open(const char* path, long flags, ...) {
  if ((flags & 3) != 0) return -EROFS;  // not only for reading
  const GivenFile* const file = find(path);
  if (!file) return -ENOENT;
  opened().push_back({file, 0});
  return first_descriptor + static_cast<long>(opened().size()) - 1;
}

long __syscall_stat64(const char* path, struct stat* out) { return describe(find(path), out); }
long __syscall_lstat64(const char* path, struct stat* out) { return describe(find(path), out); }
long __syscall_fstat64(long descriptor, struct stat* out) {
  const OpenFile* const open = at(static_cast<__wasi_fd_t>(descriptor));
  return open ? describe(open->file, out) : -EBADF;
}

__wasi_errno_t __wasi_fd_read(__wasi_fd_t descriptor, const __wasi_iovec_t* parts, size_t count, __wasi_size_t* read) {
  OpenFile* const open = at(descriptor);
  if (!open) return __WASI_ERRNO_BADF;
  *read = 0;
  for (size_t i = 0; i < count; ++i) {
    const std::size_t size = std::min<std::size_t>(parts[i].buf_len, open->file->bytes.size() - open->at);
    if (size > 0) std::memcpy(parts[i].buf, open->file->bytes.data() + open->at, size);
    open->at += size;
    *read += static_cast<__wasi_size_t>(size);
  }
  return __WASI_ERRNO_SUCCESS;
}

__wasi_errno_t __wasi_fd_seek(__wasi_fd_t descriptor, __wasi_filedelta_t offset, __wasi_whence_t whence,
                              __wasi_filesize_t* position) {
  OpenFile* const open = at(descriptor);
  if (!open) return __WASI_ERRNO_BADF;
  const auto size = static_cast<std::int64_t>(open->file->bytes.size());
  const std::int64_t from = whence == __WASI_WHENCE_SET   ? 0
                            : whence == __WASI_WHENCE_CUR ? static_cast<std::int64_t>(open->at)
                                                          : size;
  if (offset < -from || offset > size - from) return __WASI_ERRNO_INVAL;
  open->at = static_cast<std::size_t>(from + offset);
  *position = static_cast<__wasi_filesize_t>(open->at);
  return __WASI_ERRNO_SUCCESS;
}

__wasi_errno_t __wasi_fd_close(__wasi_fd_t descriptor) {
  OpenFile* const open = at(descriptor);
  if (!open) return __WASI_ERRNO_BADF;
  open->file = nullptr;
  while (!opened().empty() && !opened().back().file) opened().pop_back();
  return __WASI_ERRNO_SUCCESS;
}
}
