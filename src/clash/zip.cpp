// SPDX-License-Identifier: MIT
#include "clash/zip.hpp"

#include <array>
#include <cstddef>
#include <limits>

#include "core/refusal.hpp"

namespace graze::clash {

namespace {

constexpr std::uint64_t most_bytes = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t most_entries = std::numeric_limits<std::uint16_t>::max();

/// Little endian.
class Record {
 public:
  Record& operator()(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) text_ += static_cast<char>(value >> (8 * i) & 255);
    return *this;
  }
  std::string_view text() const { return text_; }

 private:
  std::string text_;
};

constexpr std::array<std::uint32_t, 256> table = [] {
  std::array<std::uint32_t, 256> out{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int k = 0; k < 8; ++k) c = c & 1 ? 0xEDB88320 ^ c >> 1 : c >> 1;
    out[i] = c;
  }
  return out;
}();

constexpr std::uint64_t utf8_names = 1 << 11, first_date = 1 << 5 | 1;  // 1980-01-01

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t c = 0xFFFFFFFF;
  for (const char byte : bytes) c = table[(c ^ static_cast<unsigned char>(byte)) & 255] ^ c >> 8;
  return ~c;
}

void ZipWriter::write(std::string_view bytes) {
  out_ << bytes;
  written_ += bytes.size();
}

void ZipWriter::add(const std::string& name, std::string_view bytes) {
  if (written_ + bytes.size() + name.size() + 1024 > most_bytes)
    core::throw_if(core::problem(ErrorCode::too_large, "zip",
                                 "more than 4 GiB; write fewer clashes: ignore pairs by rules, or leave out touching"));
  Entry entry{name, crc32(bytes), static_cast<std::uint32_t>(bytes.size()), static_cast<std::uint32_t>(written_)};
  Record header;
  header(0x04034B50, 4)(20, 2)(utf8_names, 2)(0, 2)(0, 2)(first_date, 2);
  header(entry.checksum, 4)(entry.size, 4)(entry.size, 4)(name.size(), 2)(0, 2);
  write(header.text());
  write(name);
  write(bytes);
  entries_.push_back(std::move(entry));
}

void ZipWriter::finish() {
  const std::uint64_t start = written_;
  for (const Entry& entry : entries_) {
    Record header;
    header(0x02014B50, 4)(20, 2)(20, 2)(utf8_names, 2)(0, 2)(0, 2)(first_date, 2);
    header(entry.checksum, 4)(entry.size, 4)(entry.size, 4)(entry.name.size(), 2)(0, 2)(0, 2)(0, 2)(0, 2)(0, 4);
    header(entry.offset, 4);
    write(header.text());
    write(entry.name);
  }
  const std::uint64_t size = written_ - start, count = entries_.size();
  const bool many = count > most_entries, large = written_ > most_bytes;
  if (many || large) {
    Record end64;  // what the short end below has no room for
    end64(0x06064B50, 4)(44, 8)(45, 2)(45, 2)(0, 4)(0, 4)(count, 8)(count, 8)(size, 8)(start, 8);
    end64(0x07064B50, 4)(0, 4)(written_, 8)(1, 4);
    write(end64.text());
  }
  const std::uint64_t short_count = many ? most_entries : count;
  Record end;
  end(0x06054B50, 4)(0, 2)(0, 2)(short_count, 2)(short_count, 2)(large ? most_bytes : size, 4);
  end(large ? most_bytes : start, 4)(0, 2);
  write(end.text());
}

}  // namespace graze::clash
