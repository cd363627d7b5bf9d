// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace graze::core {

/// One block of memory for arrays that stay. Where the system lets programs ask for large pages (Linux), a large block
/// lies on them: walking a tree of megabytes on small ones costs a look into the page tables at nearly every step,
/// unless nobody else has used the processor's table of pages since.
class LargeMemory {
 public:
  LargeMemory() = default;
  explicit LargeMemory(std::size_t bytes);

  /// Copies an array into the block, behind those that are there, at a multiple of 64 bytes. The block has to have
  /// room; `room_for` says how much an array takes.
  template <class T>
  std::span<const T> add(std::span<const T> values) {
    auto* const at = reinterpret_cast<T*>(data_.get() + used_);
    used_ += room_for(values);
    std::uninitialized_copy(values.begin(), values.end(), at);
    return {at, values.size()};
  }
  template <class T>
  static std::size_t room_for(std::span<const T> values) {
    return (values.size_bytes() + 63) / 64 * 64;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(std::byte* p) const;
  };
  std::unique_ptr<std::byte, Free> data_;
  std::size_t bytes_ = 0, used_ = 0;
};

}  // namespace graze::core
