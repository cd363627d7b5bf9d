// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "io/file_bytes.hpp"

namespace graze::io {

/// A buffer that grows by doubling, up to a limit. It always has space for one byte more than the limit, so that
/// exceeding the limit is detected.
class GrowingBytes {
 public:
  GrowingBytes(std::uint64_t first_capacity, std::uint64_t limit) : limit_(limit) { grow(first_capacity); }

  char* free_space() { return bytes_.data.get() + bytes_.size; }
  std::size_t free_size() const { return capacity_ - bytes_.size; }
  bool over_limit() const { return bytes_.size > limit_; }
  void used(std::size_t count) {
    bytes_.size += count;
    if (free_size() == 0 && !over_limit()) grow(2 * static_cast<std::uint64_t>(capacity_));
  }
  Bytes take() { return std::move(bytes_); }

 private:
  void grow(std::uint64_t capacity) {
    capacity_ = static_cast<std::size_t>(std::min(capacity, limit_ == max ? max : limit_ + 1));
    std::unique_ptr<char[]> larger(new char[capacity_]);
    if (bytes_.size) std::memcpy(larger.get(), bytes_.data.get(), bytes_.size);
    bytes_.data = std::move(larger);
  }

  static constexpr std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
  Bytes bytes_;
  std::size_t capacity_ = 0;
  std::uint64_t limit_;
};

}  // namespace graze::io
