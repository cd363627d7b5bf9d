// SPDX-License-Identifier: MIT
#include "bvh/split.hpp"

#include <algorithm>
#include <array>

namespace graze::bvh {
namespace {

/// Range. The builder passes boxes without NaN or infinity, whose largest coordinate is 0 or between 2^-40 and 2^40, or
/// which were scaled to at most 4 (`normalising_scale` in build.cpp). Splitting only has to put every entry on one of
/// two sides that are not empty; how good the split is depends on the numbers below, whether the tree is right does
/// not.
///
/// Overflow: twice a centre and every edge, with its padding, are below 2^42, the sum of three products of edges below
/// 2^86, and costs (times fewer than 2^32 entries) below 2^119. The bounds of an empty bin are -infinity; they only
/// pass through `max`, since the cost of a side without entries is not computed from its area. The factor of a bin map,
/// bins over an extent, is infinite for an extent below 2^-124; see `bins_of`.
///
/// Underflow: areas of small boxes may be 0, and then several cuts cost the same; the first is taken. A difference of
/// two floats never underflows to 0 (subnormals are on, core/fp_guard), so entries with different centres have a
/// positive extent.
///
/// NaN: 0 times the infinite factor. `min` returns its second argument then, the last bin. Everything else is a sum or
/// product of finite numbers. If no cut has a cost below infinity (all entries in one bin), the entries are halved.
constexpr int max_bins = 16;
constexpr std::size_t few = 4;  // up to this number of entries every split position is tried

/// A split: entries whose bin (or rank, for few entries) along `axis` is below `position` go to the left.
struct Cut {
  int axis = -1;
  int position = 0;
  float cost = std::numeric_limits<float>::infinity();
};

/// Added to every edge before areas are compared: boxes along a line have zero area, but their lengths must count.
Float4 padding(const Measure& m) {
  float edge[4];
  store(m.boxes.edges(), edge);
  return splat(0x1p-16f * std::max({edge[0], edge[1], edge[2]}));
}

/// Maps twice a centre to a bin number along each axis. Binning and partitioning must agree to the last bit.
struct BinMap {
  Float4 origin;
  Float4 scale;
  Float4 last;

  BinMap(const Bounds& centres, int bins)
      : origin(negate(centres.negated_lo)), last(splat(static_cast<float>(bins - 1))) {
    float edge[4];
    store(centres.edges(), edge);
    float s[3];
    for (int k = 0; k < 3; ++k) s[k] = edge[k] > 0.0f ? 0.9999f * static_cast<float>(bins) / edge[k] : 0.0f;
    scale = load3(s);
  }
  void bins_of(const Entry& e, std::int32_t out[4]) const {
    // A centre is not below the origin, so the product is not negative; infinite, or NaN (0 times infinity), it becomes
    // the last bin by the rule of `min`. So the number is always from 0 to the last.
    truncate(min((e.centre() - origin) * scale, last), out);
  }
};

template <int Bins>
struct Histogram {
  Bounds bounds[3][Bins];
  std::uint32_t count[3][Bins] = {};

  void add(const Entry& e, const BinMap& map) {
    alignas(16) std::int32_t bin[4];
    map.bins_of(e, bin);
    for (int k = 0; k < 3; ++k) {
      bounds[k][bin[k]].add(e);
      ++count[k][bin[k]];
    }
  }

  void add(const Histogram& other) {
    for (int k = 0; k < 3; ++k) {
      for (int b = 0; b < Bins; ++b) {
        bounds[k][b].add(other.bounds[k][b]);
        count[k][b] += other.count[k][b];
      }
    }
  }

  void fill(std::span<const Entry> entries, const BinMap& map) {
    std::size_t first = 0;
    if (entries.size() > 256) {
      // Neighbours in the array are neighbours in space: consecutive entries often fall into the same bin, and each sum
      // then waits for the previous one. Two histograms, filled alternately from the two halves, break this dependency.
      Histogram second;
      const std::size_t half = entries.size() / 2;
      for (std::size_t i = 0; i < half; ++i) {
        add(entries[i], map);
        second.add(entries[half + i], map);
      }
      add(second);
      first = 2 * half;
    }
    for (std::size_t i = first; i < entries.size(); ++i) add(entries[i], map);
  }

  /// The cheapest cut along one axis if it beats `best`.
  void improve(int axis, Float4 pad, Cut& best) const {
    float right_cost[Bins];
    Bounds right;
    std::uint32_t n = 0;
    for (int s = Bins - 1; s > 0; --s) {
      right.add(bounds[axis][s]);
      n += count[axis][s];
      right_cost[s] = n == 0 ? std::numeric_limits<float>::infinity() : right.area(pad) * static_cast<float>(n);
    }
    Bounds left;
    n = 0;
    for (int s = 1; s < Bins; ++s) {
      left.add(bounds[axis][s - 1]);
      n += count[axis][s - 1];
      if (n == 0) continue;
      const float cost = left.area(pad) * static_cast<float>(n) + right_cost[s];
      if (cost < best.cost) best = {axis, s, cost};
    }
  }
};

/// Writes both parts in one pass, without a branch: every entry is written to both ends, and only one end advances.
std::size_t partition(std::span<const Entry> entries, std::span<Entry> into, const BinMap& map, const Cut& cut) {
  std::size_t left = 0;
  std::size_t right = into.size() - 1;
  for (const Entry& e : entries) {
    alignas(16) std::int32_t bin[4];
    map.bins_of(e, bin);
    const std::size_t goes_left = bin[cut.axis] < cut.position ? 1 : 0;
    into[left] = e;
    into[right] = e;
    left += goes_left;
    right -= 1 - goes_left;
  }
  return left;
}

template <int Bins>
std::size_t split_binned(std::span<Entry> entries, std::span<Entry> into, const Measure& m) {
  const BinMap map(m.centres, Bins);
  Histogram<Bins> histogram;
  histogram.fill(entries, map);
  const Float4 pad = padding(m);
  Cut cut;
  for (int k = 0; k < 3; ++k) histogram.improve(k, pad, cut);
  if (cut.axis < 0) return split_in_half(entries, into, m);
  return partition(entries, into, map, cut);
}

/// Tries every position along every axis; for few entries.
std::size_t split_swept(std::span<Entry> entries, std::span<Entry> into, const Measure& m) {
  const int n = static_cast<int>(entries.size());
  alignas(16) float centre[few][4];
  for (int i = 0; i < n; ++i) store(entries[i].centre(), centre[i]);
  const Float4 pad = padding(m);
  std::array<std::uint8_t, few> order[3];
  Cut best;
  for (int k = 0; k < 3; ++k) {
    auto& rank = order[k];
    for (int i = 0; i < n; ++i) {  // insertion sort, stable
      int j = i;
      for (; j > 0 && centre[rank[j - 1]][k] > centre[i][k]; --j) rank[j] = rank[j - 1];
      rank[j] = static_cast<std::uint8_t>(i);
    }
    float right_cost[few];
    Bounds right;
    for (int s = n - 1; s > 0; --s) {
      right.add(entries[rank[s]]);
      right_cost[s] = right.area(pad) * static_cast<float>(n - s);
    }
    Bounds left;
    for (int s = 1; s < n; ++s) {
      left.add(entries[rank[s - 1]]);
      const float cost = left.area(pad) * static_cast<float>(s) + right_cost[s];
      if (cost < best.cost) best = {k, s, cost};
    }
  }
  if (best.axis < 0) return split_in_half(entries, into, m);
  for (int i = 0; i < n; ++i) into[i] = entries[order[best.axis][i]];
  return static_cast<std::size_t>(best.position);
}

}  // namespace

BoxF Bounds::box() const {
  float l[4], h[4];
  store(negate(negated_lo), l);
  store(hi, h);
  return {{l[0], l[1], l[2]}, {h[0], h[1], h[2]}};
}

Measure measure(std::span<const Entry> entries) {
  Measure m;
  for (const Entry& e : entries) {
    m.boxes.add(e);
    const Float4 c = e.centre();
    m.centres.negated_lo = max(m.centres.negated_lo, negate(c));
    m.centres.hi = max(m.centres.hi, c);
  }
  return m;
}

std::size_t split_by_area(std::span<Entry> entries, std::span<Entry> into, const Measure& m) {
  if (entries.size() <= few) return split_swept(entries, into, m);
  if (entries.size() <= 64) return split_binned<8>(entries, into, m);
  return split_binned<max_bins>(entries, into, m);
}

std::size_t split_in_half(std::span<Entry> entries, std::span<Entry> into, const Measure& m) {
  float edge[4];
  store(m.centres.edges(), edge);
  const int axis = static_cast<int>(std::max_element(edge, edge + 3) - edge);
  // A total order, so that the tree does not depend on how the standard library sorts.
  std::sort(entries.begin(), entries.end(), [axis](const Entry& a, const Entry& b) {
    float ca[4], cb[4];
    store(a.centre(), ca);
    store(b.centre(), cb);
    return ca[axis] != cb[axis] ? ca[axis] < cb[axis] : a.index() < b.index();
  });
  std::copy(entries.begin(), entries.end(), into.begin());
  return entries.size() / 2;
}

}  // namespace graze::bvh
