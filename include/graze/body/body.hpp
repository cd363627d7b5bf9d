// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <graze/core/export.hpp>
#include <graze/core/ids.hpp>
#include <graze/math/pose.hpp>
#include <graze/mesh/mesh.hpp>
#include <graze/shape/shape.hpp>

namespace graze {

namespace body {
struct BodyData;
}

struct BodyOptions {
  int threads = 1;  ///< threads for building the tree; the tree is the same for any number
};

struct Piece;
class SurfaceBody;

/// A mesh, a shape, a compound of several (`compound`) or a surface beyond triangles, prepared for queries: its tree
/// and, computed on first use, its classification and the data that individual methods need. Immutable, cheap to copy
/// and thread-safe.
///
/// A mesh is a surface, unless a question is asked with `solid`. A shape is always solid.
class GRAZE_API Body {
 public:
  explicit Body(Mesh mesh, const BodyOptions& options = {});
  /// Throws `Error` as `shape::check` does.
  explicit Body(const shape::Shape& shape, const BodyOptions& options = {});
  /// A surface that is given by inclusion functions (`graze/ask/surface.hpp`). docs/surfaces.md tells which questions
  /// it answers; all others say `invalid_request`, or throw `Error` (unsupported).
  explicit Body(const SurfaceBody& surface);

  /// The same polygons with new vertex positions. As long as the tree's boxes overlap little more than when it was
  /// built, the tree keeps its structure and is refitted, in a fraction of the time of a new build. Otherwise it is
  /// rebuilt. Throws `Error` (bad_option) if the number of positions differs, and as `Mesh` does.
  Body deformed(std::span<const Vec3> positions, const BodyOptions& options = {}) const;
  /// True if the tree was refitted by `deformed` and not rebuilt.
  bool is_refitted() const;

  /// False: the body is a curved shape, a half-space, a compound or a surface beyond triangles.
  bool has_mesh() const;
  /// The mesh; of a box or a hull (not rounded) its surface. Throws `Error` (unsupported) if it has none.
  const Mesh& mesh() const;
  /// A box that contains the body, in its own coordinates; of a half-space, one of +-2^1000.
  const Box3& box() const;
  /// Null: the body is a mesh, a compound or a surface beyond triangles.
  const shape::Shape* shape() const;
  /// Null: the body is no surface beyond triangles.
  const SurfaceBody* surface() const;
  /// The pieces of a compound, as they were given; empty: the body is no compound.
  std::span<const Piece> pieces() const;
  /// A piece at its place in the compound, as questions see it. (The `shape()` of a curved one is that of the piece as
  /// given, at its own origin.) Throws `Error` (index_out_of_range).
  const Body& piece(PieceId id) const;
  /// Bytes held by the tree and its triangles (excluding the mesh), and the time it took to build them.
  std::size_t tree_bytes() const;
  double build_seconds() const;

  /// For internal use.
  explicit Body(std::shared_ptr<const body::BodyData> data) : data_(std::move(data)) {}
  const body::BodyData& data() const { return *data_; }

 private:
  std::shared_ptr<const body::BodyData> data_;
};

/// A part of a compound: a mesh, a shape or another compound at a pose of its own. Names are the caller's.
struct Piece {
  Body body;
  Pose pose = {};
  std::string name = {};
};

/// Several bodies that move as one. Two bodies are in contact if a piece of one is in contact with a piece of the
/// other; their distance is the least of any two pieces, their first contact the earliest. What holds for the pieces
/// holds for the whole: shapes are solid, meshes are surfaces unless `solid` is asked, and then each piece by itself is
/// inside another or not. Pieces are not asked against each other, and may overlap. Results name the pieces.
///
/// Exactness. A mesh, a box or a hull (not rounded) is placed in the compound by rounding its vertices once, here:
/// `Body::piece` shows them, and a box or a hull is the solid bounded by its placed mesh. Every later answer about them
/// is exact, as for bodies that were given with these vertices; their ids stay. A curved piece keeps its exact shape at
/// its exact pose, and the rounding bound of `shape/shape.hpp` covers where it is placed.
///
/// A compound in a compound is taken apart: its pieces' poses are composed (rounded), and their names joined by a '/'.
/// Throws `Error`: empty_mesh (no piece), unsupported (a half-space or a `SurfaceBody`, which must stay
/// bodies of their own), not_finite (a
/// placed vertex is too large for a double).
GRAZE_API Body compound(std::vector<Piece> pieces, const BodyOptions& options = {});

}  // namespace graze
