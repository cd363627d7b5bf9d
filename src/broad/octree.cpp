// SPDX-License-Identifier: MIT
#include "broad/octree.hpp"

#include <algorithm>
#include <cmath>

#include "broad/typical.hpp"

namespace graze::broad {

CellRange Octree::range_of(const Octant& octant) {
  CellRange r;
  for (int k = 0; k < 3; ++k) {
    r.lo[k] = octant.at[k];
    r.hi[k] = octant.at[k] + (1 << octant.level) - 1;
  }
  return r;
}

void Octree::apply(const Bodies& bodies, std::span<const std::uint32_t> changed) {
  if (place_.size() < bodies.limit()) place_.resize(bodies.limit());
  if (bodies.size() > 2 * size_when_chosen_ || 4 * bodies.size() + 16 < size_when_chosen_) {
    start_anew(bodies);
    return;
  }
  for (const std::uint32_t id : changed) {
    if (!bodies.contains(id))
      take_out(id);
    else if (!place_[id].there)
      put(bodies, id);
    else
      move(bodies, id);
  }
}

/// A cube: the given bounds, or the range of most bodies with a margin on each side. Anything outside is assigned to
/// the outermost cells.
void Octree::choose_universe(const Bodies& bodies) {
  std::vector<std::uint32_t> ids;
  for (std::uint32_t id = 0; id < bodies.limit(); ++id) {
    if (bodies.contains(id)) ids.push_back(id);
  }
  size_when_chosen_ = ids.size();
  Typical t[3];
  double half_side = 0, half_size = 0;  // of the universe and of a body
  for (int k = 0; k < 3; ++k) {
    t[k] = typical(bodies, ids, k);
    const double margin = 0.25 * (t[k].half_to - t[k].half_from);
    half_size = std::max(half_size, t[k].half_size);
    if (bounds_) t[k].half_from = 0.5 * bounds_->lo[k], t[k].half_to = 0.5 * bounds_->hi[k];
    half_side = std::max(half_side, t[k].half_to - t[k].half_from + (bounds_ ? 0 : 2 * margin));
  }
  if (!(half_side >= 0x1p-1000)) half_side = 0x1p-1000;
  half_side = std::min(half_side, 0x1p1000);
  // Cells of about the size of a body; one more level costs more in list entries than it saves in tests.
  const double cells = std::clamp(half_side / std::max(half_size, half_side / 1024), 2.0, 1024.0);
  depth_ = wanted_depth_ > 0 ? wanted_depth_ : static_cast<int>(std::log2(cells));
  for (int k = 0; k < 3; ++k) {
    map_.origin[k] = bounds_ ? bounds_->lo[k] : t[k].half_from + t[k].half_to - half_side;
    if (!std::isfinite(map_.origin[k])) map_.origin[k] = 0;
    map_.per_side[k] = std::ldexp(0.5 / half_side, depth_);
    map_.least[k] = 0;
    map_.most[k] = (1 << depth_) - 1;
  }
}

void Octree::start_anew(const Bodies& bodies) {
  choose_universe(bodies);
  octants_.assign(1, Octant{});
  octants_[0].level = depth_;
  free_.clear();
  world_ = {};
  for (Place& place : place_) {
    place.there = false;
    place.octants.clear();
  }
  for (std::uint32_t id = 0; id < bodies.limit(); ++id) {
    if (bodies.contains(id)) put(bodies, id);
  }
}

void Octree::find_block(const Box3& box, Place& place) const {
  place.block = map_.range(box);
  place.level = 0;
  for (int k = 0; k < 3; ++k) {
    while ((place.block.hi[k] - place.block.lo[k]) >> place.level > 8) ++place.level;
  }
  const std::int32_t inside = (1 << place.level) - 1;
  for (int k = 0; k < 3; ++k) {
    place.block.lo[k] &= ~inside;
    place.block.hi[k] |= inside;
  }
}

void Octree::put(const Bodies& bodies, std::uint32_t id) {
  world_.add(bodies.box(id));
  find_block(bodies.box(id), place_[id]);
  place_[id].there = true;
  enter(0, place_[id].block, id);
}

void Octree::take_out(std::uint32_t id) {
  for (const std::uint32_t octant : place_[id].octants) leave(octant, id);
  place_[id].octants.clear();
  place_[id].there = false;
}

void Octree::move(const Bodies& bodies, std::uint32_t id) {
  Place next;
  find_block(bodies.box(id), next);
  Place& place = place_[id];
  if (next.block == place.block && next.level == place.level) {
    world_.add(bodies.box(id));
    ++counters.updates_skipped;
    return;
  }
  if (next.level != place.level || !next.block.overlaps(place.block)) {
    take_out(id);
    put(bodies, id);
    return;
  }
  world_.add(bodies.box(id));
  const CellRange last = place.block;
  place.block = next.block;
  std::vector<CellRange> again;
  std::erase_if(place.octants, [&](std::uint32_t octant) {
    const CellRange covers = range_of(octants_[octant]);
    if (next.block.holds(covers)) {
      ++counters.cells_kept;
      return false;
    }
    if (next.block.overlaps(covers)) again.push_back(next.block.common(covers));
    leave(octant, id);
    return true;
  });
  for (const CellRange& part : again) enter(0, part, id);
  for_each_difference(next.block, last, [&](const CellRange& part) { enter(0, part, id); });
}

/// Insertion (Zachmann 5.4.1); returns the number of octants entered. The part consists of whole cells of the body's
/// level, so the descent ends at that level.
std::uint32_t Octree::enter(std::uint32_t octant, const CellRange& part, std::uint32_t id) {
  if (part.holds(range_of(octants_[octant]))) {
    octants_[octant].bodies.push_back(id);
    ++octants_[octant].below;
    place_[id].octants.push_back(octant);
    ++counters.cells_entered;
    return 1;
  }
  if (octants_[octant].children == none) split(octant);
  std::uint32_t entered = 0;
  const std::uint32_t first = octants_[octant].children;
  for (std::uint32_t c = first; c < first + 8; ++c) {
    if (part.overlaps(range_of(octants_[c]))) entered += enter(c, part, id);
  }
  octants_[octant].below += entered;
  return entered;
}

void Octree::leave(std::uint32_t octant, std::uint32_t id) {
  std::vector<std::uint32_t>& bodies = octants_[octant].bodies;
  *std::find(bodies.begin(), bodies.end(), id) = bodies.back();
  bodies.pop_back();
  ++counters.cells_left;
  for (; octant != none; octant = octants_[octant].parent) {
    Octant& o = octants_[octant];
    --o.below;
    if (o.children != none && o.below == o.bodies.size()) {  // nothing below: insertion can recreate the children
      free_.push_back(o.children);
      o.children = none;
    }
  }
}

void Octree::split(std::uint32_t octant) {
  std::uint32_t first = 0;
  if (free_.empty()) {
    first = static_cast<std::uint32_t>(octants_.size());
    octants_.resize(octants_.size() + 8);
  } else {
    first = free_.back();
    free_.pop_back();
  }
  const Octant& parent = octants_[octant];
  for (std::uint32_t c = 0; c < 8; ++c) {
    Octant& child = octants_[first + c];
    child.level = parent.level - 1;
    for (int k = 0; k < 3; ++k) child.at[k] = parent.at[k] + ((c >> k & 1) != 0 ? 1 << child.level : 0);
    child.parent = octant;
    child.children = none;
    child.below = 0;
  }
  octants_[octant].children = first;
}

/// A pair that shares several octants is reported only from the octant that contains the first cell common to both
/// blocks.
bool Octree::first_common(std::uint32_t octant, const CellRange& a, const CellRange& b) const {
  const Octant& o = octants_[octant];
  for (int k = 0; k < 3; ++k) {
    if (std::max(a.lo[k], b.lo[k]) >> o.level != o.at[k] >> o.level) return false;
  }
  return true;
}

template <class Found>
void Octree::visit(std::uint32_t octant, const CellRange& range, Found&& found) const {
  const Octant& o = octants_[octant];
  if (o.below == 0 || !range.overlaps(range_of(o))) return;
  for (const std::uint32_t id : o.bodies) found(octant, id);
  if (o.children == none) return;
  for (std::uint32_t c = o.children; c < o.children + 8; ++c) visit(c, range, found);
}

/// All bodies of this octant against each other and against those of the octants above.
void Octree::find_pairs(const Bodies& bodies, std::uint32_t octant, std::vector<std::uint32_t>& above,
                        std::vector<BoxPair>& out) {
  const Octant& o = octants_[octant];
  if (o.below == 0) return;
  ++counters.nodes_visited;
  const std::size_t before = above.size();
  for (const std::uint32_t id : o.bodies) {
    const Box3& box = bodies.box(id);
    counters.box_tests += above.size();
    for (const std::uint32_t other : above) {
      if (!box.overlaps(bodies.box(other)) || !first_common(octant, place_[id].block, place_[other].block)) continue;
      out.push_back({std::min(id, other), std::max(id, other)});
    }
    above.push_back(id);
  }
  if (o.children != none) {
    for (std::uint32_t c = o.children; c < o.children + 8; ++c) find_pairs(bodies, c, above, out);
  }
  above.resize(before);
}

void Octree::pairs(const Bodies& bodies, int, std::vector<BoxPair>& out) {
  std::vector<std::uint32_t> above;
  if (!octants_.empty()) find_pairs(bodies, 0, above, out);
}

/// Starts from the body's own octants (Zachmann 5.4.2): visits everything below them, and the lists of all octants
/// above.
void Octree::moved_pairs(const Bodies& bodies, std::span<const std::uint32_t> moved, int, std::vector<BoxPair>& out) {
  for (const std::uint32_t id : moved) {
    const Place& place = place_[id];
    const auto found = [&](std::uint32_t octant, std::uint32_t other) {
      if (other == id || (other < id && bodies.moved(other))) return;
      ++counters.box_tests;
      if (!bodies.box(id).overlaps(bodies.box(other)) || !first_common(octant, place.block, place_[other].block))
        return;
      out.push_back({std::min(id, other), std::max(id, other)});
    };
    for (const std::uint32_t octant : place.octants) {
      visit(octant, place.block, found);
      for (std::uint32_t up = octants_[octant].parent; up != none; up = octants_[up].parent) {
        for (const std::uint32_t other : octants_[up].bodies) found(octant, other);
      }
    }
  }
}

void Octree::overlapping(const Bodies& bodies, const Box3& box, std::vector<std::uint32_t>& out) const {
  if (octants_.empty()) return;
  const CellRange range = map_.range(box);
  visit(0, range, [&](std::uint32_t octant, std::uint32_t id) {
    if (bodies.box(id).overlaps(box) && first_common(octant, range, place_[id].block)) out.push_back(id);
  });
}

void Octree::along_ray(const Bodies& bodies, const Segment& segment, std::vector<std::uint32_t>& out) const {
  along_ray_by_boxes(bodies, segment, world_, std::min(1 << depth_, 256), out);
}

std::vector<std::uint64_t> Octree::entries_by_depth() const {
  std::vector<std::uint64_t> out(static_cast<std::size_t>(depth_) + 1);
  for (const Octant& octant : octants_) out[static_cast<std::size_t>(depth_ - octant.level)] += octant.bodies.size();
  return out;
}

std::size_t Octree::bytes() const {
  std::size_t sum = octants_.capacity() * sizeof(Octant) + place_.capacity() * sizeof(Place) + free_.capacity() * 4;
  for (const Octant& octant : octants_) sum += octant.bodies.capacity() * sizeof(std::uint32_t);
  for (const Place& place : place_) sum += place.octants.capacity() * sizeof(std::uint32_t);
  return sum;
}

}  // namespace graze::broad
