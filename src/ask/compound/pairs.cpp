// SPDX-License-Identifier: MIT
#include "ask/compound/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "body/body_data.hpp"
#include "core/limits.hpp"
#include "math/vectors.hpp"

namespace graze::ask {

namespace {

/// A lower bound of the distance between a box of A and a box of B, in A's frame.
///
/// B's box is in the box around its placed centre whose half sides are |R| h. Rounding: the centre is within its
/// placement's error; the entries of R are within 64 eps of the exact ones (math/relative_placement.hpp), which 2^-40
/// of the sum of the half sides covers together with the rounding of the products; 2^-48 of all numbers in a sum covers
/// its few roundings. Whatever overflows or is not a number gives 0.
double box_gap(const Box3& a, const Box3& b, const math::RelativePlacement& placement) {
  Vec3 centre, half;
  for (int k = 0; k < 3; ++k) {
    centre[k] = 0.5 * b.lo[k] + 0.5 * b.hi[k];
    half[k] = std::max(b.hi[k] - centre[k], centre[k] - b.lo[k]);
  }
  const Vec3 at = placement.place(centre);
  const double sum = half.x + half.y + half.z;
  const double error = placement.error(centre) + 0x1p-40 * sum;
  const std::array<double, 9>& r = placement.rotation();
  double gaps[3], most = 0;
  for (int k = 0; k < 3; ++k) {
    const auto i = 3 * static_cast<std::size_t>(k);
    const double reach = std::fabs(r[i]) * half.x + std::fabs(r[i + 1]) * half.y + std::fabs(r[i + 2]) * half.z + error;
    const double slack = 0x1p-48 * (std::fabs(at[k]) + reach + std::fabs(a.lo[k]) + std::fabs(a.hi[k]));
    const double gap = std::max(at[k] - reach - a.hi[k], a.lo[k] - reach - at[k]) - slack;
    gaps[k] = gap > 0 && std::isfinite(gap) ? gap : 0;
    most = std::max(most, gaps[k]);
  }
  if (!(most > 0)) return 0;
  double squares = 0;
  for (const double gap : gaps) squares += (gap / most) * (gap / most);
  return std::min(most * std::sqrt(squares) * (1 - 0x1p-48), std::numeric_limits<double>::max());
}

}  // namespace

bool is_compound(const Body& body) { return body.data().compound != nullptr; }

PlacedPieces::PlacedPieces(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b)
    : a_(a), b_(b), placement_(pose_a, pose_b) {}

double PlacedPieces::size(const Box3& box) {
  return math::largest(
      Vec3{0.5 * box.hi.x - 0.5 * box.lo.x, 0.5 * box.hi.y - 0.5 * box.lo.y, 0.5 * box.hi.z - 0.5 * box.lo.z});
}

PlacedPieces::NodePair PlacedPieces::pair_of(std::uint32_t a, std::uint32_t b) const {
  return {box_gap(a_.node(a).box, b_.node(b).box, placement_), a, b};
}

std::optional<PiecePair> PlacedPieces::leaves(const NodePair& nodes) const {
  const body::PieceNode &x = a_.node(nodes.a), &y = b_.node(nodes.b);
  if (!x.is_leaf() || !y.is_leaf()) return std::nullopt;
  return PiecePair{x.piece, y.piece};
}

std::vector<PiecePair> PlacedPieces::within(double d, Counters& counters) const {
  std::vector<PiecePair> pairs;
  std::vector<NodePair> stack{roots()};
  core::Poll poll;
  while (!stack.empty()) {
    poll.only_time();
    const NodePair top = stack.back();
    stack.pop_back();
    ++counters.node_pairs;
    if (top.lower > d) continue;
    if (const auto pair = leaves(top))
      pairs.push_back(*pair);
    else
      open(top, [&](const NodePair& next) { stack.push_back(next); });
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace graze::ask
