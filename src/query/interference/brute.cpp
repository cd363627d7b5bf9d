// SPDX-License-Identifier: MIT
#include "query/interference/brute.hpp"

#include "query/interference/face_pairs.hpp"

namespace graze::query {

void InterferenceBrute::run(const InterferenceQuery& query, InterferenceResult& result) {
  StageClock clock;
  const auto bodies = static_cast<std::uint32_t>(query.scene.size());
  std::vector<FacePair> pairs;
  for (std::uint32_t i = 0; i < bodies; ++i)
    for (std::uint32_t j = query.options.self ? i : i + 1; j < bodies; ++j) {
      const auto m = static_cast<std::uint32_t>(query.scene[i].triangles.size());
      const auto n = static_cast<std::uint32_t>(query.scene[j].triangles.size());
      for (std::uint32_t a = 0; a < m; ++a) {
        for (std::uint32_t b = i == j ? a + 1 : 0; b < n; ++b) pairs.push_back({i, j, a, b});
        if (pairs.size() < 1 << 20) continue;  // in portions, so that memory stays small
        test_face_pairs(query.scene, pairs, query.options.threads, result);
        pairs.clear();
      }
    }
  test_face_pairs(query.scene, pairs, query.options.threads, result);
  clock.add_to(result.seconds.faces);
}

}  // namespace graze::query
