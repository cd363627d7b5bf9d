// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "gpu/device_code.hpp"
#include "gpu/stream.hpp"

namespace graze::gpu {

enum class Place { device, pinned };

/// An array on the device, or of the host where the device can reach it. It grows and never shrinks, and does not keep
/// its contents when it grows.
template <class T, Place place = Place::device>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(std::size_t n) { grow(n); }
  ~Buffer() { release(); }
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), room_(std::exchange(other.room_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(room_, other.room_);
    return *this;
  }

  /// Makes room for at least n. True: the memory is another one now.
  bool grow(std::size_t n) {
    if (n <= room_) return false;
    release();
    const std::size_t bytes = n * sizeof(T);
    data_ = static_cast<T*>(place == Place::device ? allocate_on_device(bytes) : allocate_pinned(bytes));
    room_ = n;
    return true;
  }
  T* data() const { return data_; }
  std::size_t room() const { return room_; }
  std::size_t bytes() const { return room_ * sizeof(T); }

  void upload(const Stream& stream, std::span<const T> values) {
    grow(values.size());
    stream.copy_to_device(data_, values.data(), values.size_bytes());
  }

 private:
  void release() noexcept {
    if (place == Place::device)
      free_on_device(data_);
    else
      free_pinned(data_);
    data_ = nullptr;
    room_ = 0;
  }

  T* data_ = nullptr;
  std::size_t room_ = 0;
};

/// A list that kernels append to, of which the length is counted beyond the end of its memory: what does not fit is not
/// written, but counted, and the host repeats the work with enough room.
template <class T>
struct List {
  T* items;
  std::uint64_t* count;
  std::uint64_t room;

  /// How many are in the list.
  GRAZE_DEVICE std::uint64_t size() const { return *count < room ? *count : room; }
};

}  // namespace graze::gpu
