// SPDX-License-Identifier: MIT
#include "body/edge_list.hpp"

#include <algorithm>
#include <compare>
#include <functional>

#include "core/polled_sort.hpp"

namespace graze::body {

EdgeList::EdgeList(const Mesh& mesh) {
  struct Use {
    std::uint32_t v0, v1, triangle;
    std::strong_ordering operator<=>(const Use&) const = default;
  };
  std::vector<Use> uses;
  uses.reserve(3 * mesh.triangle_count());
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    if (t % 4096 == 0) core::poll_once();
    const Triangle& c = mesh.triangles()[t];
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [lo, hi] = std::minmax(c[k], c[(k + 1) % 3]);
      uses.push_back({lo, hi, t});
    }
  }
  core::polled_sort(uses.begin(), uses.end(), std::less<>());
  uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
  for (const Use& u : uses) {
    if (vertices.empty() || vertices.back() != std::array{u.v0, u.v1}) {
      vertices.push_back({u.v0, u.v1});
      first_.push_back(static_cast<std::uint32_t>(triangles_.size()));
    }
    triangles_.push_back(u.triangle);
  }
  first_.push_back(static_cast<std::uint32_t>(triangles_.size()));
}

}  // namespace graze::body
