// SPDX-License-Identifier: MIT
#include "broad/sweep.hpp"
#include "math/vectors.hpp"

#include <algorithm>
#include <cmath>

namespace graze::broad {

void Sweep::apply(const Bodies& bodies, std::span<const std::uint32_t> changed) {
  const std::size_t before = ends_[0].size();
  take_in(bodies, changed);
  // Each new body is moved past half of all others: if there are many, sort everything at once instead.
  bool anew = ends_[0].size() > before + 64 && ends_[0].size() > before + before / 8;
  began_.clear();
  ended_.clear();
  for (int k = 0; k < 3 && !anew; ++k) anew = !put_in_order(bodies, ends_[k]);
  if (anew)
    start_anew(bodies);
  else
    change_pairs();
  world_ = {};
  widest_ = 0;
  for (const End& end : ends_[0]) {
    if (end.closes()) continue;
    const Box3& box = bodies.box(end.id());
    world_.add(box);
    widest_ = std::max(widest_, box.hi.x - box.lo.x);
  }
}

/// Updates the values, appends inserted bodies (after all others, so that they overlap none) and erases removed ones.
void Sweep::take_in(const Bodies& bodies, std::span<const std::uint32_t> changed) {
  if (known_.size() < bodies.limit()) known_.resize(bodies.limit(), 0);
  bool some_went = false;
  for (const std::uint32_t id : changed) {
    if (bodies.contains(id) && known_[id] == 0) {
      for (auto& ends : ends_) ends.insert(ends.end(), {{0, 2 * id}, {0, 2 * id + 1}});
      known_[id] = 1;
    } else if (!bodies.contains(id) && known_[id] != 0) {
      known_[id] = 0;
      some_went = true;
    }
  }
  if (some_went) {
    for (auto& ends : ends_) std::erase_if(ends, [&](const End& end) { return known_[end.id()] == 0; });
    std::erase_if(pairs_, [&](const BoxPair& p) { return known_[p.a] == 0 || known_[p.b] == 0; });
  }
  for (int k = 0; k < 3; ++k) {
    for (End& end : ends_[k]) end.value = end.closes() ? bodies.box(end.id()).hi[k] : bodies.box(end.id()).lo[k];
  }
}

/// Insertion sort: ends that are out of order are swapped exactly once. All boxes already have their new values. So a
/// pair that begins to overlap along this axis is a pair if its boxes overlap now, and a pair that ceases to overlap
/// along it is none.
bool Sweep::put_in_order(const Bodies& bodies, std::vector<End>& ends) {
  std::size_t patience = 64 * ends.size();  // for teleporting bodies: sorting everything is faster
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const End end = ends[i];
    std::size_t at = i;
    for (; at > 0 && ends[at - 1].after(end); --at) {
      const End& passed = ends[at - 1];
      if (end.closes() != passed.closes() && end.id() != passed.id()) {
        const BoxPair pair{std::min(end.id(), passed.id()), std::max(end.id(), passed.id())};
        if (end.closes()) {
          ended_.push_back(pair);
        } else {
          ++counters.box_tests;
          if (bodies.box(pair.a).overlaps(bodies.box(pair.b))) began_.push_back(pair);
        }
      }
      ends[at] = passed;
    }
    ends[at] = end;
    counters.end_swaps += i - at;
    if (i - at > patience) return false;
    patience -= i - at;
  }
  return true;
}

void Sweep::change_pairs() {
  // The same pair may begin along two axes. No pair is in both lists: the first requires boxes that overlap, the second
  // boxes that do not.
  std::sort(began_.begin(), began_.end());
  std::sort(ended_.begin(), ended_.end());
  merged_.clear();
  std::set_difference(pairs_.begin(), pairs_.end(), ended_.begin(), ended_.end(), std::back_inserter(merged_));
  pairs_.clear();
  std::set_union(merged_.begin(), merged_.end(), began_.begin(), began_.end(), std::back_inserter(pairs_));
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

void Sweep::start_anew(const Bodies& bodies) {
  for (auto& ends : ends_) {
    std::sort(ends.begin(), ends.end(),
              [](const End& a, const End& b) { return b.after(a) || (!a.after(b) && a.body < b.body); });
  }
  pairs_.clear();
  std::vector<std::uint32_t> open, place(bodies.limit());
  for (const End& end : ends_[0]) {
    if (end.closes()) {
      const std::uint32_t hole = place[end.id()];
      open[hole] = open.back();
      place[open[hole]] = hole;
      open.pop_back();
      continue;
    }
    const Box3& box = bodies.box(end.id());
    for (const std::uint32_t other : open) {
      if (box.overlaps(bodies.box(other))) pairs_.push_back({std::min(other, end.id()), std::max(other, end.id())});
    }
    counters.box_tests += open.size();
    place[end.id()] = static_cast<std::uint32_t>(open.size());
    open.push_back(end.id());
  }
  std::sort(pairs_.begin(), pairs_.end());
}

void Sweep::pairs(const Bodies&, int, std::vector<BoxPair>& out) { out = pairs_; }

void Sweep::moved_pairs(const Bodies& bodies, std::span<const std::uint32_t>, int, std::vector<BoxPair>& out) {
  for (const BoxPair& p : pairs_) {
    if (bodies.moved(p.a) || bodies.moved(p.b)) out.push_back(p);
  }
}

void Sweep::overlapping(const Bodies& bodies, const Box3& box, std::vector<std::uint32_t>& out) const {
  using math::infinity;
  // A box that reaches the query's lower bound starts below it by at most the largest width; both roundings are
  // outward.
  const double from = std::nextafter(box.lo.x - std::nextafter(widest_, infinity), -infinity);
  auto at = std::partition_point(ends_[0].begin(), ends_[0].end(), [&](const End& end) { return end.value < from; });
  for (; at != ends_[0].end() && at->value <= box.hi.x; ++at) {
    if (!at->closes() && bodies.box(at->id()).overlaps(box)) out.push_back(at->id());
  }
}

void Sweep::along_ray(const Bodies& bodies, const Segment& segment, std::vector<std::uint32_t>& out) const {
  along_ray_by_boxes(bodies, segment, world_, 16, out);
}

std::size_t Sweep::bytes() const {
  return (ends_[0].capacity() + ends_[1].capacity() + ends_[2].capacity()) * sizeof(End) + known_.capacity() +
         (pairs_.capacity() + began_.capacity() + ended_.capacity() + merged_.capacity()) * sizeof(BoxPair);
}

}  // namespace graze::broad
