// SPDX-License-Identifier: MIT
#include "broad/method.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"

namespace graze::broad {

void Method::moved_pairs(const Bodies& bodies, std::span<const std::uint32_t> moved, int threads,
                         std::vector<BoxPair>& out) {
  if (static_cast<double>(moved.size()) > busy_share() * static_cast<double>(bodies.size())) {
    pairs(bodies, threads, out);
    if (moved.size() < bodies.size())
      std::erase_if(out, [&](const BoxPair& p) { return !bodies.moved(p.a) && !bodies.moved(p.b); });
    return;
  }
  constexpr std::size_t chunk = 64;
  const std::size_t chunks = (moved.size() + chunk - 1) / chunk;
  std::vector<std::vector<BoxPair>> found(chunks);
  core::parallel_for(chunks, threads, [&](std::size_t c) {
    std::vector<std::uint32_t> near;
    for (const std::uint32_t id : moved.subspan(c * chunk, std::min(chunk, moved.size() - c * chunk))) {
      near.clear();
      overlapping(bodies, bodies.box(id), near);
      for (const std::uint32_t other : near) {
        // A pair of two moved bodies is found twice: it is reported for the lower id.
        if (other == id || (bodies.moved(other) && other < id)) continue;
        found[c].push_back({std::min(id, other), std::max(id, other)});
      }
    }
  });
  for (const auto& part : found) out.insert(out.end(), part.begin(), part.end());
}

void Method::along_ray_by_boxes(const Bodies& bodies, const Segment& segment, const Box3& world, int pieces,
                                std::vector<std::uint32_t>& out) const {
  double from = 0, to = 0;
  if (bodies.size() == 0 || !segment.clip(world, from, to)) return;
  if (!std::isfinite(to - from)) pieces = 1;
  std::vector<std::uint32_t> near;
  for (int i = 0; i < pieces; ++i) {
    // Adjacent pieces share their ends exactly, the first begins at `from` and the last ends at `to`.
    const double s0 = i == 0 ? from : from + (to - from) * (static_cast<double>(i) / pieces);
    const double s1 = i + 1 == pieces ? to : from + (to - from) * (static_cast<double>(i + 1) / pieces);
    overlapping(bodies, segment.around(std::min(s0, s1), std::max(s0, s1)), near);
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  for (const std::uint32_t id : near) {
    if (segment.meets(bodies.box(id))) out.push_back(id);
  }
}

}  // namespace graze::broad
