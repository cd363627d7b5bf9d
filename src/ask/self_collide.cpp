// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <string>

#include <graze/ask/collide.hpp>

#include "body/body_data.hpp"
#include "body/features.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/polled_sort.hpp"
#include "core/refusal.hpp"
#include "engine/collide/fan_nodes.hpp"
#include "engine/collide/self_pair.hpp"
#include "engine/collide/tree_walk.hpp"

namespace graze {

namespace ask {

namespace {

class SelfFound : public engine::collide::PairReceiver {
 public:
  SelfFound(const body::BodyData& body, bool all, core::Limits* within,
            const engine::collide::FanNodes* nodes = nullptr)
      : body_(body), all_(all), placement_(Pose(), Pose()), points_(placement_, counters) {
    limits = within;
    fans = nodes;
  }

  void crossing(std::uint32_t item_a, std::uint32_t item_b) override {
    add(item_a, item_b, Neighbourhood::apart, ContactKind::crossing);
  }

  void undecided(std::uint32_t item_a, std::uint32_t item_b) override {
    if (limits && limits->stopped()) {
      done = true;
      return;
    }
    const std::array<std::uint32_t, 2> t{body_.tree.triangle(item_a), body_.tree.triangle(item_b)};
    const std::span<const Triangle> triangles = body_.mesh.triangles();
    const auto meeting =
        engine::collide::self_meeting(points_, body_.mesh.positions(), triangles[t[0]], triangles[t[1]],
                                      [&](std::size_t which) { return body_.inner_edges(t[which]); });
    if (meeting) add(item_a, item_b, meeting->neighbourhood, meeting->kind);
  }

  void merge_into(SelfCollideResult& result) const {
    result.counters += counters;
    if (!kind_ || (limits && limits->cut())) return;  // ended: what was found is not reported
    result.status = Status::contact;
    const bool better = is_better(result.kind, *kind_);
    if (!all_ && !better) return;
    if (!all_) result.pairs.clear();
    result.pairs.insert(result.pairs.end(), pairs_.begin(), pairs_.end());
    if (better) result.kind = kind_;
  }

 private:
  static bool is_better(const std::optional<ContactKind>& old, ContactKind now) {
    return !old || (now == ContactKind::crossing && *old == ContactKind::touching);
  }

  void add(std::uint32_t item_a, std::uint32_t item_b, Neighbourhood neighbourhood, ContactKind contact) {
    const bool better = is_better(kind_, contact);
    if (better) kind_ = contact;
    if (!all_ && !better) return;
    if (!all_) pairs_.clear();
    const std::uint32_t a = body_.tree.triangle(item_a), b = body_.tree.triangle(item_b);
    pairs_.push_back({TriangleId{std::min(a, b)}, TriangleId{std::max(a, b)}, neighbourhood});
    done = !all_ && contact == ContactKind::crossing;
  }

  const body::BodyData& body_;
  bool all_;
  math::RelativePlacement placement_;
  math::PlacedPoints points_;
  std::vector<SelfPair> pairs_;
  std::optional<ContactKind> kind_;
};

void search(const body::BodyData& body, const SelfCollideOptions& options, core::Limits* limits,
            SelfCollideResult& result) {
  const math::RelativePlacement here{Pose(), Pose()};
  const body::TreeFrame frame(here, body.tree, body.tree);
  if (options.method == "tree" && frame.usable) {
    const engine::collide::FanNodes fans(body);
    const auto make = [&] { return SelfFound(body, options.all, limits, fans.empty() ? nullptr : &fans); };
    engine::collide::walk(body.tree, body.tree, true, frame, options.work > 0 ? 1 : options.threads, make,
                          [&](const SelfFound& part) { part.merge_into(result); });
    return;
  }
  SelfFound every_pair(body, options.all, limits);
  const auto n = static_cast<std::uint32_t>(body.mesh.triangle_count());
  for (std::uint32_t i = 0; i < n && !every_pair.done; ++i)
    for (std::uint32_t j = i + 1; j < n && !every_pair.done; ++j) {
      if (engine::collide::over(limits, every_pair.counters)) return;
      ++every_pair.counters.triangle_tests;
      every_pair.undecided(i, j);
    }
  every_pair.merge_into(result);
}

/// The intersection of the two triangles of the first pair. Neighbours always meet in their shared vertices and edges;
/// these are left out.
void add_self_witness(const body::BodyData& body, SelfCollideResult& result) {
  const SelfPair& pair = result.pairs.front();
  const std::uint32_t ta = index(pair.a), tb = index(pair.b);
  const Triangle &a = body.mesh.triangles()[ta], &b = body.mesh.triangles()[tb];
  Counters not_counted;
  const math::RelativePlacement here{Pose(), Pose()};
  math::PlacedPoints points(here, not_counted);
  for (const std::uint32_t t : {ta, tb})
    for (std::size_t k = 0; k < 3; ++k) points.add_a(body.corner(t, k));
  prim::TriangleMeetings all;
  prim::triangle_triangle(points, all, body.inner_edges(ta), body.inner_edges(tb));
  const auto corner_in = [](const Triangle& own, prim::Part part, const Triangle& other) {
    return prim::is_vertex(part) &&
           std::find(other.begin(), other.end(), own[static_cast<std::size_t>(prim::corner_of(part))]) != other.end();
  };
  Vec3 mean{};
  int kept = 0;
  for (int i = 0; i < all.count; ++i) {
    const prim::Meeting& meeting = all.meetings[static_cast<std::size_t>(i)];
    const bool shared = corner_in(a, meeting.a, b) || corner_in(b, meeting.b, a);
    if (shared && pair.neighbourhood != Neighbourhood::same_face) continue;
    ++kept;  // running mean, because a sum could overflow
    mean = kept == 1 ? meeting.point : mean * (1 - 1.0 / kept) + meeting.point * (1.0 / kept);
    if (const auto feature = body::meeting_feature(body.mesh, ta, body.mesh, tb, meeting))
      result.features.push_back(*feature);
  }
  if (kept > 0) result.point = mean;  // the intersection of two triangles is convex
  std::sort(result.features.begin(), result.features.end());
  result.features.erase(std::unique(result.features.begin(), result.features.end()), result.features.end());
}

}  // namespace

}  // namespace ask

namespace {

void clear(SelfCollideResult& result) {
  std::vector<SelfPair> pairs = std::move(result.pairs);
  std::vector<Feature> features = std::move(result.features);
  pairs.clear();
  features.clear();
  result = SelfCollideResult{};
  result.pairs = std::move(pairs);
  result.features = std::move(features);
}

}  // namespace

void self_collide(const Body& body, const SelfCollideOptions& options, SelfCollideResult& result) {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  clear(result);
  if (options.method != "tree" && options.method != "brute")
    return core::refuse(result, core::no_such_method(options.method, "tree, brute"));
  if (core::refused(result, core::bad_threads(options.threads))) return;
  if (!body.has_mesh())
    return core::refuse(result, core::problem(ErrorCode::unsupported, "body",
                                              "only a mesh can intersect itself: this is a curved shape, a half-space "
                                              "or a compound, whose pieces may overlap"));
  core::Limits limits(options);
  const bool ended = core::run_within(limits, [&](core::Limits* within) {
    result.status = Status::free;
    ask::search(body.data(), options, within, result);
    if (!within || !within->cut()) core::polled_sort(result.pairs.begin(), result.pairs.end(), std::less<>());
  });
  if (!ended) {
    const Counters counters = result.counters;
    clear(result);
    result.counters = counters;
  }
  if (!result.pairs.empty()) ask::add_self_witness(body.data(), result);
  if (options.all)
    for (const SelfPair& p : result.pairs) ++result.count[static_cast<std::size_t>(p.neighbourhood)];
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  core::leave_if_outer_ended(limits);
}

SelfCollideResult self_collide(const Body& body, const SelfCollideOptions& options) {
  SelfCollideResult result;
  self_collide(body, options, result);
  return result;
}

}  // namespace graze
