// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <graze/body/body.hpp>
#include <graze/clash/clash.hpp>

namespace graze::clash {

/// A connected part of a mesh, given by its vertices that reach furthest along each axis: lowest x, highest x, and so
/// on. (Of two components, one encloses all points of the other only if it encloses these six.)
using Component = std::array<std::uint32_t, 6>;
std::vector<Component> components(const Mesh& mesh);

/// A geometry that has been read and whose tree has been built.
class Kept {
 public:
  explicit Kept(Mesh mesh, int threads) : body_(std::move(mesh), {.threads = threads}) {}
  const Body& body() const { return body_; }
  /// Thread-safe.
  std::span<const Component> parts() const;
  /// Of the mesh and the tree; without what single questions need in addition.
  std::size_t bytes() const;

 private:
  Body body_;
  mutable std::once_flag once_;
  mutable std::vector<Component> components_;
};

/// The geometries that are in memory.
class Store {
 public:
  explicit Store(const Assembly& assembly) : assembly_(assembly), slots_(assembly.geometries.size()) {}

  /// Reads and builds those that are not there. Each is given once.
  void need(std::span<const std::uint32_t> geometries, int threads);
  /// Null: it could not be read, `error` says why.
  const Kept* find(std::uint32_t geometry) const { return slots_[geometry].kept.get(); }
  const ErrorDetail& error(std::uint32_t geometry) const { return *slots_[geometry].error; }

  /// Frees those that `drop(geometry)` says, and then the ones that were not needed for the longest time, until no more
  /// than `most` bytes are held (0: no limit).
  template <class Drop>
  void tidy(Drop&& drop, std::size_t most) {
    for (std::size_t i = 0; i < held_.size();)
      if (drop(held_[i]))
        release(i);
      else
        ++i;
    if (most > 0) shrink(most);
  }

  std::size_t most_bytes() const { return most_bytes_; }
  std::uint64_t built() const { return built_; }
  /// Starts counting anew.
  void reset_counts() {
    most_bytes_ = bytes_;
    built_ = 0;
  }

 private:
  struct Slot {
    std::unique_ptr<const Kept> kept;
    std::optional<ErrorDetail> error;  ///< it was tried once, and is not tried again
    std::uint64_t used = 0;            ///< the number of the last call of `need` that wanted it
  };
  void load(std::uint32_t geometry, int threads);
  void release(std::size_t i);
  void shrink(std::size_t most);

  const Assembly& assembly_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> held_;
  std::size_t bytes_ = 0, most_bytes_ = 0;
  std::uint64_t built_ = 0, calls_ = 0;
};

}  // namespace graze::clash
