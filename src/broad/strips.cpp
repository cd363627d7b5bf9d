// SPDX-License-Identifier: MIT
#include "broad/strips.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.hpp"
#include "core/portability.hpp"

namespace graze::broad {
namespace {

/// Fewer bodies than this are sorted by insertion, which needs them in the order of the last sweep. For more bodies,
/// sequential access to their boxes matters more.
constexpr std::size_t kSortedByInsertion = 1024;

/// Do two boxes with overlapping keys overlap? Strict inequalities between the keys prove it; otherwise the boxes are
/// compared.
bool overlap(const Bodies& bodies, const KeyBox& a, std::uint32_t id_a, const KeyBox& b, std::uint32_t id_b) {
  bool proved = true;
  for (int k = 0; k < 3; ++k) proved = proved && a.lo[k] < b.hi[k] && b.lo[k] < a.hi[k];
  return proved || bodies.box(id_a).overlaps(bodies.box(id_b));
}

}  // namespace

void Strips::apply(const Bodies& bodies, std::span<const std::uint32_t>) {
  if (membership_ != bodies.membership()) {
    membership_ = bodies.membership();
    ids_.clear();
    for (std::uint32_t id = 0; id < bodies.limit(); ++id) {
      if (bodies.contains(id)) ids_.push_back(id);
    }
    if (ids_.size() > size_when_chosen_ + size_when_chosen_ / 4 || 2 * ids_.size() < size_when_chosen_)
      reference_cost_ = -1;
  }
  if (reference_cost_ < 0) {
    frame_ = choose_frame(bodies, ids_);
    size_when_chosen_ = ids_.size();
  }
  make_keys(bodies);
  deal_out();
}

void Strips::make_keys(const Bodies& bodies) {
  const std::size_t n = ids_.size();
  const int swept = frame_.axis[0];
  unsorted_.resize(n);
  order_.resize(n);
  Box3 world;
  const StripsFrame frame = frame_;  // a local copy, so that the stores below cannot alias it
  for (std::size_t i = 0; i < n; ++i) {
    const Box3& box = bodies.box(ids_[i]);
    Item& item = unsorted_[i];
    frame.make_keys(box, item);
    item.id = ids_[i];
    order_[i] = {ordered_bits(item.lo[swept]), static_cast<std::uint32_t>(i)};
    world.add(box);
  }
  world_ = world;
  sort_by_key(order_, scratch_);
  items_.resize(n);
  float widest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    items_[i] = unsorted_[order_[i].item];
    widest = std::max(widest, items_[i].hi[swept] - items_[i].lo[swept]);
    if (n < kSortedByInsertion) ids_[i] = items_[i].id;
  }
  widest_ = widest;
}

void Strips::deal_out() {
  if (frame_.cell_count() == 1) {  // few bodies: a single strip holds all of them in order
    cell_end_.assign(1, static_cast<std::uint32_t>(items_.size()));
    cell_items_.resize(items_.size());
    std::iota(cell_items_.begin(), cell_items_.end(), 0u);
    counters.cells_entered += items_.size();
    return;
  }
  const auto covered = [](const Item& item) {
    return (item.cell_hi[0] - item.cell_lo[0] + std::size_t{1}) * (item.cell_hi[1] - item.cell_lo[1] + std::size_t{1});
  };
  std::size_t total = 0;
  for (const Item& item : items_) total += covered(item);
  // Many boxes are larger than the frame was chosen for: widen the cells by halving cell numbers, until each box is in
  // few of them.
  while (total > 6 * items_.size() && frame_.cell_count() > 1) {
    total = 0;
    for (Item& item : items_) {
      for (std::uint16_t* c : {item.cell_lo, item.cell_hi}) c[0] /= 2, c[1] /= 2;
      total += covered(item);
    }
    for (int k = 0; k < 2; ++k) {
      frame_.cells_per_key[k] /= 2;
      frame_.cells[k] = static_cast<std::uint16_t>((frame_.cells[k] + 1) / 2);
    }
  }
  cell_end_.assign(frame_.cell_count(), 0);
  cell_items_.resize(total);
  const auto for_each_cell = [&](const Item& item, auto&& visit) {
    for (std::size_t c = item.cell_lo[0]; c <= item.cell_hi[0]; ++c) {
      for (std::size_t d = item.cell_lo[1]; d <= item.cell_hi[1]; ++d) visit(cell_end_[c * frame_.cells[1] + d]);
    }
  };
  for (const Item& item : items_) for_each_cell(item, [](std::uint32_t& count) { ++count; });
  std::uint32_t sum = 0;
  for (std::uint32_t& end : cell_end_) {
    const std::uint32_t count = end;
    end = sum;  // temporarily the beginning, until the items are filled in
    sum += count;
  }
  for (std::uint32_t i = 0; i < items_.size(); ++i) {
    for_each_cell(items_[i], [&](std::uint32_t& end) { cell_items_[end++] = i; });
  }
  counters.cells_entered += total;
}

void Strips::sweep_cell(const Bodies& bodies, std::size_t cell, Workspace& work) const {
  const std::size_t begin = cell_begin(cell), n = cell_end_[cell] - begin;
  if (n < 2) return;
  const std::uint32_t* places = cell_items_.data() + begin;
  work.boxes.resize(n);
  constexpr std::size_t ahead = 16;
  for (std::size_t i = 0; i < n; ++i) {
    // Items that are neighbours in a cell's sweep order are far apart in memory.
    core::prefetch(&items_[places[std::min(i + ahead, n - 1)]]);
    const Item& item = items_[places[i]];
    for (int k = 0; k < 3; ++k) {
      work.boxes.lo[k][i] = item.lo[frame_.axis[k]];
      work.boxes.hi[k][i] = item.hi[frame_.axis[k]];
    }
  }
  work.tests += sweep(work.boxes, work.hits);
  const std::size_t row = cell / frame_.cells[1], column = cell % frame_.cells[1];
  for (const SweepHit& hit : std::span(work.hits.buffer.data(), work.hits.size)) {
    const Item &a = items_[places[hit.first]], &b = items_[places[hit.second]];
    // Two boxes may share several cells. Only the cell with the first row and column that both cover reports the pair.
    if (std::max(a.cell_lo[0], b.cell_lo[0]) != row || std::max(a.cell_lo[1], b.cell_lo[1]) != column) continue;
    if (overlap(bodies, a, a.id, b, b.id)) work.found.push_back({std::min(a.id, b.id), std::max(a.id, b.id)});
  }
}

void Strips::pairs(const Bodies& bodies, int threads, std::vector<BoxPair>& out) {
  const std::size_t cells = frame_.cell_count();
  const std::size_t chunks = threads == 1 ? 1 : std::min(cells, static_cast<std::size_t>(threads) * 8);
  if (work_.size() < chunks) work_.resize(chunks);
  core::parallel_for(chunks, threads, [&](std::size_t chunk) {
    Workspace& work = work_[chunk];
    work.found.clear();
    work.tests = 0;
    for (std::size_t cell = cells * chunk / chunks; cell < cells * (chunk + 1) / chunks; ++cell)
      sweep_cell(bodies, cell, work);
  });
  std::uint64_t tests = 0;
  for (std::size_t c = 0; c < chunks; ++c) {
    tests += work_[c].tests;
    out.insert(out.end(), work_[c].found.begin(), work_[c].found.end());
  }
  counters.box_tests += tests;
  counters.nodes_visited += cells;
  // If the scene has changed so much that the same frame costs 1.5 times as much, a new frame is chosen.
  const double cost = static_cast<double>(cell_items_.size()) + 0.25 * static_cast<double>(tests);
  if (reference_cost_ < 0)
    reference_cost_ = cost;
  else if (cost > 1.5 * reference_cost_ + 64)
    reference_cost_ = -1;
}

void Strips::overlapping(const Bodies& bodies, const Box3& box, std::vector<std::uint32_t>& out) const {
  KeyBox key;
  frame_.make_keys(box, key);
  constexpr float far = std::numeric_limits<float>::infinity();
  // A box that reaches the query's lower bound starts below it by at most the largest width; both roundings are
  // outward. Keys are finite; a width that overflows is infinite, and then so is `from`: every box is looked at.
  const int swept = frame_.axis[0];
  const float from = std::nextafter(key.lo[swept] - std::nextafter(widest_, far), -far);
  for (std::size_t c = key.cell_lo[0]; c <= key.cell_hi[0]; ++c) {
    for (std::size_t d = key.cell_lo[1]; d <= key.cell_hi[1]; ++d) {
      const std::size_t cell = c * frame_.cells[1] + d;
      const auto end = cell_items_.begin() + cell_end_[cell];
      auto at = std::partition_point(cell_items_.begin() + static_cast<std::ptrdiff_t>(cell_begin(cell)), end,
                                     [&](std::uint32_t i) { return items_[i].lo[swept] < from; });
      for (; at != end && items_[*at].lo[swept] <= key.hi[swept]; ++at) {
        const Item& item = items_[*at];
        if (std::max(item.cell_lo[0], key.cell_lo[0]) != c || std::max(item.cell_lo[1], key.cell_lo[1]) != d) continue;
        if (bodies.box(item.id).overlaps(box)) out.push_back(item.id);
      }
    }
  }
}

void Strips::along_ray(const Bodies& bodies, const Segment& segment, std::vector<std::uint32_t>& out) const {
  const int pieces = std::clamp(static_cast<int>(std::sqrt(static_cast<double>(frame_.cell_count()))), 1, 256);
  along_ray_by_boxes(bodies, segment, world_, pieces, out);
}

std::size_t Strips::bytes() const {
  std::size_t work = 0;
  for (const Workspace& w : work_) {
    work += w.hits.buffer.capacity() * sizeof(SweepHit) + w.found.capacity() * sizeof(BoxPair);
    for (int k = 0; k < 3; ++k) work += (w.boxes.lo[k].capacity() + w.boxes.hi[k].capacity()) * sizeof(float);
  }
  return work + (ids_.capacity() + cell_end_.capacity() + cell_items_.capacity()) * sizeof(std::uint32_t) +
         (unsorted_.capacity() + items_.capacity()) * sizeof(Item) +
         (order_.capacity() + scratch_.capacity()) * sizeof(KeyItem);
}

}  // namespace graze::broad
