// SPDX-License-Identifier: MIT
#include "engine/manifold/patch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "core/disjoint_sets.hpp"
#include "core/limits.hpp"
#include "engine/manifold/box_pairs.hpp"
#include "engine/manifold/clip.hpp"
#include "shape/simplex.hpp"

namespace graze::engine::manifold {

namespace {

/// The lowest height of the body's box along n.
double lowest_of(const PlacedBody& body, const Vec3& n) {
  if (body.data->is_half_space()) return -math::infinity;
  const Box3& box = body.data->box();
  double low = math::infinity;
  for (unsigned i = 0; i < 8; ++i)
    low = std::min(
        low,
        dot(n, body.place({i & 1 ? box.hi.x : box.lo.x, i & 2 ? box.hi.y : box.lo.y, i & 4 ? box.hi.z : box.lo.z})));
  return low;
}

/// An overlap, and the number of the pair of facets it belongs to.
struct Found {
  Overlap overlap;
  std::uint32_t pair = 0;

  auto key() const { return std::tie(overlap.point.feature_a, overlap.point.feature_b); }
};

/// All pairs of facets that are over each other within the range of depths.
class Search {
 public:
  Search(const PlacedPair& pair, const Vec3& n, double deepest) : frame_(n) {
    const double tiny = 0x1p-40;
    show(pair.a, n, lowest_of(pair.b, n) - pair.margin - tiny, a_);
    show(pair.b, -n, lowest_of(pair.a, -n) - pair.margin - tiny, b_);
    const double size = std::min(pair.size, 1.0);
    slack_ = {.flat = 1e-9 * size + 0x1p-44, .line = 1e-5 * size + 0x1p-44};
    same_ = 1e-7 * size + 0x1p-42;
    lowest_ = -pair.margin - 1e-9 * size - tiny;
    deepest_ = deepest + 1e-6 * size + tiny;
    flatten();
  }

  void run() {
    std::vector<Box3> boxes_a, boxes_b;
    for (const FlatFacet& f : flat_a_) boxes_a.push_back(f.box);
    for (const FlatFacet& f : flat_b_) {
      boxes_b.push_back(f.box);
      Box3& box = boxes_b.back();
      box.lo = box.lo - Vec3{slack_.line, slack_.line, -lowest_};
      box.hi = box.hi + Vec3{slack_.line, slack_.line, deepest_};
    }
    core::Poll poll;
    for_overlapping(boxes_a, boxes_b, [&](std::uint32_t i, std::uint32_t j) {
      poll.rarely();
      corners_.clear();
      clip(flat_a_[i], flat_b_[j], slack_, corners_);
      std::erase_if(corners_,
                    [&](const Overlap& o) { return !(o.point.depth >= lowest_ && o.point.depth <= deepest_); });
      if (corners_.empty()) return;
      const auto number = static_cast<std::uint32_t>(pairs_.size());
      pairs_.push_back({a_[i].triangle, b_[j].triangle});
      for (const Overlap& o : corners_) found_.push_back({o, number});
    });
  }

  std::vector<Patch> patches() {
    core::DisjointSets sets(pairs_.size());
    sort_by_features();
    for (std::size_t i = 1; i < found_.size(); ++i)
      if (found_[i].key() == found_[i - 1].key()) sets.unite(found_[i].pair, found_[i - 1].pair);
    const auto again =
        std::unique(found_.begin(), found_.end(), [](const Found& x, const Found& y) { return x.key() == y.key(); });
    found_.erase(again, found_.end());
    merge_coincident(sets);
    return by_set(sets);
  }

 private:
  void flatten() {
    for (const Facet& f : a_) flat_a_.emplace_back(f, frame_);
    for (const Facet& f : b_) flat_b_.emplace_back(f, frame_);
  }

  /// By `Found::key` and then the pair, compared as four numbers.
  void sort_by_features() {
    struct Entry {
      std::array<std::uint64_t, 4> key;
      std::uint32_t at;
    };
    const auto kind = [](const FeatureRef& f) {
      return std::uint64_t{static_cast<std::uint8_t>(f.type)} << 1 | std::uint64_t{f.diagonal};
    };
    std::vector<Entry> order;
    order.reserve(found_.size());
    for (std::uint32_t i = 0; i < found_.size(); ++i) {
      const FeatureRef &a = found_[i].overlap.point.feature_a, &b = found_[i].overlap.point.feature_b;
      order.push_back({{kind(a) << 32 | a.id[0], std::uint64_t{a.id[1]} << 32 | kind(b),
                        std::uint64_t{b.id[0]} << 32 | b.id[1], found_[i].pair},
                       i});
    }
    std::sort(order.begin(), order.end(), [](const Entry& x, const Entry& y) { return x.key < y.key; });
    std::vector<Found> sorted;
    sorted.reserve(found_.size());
    for (const Entry& e : order) sorted.push_back(found_[e.at]);
    found_ = std::move(sorted);
  }

  /// For each found point those of a later x that may coincide with it, in the order of x. Points of meshes that are
  /// aligned with each other lie in rows, so they are sorted along a direction that no row has: of coordinates that
  /// differ by at most `same_`, the sums differ by at most 1.7 times that; twice as much, as a point that is kept may
  /// be replaced by one that coincides with it.
  class Neighbours {
   public:
    Neighbours(const std::vector<Found>& found, double same) : window_(3.5 * same), rank_(found.size()) {
      for (std::uint32_t i = 0; i < found.size(); ++i) {
        const Vec3& x = found[i].overlap.point.a;
        order_.emplace_back(0.7548776662466927 * x.x + 0.5698402909980532 * x.y + 0.3247179572447461 * x.z, i);
      }
      std::sort(order_.begin(), order_.end());
      for (std::uint32_t k = 0; k < order_.size(); ++k) rank_[order_[k].second] = k;
    }
    const std::vector<std::uint32_t>& of(std::uint32_t i) {
      list_.clear();
      const double at = order_[rank_[i]].first;
      for (std::size_t k = rank_[i] + std::size_t{1}; k < order_.size() && order_[k].first - at <= window_; ++k)
        if (order_[k].second > i) list_.push_back(order_[k].second);
      for (std::size_t k = rank_[i]; k-- > 0 && at - order_[k].first <= window_;)
        if (order_[k].second > i) list_.push_back(order_[k].second);
      std::sort(list_.begin(), list_.end());
      return list_;
    }

   private:
    double window_;
    std::vector<std::pair<double, std::uint32_t>> order_;
    std::vector<std::uint32_t> rank_, list_;
  };

  /// A corner that is on an edge or a corner of the other body was found more than once. The one that is kept has the
  /// smallest features of them all: the vertex, not the face around it.
  void merge_coincident(core::DisjointSets& sets) {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Found& x, const Found& y) { return x.overlap.point.a.x < y.overlap.point.a.x; });
    std::vector<bool> gone(found_.size(), false);
    Neighbours neighbours(found_, same_);
    for (std::uint32_t i = 0; i < found_.size(); ++i) {
      if (gone[i]) continue;
      PatchPoint& kept = found_[i].overlap.point;
      for (const std::uint32_t j : neighbours.of(i)) {
        const PatchPoint& other = found_[j].overlap.point;
        if (gone[j] || math::largest(kept.a - other.a) > same_ || math::largest(kept.b - other.b) > same_) continue;
        gone[j] = true;
        sets.unite(found_[i].pair, found_[j].pair);
        // A corner is there if it is one of the bodies' own, even if an edge inside a flat region passes, too.
        if (found_[j].overlap.inner) continue;
        if (found_[i].overlap.inner) {
          kept = other;
          found_[i].overlap.inner = false;
          continue;
        }
        kept.feature_a = std::min(kept.feature_a, other.feature_a);
        kept.feature_b = std::min(kept.feature_b, other.feature_b);
      }
    }
    std::size_t out = 0;
    for (std::size_t i = 0; i < found_.size(); ++i)
      if (!gone[i]) found_[out++] = found_[i];
    found_.resize(out);
  }

  std::vector<Patch> by_set(core::DisjointSets& sets) {
    std::vector<Patch> out;
    std::vector<std::uint32_t> number(pairs_.size(), static_cast<std::uint32_t>(-1));
    const auto patch_of = [&](std::uint32_t pair) -> Patch& {
      std::uint32_t& at = number[sets.root(pair)];
      if (at == static_cast<std::uint32_t>(-1)) {
        at = static_cast<std::uint32_t>(out.size());
        out.emplace_back();
        out.back().normal = frame_.n;
      }
      return out[at];
    };
    for (const Found& f : found_) {
      if (f.overlap.inner) continue;
      PatchPoint p = f.overlap.point;
      p.a = frame_.back(p.a);
      p.b = frame_.back(p.b);
      patch_of(f.pair).points.push_back(p);
    }
    for (std::uint32_t i = 0; i < pairs_.size(); ++i) {
      Patch& p = patch_of(i);
      p.triangles_a.push_back(pairs_[i][0]);
      p.triangles_b.push_back(pairs_[i][1]);
    }
    for (Patch& p : out)
      for (std::vector<std::uint32_t>* list : {&p.triangles_a, &p.triangles_b}) {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
      }
    std::erase_if(out, [](const Patch& p) { return p.points.empty(); });
    return out;
  }

  Frame frame_;
  std::vector<Facet> a_, b_;
  std::vector<FlatFacet> flat_a_, flat_b_;
  Slack slack_{};
  double same_ = 0, lowest_ = 0, deepest_ = 0;
  std::vector<Overlap> corners_;
  std::vector<Found> found_;
  std::vector<std::array<std::uint32_t, 2>> pairs_;
};

/// How far a point is from a facet, and the feature of the facet that is nearest to it.
std::pair<double, FeatureRef> nearest_feature(const Facet& f, const Vec3& x) {
  if (f.plane) return {0, f.face};
  if (f.count == 1) return {length(f.corners[0].at - x), f.corners[0].feature};
  double w[3]{};
  if (f.count == 2) {
    const Vec3 p = f.corners[0].at - x, q = f.corners[1].at - x;
    shape::nearest_on_segment(p, q, w);
    const double far = length(p * w[0] + q * w[1]);
    return {far, w[0] > 1 - 1e-6 ? f.corners[0].feature : w[1] > 1 - 1e-6 ? f.corners[1].feature : f.edges[0]};
  }
  std::pair<double, FeatureRef> best{math::infinity, f.face};
  for (unsigned k = 1; k + 1 < f.count; ++k) {
    const Vec3 p = f.corners[0].at - x, q = f.corners[k].at - x, r = f.corners[k + 1].at - x;
    shape::nearest_on_triangle(p, q, r, w);
    const double far = length(p * w[0] + q * w[1] + r * w[2]);
    if (!(far < best.first)) continue;
    best = {far, f.face};
    if (f.count > 3) continue;
    for (unsigned i = 0; i < 3; ++i)
      if (w[(i + 2) % 3] < 1e-6 && (f.inner >> i & 1U) == 0) best.second = f.edges[i];
    for (unsigned i = 0; i < 3; ++i)
      if (w[i] > 1 - 1e-6) best.second = f.corners[i].feature;
  }
  return best;
}

}  // namespace

std::vector<Patch> patches_along(const PlacedPair& pair, const Vec3& n, double deepest) {
  Search search(pair, n, deepest);
  search.run();
  return search.patches();
}

FeatureRef feature_at(const PlacedBody& body, const Vec3& n, const Vec3& point) {
  std::vector<Facet> facets;
  show(body, n, -math::infinity, facets);
  std::pair<double, FeatureRef> best{math::infinity, {FeatureRef::Type::face, false, {0, 0}}};
  for (const Facet& f : facets)
    if (const auto here = nearest_feature(f, point); here < best) best = here;
  return best.second;
}

}  // namespace graze::engine::manifold
