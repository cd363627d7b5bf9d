// SPDX-License-Identifier: MIT
#include "body/compound.hpp"

#include <algorithm>
#include <chrono>
#include <string>

#include <graze/core/error.hpp>

#include "body/body_data.hpp"
#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "math/composed.hpp"

namespace graze {

namespace body {

namespace {

double middle_of(const Box3& box, int axis) { return 0.5 * box.lo[axis] + 0.5 * box.hi[axis]; }

class TreeOfPieces {
 public:
  explicit TreeOfPieces(std::span<const Box3> boxes) : boxes_(boxes), order_(boxes.size()) {
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<std::uint32_t>(i);
    nodes.reserve(2 * boxes.size());
    nodes.emplace_back();
    build(0, 0, boxes.size());
  }

  std::vector<PieceNode> nodes;

 private:
  void build(std::uint32_t at, std::size_t first, std::size_t last) {
    Box3 box;
    for (std::size_t i = first; i < last; ++i) box.add(boxes_[order_[i]]);
    nodes[at].box = box;
    if (last - first == 1) {
      nodes[at].piece = order_[first];
      return;
    }
    int axis = 0;
    for (int k = 1; k < 3; ++k)
      if (0.5 * box.hi[k] - 0.5 * box.lo[k] > 0.5 * box.hi[axis] - 0.5 * box.lo[axis]) axis = k;
    const auto from = order_.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(from, order_.begin() + static_cast<std::ptrdiff_t>(last), [&](std::uint32_t x, std::uint32_t y) {
      const double mx = middle_of(boxes_[x], axis), my = middle_of(boxes_[y], axis);
      return mx != my ? mx < my : x < y;
    });
    const std::size_t split = first + (last - first) / 2;
    for (const bool right : {false, true}) {
      const auto child = static_cast<std::uint32_t>(nodes.size());
      nodes.emplace_back();
      (right ? nodes[at].right : nodes[at].left) = child;
      build(child, right ? split : first, right ? last : split);
    }
  }

  std::span<const Box3> boxes_;
  std::vector<std::uint32_t> order_;
};

std::string joined(const std::string& outer, const std::string& inner) {
  return outer.empty() || inner.empty() ? outer + inner : outer + "/" + inner;
}

/// Compounds among the pieces are replaced by their pieces.
std::vector<Piece> taken_apart(std::vector<Piece> pieces) {
  std::vector<Piece> out;
  for (Piece& p : pieces) {
    if (p.body.pieces().empty()) {
      out.push_back(std::move(p));
      continue;
    }
    for (const Piece& inner : p.body.pieces())
      out.push_back({inner.body, math::composed(p.pose, inner.pose), joined(p.name, inner.name)});
  }
  return out;
}

Body placed(const Piece& piece, std::size_t number, int threads) {
  if (piece.body.data().is_half_space())
    throw Error(core::problem(
        ErrorCode::unsupported, "piece",
        "a half-space has no end and cannot be a piece of a compound; add it as a body of its own", number));
  if (piece.body.surface())
    throw Error(core::problem(ErrorCode::unsupported, "piece",
                              "a surface given by functions cannot be a piece of a compound; add it as a body of its "
                              "own, or give a mesh of it",
                              number));
  if (piece.pose == Pose()) return piece.body;
  try {
    return Body(std::make_shared<const BodyData>(piece.body.data(), piece.pose, threads));
  } catch (const Error& error) {
    if (error.detail().code != ErrorCode::not_finite) throw;
    throw Error(core::problem(ErrorCode::not_finite, "piece",
                              "its pose puts a vertex beyond the largest number there is; scale the scene", number));
  }
}

}  // namespace

std::vector<PieceNode> piece_tree(std::span<const Box3> boxes) { return std::move(TreeOfPieces(boxes).nodes); }

Pieces::Pieces(const Body& body) : body_(&body), compound_(body.data().compound.get()) { only_.box = body.box(); }

}  // namespace body

Body compound(std::vector<Piece> pieces, const BodyOptions& options) {
  const core::FpGuard guard;
  core::throw_if(core::bad_threads(options.threads));
  const auto start = std::chrono::steady_clock::now();
  if (pieces.empty())
    throw Error(core::problem(ErrorCode::empty_mesh, "compound", "a compound needs at least one piece"));
  auto parts = std::make_shared<body::CompoundData>();
  parts->pieces = body::taken_apart(std::move(pieces));
  std::vector<Box3> boxes;
  for (std::size_t i = 0; i < parts->pieces.size(); ++i) {
    parts->placed.push_back(body::placed(parts->pieces[i], i, options.threads));
    boxes.push_back(parts->placed.back().box());
  }
  parts->nodes = body::piece_tree(boxes);
  auto data = std::make_shared<body::BodyData>(std::move(parts));
  data->build_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return Body(std::shared_ptr<const body::BodyData>(std::move(data)));
}

std::span<const Piece> Body::pieces() const {
  return data_->compound ? std::span<const Piece>(data_->compound->pieces) : std::span<const Piece>();
}

const Body& Body::piece(PieceId id) const {
  if (!data_->compound || index(id) >= data_->compound->placed.size())
    throw Error(core::problem(ErrorCode::index_out_of_range, "piece",
                              data_->compound ? "the compound has " + std::to_string(data_->compound->placed.size()) +
                                                    " pieces, numbered from 0"
                                              : std::string("the body is no compound and has no pieces"),
                              index(id)));
  return data_->compound->placed[index(id)];
}

}  // namespace graze
