// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/body/body.hpp>
#include <graze/core/counters.hpp>
#include <graze/math/box3.hpp>
#include <graze/motion/motion.hpp>

namespace graze::engine::first_contact {

/// A box of the world that holds the body at every time in [t0, t1], and `margin` around it; rounded outward.
Box3 swept_box(const Body& body, const Motion& motion, double t0, double t1, double margin);

/// Half of what two bodies must be apart at least for a pair to be left out: their tolerance will not be larger than
/// the sum of their margins. `tolerance`: as the caller gave it, 0 if he did not.
double margin_of(const Body& body, double tolerance);

/// Two boxes share a point. Ends that are infinite or not numbers count as sharing.
bool share(const Box3& x, const Box3& y);

struct IndexPair {
  std::uint32_t a, b;
  friend std::strong_ordering operator<=>(const IndexPair&, const IndexPair&) = default;
};

/// Adds all pairs a < b of boxes that share a point, in any order: sorted and swept along the axis on which the boxes
/// are spread most.
void sweep_and_prune(std::span<const Box3> boxes, Counters& counters, std::vector<IndexPair>& out);

/// The earliest beginning, among 2^depth spans of [t0, t1], of one in which the swept boxes share a point; infinity if
/// there is none. Before it the pair is certified apart.
double boxes_meet(const Body& a, const Motion& ma, double margin_a, const Body& b, const Motion& mb, double margin_b,
                  double t0, double t1, int depth, Counters& counters);

}  // namespace graze::engine::first_contact
