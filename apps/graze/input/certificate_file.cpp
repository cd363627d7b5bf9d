// SPDX-License-Identifier: MIT
#include "input/certificate_file.hpp"

#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include <graze/core/error.hpp>

#include "input/refuse_file.hpp"

namespace graze::app {

std::size_t separations(const Certificate& certificate) {
  std::size_t count = 0;
  for (const std::string_view mark : {"\nS ", "\nT "})  // along a fixed direction, or one that turns with a body
    for (std::size_t at = certificate.text.find(mark); at != std::string::npos;
         at = certificate.text.find(mark, at + mark.size()))
      ++count;
  return count;
}

void save_certificate(const std::string& file, const FirstContactResult& result) {
  save_or_remove(file, result.certificate ? &result.certificate->text : nullptr);
}

void save_or_remove(const std::string& file, const std::string* text) {
  if (text) return write_file(file, *text);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(file, ignored)) std::filesystem::remove(file, ignored);
}

void write_file(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (out) return;
  refuse_file(ErrorCode::cannot_write, file, "cannot be written; check the folder, the rights and the space left");
}

}  // namespace graze::app
