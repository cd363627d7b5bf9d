// SPDX-License-Identifier: MIT
#include "classic/kitamura/interference_brute.hpp"

#include "classic/kitamura/face_pairs.hpp"
#include "core/limits.hpp"

namespace graze::classic::kitamura {

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
        core::poll_once();
        if (pairs.size() < 1 << 20) continue;  // in batches, to limit memory
        test_face_pairs(query.scene, pairs, query.options.threads, result);
        pairs.clear();
      }
    }
  test_face_pairs(query.scene, pairs, query.options.threads, result);
  clock.add_to(result.seconds.faces);
}

}  // namespace graze::classic::kitamura
