// SPDX-License-Identifier: MIT
// First contact by bisecting time. A span is finished if, along the closest direction at its middle, interval
// arithmetic proves every corner of one triangle beyond every corner of the other during the whole span (value at the
// middle plus an interval of the slope). Spans that cannot be proved are bisected, the earlier half first.
#include <vector>

#include "oracle/motion_gap.hpp"

namespace graze::oracle {
namespace {

using Span = std::array<Real, 2>;

struct MovingPair {
  const TrueMotion &motion_a, &motion_b;
  RealTriangle a, b;

  RealTriangle placed(const TrueMotion& motion, const RealTriangle& local, Real t) const {
    const TruePlace<Real> p = motion.at(t);
    return {p.apply(local[0]), p.apply(local[1]), p.apply(local[2])};
  }
  std::optional<RealPoint> difference(Real t) const { return closest(placed(motion_a, a, t), placed(motion_b, b, t)); }

  /// Are the triangles more than `margin` apart along n (rounded, about unit length) during the whole span?
  bool separates(const RealPoint& direction, const Span& span, Real margin) const {
    const Real middle = (span[0] + span[1]) / 2;
    const Real half = std::max(span[1] - middle, middle - span[0]) * (1 + 1e-15L);
    const Triple<Range> n = as<Range>(direction);
    const TruePlace<Range> at_a = motion_a.over(middle), at_b = motion_b.over(middle);
    const Range during(span[0], span[1]);
    const TruePlace<Range> rate_a = motion_a.rates(during), rate_b = motion_b.rates(during);
    const Range bound = Range(margin) * (Range(1) + Range(1e-15L));
    for (const RealPoint& p : a)
      for (const RealPoint& q : b) {
        const Range value = dot(n, at_b.apply(as<Range>(q)) - at_a.apply(as<Range>(p)));
        const Range slope = dot(n, rate_b.apply(as<Range>(q)) - rate_a.apply(as<Range>(p)));
        const Real steepest = std::max(std::fabs(slope.lo), std::fabs(slope.hi));
        const Range low = value - Range(steepest) * Range(half);
        if (!(low.lo > bound.hi)) return false;
      }
    return true;
  }
};

struct PairTruth {
  Real proved_until = 1;  ///< more than the margin apart before this time
  bool proved = true;     ///< ... during all of [0, end]
  std::optional<Real> pierced;
  Real least = HUGE_VALL, least_at = 0;
};

PairTruth solve(const MovingPair& pair, Real margin, Real end, int& spans) {
  PairTruth truth;
  std::vector<Span> stack{{0, end}};
  while (!stack.empty()) {
    const Span span = stack.back();
    stack.pop_back();
    if (truth.pierced && span[0] >= *truth.pierced) continue;
    const auto fail = [&] {
      if (truth.proved) truth.proved_until = span[0];
      truth.proved = false;
    };
    const Real middle = (span[0] + span[1]) / 2;
    const auto c = pair.difference(middle);
    if (!c) {
      truth.pierced = middle;
    } else {
      const Real l = length(*c);
      if (l < truth.least) truth.least = l, truth.least_at = middle;
      if (l > 0 && pair.separates(*c * ((1 - 1e-18L) / l), span, margin)) continue;
      if (margin > 0 && l <= margin && span[1] - span[0] < 1e-13L) {
        fail();  // within the margin here: later times are irrelevant for it
        return truth;
      }
    }
    if (--spans < 0 || span[1] - span[0] < 1e-13L) {
      fail();
      if (spans < 0) return truth;
      continue;
    }
    stack.push_back({middle, span[1]});
    stack.push_back({span[0], middle});
  }
  return truth;
}

}  // namespace

FlightTruth TrueFlight::subdivide(Real tolerance, int spans) const {
  FlightTruth truth;
  truth.apart_until = 1;
  truth.free_beyond_doubt = true;
  truth.least = HUGE_VALL;
  int left = spans;
  const auto corners = [](const Mesh& m, std::size_t i) {
    const Triangle& t = m.triangles()[i];
    return RealTriangle{real(m.positions()[t[0]]), real(m.positions()[t[1]]), real(m.positions()[t[2]])};
  };
  for (std::size_t i = 0; i < a_.triangle_count(); ++i)
    for (std::size_t j = 0; j < b_.triangle_count(); ++j) {
      const MovingPair pair{motion_a_, motion_b_, corners(a_, i), corners(b_, j)};
      const auto note = [&](const PairTruth& p) {
        if (p.least < truth.least) truth.least = p.least, truth.least_at = p.least_at;
        if (p.pierced && !(truth.zero_at && *truth.zero_at < *p.pierced)) truth.zero_at = p.pierced;
      };
      const PairTruth far = solve(pair, tolerance, truth.apart_until, left);
      note(far);
      if (!far.proved) {
        truth.free_beyond_doubt = false;
        truth.apart_until = std::min(truth.apart_until, far.proved_until);
      }
      int more = spans;
      const PairTruth touching = solve(pair, 0, truth.zero_at.value_or(1), more);
      note(touching);
      truth.looked_everywhere = truth.looked_everywhere && left >= 0 && more >= 0;
    }
  if (truth.zero_at) truth.least = 0, truth.least_at = *truth.zero_at;
  return truth;
}

}  // namespace graze::oracle
