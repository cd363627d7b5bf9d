// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <graze/core/export.hpp>
#include <graze/mesh/mesh.hpp>
#include <graze/shape/shape.hpp>

namespace graze {

namespace body {
struct BodyData;
}

struct BodyOptions {
  int threads = 1;  ///< threads for building the tree; the tree is the same for any number
};

/// A mesh or a shape, prepared for queries: its tree and, computed on first use, its classification and the data that
/// individual methods need. Immutable, cheap to copy and thread-safe.
///
/// A mesh is a surface, unless a question is asked with `solid`. A shape is always solid.
class GRAZE_API Body {
 public:
  explicit Body(Mesh mesh, const BodyOptions& options = {});
  /// Throws `Error` as `shape::check` does.
  explicit Body(const shape::Shape& shape, const BodyOptions& options = {});

  /// The same polygons with new vertex positions. As long as the tree's boxes overlap little more than when it was
  /// built, the tree keeps its structure and is refitted, in a fraction of the time of a new build. Otherwise it is
  /// rebuilt. Throws `Error` (bad_option) if the number of positions differs, and as `Mesh` does.
  Body deformed(std::span<const Vec3> positions, const BodyOptions& options = {}) const;
  /// True if the tree was refitted by `deformed` and not rebuilt.
  bool is_refitted() const;

  /// False: the body is a curved shape or a half-space.
  bool has_mesh() const;
  /// The mesh; of a box or a hull (not rounded) its surface. Throws `Error` (unsupported) if it has none.
  const Mesh& mesh() const;
  /// A box that contains the body, in its own coordinates; of a half-space, one of +-2^1000.
  const Box3& box() const;
  /// Null: the body is a mesh.
  const shape::Shape* shape() const;
  /// Bytes held by the tree and its triangles (excluding the mesh), and the time it took to build them.
  std::size_t tree_bytes() const;
  double build_seconds() const;

  /// For internal use.
  explicit Body(std::shared_ptr<const body::BodyData> data) : data_(std::move(data)) {}
  const body::BodyData& data() const { return *data_; }

 private:
  std::shared_ptr<const body::BodyData> data_;
};

}  // namespace graze
