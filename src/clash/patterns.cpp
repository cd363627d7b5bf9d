// SPDX-License-Identifier: MIT
#include <cstddef>

#include <graze/clash/clash.hpp>

namespace graze::clash {

namespace {

/// The end of the set that begins at `open`, one past its bracket; `open` if it is not closed. A bracket right after
/// the first one, or after its !, belongs to the set.
std::size_t end_of_set(std::string_view pattern, std::size_t open) {
  std::size_t at = open + 1;
  if (at < pattern.size() && pattern[at] == '!') ++at;
  if (at < pattern.size() && pattern[at] == ']') ++at;
  while (at < pattern.size() && pattern[at] != ']') ++at;
  return at < pattern.size() ? at + 1 : open;
}

/// `set` is what is between the brackets.
bool in_set(std::string_view set, unsigned char c) {
  const bool negated = !set.empty() && set[0] == '!';
  if (negated) set.remove_prefix(1);
  bool found = false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const auto low = static_cast<unsigned char>(set[i]);
    auto high = low;
    if (i + 2 < set.size() && set[i + 1] == '-') {
      high = static_cast<unsigned char>(set[i + 2]);
      i += 2;
    }
    found = found || (low <= c && c <= high);
  }
  return found != negated;
}

std::size_t character_length(std::string_view text, std::size_t at) {
  std::size_t length = 1;
  while (at + length < text.size() && (static_cast<unsigned char>(text[at + length]) & 0xC0) == 0x80) ++length;
  return length;
}

}  // namespace

bool matches(std::string_view pattern, std::string_view text) {
  // After a '*' that has matched a part of the text, a later failure only needs to go back to the last '*': what came
  // before it has been matched as early as possible.
  std::size_t p = 0, t = 0, star = std::string_view::npos, star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
      continue;
    }
    if (p < pattern.size() && pattern[p] == '?') {
      ++p;
      t += character_length(text, t);
      continue;
    }
    const std::size_t set_end = p < pattern.size() && pattern[p] == '[' ? end_of_set(pattern, p) : p;
    if (set_end > p) {
      if (in_set(pattern.substr(p + 1, set_end - p - 2), static_cast<unsigned char>(text[t]))) {
        p = set_end;
        ++t;
        continue;
      }
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
      continue;
    }
    if (star == std::string_view::npos) return false;
    p = star + 1;
    t = ++star_text;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace graze::clash
