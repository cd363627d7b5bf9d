// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace graze::core {

/// An arena for the containers of one call: a fixed buffer first, often on the stack, then the heap. Nothing is freed
/// before the end. (A replacement for std::pmr::monotonic_buffer_resource, which not every standard library has.)
class Arena {
 public:
  Arena(void* space, std::size_t bytes) : at_(static_cast<std::byte*>(space)), left_(bytes), next_(2 * bytes) {}
  ~Arena() {
    while (blocks_) ::operator delete(std::exchange(blocks_, blocks_->before));
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  void* take(std::size_t bytes, std::size_t alignment) {
    void* at = at_;
    if (!std::align(alignment, bytes, at, left_)) at = new_block(bytes, alignment);
    at_ = static_cast<std::byte*>(at) + bytes;
    left_ -= bytes;
    return at;
  }

 private:
  struct alignas(std::max_align_t) Block {
    Block* before;
  };

  void* new_block(std::size_t bytes, std::size_t alignment) {
    left_ = (bytes > next_ ? bytes : next_) + alignment;
    void* const memory = ::operator new(sizeof(Block) + left_);
    blocks_ = new (memory) Block{blocks_};
    next_ = 2 * left_;
    void* at = blocks_ + 1;
    return std::align(alignment, bytes, at, left_);  // never null: the buffer includes space for the alignment
  }

  std::byte* at_;
  std::size_t left_, next_;
  Block* blocks_ = nullptr;
};

/// Allocates in an Arena, or on the heap without one. A copy of a container is allocated on the heap: it may outlive
/// the Arena.
template <class T>
class ArenaAllocator {
 public:
  using value_type = T;
  ArenaAllocator(Arena* arena = nullptr) : arena_(arena) {}  // not explicit: containers take an Arena*
  template <class Other>
  ArenaAllocator(const ArenaAllocator<Other>& other) : arena_(other.arena()) {}

  T* allocate(std::size_t n) {
    if (!arena_) return std::allocator<T>().allocate(n);
    if (n > PTRDIFF_MAX / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(arena_->take(n * sizeof(T), alignof(T)));
  }
  void deallocate(T* p, std::size_t n) {
    if (!arena_) std::allocator<T>().deallocate(p, n);
  }
  ArenaAllocator select_on_container_copy_construction() const { return {}; }
  Arena* arena() const { return arena_; }
  friend bool operator==(const ArenaAllocator& a, const ArenaAllocator& b) { return a.arena_ == b.arena_; }

 private:
  Arena* arena_;
};

template <class T>
using ArenaVector = std::vector<T, ArenaAllocator<T>>;

}  // namespace graze::core
