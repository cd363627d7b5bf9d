// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace graze::core {

/// Memory of the size of large pages or more lies on them where the system lets programs ask for them (Linux): asking
/// the system for thousands of small ones, one by one as they are first touched, takes longer than many a pass over
/// them. Throws std::bad_alloc. To be given back with `free_large`.
void* allocate_large(std::size_t bytes);
void free_large(void* memory);

template <class T>
struct LargeAllocator {
  using value_type = T;
  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) {}  // NOLINT(google-explicit-constructor): as allocators are
  T* allocate(std::size_t n) { return static_cast<T*>(allocate_large(n * sizeof(T))); }
  void deallocate(T* p, std::size_t) { free_large(p); }
  friend bool operator==(const LargeAllocator&, const LargeAllocator&) { return true; }
};
/// For arrays as long as a mesh.
template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

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
