// SPDX-License-Identifier: MIT
#include "classic/kitamura/check_lists.hpp"

#include <algorithm>

#include "core/limits.hpp"
#include "core/parallel.hpp"

namespace graze::classic::kitamura {

namespace {

constexpr std::uint32_t faces_a_chunk = 4096;

struct FaceChunk {
  std::vector<ListedFace> faces;
  AllCounters counters;
};

void list_chunk(const Scene& scene, const FaceTest& test, std::uint32_t body, std::span<const Box3> regions,
                std::uint32_t first, FaceChunk& out) {
  const PlacedBody& placed = scene[body];
  const auto last = std::min(first + faces_a_chunk, static_cast<std::uint32_t>(placed.triangles.size()));
  core::Poll poll;
  for (std::uint32_t t = first; t < last; ++t) {
    poll.rarely();
    const ListedFace face{face_box(placed, t), body, t};
    if (std::any_of(regions.begin(), regions.end(),
                    [&](const Box3& r) { return test.may_meet(face, r, out.counters); }))
      out.faces.push_back(face);
  }
}

}  // namespace

void add_check_list(const Scene& scene, const FaceTest& test, std::uint32_t body, std::span<const Box3> regions,
                    int threads, std::vector<ListedFace>& list, AllCounters& counters) {
  std::vector<FaceChunk> chunks((scene[body].triangles.size() + faces_a_chunk - 1) / faces_a_chunk);
  core::parallel_for(chunks.size(), threads, [&](std::size_t i) {
    list_chunk(scene, test, body, regions, static_cast<std::uint32_t>(i) * faces_a_chunk, chunks[i]);
  });
  for (const FaceChunk& chunk : chunks) {
    list.insert(list.end(), chunk.faces.begin(), chunk.faces.end());
    counters += chunk.counters;
    counters.check_list_faces += chunk.faces.size();
  }
}

}  // namespace graze::classic::kitamura
