// SPDX-License-Identifier: MIT
#include "query/interference/check_lists.hpp"

#include <algorithm>

#include "core/parallel.hpp"

namespace graze::query {

namespace {

constexpr std::uint32_t chunk_size = 4096;

struct Chunk {
  std::vector<ListedFace> faces;
  Counters counters;
};

void list_chunk(const Scene& scene, const FaceTest& test, std::uint32_t body, std::span<const Box3> regions,
                std::uint32_t first, Chunk& out) {
  const PlacedBody& placed = scene[body];
  const auto last = std::min(first + chunk_size, static_cast<std::uint32_t>(placed.triangles.size()));
  for (std::uint32_t t = first; t < last; ++t) {
    const ListedFace face{face_box(placed, t), body, t};
    if (std::any_of(regions.begin(), regions.end(),
                    [&](const Box3& r) { return test.may_meet(face, r, out.counters); }))
      out.faces.push_back(face);
  }
}

}  // namespace

void add_check_list(const Scene& scene, const FaceTest& test, std::uint32_t body, std::span<const Box3> regions,
                    int threads, std::vector<ListedFace>& list, Counters& counters) {
  std::vector<Chunk> chunks((scene[body].triangles.size() + chunk_size - 1) / chunk_size);
  core::parallel_for(chunks.size(), threads, [&](std::size_t i) {
    list_chunk(scene, test, body, regions, static_cast<std::uint32_t>(i) * chunk_size, chunks[i]);
  });
  for (const Chunk& chunk : chunks) {
    list.insert(list.end(), chunk.faces.begin(), chunk.faces.end());
    counters += chunk.counters;
    counters.check_list_faces += chunk.faces.size();
  }
}

}  // namespace graze::query
