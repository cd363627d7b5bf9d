// SPDX-License-Identifier: MIT
#include "engine/deform/tree/agglomerate.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/limits.hpp"
#include "core/parallel.hpp"

#include <graze/core/portability.hpp>

namespace graze::engine::deform {

namespace {

/// Smaller is better: the area first, then a hash. Areas are not negative, so their bit patterns sort like their
/// values.
///
/// Range, here and in `InCells`. The boxes are those of `sweep_boxes`: no coordinate is NaN or infinite, and all are
/// below 2^25 (half of the scene is below 2^24 units, see DopTree::project). So edges are below 2^26 and areas below
/// 2^54: nothing overflows. Small areas may underflow to 0 and then compare by their hashes alone. A product of two
/// zero edges may be -0, but no three edges have pairwise different signs, so one of the three products is not -0, and
/// neither is their sum. NaN does not occur. The order only decides which patches are joined, and so the shape of the
/// tree: any order joins all that touch, because the least preference of a round is the choice of both its patches, and
/// no preference equals `no_choice`, whose upper half is the pattern of a NaN.
std::uint64_t preference(const bvh::BoxF& a, const bvh::BoxF& b, std::uint32_t i, std::uint32_t j) {
  const bvh::BoxF u = united(a, b);
  const float x = u.hi[0] - u.lo[0], y = u.hi[1] - u.lo[1], z = u.hi[2] - u.lo[2];
  const float area = x * y + y * z + z * x;
  std::uint32_t h = std::min(i, j) * 0x9E3779B1u ^ std::max(i, j) * 0x85EBCA77u;
  h = (h ^ h >> 15) * 0x2C1B3C6Du;
  return std::uint64_t{core::bit_cast<std::uint32_t>(area)} << 32 | (h ^ h >> 13);
}

constexpr std::uint64_t no_choice = std::numeric_limits<std::uint64_t>::max();

class Joiner {
 public:
  explicit Joiner(Joining& j) : j_(j) {
    const std::size_t n = j.boxes.size(), all = 2 * n;  // pairwise joins add fewer than n entries
    j.boxes.reserve(all);
    j.counts.reserve(all);
    j.joined.reserve(n);
    label_.reserve(all);
    choice_.reserve(all);
    label_.resize(n);
    choice_.assign(n, no_choice);
    for (std::uint32_t i = 0; i < label_.size(); ++i) label_[i] = i;
  }

  void run() {
    const std::size_t given = j_.boxes.size();
    gather();
    double limit = 2 * most_gathered;
    while (!j_.touching.empty()) {
      core::poll_once();
      const std::size_t before = j_.joined.size();
      round(limit);
      limit *= j_.joined.size() == before ? 4 : 1.6;
    }
    std::vector<bool> inside(given + j_.joined.size(), false);
    for (const auto& [a, b] : j_.joined) inside[a] = inside[b] = true;
    for (std::uint32_t i = 0; i < inside.size(); ++i)
      if (!inside[i]) j_.roots.push_back(i);
  }

 private:
  /// First pass: joins single triangles that touch into groups of a few, in the order of their numbers. The next
  /// triangle of a group is the one that touches it and gives the smallest box.
  void gather() {
    const auto n = static_cast<std::uint32_t>(j_.boxes.size());
    std::vector<std::uint32_t> first(n + 1, 0), others(2 * j_.touching.size());
    for (const auto& [a, b] : j_.touching) ++first[a], ++first[b];
    std::uint32_t sum = 0;
    for (std::uint32_t& f : first) f = sum += f;  // ends of the ranges for now
    for (const auto& [a, b] : j_.touching) {
      others[--first[a]] = b;
      others[--first[b]] = a;
    }
    std::uint32_t members[most_gathered];
    for (std::uint32_t i = 0; i < n; ++i) {
      if (label_[i] != i || j_.counts[i] != 1) continue;
      std::uint32_t whole = i;
      members[0] = i;
      for (std::uint32_t size = 1; size < most_gathered; ++size) {
        std::uint64_t best = no_choice;
        std::uint32_t chosen = 0;
        for (std::uint32_t m = 0; m < size; ++m)
          for (std::uint32_t k = first[members[m]]; k < first[members[m] + 1]; ++k) {
            const std::uint32_t o = others[k];
            if (label_[o] != o || o == whole || j_.counts[o] != 1) continue;
            const std::uint64_t p = preference(j_.boxes[whole], j_.boxes[o], i, o);
            if (p >= best) continue;
            best = p;
            chosen = o;
          }
        if (best == no_choice) break;
        join(whole, chosen);
        whole = static_cast<std::uint32_t>(label_.size() - 1);
        members[size] = chosen;
      }
      for (std::uint32_t m = 0; whole != i && m < most_gathered && j_.counts[whole] > m; ++m)
        label_[members[m]] = whole;
    }
    relabel();
  }

  void round(double limit) {
    keys_.resize(j_.touching.size());
    for (std::size_t e = 0; e < j_.touching.size(); ++e) {
      const auto [a, b] = j_.touching[e];
      keys_[e] = no_choice;
      if (static_cast<double>(j_.counts[a]) + static_cast<double>(j_.counts[b]) > limit) continue;
      keys_[e] = preference(j_.boxes[a], j_.boxes[b], a, b);
      choice_[a] = std::min(choice_[a], keys_[e]);
      choice_[b] = std::min(choice_[b], keys_[e]);
    }
    for (std::size_t e = 0; e < j_.touching.size(); ++e) {
      const auto [a, b] = j_.touching[e];
      if (keys_[e] == no_choice || choice_[a] != keys_[e] || choice_[b] != keys_[e]) continue;
      if (label_[a] == a && label_[b] == b) join(a, b);  // otherwise already joined: the pair is a duplicate
    }
    relabel();
  }

  /// Larger patches touch along many edges. Drops most duplicate pairs; dropping all is not necessary.
  void relabel() {
    std::array<std::array<std::uint32_t, 2>, 1024> seen{};
    std::size_t kept = 0;
    for (auto [a, b] : j_.touching) {
      a = label_[a];
      b = label_[b];
      choice_[a] = choice_[b] = no_choice;
      if (a == b) continue;
      const std::array<std::uint32_t, 2> pair{std::min(a, b), std::max(a, b)};
      auto& last = seen[(pair[0] * 0x9E3779B1u ^ pair[1] * 0x85EBCA77u) >> 22];
      j_.touching[kept] = pair;
      kept += last != pair;
      last = pair;
    }
    j_.touching.resize(kept);
  }

  void join(std::uint32_t a, std::uint32_t b) {
    const auto made = static_cast<std::uint32_t>(label_.size());
    label_[a] = label_[b] = made;
    label_.push_back(made);
    choice_.push_back(no_choice);
    j_.boxes.push_back(united(j_.boxes[a], j_.boxes[b]));
    j_.counts.push_back(j_.counts[a] + j_.counts[b]);
    j_.joined.push_back({std::min(a, b), std::max(a, b)});
  }

  static constexpr std::uint32_t most_gathered = 4;

  Joining& j_;
  core::LargeVector<std::uint32_t> label_;   // the patch that this one became part of in this round, or itself
  core::LargeVector<std::uint64_t> choice_;  // the best preference of a patch in this round
  core::LargeVector<std::uint64_t> keys_;
};

/// Cells of a grid over all boxes. Each cell is joined on its own first, which keeps memory access local and allows
/// parallel work. Then the remaining patches of all cells are joined. The cells do not depend on the number of threads.
class InCells {
 public:
  explicit InCells(Joining& j) : j_(j), given_(j.boxes.size()), cell_(given_), local_(given_), cells_(count) {}

  void run(int threads) {
    assign_cells();
    core::parallel_for(count, threads, [&](std::size_t c) { Joiner(cells_[c]).run(); });
    j_.boxes.reserve(2 * given_);
    j_.counts.reserve(2 * given_);
    j_.joined.reserve(given_);
    for (Joining& c : cells_) take_over(c);
    join_roots();
  }

 private:
  static constexpr std::size_t side = 4, count = side * side * side;

  void assign_cells() {
    bvh::BoxF all = j_.boxes[0];
    for (const bvh::BoxF& b : j_.boxes) all = united(all, b);
    // Any cell is right. The quotient is infinite for a width below 2^-126; then `at` is infinite, and the last cell is
    // taken, or NaN (0 times infinity), which is not >= 1: the first.
    float scale[3];
    for (int k = 0; k < 3; ++k) {
      const float wide = all.hi[k] - all.lo[k];
      scale[k] = wide > 0 && wide < std::numeric_limits<float>::max() ? static_cast<float>(side) / wide : 0;
    }
    std::array<std::size_t, count> sizes{};
    for (std::size_t i = 0; i < given_; ++i) {
      std::size_t c = 0;
      for (int k = 0; k < 3; ++k) {
        const float at = (0.5f * (j_.boxes[i].lo[k] + j_.boxes[i].hi[k]) - all.lo[k]) * scale[k];
        c = side * c + (at >= 1 ? std::min(side - 1, static_cast<std::size_t>(std::min(at, 8.0f))) : 0);
      }
      cell_[i] = static_cast<std::uint8_t>(c);
      ++sizes[c];
    }
    for (std::size_t c = 0; c < count; ++c) {
      cells_[c].boxes.reserve(2 * sizes[c]);  // including the joins
      cells_[c].counts.reserve(2 * sizes[c]);
      cells_[c].roots.reserve(sizes[c] + 1);
      cells_[c].touching.reserve(2 * sizes[c]);
    }
    for (std::size_t i = 0; i < given_; ++i) {
      Joining& cell = cells_[cell_[i]];
      local_[i] = static_cast<std::uint32_t>(cell.boxes.size());
      cell.boxes.push_back(j_.boxes[i]);
      cell.counts.push_back(j_.counts[i]);
      cell.roots.push_back(static_cast<std::uint32_t>(i));  // for now: the global number of a local patch
    }
    for (const auto& [a, b] : j_.touching)
      if (cell_[a] == cell_[b])
        cells_[cell_[a]].touching.push_back({local_[a], local_[b]});
      else
        between_.push_back({a, b});
  }

  /// Appends a cell's joins to the result.
  void take_over(Joining& c) {
    const std::size_t units = c.boxes.size() - c.joined.size();
    std::vector<std::uint32_t> global(c.roots.begin(), c.roots.begin() + static_cast<std::ptrdiff_t>(units));
    for (std::size_t i = 0; i < c.joined.size(); ++i) {
      global.push_back(static_cast<std::uint32_t>(j_.boxes.size()));
      j_.boxes.push_back(c.boxes[units + i]);
      j_.counts.push_back(c.counts[units + i]);
      const std::uint32_t a = global[c.joined[i][0]], b = global[c.joined[i][1]];
      j_.joined.push_back({std::min(a, b), std::max(a, b)});
    }
    for (auto r = c.roots.begin() + static_cast<std::ptrdiff_t>(units); r != c.roots.end(); ++r)
      roots_.push_back(global[*r]);
    c = {};
  }

  void join_roots() {
    Joining top;
    core::LargeVector<std::uint32_t> root(j_.boxes.size());
    for (const std::uint32_t r : roots_) {
      root[r] = static_cast<std::uint32_t>(top.boxes.size());
      top.boxes.push_back(j_.boxes[r]);
      top.counts.push_back(j_.counts[r]);
    }
    for (std::size_t i = j_.joined.size(); i-- > 0;)  // a join comes after the joins of its parts
      for (const std::uint32_t part : j_.joined[i]) root[part] = root[given_ + i];
    for (const auto& [a, b] : between_)
      if (root[a] != root[b]) top.touching.push_back({root[a], root[b]});
    Joiner(top).run();
    const std::size_t joins = j_.joined.size();
    const auto global = [&](std::uint32_t l) {
      return l < roots_.size() ? roots_[l] : static_cast<std::uint32_t>(given_ + joins + l - roots_.size());
    };
    for (std::size_t i = 0; i < top.joined.size(); ++i) {
      j_.boxes.push_back(top.boxes[roots_.size() + i]);
      j_.counts.push_back(top.counts[roots_.size() + i]);
      const std::uint32_t a = global(top.joined[i][0]), b = global(top.joined[i][1]);
      j_.joined.push_back({std::min(a, b), std::max(a, b)});
    }
    for (const std::uint32_t r : top.roots) j_.roots.push_back(global(r));
    std::sort(j_.roots.begin(), j_.roots.end());
  }

  Joining& j_;
  std::size_t given_;
  std::vector<std::uint8_t> cell_;
  core::LargeVector<std::uint32_t> local_;
  std::vector<Joining> cells_;
  std::vector<std::array<std::uint32_t, 2>> between_;
  std::vector<std::uint32_t> roots_;  // of all cells
};

/// With fewer patches the cells cost more than they save.
constexpr std::size_t many = 1 << 13;

}  // namespace

void agglomerate(Joining& joining, int threads) {
  if (joining.boxes.size() < many)
    Joiner(joining).run();
  else
    InCells(joining).run(threads);
}

}  // namespace graze::engine::deform
