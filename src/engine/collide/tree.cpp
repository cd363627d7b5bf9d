// SPDX-License-Identifier: MIT
#include "engine/collide/tree.hpp"

#include <span>
#include <utility>
#include <vector>

#include "core/counter_sum.hpp"
#include "engine/collide/grid.hpp"
#include "engine/collide/tree_walk.hpp"
#include "prim/triangle_triangle.hpp"

namespace graze::engine::collide {

namespace {

/// Keeps the first crossing pair, or the first touching one if none crosses; with `all`, every pair.
class Found : public PairReceiver {
 public:
  /// `buffer`: for pairs.
  explicit Found(const CollideQuery& q, std::vector<TrianglePair> buffer = {})
      : query_(q),
        triangles_a_(q.a.mesh.triangles()),
        triangles_b_(q.b.mesh.triangles()),
        placement_(q.placement),
        points_(placement_, counters),
        pairs_(std::move(buffer)) {
    limits = q.limits;
  }

  void crossing(std::uint32_t item_a, std::uint32_t item_b) override { add(item_a, item_b, ContactKind::crossing); }

  void undecided(std::uint32_t item_a, std::uint32_t item_b) override {
    if (limits && limits->stopped()) {
      done = true;
      return;
    }
    const std::uint32_t ta = query_.a.tree.triangle(item_a), tb = query_.b.tree.triangle(item_b);
    if (!grid_) grid_.emplace(query_.a.part<Grid>(), query_.b.part<Grid>(), placement_);
    prim::TriangleContact contact;
    if (grid_->usable()) {
      ++counters.whole_decided;
      grid_->load_a(triangles_a_[ta], whole_);
      if (tb != loaded_b_) grid_->load_b(triangles_b_[tb], whole_);  // the inner loop runs over A's triangles
      loaded_b_ = tb;
      contact = decide(whole_, ta, tb);
    } else {
      load_pair(points_, query_, ta, tb);
      contact = decide(points_, ta, tb);
    }
    if (contact != prim::TriangleContact::none)
      add(item_a, item_b, contact == prim::TriangleContact::crossing ? ContactKind::crossing : ContactKind::touching);
  }

  void merge_into(CollideResult& result) {
    core::add(query_.counters, counters);
    if (limits && limits->cut()) return;  // what was found is not reported
    if (query_.options.all && result.pairs.empty())
      result.pairs.swap(pairs_);  // pairs_ has the result's previous buffer
    else if (query_.options.all)
      result.pairs.insert(result.pairs.end(), pairs_.begin(), pairs_.end());
    if (!kind_) return;
    result.status = Status::contact;
    const bool better = is_better(result.kind, *kind_);
    if (!query_.options.all && better) result.pairs.assign(1, witness_);
    if (better) result.kind = kind_;
  }

 private:
  template <class Points>
  prim::TriangleContact decide(Points& p, std::uint32_t ta, std::uint32_t tb) {
    // Once a touching pair is found, only a crossing pair can change the answer.
    if (!query_.options.all && kind_ == ContactKind::touching && prim::cannot_cross(p))
      return prim::TriangleContact::none;
    return prim::triangle_triangle(p, query_.a.inner_edges(ta), query_.b.inner_edges(tb));
  }

  static bool is_better(const std::optional<ContactKind>& old, ContactKind now) {
    return !old || (now == ContactKind::crossing && *old == ContactKind::touching);
  }

  void add(std::uint32_t item_a, std::uint32_t item_b, ContactKind contact) {
    const bool all = query_.options.all, better = is_better(kind_, contact);
    if (better) kind_ = contact;
    if (!all && !better) return;
    const TrianglePair pair{TriangleId{query_.a.tree.triangle(item_a)}, TriangleId{query_.b.tree.triangle(item_b)}};
    if (all)
      pairs_.push_back(pair);
    else
      witness_ = pair;
    done = !all && (contact == ContactKind::crossing || (grid_ && grid_->usable() && grid_->boxes_only_touch()));
  }

  const CollideQuery& query_;
  std::span<const Triangle> triangles_a_, triangles_b_;
  math::RelativePlacement placement_;  // a copy: exact parts are computed lazily, on this receiver's thread
  math::PlacedPoints points_;
  std::optional<CommonGrid> grid_;
  math::WholePoints whole_;
  std::uint32_t loaded_b_ = ~0u;
  std::vector<TrianglePair> pairs_;  // if all pairs are requested, otherwise
  TrianglePair witness_{};
  std::optional<ContactKind> kind_;
};

}  // namespace

void Tree::run(const CollideQuery& q, CollideResult& result) {
  result.status = Status::free;
  // Work is counted sequentially: the point where the budget ends must not depend on the number of threads.
  const bool counts_work = q.limits && q.limits->work > 0;
  const body::TreeFrame frame(q.placement, q.a.tree, q.b.tree);
  if (frame.usable) {
    bool first = q.options.all;  // the first receiver runs before any thread starts: it uses the result's buffer
    const auto make = [&] {
      if (!first) return Found(q);
      first = false;
      return Found(q, std::move(result.pairs));
    };
    walk(q.a.tree, q.b.tree, false, frame, counts_work ? 1 : q.options.threads, make,
         [&](Found& part) { part.merge_into(result); });
    return;
  }
  // Sizes or positions differ by more than 2^40: test all triangle pairs exactly.
  Found all_pairs(q);
  for (std::uint32_t i = 0; i < q.a.mesh.triangle_count() && !all_pairs.done; ++i)
    for (std::uint32_t j = 0; j < q.b.mesh.triangle_count() && !all_pairs.done; ++j) {
      if (over(q.limits, all_pairs.counters)) return;
      ++all_pairs.counters.triangle_tests;
      all_pairs.undecided(i, j);
    }
  all_pairs.merge_into(result);
}

}  // namespace graze::engine::collide
