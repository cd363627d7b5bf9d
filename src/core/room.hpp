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
class Room {
 public:
  Room(void* space, std::size_t bytes) : at_(static_cast<std::byte*>(space)), left_(bytes), next_(2 * bytes) {}
  ~Room() {
    while (blocks_) ::operator delete(std::exchange(blocks_, blocks_->before));
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

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

/// Allocates in a Room, or on the heap without one. A copy of a container is allocated on the heap: it may outlive the
/// Room.
template <class T>
class RoomAllocator {
 public:
  using value_type = T;
  RoomAllocator(Room* room = nullptr) : room_(room) {}  // not explicit: containers take a Room*
  template <class Other>
  RoomAllocator(const RoomAllocator<Other>& other) : room_(other.room()) {}

  T* allocate(std::size_t n) {
    if (!room_) return std::allocator<T>().allocate(n);
    if (n > PTRDIFF_MAX / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(room_->take(n * sizeof(T), alignof(T)));
  }
  void deallocate(T* p, std::size_t n) {
    if (!room_) std::allocator<T>().deallocate(p, n);
  }
  RoomAllocator select_on_container_copy_construction() const { return {}; }
  Room* room() const { return room_; }
  friend bool operator==(const RoomAllocator& a, const RoomAllocator& b) { return a.room_ == b.room_; }

 private:
  Room* room_;
};

template <class T>
using RoomVector = std::vector<T, RoomAllocator<T>>;

}  // namespace graze::core
