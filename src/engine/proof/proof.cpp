// SPDX-License-Identifier: MIT
#include "engine/proof/proof.hpp"

#include <cstdio>

#include "core/limits.hpp"

namespace graze::engine::proof {

std::uint32_t Proof::separate(std::uint32_t at, const Vec3& n, double until, Frame frame) {
  const auto next = static_cast<std::uint32_t>(steps_.size());
  Step& s = steps_[at];
  s.kind = Step::Kind::separated;
  s.frame = frame;
  turns_ |= frame != Frame::world;
  s.n = n;
  s.until = until;
  s.next = next;
  steps_.push_back({});
  return next;
}

std::uint32_t Proof::split(std::uint32_t at, bool of_b, const std::vector<std::uint32_t>& counts) {
  if (counts.size() == 1) return at;  // one part is the whole
  const auto next = static_cast<std::uint32_t>(steps_.size());
  Step& s = steps_[at];
  s.kind = of_b ? Step::Kind::split_b : Step::Kind::split_a;
  s.next = next;
  s.parts = static_cast<std::uint32_t>(counts.size());
  s.counts = static_cast<std::uint32_t>(counts_.size());
  counts_.insert(counts_.end(), counts.begin(), counts.end());
  steps_.resize(steps_.size() + counts.size());
  return next;
}

std::uint32_t Proof::split_each(std::uint32_t first, std::uint32_t parts, const std::vector<std::uint32_t>& counts) {
  if (counts.size() == 1) return first;
  const auto next = static_cast<std::uint32_t>(steps_.size());
  for (std::uint32_t i = 0; i < parts; ++i) split(first + i, true, counts);
  return next;
}

std::string Proof::text(double until, bool exchanged) const {
  struct Open {
    std::uint32_t step;
    double time;
  };
  std::string out;
  std::vector<Open> stack{{0, 0}};
  char line[128];
  core::Poll poll;
  while (!stack.empty()) {
    poll.rarely();
    const auto [at, time] = stack.back();
    stack.pop_back();
    if (time >= until) continue;  // the cover ends here: later steps of the search are not written
    const Step& s = steps_[at];
    if (s.kind == Step::Kind::separated) {
      const char* const kind = s.frame == Frame::world ? "S" : (s.frame == Frame::a) != exchanged ? "T a" : "T b";
      const Vec3 n = exchanged ? -s.n : s.n;
      std::snprintf(line, sizeof line, "%s %a %a %a %a\n", kind, n.x, n.y, n.z, s.until);
      out += line;
      stack.push_back({s.next, s.until});
    } else if (s.kind != Step::Kind::open) {
      out += (s.kind == Step::Kind::split_a) != exchanged ? 'A' : 'B';
      out += ' ' + std::to_string(s.parts);
      for (std::uint32_t i = 0; i < s.parts; ++i) out += ' ' + std::to_string(counts_[s.counts + i]);
      out += '\n';
      for (std::uint32_t i = s.parts; i-- > 0;) stack.push_back({s.next + i, time});
    }
  }
  return out;
}

std::vector<std::uint32_t> items_below(const bvh::WideTreeView& tree) {
  std::vector<std::uint32_t> order{0}, below(tree.nodes.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bvh::WideNode& n = tree.nodes[order[i]];
    if (!n.bottom)
      for (std::uint32_t k = 0; k < n.count; ++k) order.push_back(n.first + k);
  }
  for (std::size_t i = order.size(); i-- > 0;) {
    const bvh::WideNode& n = tree.nodes[order[i]];
    if (n.bottom) below[order[i]] = n.count;
    for (std::uint32_t k = 0; !n.bottom && k < n.count; ++k) below[order[i]] += below[n.first + k];
  }
  return below;
}

}  // namespace graze::engine::proof
