// SPDX-License-Identifier: MIT
#include "engine/first_contact/many/swept_boxes.hpp"

#include <algorithm>
#include <cmath>

#include "math/vectors.hpp"
#include "motion/interval_matrix.hpp"
#include "motion/path.hpp"

namespace graze::engine::first_contact {

namespace {

using math::infinity;

}  // namespace

Box3 swept_box(const Box3& local, const Motion& motion, double t0, double t1, double margin) {
  const IntervalPlacement p = motion.path().over(Interval(t0, t1));
  // Two enclosures: the product of intervals, which is tight while the body hardly rotates; and a ball around the
  // centre of the box, which rotation does not enlarge. `centre` need not be the exact centre: the radius is measured
  // from it.
  using motion::operator*, motion::operator+;
  motion::IntervalVector corners, centre;
  Interval squared(0);
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    corners[i] = Interval(local.lo[k], local.hi[k]);
    centre[i] = motion::middle(corners[i]);
    squared += sqr(corners[i] - centre[i]);
  }
  const Interval ball(-sqrt(squared).hi, sqrt(squared).hi), around(-margin, margin);
  const motion::IntervalVector by_product = p.r * corners + p.t, by_ball = p.r * centre + p.t;
  Box3 box;
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const Interval both = intersection(by_product[i], by_ball[i] + ball);
    // Empty only if a user-defined motion contradicts itself; then nothing is known.
    const Interval x = both.empty() ? Interval::whole() : both + around;
    box.lo[k] = x.lo;
    box.hi[k] = x.hi;
  }
  return box;
}

double margin_of(const Body& body, double tolerance) {
  if (tolerance > 0) return tolerance;
  const Box3& box = body.box();
  const Vec3 d = box.hi - box.lo;
  return 1e-6 * (std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z));  // not below 1e-6 of the diagonal
}

bool share(const Box3& x, const Box3& y) {
  for (int k = 0; k < 3; ++k)
    if (x.hi[k] < y.lo[k] || y.hi[k] < x.lo[k]) return false;
  return true;
}

void sweep_and_prune(std::span<const Box3> boxes, Counters& counters, std::vector<IndexPair>& out) {
  int axis = 0;
  double most = -1;
  for (int k = 0; k < 3; ++k) {
    // How many boxes fit side by side on the axis, roughly.
    double lo = infinity, hi = -infinity, sum = 0;
    for (const Box3& b : boxes) {
      lo = std::min(lo, b.lo[k]);
      hi = std::max(hi, b.hi[k]);
      sum += b.hi[k] - b.lo[k];
    }
    const double fitting = (hi - lo) / sum;
    if (fitting > most) most = fitting, axis = k;
  }
  std::vector<std::uint32_t> order(boxes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    return boxes[i].lo[axis] != boxes[j].lo[axis] ? boxes[i].lo[axis] < boxes[j].lo[axis] : i < j;
  });
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      // Everything from here on begins beyond the end of box i.
      if (boxes[order[j]].lo[axis] > boxes[order[i]].hi[axis]) break;
      ++counters.swept_box_tests;
      if (share(boxes[order[i]], boxes[order[j]]))
        out.push_back({std::min(order[i], order[j]), std::max(order[i], order[j])});
    }
}

double boxes_meet(const Box3& a, const Motion& ma, double margin_a, const Box3& b, const Motion& mb, double margin_b,
                  double t0, double t1, int depth, Counters& counters) {
  ++counters.swept_box_tests;
  if (!share(swept_box(a, ma, t0, t1, margin_a), swept_box(b, mb, t0, t1, margin_b))) return infinity;
  if (depth == 0) return t0;
  const double middle = 0.5 * (t0 + t1);
  const double first = boxes_meet(a, ma, margin_a, b, mb, margin_b, t0, middle, depth - 1, counters);
  return first <= 1 ? first : boxes_meet(a, ma, margin_a, b, mb, margin_b, middle, t1, depth - 1, counters);
}

}  // namespace graze::engine::first_contact
