// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/first_contact/clocks/clocks.cpp"
#include "core/instruction_sets.hpp"

#include <bit>
#include <optional>
#include <utility>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/cache_control.h>

#include "engine/first_contact/clocks/axis_ranges.hpp"
#include "engine/first_contact/clocks/clocks.hpp"
#include "engine/first_contact/clocks/motion_kernel-inl.hpp"
#include "engine/first_contact/clocks/motion_orbits-inl.hpp"
#include "engine/first_contact/clocks/motion_sides-inl.hpp"
#include "engine/first_contact/clocks/motion_triangles-inl.hpp"
#include "engine/first_contact/clocks/opened_part-inl.hpp"
#include "engine/first_contact/clocks/triangle_step.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::first_contact {
namespace HWY_NAMESPACE {

namespace {  // other kernels have types of the same names

/// The state of one search.
class Refiner {
 public:
  explicit Refiner(Search& s) : s_(s), a_(s.flight.a.tree), b_(s.flight.b.tree), frame_(a_, b_, s.pairs.kinematics()) {
    if (!s.proof) return;
    below_a_ = proof::items_below(a_.tree);
    below_b_ = proof::items_below(b_.tree);
  }

  bool run() {
    for (Clock c; next(c);) {
      if (s_.queue.size() + s_.now.size() >= s_.until) {
        give_back(c);
        return true;
      }
      if (!s_.budget.take()) {
        give_back(c);
        return false;
      }
      ++s_.counters.queue_pops;
      if (HWY_UNLIKELY(orbits_.known()) && apart_along_axis(c)) continue;
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
    for (const Clock& x : s_.now) s_.queue.push(x);
    s_.now.clear();
  }

  void stop(const Clock& c) {
    give_back(c);
    exhausted_ = true;
  }

  /// The earliest clock, if it can still change the answer. Clocks that did not advance bypass the heap.
  bool next(Clock& c) {
    while (!s_.now.empty()) {
      c = s_.now.back();
      s_.now.pop_back();
      did_not_advance_ = true;
      if (c.time <= s_.limit()) return true;
    }
    did_not_advance_ = false;
    if (s_.queue.empty() || s_.queue.earliest() > s_.limit()) return false;
    c = s_.queue.pop();
    if (!s_.queue.empty()) look_ahead();
    return true;
  }

  /// Prefetches the nodes of the clock that will most likely be next.
  void look_ahead() const {
    const auto [a, b] = s_.queue.earliest_pair();
    for (const bvh::WideNode* node : {&a_.tree.nodes[a.node_index()], &b_.tree.nodes[b.node_index()]}) {
      hwy::Prefetch(node);
      hwy::Prefetch(&node->siblings);  // a node may lie across two lines
    }
  }

  void step(Clock c) {
    const double before = s_.kept();
    const bool finished = step_triangles(s_, c, triangle(a_, c.a), triangle(b_, c.b), orbits_.known());
    if (s_.kept() != before) placed_at_ = -1;  // the frame was set for another distance
    if (!finished) stop(c);
  }

  static std::uint32_t triangle(const body::WideTree& tree, Part p) {
    return tree.triangle(tree.tree.nodes[p.node_index()].first + p.slot());
  }

  /// The frame may be at an earlier time: what is certified from that time on is certified from t on. It is kept while
  /// nothing has moved by more than a small part of the nodes since then.
  void place(double t, const bvh::WideNode& a, const bvh::WideNode& b) {
    const double moved = (t - placed_at_) * frame_.pace;
    if (placed_at_ >= 0 && t >= placed_at_ && moved <= 1.0 / 16 * std::min(extent(a), extent(b) * frame_.rho)) return;
    placed_at_ = t;
    moment_ = s_.pairs.kinematics().at(t);
    frame_.set(moment_, s_.kept());
  }

  /// After a very long search, twice as long as until tables are made: pairs that an axis of rotation separates for
  /// the whole motion.
  HWY_NOINLINE bool apart_along_axis(const Clock& c) {
    if (!ranges_tried_) {
      if (work() <= 2 * patience_) return false;
      ranges_tried_ = true;
      try {
        ranges_ = AxisRanges::make(s_.flight.a, s_.flight.b, s_.pairs.kinematics(), s_.pairs.tolerance());
      } catch (const core::Stopped&) {  // the next step of the budget ends the search
      }
      if (ranges_ && begun_again(c)) return true;
    }
    if (!ranges_ || !ranges_->apart(c.a.node_index(), c.b.node_index(), s_.kept())) return false;
    if (s_.proof) s_.proof->separate(c.proof, ranges_->direction(c.a.node_index(), c.b.node_index()), 1.0);
    ++s_.counters.finished_by_parting;
    return true;
  }
  /// Tests of boxes and of triangles; a step of a triangle pair takes about as long as ten.
  std::uint64_t work() const {
    return s_.counters.motion_box_tests + s_.counters.motion_triangle_tests + 10 * s_.counters.motion_steps;
  }

  static float extent(const bvh::WideNode& n) { return 255 * (n.scale[0] + n.scale[1] + n.scale[2]); }

  /// Of two parts that are not both bottom nodes, which one is opened: a node rather than a triangle, else the larger.
  /// Each triangle of an opened bottom node must be tested against everything below the other node. So opening is
  /// deferred while the box of the bottom node is sufficient to advance clocks.
  bool opens_a(const Clock& c, bool bottom_a, bool bottom_b) const {
    if (c.a.is_triangle() || c.b.is_triangle()) return c.b.is_triangle();
    if (HWY_UNLIKELY(orbits_.known())) {
      const Opens wall = wall_to_open(c);
      if (wall != Opens::neither) return wall == Opens::a;
    }
    if (bottom_a != bottom_b && !did_not_advance_) return bottom_b;
    return extent(a_.tree.nodes[c.a.node_index()]) >= extent(b_.tree.nodes[c.b.node_index()]) * frame_.rho;
  }

  /// Where all corners of a turning node are about as far from its reference point, its children reach as far as it
  /// does, and only a finer wall helps: of a ball in a socket the socket is opened. Both parts are nodes.
  enum class Opens { neither, a, b };
  HWY_NOINLINE Opens wall_to_open(const Clock& c) const {
    if (!frame_.motion_b.turns() && orbits_.spread(false, a_, c.a.node_index()) < thickness(b_, c.b) * frame_.rho)
      return Opens::b;
    if (!frame_.motion_a.turns() && orbits_.spread(true, b_, c.b.node_index()) * frame_.rho < thickness(a_, c.a))
      return Opens::a;
    return Opens::neither;
  }
  /// Of a node's slab.
  static float thickness(const body::WideTree& tree, Part p) {
    const bvh::WideNode& node = tree.tree.nodes[p.node_index()];
    if (p.node_index() == 0) return extent(node);  // the root has none
    const body::SlabView slab = tree.slabs.of_node(node, p.node_index());
    return *slab.hi - *slab.lo;
  }

  /// At least one part is a node. Two bottom nodes are replaced by their triangles, otherwise one part by its children;
  /// each pair gets its own clock.
  void open(const Clock& c) {
    place(c.time, a_.tree.nodes[c.a.node_index()], b_.tree.nodes[c.b.node_index()]);
    if (HWY_UNLIKELY(s_.counters.motion_box_tests + s_.counters.motion_triangle_tests > patience_)) {
      if (!orbits_.known()) {
        orbits_.make(a_, s_.flight.motion_a, b_, s_.flight.motion_b);
        if (begun_again(c)) return;
      }
      if (frame_.usable && turned_past(c)) return;
    }
    ++s_.counters.node_pairs;
    const bool bottom_a = bottom(a_, c.a), bottom_b = bottom(b_, c.b), bottoms = bottom_a && bottom_b;
    const bool larger_a = opens_a(c, bottom_a, bottom_b);
    const Opened a(a_, c.a, bottoms || larger_a), b(b_, c.b, bottoms || !larger_a);
    const PairFrame pair(frame_, a.node, b.node);
    const float enough = this->enough();
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
    bool rows_of_b = nb < na;  // the shorter side is processed one by one
    unsigned rows = (1u << (rows_of_b ? nb : na)) - 1;
    if (bottoms && uneven(a, b) && frame_.usable && !s_.proof) {
      rows_of_b = extent(b.node) * frame_.rho > extent(a.node);
      rows = rows_near(a, b, rows_of_b, pair, enough);
    }
    // After `rows_near`, which loads the distances of a closed node in place of those of its triangles.
    if (orbits_.known()) load_orbits(pair, a, b, triangles);
    (triangles ? s_.counters.motion_triangle_tests : s_.counters.motion_box_tests) +=
        static_cast<std::uint64_t>(std::popcount(rows) * (rows_of_b ? na : nb));
    probing_ = triangles && probes_ < most_probes && s_.earliest.time > 1 && !s_.proof && !s_.least;
    for (; rows != 0; rows &= rows - 1) {
      const int row = std::countr_zero(rows);
      row_times(pair, triangles, row, rows_of_b, enough, times);
      // Most pairs are finished. They need no further work unless a proof is written.
      const unsigned all = (1u << (rows_of_b ? na : nb)) - 1, left = s_.proof ? all : all & ~times.beyond(enough);
      s_.counters.finished_by_parting += static_cast<std::uint64_t>(std::popcount(all & ~left));
      for (unsigned rest = left; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest), i = rows_of_b ? lane : row, j = rows_of_b ? row : lane;
        settle(c, a.child(i), b.child(j), proofs + static_cast<std::uint32_t>(s_.proof ? i * nb + j : 0), times, lane);
      }
    }
    if (probe_) probe();
  }

  /// Of two bottom nodes of very different sizes: the triangles of the larger one that are not certified to stay away
  /// from the smaller one.
  unsigned rows_near(const Opened& a, const Opened& b, bool of_b, const PairFrame& pair, float enough) {
    const auto closed = [](const Opened& x) { return Look{Look::At::node, x.look.node}; };
    load_side(frame_, pair, a_, false, of_b ? closed(a) : a.look, side_a_);
    load_side(frame_, pair, b_, true, of_b ? b.look : closed(b), side_b_);
    if (orbits_.known()) load_orbits(pair, {a_, a.part, !of_b}, {b_, b.part, of_b}, false);
    SafeTimes times;
    row_times(pair, false, 0, !of_b, enough, times);
    const int n = of_b ? b.count() : a.count();
    const unsigned all = (1u << n) - 1, left = all & ~times.beyond(enough);
    s_.counters.motion_box_tests += static_cast<std::uint64_t>(n);
    s_.counters.finished_by_parting += static_cast<std::uint64_t>(std::popcount(all & ~left));
    return left;
  }
  bool uneven(const Opened& a, const Opened& b) const {
    const float size_a = extent(a.node), size_b = extent(b.node) * frame_.rho;
    return size_a > 8 * size_b || size_b > 8 * size_a;
  }

  void row_times(const PairFrame& pair, bool triangles, int row, bool of_b, float enough, SafeTimes& times) {
    if (!frame_.usable)
      std::fill(times.time, times.time + 8, 0.0f);
    else if (HWY_UNLIKELY(orbits_.known()))
      long_row_times(pair, triangles, row, of_b, enough, times);
    else if (frame_.turning)
      row_times<true>(pair, triangles, row, of_b, enough, times);
    else
      row_times<false>(pair, triangles, row, of_b, enough, times);
  }
  template <bool Turning>
  void row_times(const PairFrame& pair, bool triangles, int row, bool of_b, float enough, SafeTimes& times) {
    if (triangles)
      safe_times<Turning>(frame_, pair, of_b ? triangles_b_ : triangles_a_, row, of_b,
                          of_b ? triangles_a_ : triangles_b_, enough, times);
    else
      safe_times<Turning>(frame_, pair, of_b ? side_b_ : side_a_, row, of_b, of_b ? side_a_ : side_b_, enough, times);
  }
  /// In long searches: the longer of the times by reach and as above.
  HWY_NOINLINE void long_row_times(const PairFrame& pair, bool triangles, int row, bool of_b, float enough,
                                   SafeTimes& times) {
    SafeTimes by_reach;
    int lanes;
    if (triangles) {
      lanes = (of_b ? triangles_a_ : triangles_b_).count;
      orbits_.find(frame_, pair, triangles_a_, triangles_b_, row, of_b, by_reach);
    } else {
      lanes = (of_b ? side_a_ : side_b_).n;
      orbits_.find(frame_, pair, side_a_, side_b_, row, of_b, by_reach);
    }
    times = by_reach;
    if ((~by_reach.beyond(enough) & ((1u << lanes) - 1)) == 0) return;
    row_times<true>(pair, triangles, row, of_b, enough, times);
    times.keep_longer(by_reach);
  }

  /// The number of tests after which a search of turning bodies reads all their corners, which takes about as long. A
  /// test of bodies on several joints, with a sum over their axes, takes about half as long again.
  std::uint64_t patience() const {
    const auto turning = [](const body::WideTree& tree, const motion::Path& path) {
      return path.bounds().turn_speed > 0 ? tree.tree.items.size() : 0;
    };
    const std::size_t items = turning(a_, s_.flight.motion_a) + turning(b_, s_.flight.motion_b);
    if (items == 0) return std::numeric_limits<std::uint64_t>::max() / 4;
    const Kinematics& k = s_.pairs.kinematics();
    return (1024 + items) * (k.a().directed() || k.b().directed() ? 2 : 3) / 3;
  }
  void load_orbits(const PairFrame& pair, const Opened& a, const Opened& b, bool triangles) {
    orbits_.load(frame_, pair, false, a_, a.look, triangles, triangles_a_, side_a_);
    orbits_.load(frame_, pair, true, b_, b.look, triangles, triangles_b_, side_b_);
  }
  /// Tests a pair from before that time again, by reach, before it is opened.
  bool turned_past(const Clock& c) {
    const Opened a(a_, c.a, false), b(b_, c.b, false);
    const PairFrame pair(frame_, a.node, b.node);
    load_side(frame_, pair, a_, false, a.look, side_a_);
    load_side(frame_, pair, b_, true, b.look, side_b_);
    load_orbits(pair, a, b, false);
    SafeTimes times;
    orbits_.find(frame_, pair, side_a_, side_b_, 0, false, times);
    ++s_.counters.motion_box_tests;
    if ((times.beyond(enough()) & 1) == 0) return false;
    settle(c, c.a, c.b, c.proof, times, 0);
    return true;
  }
  /// Once more is known about reach: does it separate the bodies as a whole, but for a few pairs? Then these replace
  /// all clocks, most of which are pairs of small parts by now and would be tested one by one. `c` is the earliest
  /// clock, so everything is apart before its time. False: nothing has changed. The tests are a small part of those
  /// until now.
  HWY_NOINLINE bool begun_again(const Clock& c) {
    if (s_.proof || s_.least) return false;
    constexpr std::size_t most_left = 8;
    place(c.time, a_.tree.nodes[0], b_.tree.nodes[0]);
    if (!frame_.usable) return false;
    std::vector<Clock> open{{c.time, Part::node(0), Part::node(0), 0}}, left;
    const std::uint64_t most = std::max<std::uint64_t>(1024, work() / 8);
    for (std::uint64_t tests = 0; !open.empty();) {
      const Clock pair = open.back();
      open.pop_back();
      if (ranges_ && ranges_->apart(pair.a.node_index(), pair.b.node_index(), s_.kept())) continue;
      const bool bottom_a = bottom(a_, pair.a), bottom_b = bottom(b_, pair.b);
      if ((pair.a.is_triangle() || bottom_a) && (pair.b.is_triangle() || bottom_b)) {
        left.push_back(pair);
        if (left.size() > most_left) return false;
        continue;
      }
      const bool open_a = opens_a(pair, bottom_a, bottom_b);
      const Opened a(a_, pair.a, open_a), b(b_, pair.b, !open_a);
      const int count = open_a ? a.count() : b.count();
      tests += static_cast<std::uint64_t>(count);
      s_.counters.motion_box_tests += static_cast<std::uint64_t>(count);
      if (tests > most) return false;
      for (unsigned rest = near_by_reach(a, b, open_a, count); rest != 0; rest &= rest - 1) {
        const int i = std::countr_zero(rest);
        open.push_back({c.time, a.child(open_a ? i : 0), b.child(open_a ? 0 : i), 0});
      }
    }
    s_.queue.clear();
    s_.now.clear();
    for (const Clock& pair : left) s_.queue.push(pair);
    return true;
  }
  /// Of the children of one of two parts: those that are not certified to stay away from the other part, by reach.
  unsigned near_by_reach(const Opened& a, const Opened& b, bool of_a, int count) {
    const PairFrame pair(frame_, a.node, b.node);
    load_side(frame_, pair, a_, false, a.look, side_a_);
    load_side(frame_, pair, b_, true, b.look, side_b_);
    load_orbits(pair, a, b, false);
    SafeTimes times;
    orbits_.find(frame_, pair, side_a_, side_b_, 0, of_a, times);
    return ((1u << count) - 1) & ~times.beyond(enough());
  }
  /// A safe time longer than this finishes a pair, in the time unit of the frame: at most 2^60 (`least_time_unit`)
  /// while the frame is usable, less than what the kernels take for "never". Otherwise no time is compared with it but
  /// 0.
  float enough() const { return 1.0001f * static_cast<float>((s_.limit() - placed_at_) / frame_.time_unit) + 1e-30f; }

  /// A safe time of 0 leaves the clock where it is; a certified step is rounded down.
  void settle(const Clock& c, Part a, Part b, std::uint32_t proof, const SafeTimes& times, int lane) {
    const double safe = times.time[lane] * frame_.time_unit;
    // The factor subtracts at least one unit in the last place.
    const double time = safe > 0 ? std::max(c.time, (placed_at_ + safe) * (1 - 0x1p-52)) : c.time;
    if (s_.proof && time > c.time) proof = s_.proof->separate(proof, world(times, lane), std::min(time, 1.0));
    if (time > s_.limit())
      ++s_.counters.finished_by_parting;
    else if (probing_ && a.is_triangle() && b.is_triangle())
      keep_earlier({time, a, b, proof}, c.time);
    else
      put({time, a, b, proof}, c.time);
  }
  /// A clock that is no later than its parent did not advance.
  void put(const Clock& c, double before) { c.time == before ? s_.now.push_back(c) : s_.queue.push(c); }

  /// Of the triangle pairs of one opening, the earliest is held back for `probe`.
  void keep_earlier(const Clock& c, double before) {
    if (!probe_) {
      probe_ = c;
      return;
    }
    const bool earlier = c.time < probe_->time;
    put(earlier ? *probe_ : c, before);
    if (earlier) probe_ = c;
  }
  /// Until a contact is known, everything that could touch before the end must be examined. So the first triangle pairs
  /// that seem near are solved immediately. This is necessary anyway if they touch first; and if they touch at all,
  /// many later pairs can be dropped.
  void probe() {
    ++probes_;
    const Clock c = *std::exchange(probe_, std::nullopt);
    const std::uint32_t ta = triangle(a_, c.a), tb = triangle(b_, c.b);
    const std::optional<double> touch = s_.pairs.solve(ta, tb, s_.limit(), s_.budget, s_.counters);
    if (!touch) return stop(c);
    s_.offer(*touch, ta, tb);
  }

  Vec3 world(const SafeTimes& times, int i) const {
    const double x = times.n[0][i], y = times.n[1][i], z = times.n[2][i];
    const auto& r = moment_.a.r;
    return {r[0] * x + r[1] * y + r[2] * z, r[3] * x + r[4] * y + r[5] * z, r[6] * x + r[7] * y + r[8] * z};
  }

  /// Splits A, then every part of it by B: pair (i, j) continues at the result + i nb + j.
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

  static bool bottom(const body::WideTree& tree, Part p) {
    return !p.is_triangle() && tree.tree.nodes[p.node_index()].bottom;
  }

  Search& s_;
  const body::WideTree& a_;
  const body::WideTree& b_;
  MotionFrame frame_;
  Moment moment_;
  double placed_at_ = -1;
  bool exhausted_ = false;        ///< the budget
  bool did_not_advance_ = false;  ///< the current clock did not advance when it was made
  Side side_a_, side_b_;
  TriangleSide triangles_a_, triangles_b_;
  const std::uint64_t patience_ = patience();
  Orbits orbits_;                     ///< in long searches
  std::optional<AxisRanges> ranges_;  ///< in very long searches, if there is such an axis
  bool ranges_tried_ = false;
  static constexpr int most_probes = 16;
  int probes_ = 0;
  bool probing_ = false;
  std::optional<Clock> probe_;
  std::vector<std::uint32_t> counts_, below_a_, below_b_;  // for proofs
};

}  // namespace

bool RunClocks(Search& search) { return Refiner(search).run(); }

}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::first_contact
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::engine::first_contact {

HWY_EXPORT(RunClocks);

bool run_clocks(Search& search) { return HWY_DYNAMIC_DISPATCH(RunClocks)(search); }

}  // namespace graze::engine::first_contact
#endif
