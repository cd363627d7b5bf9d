// SPDX-License-Identifier: MIT
#include "prim/convex/gjk.hpp"

#include <cmath>

namespace graze::prim {

namespace {

/// More steps than any well-conditioned pair needs; beyond this, exact arithmetic takes over.
constexpr unsigned most_iterations = 100;

}  // namespace

void ConvexSearch::start_from(int size, const std::array<std::uint32_t, 4>& a, const std::array<std::uint32_t, 4>& b) {
  simplex_.size = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) {
    if (a[i] >= a_.size() || b[i] >= b_.size()) continue;  // remembered from other bodies
    simplex_.add(frame_.place(b_[b[i]]) - a_[a[i]], a[i], b[i]);
    hint_a_ = a[i];
    hint_b_ = b[i];
  }
}

/// Sets the first v. False if contact is already proved.
bool ConvexSearch::begin() {
  if (simplex_.size > 0) {
    const NearestPoint p = nearest_to_origin(simplex_);
    if (!p.inside) {
      set(p);
      return true;
    }
    if (surely_inside(simplex_, frame_.slack)) return false;
    simplex_.size = 0;
  }
  v_ = frame_.place(b_.middle()) - a_.middle();
  squared_ = dot(v_, v_);
  const double balls = a_.inner_radius() + b_.inner_radius() - 2 * frame_.slack;
  if (balls > 0 && squared_ < balls * balls) {
    by_balls_ = true;
    return false;
  }
  if (!(squared_ > 0)) {
    v_ = {1, 0, 0};
    squared_ = 1;
  }
  return true;
}

ConvexSearch::Support ConvexSearch::support() {
  support_calls += 2;
  hint_a_ = a_.support(v_, hint_a_);
  hint_b_ = b_.support(-frame_.in_b(v_), hint_b_);
  return {hint_a_, hint_b_, frame_.place(b_[hint_b_]) - a_[hint_a_],
          frame_.slack + a_.slack(hint_a_) + b_.slack(hint_b_)};
}

ConvexSearch::Step ConvexSearch::advance(const Support& s) {
  ++iterations;
  const bool first = simplex_.size == 0;
  if (!first && simplex_.holds(s.a, s.b)) return Step::stalled;
  const ConvexSimplex before = simplex_;
  simplex_.add(s.w, s.a, s.b);
  const NearestPoint p = nearest_to_origin(simplex_);
  if (p.inside) return Step::contact;
  if (!first && !(p.squared < squared_)) {
    simplex_ = before;
    return Step::stalled;
  }
  set(p);
  return Step::go_on;
}

bool ConvexSearch::keeps_apart(const Support& s) const {
  if (!(squared_ > 0x1p-600)) return false;  // the squares below must not underflow
  const double gap = dot(v_, s.w);
  return gap > 0 && gap * gap > 1.0001 * squared_ * s.slack * s.slack;
}

ConvexSearch::Outcome ConvexSearch::collide(const Vec3& axis) {
  v_ = axis;
  squared_ = dot(v_, v_);
  if (squared_ > 0 && keeps_apart(support())) return Outcome::apart;
  if (!begin()) return Outcome::contact;
  while (iterations < most_iterations && squared_ > 0) {
    const Support s = support();
    if (keeps_apart(s)) return Outcome::apart;
    const Step step = advance(s);
    if (step == Step::contact) return surely_inside(simplex_, frame_.slack) ? Outcome::contact : Outcome::open;
    if (step == Step::stalled) return Outcome::open;
  }
  return Outcome::open;
}

/// Continues until no corner is nearer, even if the requested error is reached before: only then does the simplex
/// consist of one feature of each body, the same one from every start.
ConvexSearch::Outcome ConvexSearch::distance(double relative_error) {
  if (!begin()) return Outcome::contact;
  while (iterations < most_iterations && squared_ > frame_.slack * frame_.slack) {
    const Support s = support();
    const double length = std::sqrt(squared_);
    lower_ = std::max(lower_, (dot(v_, s.w) / length - s.slack) * (1 - 0x1p-49));
    const Step step = advance(s);
    if (step == Step::contact) return surely_inside(simplex_, frame_.slack) ? Outcome::contact : Outcome::open;
    if (step == Step::stalled) {
      const double upper = (length + frame_.slack) * (1 + 0x1p-50);
      return upper - lower_ <= relative_error * lower_ ? Outcome::apart : Outcome::open;
    }
  }
  return Outcome::open;
}

}  // namespace graze::prim
