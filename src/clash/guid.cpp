// SPDX-License-Identifier: MIT
#include "clash/guid.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <graze/clash/report.hpp>

namespace graze::clash {

namespace {

constexpr std::string_view ifc_digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$";
constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr std::size_t ifc_length = 22, uuid_length = 36;

std::optional<unsigned> hex_value(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

/// The 16 bytes of a UUID at the start of the text.
std::optional<std::array<unsigned, 16>> uuid_at(std::string_view text) {
  if (text.size() < uuid_length) return std::nullopt;
  std::array<unsigned, 16> bytes{};
  std::size_t digit = 0;
  for (std::size_t i = 0; i < uuid_length; ++i) {
    if (i == 8 || i == 13 || i == 18 || i == 23) {
      if (text[i] != '-') return std::nullopt;
      continue;
    }
    const auto value = hex_value(text[i]);
    if (!value) return std::nullopt;
    bytes[digit / 2] = bytes[digit / 2] * 16 + *value;
    ++digit;
  }
  return bytes;
}

/// The first byte as two digits, then three bytes as four digits, in base 64.
std::string ifc_guid_of(const std::array<unsigned, 16>& bytes) {
  std::string out;
  const auto add = [&](unsigned value, int digits) {
    for (int d = digits - 1; d >= 0; --d) out += ifc_digits[value >> (6 * d) & 63];
  };
  add(bytes[0], 2);
  for (std::size_t i = 1; i < 16; i += 3) add(bytes[i] << 16 | bytes[i + 1] << 8 | bytes[i + 2], 4);
  return out;
}

bool in_ifc_guid(char c) { return ifc_digits.find(c) != std::string_view::npos; }

}  // namespace

bool is_ifc_guid(std::string_view text) {
  if (text.size() != ifc_length || text[0] < '0' || text[0] > '3') return false;
  for (const char c : text)
    if (!in_ifc_guid(c)) return false;
  return true;
}

std::optional<std::string> ifc_guid_in(const std::string& text) {
  const std::string_view all = text;
  for (std::size_t i = 0; i + uuid_length <= all.size(); ++i)
    if (const auto bytes = uuid_at(all.substr(i))) return ifc_guid_of(*bytes);
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin;
    while (end < all.size() && in_ifc_guid(all[end])) ++end;
    const std::string_view word = all.substr(begin, end - begin);
    // A plain word of 22 letters is a name rather than a GUID: one in 30,000 GUIDs has no digit.
    if (is_ifc_guid(word) && word.find_first_of("0123456789", 1) != std::string_view::npos) return std::string(word);
    begin = end + 1;
  }
  return std::nullopt;
}

std::string uuid_of(std::string_view text) {
  // Two FNV-1a hashes from different starts, each mixed.
  std::array<std::uint64_t, 2> halves{0xCBF29CE484222325, 0x84222325CBF29CE4};
  for (std::uint64_t& h : halves) {
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD;
    h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53;
    h ^= h >> 33;
  }
  halves[0] = (halves[0] & ~std::uint64_t{0xF000}) | 0x8000;
  halves[1] = (halves[1] & ~(std::uint64_t{3} << 62)) | std::uint64_t{2} << 62;
  std::string out;
  for (const std::uint64_t h : halves)
    for (int shift = 60; shift >= 0; shift -= 4) {
      if (out.size() == 8 || out.size() == 13 || out.size() == 18 || out.size() == 23) out += '-';
      out += hex_digits[h >> shift & 15];
    }
  return out;
}

}  // namespace graze::clash
