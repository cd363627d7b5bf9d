// SPDX-License-Identifier: MIT
#include "clash/csv_reader.hpp"

#include <fstream>
#include <iterator>
#include <utility>

#include "input/refuse_file.hpp"

namespace graze::app {

CsvReader::CsvReader(std::string file) : file_(std::move(file)) {
  std::ifstream in(file_, std::ios::binary);
  if (!in) refuse_file(ErrorCode::file_not_found, file_, "cannot be opened; does it exist, and may it be read?");
  text_.assign(std::istreambuf_iterator<char>(in), {});
  if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
}

std::optional<std::vector<std::string>> CsvReader::next() {
  if (at_ >= text_.size()) return std::nullopt;
  line_ = next_line_;
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '\n') ++next_line_;
    if (quoted) {
      if (c != '"') {
        fields.back() += c;
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        fields.back() += '"';
        ++at_;
      } else {
        quoted = false;
      }
    } else if (c == '"' && fields.back().empty()) {
      quoted = true;
    } else if (c == ',') {
      fields.emplace_back();
    } else if (c == '\n') {
      ++at_;
      return fields;
    } else if (c != '\r' || at_ + 1 >= text_.size() || text_[at_ + 1] != '\n') {
      fields.back() += c;
    }
  }
  if (quoted) refuse("a quote is opened here and never closed");
  return fields;
}

void CsvReader::refuse(std::string message) const {
  refuse_file(ErrorCode::bad_file, file_, std::move(message), line_);
}

}  // namespace graze::app
