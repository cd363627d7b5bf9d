// SPDX-License-Identifier: MIT
#include "classic/fast/advancement_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/vectors.hpp"

namespace graze::classic::fast {

namespace {

using math::infinity;

/// A pair is split if it is nearer than the closest triangles by more than the accuracy of measured distances.
constexpr double nearer = 0.95;
/// Fronts with more pairs than this are not kept from step to step.
constexpr std::size_t most_pairs = 1 << 21;

}  // namespace

AdvancementSearch::AdvancementSearch(const engine::first_contact::Flight& flight, const HullTree& tree_a,
                                     const HullTree& tree_b, engine::first_contact::Found& found)
    : flight_(flight),
      options_(flight.options.advancement.value()),
      found_(found),
      counters_(found.counters),
      near_pairs_(flight),
      a_(tree_a, flight.motion_a),
      b_(tree_b, flight.motion_b),
      distance_(a_, b_, options_, counters_),
      budget_(flight.options.work) {}

void AdvancementSearch::run() {
  recall();
  while (advance()) {
  }
  answer();
  remember();
}

void AdvancementSearch::recall() {
  // A work budget counts what a query does by itself: it is exact, so stored coherence data must not change it.
  FirstContactCoherence* coherence = flight_.options.coherence;
  if (!coherence || !options_.front || !options_.hierarchical || flight_.options.work > 0) return;
  if (auto* memory = dynamic_cast<AdvancementMemory*>(coherence->state().advancement.get())) {
    front_ = std::move(memory->front);
    front_.adopt(a_.tree(), b_.tree());
    fresh_ = front_.empty();
  }
}

void AdvancementSearch::remember() {
  FirstContactCoherence* coherence = flight_.options.coherence;
  if (!coherence || !options_.front || !options_.hierarchical) return;
  auto memory = std::make_unique<AdvancementMemory>();
  if (front_.size() <= most_pairs) memory->front = std::move(front_);
  coherence->state().advancement = std::move(memory);
}

void AdvancementSearch::answer() {
  if (stopped_) {
    found_.status = Status::undecided;
    found_.safe = time_;
  } else {
    report(near_pairs_.earliest(), found_);
  }
}

/// Places both bodies. A separation measured at this time is certified, and stays above `keep_` until the step ends
/// along the computed path; the exact path may differ by the rounding error at either end.
void AdvancementSearch::set_time() {
  double rounding;
  if (const auto& kinematics = near_pairs_.kinematics()) {
    a_.set_time(time_, kinematics->origin());
    b_.set_time(time_, kinematics->origin());
    rounding = kinematics->rounding();
  } else {
    const engine::first_contact::OwnPairs::Moment m = near_pairs_.own().at(time_);
    a_.set_place(time_, m.a);
    b_.set_place(time_, m.b);
    rounding = m.error;
  }
  distance_.set_rounding(rounding);
  keep_ = flight_.tolerance + 2 * rounding;
  near_ = keep_ + 0.5 * flight_.tolerance;
}

/// FAST Algorithm 2, steps 4 to 11.
bool AdvancementSearch::advance() {
  ++counters_.advancement_steps;
  set_time();
  step_ = horizon() - time_;
  nearest_ = infinity;
  if (options_.hierarchical) {
    look_again();
    if (!options_.front || front_.empty() || front_.size() > most_pairs) {
      front_.start(0, 0);
      fresh_ = true;
    }
    visit(0);
    fresh_ = false;
  } else {
    traverse_all_pieces();
  }
  if (stopped_) return false;
  if (!(step_ < horizon() - time_)) return false;
  const double next = next_down(time_ + step_);
  stopped_ = !(next > time_);  // cannot happen: a step is larger than the error of positions, and so of times
  if (!stopped_) time_ = next;
  return !stopped_;
}

/// The closest triangles of the last step are likely to be closest again: they give a good initial bound (FAST 5.2).
void AdvancementSearch::look_again() {
  if (!have_nearest_ || near_pairs_.solved(nearest_a_, nearest_b_)) return;
  const auto place = [](const Mover& m, const body::BodyData& body, std::uint32_t t) {
    return std::array{m.place(body.corner(t, 0)), m.place(body.corner(t, 1)), m.place(body.corner(t, 2))};
  };
  ++counters_.triangle_distances;
  nearest_ = std::sqrt(
      prim::closest_triangle_triangle(place(a_, flight_.a, nearest_a_), place(b_, flight_.b, nearest_b_)).squared);
}

/// FAST Algorithm 1: every pair of convex pieces. Only near pairs are split further.
void AdvancementSearch::traverse_all_pieces() {
  nearest_ = 0;
  for (const std::uint32_t pa : a_.tree().pieces())
    for (const std::uint32_t pb : b_.tree().pieces()) {
      front_.start(pa, pb);
      settle(0, measure(0));
      if (stopped_) return;
    }
}

/// FAST Algorithm 3, starting from the previous front. Returns the least separation found below the pair.
double AdvancementSearch::visit(std::uint32_t i) {
  if (stopped_) return 0;
  const std::uint32_t child = front_[i].child;
  if (child != PairTree::none && ball_gap(i) > nearest_) front_.cut(i);  // it is no longer near
  if (front_[i].child == PairTree::none) {
    counters_.front_reused += !fresh_;
    return settle(i, measure(i));
  }
  const std::uint32_t nearer_child = ball_gap(child + 1) < ball_gap(child) ? child + 1 : child;
  const double first = visit(nearer_child), least = std::min(first, visit(2 * child + 1 - nearer_child));
  // Merge the children back into this pair if it is not nearer than the closest triangles: measured only where that is
  // likely.
  if (least - front_[i].loss > nearest_ && front_[child].child == PairTree::none &&
      front_[child + 1].child == PairTree::none) {
    const double lower = measure(i).lower;
    if (lower > nearest_)
      front_.cut(i);
    else
      front_[i].loss = least - lower;
  }
  return least;
}

/// The distance of the balls around the hulls.
double AdvancementSearch::ball_gap(std::uint32_t i) {
  const PairTree::Pair& p = front_[i];
  const HullTree::Node &na = a_.tree()[p.a], &nb = b_.tree()[p.b];
  const Vec3 d = b_.place(nb.centre) - a_.place(na.centre);
  return std::sqrt(dot(d, d)) - na.radius - nb.radius;
}

double AdvancementSearch::settle(std::uint32_t i, const HullGap& gap) {
  if (stopped_) return 0;
  const PairTree::Pair p = front_[i];
  // A contact at this time is known already, with ids lower than all below this pair: no pair there can be the answer.
  const engine::first_contact::Earliest& earliest = near_pairs_.earliest();
  if (earliest.time <= time_ &&
      std::pair(earliest.a, earliest.b) < std::pair(a_.tree()[p.a].lowest, b_.tree()[p.b].lowest))
    return 0;
  const bool last = triangles(p);
  const std::uint32_t ta = a_.tree()[p.a].first, tb = b_.tree()[p.b].first;
  if (last && near_pairs_.solved(ta, tb)) return 0;
  if (last ? gap.lower >= near_ : !must_descend(p, gap)) {
    const double step = step_of(p, gap);
    // 0: caller-defined bounds are too coarse for so large a pair.
    if (step > 0) {
      ++counters_.front_pairs;
      step_ = std::min(step_, step);
      if (last) closest_so_far(gap.upper, ta, tb);
      return gap.lower;
    }
  }
  if (last) {
    stopped_ = !near_pairs_.solve(ta, tb, budget_, counters_);
    return 0;
  }
  return descend(i, gap);
}

double AdvancementSearch::descend(std::uint32_t i, const HullGap& gap) {
  ++counters_.node_pairs;
  front_.expand(i, a_.tree(), b_.tree());
  const std::uint32_t child = front_[i].child;
  const HullGap first = measure(child), second = measure(child + 1);
  // Only decides whether the pair is measured again. NaN, from two infinite distances, becomes 0.
  front_[i].loss = std::max(0.0, std::min(first.lower, second.lower) - gap.upper);
  const bool swapped = second.lower < first.lower;
  const double least = settle(swapped ? child + 1 : child, swapped ? second : first);
  return std::min(least, settle(swapped ? child : child + 1, swapped ? first : second));
}

void AdvancementSearch::closest_so_far(double distance, std::uint32_t ta, std::uint32_t tb) {
  if (!(distance < nearest_)) return;
  nearest_ = distance;
  nearest_a_ = ta;
  nearest_b_ = tb;
  have_nearest_ = true;
}

HullGap AdvancementSearch::measure(std::uint32_t i) {
  PairTree::Pair& p = front_[i];
  const HullTree::Node &na = a_.tree()[p.a], &nb = b_.tree()[p.b];
  if (na.leaf && nb.leaf && near_pairs_.solved(na.first, nb.first)) return {};
  stopped_ = stopped_ || !budget_.take();
  if (stopped_) return {};
  // A pair that will be split in any case needs no better bound.
  const double enough = na.whole && nb.whole ? near_ : std::max(near_, nearer * std::min(nearest_, 1e300));
  return distance_(na, nb, p.features, enough);
}

bool AdvancementSearch::must_descend(const PairTree::Pair& p, const HullGap& gap) {
  if (gap.lower < near_) return true;
  if (!(gap.lower < nearer * nearest_)) return false;
  if (!a_.tree()[p.a].whole || !b_.tree()[p.b].whole) return true;
  // Two convex pieces (the paper's leaves): if the closest features of their hulls are features of the surface, and not
  // features that the hulls add to it, this is the distance.
  if (!is_mesh_feature(flight_.a, a_.tree(), p.a, p.features.a, p.features.size) ||
      !is_mesh_feature(flight_.b, b_.tree(), p.b, p.features.b, p.features.size))
    return true;
  nearest_ = std::min(nearest_, gap.upper);
  return false;
}

bool AdvancementSearch::is_mesh_feature(const body::BodyData& body, const HullTree& tree, std::uint32_t node,
                                        const std::array<std::uint32_t, 4>& corners, int size) const {
  std::array<std::uint32_t, 4> ids;
  int count = 0;
  for (int i = 0; i < size; ++i) {
    const std::uint32_t v = tree.vertices(tree[node])[corners[static_cast<std::size_t>(i)]];
    if (std::find(ids.begin(), ids.begin() + count, v) == ids.begin() + count)
      ids[static_cast<std::size_t>(count++)] = v;
  }
  if (count == 0) return false;
  for (const std::uint32_t t : body.vertex_triangles().of(ids[0])) {
    const Triangle& corner = body.mesh.triangles()[t];
    int shared = 0;
    for (int i = 0; i < count; ++i)
      shared += std::find(corner.begin(), corner.end(), ids[static_cast<std::size_t>(i)]) != corner.end();
    if (shared == count) return true;
  }
  return false;
}

/// FAST Algorithm 2, steps 6 to 10: how long this pair's certificate is valid, limited to step_, the step that the
/// other pairs allow. The cheap bound is tried first; it suffices for most pairs.
double AdvancementSearch::step_of(const PairTree::Pair& p, const HullGap& gap) {
  const HullTree::Node &na = a_.tree()[p.a], &nb = b_.tree()[p.b];
  if (!near_pairs_.kinematics()) return own_step(na, nb, gap);
  const double available = gap.lower - keep_;
  const double step = longest_step(available, a_.quick_rises(na, gap.n, options_.directed),
                                   b_.quick_rises(nb, -gap.n, options_.directed), step_);
  if (!(step < step_)) return step;
  const double better = longest_step(available, a_.rises(na, gap.n, gap.top_a, options_, counters_),
                                     b_.rises(nb, -gap.n, gap.top_b, options_, counters_), step_);
  if (!(better < step_) || !options_.directed) return std::max(step, better);
  return std::max({step, better,
                   longest_step(available, a_.corner_rises(na, gap.n, gap.top_a, available),
                                b_.corner_rises(nb, -gap.n, gap.top_b, available), step_)});
}

/// By bisection: `travel` bounds the motion over the whole requested time. Returns 0 if no step is short enough.
double AdvancementSearch::own_step(const HullTree::Node& na, const HullTree::Node& nb, const HullGap& gap) const {
  for (double step = step_; time_ + step > time_; step *= 0.5)
    if ((a_.travel(na, gap.n, step) + b_.travel(nb, -gap.n, step)) * (1 + 0x1p-50) < gap.lower - keep_) return step;
  return 0;
}

}  // namespace graze::classic::fast
