// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/portability.hpp"
#include "io/gzip.hpp"

namespace graze::io {

/// A file that appears under its name only when it is complete: it is written next to it under a temporary name and
/// renamed by `finish`. Anything but a regular file (a pipe, a device) is written directly. Failures throw `Error` with
/// cannot_write.
class OutputFile {
 public:
  OutputFile(const std::filesystem::path& file, bool compress);
  /// No file: everything is kept in memory for `take`.
  OutputFile() = default;
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  OutputFile& operator<<(std::string_view text) {
    buffer_.append(text);
    if (buffer_.size() >= buffer_limit && stream_) flush(false);
    return *this;
  }
  OutputFile& operator<<(char c) { return *this << std::string_view(&c, 1); }
  /// The shortest text that parses back to the same number.
  OutputFile& operator<<(double value) { return shortest(value); }
  OutputFile& operator<<(float value) { return shortest(value); }
  OutputFile& operator<<(std::uint64_t value) { return shortest(value); }
  OutputFile& operator<<(std::uint32_t value) { return shortest(value); }

  /// Writes all buffered data and gives the file its name.
  void finish();
  /// Without a file: all that was written.
  std::string take() { return std::move(buffer_); }

 private:
  static constexpr std::size_t buffer_limit = 1 << 18;

  template <class T>
  OutputFile& shortest(T value) {
    char text[40];
    return *this << std::string_view(
               text, static_cast<std::size_t>(core::to_chars(text, text + sizeof text, value).ptr - text));
  }
  void open_beside();
  void flush(bool last);
  void write(const char* data, std::size_t size);
  [[noreturn]] void fail(const std::string& why);

  std::filesystem::path target_, partial_;
  std::FILE* stream_ = nullptr;
  std::unique_ptr<GzipPacker> packer_;
  std::string buffer_;
};

}  // namespace graze::io
