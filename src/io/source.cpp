// SPDX-License-Identifier: MIT
#include "io/source.hpp"

#include <utility>

namespace graze::io {

void fail_at_line(const Source& source, std::uint64_t line, ErrorCode code, std::string message) {
  ErrorDetail detail;
  detail.code = code;
  detail.message = std::move(message);
  detail.file = source.name;
  detail.line = line;
  throw Error(std::move(detail));
}

void fail_at_element(const Source& source, std::string_view element, std::uint64_t id, ErrorCode code,
                     std::string message) {
  ErrorDetail detail;
  detail.code = code;
  detail.message = std::move(message);
  detail.file = source.name;
  detail.element = element;
  detail.id = id;
  throw Error(std::move(detail));
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string out = "'";
  for (char c : text.substr(0, longest)) out += (c >= ' ' && c <= '~') ? c : '?';
  if (text.size() > longest) out += "...";
  return out + "'";
}

}  // namespace graze::io
