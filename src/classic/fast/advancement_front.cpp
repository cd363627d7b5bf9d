// SPDX-License-Identifier: MIT
#include "classic/fast/advancement_front.hpp"

namespace graze::classic::fast {

void PairTree::start(std::uint32_t a, std::uint32_t b) {
  clear();
  pairs_.push_back({a, b});
}

void PairTree::set_children(std::uint32_t i, const HullTree& a, const HullTree& b) {
  const Pair p = pairs_[i];
  for (std::uint32_t k = 0; k < 2; ++k) {
    Pair& child = pairs_[p.child + k];
    child.a = p.split_a ? a[p.a].first + k : p.a;
    child.b = p.split_a ? p.b : b[p.b].first + k;
  }
}

void PairTree::expand(std::uint32_t i, const HullTree& a, const HullTree& b) {
  std::uint32_t child;
  if (free_.empty()) {
    child = static_cast<std::uint32_t>(pairs_.size());
    pairs_.resize(pairs_.size() + 2);
  } else {
    child = free_.back();
    free_.pop_back();
    pairs_[child] = pairs_[child + 1] = {};
  }
  Pair& p = pairs_[i];
  const HullTree::Node &na = a[p.a], &nb = b[p.b];
  p.child = child;
  p.split_a = nb.leaf || (!na.leaf && na.radius >= nb.radius);
  set_children(i, a, b);
}

void PairTree::cut(std::uint32_t i) {
  const std::uint32_t child = pairs_[i].child;
  if (child == none) return;
  cut(child);
  cut(child + 1);
  free_.push_back(child);
  pairs_[i].child = none;
}

void PairTree::adopt(const HullTree& a, const HullTree& b) {
  if (pairs_.empty()) return;
  pairs_[0].a = pairs_[0].b = 0;
  std::vector<std::uint32_t> stack{0};
  while (!stack.empty()) {
    Pair& p = pairs_[stack.back()];
    const std::uint32_t i = stack.back();
    stack.pop_back();
    if (p.child == none) continue;
    if (p.split_a ? a[p.a].leaf : b[p.b].leaf) {
      p.child = none;  // from other bodies; the pairs below stay unused until the tree is cleared
      continue;
    }
    set_children(i, a, b);
    stack.push_back(p.child);
    stack.push_back(p.child + 1);
  }
}

}  // namespace graze::classic::fast
