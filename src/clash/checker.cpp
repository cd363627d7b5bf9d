// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <string>
#include <tuple>
#include <utility>

#include "clash/kept.hpp"
#include "clash/pair.hpp"
#include "clash/row_order.hpp"
#include "clash/settings.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "core/refusal.hpp"
#include "world/placed_box.hpp"

namespace graze::clash {

struct Checker::State {
  State(Assembly a, Options o)
      : assembly(std::move(a)),
        options(std::move(o)),
        settings(assembly, options),
        order(assembly, settings.most_clearance()),
        store(assembly) {
    core::throw_if(core::bad_threads(options.threads));
  }

  const Assembly assembly;
  const Options options;
  const Settings settings;
  RowOrder order;
  Store store;
};

namespace {

/// Pairs are asked so many at a time: enough for all threads, and few enough that their trees are not many.
constexpr std::size_t batch_size = 1024, small_batch_size = 64;

class Run {
 public:
  Run(const Assembly& assembly, const Options& options, const Settings& settings, RowOrder& order, Store& store,
      Result& result)
      : assembly_(assembly), options_(options), settings_(settings), order_(order), store_(store), result_(result) {}

  /// Throws `core::Stopped` when a limit ends it, or `most`.
  void rows(std::uint64_t first, std::uint64_t last) {
    first_ = first;
    last_ = last;
    std::vector<std::uint32_t> near;
    for (row_ = first; row_ < last; ++row_) {
      core::poll_once();
      order_.earlier_near(row_, near);
      for (const std::uint32_t other : near) take(order_.part_of(row_), other);
      // The rows whose last pair has been asked are done.
      if (waiting_.empty()) result_.rows = row_ + 1 - first;
      if ((row_ + 1) % 4096 == 0) report();
    }
    batch();
    result_.rows = last - first;
    report();
  }

 private:
  void take(std::uint32_t x, std::uint32_t y) {
    Pair pair{std::min(x, y), std::max(x, y), settings_.of(x, y)};
    const Box3 &a = order_.box(pair.a), &b = order_.box(pair.b);
    const double clearance = pair.settings.clearance;
    if (!(clearance > 0 ? world::widened(a, clearance) : a).overlaps(b)) return;
    if (pair.settings.ignore) {
      ++result_.ignored_pairs;
      return;
    }
    ++result_.near_pairs;
    waiting_.push_back(pair);
    if (waiting_.size() >= (options_.memory > 0 ? small_batch_size : batch_size)) batch();
  }

  bool is_duplicate(const Pair& pair) const {
    const Part &a = assembly_.parts[pair.a], &b = assembly_.parts[pair.b];
    return a.geometry == b.geometry && a.pose == b.pose;
  }

  Clash duplicate(const Pair& pair) const {
    Clash out;
    out.a = pair.a;
    out.b = pair.b;
    out.kind = Kind::duplicate;
    const Box3& box = order_.box(pair.a);
    out.overlap = box;
    out.depth = depth_of_boxes(box, box);
    const Vec3 middle = box.lo * 0.5 + box.hi * 0.5;
    out.points = {middle, middle};
    return out;
  }

  void batch() {
    if (waiting_.empty()) return;
    std::vector<std::uint32_t> geometries;
    for (const Pair& pair : waiting_)
      if (!is_duplicate(pair))
        for (const std::uint32_t part : {pair.a, pair.b}) geometries.push_back(assembly_.parts[part].geometry);
    std::sort(geometries.begin(), geometries.end());
    geometries.erase(std::unique(geometries.begin(), geometries.end()), geometries.end());
    store_.need(geometries, options_.threads);

    answers_.assign(waiting_.size(), {});
    constexpr std::size_t chunk = 8;
    const bool few = waiting_.size() < static_cast<std::size_t>(options_.threads) * 2;
    const std::size_t step = few ? 1 : chunk;
    core::parallel_for((waiting_.size() + step - 1) / step, few ? 1 : options_.threads, [&](std::size_t c) {
      CollideResult scratch;
      for (std::size_t i = c * step; i < std::min(waiting_.size(), (c + 1) * step); ++i)
        answers_[i] = answer(waiting_[i], few ? options_.threads : 1, scratch);
    });
    for (std::size_t i = 0; i < waiting_.size(); ++i) keep(waiting_[i], answers_[i]);
    waiting_.clear();
    result_.rows = row_ - first_;  // the present row may have more pairs
    store_.tidy([&](std::uint32_t g) { return order_.end_of(g) <= row_; }, options_.memory);
    report();
  }

  PairAnswer answer(const Pair& pair, int threads, CollideResult& scratch) const {
    if (is_duplicate(pair)) return {duplicate(pair), {}};
    const Part &a = assembly_.parts[pair.a], &b = assembly_.parts[pair.b];
    const Kept *of_a = store_.find(a.geometry), *of_b = store_.find(b.geometry);
    if (!of_a || !of_b) return {};
    return ask(pair, {*of_a, a.pose, order_.box(pair.a)}, {*of_b, b.pose, order_.box(pair.b)}, options_, threads,
               scratch);
  }

  void keep(const Pair& pair, PairAnswer& answer) {
    if (!is_duplicate(pair)) {
      bool unread = false;
      for (const std::uint32_t part : {pair.a, pair.b})
        if (!store_.find(assembly_.parts[part].geometry)) {
          unread = true;
          result_.unanswered.push_back({part, {}, store_.error(assembly_.parts[part].geometry)});
        }
      if (unread) return;
      ++result_.asked_pairs;
    }
    if (answer.error) result_.unanswered.push_back({pair.a, pair.b, std::move(*answer.error)});
    if (!answer.clash) return;
    result_.clashes.push_back(*answer.clash);
    if (options_.most > 0 && result_.clashes.size() >= options_.most) throw core::Stopped();
  }

  void report() const {
    if (!options_.progress) return;
    options_.progress({result_.rows, last_ - first_, result_.near_pairs, result_.clashes.size()});
  }

  const Assembly& assembly_;
  const Options& options_;
  const Settings& settings_;
  RowOrder& order_;
  Store& store_;
  Result& result_;
  std::uint64_t first_ = 0, last_ = 0, row_ = 0;
  std::vector<Pair> waiting_;
  std::vector<PairAnswer> answers_;
};

void sort(Result& result) {
  const auto by_parts = [](const auto& x, const auto& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); };
  std::sort(result.clashes.begin(), result.clashes.end(), by_parts);
  // A part that could not be read was met once for each of its pairs.
  std::sort(result.unanswered.begin(), result.unanswered.end(), by_parts);
  const auto same = [](const Unanswered& x, const Unanswered& y) { return x.a == y.a && x.b == y.b; };
  result.unanswered.erase(std::unique(result.unanswered.begin(), result.unanswered.end(), same),
                          result.unanswered.end());
}

}  // namespace

Checker::Checker(Assembly assembly, Options options) {
  const core::FpGuard guard;
  state_ = std::make_unique<State>(std::move(assembly), std::move(options));
}
Checker::~Checker() = default;
Checker::Checker(Checker&&) noexcept = default;
Checker& Checker::operator=(Checker&&) noexcept = default;

const Assembly& Checker::assembly() const { return state_->assembly; }
std::uint64_t Checker::rows() const { return state_->order.size(); }

std::uint32_t Checker::part_of(std::uint64_t row) const {
  if (row >= rows()) core::throw_if(core::bad_option("row", "there are " + std::to_string(rows()) + " rows"));
  return state_->order.part_of(row);
}

Result Checker::run(std::uint64_t first, std::uint64_t last) {
  const core::FpGuard guard;
  if (first > last || last > rows())
    core::throw_if(core::bad_option("rows", "rows " + std::to_string(first) + " to " + std::to_string(last) +
                                                " were asked for, and there are " + std::to_string(rows())));
  const auto start = std::chrono::steady_clock::now();
  State& s = *state_;
  Result result;
  s.store.reset_counts();
  core::Limits limits(s.options.cancel, s.options.budget);
  bool cut = false;  // by `most`; with limits, also by them
  const bool ended = core::run_within(limits, [&](core::Limits*) {
    try {
      Run(s.assembly, s.options, s.settings, s.order, s.store, result).rows(first, last);
    } catch (const core::Stopped&) {
      cut = true;
    }
  });
  sort(result);
  result.complete = ended && !cut && result.unanswered.empty();
  result.status = !result.clashes.empty() ? Status::contact : result.complete ? Status::free : Status::undecided;
  result.built = s.store.built();
  result.most_bytes = s.store.most_bytes();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  core::leave_if_outer_ended(limits);
  return result;
}

void Checker::forget() {
  state_->store.tidy([](std::uint32_t) { return true; }, 0);
}

Result check(Assembly assembly, const Options& options) { return Checker(std::move(assembly), options).run(); }

}  // namespace graze::clash
