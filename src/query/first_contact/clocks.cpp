// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "query/first_contact/clocks.cpp"
#include "core/instruction_sets.hpp"

#include <bit>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/cache_control.h>

#include "prim/closest_apart.hpp"
#include "query/first_contact/clocks.hpp"
#include "query/first_contact/motion_kernel-inl.hpp"
#include "query/first_contact/motion_sides-inl.hpp"
#include "query/first_contact/motion_triangles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::query {
namespace HWY_NAMESPACE {

namespace {  // other kernels have types of the same names

/// What one search needs again and again.
class Refiner {
 public:
  explicit Refiner(Search& s) : s_(s), a_(s.flight.a.tree), b_(s.flight.b.tree), frame_(a_, b_, s.pairs.kinematics()) {
    if (!s.proof) return;
    below_a_ = items_below(a_.tree);
    below_b_ = items_below(b_.tree);
  }

  bool run() {
    for (Clock c; next(c);) {
      if (s_.queue.size() + now_.size() >= s_.until) {
        give_back(c);
        return true;
      }
      if (!s_.budget.take()) {
        give_back(c);
        return false;
      }
      ++s_.counters.queue_pops;
      if (c.a.is_triangle() && c.b.is_triangle())
        step(c);
      else
        open(c);
      if (exhausted_) return false;
    }
    return true;
  }

 private:
  void give_back(const Clock& c) {
    s_.queue.push(c);
    for (const Clock& x : now_) s_.queue.push(x);
    now_.clear();
  }

  void stop(const Clock& c) {
    give_back(c);
    exhausted_ = true;
  }

  /// The earliest clock, if it can still matter. Those that did not move need no heap.
  bool next(Clock& c) {
    while (!now_.empty()) {
      c = now_.back();
      now_.pop_back();
      stuck_ = true;
      if (c.time <= s_.limit()) return true;
    }
    stuck_ = false;
    if (s_.queue.empty() || s_.queue.earliest() > s_.limit()) return false;
    c = s_.queue.pop();
    if (!s_.queue.empty()) look_ahead();
    return true;
  }

  /// The nodes of the clock that will most likely be next come into the cache while this one is worked on.
  void look_ahead() const {
    const auto [a, b] = s_.queue.earliest_pair();
    for (const bvh::WideNode* node : {&a_.tree.nodes[a.node_index()], &b_.tree.nodes[b.node_index()]}) {
      hwy::Prefetch(node);
      hwy::Prefetch(&node->siblings);  // a node may lie across two lines
    }
  }

  /// Two triangles: on along their closest direction, as far as is certified.
  void step(const Clock& c) {
    const std::uint32_t ta = triangle(a_, c.a), tb = triangle(b_, c.b);
    double t = c.time;
    std::uint32_t proof = c.proof;
    for (;;) {
      ++s_.counters.motion_steps;
      const Moment m = s_.pairs.kinematics().at(t);
      const MovingPair p = s_.pairs.place(m, ta, tb);
      prim::ClosestPair closest = prim::closest_apart(p.a, p.b);
      const double d = distance_of(closest);
      if (s_.least) nearer(ta, tb, d, t);
      const double target = s_.kept();
      double safe = 0;
      Separation along{};
      if (s_.least || d > 2 * target) {
        along = best_separation(p, closest);
        if (along.apart > target) safe = s_.pairs.safe_time(m, p, along.n, target);
        if (t + safe <= s_.limit()) {
          const Vec3 across = s_.pairs.passing_line(m, closest);
          const double passing = s_.pairs.safe_time(m, p, across, target);
          if (passing > safe) {
            safe = passing;
            along.n = across;
          }
        }
      }
      if (s_.least && !(safe > 0)) safe = less_than_kept(m, p, along);
      if (!(safe > 0)) break;
      const double next = next_down(t + safe);
      if (!(next > t)) break;
      if (s_.proof) proof = s_.proof->separate(proof, along.n, std::min(next, 1.0));
      t = next;
      if (t > s_.limit()) {
        ++s_.counters.finished_by_parting;
        return;
      }
      if (!s_.queue.empty() && t > s_.queue.earliest()) return s_.queue.push({t, c.a, c.b, proof});
      if (!s_.budget.take()) return stop({t, c.a, c.b, proof});
    }
    if (s_.least) {
      s_.least->floor = 0;  // nothing is certified of what comes after
      return;
    }
    // As near as twice the tolerance, or doubles see no way: the pair's own story decides.
    std::vector<PairStep> steps;
    const std::optional<double> touch =
        s_.pairs.solve(ta, tb, s_.limit(), s_.budget, s_.counters, s_.proof ? &steps : nullptr);
    if (!touch) return stop({t, c.a, c.b, proof});
    for (const PairStep& step : steps)
      if (step.until > t) proof = s_.proof->separate(proof, step.n, step.until);
    s_.offer(*touch, ta, tb);
  }

  /// Not d itself is kept, but the least that it leads to: else each step, which ends at 1 - 1e-5 of what is kept,
  /// would bring that down by as little.
  void nearer(std::uint32_t ta, std::uint32_t tb, double d, double t) {
    if (!(d + s_.pairs.rounding() < s_.least->upper)) return;
    const PairMotion::Nearest nearest = s_.pairs.nearest_after(ta, tb, t, d);
    s_.least->offer(nearest.distance + s_.pairs.rounding(), nearest.time);
    placed_at_ = -1;  // the frame keeps another distance now
  }
  /// Doubles see less of a gap than they should: go on with half of what they see, and say so.
  double less_than_kept(const Moment& m, const MovingPair& p, const Separation& along) {
    const double half = 0.5 * along.apart - s_.pairs.rounding();
    if (!(half > 0)) return 0;
    s_.least->floor = std::min(s_.least->floor, half);
    return s_.pairs.safe_time(m, p, along.n, half + s_.pairs.rounding());
  }

  static std::uint32_t triangle(const WideTree& tree, Part p) {
    return tree.triangle(tree.tree.nodes[p.node_index()].first + p.slot());
  }

  /// The frame may stand at an earlier time, too: what is certified from there on is so from t on. While nothing has
  /// moved by more than a small part of the nodes since then, it does as well.
  void place(double t, const bvh::WideNode& a, const bvh::WideNode& b) {
    const double moved = (t - placed_at_) * frame_.pace;
    if (placed_at_ >= 0 && t >= placed_at_ && moved <= 1.0 / 16 * std::min(extent(a), extent(b) * frame_.rho)) return;
    placed_at_ = t;
    moment_ = s_.pairs.kinematics().at(t);
    frame_.set(moment_, s_.kept());
  }

  static float extent(const bvh::WideNode& n) { return 255 * (n.scale[0] + n.scale[1] + n.scale[2]); }
  float size(const WideTree& tree, Part p) const {
    return p.is_triangle() ? 0 : extent(tree.tree.nodes[p.node_index()]);
  }

  /// One part is a node at least: nodes of about the same size are both replaced by their children, else the larger;
  /// each pair gets its own clock.
  void open(const Clock& c) {
    place(c.time, a_.tree.nodes[c.a.node_index()], b_.tree.nodes[c.b.node_index()]);
    ++s_.counters.node_pairs;
    const bool bottom_a = bottom(a_, c.a), bottom_b = bottom(b_, c.b), bottoms = bottom_a && bottom_b;
    // Each triangle of an opened bottom node has to be met by all that is below the other node: while its box does to
    // move clocks, that waits.
    const auto counted = [&](float size, bool is_bottom) { return is_bottom && !stuck_ ? size * (1.0f / 64) : size; };
    const float size_a = counted(size(a_, c.a), bottom_a), size_b = counted(size(b_, c.b), bottom_b) * frame_.rho;
    // A triangle cannot be opened, whatever single precision makes of the sizes.
    const bool larger_a = c.b.is_triangle() || (!c.a.is_triangle() && size_a >= size_b);
    const Opened a(a_, c.a, bottoms || larger_a), b(b_, c.b, bottoms || !larger_a);
    const PairFrame pair(frame_, a.node, b.node);
    const float enough = 1.0001f * static_cast<float>(s_.limit() - placed_at_) + 1e-30f;
    std::uint32_t proofs = 0;
    if (s_.proof) proofs = split(c.proof, a, b);
    SafeTimes times;
    const bool triangles = a.gives_triangles() && b.gives_triangles();
    if (triangles) {
      load_triangles(frame_, pair, a_, false, a.look, triangles_a_);
      load_triangles(frame_, pair, b_, true, b.look, triangles_b_);
    } else {
      load_side(frame_, pair, a_, false, a.look, side_a_);
      load_side(frame_, pair, b_, true, b.look, side_b_);
    }
    const int na = a.count(), nb = b.count();
    const bool rows_of_b = nb < na;  // the shorter side goes one by one
    (triangles ? s_.counters.motion_triangle_tests : s_.counters.motion_box_tests) +=
        static_cast<std::uint64_t>(na * nb);
    for (int row = 0; row < (rows_of_b ? nb : na); ++row) {
      if (!frame_.usable)
        std::fill(times.time, times.time + 8, 0.0f);
      else if (frame_.turning)
        row_times<true>(pair, triangles, row, rows_of_b, enough, times);
      else
        row_times<false>(pair, triangles, row, rows_of_b, enough, times);
      // Most pairs are finished; nothing is left to do with those unless it is to be written down.
      const unsigned all = (1u << (rows_of_b ? na : nb)) - 1, left = s_.proof ? all : all & ~times.beyond(enough);
      s_.counters.finished_by_parting += static_cast<std::uint64_t>(std::popcount(all & ~left));
      for (unsigned rest = left; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest), i = rows_of_b ? lane : row, j = rows_of_b ? row : lane;
        settle(c, a.child(i), b.child(j), proofs + static_cast<std::uint32_t>(s_.proof ? i * nb + j : 0), times, lane);
      }
    }
  }

  template <bool Turning>
  void row_times(const PairFrame& pair, bool triangles, int row, bool of_b, float enough, SafeTimes& times) {
    if (triangles)
      safe_times<Turning>(frame_, pair, of_b ? triangles_b_ : triangles_a_, row, of_b,
                          of_b ? triangles_a_ : triangles_b_, enough, times);
    else
      safe_times<Turning>(frame_, pair, of_b ? side_b_ : side_a_, row, of_b, of_b ? side_a_ : side_b_, enough, times);
  }

  /// A safe time of 0 leaves the clock where it is; a certified step is rounded down.
  void settle(const Clock& c, Part a, Part b, std::uint32_t proof, const SafeTimes& times, int lane) {
    const float safe = times.time[lane];
    // The factor takes at least a unit in the last place away.
    const double time = safe > 0 ? std::max(c.time, (placed_at_ + static_cast<double>(safe)) * (1 - 0x1p-52)) : c.time;
    if (s_.proof && time > c.time) proof = s_.proof->separate(proof, world(times, lane), std::min(time, 1.0));
    if (time > s_.limit())
      ++s_.counters.finished_by_parting;
    else if (time == c.time)
      now_.push_back({time, a, b, proof});
    else
      s_.queue.push({time, a, b, proof});
  }

  Vec3 world(const SafeTimes& times, int i) const {
    const double x = times.n[0][i], y = times.n[1][i], z = times.n[2][i];
    const auto& r = moment_.a.r;
    return {r[0] * x + r[1] * y + r[2] * z, r[3] * x + r[4] * y + r[5] * z, r[6] * x + r[7] * y + r[8] * z};
  }

  /// A part, and whether its children take its place.
  struct Opened {
    Opened(const WideTree& tree, Part p, bool large)
        : node(tree.tree.nodes[p.node_index()]),
          part(p),
          opened(large && !p.is_triangle()),
          look{opened            ? Look::At::children
               : p.is_triangle() ? Look::At::triangle
                                 : Look::At::node,
               p.node_index(), static_cast<int>(p.slot())} {}
    const bvh::WideNode& node;
    Part part;
    bool opened;
    Look look;

    int count() const { return opened ? node.count : 1; }
    bool gives_triangles() const { return look.at != Look::At::node && node.bottom; }
    Part child(int i) const {
      if (!opened) return part;
      const auto k = static_cast<std::uint32_t>(i);
      return node.bottom ? Part::triangle(part.node_index(), k) : Part::node(node.first + k);
    }
  };

  /// Splits A, then every part of it by B: pair (i, j) goes on at the result + i nb + j.
  std::uint32_t split(std::uint32_t at, const Opened& a, const Opened& b) {
    const auto counts = [&](const Opened& x, const std::vector<std::uint32_t>& below) {
      counts_.clear();
      for (std::uint32_t i = 0; i < x.node.count; ++i) counts_.push_back(x.node.bottom ? 1 : below[x.node.first + i]);
    };
    if (!a.opened) {
      counts(b, below_b_);
      return s_.proof->split(at, true, counts_);
    }
    counts(a, below_a_);
    const std::uint32_t first = s_.proof->split(at, false, counts_);
    if (!b.opened) return first;
    counts(b, below_b_);
    return s_.proof->split_each(first, static_cast<std::uint32_t>(a.count()), counts_);
  }

  static bool bottom(const WideTree& tree, Part p) {
    return !p.is_triangle() && tree.tree.nodes[p.node_index()].bottom;
  }

  Search& s_;
  const WideTree& a_;
  const WideTree& b_;
  MotionFrame frame_;
  Moment moment_;
  double placed_at_ = -1;
  bool exhausted_ = false;  ///< the budget
  bool stuck_ = false;      ///< the clock in work is one that did not move when it was made
  Side side_a_, side_b_;
  TriangleSide triangles_a_, triangles_b_;
  std::vector<Clock> now_;
  std::vector<std::uint32_t> counts_, below_a_, below_b_;  // for proofs
};

}  // namespace

bool RunClocks(Search& search) { return Refiner(search).run(); }

}  // namespace HWY_NAMESPACE
}  // namespace graze::query
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::query {

HWY_EXPORT(RunClocks);

bool run_clocks(Search& search) { return HWY_DYNAMIC_DISPATCH(RunClocks)(search); }

}  // namespace graze::query
#endif
