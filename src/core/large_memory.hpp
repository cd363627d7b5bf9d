// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace graze::core {

/// Allocations of at least one large page use large pages where the operating system lets programs request them
/// (Linux): page faults on thousands of small pages, one by one at their first access, take longer than many a pass
/// over the data. Throws std::bad_alloc. Release with `free_large`.
void* allocate_large(std::size_t bytes);
void free_large(void* memory);

template <class T>
struct LargeAllocator {
  using value_type = T;
  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) {}  // NOLINT(google-explicit-constructor): converting, like every allocator
  T* allocate(std::size_t n) { return static_cast<T*>(allocate_large(n * sizeof(T))); }
  void deallocate(T* p, std::size_t) { free_large(p); }
  friend bool operator==(const LargeAllocator&, const LargeAllocator&) { return true; }
};
/// For arrays proportional to the size of a mesh.
template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

/// One block of memory for long-lived arrays. A large block uses large pages where the operating system lets programs
/// request them (Linux): traversing a tree of megabytes on small pages costs a page table walk at nearly every step,
/// unless the TLB still holds its entries.
class LargeMemory {
 public:
  LargeMemory() = default;
  explicit LargeMemory(std::size_t bytes);

  /// Copies an array into the block, after those already stored, at a multiple of 64 bytes. The block must be large
  /// enough; `bytes_for` returns the number of bytes that an array takes.
  template <class T>
  std::span<const T> add(std::span<const T> values) {
    auto* const at = reinterpret_cast<T*>(data_.get() + used_);
    used_ += bytes_for(values);
    std::uninitialized_copy(values.begin(), values.end(), at);
    return {at, values.size()};
  }
  template <class T>
  static std::size_t bytes_for(std::span<const T> values) {
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
