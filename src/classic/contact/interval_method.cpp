// SPDX-License-Identifier: MIT
#include "classic/contact/interval_method.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>

#include <graze/classic/contact.hpp>

#include "classic/contact/interval_boxes.hpp"
#include "classic/contact/interval_pair.hpp"
#include "classic/contact/interval_reach.hpp"
#include "classic/contact/interval_scene.hpp"
#include "classic/contact/interval_table.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "engine/first_contact/pair/pair_motion.hpp"

namespace graze::classic::contact {
namespace {

constexpr double never = IntervalPair::never;

/// The smallest interval of the bisection tree of [0, 1] that contains [lo, hi].
std::array<double, 2> holding(double lo, double hi) {
  double from = 0, width = 1;
  while (width > 0x1p-40) {
    const double half = 0.5 * width, middle = from + half;
    if (hi <= middle) {
      width = half;
    } else if (lo >= middle) {
      from = middle;
      width = half;
    } else {
      break;
    }
  }
  return {from, from + width};
}

/// For `ignore_start_if_separating`: how long two triangles that touch at the start keep separating.
class Opening {
 public:
  explicit Opening(const engine::first_contact::Flight& f)
      : kinematics_(f.a, f.motion_a, f.b, f.motion_b),
        start_(kinematics_.at(0)),
        pairs_(f.a, f.b, kinematics_, f.tolerance) {}
  double time(std::uint32_t a, std::uint32_t b) const {
    return pairs_.opening_time(start_, pairs_.place(start_, a, b));
  }

 private:
  engine::first_contact::Kinematics kinematics_;
  engine::first_contact::Moment start_;
  engine::first_contact::PairMotion pairs_;
};

class IntervalSearch {
 public:
  IntervalSearch(const engine::first_contact::Flight& flight, engine::first_contact::Found& found,
                 const IntervalTree& a, const IntervalTree& b, IntervalTable* table)
      : flight_(flight),
        options_(flight.options.interval.value()),
        found_(found),
        counters_(found.counters),
        scene_(flight.motion_a, flight.a.mesh.box(), flight.motion_b, flight.b.mesh.box(), flight.tolerance,
               flight.rounding),
        reach_(flight.motion_a, flight.motion_b, scene_),
        a_(a),
        b_(b),
        table_(table) {
    if (flight.options.ignore_start_if_separating) opening_.emplace(flight);
    const auto turning = [&](bool of_b, const IntervalTree& tree) {
      return reach_.turns(of_b) ? tree.nodes.size() : 0;
    };
    if (reach_.known()) patience_ = 64 + (turning(false, a_) + turning(true, b_)) / 16;
  }

  void run() {
    stack_.push_back({0, 0, 0, 1, no_record, 1});
    bool finished = true;
    while (!stack_.empty() && finished) {
      const Entry entry = stack_.back();
      stack_.pop_back();
      try {
        visit(entry);
        finished = !out_of_budget();
      } catch (const core::Stopped&) {
        stack_.push_back(entry);  // what was not looked at counts for t_safe
        finished = false;
      }
    }
    answer();
    if (table_ && options_.coherence_tables) remember();
  }

 private:
  static constexpr std::uint32_t no_record = ~std::uint32_t{0};
  static constexpr double most_turn = 1;  ///< limit for the rotation of both bodies together in a span, in radians
  // If a span has more rotation than this, boxes are first tested by reach (IntervalReach); at most `most_reached`
  // pairs are tested, of which at most `most_left` may remain.
  static constexpr double many_turns = 12;
  static constexpr std::size_t most_reached = 1 << 14, most_left = 64;

  /// A pending node pair with its span [lo, hi].
  struct Entry {
    std::uint32_t a, b;
    double lo, hi;
    std::uint32_t above;  ///< the record of the parent pair
    double reach_below;   ///< the reach test is not repeated for spans longer than this
  };
  struct Record {
    std::uint64_t key;
    bool from_table, open_below;
  };
  struct Contact {
    double time = never;
    std::uint32_t a = 0, b = 0;
    auto order() const { return std::tie(time, a, b); }
  };

  /// Nothing after this time can change the answer.
  double horizon() const { return std::min({options_.current_time ? best_.time : 1.0, unresolved_, 1.0}); }

  void visit(Entry e) {
    const double horizon = this->horizon();
    if (e.hi > horizon) {
      ++counters_.current_time_cuts;
      if (e.lo > horizon) return;
      e.hi = horizon;
    }
    const IntervalNode &a = a_.nodes[e.a], &b = b_.nodes[e.b];
    if (spins(e)) {
      if (a.leaf && b.leaf ? settled_leaves(e) : settled_by_reach(e)) return;
      e.reach_below = 0.125 * (e.hi - e.lo);
    }
    if (table_ && options_.coherence_tables && !(a.leaf && b.leaf) && !turns_far(e) && table_->opens(e.a, e.b)) {
      ++counters_.table_reused;
      open(e, true);
      return;
    }
    const Verdict verdict = test(e, a, b);
    if (verdict == Verdict::apart) return;
    if (verdict == Verdict::halve) {
      ++counters_.time_subdivisions;
      const double middle = 0.5 * (e.lo + e.hi);
      stack_.push_back({e.a, e.b, middle, e.hi, e.above, e.reach_below});
      stack_.push_back({e.a, e.b, e.lo, middle, e.above, e.reach_below});
      return;
    }
    if (e.above != no_record) records_[e.above].open_below = true;
    if (a.leaf && b.leaf) {
      solve(a.first, b.first, e);
    } else {
      open(e, false);
    }
  }

  /// Is it worth testing the span by reach? Yes if it has many turns; and, at a near miss, where most tests are spent,
  /// any span: as long as that is no more than half of the work.
  bool spins(const Entry& e) const {
    if (!options_.reach || !reach_.known() || !(e.hi - e.lo <= e.reach_below)) return false;
    if (scene_.turn() * (e.hi - e.lo) > many_turns) return true;
    const std::uint64_t tests = counters_.continuous_box_tests + counters_.root_bisections;
    return tests > patience_ && counters_.reach_tests < tests;
  }

  /// Profiles of all nodes of the bodies that turn. They take about as long as a sixteenth as many tests of boxes, so
  /// they are made after as many.
  void make_profiles() {
    const auto make = [&](bool of_b, const IntervalTree& tree, std::vector<IntervalReach::Profile>& profiles) {
      if (!reach_.turns(of_b)) return;
      core::Poll poll;
      profiles.resize(tree.nodes.size());
      for (std::size_t k = tree.nodes.size(); k-- > 0;) {  // children come after their parents
        poll.rarely();
        const IntervalNode& node = tree.nodes[k];
        if (node.leaf) {
          profiles[k] = reach_.profile(of_b, of_b ? corners_b(node.first) : corners_a(node.first));
        } else {
          profiles[k] = profiles[node.first];
          profiles[k].add(profiles[node.first + 1]);
        }
      }
    };
    make(false, a_, profiles_a_);
    make(true, b_, profiles_b_);
    profiled_ = true;
  }

  bool settled_leaves(const Entry& e) {
    ++counters_.reach_tests;
    return apart_by_reach(e.a, e.b, e);
  }

  /// Opens a pair by the reach test alone. Spans of several turns are halved before any box is opened, so geometry that
  /// is near but never touches, such as a wheel beside a wall, would be opened again in every radian. Returns false if
  /// too many pairs remain; otherwise the remaining pairs, all of triangles, are pushed on the stack.
  bool settled_by_reach(const Entry& e) {
    reached_.assign(1, {e.a, e.b});
    left_.clear();
    for (std::size_t tests = 0; !reached_.empty(); ++tests) {
      if (tests >= most_reached || left_.size() > most_left) return false;
      const auto [ia, ib] = reached_.back();
      reached_.pop_back();
      const IntervalNode &a = a_.nodes[ia], &b = b_.nodes[ib];
      ++counters_.reach_tests;
      if (apart_by_reach(ia, ib, e)) continue;
      if (a.leaf && b.leaf) {
        left_.push_back({ia, ib});
      } else if (!a.leaf && (b.leaf || a.radius >= b.radius)) {
        reached_.push_back({a.first + 1, ib});
        reached_.push_back({a.first, ib});
      } else {
        reached_.push_back({ia, b.first + 1});
        reached_.push_back({ia, b.first});
      }
    }
    for (const auto& [ia, ib] : left_) stack_.push_back({ia, ib, e.lo, e.hi, e.above, 0});
    if (!left_.empty() && e.above != no_record) records_[e.above].open_below = true;
    return true;
  }

  bool apart_by_reach(std::uint32_t ia, std::uint32_t ib, const Entry& e) {
    const IntervalNode &a = a_.nodes[ia], &b = b_.nodes[ib];
    if (a.leaf && b.leaf) return reach_.apart({corners_a(a.first)}, {corners_b(b.first)}, e.lo, e.hi);
    if (!profiled_ && counters_.reach_tests > patience_) make_profiles();
    const auto profile = [](const std::vector<IntervalReach::Profile>& all, std::uint32_t i) {
      return all.empty() ? nullptr : &all[i];
    };
    return reach_.apart({IntervalReach::corners(box_a(a)), profile(profiles_a_, ia)},
                        {IntervalReach::corners(box_b(b)), profile(profiles_b_, ib)}, e.lo, e.hi);
  }

  std::array<Vec3, 3> corners_a(std::uint32_t triangle) const {
    const auto local = [&](std::size_t k) { return scene_.local_a(flight_.a.corner(triangle, k)); };
    return {local(0), local(1), local(2)};
  }
  std::array<Vec3, 3> corners_b(std::uint32_t triangle) const {
    const auto local = [&](std::size_t k) { return scene_.local_b(flight_.b.corner(triangle, k)); };
    return {local(0), local(1), local(2)};
  }

  enum class Verdict { apart, overlap, halve };

  IntervalBox box_a(const IntervalNode& n) const {
    return {scene_.local_a(n.box.centre), n.box.axis, n.box.half * scene_.scale()};
  }
  IntervalBox box_b(const IntervalNode& n) const {
    return {scene_.local_b(n.box.centre), n.box.axis, n.box.half * scene_.scale()};
  }

  /// The continuous overlap test in its two steps, or the discrete tests instead. A span in which the bodies rotate far
  /// is halved before any box is opened: over such a span the enclosures prove little beyond the reach of the boxes,
  /// and below an opened pair every pair would have to be halved individually.
  Verdict test(const Entry& e, const IntervalNode& a, const IntervalNode& b) {
    const IntervalBox boxes[2] = {box_a(a), box_b(b)};
    if (options_.discrete_first && e.lo < e.hi && !turns_far(e) && slow(e, a, b)) {
      for (const double t : {e.lo, e.hi}) {
        const BoxCourse instant(scene_.over(t, t).b_in_a, boxes[0], boxes[1]);
        if (instant.apart(scene_.tolerance, options_.partial, counters_)) continue;
        ++counters_.discrete_box_tests;
        return Verdict::overlap;
      }
    }
    ++counters_.continuous_box_tests;
    const BoxCourse course(scene_.over(e.lo, e.hi).b_in_a, boxes[0], boxes[1]);
    if (course.apart(scene_.tolerance, options_.partial, counters_)) return Verdict::apart;
    const bool halve =
        e.hi - e.lo > 0x1p-40 && (turns_far(e) || course.worth_halving(options_.subdivision, scene_.tolerance));
    return halve ? Verdict::halve : Verdict::overlap;
  }

  bool turns_far(const Entry& e) const { return scene_.turn() * (e.hi - e.lo) > most_turn; }

  /// Discrete tests first are worthwhile only in "high coherency situations" (section 6): if the boxes travel far
  /// relative to their sizes, the ends of the span prove little about its interior, and halving the span is better. A
  /// caller-defined motion has no speeds.
  bool slow(const Entry& e, const IntervalNode& a, const IntervalNode& b) const {
    if (!scene_.kinematic()) return true;
    const double speed = scene_.speed_a(scene_.local_a(a.box.centre)) + scene_.speed_b(scene_.local_b(b.box.centre));
    return speed * (e.hi - e.lo) <= options_.subdivision * (a.radius + b.radius) * scene_.scale();
  }

  void open(const Entry& e, bool from_table) {
    ++counters_.node_pairs;
    const IntervalNode &a = a_.nodes[e.a], &b = b_.nodes[e.b];
    const std::uint32_t record = table_ ? record_of(e, from_table) : no_record;
    if (from_table && e.above != no_record) records_[e.above].open_below = true;
    const bool open_a = !a.leaf && (b.leaf || a.radius >= b.radius);
    Entry first = e, second = e;
    first.above = second.above = record;
    if (open_a) {
      first.a = a.first;
      second.a = a.first + 1;
    } else {
      first.b = b.first;
      second.b = b.first + 1;
    }
    if (options_.directional && distance(second) < distance(first)) std::swap(first, second);
    stack_.push_back(second);
    stack_.push_back(first);
  }

  /// The squared distance of the boxes' centres at the start of the span, rounded.
  double distance(const Entry& e) {
    const prim::MovingPoint x = scene_.over(e.lo, e.lo).b_in_a.place(scene_.local_b(b_.nodes[e.b].box.centre));
    const Vec3 d = x.c - scene_.local_a(a_.nodes[e.a].box.centre);
    return dot(d, d);
  }

  std::uint32_t record_of(const Entry& e, bool from_table) {
    if (records_.size() > IntervalTable::most) return no_record;
    records_.push_back({IntervalTable::key(e.a, e.b), from_table, false});
    return static_cast<std::uint32_t>(records_.size() - 1);
  }

  void solve(std::uint32_t triangle_a, std::uint32_t triangle_b, const Entry& e) {
    ++counters_.leaf_pairs;
    const std::array<Vec3, 3> a = corners_a(triangle_a), b = corners_b(triangle_b);
    const std::uint64_t work = flight_.options.work;
    IntervalPair pair(scene_, counters_, work > 0 ? work : std::numeric_limits<std::uint64_t>::max(), a, b);
    double time = never;
    if (e.lo == 0 || opening_) {
      const IntervalPair::Start start = pair.start();
      if (start == IntervalPair::Start::near) {
        const double opened = opening_ ? opening_->time(triangle_a, triangle_b) : 0;
        if (!(opened > 0)) time = 0;
        pair.ignore_before(opened);
      }
      if (start == IntervalPair::Start::unknown) unresolved_ = 0;
    }
    if (time == never && e.hi > 0) {
      const auto [from, to] = holding(e.lo, e.hi);
      time = pair.first(from, to, e.lo, std::min(e.hi, horizon()));
      // Found by a search that began inside the bisection tree; the answer is defined by the search from its root.
      if (time != never && !(from == 0 && to == 1)) time = pair.first(0, 1, 0, horizon());
      // Times before e.lo have been processed already: halves of a pair's time are visited in order.
      unresolved_ = std::min(unresolved_, std::max(e.lo, pair.unresolved()));
    }
    if (time == never) return;
    const Contact contact{time, triangle_a, triangle_b};
    if (contact.order() < best_.order()) best_ = contact;
  }

  bool out_of_budget() {
    const FirstContactOptions& o = flight_.options;
    if (o.work > 0 &&
        counters_.continuous_box_tests + counters_.discrete_box_tests + counters_.root_bisections > o.work)
      return true;
    return !time_.take();
  }

  void answer() {
    double safe = std::min(1.0, unresolved_);
    for (const Entry& e : stack_) safe = std::min(safe, e.lo);  // a budget was exhausted
    if (best_.time <= unresolved_ && (stack_.empty() || best_.time <= safe)) {
      if (best_.time == never) {
        found_.status = Status::free;
        found_.safe = 1;
        return;
      }
      found_.status = Status::contact;
      found_.safe = found_.touch = best_.time;
      found_.triangle_a = best_.a;
      found_.triangle_b = best_.b;
      return;
    }
    found_.status = Status::undecided;
    found_.safe = std::min(safe, best_.time);
  }

  /// A pair that was opened because of the table, and below which nothing was opened, is tested again in the next
  /// query: it may itself be apart by then.
  void remember() {
    std::vector<std::uint64_t> opened;
    if (records_.size() <= IntervalTable::most) {
      for (const Record& r : records_)
        if (!r.from_table || r.open_below) opened.push_back(r.key);
    }
    table_->replace(opened);
  }

  const engine::first_contact::Flight& flight_;
  const IntervalOptions& options_;
  engine::first_contact::Found& found_;
  AllCounters& counters_;
  IntervalScene scene_;
  IntervalReach reach_;
  const IntervalTree &a_, &b_;
  IntervalTable* table_;
  std::optional<Opening> opening_;
  std::vector<Entry> stack_;
  std::vector<Record> records_;
  std::vector<std::array<std::uint32_t, 2>> reached_, left_;
  std::uint64_t patience_ = 0;  ///< tests of boxes and features after which reach is asked anyway
  std::vector<IntervalReach::Profile> profiles_a_, profiles_b_;  ///< by node; empty: not made, or it does not turn
  bool profiled_ = false;
  Contact best_;
  double unresolved_ = never;
  core::Steps time_{0};
};

IntervalTable* table_of(const engine::first_contact::Flight& flight) {
  if (!flight.options.coherence || !flight.options.interval.value().coherence_tables) return nullptr;
  auto& memory = flight.options.coherence->state().interval;
  if (!memory) memory = std::make_unique<IntervalTable>();
  return static_cast<IntervalTable*>(memory.get());
}

}  // namespace

std::optional<ErrorDetail> IntervalMethod::refuses(const engine::first_contact::Flight& flight) {
  const double k = flight.options.interval.value().subdivision;
  if (std::isfinite(k) && k > 0) return std::nullopt;
  return core::bad_option("interval.subdivision",
                          "method interval needs a finite subdivision constant above 0; the paper's is 0.2");
}

void IntervalMethod::run(const engine::first_contact::Flight& flight, engine::first_contact::Found& found) {
  search(flight, flight.a.part<IntervalTree>(), flight.b.part<IntervalTree>(), found);
}

void IntervalMethod::search(const engine::first_contact::Flight& flight, const IntervalTree& a, const IntervalTree& b,
                            engine::first_contact::Found& found) {
  IntervalSearch(flight, found, a, b, table_of(flight)).run();
}

}  // namespace graze::classic::contact
