// SPDX-License-Identifier: MIT
#include "broad/grid.hpp"

#include <algorithm>
#include <cmath>

#include "broad/typical.hpp"
#include "core/parallel.hpp"

namespace graze::broad {
namespace {

template <class Visit>
void for_each_cell(const CellRange& r, Visit&& visit) {
  for (std::int32_t x = r.lo[0]; x <= r.hi[0]; ++x) {
    for (std::int32_t y = r.lo[1]; y <= r.hi[1]; ++y) {
      for (std::int32_t z = r.lo[2]; z <= r.hi[2]; ++z) visit(x, y, z);
    }
  }
}

bool holds(const CellRange& range, const CellAt& at) {
  return range.holds({{at[0], at[1], at[2]}, {at[0], at[1], at[2]}});
}

/// Is this the first cell, along each axis, of those that two blocks share?
bool first_of(const CellRange& a, const CellRange& b, const std::int32_t (&at)[3]) {
  for (int k = 0; k < 3; ++k) {
    if (std::max(a.lo[k], b.lo[k]) != at[k]) return false;
  }
  return true;
}

}  // namespace

void Grid::apply(const Bodies& bodies, std::span<const std::uint32_t> changed) {
  if (range_.size() < bodies.limit()) {
    range_.resize(bodies.limit());
    where_.resize(bodies.limit(), Where::nowhere);
  }
  // Cells chosen for few bodies do not suit many, nor vice versa.
  if (bodies.size() > 2 * size_when_chosen_ || 4 * bodies.size() + 16 < size_when_chosen_) {
    start_anew(bodies);
    return;
  }
  for (const std::uint32_t id : changed) {
    if (!bodies.contains(id))
      take_out(id);
    else if (where_[id] == Where::nowhere)
      put(bodies, id);
    else
      move(bodies, id);
  }
  table_.tidy();
}

void Grid::choose_cells(const Bodies& bodies) {
  std::vector<std::uint32_t> ids;
  for (std::uint32_t id = 0; id < bodies.limit(); ++id) {
    if (bodies.contains(id)) ids.push_back(id);
  }
  size_when_chosen_ = ids.size();
  Typical t[3];
  for (int k = 0; k < 3; ++k) t[k] = typical(bodies, ids, k);
  side_ = wanted_side_;
  if (side_ == 0) side_ = 2 * 1.5 * std::max({t[0].half_size, t[1].half_size, t[2].half_size});
  if (!(side_ > 0)) {  // points: choose the number of cells along the longest axis so that each holds about one
    double range = 0;
    for (const Typical& along : t) range = std::max(range, along.half_to - along.half_from);
    side_ = 2 * range / std::max(1.0, std::cbrt(static_cast<double>(ids.size())));
  }
  if (!(side_ >= 0x1p-1000 && side_ <= 0x1p1000)) side_ = side_ > 1 ? 0x1p1000 : 0x1p-1000;
  for (int k = 0; k < 3; ++k) {
    map_.per_side[k] = 1 / side_;
    map_.origin[k] = bounds_ ? bounds_->lo[k] : t[k].half_from + t[k].half_to;
    if (!std::isfinite(map_.origin[k])) map_.origin[k] = 0;
    map_.least[k] = bounds_ ? 0 : CellTable::kLeast;
    map_.most[k] = CellTable::kMost;
    if (bounds_) map_.most[k] = map_.cell(bounds_->hi[k], k);
  }
}

void Grid::start_anew(const Bodies& bodies) {
  choose_cells(bodies);
  table_.clear();
  large_.clear();
  world_ = {};
  size_ = 0;
  std::fill(where_.begin(), where_.end(), Where::nowhere);
  for (std::uint32_t id = 0; id < bodies.limit(); ++id) {
    if (bodies.contains(id)) put(bodies, id);
  }
}

void Grid::enter(const CellAt& at, std::uint32_t id) {
  table_.add(at[0], at[1], at[2], id);
  ++counters.cells_entered;
}

void Grid::leave(const CellAt& at, std::uint32_t id) {
  table_.remove(at[0], at[1], at[2], id);
  ++counters.cells_left;
}

/// The block of cells that the body's box covers; true if the cells of its tilted box are listed.
bool Grid::find_place(const Bodies& bodies, std::uint32_t id, CellRange& range, std::vector<CellAt>& cells) const {
  range = map_.range(bodies.box(id));
  const TiltedBox* tilted = bodies.tilted(id);
  return tilted != nullptr && range.count() <= kMostCells && stab(map_, range, *tilted, cells);
}

void Grid::put(const Bodies& bodies, std::uint32_t id) {
  world_.add(bodies.box(id));
  ++size_;
  std::vector<CellAt> cells;
  if (find_place(bodies, id, range_[id], cells)) {
    where_[id] = Where::tilted;
    counters.cells_stabbed += static_cast<std::uint64_t>(range_[id].count()) - cells.size();
    for (const CellAt& at : cells) enter(at, id);
    if (tilted_.size() <= id) tilted_.resize(where_.size());
    tilted_[id] = std::move(cells);
  } else if (range_[id].count() > kMostCells) {
    where_[id] = Where::large;
    large_.push_back(id);
  } else {
    where_[id] = Where::cells;
    for_each_cell(range_[id], [&](std::int32_t x, std::int32_t y, std::int32_t z) { enter({x, y, z}, id); });
  }
}

void Grid::take_out(std::uint32_t id) {
  if (where_[id] == Where::nowhere) return;
  --size_;
  if (where_[id] == Where::large)
    std::erase(large_, id);
  else if (where_[id] == Where::tilted)
    for (const CellAt& at : tilted_[id]) leave(at, id);
  else
    for_each_cell(range_[id], [&](std::int32_t x, std::int32_t y, std::int32_t z) { leave({x, y, z}, id); });
  where_[id] = Where::nowhere;
}

void Grid::move(const Bodies& bodies, std::uint32_t id) {
  CellRange next;
  std::vector<CellAt> cells;
  const bool tilted = find_place(bodies, id, next, cells);
  const Where now = tilted ? Where::tilted : next.count() > kMostCells ? Where::large : Where::cells;
  if (now != where_[id]) {
    take_out(id);
    put(bodies, id);
    return;
  }
  world_.add(bodies.box(id));
  if (now == Where::tilted)
    change_cells(id, cells);
  else if (now == Where::cells)
    change_block(id, next);
  range_[id] = next;
}

void Grid::change_block(std::uint32_t id, const CellRange& next) {
  const CellRange last = range_[id];
  if (next == last) {
    ++counters.updates_skipped;
    return;
  }
  for_each_difference(last, next, [&](const CellRange& leaves) {
    for_each_cell(leaves, [&](std::int32_t x, std::int32_t y, std::int32_t z) { leave({x, y, z}, id); });
  });
  for_each_difference(next, last, [&](const CellRange& enters) {
    for_each_cell(enters, [&](std::int32_t x, std::int32_t y, std::int32_t z) { enter({x, y, z}, id); });
  });
  const CellRange kept = next.common(last);
  if (!kept.empty()) counters.cells_kept += static_cast<std::uint64_t>(kept.count());
}

void Grid::change_cells(std::uint32_t id, std::vector<CellAt>& next) {
  std::vector<CellAt>& last = tilted_[id];
  std::vector<CellAt> difference;
  std::set_difference(last.begin(), last.end(), next.begin(), next.end(), std::back_inserter(difference));
  counters.cells_kept += last.size() - difference.size();
  for (const CellAt& at : difference) leave(at, id);
  difference.clear();
  std::set_difference(next.begin(), next.end(), last.begin(), last.end(), std::back_inserter(difference));
  for (const CellAt& at : difference) enter(at, id);
  last.swap(next);
}

bool Grid::first_common(std::uint32_t a, std::uint32_t b, const std::int32_t (&at)[3]) const {
  if (where_[b] != Where::tilted) return first_common(a, range_[b], at);
  if (where_[a] != Where::tilted) return first_common(b, range_[a], at);
  const auto& other = tilted_[b];
  for (const CellAt& cell : tilted_[a]) {
    if (std::binary_search(other.begin(), other.end(), cell)) return cell == CellAt{at[0], at[1], at[2]};
  }
  return false;
}

bool Grid::first_common(std::uint32_t a, const CellRange& range, const std::int32_t (&at)[3]) const {
  if (where_[a] != Where::tilted) return first_of(range_[a], range, at);
  for (const CellAt& cell : tilted_[a]) {
    if (holds(range, cell)) return cell == CellAt{at[0], at[1], at[2]};
  }
  return false;
}

void Grid::large_pairs(const Bodies& bodies, std::vector<BoxPair>& out) {
  for (const std::uint32_t id : large_) {
    const Box3& box = bodies.box(id);
    for (std::uint32_t other = 0; other < where_.size(); ++other) {
      if (where_[other] == Where::nowhere || other == id || (where_[other] == Where::large && other < id)) continue;
      ++counters.box_tests;
      if (box.overlaps(bodies.box(other))) out.push_back({std::min(id, other), std::max(id, other)});
    }
  }
}

void Grid::pairs(const Bodies& bodies, int threads, std::vector<BoxPair>& out) {
  const auto& cells = table_.cells();
  const std::size_t chunks =
      threads == 1 ? 1 : std::min<std::size_t>(cells.size(), static_cast<std::size_t>(threads) * 8);
  std::vector<std::vector<BoxPair>> found(chunks);
  std::vector<std::uint64_t> tests(chunks, 0);
  core::parallel_for(chunks, threads, [&](std::size_t chunk) {
    for (std::size_t c = cells.size() * chunk / chunks; c < cells.size() * (chunk + 1) / chunks; ++c) {
      const std::vector<std::uint32_t>& in = cells[c].bodies;
      for (std::size_t i = 0; i < in.size(); ++i) {
        const Box3& box = bodies.box(in[i]);
        for (std::size_t j = i + 1; j < in.size(); ++j) {
          ++tests[chunk];
          if (!box.overlaps(bodies.box(in[j])) || !first_common(in[i], in[j], cells[c].at)) continue;
          found[chunk].push_back({std::min(in[i], in[j]), std::max(in[i], in[j])});
        }
      }
    }
  });
  for (std::size_t c = 0; c < chunks; ++c) {
    counters.box_tests += tests[c];
    out.insert(out.end(), found[c].begin(), found[c].end());
  }
  counters.nodes_visited += cells.size();
  large_pairs(bodies, out);
}

void Grid::overlapping(const Bodies& bodies, const Box3& box, std::vector<std::uint32_t>& out) const {
  if (size_ == 0) return;
  const CellRange range = map_.range(box);
  const auto look = [&](const CellTable::Cell& cell) {
    for (const std::uint32_t id : cell.bodies) {
      if (bodies.box(id).overlaps(box) && first_common(id, range, cell.at)) out.push_back(id);
    }
  };
  if (range.count() > static_cast<double>(table_.cells().size())) {
    for (const CellTable::Cell& cell : table_.cells()) look(cell);
  } else {
    for_each_cell(range, [&](std::int32_t x, std::int32_t y, std::int32_t z) {
      if (const CellTable::Cell* cell = table_.find(x, y, z)) look(*cell);
    });
  }
  for (const std::uint32_t id : large_) {
    if (bodies.box(id).overlaps(box)) out.push_back(id);
  }
}

void Grid::along_ray(const Bodies& bodies, const Segment& segment, std::vector<std::uint32_t>& out) const {
  double longest = 0;
  for (int k = 0; k < 3; ++k) longest = std::max(longest, (world_.hi[k] - world_.lo[k]) / side_);
  along_ray_by_boxes(bodies, segment, world_, static_cast<int>(std::clamp(longest, 1.0, 1024.0)), out);
}

std::size_t Grid::bytes() const {
  std::size_t tilted = tilted_.capacity() * sizeof(std::vector<CellAt>);
  for (const auto& cells : tilted_) tilted += cells.capacity() * sizeof(CellAt);
  return tilted + table_.bytes() + range_.capacity() * sizeof(CellRange) + where_.capacity() +
         large_.capacity() * sizeof(std::uint32_t);
}

}  // namespace graze::broad
