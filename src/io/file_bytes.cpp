// SPDX-License-Identifier: MIT
#include "io/file_bytes.hpp"

#include <cerrno>
#include <cstdio>
#include <limits>
#include <string>
#include <system_error>

#include "io/growing_bytes.hpp"
#include "io/source.hpp"

namespace graze::io {
namespace {

[[noreturn]] void fail_to_open(const std::filesystem::path& file, const std::string& why) {
  ErrorDetail detail;
  detail.code = ErrorCode::file_not_found;
  detail.file = file.string();
  detail.message = "cannot read the file: " + why + "; check the path and its permissions";
  throw Error(std::move(detail));
}

std::string reason(int error) { return std::generic_category().message(error); }

}  // namespace

Bytes read_file(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (std::filesystem::is_directory(status)) fail_to_open(file, "it is a folder");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.string().c_str(), "rb"), &std::fclose);
  if (!stream) fail_to_open(file, reason(errno));
  std::setvbuf(stream.get(), nullptr, _IONBF, 0);
  const bool regular = std::filesystem::is_regular_file(status);
  const std::uintmax_t size = regular ? std::filesystem::file_size(file, error) : 0;
  const std::uint64_t limit = regular ? std::numeric_limits<std::uint64_t>::max() : unpacked_limit;
  // One byte more than the file has, so that the end is detected without growing the buffer.
  GrowingBytes bytes(!error && size > 0 ? size + 1 : 1 << 16, limit);
  for (;;) {
    const std::size_t got = std::fread(bytes.free_space(), 1, bytes.free_size(), stream.get());
    bytes.used(got);
    if (bytes.over_limit())
      fail_at_element({{}, file.string()}, "byte", unpacked_limit, ErrorCode::too_large,
                      "more than 4 GiB come from what is not a plain file; save it as a file first");
    if (got > 0) continue;
    if (std::ferror(stream.get())) fail_to_open(file, reason(errno));
    return bytes.take();
  }
}

}  // namespace graze::io
