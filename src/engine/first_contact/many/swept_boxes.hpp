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

/// A box in world coordinates that contains the body (all that is in its local box) at every time in [t0, t1], with
/// `margin` around it; rounded outward.
Box3 swept_box(const Box3& local, const Motion& motion, double t0, double t1, double margin);
inline Box3 swept_box(const Body& body, const Motion& motion, double t0, double t1, double margin) {
  return swept_box(body.box(), motion, t0, t1, margin);
}

/// Half of the distance beyond which a pair may be excluded: the tolerance of a pair is not larger than the sum of the
/// two margins. `tolerance`: as given by the caller, 0 if not given.
double margin_of(const Body& body, double tolerance);

/// Two boxes share a point. Bounds that are infinite or NaN count as sharing.
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
double boxes_meet(const Box3& a, const Motion& ma, double margin_a, const Box3& b, const Motion& mb, double margin_b,
                  double t0, double t1, int depth, Counters& counters);
inline double boxes_meet(const Body& a, const Motion& ma, double margin_a, const Body& b, const Motion& mb,
                         double margin_b, double t0, double t1, int depth, Counters& counters) {
  return boxes_meet(a.box(), ma, margin_a, b.box(), mb, margin_b, t0, t1, depth, counters);
}

}  // namespace graze::engine::first_contact
