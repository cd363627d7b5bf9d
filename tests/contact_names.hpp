// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include <graze/ask/deform.hpp>

namespace graze::testing {

/// By kind and sorted vertices of each feature, so that the order in which a method names them does not matter.
using ContactName = std::pair<ElementaryKind, std::array<std::uint32_t, 4>>;

/// Of all contacts, sorted.
inline std::vector<ContactName> contact_names(const DeformResult& r) {
  std::vector<ContactName> all;
  for (const DeformContact& c : r.contacts) {
    auto v = c.vertices;
    if (c.kind == ElementaryKind::vertex_face) {
      std::sort(v.begin() + 1, v.end());
    } else {
      std::sort(v.begin(), v.begin() + 2);
      std::sort(v.begin() + 2, v.end());
      if (std::pair(v[2], v[3]) < std::pair(v[0], v[1])) std::swap_ranges(v.begin(), v.begin() + 2, v.begin() + 2);
    }
    all.push_back({c.kind, v});
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// The same, each once.
inline std::vector<ContactName> different_contact_names(const DeformResult& r) {
  std::vector<ContactName> all = contact_names(r);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// Kind and vertices of all contacts, as and in the order in which they are reported.
using ReportedContact = std::array<std::uint32_t, 5>;
inline std::vector<ReportedContact> reported_contacts(const DeformResult& r) {
  std::vector<ReportedContact> all;
  for (const DeformContact& c : r.contacts)
    all.push_back({static_cast<std::uint32_t>(c.kind), c.vertices[0], c.vertices[1], c.vertices[2], c.vertices[3]});
  return all;
}

}  // namespace graze::testing
