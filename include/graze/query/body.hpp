// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <graze/core/export.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

namespace query {
struct BodyData;
}

struct BodyOptions {
  int threads = 1;  ///< threads for building the tree; the tree is the same for any number
};

/// A mesh made ready for questions: its tree, and on first use its classification and whatever single methods need.
/// Immutable, cheap to copy, free to share between threads.
class GRAZE_API Body {
 public:
  explicit Body(Mesh mesh, const BodyOptions& options = {});

  /// The same polygons with their vertices elsewhere. The tree keeps its shape and gets new bounds, in a fraction of
  /// the time of a new one, as long as its boxes overlap little more than when it was built; then it is built anew.
  /// Throws `Error` (bad_option) for another number of positions, and as `Mesh` does.
  Body deformed(std::span<const Vec3> positions, const BodyOptions& options = {}) const;
  /// The tree is one of `deformed` that was not built anew.
  bool is_refitted() const;

  const Mesh& mesh() const;
  /// Bytes held by the tree and its triangles (without the mesh), and the time it took to build them.
  std::size_t tree_bytes() const;
  double build_seconds() const;

  /// For the library's own use.
  const query::BodyData& data() const { return *data_; }

 private:
  std::shared_ptr<const query::BodyData> data_;
};

}  // namespace graze
