// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include <graze/core/error.hpp>

namespace graze::gpu {

/// What is wrong with the device, as an error that says what to do.
[[noreturn]] void fail(const char* doing, int cuda_error);

/// A queue of work on the device: the caller's or one of our own. Where the sources are compiled for the CPU,
/// everything is done at once.
class Stream {
 public:
  Stream();                        ///< our own. Throws `Error` if there is no device to use
  explicit Stream(void* callers);  ///< a cudaStream_t
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void* handle() const { return stream_; }
  void wait() const;
  void copy_to_device(void* to, const void* from, std::size_t bytes) const;
  void copy_to_host(void* to, const void* from, std::size_t bytes) const;
  void copy_on_device(void* to, const void* from, std::size_t bytes) const;
  void fill(void* where, int byte, std::size_t bytes) const;
  /// Of a stream that `Recorded` records: both may run at the same time, after what came before and before what
  /// follows.
  void beside(const std::function<void(const Stream&)>& one, const std::function<void(const Stream&)>& other) const;

 private:
  friend class Recorded;
  struct Second;
  void* stream_ = nullptr;
  bool own_ = false;
  std::unique_ptr<Second> second_;
};

/// Work that is put together once and then done as often as wanted, with one call: a graph of CUDA.
class Recorded {
 public:
  Recorded() = default;
  ~Recorded() { forget(); }
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;

  /// Records what `work` puts on the stream that it gets, which is none of the caller's.
  void record(const std::function<void(const Stream&)>& work);
  void replay(const Stream& stream) const;
  void forget() noexcept;
  bool is_recorded() const { return graph_ || work_; }

 private:
  void* graph_ = nullptr;
  std::function<void(const Stream&)> work_;  ///< where the sources are compiled for the CPU
};

/// Memory on the device. Throws `Error` if there is not enough: it says how much was asked for.
void* allocate_on_device(std::size_t bytes);
void free_on_device(void* memory) noexcept;
/// Memory of the host that the device reads and writes directly.
void* allocate_pinned(std::size_t bytes);
void free_pinned(void* memory) noexcept;

}  // namespace graze::gpu
