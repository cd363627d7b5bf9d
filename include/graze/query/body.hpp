// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

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
