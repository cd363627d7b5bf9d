// SPDX-License-Identifier: MIT
#include "broad/all_pairs.hpp"

namespace graze::broad {

void AllPairs::apply(const Bodies& bodies, std::span<const std::uint32_t>) {
  ids_.clear();
  for (std::uint32_t id = 0; id < bodies.limit(); ++id) {
    if (bodies.contains(id)) ids_.push_back(id);
  }
}

void AllPairs::pairs(const Bodies& bodies, int, std::vector<BoxPair>& out) {
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    const Box3& box = bodies.box(ids_[i]);
    for (std::size_t j = i + 1; j < ids_.size(); ++j) {
      if (box.overlaps(bodies.box(ids_[j]))) out.push_back({ids_[i], ids_[j]});
    }
  }
  counters.box_tests += ids_.size() * (ids_.size() - 1) / 2;
}

void AllPairs::overlapping(const Bodies& bodies, const Box3& box, std::vector<std::uint32_t>& out) const {
  for (const std::uint32_t id : ids_) {
    if (bodies.box(id).overlaps(box)) out.push_back(id);
  }
}

void AllPairs::along_ray(const Bodies& bodies, const Segment& segment, std::vector<std::uint32_t>& out) const {
  for (const std::uint32_t id : ids_) {
    if (segment.meets(bodies.box(id))) out.push_back(id);
  }
}

}  // namespace graze::broad
