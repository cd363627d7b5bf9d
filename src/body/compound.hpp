// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <graze/body/body.hpp>
#include <graze/math/box3.hpp>

#include "body/lazy.hpp"

namespace graze::body {

/// A node of a binary tree of boxes over the pieces of a compound: a leaf holds one piece.
struct PieceNode {
  Box3 box;
  std::uint32_t left = 0, right = 0;  ///< of an inner node; 0 (the root) of a leaf
  std::uint32_t piece = 0;            ///< of a leaf

  bool is_leaf() const { return right == 0; }
};

/// Splits at the median along the longest axis; node 0 is the root. There must be a box.
std::vector<PieceNode> piece_tree(std::span<const Box3> boxes);

/// What a compound consists of: none of its pieces is a compound.
struct CompoundData {
  std::vector<Piece> pieces;  ///< as given
  std::vector<Body> placed;   ///< the same at their places
  std::vector<PieceNode> nodes;
  Lazy<std::optional<std::uint32_t>> first_open;  ///< the first piece without an inside, for questions about solids
};

/// Any body as a list of pieces with a tree: a body that is no compound is its only piece.
class Pieces {
 public:
  explicit Pieces(const Body& body);

  std::size_t size() const { return compound_ ? compound_->placed.size() : 1; }
  const Body& operator[](std::uint32_t i) const { return compound_ ? compound_->placed[i] : *body_; }
  const PieceNode& node(std::uint32_t i) const { return compound_ ? compound_->nodes[i] : only_; }

 private:
  const Body* body_;
  const CompoundData* compound_;
  PieceNode only_;
};

}  // namespace graze::body
